package site

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
)

// NewGroup is the input of AddGroup.
type NewGroup struct {
	Title string
	// Icon is the name of an icon; "" for none.
	Icon string
	// Sections are the ids of the sections that move into it, in this order.
	Sections []id.Section
	// Parent is the id of the group that it is in; "" for none.
	Parent id.SectionGroup
}

// AddGroup adds a menu behind everything else of its parent. It needs the role create in the organization.
func (s *Service) AddGroup(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	in NewGroup) (Group, error) {
	var err error
	if in.Title, err = field.Text("title", in.Title, 1, maxGroupTitle); err != nil {
		return Group{}, err
	}
	if in.Icon, err = checkIcon(in.Icon); err != nil {
		return Group{}, err
	}
	added := &groupRow{id: id.SectionGroup(id.New("sectiongroup")), title: in.Title, icon: in.Icon, parent: in.Parent}
	after, err := s.restructure(ctx, caller, organizationID, siteID, "site-section-group.add",
		func(_ context.Context, d *draft) error {
			d.target = audit.Target{Kind: "site-section-group", ID: string(added.id), Title: in.Title}
			return d.addGroup(added, in.Sections)
		})
	if err != nil {
		return Group{}, err
	}
	return after.group(after.layout.group(added.id)), nil
}

// addGroup puts a new group behind everything else of its parent, and sections into it.
func (l *layout) addGroup(added *groupRow, sections []id.Section) error {
	if len(l.groups) >= maxGroups {
		return errs.Conflictf("A site holds up to %d section groups; delete one first.", maxGroups)
	}
	if added.parent != "" {
		if l.group(added.parent) == nil {
			return errs.Invalidf("parent", "names no section group of this site")
		}
		if l.depth(added.parent) >= maxDepth {
			return errs.Invalidf("parent", "is in a group itself; groups nest %d levels", maxDepth)
		}
	}
	added.position = l.end(added.parent)
	l.groups = append(l.groups, added)
	last := ""
	seen := map[id.Section]bool{}
	for _, sectionID := range sections {
		section := l.section(sectionID)
		if section == nil || seen[sectionID] {
			return errs.Invalidf("sections", "names %.40q, which is no section of this site or named twice", sectionID)
		}
		seen[sectionID] = true
		last = entity.Between(last, "")
		section.group, section.position = added.id, last
	}
	l.settle()
	return nil
}

// GroupChange is the input of UpdateGroup: what is absent stays as it is.
type GroupChange struct {
	// Title may not be null.
	Title optional.Value[string]
	// A null Icon is none.
	Icon optional.Value[string]
}

// UpdateGroup changes a group. It needs the role create in the organization.
func (s *Service) UpdateGroup(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, groupID id.SectionGroup, change GroupChange) (Group, error) {
	if change.Title.IsNull() {
		return Group{}, notNull("title")
	}
	return s.inGroup(ctx, caller, organizationID, siteID, groupID, "site-section-group.change",
		func(d *draft, group *groupRow) error {
			if text, ok := change.Title.Get(); ok {
				title, err := field.Text("title", text, 1, maxGroupTitle)
				if err != nil {
					return err
				}
				noteText(d.details, "title", &group.title, title)
			}
			if change.Icon.IsSet() {
				name, _ := change.Icon.Get() // null is none
				icon, err := checkIcon(name)
				if err != nil {
					return err
				}
				noteText(d.details, "icon", &group.icon, icon)
			}
			return nil
		})
}

// inGroup changes a group of a site and returns it as the caller sees it then.
func (s *Service) inGroup(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	groupID id.SectionGroup, action string, fn func(*draft, *groupRow) error) (Group, error) {
	after, err := s.restructure(ctx, caller, organizationID, siteID, action, func(_ context.Context, d *draft) error {
		group := d.group(groupID)
		if group == nil {
			return notThere(ItemGroup)
		}
		d.details = map[string]any{}
		err := fn(d, group)
		d.target = audit.Target{Kind: "site-section-group", ID: string(group.id), Title: group.title}
		return err
	})
	if err != nil {
		return Group{}, err
	}
	return after.group(after.layout.group(groupID)), nil
}

// RemoveGroup deletes a group. What is in it takes its place. It needs the role create in the organization.
func (s *Service) RemoveGroup(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, groupID id.SectionGroup) error {
	_, err := s.restructure(ctx, caller, organizationID, siteID, "site-section-group.remove",
		func(_ context.Context, d *draft) error {
			group := d.group(groupID)
			if group == nil {
				return notThere(ItemGroup)
			}
			d.target = audit.Target{Kind: "site-section-group", ID: string(group.id), Title: group.title}
			d.removeGroup(group)
			return nil
		})
	return err
}

// AddToGroup moves a section into a group, behind what is there. One that is in it already stays where it is. It needs
// the role create in the organization.
func (s *Service) AddToGroup(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	groupID id.SectionGroup, sectionID id.Section) (Group, error) {
	return s.inGroup(ctx, caller, organizationID, siteID, groupID, "site-section-group.add-section",
		func(d *draft, group *groupRow) error {
			section := d.section(sectionID)
			if section == nil {
				return notThere(ItemSection)
			}
			d.details["section"] = sectionID
			if section.group != group.id {
				section.position, section.group = d.end(group.id), group.id
			}
			return nil
		})
}

// RemoveFromGroup moves a section out of a group, to right behind it. It needs the role create in the organization.
func (s *Service) RemoveFromGroup(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, groupID id.SectionGroup, sectionID id.Section) error {
	_, err := s.inGroup(ctx, caller, organizationID, siteID, groupID, "site-section-group.remove-section",
		func(d *draft, group *groupRow) error {
			section := d.section(sectionID)
			if section == nil || section.group != group.id {
				return notThere(ItemSection)
			}
			d.details["section"] = sectionID
			return d.move(Pointer{ItemSection, string(sectionID)}, Place{After: &Pointer{ItemGroup, string(groupID)}})
		})
	return err
}

// ListGroups returns a page of the groups of a site in its order, the outer before the inner, with the number of all
// and the keys of the next page (nil on the last).
func (s *Service) ListGroups(ctx context.Context, caller account.Caller, organizationID id.Organization, siteID id.Site,
	page paging.Request) (paging.Page[Group], error) {
	v, err := s.look(ctx, s.db.Read(), caller, organizationID, siteID)
	if err != nil {
		return paging.Page[Group]{}, err
	}
	all := make([]keyed[*groupRow], 0, len(v.layout.groups))
	for _, row := range v.layout.groups {
		all = append(all, keyed[*groupRow]{row, v.layout.groupKey(row.id)})
	}
	rows, err := cut(all, page)
	if err != nil {
		return paging.Page[Group]{}, err
	}
	var groups []Group
	for _, row := range rows.Items {
		groups = append(groups, v.group(row))
	}
	return paging.WithItems(rows, groups), nil
}
