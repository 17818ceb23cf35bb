package site

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// NewSection is the input of AddSection.
type NewSection struct {
	// Space is the id of its first space.
	Space id.Space
	// Title is that of the space when empty.
	Title string
	// Icon is the name of an icon; "" for none.
	Icon string
}

// AddedSection is a section that was just added.
type AddedSection struct {
	Section
	// Moved is the section that the spaces at the root of the site have moved into, nil when nothing was there: one
	// that was made of them, or the added one itself.
	Moved *Section
}

// AddSection adds a section behind everything else, under a path made from its title. Before the first one, what is at
// the root of the site becomes a section of its own, the default one, so that it stays at its addresses; a section for
// a space that is there already is that section. It needs the role create in the organization and in the space.
func (s *Service) AddSection(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	in NewSection) (AddedSection, error) {
	if in.Title != "" {
		var err error
		if in.Title, err = field.Text("title", in.Title, customization.MinTitle, customization.MaxTitle); err != nil {
			return AddedSection{}, err
		}
	}
	icon, err := checkIcon(in.Icon)
	if err != nil {
		return AddedSection{}, err
	}
	var added, moved *sectionRow
	after, err := s.restructure(ctx, caller, organizationID, siteID, "site-section.add",
		func(ctx context.Context, d *draft) error {
			spaces, err := s.shareable(ctx, d.q, d.organization, []id.Space{in.Space})
			if err != nil {
				return err
			}
			title := in.Title
			if title == "" {
				title = titleFrom(spaces[0].Title)
			}
			root, there := d.atRoot(spaces[0].ID)
			if root && !there {
				of, err := s.titleOfRoot(ctx, d)
				if err != nil {
					return err
				}
				if moved, err = d.addSection(of, ""); err != nil {
					return err
				}
			}
			if added, err = d.addSection(title, icon); err != nil {
				return err
			}
			if there {
				moved = added
			} else if _, err := d.addSpace(added.id, spaces[0].ID, spaces[0].Title); err != nil {
				return err
			}
			d.target, d.details = audit.Target{Kind: "site-section", ID: string(added.id), Title: title},
				map[string]any{"space": in.Space}
			if moved != nil {
				d.details["moved"] = moved.id
			}
			return nil
		})
	if err != nil {
		return AddedSection{}, err
	}
	result := AddedSection{}
	if result.Section, err = after.mustSection(added.id); err == nil && moved != nil {
		var into Section
		into, err = after.mustSection(moved.id)
		result.Moved = &into
	}
	return result, err
}

// atRoot reports whether readers see spaces at the root of a site, and whether a space is one of them.
func (l *layout) atRoot(spaceID id.Space) (some, there bool) {
	if len(l.sections) > 0 {
		return false, false
	}
	for _, placed := range l.in("") {
		if !placed.trashed {
			some, there = true, there || placed.space == spaceID
		}
	}
	return some, there
}

// titleOfRoot is what the section of the spaces at the root of a site is called: as the one that answers at its
// address, or as the site for who may not read that.
func (s *Service) titleOfRoot(ctx context.Context, d *draft) (string, error) {
	v, err := s.see(ctx, d.q, d.organization, d.site, d.layout)
	if err != nil {
		return "", err
	}
	for _, space := range v.spacesIn("") {
		if space.Default {
			return titleFrom(space.Title), nil
		}
	}
	return titleFrom(d.site.Title), nil
}

// mustSection is a section that the caller has just worked on.
func (v *seen) mustSection(id id.Section) (Section, error) {
	row := v.layout.section(id)
	if row == nil {
		return Section{}, notThere(ItemSection)
	}
	return v.section(row), nil
}

// SectionChange is the input of UpdateSection: what is absent stays as it is.
type SectionChange struct {
	// Title, Path and DefaultSpace (the id of a space in the section) may not be null.
	Title        optional.Value[string]
	Path         optional.Value[string]
	DefaultSpace optional.Value[string]
	// A null Condition shows the section to all; a null Icon or Description is none.
	Condition   optional.Value[string]
	Icon        optional.Value[string]
	Description optional.Value[string]
}

// UpdateSection changes a section. It needs the role create in the organization. A path that another section has, or a
// space of another section, is an errs.Conflict.
func (s *Service) UpdateSection(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, sectionID id.Section, change SectionChange) (Section, error) {
	if err := change.checkNulls(); err != nil {
		return Section{}, err
	}
	if text, ok := change.Condition.Get(); ok && text == "" {
		change.Condition = optional.Null[string]()
	}
	if err := checkCondition(change.Condition); err != nil {
		return Section{}, err
	}
	after, err := s.restructure(ctx, caller, organizationID, siteID, "site-section.change",
		func(_ context.Context, d *draft) error {
			section := d.section(sectionID)
			if section == nil {
				return notThere(ItemSection)
			}
			d.details = map[string]any{}
			if err := change.apply(d.layout, section, d.details); err != nil {
				return err
			}
			if err := d.setCondition(&section.condition, change.Condition); err != nil {
				return err
			}
			d.target = audit.Target{Kind: "site-section", ID: string(section.id), Title: section.title}
			return nil
		})
	if err != nil {
		return Section{}, err
	}
	return after.mustSection(sectionID)
}

func (c SectionChange) checkNulls() error {
	for _, each := range []struct {
		name  string
		value optional.Value[string]
	}{{"title", c.Title}, {"path", c.Path}, {"defaultSiteSpace", c.DefaultSpace}} {
		if each.value.IsNull() {
			return notNull(each.name)
		}
	}
	return nil
}

// apply changes a section of a layout and notes what for the audit log.
func (c SectionChange) apply(l *layout, section *sectionRow, details map[string]any) error {
	if text, ok := c.Title.Get(); ok {
		title, err := field.Text("title", text, customization.MinTitle, customization.MaxTitle)
		if err != nil {
			return err
		}
		noteText(details, "title", &section.title, title)
	}
	if path, ok := c.Path.Get(); ok && path != section.path {
		if err := checkPath(path); err != nil {
			return err
		}
		if l.sectionPathTaken(path, section.id) {
			return pathConflict(path)
		}
		noteText(details, "path", &section.path, path)
	}
	if c.Icon.IsSet() {
		name, _ := c.Icon.Get() // null is none
		icon, err := checkIcon(name)
		if err != nil {
			return err
		}
		noteText(details, "icon", &section.icon, icon)
	}
	if c.Description.IsSet() {
		text, _ := c.Description.Get() // null is none
		description, err := field.Text("description", text, 0, maxDescription)
		if err != nil {
			return err
		}
		noteText(details, "description", &section.description, description)
	}
	if spaceID, ok := c.DefaultSpace.Get(); ok {
		space := l.space(id.SiteSpace(spaceID))
		if space == nil || space.trashed || space.section != section.id {
			return notThere(ItemSpace)
		}
		details["defaultSiteSpace"] = spaceID
		l.mark(space)
	}
	return nil
}

// noteText changes a text and notes it for the audit log.
func noteText(details map[string]any, name string, text *string, wanted string) {
	if *text != wanted {
		details[name] = map[string]any{"from": *text, "to": wanted}
		*text = wanted
	}
}

// RemoveSection deletes a section and takes its spaces off the site; those of the last section stay at its root. When
// it was the default section, the first of those left is now. It returns those that the site does not show any more, as
// they were, without the ones that the caller may not read. It needs the role create in the organization.
func (s *Service) RemoveSection(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, sectionID id.Section) (left []SiteSpace, err error) {
	_, err = s.restructure(ctx, caller, organizationID, siteID, "site-section.remove",
		func(ctx context.Context, d *draft) error {
			section := d.section(sectionID)
			if section == nil {
				return notThere(ItemSection)
			}
			d.target = audit.Target{Kind: "site-section", ID: string(section.id), Title: section.title}
			before, err := s.see(ctx, d.q, d.organization, d.site, d.layout)
			if err != nil {
				return err
			}
			left = before.spacesIn(section.id)
			d.removeSection(section)
			left = slices.DeleteFunc(left, func(gone SiteSpace) bool {
				return slices.ContainsFunc(d.spaces, func(placed *placedRow) bool {
					return placed.space == gone.Space.ID
				})
			})
			spaces := []id.Space{}
			for _, gone := range left {
				spaces = append(spaces, gone.Space.ID)
			}
			d.details = map[string]any{"spaces": spaces}
			return nil
		})
	return left, err
}

// ListSections returns a page of the sections of a site in its order, with the number of all and the keys of the next
// page (nil on the last). Spaces that the caller may not read are left out of them.
func (s *Service) ListSections(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, page paging.Request) (paging.Page[Section], error) {
	v, err := s.look(ctx, s.db.Read(), caller, organizationID, siteID)
	if err != nil {
		return paging.Page[Section]{}, err
	}
	all := make([]keyed[*sectionRow], 0, len(v.layout.sections))
	for _, row := range v.layout.sections {
		all = append(all, keyed[*sectionRow]{row, v.layout.sectionKey(row)})
	}
	rows, err := cut(all, page)
	if err != nil {
		return paging.Page[Section]{}, err
	}
	var sections []Section
	for _, row := range rows.Items {
		sections = append(sections, v.section(row))
	}
	return paging.WithItems(rows, sections), nil
}
