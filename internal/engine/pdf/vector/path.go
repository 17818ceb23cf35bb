package vector

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// circle is how far the handles of a quarter circle's curve are from its ends.
const circle = 0.5522847498

// shape returns the path of a basic shape.
func shape(start xml.StartElement) (string, error) {
	value := func(name string) float64 { return length(attribute(start, name)) }
	switch start.Name.Local {
	case "path":
		return path(attribute(start, "d"))
	case "line":
		return fmt.Sprintf("%s m %s l ", operands(value("x1"), value("y1")), operands(value("x2"), value("y2"))), nil
	case "polyline", "polygon":
		points := numbers(attribute(start, "points"))
		var b strings.Builder
		for i := 0; i+1 < len(points); i += 2 {
			b.WriteString(operands(points[i], points[i+1]) + map[bool]string{true: " m ", false: " l "}[i == 0])
		}
		if start.Name.Local == "polygon" && b.Len() > 0 {
			b.WriteString("h ")
		}
		return b.String(), nil
	case "circle":
		return ellipse(value("cx"), value("cy"), value("r"), value("r")), nil
	case "ellipse":
		return ellipse(value("cx"), value("cy"), value("rx"), value("ry")), nil
	}
	return rectangle(value("x"), value("y"), value("width"), value("height"), value("rx"), value("ry")), nil
}

func rectangle(x, y, width, height, rx, ry float64) string {
	if width <= 0 || height <= 0 {
		return ""
	}
	if rx <= 0 {
		rx = ry
	}
	if ry <= 0 {
		ry = rx
	}
	rx, ry = min(rx, width/2), min(ry, height/2)
	if rx <= 0 {
		return operands(x, y, width, height) + " re "
	}
	right, bottom := x+width, y+height
	kx, ky := rx*(1-circle), ry*(1-circle)
	return operands(x+rx, y) + " m " + operands(right-rx, y) + " l " + operands(right-kx, y, right, y+ky, right, y+ry) +
		" c " +
		operands(right, bottom-ry) + " l " + operands(right, bottom-ky, right-kx, bottom, right-rx, bottom) + " c " +
		operands(x+rx, bottom) + " l " + operands(x+kx, bottom, x, bottom-ky, x, bottom-ry) + " c " +
		operands(x, y+ry) + " l " + operands(x, y+ky, x+kx, y, x+rx, y) + " c h "
}

func ellipse(x, y, rx, ry float64) string {
	if rx <= 0 || ry <= 0 {
		return ""
	}
	kx, ky := rx*circle, ry*circle
	return operands(x+rx, y) + " m " + operands(x+rx, y+ky, x+kx, y+ry, x, y+ry) + " c " + operands(x-kx, y+ry, x-rx,
		y+ky, x-rx, y) + " c " +
		operands(x-rx, y-ky, x-kx, y-ry, x, y-ry) + " c " + operands(x+kx, y-ry, x+rx, y-ky, x+rx, y) + " c h "
}

// scanner reads the numbers and commands of paths, points and transforms.
type scanner struct{ text string }

func (s *scanner) blank() { s.text = strings.TrimLeft(s.text, " \t\r\n,") }

// number reads a number. Flags are numbers of one digit that need nothing between them.
func (s *scanner) number(flag bool) (float64, bool) {
	s.blank()
	if flag {
		if s.text != "" && (s.text[0] == '0' || s.text[0] == '1') {
			n := float64(s.text[0] - '0')
			s.text = s.text[1:]
			return n, true
		}
		return 0, false
	}
	end, dot, digits := 0, false, false
loop:
	for ; end < len(s.text); end++ {
		switch c := s.text[end]; {
		case c >= '0' && c <= '9':
			digits = true
		case c == '.' && !dot:
			dot = true
		case (c == '-' || c == '+') && (end == 0 || s.text[end-1] == 'e' || s.text[end-1] == 'E'):
		case (c == 'e' || c == 'E') && digits && end+1 < len(s.text) && strings.IndexByte("+-0123456789",
			s.text[end+1]) >= 0:
			dot = true
		default:
			break loop
		}
	}
	n, err := strconv.ParseFloat(s.text[:end], 64)
	if err != nil {
		return 0, false
	}
	s.text = s.text[end:]
	return n, true
}

func numbers(text string) []float64 {
	s := scanner{text}
	var out []float64
	for {
		n, ok := s.number(false)
		if !ok {
			return out
		}
		out = append(out, n)
	}
}

// arity is how many numbers each command of a path takes.
var arity = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

// path turns the data of a path into operators. What follows an error is left out, as browsers do.
func path(data string) (string, error) {
	s := scanner{data}
	var b strings.Builder
	var x, y, startX, startY, handleX, handleY float64
	command, last := byte(0), byte(0)
	for {
		s.blank()
		if s.text == "" {
			return b.String(), nil
		}
		upper := s.text[0] &^ 0x20
		if _, known := arity[upper]; known && s.text[0] >= 'A' {
			command = s.text[0]
			s.text = s.text[1:]
		} else if command == 0 || command&^0x20 == 'Z' {
			return b.String(), nil
		}
		kind, relative := command&^0x20, command >= 'a'
		if last == 0 && kind != 'M' || b.Len() > maxOutput {
			return b.String(), nil
		}
		var v [7]float64
		for i := range arity[kind] {
			n, ok := s.number(kind == 'A' && (i == 3 || i == 4))
			if !ok {
				return b.String(), nil
			}
			if relative && kind != 'A' {
				if kind == 'V' || kind != 'H' && i%2 == 1 {
					n += y
				} else {
					n += x
				}
			} else if relative && i >= 5 {
				n += []float64{x, y}[i-5]
			}
			v[i] = n
		}
		switch kind {
		case 'M':
			x, y = v[0], v[1]
			startX, startY = x, y
			b.WriteString(operands(x, y) + " m ")
			command = 'L' | command&0x20 // further pairs are lines
		case 'L':
			x, y = v[0], v[1]
			b.WriteString(operands(x, y) + " l ")
		case 'H':
			x = v[0]
			b.WriteString(operands(x, y) + " l ")
		case 'V':
			y = v[0]
			b.WriteString(operands(x, y) + " l ")
		case 'C', 'S':
			c := v[:6]
			if kind == 'S' {
				firstX, firstY := x, y
				if last == 'C' || last == 'S' {
					firstX, firstY = 2*x-handleX, 2*y-handleY
				}
				c = []float64{firstX, firstY, v[0], v[1], v[2], v[3]}
			}
			b.WriteString(operands(c...) + " c ")
			handleX, handleY, x, y = c[2], c[3], c[4], c[5]
		case 'Q', 'T':
			middleX, middleY, endX, endY := v[0], v[1], v[2], v[3]
			if kind == 'T' {
				middleX, middleY, endX, endY = x, y, v[0], v[1]
				if last == 'Q' || last == 'T' {
					middleX, middleY = 2*x-handleX, 2*y-handleY
				}
			}
			b.WriteString(operands(x+(middleX-x)*2/3, y+(middleY-y)*2/3, endX+(middleX-endX)*2/3,
				endY+(middleY-endY)*2/3, endX, endY) + " c ")
			handleX, handleY, x, y = middleX, middleY, endX, endY
		case 'A':
			b.WriteString(arc(x, y, v))
			x, y = v[5], v[6]
		case 'Z':
			b.WriteString("h ")
			x, y = startX, startY
		}
		last = kind
	}
}

// arc turns an elliptic arc into curves: radii, rotation, which of the four arcs, and its end (SVG 1.1, F.6).
func arc(x, y float64, v [7]float64) string {
	rx, ry, endX, endY := math.Abs(v[0]), math.Abs(v[1]), v[5], v[6]
	if rx < 1e-9 || ry < 1e-9 || x == endX && y == endY {
		return operands(endX, endY) + " l "
	}
	sin, cos := math.Sincos(v[2] * math.Pi / 180)
	dx, dy := (x-endX)/2, (y-endY)/2
	px, py := cos*dx+sin*dy, -sin*dx+cos*dy
	if over := px*px/(rx*rx) + py*py/(ry*ry); over > 1 {
		rx, ry = rx*math.Sqrt(over), ry*math.Sqrt(over)
	}
	root := math.Sqrt(max(0, (rx*rx*ry*ry-rx*rx*py*py-ry*ry*px*px)/(rx*rx*py*py+ry*ry*px*px)))
	if (v[3] == 1) == (v[4] == 1) {
		root = -root
	}
	cx, cy := root*rx*py/ry, -root*ry*px/rx
	centreX, centreY := cos*cx-sin*cy+(x+endX)/2, sin*cx+cos*cy+(y+endY)/2
	from := math.Atan2((py-cy)/ry, (px-cx)/rx)
	sweep := math.Atan2((-py-cy)/ry, (-px-cx)/rx) - from
	if v[4] == 1 && sweep < 0 {
		sweep += 2 * math.Pi
	} else if v[4] == 0 && sweep > 0 {
		sweep -= 2 * math.Pi
	}
	count := max(1, int(math.Ceil(math.Abs(sweep)/(math.Pi/2)-1e-9)))
	step := sweep / float64(count)
	handle := 4.0 / 3 * math.Tan(step/4)
	point := func(a, b float64) (float64, float64) {
		return centreX + cos*rx*a - sin*ry*b, centreY + sin*rx*a + cos*ry*b
	}
	var b strings.Builder
	for i := range count {
		sinA, cosA := math.Sincos(from + float64(i)*step)
		sinB, cosB := math.Sincos(from + float64(i+1)*step)
		x1, y1 := point(cosA-handle*sinA, sinA+handle*cosA)
		x2, y2 := point(cosB+handle*sinB, sinB-handle*cosB)
		x3, y3 := point(cosB, sinB)
		b.WriteString(operands(x1, y1, x2, y2, x3, y3) + " c ")
	}
	return b.String()
}

// matrix reads a list of transforms.
func matrix(text string) ([6]float64, error) {
	out := [6]float64{1, 0, 0, 1, 0, 0}
	for text = strings.TrimSpace(text); text != "" && text != "none"; text = strings.TrimLeft(text, " \t\r\n,") {
		name, rest, ok := strings.Cut(text, "(")
		inner, after, closed := strings.Cut(rest, ")")
		if !ok || !closed {
			return out, nil
		}
		v := append(numbers(inner), 0, 0, 0, 0, 0, 0)
		given := len(v) - 6
		next := [6]float64{1, 0, 0, 1, 0, 0}
		switch strings.TrimSpace(name) {
		case "matrix":
			next = [6]float64(v[:6])
		case "translate":
			next[4], next[5] = v[0], v[1]
		case "scale":
			next[0], next[3] = v[0], v[1]
			if given < 2 {
				next[3] = v[0]
			}
		case "rotate":
			sin, cos := math.Sincos(v[0] * math.Pi / 180)
			next = [6]float64{cos, sin, -sin, cos, v[1] - cos*v[1] + sin*v[2], v[2] - sin*v[1] - cos*v[2]}
		case "skewX":
			next[2] = math.Tan(v[0] * math.Pi / 180)
		case "skewY":
			next[1] = math.Tan(v[0] * math.Pi / 180)
		default:
			return out, fmt.Errorf("%w: transform %.20q", ErrUnsupported, name)
		}
		out = multiply(out, next)
		text = after
	}
	return out, nil
}

// multiply returns the transform that does b and then a.
func multiply(a, b [6]float64) [6]float64 {
	return [6]float64{
		a[0]*b[0] + a[2]*b[1], a[1]*b[0] + a[3]*b[1], a[0]*b[2] + a[2]*b[3], a[1]*b[2] + a[3]*b[3],
		a[0]*b[4] + a[2]*b[5] + a[4], a[1]*b[4] + a[3]*b[5] + a[5],
	}
}
