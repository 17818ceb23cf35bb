package pdf

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/engine/pdf/output"
)

// Sizes in points. A sheet is A4; text stands between the margins.
const (
	sheetWidth, sheetHeight = 595.28, 841.89
	marginLeft, marginRight = 62.0, 62.0
	marginTop, marginBottom = 72.0, 70.0
	textWidth               = sheetWidth - marginLeft - marginRight
	textHeight              = sheetHeight - marginTop - marginBottom
)

// colour is 0xRRGGBB.
type colour int

const (
	ink        colour = 0x1f2328
	muted      colour = 0x656d76
	faint      colour = 0xd0d7de
	linkInk    colour = 0x0b57d0
	accent     colour = 0x2456d6
	codeFill   colour = 0xf6f8fa
	markFill   colour = 0xeef1f4
	headFill   colour = 0xf1f3f6
	brightFill colour = 0xfff6d6
	addedFill  colour = 0xdafbe1
	goneFill   colour = 0xffebe9
	none       colour = -1
)

func (c colour) operands() string {
	return fmt.Sprintf("%.3g %.3g %.3g", float64(c>>16&0xFF)/255, float64(c>>8&0xFF)/255, float64(c&0xFF)/255)
}

// sheet is the page that is being drawn. Its coordinates are points from the upper left corner, downwards.
type sheet struct {
	page  output.Page
	file  *output.File
	body  bytes.Buffer
	links []output.Link
	empty bool
	// rightToLeft says that coordinates are from the upper right corner instead, to the left: everything stands as in
	// a mirror, but for letters and pictures.
	rightToLeft bool
}

// left is the distance from the left edge of the sheet of something that is so wide.
func (s *sheet) left(x, width float64) float64 {
	if s.rightToLeft {
		return sheetWidth - x - width
	}
	return x
}

// faces returns the words in parts of one font each, at a size.
func (w words) faces(size float64) []words {
	var out []words
	for start := 0; start < len(w.runs); {
		end, width := start, 0
		for end < len(w.runs) && w.runs[end].Face == w.runs[start].Face {
			width += w.runs[end].Width
			end++
		}
		out = append(out, words{w.runs[start:end], float64(width) * size / 1000})
		start = end
	}
	return out
}

// text draws words with their baseline at y and returns where they end.
func (s *sheet) text(x, y float64, w words, look look) float64 {
	at := s.left(x, w.width)
	for _, part := range w.faces(look.size) {
		name, operators := s.file.Show(look.size, part.runs...)
		slant, stroke := "0", ""
		// Not every font has all weights and italics: slant and strengthen what there is.
		if look.italic && !part.runs[0].Face.Italic() {
			slant = "0.2"
		}
		if look.bold && !part.runs[0].Face.Bold() {
			stroke = fmt.Sprintf("2 Tr %.2f w %s RG ", look.size*0.03, look.colour.operands())
		}
		if operators != "" {
			fmt.Fprintf(&s.body, "BT /%s %.4g Tf %s rg %s1 0 %s 1 %.2f %.2f Tm %s ET\n",
				name, look.size, look.colour.operands(), stroke, slant, at, sheetHeight-y+look.rise, operators)
		}
		if stroke != "" {
			s.body.WriteString("0 Tr\n")
		}
		at += part.width
	}
	return x + w.width
}

func (s *sheet) fill(x, y, width, height float64, c colour) {
	if c == none || width <= 0 || height <= 0 {
		return
	}
	fmt.Fprintf(&s.body, "%s rg %.2f %.2f %.2f %.2f re f\n",
		c.operands(), s.left(x, width), sheetHeight-y-height, width, height)
}

// frame draws the outline of a rectangle.
func (s *sheet) frame(x, y, width, height float64, c colour) {
	fmt.Fprintf(&s.body, "%s RG 0.6 w %.2f %.2f %.2f %.2f re S\n",
		c.operands(), s.left(x, width), sheetHeight-y-height, width, height)
}

func (s *sheet) rule(x, y, width float64, c colour) { s.fill(x, y, width, 0.6, c) }

// dots draws a dotted line, which is no text that would be copied.
func (s *sheet) dots(from, to, y float64) {
	if to > from {
		fmt.Fprintf(&s.body, "q %s RG 0.9 w 1 J [0 4.5] 0 d %.2f %.2f m %.2f %.2f l S Q\n",
			faint.operands(), s.left(to, 0), sheetHeight-y, s.left(from, 0), sheetHeight-y)
	}
}

func (s *sheet) image(x, y, width, height float64, image output.Image) {
	fmt.Fprintf(&s.body, "q %.2f 0 0 %.2f %.2f %.2f cm /%s Do Q\n",
		width, height, s.left(x, width), sheetHeight-y-height, image.Name())
}

// link makes an area lead somewhere.
func (s *sheet) link(x, y, width, height float64, to *target) {
	if to == nil || to.broken() || width <= 0 {
		return
	}
	x = s.left(x, width)
	s.links = append(s.links, output.Link{
		Left: x, Right: x + width, Top: sheetHeight - y, Bottom: sheetHeight - y - height,
		Place: to.place, Otherwise: to.otherwise, URL: to.url,
	})
}

func (s *sheet) place(name string, y float64) {
	s.file.Place(name, s.page, min(sheetHeight-y+12, sheetHeight))
}

// target is where a link leads: to a named place of the book, or to an address.
type target struct{ place, otherwise, url string }

func (t *target) broken() bool { return t.place == "" && t.url == "" }

// pagePlace names a page of the book, anchorPlace a heading in it.
func pagePlace(page string) string { return "page/" + page }

func anchorPlace(page, anchor string) string {
	const longest = 200
	if len(anchor) > longest {
		anchor = anchor[:longest]
	}
	return "page/" + page + "#" + anchor
}

// webAddress reports whether an address may stand in a link.
func webAddress(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	if !ok || len(address) > 2000 {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "tel":
		return true
	}
	return false
}
