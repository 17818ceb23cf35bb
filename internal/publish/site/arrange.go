package site

import (
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// This file holds what operations do to a layout. They may leave marks wrong; settle puts them right.

// clone returns a copy that shares nothing with the layout.
func (l *layout) clone() *layout {
	c := &layout{}
	for _, group := range l.groups {
		g := *group
		c.groups = append(c.groups, &g)
	}
	for _, section := range l.sections {
		s := *section
		c.sections = append(c.sections, &s)
	}
	for _, space := range l.spaces {
		s := *space
		c.spaces = append(c.spaces, &s)
	}
	return c
}

// settle restores what holds for every layout: of siblings exactly one is marked as the default, the first when none is
// left; a section is in a group that is there; everything is in its order.
func (l *layout) settle() {
	for _, section := range l.sections {
		if l.group(section.group) == nil {
			section.group = ""
		}
	}
	for _, group := range l.groups {
		if l.group(group.parent) == nil {
			group.parent = ""
		}
	}
	l.sort()
	marked := map[id.Section]bool{}
	for _, space := range l.spaces {
		space.marked = space.marked && !marked[space.section]
		marked[space.section] = marked[space.section] || space.marked
	}
	any := false
	for _, section := range l.sections {
		section.marked = section.marked && !any
		any = any || section.marked
	}
	// A mark that has gone stays with what answers now, rather than with what comes first in the list.
	a := l.answers()
	for _, space := range l.spaces {
		if !marked[space.section] && (space.id == a.spaces[space.section] || a.spaces[space.section] == "") {
			space.marked, marked[space.section] = true, true
		}
	}
	if !any && len(l.sections) > 0 {
		current := l.section(a.section)
		if current == nil {
			current = l.sections[0]
		}
		current.marked = true
	}
}

// mark makes a space the default one among its siblings.
func (l *layout) mark(space *placedRow) {
	for _, other := range l.spaces {
		if other.section == space.section {
			other.marked = other == space
		}
	}
}

// markSection makes a section the default one of the site.
func (l *layout) markSection(section *sectionRow) {
	for _, other := range l.sections {
		other.marked = other == section
	}
}

// spacePathTaken reports whether a space in a section cannot have a path: a sibling has it, or another section, whose
// address it would be as soon as the section is the default one.
func (l *layout) spacePathTaken(section id.Section, path string, self id.SiteSpace) bool {
	return slices.ContainsFunc(l.spaces, func(s *placedRow) bool {
		return s.section == section && s.path == path && s.id != self
	}) ||
		slices.ContainsFunc(l.sections, func(s *sectionRow) bool { return s.id != section && s.path == path })
}

// sectionPathTaken reports whether a section cannot have a path: another section has it, or a space of another one.
func (l *layout) sectionPathTaken(path string, self id.Section) bool {
	return slices.ContainsFunc(l.sections, func(s *sectionRow) bool { return s.path == path && s.id != self }) ||
		slices.ContainsFunc(l.spaces, func(s *placedRow) bool {
			return s.section != "" && s.section != self && s.path == path
		})
}

// addSpace puts a space behind the others of a section, or of the site for "". The first is the default one.
func (l *layout) addSpace(section id.Section, spaceID id.Space, title string) (*placedRow, error) {
	if len(l.spaces) >= maxSiteSpaces {
		return nil, errs.Conflictf("A site holds up to %d spaces; take one off it first.", maxSiteSpaces)
	}
	siblings := l.in(section)
	last := ""
	if len(siblings) > 0 {
		last = siblings[len(siblings)-1].position
	}
	added := &placedRow{
		id: id.SiteSpace(id.New("sitespace")), space: spaceID, section: section, position: entity.Between(last, ""),
		path: entity.UniqueSlug(nameFrom(title), func(slug string) bool { return l.spacePathTaken(section, slug, "") }),
	}
	l.settle() // so that who answers now keeps the mark
	l.spaces = append(l.spaces, added)
	l.settle()
	return added, nil
}

// addSection makes a section behind everything else, with nothing in it. The first one takes in what is at the root of
// the site.
func (l *layout) addSection(title, icon string) (*sectionRow, error) {
	if len(l.sections) >= maxSections {
		return nil, errs.Conflictf("A site holds up to %d sections; delete one first.", maxSections)
	}
	first := len(l.sections) == 0
	added := &sectionRow{id: id.Section(id.New("sitesection")), title: title, icon: icon, position: l.end("")}
	added.path = entity.UniqueSlug(nameFrom(title), func(slug string) bool {
		return l.sectionPathTaken(slug, added.id)
	})
	l.sections = append(l.sections, added)
	if first {
		for _, space := range l.spaces {
			space.section = added.id
		}
	}
	l.settle()
	return added, nil
}

// end is a position behind all that is in a group, or on the site for "".
func (l *layout) end(parent id.SectionGroup) string {
	siblings := l.siblings(parent)
	if len(siblings) == 0 {
		return entity.Between("", "")
	}
	return entity.Between(siblings[len(siblings)-1].position, "")
}

// removeSection takes a section away with its spaces. Those of the last section go back to the root of the site, where
// they came from.
func (l *layout) removeSection(section *sectionRow) {
	l.sections = slices.DeleteFunc(l.sections, func(s *sectionRow) bool { return s == section })
	if len(l.sections) == 0 {
		for _, space := range l.spaces {
			space.section = ""
		}
	}
	l.spaces = slices.DeleteFunc(l.spaces, func(s *placedRow) bool { return s.section == section.id })
	l.settle()
}

// removeGroup takes a group away. What is in it comes to its place, in its order.
func (l *layout) removeGroup(group *groupRow) {
	next := ""
	for _, sibling := range l.siblings(group.parent) {
		if next == "" && sibling.position > group.position {
			next = sibling.position
		}
	}
	inside := l.siblings(group.id)
	l.groups = slices.DeleteFunc(l.groups, func(g *groupRow) bool { return g == group })
	for i, position := range entity.Spread(group.position, next, len(inside)) {
		l.put(inside[i], group.parent, position)
	}
	l.settle()
}

// put gives a section or group its parent and position.
func (l *layout) put(it item, parent id.SectionGroup, position string) {
	if it.kind == ItemGroup {
		group := l.group(id.SectionGroup(it.id))
		group.parent, group.position = parent, position
		return
	}
	section := l.section(id.Section(it.id))
	section.group, section.position = parent, position
}

// move puts a thing where a place says. A space goes among the spaces of the section that its neighbour is in, a
// section or a group into the group that its neighbour is in.
func (l *layout) move(moved Pointer, place Place) error {
	if moved.Kind == ItemSpace {
		space := l.space(id.SiteSpace(moved.ID))
		if space == nil {
			return notThere(moved.Kind)
		}
		return l.moveSpace(space, place)
	}
	var parent id.SectionGroup
	switch section, group := l.section(id.Section(moved.ID)), l.group(id.SectionGroup(moved.ID)); {
	case moved.Kind == ItemSection && section != nil:
	case moved.Kind == ItemGroup && group != nil:
	default:
		return notThere(moved.Kind)
	}
	if anchor := place.anchor(); anchor != nil {
		var err error
		if parent, err = l.parentOf(*anchor); err != nil {
			return err
		}
	}
	if moved.Kind == ItemGroup {
		if err := l.mayHold(parent, id.SectionGroup(moved.ID)); err != nil {
			return err
		}
	}
	siblings := slices.DeleteFunc(l.siblings(parent), func(i item) bool { return i.id == moved.ID })
	position, err := place.between(siblings, moved)
	if err != nil {
		return err
	}
	l.put(item{kind: moved.Kind, id: moved.ID}, parent, position)
	l.settle()
	return nil
}

func (l *layout) moveSpace(space *placedRow, place Place) error {
	section := space.section
	if anchor := place.anchor(); anchor != nil {
		beside := l.space(id.SiteSpace(anchor.ID))
		if anchor.Kind != ItemSpace || beside == nil {
			return noSuch("position", *anchor)
		}
		section = beside.section
	}
	var siblings []item
	for _, sibling := range l.in(section) {
		if sibling != space {
			siblings = append(siblings, item{ItemSpace, string(sibling.id), sibling.position})
		}
	}
	position, err := place.between(siblings, Pointer{ItemSpace, string(space.id)})
	if err != nil {
		return err
	}
	space.position = position
	if section != space.section {
		if l.spacePathTaken(section, space.path, space.id) {
			space.path = entity.UniqueSlug(space.path, func(slug string) bool {
				return l.spacePathTaken(section, slug, space.id)
			})
		}
		space.section, space.marked = section, false
	}
	l.settle()
	return nil
}

// mayHold refuses a group in a group (or at the root, for "") that would make menus too deep, or hold itself.
func (l *layout) mayHold(parent, groupID id.SectionGroup) error {
	for above := l.group(parent); above != nil; above = l.group(above.parent) {
		if above.id == groupID {
			return errs.Invalidf("position", "is inside of the group itself; name a place outside of it")
		}
	}
	if l.depth(parent)+l.height(groupID) > maxDepth {
		return errs.Invalidf("position", "would put groups %d levels deep; %d are possible",
			l.depth(parent)+l.height(groupID), maxDepth)
	}
	return nil
}

// parentOf is the id of the group that a section or group is in.
func (l *layout) parentOf(p Pointer) (id.SectionGroup, error) {
	if section := l.section(id.Section(p.ID)); p.Kind == ItemSection && section != nil {
		return section.group, nil
	}
	if group := l.group(id.SectionGroup(p.ID)); p.Kind == ItemGroup && group != nil {
		return group.parent, nil
	}
	return "", noSuch("position", p)
}

// anchor is a neighbour that a place names, nil for none.
func (p Place) anchor() *Pointer {
	if p.Before != nil {
		return p.Before
	}
	return p.After
}

// between returns the position that a place means among siblings, of which the moved thing is none.
func (p Place) between(siblings []item, moved Pointer) (string, error) {
	index := func(name string, pointer *Pointer) (int, error) {
		if pointer.ID == moved.ID {
			return 0, errs.Invalidf("position."+name, "names what is to be moved; name one of its neighbours")
		}
		i := slices.IndexFunc(siblings, func(i item) bool { return i.id == pointer.ID && i.kind == pointer.Kind })
		if i < 0 {
			return 0, noSuch("position."+name, *pointer)
		}
		return i, nil
	}
	at := len(siblings)
	if p.After != nil {
		i, err := index("after", p.After)
		if err != nil {
			return "", err
		}
		at = i + 1
	}
	if p.Before != nil {
		i, err := index("before", p.Before)
		if err != nil {
			return "", err
		}
		if p.After != nil && i != at {
			return "", errs.Invalidf("position",
				"names two that are not next to each other; give one of before and after")
		}
		at = i
	}
	previous, next := "", ""
	if at > 0 {
		previous = siblings[at-1].position
	}
	if at < len(siblings) {
		next = siblings[at].position
	}
	return entity.Between(previous, next), nil
}

// notThere says that a site has no thing of a kind.
func notThere(kind ItemKind) error {
	words := map[ItemKind]string{ItemSpace: "site space", ItemSection: "section", ItemGroup: "section group"}
	return errs.NotFoundf("There is no such %s on this site; the site's structure lists what there is.", words[kind])
}

func noSuch(path string, p Pointer) error {
	return errs.Invalidf(path,
		"names no %s %.40q of this site beside which there is room; the site's structure lists what there is", p.Kind,
		p.ID)
}
