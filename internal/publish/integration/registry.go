package integration

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

// Filter says which integrations a list has; its zero value says all.
type Filter struct {
	// Search is a part of the name or title, in any letter case.
	Search   string
	Category Category
	Scope    Scope
	// Target is exactly that target: an integration for all targets is found by all alone.
	Target Target
	// BlockDomain is a domain whose links a block can show.
	BlockDomain string
	// Blocks and ContentSources ask for integrations that have some, or none.
	Blocks, ContentSources optional.Value[bool]
	// Owner is the id of the organization that has published it.
	Owner id.Organization

	// visible is the id of an organization whose own integrations are listed beside the public ones; onlyOwn leaves the
	// visibility out of it, for a list of the caller's own.
	visible id.Organization
	onlyOwn bool
	// fits leaves out integrations that cannot be installed on a target.
	fits Target
	// within asks for what is installed there.
	within place
}

// place is where an integration is installed: an organization, or one of its spaces or sites.
type place struct {
	organization id.Organization
	space        id.Space
	site         id.Site
}

// Get returns an integration by its name, in any letter case; errs.NotFound when there is none or the caller may not
// see it. Beside those whom its visibility lets, the members of organizations that have installed it see it.
func (s *Service) Get(ctx context.Context, caller account.Caller, name string) (Integration, error) {
	return byName(ctx, s.deps.DB.Read(), caller, name)
}

// List returns a page of the public integrations by name, with their number under the same filter and the keys of the
// next page. With an owner whose member the caller is, the unlisted and private ones of that owner are there as well.
func (s *Service) List(ctx context.Context, caller account.Caller, filter Filter,
	page paging.Request) (paging.Page[Integration], error) {
	if filter.Owner != "" {
		owner, err := access.LoadOrganization(ctx, s.deps.DB.Read(), caller, filter.Owner)
		if err != nil && !errs.Is(err, errs.NotFound) {
			return paging.Page[Integration]{}, err
		}
		filter.onlyOwn = err == nil && owner.Role.AtLeast(org.RoleRead)
	}
	return list(ctx, s.deps.DB.Read(), caller, filter, page)
}

// ListForOrganization returns a page of what can be installed in an organization: the public integrations, and those
// that it has published itself.
func (s *Service) ListForOrganization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	filter Filter, page paging.Request) (paging.Page[Integration], error) {
	if _, err := access.RequireOrganization(ctx, s.deps.DB.Read(), caller, organizationID,
		access.ListIntegrations); err != nil {
		return paging.Page[Integration]{}, err
	}
	filter.visible = organizationID
	return list(ctx, s.deps.DB.Read(), caller, filter, page)
}

// InSpace returns a page of the integrations that work in a space.
func (s *Service) InSpace(ctx context.Context, caller account.Caller, spaceID id.Space, search string,
	page paging.Request) (paging.Page[Integration], error) {
	space, err := access.RequireSpace(ctx, s.deps.DB.Read(), caller, spaceID, access.ViewSpace)
	if err != nil {
		return paging.Page[Integration]{}, err
	}
	return list(ctx, s.deps.DB.Read(), caller, Filter{Search: search, within: place{organization: space.Organization,
		space: spaceID}}, page)
}

// BlocksInSpace returns the integrations with blocks that work in a space.
func (s *Service) BlocksInSpace(ctx context.Context, caller account.Caller, spaceID id.Space) ([]Integration, error) {
	space, err := access.RequireSpace(ctx, s.deps.DB.Read(), caller, spaceID, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	filter := Filter{Blocks: optional.Of(true), within: place{organization: space.Organization, space: spaceID}}
	found, err := list(ctx, s.deps.DB.Read(), caller, filter, paging.Request{Limit: maxInstalled})
	return found.Items, err
}

// InSite returns a page of the integrations that work on a site.
func (s *Service) InSite(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	search string, page paging.Request) (paging.Page[Integration], error) {
	if _, err := s.deps.Sites.Get(ctx, caller, organizationID, siteID); err != nil {
		return paging.Page[Integration]{}, err
	}
	return list(ctx, s.deps.DB.Read(), caller, Filter{Search: search, within: place{organization: organizationID,
		site: siteID}}, page)
}
