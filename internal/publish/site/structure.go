package site

import "github.com/rectodocs/recto/internal/base/id"

// maxDepth is how many groups deep a section may be: menus of menus, and no more.
const maxDepth = 2

// Bounds of one site. What a request of a visitor costs grows with them.
const (
	maxSiteSpaces = 1000
	maxSections   = 500
	maxGroups     = 200
)

// Section is a part of a site with a path of its own, seen by one caller.
type Section struct {
	// ID is "sitesection_…".
	ID   id.Section
	Site id.Site
	// Group is the id of the group that it is in; "" for none.
	Group id.SectionGroup
	// Title has 2 to 128 characters, Description up to 256.
	Title, Description string
	// Icon is the name of an icon; "" for none.
	Icon string
	// Path is the segment below the site's address at which the section answers unless it is the default one: a slug of
	// 1 to 100 characters, unique on the site.
	Path string
	// Condition is an expression over a visitor; "" shows the section to all.
	Condition string
	// Default says that the section answers at the site's own address.
	Default bool
	// Spaces are its variants that the caller may read, in their order.
	Spaces []SiteSpace
	// PublishedURL is where the section is live, with a slash at the end; "" while the site is not published.
	PublishedURL string
}

// Group is a menu of sections and, one level deep, of further groups, seen by one caller.
type Group struct {
	// ID is "sectiongroup_…".
	ID   id.SectionGroup
	Site id.Site
	// Parent is the id of the group that it is in; "" for none.
	Parent id.SectionGroup
	// Title has 1 to 100 characters.
	Title string
	// Icon is the name of an icon; "" for none.
	Icon string
	// Children are its sections and groups in their order.
	Children []Node
}

// Node is one of what a structure holds: exactly one field is set.
type Node struct {
	Space   *SiteSpace
	Section *Section
	Group   *Group
}

// Structure is all that is on a site, in its order.
type Structure struct {
	// Sections says that the nodes are sections and groups; else they are spaces.
	Sections bool
	Nodes    []Node
}

// Readdress changes all addresses at which something of the structure is live.
func (s *Structure) Readdress(change func(address string) string) { readdress(s.Nodes, change) }

func readdress(nodes []Node, change func(address string) string) {
	for _, node := range nodes {
		switch {
		case node.Space != nil:
			node.Space.PublishedURL = change(node.Space.PublishedURL)
		case node.Section != nil:
			node.Section.PublishedURL = change(node.Section.PublishedURL)
			for i := range node.Section.Spaces {
				node.Section.Spaces[i].PublishedURL = change(node.Section.Spaces[i].PublishedURL)
			}
		case node.Group != nil:
			readdress(node.Group.Children, change)
		}
	}
}

// ItemKind is the kind of a thing in a structure.
type ItemKind string

// Kinds of things in a structure, in the API's words.
const (
	ItemSpace   ItemKind = "site-space"
	ItemSection ItemKind = "site-section"
	ItemGroup   ItemKind = "site-section-group"
)

// Pointer names a thing in a structure.
type Pointer struct {
	Kind ItemKind
	ID   string
}

// Place says where a thing is to go: right before one, right after one, or between two. Nil twice is the end of the
// site.
type Place struct {
	Before, After *Pointer
}
