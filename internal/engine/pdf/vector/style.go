package vector

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strconv"
	"strings"
)

// definitions reads the style sheets and gradients of a drawing, which may stand behind where they are used.
func (d *drawer) definitions(data []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict, decoder.CharsetReader, decoder.Entity = false, d.decoder.CharsetReader, d.decoder.Entity
	gradient, stops, sheet := "", []int(nil), false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the drawing: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "style":
				sheet = true
			case "linearGradient", "radialGradient":
				gradient, stops = attribute(t, "id"), nil
			case "stop":
				style := declarations(attribute(t, "style"))
				if c, ok := parseColour(firstOf(style["stop-color"], attribute(t, "stop-color"), "black")); ok &&
					len(stops) < 100 {
					stops = append(stops, c)
				}
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "style":
				sheet = false
			case "linearGradient", "radialGradient":
				if len(stops) > 0 {
					d.gradients[gradient] = middle(stops)
				}
			}
		case xml.CharData:
			if sheet {
				d.readSheet(string(t))
			}
		}
	}
}

// middle is the mean of colours.
func middle(colours []int) int {
	red, green, blue := 0, 0, 0
	for _, c := range colours {
		red, green, blue = red+c>>16&0xFF, green+c>>8&0xFF, blue+c&0xFF
	}
	n := len(colours)
	return red/n<<16 | green/n<<8 | blue/n
}

var rule = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)

// readSheet takes the rules of plain selectors: elements and classes.
func (d *drawer) readSheet(sheet string) {
	for _, match := range rule.FindAllStringSubmatch(sheet, 2000) {
		for selector := range strings.SplitSeq(match[1], ",") {
			selector = strings.TrimSpace(selector)
			if selector == "" || strings.ContainsAny(selector, " >+~:[#@*") || strings.LastIndexByte(selector,
				'.') > 0 {
				continue
			}
			if d.rules[selector] == nil {
				d.rules[selector] = map[string]string{}
			}
			maps.Copy(d.rules[selector], declarations(match[2]))
		}
	}
}

func declarations(text string) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ";") {
		if name, value, ok := strings.Cut(part, ":"); ok {
			out[strings.TrimSpace(name)] = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		}
	}
	return out
}

// style returns the properties of an element: of its attributes, then rules, then its own style.
func (d *drawer) style(start xml.StartElement) map[string]string {
	style := map[string]string{}
	for _, a := range start.Attr {
		if a.Name.Space == "" {
			style[a.Name.Local] = strings.TrimSpace(a.Value)
		}
	}
	merge := func(from map[string]string) {
		maps.Copy(style, from)
	}
	merge(d.rules[start.Name.Local])
	for class := range strings.FieldsSeq(attribute(start, "class")) {
		merge(d.rules["."+class])
	}
	merge(declarations(attribute(start, "style")))
	return style
}

// apply changes what an element inherits by its own properties.
func (l *look) apply(style map[string]string, d *drawer) {
	paint := func(name string, to *int) {
		switch value := style[name]; {
		case value == "" || value == "inherit":
		case value == "none" || value == "transparent":
			*to = -1
		case strings.HasPrefix(value, "url("):
			id := strings.Trim(strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(value, "url("), ")")), `"'#`)
			if c, ok := d.gradients[id]; ok {
				*to = c
			} else {
				*to = -1
			}
		default:
			if c, ok := parseColour(value); ok {
				*to = c
			}
		}
	}
	paint("fill", &l.fill)
	paint("stroke", &l.stroke)
	opacity := func(name string, to *float64, times bool) {
		value, percent := strings.CutSuffix(style[name], "%")
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			if percent {
				n /= 100
			}
			if n = min(max(n, 0), 1); times {
				n *= *to
			}
			*to = n
		}
	}
	opacity("fill-opacity", &l.fillOpacity, false)
	opacity("stroke-opacity", &l.strokeOpacity, false)
	opacity("opacity", &l.fillOpacity, true)
	opacity("opacity", &l.strokeOpacity, true)
	if value := style["stroke-width"]; value != "" {
		l.strokeWidth = length(value)
	}
	if value := style["stroke-dasharray"]; value != "" {
		l.dashes = ""
		if parts := numbers(value); len(parts) > 0 && len(parts) <= 16 && value != "none" {
			for i := range parts {
				parts[i] = max(parts[i], 0)
			}
			if sum(parts) > 0 {
				l.dashes = "[" + operands(parts...) + "] 0 d"
			}
		}
	}
	l.cap = firstOf(map[string]string{"round": "1 J", "square": "2 J", "butt": "0 J"}[style["stroke-linecap"]], l.cap)
	l.join = firstOf(map[string]string{"round": "1 j", "bevel": "2 j", "miter": "0 j"}[style["stroke-linejoin"]],
		l.join)
	if value := style["fill-rule"]; value != "" {
		l.evenOdd = value == "evenodd"
	}
	if value := style["visibility"]; value != "" {
		l.hidden = value == "hidden" || value == "collapse"
	}
	l.applyText(style)
}

func (l *look) applyText(style map[string]string) {
	if value := style["font-size"]; value != "" {
		if em, ok := strings.CutSuffix(value, "em"); ok {
			if n, err := strconv.ParseFloat(em, 64); err == nil {
				l.text.Size *= n
			}
		} else if n := length(value); n > 0 {
			l.text.Size = n
		}
	}
	if value := style["font-weight"]; value != "" {
		n, err := strconv.Atoi(value)
		l.text.Bold = value == "bold" || value == "bolder" || err == nil && n >= 600
	}
	if value := style["font-style"]; value != "" {
		l.text.Italic = value == "italic" || value == "oblique"
	}
	if value := strings.ToLower(style["font-family"]); value != "" {
		l.text.Mono = strings.Contains(value, "mono") || strings.Contains(value, "courier") || strings.Contains(value,
			"consolas")
		// Widths beside those of Noto Sans.
		switch first, _, _ := strings.Cut(value, ","); {
		case l.text.Mono:
			l.textScale = 1
		case strings.Contains(first, "times") || strings.Contains(first, "georgia") ||
			strings.TrimSpace(first) == "serif":
			l.textScale = 0.83
		case strings.Contains(first, "arial") || strings.Contains(first, "helvetica") || strings.Contains(first,
			"roboto"):
			l.textScale = 0.93
		default:
			l.textScale = 1
		}
	}
	if value := style["text-anchor"]; value != "" {
		l.anchor = map[string]string{"middle": "middle", "end": "end"}[value]
	}
	if value := firstOf(style["dominant-baseline"], style["alignment-baseline"]); value != "" {
		l.baseline = value
	}
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// colour is a colour on white paper as operands: half transparent is half white.
func colour(c int, opacity float64) string {
	part := func(shift int) float64 { return 1 - (1-float64(c>>shift&0xFF)/255)*opacity }
	return operands(part(16), part(8), part(0))
}

// parseColour reads #rgb, #rrggbb, rgb() and the common names.
func parseColour(text string) (int, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		if len(digits) == 3 || len(digits) == 4 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		if len(digits) == 8 {
			digits = digits[:6]
		}
		n, err := strconv.ParseUint(digits, 16, 32)
		return int(n), err == nil && len(digits) == 6
	}
	if inner, ok := strings.CutPrefix(text, "rgb"); ok {
		inner = strings.Trim(strings.TrimPrefix(inner, "a"), "() ")
		parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
		if len(parts) < 3 {
			return 0, false
		}
		c := 0
		for _, part := range parts[:3] {
			value, percent := strings.CutSuffix(part, "%")
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return 0, false
			}
			if percent {
				n = n * 255 / 100
			}
			c = c<<8 | int(min(max(n, 0), 255))
		}
		return c, true
	}
	c, ok := map[string]int{
		"black": 0, "white": 0xffffff, "red": 0xff0000, "green": 0x008000, "blue": 0x0000ff, "yellow": 0xffff00,
		"orange": 0xffa500, "purple": 0x800080,
		"gray": 0x808080, "grey": 0x808080, "lightgray": 0xd3d3d3, "lightgrey": 0xd3d3d3, "darkgray": 0xa9a9a9,
		"darkgrey": 0xa9a9a9, "silver": 0xc0c0c0,
		"maroon": 0x800000, "olive": 0x808000, "lime": 0x00ff00, "aqua": 0x00ffff, "cyan": 0x00ffff, "teal": 0x008080,
		"navy":    0x000080,
		"fuchsia": 0xff00ff, "magenta": 0xff00ff, "pink": 0xffc0cb, "brown": 0xa52a2a, "gold": 0xffd700,
		"lightblue": 0xadd8e6, "lightgreen": 0x90ee90,
		"lightyellow": 0xffffe0, "whitesmoke": 0xf5f5f5, "dimgray": 0x696969, "steelblue": 0x4682b4, "tomato": 0xff6347,
		"coral": 0xff7f50, "currentcolor": 0,
	}[text]
	return c, ok
}

// length reads a length in pixels; 0 for none and for shares of what is around.
func length(text string) float64 {
	text = strings.TrimSpace(text)
	for unit, pixels := range map[string]float64{"px": 1, "pt": 4.0 / 3, "pc": 16, "mm": 96 / 25.4, "cm": 96 / 2.54,
		"in": 96} {
		if value, ok := strings.CutSuffix(text, unit); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				return 0
			}
			return n * pixels
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return n
}
