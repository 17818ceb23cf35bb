package site

import (
	"context"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
)

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
	siteID, err := s.create(ctx, q, caller, organization, checked)
	if err != nil {
		return "", err
	}
	made, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return "", err
	}
	return siteID, record(ctx, q, caller, made, "site.create", siteTarget(made), map[string]any{"visibility": made.Visibility, "spaces": len(in.Spaces)})
}

// In reports whether an organization has a site.
func In(ctx context.Context, q db.Querier, organizationID, siteID string) (bool, error) {
	var found bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM site WHERE organization_id = $1 AND id = $2)`, organizationID, siteID).Scan(&found)
	return found, err
}
