package access

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Scopes of manifests that open something of an organization to an integration.
const (
	scopeContentRead   = "space:content:read"
	scopeContentWrite  = "space:content:write"
	scopeMetadataRead  = "space:metadata:read"
	scopeMetadataWrite = "space:metadata:write"
	scopeSiteRead      = "site:metadata:read"
	scopeAdaptiveRead  = "site:adaptive:read"
	scopeAdaptiveWrite = "site:adaptive:write"
	scopeSpecsRead     = "openapi:read"
	scopeSpecsWrite    = "openapi:write"
)

// agentInOrganization is what an integration may do in an organization: it has no role there, only what its scopes
// name. One that calls for itself belongs to none.
func agentInOrganization(agent account.Agent, organizationID id.Organization) (Organization, error) {
	if agent.Installation == "" || agent.Organization != organizationID {
		return Organization{}, noOrganization()
	}
	sites := agent.Has(scopeSiteRead, scopeAdaptiveRead, scopeAdaptiveWrite)
	specs := agent.Has(scopeSpecsRead, scopeSpecsWrite)
	return Organization{
		ID: organizationID, Role: org.RoleGuest, agent: agent,
		Permissions: OrganizationPermissions{View: true, Access: sites || specs},
	}, nil
}

// agentInSite is what an integration may do with a site of its organization: with those that it is installed on.
func agentInSite(agent account.Agent, siteID id.Site) SitePermissions {
	if !agent.ReachesSite(siteID) {
		return SitePermissions{}
	}
	read := agent.Has(scopeSiteRead, scopeAdaptiveRead, scopeAdaptiveWrite)
	return SitePermissions{
		View: read, Access: read,
		ViewAdaptiveSchema: agent.Has(scopeAdaptiveRead, scopeAdaptiveWrite),
		EditAdaptiveSchema: agent.Has(scopeAdaptiveWrite),
	}
}

// agentInSpace is what an integration may do with a space: it reads those that it is installed on, outside the trash.
func agentInSpace(ctx context.Context, q db.Querier, agent account.Agent, spaceID id.Space) (Space, error) {
	reads := agent.Has(scopeContentRead, scopeContentWrite, scopeMetadataRead, scopeMetadataWrite)
	if !id.Valid("space", spaceID) || agent.Installation == "" || !reads || !agent.ReachesSpace(spaceID) {
		return Space{}, noSpace()
	}
	space := Space{ID: spaceID, Role: org.RoleRead, Permissions: PermissionsInSpace(org.RoleRead, false)}
	var editMode string
	var head sql.Null[id.Revision]
	err := q.QueryRowContext(ctx, `
		SELECT s.organization_id, s.edit_mode, b.head_revision_id
		FROM space s LEFT JOIN content_branch b ON b.space_id = s.id AND b.kind = 'main'
		WHERE s.id = $1 AND s.organization_id = $2 AND s.deleted_at IS NULL`, spaceID, agent.Organization).
		Scan(&space.Organization, &editMode, &head)
	if errors.Is(err, db.ErrNoRows) {
		return Space{}, noSpace()
	}
	if err != nil {
		return Space{}, fmt.Errorf("load a space for an integration: %w", err)
	}
	space.Locked, space.Head = editMode == "locked", head.V
	return space, nil
}
