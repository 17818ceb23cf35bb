package theme

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// check reports where text of a palette cannot be read.
func (p palette) check(t *testing.T, what string, c *customization.Customization, dark bool) {
	t.Helper()
	readable := func(text colour, on colour, names string) {
		if ratio := contrast(text.rounded(), on.rounded()); ratio < 4.5 {
			t.Errorf("%s, dark %t, primary %v, tint %v: %s: %s on %s has a contrast of %.2f", what, dark,
				c.Styling.PrimaryColor, c.Styling.Tint, names, text, on, ratio)
		}
	}
	grounds := []string{"bg", "bg-raised", "bg-subtle", "bg-hover"}
	if c.Styling.Theme == "gradient" {
		grounds = append(grounds, "glow")
	}
	soft := mix(p["primary"], p["bg"], softShare(dark))
	for _, ground := range grounds {
		for _, text := range []string{"heading", "text", "muted", "faint", "primary", "info", "success", "warning",
			"danger"} {
			readable(p[text], p[ground], text+" on "+ground)
		}
	}
	for _, text := range []string{"heading", "text", "muted", "faint", "primary"} {
		readable(p[text], soft, text+" on the soft primary")
	}
	for _, text := range []string{"heading", "text", "muted", "faint"} {
		readable(p[text], p["bg-muted"], text+" on bg-muted")
	}
	for _, tone := range []string{"info", "success", "warning", "danger", "tip", "red", "orange", "yellow", "green",
		"blue", "purple", "pink", "violet", "cyan"} {
		readable(p[tone], mix(p[tone], p["bg"], softShare(dark)), tone+" on its soft")
		readable(p["text"], mix(p[tone], p["bg"], 0.09), "text on the soft "+tone)
	}
	for _, tone := range []string{"info", "success", "warning", "danger"} {
		if soft := tone + "-soft"; has(p, soft) {
			for _, text := range []string{tone, "text", "heading", "muted"} {
				readable(p[text], p[soft], text+" on "+soft)
			}
		}
	}
	if has(p, "strong") {
		readable(p["on-strong"], p["strong"], "on-strong on strong")
	}
	readable(p["current"], p["bg"], "current on bg")
	if dark && contrast(p["current"], p["bg"]) < contrast(p["muted"], p["bg"]) {
		t.Errorf("%s, primary %v: the current entry %s is dimmer than the others, which are %s on %s", what,
			c.Styling.PrimaryColor, p["current"], p["muted"], p["bg"])
	}
	readable(p["on-primary"], p["primary-fill"], "on-primary on primary-fill")
	for _, prefix := range []string{"code-", "api-code-"} {
		if !has(p, prefix+"bg") {
			continue
		}
		for _, token := range codeTokens {
			readable(p[prefix+token], p[prefix+"bg"], prefix+token)
		}
		readable(p[prefix+"quiet"], p[prefix+"bg"], prefix+"quiet")
	}
	if has(p, "top-bg") {
		for _, text := range []string{"top-text", "top-muted"} {
			readable(p[text], p["top-bg"], text+" on top-bg")
			readable(p[text], p["top-field"], text+" on top-field")
		}
	}
}

// TestEveryColourIsReadable draws 10,000 sites of random colours, in both themes.
func TestEveryColourIsReadable(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	corner := 0
	any := func() string {
		c := colour{random.Float64(), random.Float64(), random.Float64()}
		if corner < 64 { // the corners of the cube first
			c = colour{float64(corner & 1), float64(corner >> 1 & 1), float64(corner >> 2 & 1)}
			corner++
		}
		return c.String()
	}
	pair := func() customization.ThemedColor { return customization.ThemedColor{Light: any(), Dark: any()} }
	pick := func(from string) string { words := strings.Fields(from); return words[random.IntN(len(words))] }
	for range 10_000 {
		c := customization.Default()
		c.Styling.Theme = pick("clean muted bold gradient")
		c.Styling.PrimaryColor = pair()
		if random.IntN(2) == 0 {
			c.Styling.Tint = &customization.Tint{Color: pair()}
		}
		c.Styling.Background = pick("plain match")
		c.Styling.InfoColor, c.Styling.SuccessColor, c.Styling.WarningColor, c.Styling.DangerColor = pair(), pair(),
			pair(), pair()
		c.Header.Preset = pick("default default bold contrast custom none")
		background, link := pair(), pair()
		c.Header.BackgroundColor, c.Header.LinkColor = &background, &link
		for _, dark := range []bool{false, true} {
			newPalette(&c, dark).check(t, c.Styling.Theme+"/"+c.Header.Preset, &c, dark)
		}
		if t.Failed() {
			return
		}
	}
}

// TestPlainPaletteIsThatOfTheStyleSheet holds the tables here against the custom properties of assets/site.
func TestPlainPaletteIsThatOfTheStyleSheet(t *testing.T) {
	sheet, err := joinStyles("assets/site/[0-9]*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range [][]paint{surfaces, lines, inks, hues, code, tones} {
		for _, each := range table {
			want := "--" + each.name + ": light-dark(" + each.light + ", " + each.dark + ")"
			if !strings.Contains(string(sheet), want) {
				t.Errorf("the style sheet lacks %s", want)
			}
			for i, dark := range []bool{false, true} {
				if got := defaults[i][each.name]; got != each.in(dark) {
					t.Errorf("%s is %s by itself, and %s in the style sheet", each.name, got, each.in(dark))
				}
			}
		}
	}
	plain := customization.Default()
	light, dark := newPalette(&plain, false), newPalette(&plain, true)
	if got := properties(light, dark); strings.Count(got, "--") != 3 {
		t.Errorf("a plain site says %s", got)
	}
}

func TestEveryCodeThemeIsReadable(t *testing.T) {
	for _, name := range customization.CodeThemeNames() {
		c := customization.Default()
		c.Styling.CodeTheme.Default = customization.ThemedCode{Light: name, Dark: name}
		for _, dark := range []bool{false, true} {
			newPalette(&c, dark).check(t, name, &c, dark)
		}
	}
}
