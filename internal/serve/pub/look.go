package pub

import (
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// look is what the customization of a space on a site comes to for every one of its pages. It is made once and shared.
type look struct {
	// style is the page's own style element: the custom properties in which the site differs from assets/site.
	style string
	fonts chosenFonts
	// classes are those of the html element: the choices that style sheets know.
	classes string
	// barLight and barDark colour the bar of a browser.
	barLight, barDark string
	words             *words.Words
}

// lookOf returns the look of a space, made of its customization.
func (s *Server) lookOf(served *site.Served, space site.ServedSpace) *look {
	key := fmt.Sprintf("%s %d %s %s", served.Site.ID, served.CustomizationVersion, space.ID, space.Language)
	if kept, ok := s.looks.Get(key); ok {
		return kept
	}
	made := s.newLook(customizationOf(served, space), space.Language)
	s.looks.Set(key, made)
	return made
}

// customizationOf is how a space looks on a site.
func customizationOf(served *site.Served, space site.ServedSpace) *site.Customization {
	if space.Customization != nil {
		return space.Customization
	}
	return &served.Customization
}

func (s *Server) newLook(c *site.Customization, language string) *look {
	light, dark := newPalette(c, false), newPalette(c, true)
	made := &look{fonts: fontsOf(s.assets, c.Styling), words: s.words.For(c.Internationalization.Locale, language)}
	made.style = made.fonts.rules + ":root{" + properties(light, dark) + "}"
	made.classes = strings.Join(classesOf(c), " ")
	bar := "bg"
	if _, filled := light["top-bg"]; filled {
		bar = "top-bg"
	}
	made.barLight, made.barDark = light[bar].String(), dark[bar].String()
	return made
}

// classesOf names the choices that are not those of a site by itself, so that most pages need no words for them.
func classesOf(c *site.Customization) []string {
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
