package folder

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

// object is a JSON object that remembers the order of its keys.
type object struct {
	keys   []string
	values map[string]any
}

// get returns the value of a key; nil when there is none.
func (o object) get(key string) any { return o.values[key] }

// all goes through an object in the order in which it was written.
func (o object) all() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, key := range o.keys {
			if !yield(key, o.values[key]) {
				return
			}
		}
	}
}

// maxJSONDepth is how deep a configuration goes at most.
const maxJSONDepth = 100

// decodeJSON reads a value: objects become object, lists []any.
func decodeJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	return decodeValue(decoder, 0)
}

func decodeValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil || depth > maxJSONDepth {
		return nil, errors.Join(err, errors.New("it is no JSON that can be read"))
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := decodeValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := decoder.Token()
		return list, err
	case json.Delim('{'):
		made := object{values: map[string]any{}}
		for decoder.More() {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			value, err := decodeValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			if _, twice := made.values[name]; !twice {
				made.keys = append(made.keys, name)
			}
			made.values[name] = value
		}
		_, err := decoder.Token()
		return made, err
	}
	return token, nil
}

// compareNames orders names as people do: numbers by value, letters without case.
func compareNames(a, b string) int {
	x, y := strings.ToLower(a), strings.ToLower(b)
	for x != "" && y != "" {
		if isDigit(x[0]) && isDigit(y[0]) {
			m, n := digits(x), digits(y)
			left, right := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
			if order := cmp.Or(cmp.Compare(len(left), len(right)), cmp.Compare(left, right)); order != 0 {
				return order
			}
			x, y = x[m:], y[n:]
			continue
		}
		if x[0] != y[0] {
			return cmp.Compare(x[0], y[0])
		}
		x, y = x[1:], y[1:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// numbered is a name that starts with a number for its order: "01-intro", "2. Setup", "03_usage".
var numbered = regexp.MustCompile(`^(\d{1,3})[-_. ]+(\S.*)$`)

// withoutNumber takes the number off a name when the number is there for the order: it has a leading zero, or several
// of the names beside it have one too.
func withoutNumber(name string, siblings int) string {
	parts := numbered.FindStringSubmatch(name)
	if parts == nil || siblings < 2 && !strings.HasPrefix(parts[1], "0") {
		return name
	}
	if isDigit(parts[2][0]) {
		return name // a version or a date
	}
	return parts[2]
}

// withoutNumber takes the number for the order off a name as the generator of the tree does, where one is known.
func (r *reader) withoutNumber(name string, siblings int) string {
	if r.layout.generator == generator.Docusaurus {
		return r.layout.rules.WithoutNumbers(name)
	}
	return withoutNumber(name, siblings)
}
