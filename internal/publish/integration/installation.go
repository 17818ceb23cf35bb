package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Status says whether an installation works.
type Status string

// Statuses of installations.
const (
	// Active installations work.
	Active Status = "active"
	// Pending ones wait for their configuration.
	Pending Status = "pending"
	// Paused ones do not work, because the integration is not offered for this place any more.
	Paused Status = "paused"
)

// Selection says whether an installation takes in all spaces or sites of its organization, or those alone on which it
// was installed.
type Selection string

// Selections.
const (
	SelectAll      Selection = "all"
	SelectSelected Selection = "selected"
)

// Installation is an integration in an organization.
type Installation struct {
	// ID is "installation_…".
	ID string
	// Integration is the name of the integration, Organization the id of the organization.
	Integration    string
	Organization   id.Organization
	Status         Status
	SpaceSelection Selection
	SiteSelection  Selection
	// Spaces is the number of spaces that it takes in.
	Spaces int
	// Configuration has the defaults of the integration for what nobody has configured.
	Configuration Values
	ExternalIDs   []string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

func (i Installation) state() state { return state{i.Status, i.Configuration} }

// Installed is an integration with the installation of one organization.
type Installed struct {
	Integration  Integration
	Installation Installation
}

// Change is the input of an update; what is absent stays, and null sets what an installation begins with.
type Change struct {
	// Configuration is a JSON object; it replaces the one that is there.
	Configuration  optional.Value[json.RawMessage]
	ExternalIDs    optional.Value[[]string]
	SpaceSelection optional.Value[Selection]
	SiteSelection  optional.Value[Selection]
}

// Bounds of installations.
const (
	maxExternalIDs = 5
	maxExternalID  = 255
	// maxInstalled is how many integrations an organization can have installed.
	maxInstalled = 500
)

// Install installs an integration in an organization, given by its id or hostname. It is for admins. A second
// installation of the same integration is an errs.Conflict.
func (s *Service) Install(ctx context.Context, caller account.Caller, name string,
	organization id.Organization) (Installation, error) {
	organizationID, err := s.named(ctx, organization)
	if err != nil {
		return Installation{}, err
	}
	var installed Installation
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := byName(ctx, q, caller, name)
		if err != nil {
			return err
		}
		if _, err := access.RequireOrganization(ctx, q, caller, organizationID,
			access.AdministerOrganization); err != nil {
			return err
		}
		if found.Visibility == Private && found.Owner.ID != organizationID {
			return noIntegration(name)
		}
		count, err := countInstalled(ctx, q, organizationID)
		if err != nil {
			return err
		}
		if count >= maxInstalled {
			return errs.Conflictf(
				"The organization has %d integrations installed, which is the most that one can have.", count)
		}
		r := root{row: row{id: newID(), organization: organizationID, created: s.clock()}, integrationID: found.ID}
		r.updated, r.spaceSelection, r.siteSelection = r.created, SelectSelected, SelectSelected
		added, err := insertInstallation(ctx, q, r.integrationID, r.row)
		if err != nil {
			return err
		}
		if !added {
			return errs.Conflictf("%s is installed in this organization already; change that installation.",
				found.Title)
		}
		if r, err = rootByID(ctx, q, name, r.id); err != nil {
			return err
		}
		if installed, err = s.installation(r); err != nil {
			return err
		}
		if err := s.tellSetup(ctx, q, r, nil, "", nil, installed.state()); err != nil {
			return err
		}
		return s.record(ctx, q, entry(caller, organizationID, "integration.install", found, map[string]any{
			"installation": r.id, "version": found.Version, "scopes": found.Scopes,
		}))
	})
	return installed, err
}

// load returns an organization's installation, if the caller belongs to that organization, and what they may do there.
func load(ctx context.Context, q db.Querier, caller account.Caller,
	name, installationID string) (root, access.Organization, error) {
	r, err := rootByID(ctx, q, name, installationID)
	if err != nil {
		return root{}, access.Organization{}, err
	}
	if caller.IsAgent() {
		if !owns(caller.Agent, r) {
			return root{}, access.Organization{}, noInstallation()
		}
		return r, access.Organization{ID: r.organization}, nil
	}
	organization, err := access.LoadOrganization(ctx, q, caller, r.organization)
	if errs.Is(err, errs.NotFound) {
		err = noInstallation()
	}
	return r, organization, err
}

// require is load for callers who may do an action in the organization. An integration may look at its own
// installations and configure them, and nothing else of them.
func require(ctx context.Context, q db.Querier, caller account.Caller, name, installationID string,
	action access.OrganizationAction) (root, access.Organization, error) {
	r, organization, err := load(ctx, q, caller, name, installationID)
	if err == nil && !caller.IsAgent() {
		err = organization.Require(action)
	}
	return r, organization, err
}

func noInstallation() error {
	return errs.NotFoundf("There is no such installation of this integration, or you may not see it.")
}

// Installation returns an installation of an integration.
func (s *Service) Installation(ctx context.Context, caller account.Caller,
	name, installationID string) (Installation, error) {
	r, _, err := require(ctx, s.deps.DB.Read(), caller, name, installationID, access.ListInstallations)
	if err != nil {
		return Installation{}, err
	}
	return s.installation(r)
}

// Installations returns a page of the installations of an integration in those organizations of the caller in which
// they may list them, the oldest first. externalID leaves those alone that have that id; "" leaves all.
func (s *Service) Installations(ctx context.Context, caller account.Caller, name, externalID string,
	page paging.Request) (paging.Page[Installation], error) {
	found, err := s.Get(ctx, caller, name)
	if err != nil {
		return paging.Page[Installation]{}, err
	}
	roots, err := rootsOf(ctx, s.deps.DB.Read(), caller, found.ID, externalID)
	if err != nil {
		return paging.Page[Installation]{}, err
	}
	count := len(roots)
	if len(page.After) == 1 {
		roots = slices.DeleteFunc(roots, func(r root) bool { return r.id <= page.After[0] })
	}
	roots, next := paging.Cut(roots[:min(len(roots), page.Size()+1)], page.Size(), func(r root) []string {
		return []string{r.id}
	})
	installations := make([]Installation, len(roots))
	for i, r := range roots {
		if installations[i], err = s.installation(r); err != nil {
			return paging.Page[Installation]{}, err
		}
	}
	return paging.Page[Installation]{Items: installations, Count: count, Next: next}, nil
}

// InOrganization returns a page of what is installed in an organization, by the name of the integration.
func (s *Service) InOrganization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	search string, page paging.Request) (paging.Page[Installed], error) {
	return s.installedIn(ctx, caller, organizationID, access.ListInstallations, Filter{Search: search}, page)
}

// StatusesInOrganization is InOrganization for everybody who may list integrations; target leaves out what is not for
// spaces or sites. Only integrations and statuses of the result are for such callers.
func (s *Service) StatusesInOrganization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	target Target, page paging.Request) (paging.Page[Installed], error) {
	return s.installedIn(ctx, caller, organizationID, access.ListIntegrations, Filter{fits: target}, page)
}

func (s *Service) installedIn(ctx context.Context, caller account.Caller, organizationID id.Organization,
	action access.OrganizationAction, filter Filter, page paging.Request) (paging.Page[Installed], error) {
	if _, err := access.RequireOrganization(ctx, s.deps.DB.Read(), caller, organizationID, action); err != nil {
		return paging.Page[Installed]{}, err
	}
	filter.within = place{organization: organizationID}
	integrations, err := list(ctx, s.deps.DB.Read(), caller, filter, page)
	if err != nil {
		return paging.Page[Installed]{}, err
	}
	roots, err := rootsIn(ctx, s.deps.DB.Read(), organizationID)
	if err != nil {
		return paging.Page[Installed]{}, err
	}
	installed := make([]Installed, 0, len(integrations.Items))
	for _, each := range integrations.Items {
		r, ok := roots[each.ID]
		if !ok {
			continue // removed since the list was read
		}
		installation, err := s.installation(r)
		if err != nil {
			return paging.Page[Installed]{}, err
		}
		installed = append(installed, Installed{each, installation})
	}
	return paging.WithItems(integrations, installed), nil
}

// StatusIn returns the status of an integration in an organization; errs.NotFound when it is not installed there.
func (s *Service) StatusIn(ctx context.Context, caller account.Caller, organizationID id.Organization,
	name string) (Status, error) {
	if _, err := access.RequireOrganization(ctx, s.deps.DB.Read(), caller, organizationID,
		access.ListIntegrations); err != nil {
		return "", err
	}
	found, err := s.Get(ctx, caller, name)
	if err != nil {
		return "", err
	}
	roots, err := rootsIn(ctx, s.deps.DB.Read(), organizationID)
	if err != nil {
		return "", err
	}
	r, ok := roots[found.ID]
	if !ok {
		return "", errs.NotFoundf("%s is not installed in this organization.", found.Title)
	}
	installation, err := s.installation(r)
	return installation.Status, err
}

// UpdateInstallation changes an organization's installation. It is for admins.
func (s *Service) UpdateInstallation(ctx context.Context, caller account.Caller, name, installationID string,
	change Change) (Installation, error) {
	var changed Installation
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, _, err := require(ctx, q, caller, name, installationID, access.AdministerOrganization)
		if err != nil {
			return err
		}
		if caller.IsAgent() && (change.SpaceSelection.IsSet() || change.SiteSelection.IsSet()) {
			return errs.Forbiddenf("An integration does not say where it is installed; people of the organization do.")
		}
		before, err := s.installation(r)
		if err != nil {
			return err
		}
		earlier := r
		if err := r.choose(change); err != nil {
			return err
		}
		fields, err := s.apply(&r.row, r.configurations.Account, change)
		if err != nil {
			return err
		}
		if err := s.save(ctx, q, r.row); err != nil {
			return err
		}
		if r, err = rootByID(ctx, q, name, installationID); err != nil {
			return err
		}
		if changed, err = s.installation(r); err != nil {
			return err
		}
		was := before.state()
		if err := s.tellSetup(ctx, q, r, nil, "", &was, changed.state()); err != nil {
			return err
		}
		if before.Status != changed.Status || earlier.spaceSelection != r.spaceSelection ||
			earlier.siteSelection != r.siteSelection {
			if err := s.tellBelow(ctx, q, earlier, r); err != nil {
				return err
			}
		}
		return s.record(ctx, q, r.entry(caller, "integration.configure", map[string]any{"installation": r.id,
			"changed": fields}))
	})
	return changed, err
}

// choose sets the selections.
func (r *root) choose(change Change) error {
	for _, each := range []struct {
		path   string
		wanted optional.Value[Selection]
		into   *Selection
		kind   Kind
	}{{"space_selection", change.SpaceSelection, &r.spaceSelection, OnSpaces}, {"site_selection", change.SiteSelection,
		&r.siteSelection, OnSites}} {
		if !each.wanted.IsSet() {
			continue
		}
		selection := each.wanted.Or(SelectSelected)
		if err := field.OneOf(each.path, selection, SelectAll, SelectSelected); err != nil {
			return err
		}
		if selection == SelectAll && !r.fits(each.kind) {
			return errs.Invalidf(each.path, "cannot be all: this integration is not for %s", each.kind.plural())
		}
		*each.into = selection
	}
	return nil
}

// apply puts what a change says of configuration and external ids into a row, and names what was sent.
func (s *Service) apply(r *row, description *Configuration, change Change) (fields []string, err error) {
	fields = []string{}
	if change.Configuration.IsSet() {
		values := Values{}
		if data, ok := change.Configuration.Get(); ok {
			if values, err = parseValues(data); err != nil {
				return nil, err
			}
			if err := description.checkValues(values); err != nil {
				return nil, err
			}
		}
		encoded, err := json.Marshal(values)
		if err != nil {
			return nil, fmt.Errorf("encode configuration: %w", err)
		}
		if r.sealed, err = s.deps.Secrets.Seal(string(encoded), configurationPurpose(r.id)); err != nil {
			return nil, fmt.Errorf("seal configuration: %w", err)
		}
		fields = append(fields, "configuration")
	}
	if change.ExternalIDs.IsSet() {
		if r.externalIDs, err = checkExternalIDs(change.ExternalIDs.Or(nil)); err != nil {
			return nil, err
		}
		fields = append(fields, "externalIds")
	}
	if change.SpaceSelection.IsSet() {
		fields = append(fields, "space_selection")
	}
	if change.SiteSelection.IsSet() {
		fields = append(fields, "site_selection")
	}
	return fields, nil
}

func checkExternalIDs(ids []string) ([]string, error) {
	ids = unique(ids)
	if len(ids) > maxExternalIDs {
		return nil, errs.Invalidf("externalIds", "has %d ids; up to %d are accepted", len(ids), maxExternalIDs)
	}
	for i, each := range ids {
		var err error
		if ids[i], err = field.Text(fmt.Sprintf("externalIds[%d]", i), each, 1, maxExternalID); err != nil {
			return nil, err
		}
	}
	return unique(ids), nil
}

// configurationPurpose is what the configuration of an installation is sealed for.
func configurationPurpose(installationID string) string {
	return "integration.configuration/" + installationID
}

// save writes a row that was changed.
func (s *Service) save(ctx context.Context, q db.Querier, r row) error {
	r.updated = s.clock()
	return updateInstallation(ctx, q, r)
}

// Uninstall removes an installation with those of its spaces and sites. It is for admins.
func (s *Service) Uninstall(ctx context.Context, caller account.Caller, name, installationID string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, _, err := require(ctx, q, caller, name, installationID, access.AdministerOrganization)
		if err == nil && caller.IsAgent() {
			err = errs.Forbiddenf("An integration does not uninstall itself; an admin of the organization does.")
		}
		if err != nil {
			return err
		}
		if err := s.tellRemoved(ctx, q, r); err != nil {
			return err
		}
		if err := removeInstallation(ctx, q, r.id); err != nil {
			return err
		}
		return s.record(ctx, q, r.entry(caller, "integration.uninstall", map[string]any{"installation": r.id}))
	})
}

// entry is the record of a change of an installation.
func (r root) entry(caller account.Caller, action string, details map[string]any) audit.Entry {
	return entry(caller, r.organization, action, Integration{Name: r.integration, Title: r.title}, details)
}

// values opens the configuration of a row.
func (s *Service) values(r row) (Values, error) {
	if r.sealed == "" {
		return Values{}, nil
	}
	text, err := s.deps.Secrets.Open(r.sealed, configurationPurpose(r.id))
	if err != nil {
		return nil, fmt.Errorf("open configuration of %s: %w", r.id, err)
	}
	return parseValues([]byte(text))
}

// installation makes what callers see of an organization's installation.
func (s *Service) installation(r root) (Installation, error) {
	values, err := s.values(r.row)
	if err != nil {
		return Installation{}, err
	}
	spaces := r.selectedSpaces
	switch {
	case !r.fits(OnSpaces):
		spaces = 0
	case r.spaceSelection == SelectAll:
		spaces = r.allSpaces
	}
	return Installation{
		ID: r.id, Integration: r.integration, Organization: r.organization, Status: r.status(values),
		SpaceSelection: r.spaceSelection, SiteSelection: r.siteSelection, Spaces: spaces,
		Configuration: r.configurations.Account.withDefaults(values), ExternalIDs: r.externalIDs,
		CreatedAt: r.created, UpdatedAt: r.updated,
	}, nil
}

// status is that of an organization's installation.
func (r root) status(values Values) Status {
	switch {
	case r.visibility == Private && r.owner != r.organization:
		return Paused
	case !r.configurations.Account.complete(values):
		return Pending
	}
	return Active
}

// fits reports whether the integration is for a kind of content.
func (r root) fits(kind Kind) bool { return r.target == TargetAll || r.target == kind.target() }
