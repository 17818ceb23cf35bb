package pub

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
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

// place finds which space of a site a path is in, and what is left of the path: a section answers below its path, and in
// it a variant below its own. What is default takes no segment. Ok is false when the default that the path needs is not
// there for the visitor; the space is then the first that is, and false with an empty space when none is.
func place(served site.Served, rest string) (space site.ServedSpace, left string, ok bool) {
	section := ""
	if len(served.Sections) > 0 {
		found, after, named := leading(rest, served.Sections, func(s site.ServedSection) (string, bool) { return s.Path, s.Default })
		if !named {
			i := slices.IndexFunc(served.Sections, func(s site.ServedSection) bool { return s.Default })
			if i < 0 {
				return served.Spaces[0], rest, false
			}
			found = served.Sections[i]
		}
		section, rest = found.ID, after
	}
	variants := served.Variants(section)
	if len(variants) == 0 {
		return site.ServedSpace{}, rest, false
	}
	found, after, named := leading(rest, variants, func(s site.ServedSpace) (string, bool) { return s.Path, s.Default })
	if named {
		return found, after, true
	}
	if i := slices.IndexFunc(variants, func(s site.ServedSpace) bool { return s.Default }); i >= 0 {
		return variants[i], rest, true
	}
	return variants[0], rest, false
}

// leading finds what the first segment of a path names among things of which the default one has no segment, and returns
// what comes after it: needsSlash when that is not even a slash.
func leading[T any](path string, things []T, describe func(T) (path string, isDefault bool)) (found T, after string, ok bool) {
	first, after, slash := strings.Cut(path, "/")
	segment, err := url.PathUnescape(first)
	if err != nil || segment == "" {
		return found, path, false
	}
	for _, thing := range things {
		if path, isDefault := describe(thing); path == segment && !isDefault {
			if !slash {
				after = needsSlash
			}
			return thing, after, true
		}
	}
	return found, path, false
}

// serveElsewhere answers at an address whose space is not there for this visitor, with the way to the first one that is.
// It holds for this visitor and for now.
func (s *scope) serveElsewhere(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, s.home, http.StatusTemporaryRedirect)
}
