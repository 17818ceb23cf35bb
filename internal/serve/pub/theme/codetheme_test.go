package theme

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

var update = flag.Bool("update", false, "write codethemes.txt anew")

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

// tokenKinds are the kinds of token whose colours the custom properties of code take.
var tokenKinds = map[string]chroma.TokenType{
	"text": chroma.Background, "comment": chroma.Comment, "keyword": chroma.Keyword, "string": chroma.LiteralString,
	"number":   chroma.LiteralNumber,
	"function": chroma.NameFunction, "type": chroma.KeywordType, "name": chroma.NameTag,
	"punctuation": chroma.Punctuation,
}

// TestCodeThemesAreThoseOfChroma holds the table against chroma's styles; with -update it writes the table.
func TestCodeThemesAreThoseOfChroma(t *testing.T) {
	var table strings.Builder
	word := func(c chroma.Colour) string {
		if !c.IsSet() {
			return " -"
		}
		return " " + c.String()
	}
	for _, name := range customization.CodeThemeNames() {
		if strings.HasPrefix(name, "default-") || strings.HasPrefix(name, "monochrome-") {
			continue
		}
		like := name
		if nearest, ok := codeStyles[name]; ok {
			like = nearest
		}
		style := styles.Registry[like]
		if style == nil {
			t.Fatalf("%s is to look like %s, which is not there", name, like)
		}
		table.WriteString(name + word(style.Get(chroma.Background).Background))
		for _, token := range codeTokens {
			table.WriteString(word(style.Get(tokenKinds[token]).Colour))
		}
		table.WriteString("\n")
	}
	if *update {
		if err := os.WriteFile("codethemes.txt", []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table.String(), codeThemeTable); diff != "" {
		t.Errorf("codethemes.txt is not what chroma has; write it with -update (-chroma, +file):\n%s", diff)
	}
	for name := range codeStyles {
		if _, ok := codeThemes()[name]; !ok {
			t.Errorf("the API does not know %s", name)
		}
	}
}
