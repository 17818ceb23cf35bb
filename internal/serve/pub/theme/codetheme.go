package theme

import (
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// codeStyles maps the API's names of colours of code to styles of chroma: the same one, or the one that is nearest.
// What is not in it has the same name.
var codeStyles = map[string]string{
	"andromeeda": "witchhazel", "aurora-x": "aura-theme-dark", "ayu-dark": "vulcan", "dark-plus": "xcode-dark",
	"dracula-soft":    "dracula",
	"everforest-dark": "evergarden", "everforest-light": "gruvbox-light", "github-dark-default": "github-dark",
	"github-dark-dimmed":        "github-dark",
	"github-dark-high-contrast": "github-dark", "github-light": "github", "github-light-default": "github",
	"github-light-high-contrast": "modus-operandi",
	"gruvbox-dark-hard":          "gruvbox", "gruvbox-dark-medium": "gruvbox", "gruvbox-dark-soft": "gruvbox",
	"gruvbox-light-hard": "gruvbox-light", "gruvbox-light-medium": "gruvbox-light",
	"gruvbox-light-soft": "gruvbox-light",
	"houston":            "tokyonight-night", "laserwave": "witchhazel", "light-plus": "vs",
	"material-theme":         "doom-one2",
	"material-theme-darker":  "doom-one",
	"material-theme-lighter": "xcode", "material-theme-ocean": "doom-one2", "material-theme-palenight": "doom-one2",
	"min-dark": "hrdark", "min-light": "vs",
	"night-owl": "tokyonight-night", "one-dark-pro": "onedark", "one-light": "xcode", "plastic": "onedark",
	"poimandres": "tokyonight-storm", "red": "fruity",
	"slack-dark": "xcode-dark", "slack-ochin": "xcode", "snazzy-light": "xcode", "synthwave-84": "witchhazel",
	"tokyo-night": "tokyonight-night",
	"vesper":      "ashen", "vitesse-black": "ashen", "vitesse-dark": "ashen", "vitesse-light": "lovelace",
}

// codeTokens are the kinds of token whose colours the custom properties of code take.
var codeTokens = map[string]chroma.TokenType{
	"text": chroma.Background, "comment": chroma.Comment, "keyword": chroma.Keyword, "string": chroma.LiteralString,
	"number":   chroma.LiteralNumber,
	"function": chroma.NameFunction, "type": chroma.KeywordType, "name": chroma.NameTag,
	"punctuation": chroma.Punctuation,
}

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
		style := chromaStyle(name)
		if b := style.Get(chroma.Background).Background; b.IsSet() {
			background = fromChroma(b)
		}
		for token, kind := range codeTokens {
			if c := style.Get(kind).Colour; c.IsSet() {
				own[token] = fromChroma(c)
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

func chromaStyle(name string) *chroma.Style {
	if nearest, ok := codeStyles[name]; ok {
		name = nearest
	}
	return styles.Get(name) // a test holds that all are there
}

func fromChroma(c chroma.Colour) colour {
	return colour{float64(c.Red()) / 255, float64(c.Green()) / 255, float64(c.Blue()) / 255}
}
