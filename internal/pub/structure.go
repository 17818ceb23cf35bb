package pub

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/expr"
	"github.com/rectodocs/recto/internal/site"
)

// shows reports whether a section or a variant with a condition is there for a visitor. It is the one place where these
// conditions are asked. Nobody has claims, so a condition that asks for one fails.
func shows(ctx context.Context, condition string) bool {
	return condition == "" || expr.Boolean(ctx, condition, map[string]any{
		"visitor": map[string]any{"claims": map[string]any{"unsigned": map[string]any{}}},
	})
}

// visible returns the site without the sections and variants that a visitor does not see, and without sections and groups
// in which nothing is left. All that a request answers with comes from what is left here: routing, menus, links, search and
// lists. Defaults stay where they are, so that an address means the same for everybody.
func visible(served site.Served, shows func(condition string) bool) site.Served {
	hidden := func(condition string) bool { return condition != "" && !shows(condition) }
	if !slices.ContainsFunc(served.Sections, func(s site.ServedSection) bool { return hidden(s.Condition) }) &&
		!slices.ContainsFunc(served.Spaces, func(s site.ServedSpace) bool { return hidden(s.Condition) }) {
		return served
	}
	there := map[string]bool{"": true}
	for _, section := range served.Sections {
		there[section.ID] = !hidden(section.Condition)
	}
	filled := map[string]bool{}
	spaces := make([]site.ServedSpace, 0, len(served.Spaces))
	for _, space := range served.Spaces {
		if there[space.Section] && !hidden(space.Condition) {
			spaces = append(spaces, space)
			filled[space.Section] = true
		}
	}
	sections := make([]site.ServedSection, 0, len(served.Sections))
	used := map[string]bool{}
	for _, section := range served.Sections {
		if !filled[section.ID] {
			continue
		}
		sections = append(sections, section)
		for group, ok := served.Group(section.Group); ok; group, ok = served.Group(group.Parent) {
			used[group.ID] = true
		}
	}
	groups := make([]site.ServedGroup, 0, len(served.Groups))
	for _, group := range served.Groups {
		if used[group.ID] {
			groups = append(groups, group)
		}
	}
	served.Spaces, served.Sections, served.Groups = spaces, sections, groups
	return served
}

// structureState is all of a site's structure that shows on its pages, for their key in the cache.
func structureState(served site.Served) string {
	var state strings.Builder
	for _, group := range served.Groups {
		fmt.Fprintf(&state, " %s %s %q %q", group.ID, group.Parent, group.Title, group.Icon)
	}
	for _, section := range served.Sections {
		fmt.Fprintf(&state, " %s %s %q %q %q %q %t", section.ID, section.Group, section.Title, section.Description, section.Icon, section.Path, section.Default)
	}
	for _, space := range served.Spaces {
		fmt.Fprintf(&state, " %s %s %s %q %t %q %s", space.ID, space.Section, space.Space, space.Path, space.Default,
			space.Title+"\x00"+space.Emoji+"\x00"+space.Icon+"\x00"+space.Language, space.Head)
	}
	return state.String()
}

// serveElsewhere answers at an address whose space is not there for this visitor, with the way to the first one that is.
// It holds for this visitor and for now.
func (s *scope) serveElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, s.home, http.StatusTemporaryRedirect)
}
