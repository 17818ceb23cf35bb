package entity

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/git"
)

// writer builds canonical JSON. The first error stays; what is written after it does not matter.
type writer struct {
	out   []byte
	comma bool
	err   error
}

func (w *writer) open(c byte) {
	w.out = append(w.out, c)
	w.comma = false
}

func (w *writer) close(c byte) {
	w.out = append(w.out, c)
	w.comma = true
}

// next writes the comma before all members and elements but the first.
func (w *writer) next() {
	if w.comma {
		w.out = append(w.out, ',')
	}
	w.comma = true
}

func (w *writer) name(name string) {
	w.next()
	w.text(name)
	w.out = append(w.out, ':')
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) value(value any, depth int) {
	if depth < 0 {
		w.fail(fmt.Errorf("nested over %d levels", maxDepth))
		return
	}
	switch v := value.(type) {
	case nil:
		w.out = append(w.out, "null"...)
	case string:
		w.text(v)
	case bool:
		w.out = strconv.AppendBool(w.out, v)
	case float64:
		w.number(v)
	case int:
		w.out = strconv.AppendInt(w.out, int64(v), 10)
	case int64:
		w.out = strconv.AppendInt(w.out, v, 10)
	case map[string]any:
		w.open('{')
		for _, key := range slices.Sorted(maps.Keys(v)) {
			w.name(key)
			w.element(v[key], depth-1)
		}
		w.close('}')
	case []any:
		w.open('[')
		for i := range v {
			w.next()
			w.element(v[i], depth-1)
		}
		w.close(']')
	case []Tag:
		w.open('[')
		for i := range v {
			w.next()
			w.members(members(&v[i]))
		}
		w.close(']')
	case *Layout, *Cover, *doc.Ref, *Computed, *git.File:
		w.members(members(v))
	default:
		w.fail(fmt.Errorf("a %T cannot be encoded", value))
	}
}

// element writes a value inside a map or list, which can be of any type that Plain takes.
func (w *writer) element(value any, depth int) {
	switch value.(type) {
	case nil, string, bool, float64, map[string]any, []any:
	default:
		p, err := plain(value, depth)
		if err != nil {
			w.fail(err)
			return
		}
		value = p
	}
	w.value(value, depth)
}

func (w *writer) members(list []member) {
	w.open('{')
	for _, m := range list {
		w.name(m.name)
		w.value(m.value, maxDepth)
	}
	w.close('}')
}

func (w *writer) number(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		w.fail(fmt.Errorf("%v is not a finite number", v))
		return
	}
	size := math.Abs(v)
	if size == 0 {
		w.out = append(w.out, '0') // minus zero, too
		return
	}
	if size >= 1e-6 && size < 1e21 {
		w.out = strconv.AppendFloat(w.out, v, 'f', -1, 64)
		return
	}
	w.out = strconv.AppendFloat(w.out, v, 'e', -1, 64)
	// ECMAScript writes the exponent without a leading zero.
	if n := len(w.out); n >= 4 && w.out[n-2] == '0' && (w.out[n-3] == '-' || w.out[n-3] == '+') {
		w.out[n-2] = w.out[n-1]
		w.out = w.out[:n-1]
	}
}

func (w *writer) text(s string) {
	if !utf8.ValidString(s) {
		w.fail(fmt.Errorf("text %.40q is not UTF-8", s))
	}
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		w.out = append(w.out, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			w.out = append(w.out, '\\', c)
		case '\b':
			w.out = append(w.out, '\\', 'b')
		case '\f':
			w.out = append(w.out, '\\', 'f')
		case '\n':
			w.out = append(w.out, '\\', 'n')
		case '\r':
			w.out = append(w.out, '\\', 'r')
		case '\t':
			w.out = append(w.out, '\\', 't')
		default:
			w.out = append(w.out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0x0f])
		}
	}
	w.out = append(w.out, s[from:]...)
	w.out = append(w.out, '"')
}
