package app

import (
	"context"
	"errors"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
)

// setHooks gives each service what it asks of packages that it does not import. All services are there.
func (a *App) setHooks() {
	a.specs.SetHooks(spec.Hooks{State: a.computed.State, StateOfSpace: a.computed.StateOfSpace,
		Pages: a.computed.Pages, Changed: a.renderer.SpecificationChanged})
	made := madePages(a.specs)
	a.accounts.SetHooks(accountHooks())
	a.organizations.SetHooks(org.Hooks{
		SiteIn: site.In, NewSite: a.newSite, MayEnforceSSO: a.identities.MayEnforce, Gone: identity.Forget,
		Invites: org.Invites{
			Drop: invite.Drop, DropLinksBy: invite.DropLinksBy, DropTeam: invite.DropTeam, ToTeam: a.invites.ToTeam,
		},
	})
	a.invites.SetHooks(inviteHooks())
	a.spaces.SetHooks(space.Hooks{
		InitContent: a.content.Init, CopyContent: a.content.Duplicate, OnSite: site.OnSite, Transferred: a.transferred,
		Seen: a.spaceMoved, Changed: a.spaceChanged, Came: a.integrations.SpaceCame, Leaves: a.integrations.SpaceLeaves,
		DropContent: func(ctx context.Context, q db.Querier, spaceID id.Space) error {
			return a.content.DropSpace(ctx, q, spaceID, time.Now().UnixMicro())
		},
	})
	a.content.SetHooks(store.Hooks{
		OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
			a.changes.OnHead, a.translations.OnHead, a.lives.OnHead, a.tellContent, a.tellRenderer, a.computed.OnHead,
		},
		BlobInUse: blobInUse,
	})
	a.links.SetHooks(link.Hooks{Exists: a.linkTargetExists, Made: made})
	a.changes.SetHooks(change.Hooks{Facts: a.changeFacts, PostReview: a.postReview, Flush: a.lives.Flush,
		Closed: a.lives.RequestClosed})
	a.prints.SetHooks(print.Hooks{Computed: a.printedSource(), Blocks: a.printedBlocks})
	a.comments.SetHooks(comment.Hooks{Made: made})
	a.search.SetHooks(search.Hooks{Computed: computedSource(a.specs), Public: a.sites.Public})
	a.imports.SetHooks(importer.Hooks{Sync: a.tellSync})
	a.translations.SetHooks(translation.Hooks{Show: a.sites.ShowBeside})
	a.integrations.SetHooks(integration.Hooks{Tell: a.dispatch.Happened, Compiled: a.dispatch.Compiled,
		Changed: a.renderer.IntegrationChanged})
	a.audiences.SetHooks(audience.Hooks{Backends: a.visitorBackends, Preview: a.previews.Elsewhere})
	a.dispatch.SetHooks(dispatch.Hooks{Serve: a.serveScript})
	a.blocks.SetHooks(blocks.Hooks{Render: a.renderBlock})
	paths := sitePages{a.content, made}
	a.sites.SetHooks(site.Hooks{PagePath: paths.path, PageByPath: paths.byPath, Scripts: a.siteScripts,
		Made: a.integrations.SiteCame, Gone: a.integrations.SiteLeaves, Shown: a.spaceShown,
		Changed: a.renderer.SiteChanged})
}

// accountHooks is what package account asks of others, for servers and for commands.
func accountHooks() account.Hooks {
	return account.Hooks{Organizations: org.OrganizationsOf, Enforcement: org.Enforced, Revoked: oauth.EndAll,
		Proven: func(ctx context.Context, q db.Querier, userID id.User) error {
			if err := identity.EndUnconfirmed(ctx, q, userID); err != nil {
				return err
			}
			return oauth.EndVouched(ctx, q, userID)
		}}
}

// newSite makes the first site of an organization.
func (a *App) newSite(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) (id.Site, error) {
	made, err := a.sites.CreateIn(ctx, q, caller, organizationID, site.NewSite{CreateSpace: true})
	return made.ID, err
}

// inviteHooks is what invite links to spaces and collections need.
func inviteHooks() invite.Hooks {
	return invite.Hooks{
		MayGive: func(ctx context.Context, q db.Querier, caller account.Caller, target invite.Target,
			role org.Role) (id.Organization, error) {
			return access.MayInvite(ctx, q, caller, object(target), role)
		},
		Give: func(ctx context.Context, q db.Querier, member account.Caller, target invite.Target,
			role org.Role) error {
			return access.GiveByLink(ctx, q, member, object(target), role)
		},
		RoleIn: func(ctx context.Context, q db.Querier, caller account.Caller, target invite.Target) (org.Role, error) {
			return access.RoleOf(ctx, q, caller, object(target))
		},
	}
}

// object is the target of an invite link as access names it.
func object(target invite.Target) access.Object {
	if target.Collection != "" {
		return access.CollectionObject(target.Collection)
	}
	return access.SpaceObject(target.Space)
}

// changeFacts is what merge rules may ask of a change request besides what package change knows.
func (a *App) changeFacts(ctx context.Context, r change.Request) (map[string]any, error) {
	added, err := a.links.BrokenAdded(ctx, r.Organization, r.Space, r.Branch)
	return map[string]any{"links": map[string]any{"broken": added.Count}}, err
}

// postReview keeps what a reviewer says as a comment.
func (a *App) postReview(ctx context.Context, q db.Querier, caller account.Caller, r change.Request,
	reviewID, markdown string) error {
	_, err := a.comments.PostReview(ctx, q, caller, comment.Scope{Space: r.Space, ChangeRequest: r.ID}, reviewID,
		markdown)
	return err
}

// blobInUse reports whether anything beside content needs the bytes with a hash.
func blobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	for _, used := range []func(context.Context, db.Querier, string) (bool, error){importer.BlobInUse, spec.BlobInUse,
		print.BlobInUse, org.BlobInUse, integration.BlobInUse} {
		if is, err := used(ctx, q, hash); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// transferred lets what belongs to a space follow it to another organization.
func (a *App) transferred(ctx context.Context, q db.Querier, spaceID id.Space, organizationID id.Organization) error {
	return errors.Join(
		importer.Transferred(ctx, q, spaceID, organizationID), change.Transferred(ctx, q, spaceID, organizationID),
		notification.Transferred(ctx, q, spaceID, organizationID))
}
