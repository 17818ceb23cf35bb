package theme

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
)

// colour is an sRGB colour, each channel from 0 to 1.
type colour struct{ r, g, b float64 }

var (
	white = colour{1, 1, 1}
	ink   = colour{0x0e / 255.0, 0x14 / 255.0, 0x20 / 255.0} // --heading of the light theme
	// The backgrounds of the two themes: --bg in assets/site/1-base.css.
	paperLight = white
	paperDark  = colour{0x0c / 255.0, 0x0e / 255.0, 0x13 / 255.0}
)

// defaultPrimary is the primary colour of a site that has not chosen one.
var defaultPrimary = colour{0x2f / 255.0, 0x55 / 255.0, 0xd4 / 255.0}

// textContrast is what WCAG 2.2 AA asks of text, with a little in hand for rounding.
const textContrast = 4.55

// softLight and softDark are how much of the primary colour --primary-soft has in the two themes: the background of
// the current page's link and of a selected search hit, on which --primary has to be readable too.
const (
	softLight = 0.09
	softDark  = 0.13
)

// parseColour reads #rgb and #rrggbb.
func parseColour(s string) (colour, bool) {
	if len(s) == 4 && s[0] == '#' {
		s = string([]byte{'#', s[1], s[1], s[2], s[2], s[3], s[3]})
	}
	if len(s) != 7 || s[0] != '#' {
		return colour{}, false
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return colour{}, false
	}
	return colour{float64(n>>16) / 255, float64(n>>8&0xff) / 255, float64(n&0xff) / 255}, true
}

func (c colour) String() string {
	made := c.rgba()
	return fmt.Sprintf("#%02x%02x%02x", made.R, made.G, made.B)
}

// rgba is the colour as pictures have it.
func (c colour) rgba() color.RGBA {
	channel := func(v float64) uint8 { return uint8(math.Round(min(max(v, 0), 1) * 255)) }
	return color.RGBA{channel(c.r), channel(c.g), channel(c.b), 0xff}
}

func linear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func gamma(v float64) float64 {
	if v <= 0.0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// luminance is the relative luminance of WCAG 2.2.
func (c colour) luminance() float64 {
	return 0.2126*linear(c.r) + 0.7152*linear(c.g) + 0.0722*linear(c.b)
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b colour) float64 {
	la, lb := a.luminance(), b.luminance()
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// oklab is a colour in Björn Ottosson's OKLab space: lightness, and two axes of hue.
type oklab struct{ l, a, b float64 }

func (c colour) oklab() oklab {
	r, g, b := linear(c.r), linear(c.g), linear(c.b)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return oklab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// colour returns the nearest sRGB colour, channel by channel.
func (o oklab) colour() colour {
	l := cube(o.l + 0.3963377774*o.a + 0.2158037573*o.b)
	m := cube(o.l - 0.1055613458*o.a - 0.0638541728*o.b)
	s := cube(o.l - 0.0894841775*o.a - 1.2914855480*o.b)
	channel := func(v float64) float64 { return min(max(gamma(min(max(v, 0), 1)), 0), 1) }
	return colour{
		channel(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		channel(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		channel(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}

func cube(v float64) float64 { return v * v * v }

// mix is CSS's color-mix(in oklab, a share, b).
func mix(a, b colour, share float64) colour {
	x, y := a.oklab(), b.oklab()
	return oklab{x.l*share + y.l*(1-share), x.a*share + y.a*(1-share), x.b*share + y.b*(1-share)}.colour()
}

// readable changes the lightness of a colour, and nothing else of it as far as sRGB allows, until text in it can be
// read on the paper and on the soft background made of both.
func readable(c, paper colour) colour {
	step, soft := -0.005, softLight
	if paper.luminance() < 0.5 {
		step, soft = 0.005, softDark
	}
	o := c.oklab()
	for ; o.l > 0 && o.l < 1; o.l += step {
		candidate := o.colour()
		if contrast(candidate, paper) >= textContrast &&
			contrast(candidate, mix(candidate, paper, soft)) >= textContrast {
			return candidate
		}
		// Very light and very dark colours leave sRGB when they are saturated.
		o.a, o.b = o.a*0.998, o.b*0.998
	}
	if step < 0 {
		return ink
	}
	return white
}

// fill returns the nearest colour to c that text is readable on, and the colour of that text.
func fill(c colour) (background, text colour) {
	switch {
	case contrast(c, white) >= textContrast:
		return c, white
	case contrast(c, ink) >= textContrast:
		return c, ink
	}
	o := c.oklab()
	for ; o.l > 0; o.l -= 0.005 {
		if candidate := o.colour(); contrast(candidate, white) >= textContrast {
			return candidate, white
		}
	}
	return ink, white
}
