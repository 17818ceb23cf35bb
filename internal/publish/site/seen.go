package site

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// seen is the structure of a site as one caller sees it: without the spaces that they may not read.
type seen struct {
	site    Site
	layout  *layout
	answers answers
	spaces  map[id.Space]space.Space // by id; only those that the caller may read
}

// look loads what a caller sees of a site's structure.
func (s *Service) look(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	siteID id.Site) (*seen, error) {
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return nil, err
	}
	site, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return nil, err
	}
	l, err := loadLayout(ctx, q, siteID)
	if err != nil {
		return nil, err
	}
	return s.see(ctx, q, organization, site, l)
}

// see makes what the caller sees of a layout; organization was loaded for them.
func (s *Service) see(ctx context.Context, q db.Querier, organization access.Organization, site Site,
	l *layout) (*seen, error) {
	ids := make([]id.Space, 0, len(l.spaces))
	for _, placed := range l.spaces {
		if !placed.trashed {
			ids = append(ids, placed.space)
		}
	}
	slices.Sort(ids)
	spaces, err := s.spaces.Load(ctx, q, organization, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	return &seen{site: site, layout: l, answers: l.answers(), spaces: spaces}, nil
}

// reads reports whether the caller sees what is at a place.
func (v *seen) reads(placed *placedRow) bool {
	_, ok := v.spaces[placed.space]
	return ok && !placed.trashed
}

// space makes a site space; ok is false for one that the caller does not see.
func (v *seen) space(placed *placedRow) (found SiteSpace, ok bool) {
	of, ok := v.spaces[placed.space]
	if !ok || placed.trashed {
		return SiteSpace{}, false
	}
	return SiteSpace{
		ID: placed.id, Site: v.site.ID, Section: placed.section, Path: placed.path, Title: of.Title,
		Condition: placed.condition,
		Default:   placed.id == v.answers.spaces[placed.section], Space: of, PublishedURL: below(v.site.PublishedURL,
			v.answers.address(placed)),
	}, true
}

// spacesIn are the site spaces of a section that the caller sees, in their order; those of the site itself for "".
func (v *seen) spacesIn(section id.Section) []SiteSpace {
	found := []SiteSpace{}
	for _, placed := range v.layout.in(section) {
		if space, ok := v.space(placed); ok {
			found = append(found, space)
		}
	}
	return found
}

func (v *seen) section(row *sectionRow) Section {
	return Section{
		ID: row.id, Site: v.site.ID, Group: row.group, Title: row.title, Description: row.description, Icon: row.icon,
		Path:      row.path,
		Condition: row.condition, Default: row.id == v.answers.section, Spaces: v.spacesIn(row.id),
		PublishedURL: below(v.site.PublishedURL, v.answers.sectionAddress(row.id)),
	}
}

func (v *seen) group(row *groupRow) Group {
	return Group{ID: row.id, Site: v.site.ID, Parent: row.parent, Title: row.title, Icon: row.icon,
		Children: v.nodes(row.id)}
}

// nodes are the sections and groups in a group, or at the root of the site for "".
func (v *seen) nodes(parent id.SectionGroup) []Node {
	nodes := []Node{}
	for _, it := range v.layout.siblings(parent) {
		if it.kind == ItemGroup {
			group := v.group(v.layout.group(id.SectionGroup(it.id)))
			nodes = append(nodes, Node{Group: &group})
			continue
		}
		section := v.section(v.layout.section(id.Section(it.id)))
		nodes = append(nodes, Node{Section: &section})
	}
	return nodes
}

func (v *seen) structure() Structure {
	if len(v.layout.sections) > 0 {
		return Structure{Sections: true, Nodes: v.nodes("")}
	}
	structure := Structure{Nodes: []Node{}}
	for _, space := range v.spacesIn("") {
		structure.Nodes = append(structure.Nodes, Node{Space: &space})
	}
	return structure
}
