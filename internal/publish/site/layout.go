package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
)

// layout is the structure of one site as its rows say: what operations work on, and what addresses follow from. Spaces
// in the trash are part of it, so that they have their place again when they come back, but they answer nowhere.
type layout struct {
	groups   []*groupRow
	sections []*sectionRow
	spaces   []*placedRow
}

type groupRow struct {
	id, parent            id.SectionGroup
	title, icon, position string
}

type sectionRow struct {
	id                                                  id.Section
	group                                               id.SectionGroup
	title, description, icon, path, condition, position string
	marked                                              bool
}

// placedRow is a space in its place. Of the marked spaces and sections among siblings there is at most one.
type placedRow struct {
	id                        id.SiteSpace
	space                     id.Space
	section                   id.Section
	path, condition, position string
	marked, trashed           bool
}

// sort brings everything into the order of the site: sections and groups as they are read from the top, spaces section
// by section.
func (l *layout) sort() {
	slices.SortFunc(l.groups, func(a, b *groupRow) int { return slices.Compare(l.groupKey(a.id), l.groupKey(b.id)) })
	slices.SortFunc(l.sections, func(a, b *sectionRow) int { return slices.Compare(l.sectionKey(a), l.sectionKey(b)) })
	rank := make(map[id.Section]int, len(l.sections))
	for i, section := range l.sections {
		rank[section.id] = i + 1 // those in no section come first, if there ever are both
	}
	slices.SortFunc(l.spaces, func(a, b *placedRow) int {
		return cmp.Or(cmp.Compare(rank[a.section], rank[b.section]), cmp.Compare(a.position, b.position),
			cmp.Compare(a.id, b.id))
	})
}

// groupKey orders a group among all groups and sections: by the positions of the groups that it is in, then its own.
func (l *layout) groupKey(id id.SectionGroup) []string {
	var key []string
	for depth := 0; id != "" && depth < maxDepth; depth++ {
		group := l.group(id)
		if group == nil {
			break
		}
		key = append([]string{group.position, string(group.id)}, key...)
		id = group.parent
	}
	return key
}

func (l *layout) sectionKey(section *sectionRow) []string {
	return append(l.groupKey(section.group), section.position, string(section.id))
}

func (l *layout) group(id id.SectionGroup) *groupRow {
	i := slices.IndexFunc(l.groups, func(g *groupRow) bool { return g.id == id })
	if i < 0 {
		return nil
	}
	return l.groups[i]
}

func (l *layout) section(id id.Section) *sectionRow {
	i := slices.IndexFunc(l.sections, func(s *sectionRow) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return l.sections[i]
}

func (l *layout) space(id id.SiteSpace) *placedRow {
	i := slices.IndexFunc(l.spaces, func(s *placedRow) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return l.spaces[i]
}

// in returns the spaces of a section in their order, those on the site itself for "".
func (l *layout) in(section id.Section) []*placedRow {
	var found []*placedRow
	for _, space := range l.spaces {
		if space.section == section {
			found = append(found, space)
		}
	}
	return found
}

// answers says what is at which address of a site: the defaults of a layout, worked out once.
type answers struct {
	layout *layout
	// section is the id of the section at the address of the site; "" when there is none.
	section id.Section
	// spaces are the ids of the spaces at the address of each section, by its id; under "" is that of the site itself.
	spaces map[id.Section]id.SiteSpace
	paths  map[id.Section]string // of sections
}

// answers works out the defaults. A marked space in the trash is stood in for by the first of its siblings, and a
// marked section without spaces by the first that has some.
func (l *layout) answers() answers {
	a := answers{layout: l, spaces: map[id.Section]id.SiteSpace{}, paths: make(map[id.Section]string, len(l.sections))}
	for _, space := range l.spaces {
		if _, found := a.spaces[space.section]; !space.trashed && (!found || space.marked) {
			a.spaces[space.section] = space.id
		}
	}
	answering := false
	for _, section := range l.sections {
		a.paths[section.id] = section.path
		_, has := a.spaces[section.id]
		switch {
		case has && (!answering || section.marked):
			a.section, answering = section.id, true
		case !answering && section.marked:
			a.section = section.id // nothing answers yet, but the mark says what will
		}
	}
	return a
}

// root returns the id of the space at the address of the site itself; "" when there is none.
func (a answers) root() id.SiteSpace { return a.spaces[a.section] }

// sectionAddress is the path of a section below the root of the site: "" for the default one, else with a slash at its
// end.
func (a answers) sectionAddress(id id.Section) string {
	if id == "" || id == a.section {
		return ""
	}
	return a.paths[id] + "/"
}

// address is the path of a space below the root of the site: "" or with a slash at its end, not percent-encoded.
func (a answers) address(space *placedRow) string {
	at := a.sectionAddress(space.section)
	if space.id != a.spaces[space.section] {
		at += space.path + "/"
	}
	return at
}

// addresses are those of all spaces that answer, by SiteSpace.ID.
func (l *layout) addresses() map[id.SiteSpace]string {
	a, all := l.answers(), make(map[id.SiteSpace]string, len(l.spaces))
	for _, space := range l.spaces {
		if !space.trashed {
			all[space.id] = a.address(space)
		}
	}
	return all
}

// below returns the address at a path below the root of a site; "" when the site has none.
func below(siteURL, path string) string {
	if siteURL == "" {
		return ""
	}
	return siteURL + EscapeAddress(path)
}

// EscapeAddress percent-encodes the path of a space below its site's root.
func EscapeAddress(path string) string {
	var escaped strings.Builder
	for part := range strings.SplitAfterSeq(path, "/") {
		if segment, ok := strings.CutSuffix(part, "/"); ok {
			escaped.WriteString(url.PathEscape(segment) + "/")
		}
	}
	return escaped.String()
}

// siblings are the groups and sections of one parent in their order, "" being the site itself.
func (l *layout) siblings(parent id.SectionGroup) []item {
	var found []item
	for _, group := range l.groups {
		if group.parent == parent {
			found = append(found, item{ItemGroup, string(group.id), group.position})
		}
	}
	for _, section := range l.sections {
		if section.group == parent {
			found = append(found, item{ItemSection, string(section.id), section.position})
		}
	}
	slices.SortFunc(found, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.id, b.id))
	})
	return found
}

type item struct {
	kind         ItemKind
	id, position string
}

// depth is how many groups a group is in, itself counted.
func (l *layout) depth(id id.SectionGroup) int {
	depth := 0
	for group := l.group(id); group != nil && depth < maxDepth+1; group = l.group(group.parent) {
		depth++
	}
	return depth
}

// height is how many levels of groups a group has, itself counted.
func (l *layout) height(id id.SectionGroup) int {
	height := 1
	for _, group := range l.groups {
		if group.parent == id {
			height = max(height, 1+l.height(group.id))
		}
	}
	return height
}
