package social

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
	"github.com/rectodocs/recto/internal/engine/pdf/shaping"
)

// lead is the height of a line as a share of the size of its text, rise how far its baseline is below its top.
const (
	lead = 1.28
	rise = 0.98
)

// canvas is a picture that is drawn. It is for one goroutine.
type canvas struct {
	picture     *image.RGBA
	pen         *vector.Rasterizer
	shaper      *shaping.Shaper
	rightToLeft bool
	outlines    map[fonts.Face]*sfnt.Font
	buffer      sfnt.Buffer
}

func newCanvas(language string, rightToLeft bool) *canvas {
	return &canvas{
		picture: image.NewRGBA(image.Rect(0, 0, Width, Height)), pen: vector.NewRasterizer(Width, Height),
		shaper: shaping.New(fonts.NewSet(), language), rightToLeft: rightToLeft,
		outlines: map[fonts.Face]*sfnt.Font{},
	}
}

// paint fills what the pen has drawn.
func (c *canvas) paint(with color.RGBA) {
	c.pen.Draw(c.picture, c.picture.Bounds(), image.NewUniform(with), image.Point{})
	c.pen.Reset(Width, Height)
	c.pen.DrawOp = draw.Over
}

// mirrored is where something of a width stands that is at x on a picture that runs from left to right.
func (c *canvas) mirrored(x, width float64) float64 {
	if c.rightToLeft {
		return Width - x - width
	}
	return x
}

// round is how far the handles of a curve are out that is a quarter of a circle.
const round = 0.5523

// disc fills a circle.
func (c *canvas) disc(x, y, radius float64, with color.RGBA) {
	c.rounded(c.mirrored(x-radius, 2*radius), y-radius, 2*radius, radius, with)
}

// rounded fills a square with rounded corners.
func (c *canvas) rounded(x, y, size, corner float64, with color.RGBA) {
	l, t, r, b, k := float32(x), float32(y), float32(x+size), float32(y+size), float32(corner)
	h := k * (1 - round)
	c.pen.MoveTo(l+k, t)
	c.pen.LineTo(r-k, t)
	c.pen.CubeTo(r-h, t, r, t+h, r, t+k)
	c.pen.LineTo(r, b-k)
	c.pen.CubeTo(r, b-h, r-h, b, r-k, b)
	c.pen.LineTo(l+k, b)
	c.pen.CubeTo(l+h, b, l, b-h, l, b-k)
	c.pen.LineTo(l, t+k)
	c.pen.CubeTo(l, t+h, l+h, t, l+k, t)
	c.pen.ClosePath()
	c.paint(with)
}

// mark draws the mark of the site with a letter in its middle.
func (c *canvas) mark(letter string, fill, ink color.RGBA) {
	x := c.mirrored(margin, markSize)
	c.rounded(x, markTop, markSize, markSize/4, fill)
	const size = markSize * 0.56
	p := c.paragraph(letter, fonts.SansBold, size, markSize, 1)
	if len(p.lines) == 0 {
		return
	}
	l := p.lines[0]
	c.line(l, size, x+(markSize-l.width)/2, markTop+markSize/2+size*0.36)
	c.paint(ink)
}

// paragraph is text on lines.
type paragraph struct {
	lines []line
	size  float64
}

func (p paragraph) height() float64 { return float64(len(p.lines)) * p.size * lead }

// line is what stands on a line, from left to right.
type line struct {
	pieces []shaping.Piece
	width  float64
	text   string // in the order of reading
}

// paragraph breaks a text into at most so many lines of a width. What does not fit is cut with an ellipsis.
func (c *canvas) paragraph(text string, face fonts.Face, size, width float64, most int) paragraph {
	broken := c.broken(text, face, size, width)
	if len(broken) > most {
		var fits strings.Builder
		for _, l := range broken[:most] {
			fits.WriteString(l.text)
		}
		kept := []rune(fits.String())
		for len(broken) > most && len(kept) > 0 {
			broken = c.broken(strings.TrimRight(string(kept), " .,;:…")+"…", face, size, width)
			kept = kept[:len(kept)-1]
		}
	}
	for _, l := range broken {
		shaping.Visual(l.pieces, func(p shaping.Piece) int8 { return p.Level })
	}
	return paragraph{broken, size}
}

// broken breaks a text into lines of a width, with their pieces in the order of reading.
func (c *canvas) broken(text string, face fonts.Face, size, width float64) []line {
	if text == "" {
		return nil
	}
	// Shaped words come from the memory of the shaper, but the slice of pieces is its own.
	pieces := slices.Clone(c.shaper.Pieces([]shaping.Span{{Text: text, Face: face}}, c.rightToLeft))
	var out []line
	var current line
	wide := func(p shaping.Piece) float64 { return float64(p.Width) * size / 1000 }
	put := func(p shaping.Piece) {
		current.pieces, current.width = append(current.pieces, p), current.width+wide(p)
		current.text += string(p.Text)
	}
	finish := func() {
		for end := len(current.pieces) - 1; end >= 0 && current.pieces[end].Space; end-- {
			current.width -= wide(current.pieces[end])
			current.pieces = current.pieces[:end]
		}
		if len(current.pieces) > 0 {
			out = append(out, current)
		}
		current = line{}
	}
	for at := 0; at < len(pieces); {
		if pieces[at].Space {
			if len(current.pieces) > 0 {
				put(pieces[at])
			}
			at++
			continue
		}
		// What stays together: up to the next place where a line may end.
		end, group := at+1, wide(pieces[at])
		for end < len(pieces) && !pieces[end].Space && !pieces[end].MayBreak {
			group += wide(pieces[end])
			end++
		}
		if current.width+group > width && len(current.pieces) > 0 {
			finish()
		}
		for _, p := range pieces[at:end] {
			for current.width+wide(p) > width {
				head, tail, ok := c.shaper.Cut(p, int((width-current.width)*1000/size), len(current.pieces) == 0)
				if ok {
					put(head)
				}
				finish()
				if p = tail; len(p.Text) == 0 {
					break
				}
			}
			if len(p.Text) > 0 {
				put(p)
			}
		}
		at = end
	}
	finish()
	return out
}

// box is where text stands: its top, and how far it is from the sides on which lines begin.
type box struct{ left, right, top float64 }

// write draws the lines of a paragraph.
func (c *canvas) write(p paragraph, in box, with color.RGBA) {
	baseline := in.top + p.size*rise
	for _, l := range p.lines {
		x := in.left
		if c.rightToLeft {
			x = Width - in.right - l.width
		}
		c.line(l, p.size, x, baseline)
		baseline += p.size * lead
	}
	c.paint(with)
}

// line draws the outlines of a line with the pen.
func (c *canvas) line(l line, size, x, baseline float64) {
	for _, p := range l.pieces {
		for _, glyph := range p.Glyphs {
			c.glyph(p.Face, glyph.ID, size, x+float64(glyph.X)*size/1000, baseline-float64(glyph.Y)*size/1000)
			x += float64(glyph.Advance) * size / 1000
		}
	}
}

// glyph draws the outline of a glyph with the pen. One that is broken is left out.
func (c *canvas) glyph(face fonts.Face, id uint16, size, x, y float64) {
	font := c.outlines[face]
	if font == nil {
		data, err := fonts.File(face)
		if err == nil {
			font, err = sfnt.Parse(data)
		}
		if err != nil {
			// The files are part of the program and tested; a broken one is a defect of the build.
			panic(fmt.Errorf("load the outlines of %s: %w", face.Name(), err))
		}
		c.outlines[face] = font
	}
	segments, err := font.LoadGlyph(&c.buffer, sfnt.GlyphIndex(id), fixed.Int26_6(size*64), nil)
	if err != nil {
		return
	}
	at := func(p fixed.Point26_6) (float32, float32) {
		return float32(x + float64(p.X)/64), float32(y + float64(p.Y)/64)
	}
	for _, each := range segments {
		ax, ay := at(each.Args[0])
		switch each.Op {
		case sfnt.SegmentOpMoveTo:
			c.pen.ClosePath()
			c.pen.MoveTo(ax, ay)
		case sfnt.SegmentOpLineTo:
			c.pen.LineTo(ax, ay)
		case sfnt.SegmentOpQuadTo:
			bx, by := at(each.Args[1])
			c.pen.QuadTo(ax, ay, bx, by)
		case sfnt.SegmentOpCubeTo:
			bx, by := at(each.Args[1])
			dx, dy := at(each.Args[2])
			c.pen.CubeTo(ax, ay, bx, by, dx, dy)
		}
	}
	c.pen.ClosePath()
}
