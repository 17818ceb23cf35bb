// Package theme owns how published sites look: the static files, the icons, the fonts, and the colours and choices that
// a customization comes to.
//
// It promises that text is readable on what it stands on (WCAG 2.2 AA), whatever colours somebody has chosen, and that
// a static file is addressed by its content, so that browsers may keep it for ever. A theme is made once for each space
// of a site and version of its customization.
package theme

import (
	"fmt"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// Set is the themes of all sites, with what they are made of. It is safe for use by many goroutines.
type Set struct {
	Assets *Assets
	Icons  *Icons
	Words  *words.Set

	themes cache.Cache[*Theme] // by space of a site and version of the customization, see Of
}

const maxThemes = 4000 // each takes a few kilobytes

// Load reads the static files, the icons and the words. They are read once in a process and never change.
func Load() (*Set, error) {
	read, err := material()
	if err != nil {
		return nil, err
	}
	return &Set{Assets: read.Assets, Icons: read.Icons, Words: read.Words, themes: cache.Sized[*Theme](maxThemes)}, nil
}

// material is what Load returns, without themes.
var material = sync.OnceValues(func() (*Set, error) {
	set := &Set{}
	var err error
	if set.Assets, err = loadAssets(); err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	if set.Icons, err = loadIcons(); err != nil {
		return nil, err
	}
	set.Words, err = words.Load()
	return set, err
})

// Theme is what the customization of a space on a site comes to for every one of its pages. It is made once and shared.
type Theme struct {
	// Style is the page's own style element: the custom properties in which the site differs from assets/site.
	Style string
	Fonts Fonts
	// Classes are those of the html element: the choices that style sheets know.
	Classes string
	// BarLight and BarDark colour the bar of a browser.
	BarLight, BarDark string
	Words             *words.Words
}

// Of returns the theme of a space on a site, made of its customization.
func (s *Set) Of(served *site.Served, space site.ServedSpace) *Theme {
	key := fmt.Sprintf("%s %d %s %s", served.Site.ID, served.CustomizationVersion, space.ID, space.Language)
	if kept, ok := s.themes.Get(key); ok {
		return kept
	}
	made := s.newTheme(CustomizationOf(served, space), space.Language)
	s.themes.Set(key, made)
	return made
}

// CustomizationOf is how a space looks on a site.
func CustomizationOf(served *site.Served, space site.ServedSpace) *customization.Customization {
	if space.Customization != nil {
		return space.Customization
	}
	return &served.Customization
}

func (s *Set) newTheme(c *customization.Customization, language string) *Theme {
	light, dark := newPalette(c, false), newPalette(c, true)
	made := &Theme{Fonts: fontsOf(s.Assets, c.Styling), Words: s.Words.For(c.Internationalization.Locale, language)}
	made.Style = made.Fonts.rules + ":root{" + properties(light, dark) + "}"
	made.Classes = strings.Join(classesOf(c), " ")
	bar := "bg"
	if _, filled := light["top-bg"]; filled {
		bar = "top-bg"
	}
	made.BarLight, made.BarDark = light[bar].String(), dark[bar].String()
	return made
}

// classesOf names the choices that are not those of a site by itself, so that most pages need no words for them.
func classesOf(c *customization.Customization) []string {
	var classes []string
	choice := func(kind, value, usual string) {
		if value != "" && value != usual {
			classes = append(classes, kind+"-"+value)
		}
	}
	s := c.Styling
	choice("theme", s.Theme, "clean")
	choice("corners", s.Corners, "rounded")
	choice("depth", s.Depth, "subtle")
	choice("links", s.Links, "default")
	choice("icons", s.Icons, "regular")
	choice("sidebar", s.Sidebar.Background, "default")
	choice("list", s.Sidebar.List, "default")
	choice("search", s.Search, "prominent")
	if kind := headerKind(c); kind == "none" {
		classes = append(classes, "top-none")
	} else if kind != "" {
		classes = append(classes, "top-filled")
	}
	if s.CodeTheme.OpenAPI != s.CodeTheme.Default {
		classes = append(classes, "api-code")
	}
	if s.HeadingFont != nil {
		classes = append(classes, "heading-font")
	}
	return classes
}
