// Package vector turns SVG drawings into the operators of a PDF.
//
// It draws shapes, paths and text with plain colours, as diagrams have them: groups, transforms, style attributes and
// simple style sheets. A gradient becomes its middle colour, and what is half transparent a lighter one. A drawing that
// needs more (embedded images and HTML, masks, filters, reused parts) is refused with ErrUnsupported rather than drawn
// wrong. Drawings are hostile: their size, depth and output are limited, and nothing they name is ever loaded.
package vector

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ErrUnsupported says that a drawing needs what this package does not draw.
var ErrUnsupported = errors.New("the drawing uses more of SVG than is drawn")

// Limits of a drawing.
const (
	maxElements = 50_000
	maxDepth    = 200
	maxOutput   = 8 << 20
	maxSide     = 20_000.0
)

// Drawing is a drawing as operators. Its coordinates are points from the lower left corner, a pixel a point.
type Drawing struct {
	Content       []byte
	Width, Height float64
}

// Type is how a text is set.
type Type struct {
	Bold, Italic, Mono bool
	Size               float64
}

// Setter sets text: it returns how wide a text is, and the operators that show it between BT and ET, without its place.
// Each run begins where the one before it has ended.
type Setter func(text string, t Type) (width float64, runs []Run)

// Run is a stretch of text in one font: the operand of Tf without its size, the operators that show it, and how wide it
// is.
type Run struct {
	Font, Operators string
	Width           float64
}

// Draw reads a drawing.
func Draw(data []byte, set Setter) (Drawing, error) {
	d := &drawer{set: set, decoder: xml.NewDecoder(bytes.NewReader(data)), rules: map[string]map[string]string{},
		gradients: map[string]int{}}
	d.decoder.Strict = false
	d.decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	d.decoder.Entity = xml.HTMLEntity
	if err := d.definitions(data); err != nil {
		return Drawing{}, err
	}
	for {
		token, err := d.decoder.Token()
		if err != nil {
			return Drawing{}, fmt.Errorf("find the drawing: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if start.Name.Local != "svg" {
				return Drawing{}, fmt.Errorf("%w: it is no SVG", ErrUnsupported)
			}
			return d.root(start)
		}
	}
}

type drawer struct {
	set      Setter
	decoder  *xml.Decoder
	out      bytes.Buffer
	elements int
	rules    map[string]map[string]string // by ".class" or element
	// gradients are their middle colours by id.
	gradients map[string]int
}

// look is what elements inherit.
type look struct {
	fill, stroke               int // 0xRRGGBB, -1 for none
	fillOpacity, strokeOpacity float64
	strokeWidth                float64
	dashes, cap, join          string
	evenOdd, hidden            bool
	text                       Type
	anchor, baseline           string
	// textScale is how wide text is set, for fonts that are narrower than ours.
	textScale float64
}

// root draws the outermost element.
func (d *drawer) root(start xml.StartElement) (Drawing, error) {
	box := numbers(attribute(start, "viewBox"))
	width, height := length(attribute(start, "width")), length(attribute(start, "height"))
	if len(box) != 4 || !(box[2] > 0) || !(box[3] > 0) {
		if width <= 0 || height <= 0 {
			width, height = 300, 150
		}
		box = []float64{0, 0, width, height}
	}
	switch {
	case width <= 0 && height <= 0:
		width, height = box[2], box[3]
	case width <= 0:
		width = height * box[2] / box[3]
	case height <= 0:
		height = width * box[3] / box[2]
	}
	if !(width <= maxSide) || !(height <= maxSide) {
		return Drawing{}, fmt.Errorf("%w: it is too large", ErrUnsupported)
	}
	scale := min(width/box[2], height/box[3])
	left, top := (width-scale*box[2])/2-scale*box[0], (height-scale*box[3])/2-scale*box[1]
	fmt.Fprintf(&d.out, "q %s cm\n", operands(scale, 0, 0, -scale, left, height-top))
	initial := look{fill: 0, stroke: -1, fillOpacity: 1, strokeOpacity: 1, strokeWidth: 1, text: Type{Size: 16},
		textScale: 1}
	initial.apply(d.style(start), d)
	if err := d.children(initial, 1); err != nil {
		return Drawing{}, err
	}
	d.out.WriteString("Q\n")
	return Drawing{Content: d.out.Bytes(), Width: width, Height: height}, nil
}

// children draws elements up to the end of the one around them.
func (d *drawer) children(around look, depth int) error {
	for {
		token, err := d.decoder.Token()
		if err != nil {
			return fmt.Errorf("read the drawing: %w", err)
		}
		switch t := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if d.elements++; d.elements > maxElements || depth > maxDepth || d.out.Len() > maxOutput {
				return fmt.Errorf("%w: it is too large", ErrUnsupported)
			}
			if err := d.element(t, around, depth); err != nil {
				return err
			}
		}
	}
}

func (d *drawer) element(start xml.StartElement, l look, depth int) error {
	switch start.Name.Local {
	case "title", "desc", "metadata", "defs", "style", "linearGradient", "radialGradient", "marker", "symbol",
		"clipPath", "namedview", "script":
		return d.decoder.Skip() // says nothing by itself
	case "g", "a", "switch", "svg", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text":
	default:
		if start.Name.Space != "" && !strings.Contains(start.Name.Space, "www.w3.org/2000/svg") {
			return d.decoder.Skip() // an editor's own notes
		}
		return fmt.Errorf("%w: <%.40s>", ErrUnsupported, start.Name.Local)
	}
	style := d.style(start)
	for _, name := range []string{"mask", "filter"} {
		if value := style[name]; value != "" && value != "none" {
			return fmt.Errorf("%w: %s", ErrUnsupported, name)
		}
	}
	if style["display"] == "none" {
		return d.decoder.Skip()
	}
	l.apply(style, d)
	transform, err := matrix(firstOf(style["transform"], attribute(start, "transform")))
	if err != nil {
		return err
	}
	if start.Name.Local == "svg" {
		transform = multiply(transform, [6]float64{1, 0, 0, 1, length(attribute(start, "x")),
			length(attribute(start, "y"))})
	}
	fmt.Fprintf(&d.out, "q %s cm\n", operands(transform[:]...))
	switch start.Name.Local {
	case "g", "a", "switch", "svg":
		err = d.children(l, depth+1)
	case "text":
		err = d.text(start, l)
	default:
		var path string
		if path, err = shape(start); err == nil {
			d.paint(path, l, start.Name.Local == "line")
			err = d.decoder.Skip()
		}
	}
	d.out.WriteString("Q\n")
	return err
}

// paint fills and strokes a path.
func (d *drawer) paint(path string, l look, line bool) {
	fill, stroke := l.fill >= 0 && !line && l.fillOpacity > 0.01, l.stroke >= 0 && l.strokeWidth > 0 &&
		l.strokeOpacity > 0.01
	if l.hidden || path == "" || !fill && !stroke {
		return
	}
	if fill {
		fmt.Fprintf(&d.out, "%s rg ", colour(l.fill, l.fillOpacity))
	}
	if stroke {
		fmt.Fprintf(&d.out, "%s RG %s w %s %s %s ", colour(l.stroke, l.strokeOpacity), number(l.strokeWidth), l.dashes,
			l.cap, l.join)
	}
	d.out.WriteString(path)
	operator := map[[2]bool]string{{true, true}: "B", {true, false}: "f", {false, true}: "S"}[[2]bool{fill, stroke}]
	if fill && l.evenOdd {
		operator += "*"
	}
	d.out.WriteString(operator + "\n")
}

// text draws a text and the spans in it.
func (d *drawer) text(start xml.StartElement, l look) error {
	x, y := place(start, 0, 0)
	type level struct{ look look }
	stack := []level{{l}}
	for {
		token, err := d.decoder.Token()
		if err != nil {
			return fmt.Errorf("read the drawing: %w", err)
		}
		current := stack[len(stack)-1].look
		switch t := token.(type) {
		case xml.EndElement:
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return nil
			}
		case xml.StartElement:
			if d.elements++; d.elements > maxElements || len(stack) > maxDepth {
				return fmt.Errorf("%w: it is too large", ErrUnsupported)
			}
			switch t.Name.Local {
			case "tspan", "a":
				current.apply(d.style(t), d)
				x, y = place(t, x, y)
				stack = append(stack, level{current})
			case "title", "desc":
				if err := d.decoder.Skip(); err != nil {
					return err
				}
			default:
				return fmt.Errorf("%w: <%.40s> in text", ErrUnsupported, t.Name.Local)
			}
		case xml.CharData:
			x = d.words(string(t), x, y, current)
		}
	}
}

// words draws characters from a place on and returns where they end.
func (d *drawer) words(text string, x, y float64, l look) float64 {
	leading := strings.TrimLeft(text, " \t\r\n") != text && x != 0
	trimmed := strings.Join(strings.Fields(text), " ")
	if trimmed == "" {
		return x
	}
	if leading && l.anchor == "" {
		trimmed = " " + trimmed
	}
	if l.text.Size = math.Abs(l.text.Size); !(l.text.Size > 0.1) || !(l.text.Size < 2000) {
		return x
	}
	width, runs := d.set(trimmed, l.text)
	width *= l.textScale
	at := x
	switch l.anchor {
	case "middle":
		at -= width / 2
	case "end":
		at -= width
	}
	switch l.baseline {
	case "middle", "central":
		y += l.text.Size * 0.35
	case "hanging", "text-before-edge":
		y += l.text.Size * 0.8
	}
	end := at + width
	if !l.hidden && l.fill >= 0 {
		for _, r := range runs {
			fmt.Fprintf(&d.out, "BT /%s %s Tf %s rg %s 0 0 -1 %s %s Tm %s ET\n", r.Font, number(l.text.Size),
				colour(l.fill, l.fillOpacity), number(l.textScale), number(at), number(y), r.Operators)
			at += r.Width * l.textScale
		}
	}
	return end
}

// place reads x, y, dx and dy, of which the first values count.
func place(start xml.StartElement, x, y float64) (float64, float64) {
	first := func(name string, otherwise float64) float64 {
		if value := attribute(start, name); value != "" {
			part, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(value, ",", " ")), " ")
			if em, ok := strings.CutSuffix(part, "em"); ok {
				if n, err := strconv.ParseFloat(em, 64); err == nil {
					return n * 16
				}
			}
			return length(part)
		}
		return otherwise
	}
	return first("x", x) + first("dx", 0), first("y", y) + first("dy", 0)
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func number(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "0"
	}
	return strconv.FormatFloat(math.Round(min(max(f, -1e6), 1e6)*1000)/1000, 'f', -1, 64)
}

func operands(values ...float64) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = number(v)
	}
	return strings.Join(parts, " ")
}
