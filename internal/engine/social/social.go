// Package social draws the pictures that stand for pages where somebody else shows links to them.
//
// A picture has the title and the description of a page and the name, the mark and the colour of its site, in the fonts
// and with the shaping of package pdf, so in every script that PDFs are set in. Text may be anything: controls are left
// out, what is too long ends with an ellipsis, and the time that a picture takes is bounded. Nothing is kept: fonts are
// read for a picture and let go of with it.
package social

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/direction"
	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
)

// Width and Height are the pixels of a picture: what Open Graph and all that read it ask for.
const (
	Width  = 1200
	Height = 630
)

// Version changes when the same card comes to another picture.
const Version = 1

// Card is what a picture shows.
type Card struct {
	// Site is the name of the site, Title and Description are those of the page.
	Site, Title, Description string
	// Mark is what stands on the mark of the site: a letter or an emoji.
	Mark string
	// Fill is the colour of the mark, Ink that of what stands on it.
	Fill, Ink color.RGBA
	// Language is the tag of the content's language, "" for one that nobody knows. Texts run as their letters do, and
	// as this does where they have none.
	Language string
}

// The longest texts, in characters: more than fit.
const (
	longestTitle       = 240
	longestDescription = 320
	longestName        = 100
)

// Places and sizes on the picture, in pixels.
const (
	margin       = 80
	markSize     = 76
	markTop      = 70
	stripe       = 14
	titleSize    = 72
	smallTitle   = 56
	textSize     = 32
	nameSize     = 34
	contentWidth = Width - 2*margin
)

// The colours of text, those of the light theme.
var (
	paper  = color.RGBA{0xff, 0xff, 0xff, 0xff}
	strong = color.RGBA{0x0e, 0x14, 0x20, 0xff}
	muted  = color.RGBA{0x59, 0x64, 0x75, 0xff}
)

// Draw makes the picture of a card, a PNG.
func Draw(ctx context.Context, card Card) ([]byte, error) {
	title := tidy(card.Title, longestTitle)
	description := tidy(card.Description, longestDescription)
	name := tidy(card.Site, longestName)
	c := newCanvas(card.Language, runsBackwards(card.Language, title, description, name))
	draw.Draw(c.picture, c.picture.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	c.disc(Width-60, 20, 340, blend(card.Fill, paper, 0.07))
	c.disc(Width-60, 20, 210, blend(card.Fill, paper, 0.12))
	foot := image.Rect(0, Height-stripe, Width, Height)
	draw.Draw(c.picture, foot, image.NewUniform(card.Fill), image.Point{}, draw.Src)

	c.mark(tidy(card.Mark, 8), card.Fill, card.Ink)
	if name != title {
		c.write(c.paragraph(name, fonts.SansBold, nameSize, contentWidth-markSize-24-120, 1), box{
			left: margin + markSize + 24, right: margin + markSize + 24, top: markTop + markSize/2 - nameSize*lead/2,
		}, muted)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}

	heading := c.paragraph(title, fonts.SansBold, titleSize, contentWidth, 4)
	if len(heading.lines) > 2 {
		heading = c.paragraph(title, fonts.SansBold, smallTitle, contentWidth, 4)
	}
	rows := 3
	if len(heading.lines) > 3 {
		rows = 2
	}
	text := c.paragraph(description, fonts.Sans, textSize, contentWidth, rows)
	// The text stands in the middle of what is below the mark.
	const gap, above, below = 22.0, float64(markTop + markSize + 24), float64(Height - stripe - 36)
	height := heading.height() + text.height()
	if len(text.lines) > 0 {
		height += gap
	}
	top := above + max(0, (below-above-height)/2)
	c.write(heading, box{left: margin, right: margin, top: top}, strong)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.write(text, box{left: margin, right: margin, top: top + heading.height() + gap}, muted)
	var out bytes.Buffer
	if err := png.Encode(&out, c.picture); err != nil {
		return nil, fmt.Errorf("encode a picture of %d×%d: %w", Width, Height, err)
	}
	return out.Bytes(), nil
}

// mostMarks is how many marks a letter keeps: more than any language writes.
const mostMarks = 5

// tidy is a text on one line, without controls, of at most so many characters.
func tidy(text string, longest int) string {
	text = text[:min(len(text), 16*longest)] // a character has four bytes at most, and blanks fold
	characters := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	kept, marks := characters[:0], 0
	for _, r := range characters {
		if marks++; !unicode.Is(unicode.M, r) {
			marks = 0
		}
		switch {
		case marks > mostMarks:
		case unicode.IsControl(r), r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			// Those that turn text around would turn what stands beside it.
		default:
			kept = append(kept, r)
		}
	}
	if len(kept) > longest {
		return strings.TrimSpace(string(kept[:longest])) + "…"
	}
	return strings.TrimSpace(string(kept))
}

// runsBackwards reports whether a picture runs from right to left: as its title does, or the first text with letters.
func runsBackwards(language string, texts ...string) bool {
	for _, text := range texts {
		if runs := direction.OfText(text); runs != "" {
			return runs == direction.RightToLeft
		}
	}
	return direction.OfLanguage(language) == direction.RightToLeft
}

// blend is a share of a colour over another one.
func blend(over, under color.RGBA, share float64) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*share + float64(b)*(1-share) + 0.5) }
	return color.RGBA{mix(over.R, under.R), mix(over.G, under.G), mix(over.B, under.B), 0xff}
}
