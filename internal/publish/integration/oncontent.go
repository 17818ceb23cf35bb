package integration

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Kind is the kind of content that an integration is installed on: spaces or sites. Both work alike.
type Kind string

// Kinds.
const (
	OnSpaces Kind = "space"
	OnSites  Kind = "site"
)

func (k Kind) target() Target {
	if k == OnSpaces {
		return TargetSpace
	}
	return TargetSite
}

func (k Kind) plural() string { return string(k) + "s" }

// ContentInstallation is an integration on a space or a site, below the installation of the organization.
type ContentInstallation struct {
	// Integration is the name of the integration, Installation the id of the organization's installation.
	Integration  string
	Installation string
	Organization id.Organization
	// Content is the id of the space or site.
	Content string
	Status  Status
	// Configuration has the defaults of the integration for what nobody has configured.
	Configuration Values
	ExternalIDs   []string
}

func (c ContentInstallation) state() state { return state{c.Status, c.Configuration} }

// InstallOn installs an integration on a space or site. It is for those who may integrate there: creators of the space,
// or those who manage sites. A second time is an errs.Conflict.
func (s *Service) InstallOn(ctx context.Context, caller account.Caller, name, installationID string, kind Kind,
	contentID string) (ContentInstallation, error) {
	var installed ContentInstallation
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.integrate(ctx, q, caller, name, installationID, kind, contentID)
		if err == nil && caller.IsAgent() {
			err = errs.Forbiddenf("An integration does not say where it is installed; people of the organization do.")
		}
		if err != nil {
			return err
		}
		if !r.fits(kind) {
			return errs.Conflictf("%s is not for %s.", r.title, kind.plural())
		}
		below := r.below(kind, contentID, s.clock())
		added, err := insertInstallation(ctx, q, r.integrationID, below)
		if err != nil {
			return err
		}
		if !added {
			return errs.Conflictf("%s is installed on this %s already.", r.title, kind)
		}
		if installed, err = s.onContent(r, kind, contentID, below); err != nil {
			return err
		}
		if err := s.tellSetup(ctx, q, r, &installed, kind, nil, installed.state()); err != nil {
			return err
		}
		return s.record(ctx, q, r.entry(caller, "integration.install", map[string]any{"installation": r.id,
			string(kind): contentID}))
	})
	return installed, err
}

// integrate returns the installation if the caller may integrate on a space or site of its organization.
func (s *Service) integrate(ctx context.Context, q db.Querier, caller account.Caller, name, installationID string,
	kind Kind, contentID string) (root, error) {
	r, organization, err := load(ctx, q, caller, name, installationID)
	if err != nil {
		return root{}, err
	}
	if caller.IsAgent() {
		return r, nil // what it is installed on is looked for by who calls this
	}
	if kind == OnSites {
		if err := organization.Require(access.CreateContent); err != nil {
			return root{}, err
		}
		there, err := siteIn(ctx, q, r.organization, id.Site(contentID))
		if err == nil && !there {
			err = errs.NotFoundf("There is no such site in the organization that has installed the integration.")
		}
		if err != nil {
			return root{}, err
		}
		permissions, err := access.PermissionsInSites(ctx, q, organization, []id.Site{id.Site(contentID)})
		if err == nil {
			err = permissions[id.Site(contentID)].Require(access.IntegrateSite)
		}
		return r, err
	}
	space, err := access.LoadSpace(ctx, q, caller, id.Space(contentID))
	if err == nil && space.Organization != r.organization {
		err = errs.NotFoundf("There is no such space in the organization that has installed the integration.")
	}
	if err == nil {
		err = space.Require(access.IntegrateSpace)
	}
	return r, err
}

// OnContent returns the installation on a space or site; errs.NotFound when it is not installed there.
func (s *Service) OnContent(ctx context.Context, caller account.Caller, name, installationID string, kind Kind,
	contentID string) (ContentInstallation, error) {
	q := s.deps.DB.Read()
	r, err := s.integrate(ctx, q, caller, name, installationID, kind, contentID)
	if err != nil {
		return ContentInstallation{}, err
	}
	below, _, err := s.installedRow(ctx, q, r, kind, contentID)
	if err != nil {
		return ContentInstallation{}, err
	}
	return s.onContent(r, kind, contentID, below)
}

// installedRow returns the row of a space or site, and whether it is kept: with all spaces or sites selected, each has
// one that is kept once something is configured.
func (s *Service) installedRow(ctx context.Context, q db.Querier, r root, kind Kind,
	contentID string) (below row, kept bool, err error) {
	below, kept, err = contentRow(ctx, q, r.id, kind, contentID)
	if err != nil || kept {
		return below, kept, err
	}
	if r.selection(kind) == SelectAll && r.fits(kind) {
		there, err := contentIn(ctx, q, r.organization, kind, contentID)
		if err != nil {
			return row{}, false, err
		}
		if there {
			return r.below(kind, contentID, s.clock()), false, nil
		}
	}
	return row{}, false, errs.NotFoundf("%s is not installed on this %s.", r.title, kind)
}

func (r root) selection(kind Kind) Selection {
	if kind == OnSpaces {
		return r.spaceSelection
	}
	return r.siteSelection
}

// UpdateOn changes the installation on a space or site; the selections of a change say nothing here.
func (s *Service) UpdateOn(ctx context.Context, caller account.Caller, name, installationID string, kind Kind,
	contentID string, change Change) (ContentInstallation, error) {
	change.SpaceSelection, change.SiteSelection = optional.Value[Selection]{}, optional.Value[Selection]{}
	var changed ContentInstallation
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.integrate(ctx, q, caller, name, installationID, kind, contentID)
		if err != nil {
			return err
		}
		below, kept, err := s.installedRow(ctx, q, r, kind, contentID)
		if err != nil {
			return err
		}
		if !kept {
			if _, err := insertInstallation(ctx, q, r.integrationID, below); err != nil {
				return err
			}
		}
		before, err := s.onContent(r, kind, contentID, below)
		if err != nil {
			return err
		}
		fields, err := s.apply(&below, r.description(kind), change)
		if err != nil {
			return err
		}
		if err := s.save(ctx, q, below); err != nil {
			return err
		}
		if changed, err = s.onContent(r, kind, contentID, below); err != nil {
			return err
		}
		was := before.state()
		if err := s.tellSetup(ctx, q, r, &changed, kind, &was, changed.state()); err != nil {
			return err
		}
		return s.record(ctx, q, r.entry(caller, "integration.configure", map[string]any{
			"installation": r.id, string(kind): contentID, "changed": fields,
		}))
	})
	return changed, err
}

// UninstallFrom removes the installation from a space or site.
func (s *Service) UninstallFrom(ctx context.Context, caller account.Caller, name, installationID string, kind Kind,
	contentID string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.integrate(ctx, q, caller, name, installationID, kind, contentID)
		if err != nil {
			return err
		}
		below, kept, err := s.installedRow(ctx, q, r, kind, contentID)
		if err == nil && caller.IsAgent() {
			err = errs.Forbiddenf("An integration does not uninstall itself; people of the organization do.")
		}
		if err != nil {
			return err
		}
		if r.selection(kind) == SelectAll {
			return errs.Conflictf("The installation takes in all %s. Set %s_selection to selected first.",
				kind.plural(), kind)
		}
		if kept {
			if err := s.tellRemovedFrom(ctx, q, r, kind, contentID, below, false); err != nil {
				return err
			}
			if err := removeInstallation(ctx, q, below.id); err != nil {
				return err
			}
		}
		return s.record(ctx, q, r.entry(caller, "integration.uninstall", map[string]any{"installation": r.id,
			string(kind): contentID}))
	})
}

// ContentOf returns a page of the spaces or sites that an installation takes in, by their id. Spaces that the caller
// may not read are left out.
func (s *Service) ContentOf(ctx context.Context, caller account.Caller, name, installationID string, kind Kind,
	page paging.Request) (paging.Page[ContentInstallation], error) {
	r, organization, err := require(ctx, s.deps.DB.Read(), caller, name, installationID, access.ListInstallations)
	if err != nil {
		return paging.Page[ContentInstallation]{}, err
	}
	after := ""
	if len(page.After) == 1 {
		after = page.After[0]
	}
	wanted := contentQuery{root: r, kind: kind, organization: organization, agent: caller.IsAgent()}
	count, err := wanted.count(ctx, s.deps.DB.Read())
	if err != nil {
		return paging.Page[ContentInstallation]{}, err
	}
	found, err := s.page(ctx, wanted, after, page.Size()+1)
	if err != nil {
		return paging.Page[ContentInstallation]{}, err
	}
	list := paging.Page[ContentInstallation]{Items: found, Count: count}
	list.Cut(page.Size(), func(c ContentInstallation) []string { return []string{c.Content} })
	return list, nil
}

// ContentOfAll is ContentOf for all installations of an integration that the caller may list, one after the other.
func (s *Service) ContentOfAll(ctx context.Context, caller account.Caller, name string, kind Kind, externalID string,
	page paging.Request) (paging.Page[ContentInstallation], error) {
	found, err := s.Get(ctx, caller, name)
	if err != nil {
		return paging.Page[ContentInstallation]{}, err
	}
	roots, err := rootsOf(ctx, s.deps.DB.Read(), caller, found.ID, "")
	if err != nil {
		return paging.Page[ContentInstallation]{}, err
	}
	var all []ContentInstallation
	total := 0
	for _, r := range roots {
		_, organization, err := load(ctx, s.deps.DB.Read(), caller, name, r.id)
		if err != nil {
			return paging.Page[ContentInstallation]{}, err
		}
		wanted := contentQuery{root: r, kind: kind, organization: organization, agent: caller.IsAgent(),
			externalID: externalID}
		count, err := wanted.count(ctx, s.deps.DB.Read())
		if err != nil {
			return paging.Page[ContentInstallation]{}, err
		}
		total += count
		after := ""
		if len(page.After) == 2 {
			if r.id < page.After[0] {
				continue
			}
			if r.id == page.After[0] {
				after = page.After[1]
			}
		}
		if left := page.Size() + 1 - len(all); left > 0 {
			more, err := s.page(ctx, wanted, after, left)
			if err != nil {
				return paging.Page[ContentInstallation]{}, err
			}
			all = append(all, more...)
		}
	}
	list := paging.Page[ContentInstallation]{Items: all, Count: total}
	list.Cut(page.Size(), func(c ContentInstallation) []string { return []string{c.Installation, c.Content} })
	return list, nil
}

func (s *Service) page(ctx context.Context, wanted contentQuery, after string,
	limit int) ([]ContentInstallation, error) {
	rows, err := wanted.rows(ctx, s.deps.DB.Read(), after, limit)
	if err != nil {
		return nil, err
	}
	found := make([]ContentInstallation, len(rows))
	for i, each := range rows {
		if found[i], err = s.onContent(wanted.root, wanted.kind, each.content, each.row); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// description is what can be configured for a kind of content.
func (r root) description(kind Kind) *Configuration {
	if kind == OnSpaces {
		return r.configurations.Space
	}
	return r.configurations.Site
}

// onContent makes what callers see of an installation on a space or site.
func (s *Service) onContent(r root, kind Kind, contentID string, below row) (ContentInstallation, error) {
	values, err := s.values(below)
	if err != nil {
		return ContentInstallation{}, err
	}
	status, err := s.contentStatus(r, kind, values)
	if err != nil {
		return ContentInstallation{}, err
	}
	return ContentInstallation{
		Integration: r.integration, Installation: r.id, Organization: r.organization, Content: contentID,
		Status:        status,
		Configuration: r.description(kind).withDefaults(values), ExternalIDs: below.externalIDs,
	}, nil
}

// contentStatus is that of an installation on content with the given values: it works when the organization's does.
func (s *Service) contentStatus(r root, kind Kind, values Values) (Status, error) {
	if !r.fits(kind) {
		return Paused, nil
	}
	own, err := s.values(r.row)
	if err != nil {
		return "", err
	}
	if status := r.status(own); status != Active {
		return status, nil
	}
	if !r.description(kind).complete(values) {
		return Pending, nil
	}
	return Active, nil
}

// newID makes the id of an installation.
func newID() string { return id.New("installation") }
