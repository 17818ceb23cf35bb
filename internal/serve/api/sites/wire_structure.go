package sites

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/publish/site"
)

// SiteSection is a part of a site with variants of its own.
type SiteSection struct {
	Object       string          `json:"object" enum:"site-section"`
	ID           id.Section      `json:"id"`
	Title        string          `json:"title"`
	Description  string          `json:"description,omitempty"`
	Default      bool            `json:"default"`
	Draft        bool            `json:"draft"`
	Path         string          `json:"path"`
	Condition    string          `json:"condition,omitempty"`
	SectionGroup id.SectionGroup `json:"sectionGroup,omitempty"`
	SiteSpaces   []SiteSpace     `json:"siteSpaces"`
	URLs         SpacePlace      `json:"urls"`
	Icon         string          `json:"icon,omitempty"`
}

// SiteSectionGroup is a menu of sections and groups.
type SiteSectionGroup struct {
	Object string          `json:"object" enum:"site-section-group"`
	ID     id.SectionGroup `json:"id"`
	Title  string          `json:"title"`
	Draft  bool            `json:"draft"`
	// Sections are those of Children that are sections.
	Sections     []SiteSection   `json:"sections"`
	SectionGroup id.SectionGroup `json:"sectionGroup,omitempty"`
	Children     []StructureItem `json:"children"`
	Icon         string          `json:"icon,omitempty"`
}

// SpacePlace is the address of a section or a space on a site.
type SpacePlace struct {
	Published string `json:"published,omitempty" format:"uri"`
}

// StructureItem is a SiteSpace, a SiteSection or a SiteSectionGroup.
type StructureItem struct{ value any }

// MarshalJSON writes the item as what it is.
func (i StructureItem) MarshalJSON() ([]byte, error) { return json.Marshal(i.value) }

// Schema describes the union.
func (StructureItem) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		r.Schema(reflect.TypeFor[SiteSpace](), true, ""),
		r.Schema(reflect.TypeFor[SiteSection](), true, ""),
		r.Schema(reflect.TypeFor[SiteSectionGroup](), true, ""),
	}}
}

// SiteStructure lists what is on a site, in order: spaces, or sections and their groups.
type SiteStructure struct {
	Type      string          `json:"type" enum:"siteSpaces,sections"`
	Structure []StructureItem `json:"structure"`
}

// structureWriter turns what is on a site into its wire form. Spaces are loaded once for all.
type structureWriter struct {
	spaces map[id.SiteSpace]SiteSpace // by SiteSpace.ID
}

// structureWriter loads the wire form of all spaces in some parts of a structure.
func (h *Handlers) structureWriter(ctx context.Context, nodes ...site.Node) (structureWriter, error) {
	var all []site.SiteSpace
	var collect func(nodes []site.Node)
	collect = func(nodes []site.Node) {
		for _, node := range nodes {
			switch {
			case node.Space != nil:
				all = append(all, *node.Space)
			case node.Section != nil:
				all = append(all, node.Section.Spaces...)
			case node.Group != nil:
				collect(node.Group.Children)
			}
		}
	}
	collect(nodes)
	wire, err := h.wireSiteSpaces(ctx, all)
	if err != nil {
		return structureWriter{}, err
	}
	w := structureWriter{spaces: make(map[id.SiteSpace]SiteSpace, len(wire))}
	for _, space := range wire {
		w.spaces[space.ID] = space
	}
	return w, nil
}

func (w structureWriter) section(s site.Section) SiteSection {
	wire := SiteSection{
		Object: "site-section", ID: s.ID, Title: s.Title, Description: s.Description, Default: s.Default, Path: s.Path,
		Condition: s.Condition, SectionGroup: s.Group, SiteSpaces: []SiteSpace{}, URLs: SpacePlace{s.PublishedURL},
		Icon: s.Icon,
	}
	for _, space := range s.Spaces {
		wire.SiteSpaces = append(wire.SiteSpaces, w.spaces[space.ID])
	}
	return wire
}

func (w structureWriter) group(g site.Group) SiteSectionGroup {
	wire := SiteSectionGroup{
		Object: "site-section-group", ID: g.ID, Title: g.Title, Sections: []SiteSection{}, SectionGroup: g.Parent,
		Children: w.items(g.Children), Icon: g.Icon,
	}
	for _, child := range g.Children {
		if child.Section != nil {
			wire.Sections = append(wire.Sections, w.section(*child.Section))
		}
	}
	return wire
}

func (w structureWriter) items(nodes []site.Node) []StructureItem {
	items := make([]StructureItem, 0, len(nodes))
	for _, node := range nodes {
		items = append(items, w.item(node))
	}
	return items
}

func (w structureWriter) item(node site.Node) StructureItem {
	switch {
	case node.Space != nil:
		return StructureItem{w.spaces[node.Space.ID]}
	case node.Group != nil:
		return StructureItem{w.group(*node.Group)}
	}
	return StructureItem{w.section(*node.Section)}
}

// wireStructure turns a whole structure into its wire form.
func (h *Handlers) wireStructure(ctx context.Context, s site.Structure) (SiteStructure, error) {
	w, err := h.structureWriter(ctx, s.Nodes...)
	if err != nil {
		return SiteStructure{}, err
	}
	wire := SiteStructure{Type: "siteSpaces", Structure: w.items(s.Nodes)}
	if s.Sections {
		wire.Type = "sections"
	}
	return wire, nil
}

// wireSiteSpaces turns the spaces of a site into their wire form.
func (h *Handlers) wireSiteSpaces(ctx context.Context, siteSpaces []site.SiteSpace) ([]SiteSpace, error) {
	spaces := make([]space.Space, len(siteSpaces))
	for i, s := range siteSpaces {
		spaces[i] = s.Space
	}
	wireSpaces, err := h.SpaceWriter.Write(ctx, spaces)
	if err != nil {
		return nil, err
	}
	wire := make([]SiteSpace, 0, len(siteSpaces))
	for i, s := range siteSpaces {
		wire = append(wire, SiteSpace{
			Object: "site-space", ID: s.ID, Path: s.Path, Section: s.Section, Space: wireSpaces[i], Title: s.Title,
			Default:   s.Default,
			Condition: s.Condition, HasAdvancedCustomizationFeature: true, URLs: SpacePlace{s.PublishedURL},
		})
	}
	return wire, nil
}
