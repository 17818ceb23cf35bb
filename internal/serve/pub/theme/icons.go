package theme

import (
	_ "embed" // for the drawings
	"fmt"
	"strings"
)

//go:embed assets/icons/aliases.txt
var iconAliases string

// Icons draws the icons that content names. Content names Font Awesome's; the drawings are Lucide's and, for
// brands, Simple Icons'. See assets/vendor.mjs for where they come from.
type Icons struct {
	drawings map[string]string // name, "brand:" before a brand's → the kind, a tab, inner SVG
	aliases  map[string]string
}

func loadIcons() (*Icons, error) {
	set := &Icons{drawings: make(map[string]string, 2400), aliases: make(map[string]string, 400)}
	for line := range strings.Lines(string(unpack("assets/icons/icons.txt.gz"))) {
		name, drawing, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			return nil, fmt.Errorf("read icons: no drawing for %q", name)
		}
		set.drawings[name] = drawing
	}
	for line := range strings.Lines(iconAliases) {
		if fields := strings.Fields(line); len(fields) == 2 {
			if _, ok := set.drawings[fields[1]]; !ok {
				return nil, fmt.Errorf("read icons: %q is to show %q, which does not exist", fields[0], fields[1])
			}
			set.aliases[fields[0]] = fields[1]
		}
	}
	return set, nil
}

// SVG returns the drawing of a name as an SVG element, "" for a name that is not known. The prefix and the style
// that Font Awesome writes before a name ("fa-solid fa-book") do not matter.
func (s *Icons) SVG(name string) string {
	if i := strings.LastIndexByte(name, ' '); i >= 0 {
		name = name[i+1:]
	}
	name = strings.TrimPrefix(name, "fa-")
	// Content that says "apple" means the brand: the fruit has another name in it.
	drawing, ok := s.drawings["brand:"+name]
	if !ok {
		if alias, aliased := s.aliases[name]; aliased {
			name = alias
		}
		if drawing, ok = s.drawings[name]; !ok {
			return ""
		}
	}
	kind, inner, _ := strings.Cut(drawing, "\t")
	if kind == "f" {
		return `<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">` + inner + `</svg>`
	}
	return `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">` + inner + `</svg>`
}
