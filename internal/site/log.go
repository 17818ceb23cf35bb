package site

import (
	"context"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/audit"
	"github.com/rectodocs/recto/internal/db"
)

// record writes an entry of the audit log about a site.
func record(ctx context.Context, q db.Querier, actor account.Caller, site Site, action string, details map[string]any) error {
	return audit.Record(ctx, q, audit.Entry{
		Organization: site.Organization, Actor: actor.User.ID, Token: actor.Token.ID, Action: action,
		Target: audit.Target{Kind: "site", ID: site.ID, Title: site.Title}, Details: details,
	})
}

// differences says what a change does to a site, for the audit log.
func differences(before, after Site, change Change) map[string]any {
	changed := map[string]any{}
	add := func(name string, from, to any) {
		if from != to {
			changed[name] = map[string]any{"from": from, "to": to}
		}
	}
	add("title", before.Title, after.Title)
	add("visibility", string(before.Visibility), string(after.Visibility))
	add("basename", before.Basename, after.Basename)
	add("adaptiveContent", before.AdaptiveContent, after.AdaptiveContent)
	add("agentsContext", string(before.AgentsContext), string(after.AgentsContext))
	if siteSpace, ok := change.DefaultSiteSpace.Get(); ok {
		changed["defaultSiteSpace"] = map[string]any{"to": siteSpace}
	}
	return changed
}

// CreateIn is Create in the caller's transaction, and returns the new site's id.
func (s *Service) CreateIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID string, in NewSite) (string, error) {
	organization, err := access.RequireOrganization(ctx, q, caller, organizationID, access.ManageSites)
	if err != nil {
		return "", err
	}
	checked, err := in.check()
	if err != nil {
		return "", err
	}
	return s.create(ctx, q, caller, organization, checked)
}

// In reports whether an organization has a site.
func In(ctx context.Context, q db.Querier, organizationID, siteID string) (bool, error) {
	var found bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM site WHERE organization_id = $1 AND id = $2)`, organizationID, siteID).Scan(&found)
	return found, err
}
