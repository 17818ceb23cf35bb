package theme

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// A palette is the colours of a site in one theme, by the names of the custom properties in assets/site. Everything
// that is text is readable on everything that it stands on (WCAG 2.2 AA), whatever colours somebody has chosen: a
// colour keeps its hue and its saturation as far as that goes, and its lightness moves.
type palette map[string]colour

// paint is a colour of sites that have chosen none, as it is in assets/site, in both themes. tint is how much colour it
// takes from a site's tint at most.
type paint struct {
	name, light, dark string
	tint              float64
}

// surfaces are what text stands on, muted what they are in the theme of that name.
var (
	surfaces = []paint{
		{"bg", "#ffffff", "#0c0e13", 0.008}, {"bg-raised", "#ffffff", "#12151c", 0.006},
		{"bg-subtle", "#f8f9fb", "#12151c", 0.014},
		{"bg-muted", "#f0f2f6", "#1a1e27", 0.02}, {"bg-hover", "#f2f4f8", "#181c25", 0.018},
		{"code-bg", "#f8f9fb", "#11141b", 0.01},
	}
	mutedSurfaces = []paint{
		{"bg", "#f4f5f8", "#14171e", 0.016}, {"bg-raised", "#ffffff", "#1b1f28", 0.006},
		{"bg-subtle", "#eceef3", "#1a1e27", 0.02},
		{"bg-muted", "#e5e8ee", "#232833", 0.024}, {"bg-hover", "#e9ecf1", "#20252f", 0.022},
		{"code-bg", "#ffffff", "#0f1218", 0.006},
	}
	lines = []paint{{"border", "#e5e8ee", "#232833", 0.024}, {"border-strong", "#cdd3dd", "#3a4252", 0.036}}
	inks  = []paint{
		{"heading", "#0e1420", "#f3f5f9", 0.03}, {"text", "#364152", "#c0c8d4", 0.03},
		{"muted", "#596475", "#98a3b3", 0.035}, {"faint", "#626d80", "#8792a3", 0.035},
	}
	hues = []paint{
		{"tip", "#6d3fc4", "#bfa2ff", 0}, {"red", "#b3261e", "#ff9a92", 0}, {"orange", "#a04a06", "#ffad6b", 0},
		{"yellow", "#826000", "#ecc653", 0},
		{"green", "#11713f", "#5fd699", 0}, {"blue", "#1f5fc4", "#86b4ff", 0}, {"purple", "#6d3fc4", "#bfa2ff", 0},
		{"pink", "#a8286f", "#ff93cc", 0},
		{"violet", "#5546cc", "#aca6ff", 0}, {"cyan", "#08707f", "#5fd0de", 0},
	}
	code = []paint{
		{"code-text", "#2a3342", "#d3d9e3", 0}, {"code-comment", "#647083", "#7f8b9d", 0},
		{"code-keyword", "#8a2bb8", "#cba4ff", 0},
		{"code-string", "#1a7246", "#8fdcae", 0}, {"code-number", "#a3480a", "#f7b37a", 0},
		{"code-function", "#1f56c4", "#8bb8ff", 0},
		{"code-type", "#0b6b7d", "#76d3e6", 0}, {"code-name", "#b0245a", "#ff9dba", 0}, {"code-punctuation", "#5b6678",
			"#9aa5b5", 0},
	}
	// tones are the colours of meanings in assets/site; those of a site that has others are taken in their place.
	tones = []paint{
		{"info", "#1f5fc4", "#86b4ff", 0}, {"success", "#11713f", "#5fd699", 0}, {"warning", "#8f5a00", "#f3bd5b", 0},
		{"danger", "#b3261e", "#ff9a92", 0},
	}
)

func (p paint) in(dark bool) colour {
	text := p.light
	if dark {
		text = p.dark
	}
	c, _ := parseColour(text) // the tables hold colours; a test reads them all
	return c
}

// themed reads a colour of a customization in one theme.
func themed(c customization.ThemedColor, dark bool) (colour, bool) {
	if dark {
		return parseColour(c.Dark)
	}
	return parseColour(c.Light)
}

// tinted gives a colour the hue of a tint, and as much of its saturation as it may have.
func tinted(c, tint colour, most float64) colour {
	from, to := c.oklab(), tint.oklab()
	chroma := math.Hypot(to.a, to.b)
	if chroma < 0.002 {
		return oklab{from.l, 0, 0}.colour()
	}
	share := min(most, chroma) / chroma
	// White and black hold no colour: a tinted paper is a little off them.
	light := min(max(from.l, 0.13), 0.994)
	return oklab{light, to.a * share, to.b * share}.colour()
}

// readableOn moves the lightness of a colour until text in it can be read on all of some surfaces, away from them.
func readableOn(c colour, on ...colour) colour {
	darkest, lightest, level := 1.0, 0.0, 0.0
	for _, surface := range on {
		l := surface.luminance()
		darkest, lightest, level = min(darkest, l), max(lightest, l), level+l
	}
	step, end := -0.005, colour{}
	if level/float64(len(on)) < 0.18 {
		step, end = 0.005, white
	}
	o := c.oklab()
	for ; o.l > 0 && o.l < 1; o.l += step {
		candidate := o.colour().rounded()
		// On its way to black a text has to be darker than the darkest surface, on its way to white lighter than the
		// lightest.
		l := candidate.luminance()
		if step < 0 && (darkest+0.05)/(l+0.05) >= textContrast || step > 0 && (l+0.05)/(lightest+0.05) >= textContrast {
			return candidate
		}
		o.a, o.b = o.a*0.998, o.b*0.998
	}
	return end
}

// rounded is the colour as it is written.
func (c colour) rounded() colour {
	channel := func(v float64) float64 { return math.Round(min(max(v, 0), 1)*255) / 255 }
	return colour{channel(c.r), channel(c.g), channel(c.b)}
}

// tintOf is the colour that tints a site's surfaces; ok is false for a site without one.
func tintOf(styling customization.Styling, dark bool) (tint colour, ok bool) {
	if styling.Tint != nil {
		return themed(styling.Tint.Color, dark)
	}
	if styling.Background == "match" {
		return themed(styling.PrimaryColor, dark)
	}
	return colour{}, false
}

// softShare is how much of a colour its soft background has.
func softShare(dark bool) float64 {
	if dark {
		return softDark
	}
	return softLight
}

// newPalette computes the colours of a site in one theme.
func newPalette(c *customization.Customization, dark bool) palette {
	styling := c.Styling
	p := palette{}
	tint, isTinted := tintOf(styling, dark)
	primary, ok := themed(styling.PrimaryColor, dark)
	if !ok {
		primary = defaultPrimary
	}
	set := func(paints []paint) {
		for _, each := range paints {
			base := each.in(dark)
			if isTinted && each.tint > 0 {
				base = tinted(base, tint, each.tint)
			}
			p[each.name] = base.rounded()
		}
	}
	set(surfaces)
	if styling.Theme == "muted" {
		set(mutedSurfaces)
	}
	set(lines)
	set(inks)

	on := []colour{p["bg"], p["bg-raised"], p["bg-subtle"], p["bg-hover"]}
	if styling.Theme == "gradient" {
		glow := primary
		if isTinted {
			glow = tint
		}
		p["glow"] = glowOf(glow, dark)
		on = append(on, p["glow"])
	}
	p["primary"] = readableWithSoft(primary, on, dark)
	soft := mix(p["primary"], p["bg"], softShare(dark)).rounded()
	for _, each := range inks {
		p[each.name] = readableOn(p[each.name], append(on, soft, p["bg-muted"])...)
	}
	p["current"] = p["primary"]
	if dark {
		p["current"] = standingOut(p["primary"], p["bg"], p["muted"])
	}
	background, text := fill(primary)
	p["primary-fill"], p["on-primary"] = background.rounded(), text.rounded()
	if styling.Theme == "bold" {
		background, text = fill(deep(primary, dark))
		p["strong"], p["on-strong"] = background.rounded(), text.rounded()
	}

	for i, each := range []customization.ThemedColor{styling.InfoColor, styling.SuccessColor, styling.WarningColor,
		styling.DangerColor} {
		tone := tones[i].in(dark)
		if own, ok := themed(each, dark); ok && each != defaultTones[i] {
			tone = own
		}
		p[tones[i].name] = readableWithSoft(tone, on, dark)
		if ownTones(c) {
			p.paintHint(tones[i].name, styling.Theme, on, dark)
		}
	}
	for _, each := range hues {
		p[each.name] = readableWithSoft(each.in(dark), on[:1], dark)
	}
	p.paintCode(styling.CodeTheme.Default, dark, "code-")
	if styling.CodeTheme.OpenAPI != styling.CodeTheme.Default {
		p.paintCode(styling.CodeTheme.OpenAPI, dark, "api-code-")
	}
	p.paintHeader(c, primary, tint, isTinted, dark)
	return p
}

// readableWithSoft is readableOn for a colour that text is also set in on the soft background that is made of it.
func readableWithSoft(c colour, on []colour, dark bool) colour {
	for range 60 {
		found := readableOn(c, on...)
		soft := mix(found, on[0], softShare(dark)).rounded()
		if contrast(found, soft) >= textContrast {
			return found
		}
		o := found.oklab()
		if dark {
			o.l += 0.01
		} else {
			o.l -= 0.01
		}
		c = oklab{min(max(o.l, 0), 1), o.a * 0.995, o.b * 0.995}.colour()
	}
	return readableOn(c, on...)
}

// standingOut makes a colour lighter until it is no dimmer on dark paper than what stands around it. A dark colour is
// readable long before: what is current in a list would be the least of it.
func standingOut(c, paper, around colour) colour {
	wanted := contrast(around, paper)
	o := c.oklab()
	for ; contrast(c, paper) < wanted && o.l < 1; o.l += 0.005 {
		c = o.colour().rounded()
		o.a, o.b = o.a*0.998, o.b*0.998
	}
	return c
}

// glowOf is the light behind the top of a page: of the hue of a colour, pale on white paper and deep on black.
func glowOf(c colour, dark bool) colour {
	o := c.oklab()
	chroma := math.Hypot(o.a, o.b)
	light, most := 0.92, 0.055
	if dark {
		light, most = 0.28, 0.085
	}
	share := 0.0
	if chroma > 0.001 {
		share = min(chroma, most) / chroma
	}
	return oklab{light, o.a * share, o.b * share}.colour().rounded()
}

// deep is a colour for a large surface in the dark theme, where a light one would glare.
func deep(c colour, dark bool) colour {
	o := c.oklab()
	if !dark || o.l <= 0.48 {
		return c
	}
	return fitted(oklab{0.48, o.a, o.b})
}

// fitted takes saturation from a colour that sRGB has not, until it has it: cutting its channels would change its hue.
func fitted(o oklab) colour {
	for range 60 {
		c := o.colour()
		if back := c.oklab(); math.Abs(back.a-o.a)+math.Abs(back.b-o.b)+math.Abs(back.l-o.l) < 0.012 {
			return c
		}
		o.a, o.b = o.a*0.97, o.b*0.97
	}
	return o.colour()
}

// ownTones reports whether the backgrounds of hints are computed: those in assets/site fit its own papers and colours
// only.
func ownTones(c *customization.Customization) bool {
	s := c.Styling
	return s.Theme == "muted" || s.Tint != nil || s.Background == "match" ||
		[4]customization.ThemedColor{s.InfoColor, s.SuccessColor, s.WarningColor, s.DangerColor} != defaultTones
}

// paintHint computes the background and the border of a hint: as light as the paper, and of the hue of its tone. Mixing
// the two would give the dark yellows and browns of warnings a grey one.
func (p palette) paintHint(name, theme string, on []colour, dark bool) {
	ground := p["bg"]
	if theme == "muted" {
		ground = p["bg-raised"]
	}
	tone, base := p[name].oklab(), ground.oklab()
	chroma := math.Hypot(tone.a, tone.b)
	light, most := min(base.l, 0.975), 0.022
	if dark {
		light, most = base.l+0.035, 0.035
	}
	share := 0.0
	if chroma > 0.001 {
		share = min(chroma, most) / chroma
	}
	soft := oklab{light, tone.a * share, tone.b * share}.colour().rounded()
	p[name+"-soft"] = soft
	p[name+"-line"] = mix(p[name], soft, 0.26).rounded()
	p[name] = readableOn(p[name], append(on[:len(on):len(on)], soft)...)
}

var defaultTones = func() [4]customization.ThemedColor {
	s := customization.Default().Styling
	return [4]customization.ThemedColor{s.InfoColor, s.SuccessColor, s.WarningColor, s.DangerColor}
}()

// headerKind is how the bar above the pages is filled: "" when it is not, with the site's colour, a contrasting one, or
// colours of its own.
func headerKind(c *customization.Customization) string {
	switch c.Header.Preset {
	case "bold", "contrast", "none":
		return c.Header.Preset
	case "custom":
		if c.Header.BackgroundColor != nil {
			return "custom"
		}
	}
	if c.Styling.Theme == "bold" {
		return "bold"
	}
	return ""
}

// paintHeader computes the colours of a header that is filled.
func (p palette) paintHeader(c *customization.Customization, primary, tint colour, isTinted, dark bool) {
	var background, text colour
	switch headerKind(c) {
	case "bold":
		if background, text = fill(deep(primary, dark)); isTinted {
			background, text = fill(deep(tint, dark))
		}
	case "contrast":
		background, text = fill(p["heading"])
	case "custom":
		own, ok := themed(*c.Header.BackgroundColor, dark)
		if !ok {
			own = primary
		}
		if background, text = fill(own); c.Header.LinkColor != nil {
			if link, ok := themed(*c.Header.LinkColor, dark); ok {
				text = link
			}
		}
	default:
		return
	}
	background = background.rounded()
	// What stands in the bar, such as the search field, goes away from the text, so that it is easier to read on.
	field := mix(colour{}, background, 0.14).rounded()
	if background.luminance() >= 0.18 {
		field = mix(white, background, 0.4).rounded()
	}
	p["top-bg"], p["top-field"] = background, field
	p["top-text"] = readableOn(text, background, field)
	p["top-line"] = mix(p["top-text"], background, 0.22).rounded()
	for share := 0.84; ; share += 0.02 {
		muted := mix(p["top-text"], background, min(share, 1)).rounded()
		if share >= 1 {
			muted = p["top-text"]
		}
		if share >= 1 || contrast(muted, background) >= textContrast && contrast(muted, field) >= textContrast {
			p["top-muted"] = muted
			return
		}
	}
}

// defaults are the palettes of a site that nobody has customized: the values that assets/site has already.
var defaults = func() [2]palette {
	plain := customization.Default()
	return [2]palette{newPalette(&plain, false), newPalette(&plain, true)}
}()

// properties are the custom properties in which two palettes differ from those of assets/site, and the three of the
// primary colour, which it has not.
func properties(light, dark palette) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(light)) {
		always := name == "primary" || name == "primary-fill" || name == "on-primary"
		if !always && light[name] == defaults[0][name] && dark[name] == defaults[1][name] && has(defaults[0], name) {
			continue
		}
		// The style sheet takes the primary colour where there is no other.
		if name == "current" && light[name] == light["primary"] && dark[name] == dark["primary"] {
			continue
		}
		b.WriteString("--" + name + ":light-dark(" + light[name].String() + "," + dark[name].String() + ");")
	}
	return strings.TrimSuffix(b.String(), ";")
}

func has(p palette, name string) bool {
	_, ok := p[name]
	return ok
}
