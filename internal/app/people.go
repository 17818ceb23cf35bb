package app

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/publish/site"
)

// openOrganizations makes the service of organizations, with what it needs of packages that come after it.
func (a *App) openOrganizations(ctx context.Context, blobs blob.Store, fetcher *fetch.Client) (*org.Service, error) {
	challenges, err := db.Secret(ctx, a.db, "email-domains")
	if err != nil {
		return nil, err
	}
	return org.New(complete(a, org.Deps{
		DB: a.db, Accounts: a.accounts, Secrets: a.secrets, Mail: a.inviteMail(), BaseURL: a.config.Base(),
		Blobs:        blobs,
		Fetch:        fetcher.ReadAll,
		ChallengeKey: challenges, LookupTXT: newNameService(a.config.DNSServer).txt,
		Creators: org.Creators(a.config.CreateOrganizations),
		SiteIn:   site.In, Gone: identity.Forget,
		MayEnforceSSO: func(ctx context.Context, q db.Querier, caller account.Caller, organizationID string) error {
			return a.identities.MayEnforce(ctx, q, caller, organizationID)
		},
		NewSite: func(ctx context.Context, q db.Querier, caller account.Caller, organizationID string) (string, error) {
			made, err := a.sites.CreateIn(ctx, q, caller, organizationID, site.NewSite{CreateSpace: true})
			return made.ID, err
		},
		Content: org.ContentAccess{
			MayGive: func(ctx context.Context, q db.Querier, caller account.Caller, target org.Target,
				role org.Role) (string, error) {
				return access.MayInvite(ctx, q, caller, object(target), role)
			},
			Give: func(ctx context.Context, q db.Querier, member account.Caller, target org.Target,
				role org.Role) error {
				return access.GiveByLink(ctx, q, member, object(target), role)
			},
			RoleIn: func(ctx context.Context, q db.Querier, caller account.Caller,
				target org.Target) (org.Role, error) {
				return access.RoleOf(ctx, q, caller, object(target))
			},
		},
	})), nil
}

// inviteMail is how invites are sent; nil when there is no mail server.
func (a *App) inviteMail() func(ctx context.Context, q db.Querier, m mail.Message) (string, error) {
	if a.config.SMTPURL == "" {
		return nil
	}
	return a.mail.Post
}

// object is the target of an invite link as access names it.
func object(target org.Target) access.Object {
	if target.Collection != "" {
		return access.CollectionObject(target.Collection)
	}
	return access.SpaceObject(target.Space)
}

// schedulePeople registers the periodic work on people.
func (a *App) schedulePeople() {
	a.every("org.purge-invites", 6*time.Hour, func(ctx context.Context) error {
		_, err := a.organizations.TendInvites(ctx)
		return err
	})
}
