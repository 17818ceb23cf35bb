package theme

import (
	_ "embed" // for the themes
	"fmt"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// codeThemeTable has a line for each of the API's names of colours of code: the name, the background and the colours of
// codeTokens, "-" where there is none. They are those of chroma's styles, and a test, which also writes them, holds
// that they still are. A program with the styles themselves reads all of them at every start.
//
//go:embed codethemes.txt
var codeThemeTable string

// codeTokens are the kinds of token that have colours, by the names of their custom properties.
var codeTokens = []string{"text", "comment", "keyword", "string", "number", "function", "type", "name", "punctuation"}

// codeTheme is the colours of code by the names in codeTokens; it has none for some.
type codeTheme struct {
	background colour
	hasGround  bool
	tokens     map[string]colour
}

// codeThemes reads the table when a site first asks for one of its themes.
var codeThemes = sync.OnceValue(func() map[string]codeTheme {
	themes := map[string]codeTheme{}
	for line := range strings.Lines(codeThemeTable) {
		fields := strings.Fields(line)
		if len(fields) != 2+len(codeTokens) {
			panic(fmt.Sprintf("codethemes.txt: %q has %d words instead of %d", line, len(fields), 2+len(codeTokens)))
		}
		theme := codeTheme{tokens: map[string]colour{}}
		theme.background, theme.hasGround = parseColour(fields[1])
		for i, token := range codeTokens {
			if c, ok := parseColour(fields[2+i]); ok {
				theme.tokens[token] = c
			}
		}
		themes[fields[0]] = theme
	}
	return themes
})

// paintCode sets the colours of code, each readable on its background.
func (p palette) paintCode(themes customization.ThemedCode, dark bool, prefix string) {
	name := themes.Light
	if dark {
		name = themes.Dark
	}
	background := p["code-bg"]
	plain := name == "default-light" || name == "default-dark"
	// A theme of the other lightness is shown as it is: a dark block on a light page.
	darkCode := dark
	switch {
	case plain:
		darkCode = name == "default-dark"
		if darkCode != dark {
			background = surfaces[len(surfaces)-1].in(darkCode)
		}
	case name == "monochrome-light" || name == "monochrome-dark":
		if darkCode = name == "monochrome-dark"; darkCode != dark {
			background = surfaces[len(surfaces)-1].in(darkCode)
		}
	}
	own := map[string]colour{}
	switch {
	case plain:
		for _, each := range code {
			own[each.name[len("code-"):]] = each.in(darkCode)
		}
	case name == "monochrome-light" || name == "monochrome-dark":
		for _, each := range code {
			c := each.in(darkCode).oklab()
			own[each.name[len("code-"):]] = oklab{c.l, 0, 0}.colour()
		}
	default:
		theme := codeThemes()[name]
		if theme.hasGround {
			background = theme.background
		}
		for _, token := range codeTokens {
			if c, ok := theme.tokens[token]; ok {
				own[token] = c
			} else {
				own[token] = readableOn(colour{0.5, 0.5, 0.5}, background)
			}
		}
	}
	background = background.rounded()
	p[prefix+"bg"] = background
	for token, c := range own {
		p[prefix+token] = readableOn(c, background)
	}
	if !plain || darkCode != dark {
		// Numbers of lines, titles and buttons of a block stand on its background too.
		p[prefix+"quiet"] = readableOn(p[prefix+"comment"], background)
		p[prefix+"line"] = mix(p[prefix+"text"], background, 0.16).rounded()
	} else {
		p[prefix+"quiet"] = readableOn(p["muted"], background)
		p[prefix+"line"] = p["border"]
	}
}
