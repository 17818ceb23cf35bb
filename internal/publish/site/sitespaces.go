package site

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// draft is a structure that is about to change, in a transaction.
type draft struct {
	*layout
	q            db.Querier
	organization access.Organization
	site         Site
	// target and details are what the audit log says of the change. Details that are empty, rather than nil, say that
	// it leaves all as it is, which the log does not have.
	target  audit.Target
	details map[string]any
}

// restructure lets fn change the structure of a site, in one transaction, and returns what the caller sees then. It
// needs the role create in the organization. Marks of defaults are put right, and addresses that spaces leave lead on.
func (s *Service) restructure(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, action string, fn func(ctx context.Context, d *draft) error) (*seen, error) {
	var after *seen
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		now := s.clock()
		if err := touchSite(ctx, q, siteID, now); err != nil {
			return err
		}
		before, err := loadLayout(ctx, q, siteID)
		if err != nil {
			return err
		}
		d := &draft{layout: before.clone(), q: q, organization: organization, site: site, target: siteTarget(site)}
		if err := fn(ctx, d); err != nil {
			return err
		}
		d.settle()
		var others []id.Space
		if site.Published {
			others = spacesOf(before, d.layout)
		}
		if err := s.showing(ctx, q, others, func() error {
			return saveLayout(ctx, q, siteID, before, d.layout, now)
		}); err != nil {
			return err
		}
		if d.details == nil || len(d.details) > 0 {
			if err := s.record(ctx, q, caller, site, action, d.target, d.details); err != nil {
				return err
			}
		}
		if site, err = s.load(ctx, q, organization, siteID); err != nil {
			return err
		}
		after, err = s.see(ctx, q, organization, site, d.layout)
		return err
	})
	return after, err
}

// record writes an entry of the audit log about a change of a site, and tells of it. What is not the site itself is
// named together with it.
func (s *Service) record(ctx context.Context, q db.Querier, caller account.Caller, site Site, action string,
	target audit.Target, details map[string]any) error {
	if err := s.changed(ctx, q, site.ID); err != nil {
		return err
	}
	if target.Kind != "site" {
		named := map[string]any{"site": site.ID}
		maps.Copy(named, details)
		details = named
	}
	return audit.Record(ctx, q, audit.Entry{
		Organization: site.Organization, Actor: caller.User.ID, Token: caller.Token.ID, Action: action, Target: target,
		Details: details,
	})
}

// AddSpace puts a space on a site, behind the others and under a path made from its title: in a section, and for "" in
// the default section, or at the root of a site without sections. The first space is the default one. It needs the role
// create in the organization and in the space.
func (s *Service) AddSpace(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	spaceID id.Space, sectionID id.Section) (SiteSpace, error) {
	var added *placedRow
	after, err := s.restructure(ctx, caller, organizationID, siteID, "site-space.add",
		func(ctx context.Context, d *draft) error {
			spaces, err := s.shareable(ctx, d.q, d.organization, []id.Space{spaceID})
			if err != nil {
				return err
			}
			section := d.answers().section
			if sectionID != "" {
				found := d.section(sectionID)
				if found == nil {
					return notThere(ItemSection)
				}
				section = found.id
			}
			if added, err = d.addSpace(section, spaces[0].ID, spaces[0].Title); err != nil {
				return err
			}
			d.target = audit.Target{Kind: "site-space", ID: string(added.id), Title: spaces[0].Title}
			d.details = map[string]any{"space": spaceID, "section": section}
			return nil
		})
	if err != nil {
		return SiteSpace{}, err
	}
	return after.mustSpace(added.id)
}

// mustSpace is a space that the caller has just worked on.
func (v *seen) mustSpace(id id.SiteSpace) (SiteSpace, error) {
	if placed := v.layout.space(id); placed != nil {
		if found, ok := v.space(placed); ok {
			return found, nil
		}
	}
	return SiteSpace{}, notThere(ItemSpace)
}

// readable is a space of a site that the caller may read; for others it is not there.
func (s *Service) readable(ctx context.Context, d *draft, siteSpaceID id.SiteSpace) (*placedRow, error) {
	placed := d.space(siteSpaceID)
	if placed == nil {
		return nil, notThere(ItemSpace)
	}
	found, err := s.spaces.Load(ctx, d.q, d.organization, []id.Space{placed.space})
	if err == nil && len(found) == 0 {
		err = notThere(ItemSpace)
	}
	return placed, err
}

// SpaceChange is the input of UpdateSpace: what is absent stays as it is.
type SpaceChange struct {
	// Path and Space (the id of another space) may not be null. A null Condition shows the space to all.
	Path      optional.Value[string]
	Space     optional.Value[id.Space]
	Condition optional.Value[string]
}

// UpdateSpace changes a space of a site: its path, its condition, or which space it shows. It needs the role create in
// the organization, and in a space that it puts there. A path that a sibling has is an errs.Conflict.
func (s *Service) UpdateSpace(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, siteSpaceID id.SiteSpace, change SpaceChange) (SiteSpace, error) {
	if change.Path.IsNull() {
		return SiteSpace{}, notNull("path")
	}
	if change.Space.IsNull() {
		return SiteSpace{}, notNull("spaceId")
	}
	if err := checkCondition(change.Condition); err != nil {
		return SiteSpace{}, err
	}
	after, err := s.restructure(ctx, caller, organizationID, siteID, "site-space.change",
		func(ctx context.Context, d *draft) error {
			placed, err := s.readable(ctx, d, siteSpaceID)
			if err != nil {
				return err
			}
			d.target, d.details = audit.Target{Kind: "site-space", ID: string(placed.id)}, map[string]any{}
			if path, ok := change.Path.Get(); ok && path != placed.path {
				if err := checkPath(path); err != nil {
					return err
				}
				if d.spacePathTaken(placed.section, path, placed.id) {
					return pathConflict(path)
				}
				d.details["path"] = map[string]any{"from": placed.path, "to": path}
				placed.path = path
			}
			if spaceID, ok := change.Space.Get(); ok && spaceID != placed.space {
				if _, err := s.shareable(ctx, d.q, d.organization, []id.Space{spaceID}); err != nil {
					return err
				}
				d.details["space"] = map[string]any{"from": placed.space, "to": spaceID}
				placed.space = spaceID
			}
			return d.setCondition(&placed.condition, change.Condition)
		})
	if err != nil {
		return SiteSpace{}, err
	}
	return after.mustSpace(siteSpaceID)
}

// setCondition changes a condition and notes it for the audit log. Conditions say who may read, so it needs the right
// to administer the site.
func (d *draft) setCondition(condition *string, change optional.Value[string]) error {
	wanted, _ := change.Get() // null is none
	if !change.IsSet() || wanted == *condition {
		return nil
	}
	if err := d.site.Permissions.Require(access.AdministerSite); err != nil {
		return err
	}
	d.details["condition"] = map[string]any{"from": *condition, "to": wanted}
	*condition = wanted
	return nil
}

// RemoveSpace takes a space off a site and leaves the space itself alone. When it was the default one, the first of its
// siblings is now. It needs the role create in the organization.
func (s *Service) RemoveSpace(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, siteSpaceID id.SiteSpace) error {
	_, err := s.restructure(ctx, caller, organizationID, siteID, "site-space.remove",
		func(ctx context.Context, d *draft) error {
			placed, err := s.readable(ctx, d, siteSpaceID)
			if err != nil {
				return err
			}
			d.target, d.details = audit.Target{Kind: "site-space", ID: string(placed.id)},
				map[string]any{"space": placed.space}
			d.spaces = slices.DeleteFunc(d.spaces, func(p *placedRow) bool { return p == placed })
			return nil
		})
	return err
}

// ListSpaces returns a page of the spaces on a site that the caller may read, in the order of the site and without
// those in the trash, with the number of all under the same filter and the keys of the next page (nil on the last).
// onlyDefault asks for the space at the site's own address or for the others; absent for all.
func (s *Service) ListSpaces(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	onlyDefault optional.Value[bool], page paging.Request) (paging.Page[SiteSpace], error) {
	v, err := s.look(ctx, s.db.Read(), caller, organizationID, siteID)
	if err != nil {
		return paging.Page[SiteSpace]{}, err
	}
	var all []keyed[SiteSpace]
	for _, placed := range v.layout.spaces {
		found, ok := v.space(placed)
		if wanted, asked := onlyDefault.Get(); !ok || asked && wanted != (placed.id == v.answers.root()) {
			continue
		}
		key := []string{placed.position, string(placed.id)}
		if section := v.layout.section(placed.section); section != nil {
			key = append(v.layout.sectionKey(section), key...)
		}
		all = append(all, keyed[SiteSpace]{found, key})
	}
	return cut(all, page)
}

// keyed is an item of a list with the key that it is sorted by.
type keyed[T any] struct {
	item T
	key  []string
}

// cut returns a page of a list that is in memory as a whole: structures are small.
func cut[T any](all []keyed[T], page paging.Request) (paging.Page[T], error) {
	list := paging.Page[keyed[T]]{Items: all, Count: len(all)}
	if page.After != nil {
		if len(page.After) == 0 || len(page.After)%2 != 0 {
			return paging.Page[T]{}, errs.Invalidf("query.page",
				"is not a cursor of this list; leave it out to start from the beginning")
		}
		list.Items = slices.DeleteFunc(slices.Clone(all), func(k keyed[T]) bool {
			return slices.Compare(k.key, page.After) <= 0
		})
	}
	list.Cut(page.Size(), func(k keyed[T]) []string { return k.key })
	var items []T
	for _, k := range list.Items {
		items = append(items, k.item)
	}
	return paging.WithItems(list, items), nil
}

// Profile is what a site's visitors get, as a member of its organization sees it.
type Profile struct {
	Site      Site
	Structure Structure
	// Customization is that of the site; SpaceCustomizations hold that of each space on it, by SiteSpace.ID.
	Customization       customization.Customization
	SpaceCustomizations map[id.SiteSpace]customization.Customization
	// Scripts are those that integrations put on the site.
	Scripts []Script
}

// Published returns the profile of a published site. Spaces that the caller may not read are left out. errs.NotFound
// for a site that is not published: what it will be is to be read in its structure and customization.
func (s *Service) Published(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Profile, error) {
	v, err := s.look(ctx, s.db.Read(), caller, organizationID, siteID)
	if err != nil {
		return Profile{}, err
	}
	if !v.site.Published {
		return Profile{}, errs.NotFoundf("The site is not published, so that it has no published content. Publish " +
			"it, or read its structure and its customization.")
	}
	kept, err := customization.Load(ctx, s.db.Read(), siteID)
	if err != nil {
		return Profile{}, err
	}
	profile := Profile{Site: v.site, Structure: v.structure(), Customization: kept.Customization,
		SpaceCustomizations: map[id.SiteSpace]customization.Customization{}}
	if profile.Customization.Title == "" {
		profile.Customization.Title = v.site.Title
	}
	if profile.Scripts, _, err = s.scriptsOf(ctx, siteID); err != nil {
		return Profile{}, err
	}
	for _, placed := range v.layout.spaces {
		if _, ok := v.space(placed); !ok {
			continue
		}
		if profile.SpaceCustomizations[placed.id],
			err = profile.Customization.With(kept.Overrides[placed.id].Values); err != nil {
			return Profile{}, err
		}
	}
	return profile, nil
}

// Structure returns all that is on a site in its order. Spaces that the caller may not read are left out.
func (s *Service) Structure(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (Structure, error) {
	v, err := s.look(ctx, s.db.Read(), caller, organizationID, siteID)
	if err != nil {
		return Structure{}, err
	}
	return v.structure(), nil
}

// Sort moves a thing of a site's structure to a place and returns it. It needs the role create in the organization.
func (s *Service) Sort(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	moved Pointer, place Place) (Node, error) {
	after, err := s.restructure(ctx, caller, organizationID, siteID, "site.sort",
		func(ctx context.Context, d *draft) error {
			if moved.Kind == ItemSpace {
				if _, err := s.readable(ctx, d, id.SiteSpace(moved.ID)); err != nil {
					return err
				}
			}
			d.details = map[string]any{"moved": map[string]any{"kind": moved.Kind, "id": moved.ID}}
			return d.move(moved, place)
		})
	if err != nil {
		return Node{}, err
	}
	switch moved.Kind {
	case ItemSection:
		section := after.section(after.layout.section(id.Section(moved.ID)))
		return Node{Section: &section}, nil
	case ItemGroup:
		group := after.group(after.layout.group(id.SectionGroup(moved.ID)))
		return Node{Group: &group}, nil
	}
	found, err := after.mustSpace(id.SiteSpace(moved.ID))
	return Node{Space: &found}, err
}

// placeAll puts spaces on a site that has just been made.
func (s *Service) placeAll(ctx context.Context, q db.Querier, siteID id.Site, spaces []space.Space) error {
	l := &layout{}
	for _, space := range spaces {
		if _, err := l.addSpace("", space.ID, space.Title); err != nil {
			return err
		}
	}
	return saveLayout(ctx, q, siteID, &layout{}, l, s.clock())
}

func notNull(name string) error {
	return errs.Invalidf(name, "may not be null; leave it out to keep it as it is")
}

func pathConflict(path string) error {
	return errs.Conflictf("The path %.40q is taken on this site; choose another one.", path)
}

// OnSite returns the id of one of the spaces that is on a site, published or not, and "" when none is. It checks no
// access and runs in the caller's transaction.
func OnSite(ctx context.Context, q db.Querier, spaceIDs []id.Space) (id.Space, error) {
	const batch = 1000
	for len(spaceIDs) > 0 {
		n := min(len(spaceIDs), batch)
		args := make([]any, n)
		for i, spaceID := range spaceIDs[:n] {
			args[i] = spaceID
		}
		var found sql.Null[id.Space]
		err := q.QueryRowContext(ctx, `SELECT MIN(space_id) FROM site_space WHERE space_id IN (`+db.Placeholders(1, n)+
			`)`, args...).Scan(&found)
		if err != nil {
			return "", fmt.Errorf("look for sites of spaces: %w", err)
		}
		if found.Valid {
			return found.V, nil
		}
		spaceIDs = spaceIDs[n:]
	}
	return "", nil
}
