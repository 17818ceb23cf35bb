package expr

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// callable is a function value: a method bound to its receiver, or a callback.
type callable struct {
	name string
	call func(arguments []any) (any, error)
}

// normal turns what a context may hold into the values that evaluation knows.
func normal(value any) any {
	switch v := value.(type) {
	case nil, bool, float64, string, []any, map[string]any, Undefined, Missing, *callable, *pattern:
		return v
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case float32:
		return float64(v)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return v.String()
		}
		return f
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	case map[string]string:
		out := make(map[string]any, len(v))
		for key, s := range v {
			out[key] = s
		}
		return out
	}
	return normalReflected(value)
}

func normalReflected(value any) any {
	r := reflect.ValueOf(value)
	switch {
	case r.CanInt():
		return float64(r.Int())
	case r.CanUint():
		return float64(r.Uint())
	case r.Kind() == reflect.String:
		return r.String()
	case r.Kind() == reflect.Bool:
		return r.Bool()
	}
	return Undefined{}
}

func nullish(value any) bool {
	switch value.(type) {
	case nil, Undefined:
		return true
	}
	return false
}

func truthy(value any) bool {
	switch v := value.(type) {
	case nil, Undefined:
		return false
	case bool:
		return v
	case float64:
		return v != 0 && !math.IsNaN(v)
	case string:
		return v != ""
	}
	return true
}

func typeOf(value any) string {
	switch value.(type) {
	case Undefined:
		return "undefined"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case Missing:
		return "symbol"
	case *callable:
		return "function"
	}
	return "object"
}

func strictEqual(left, right any) bool {
	switch a := left.(type) {
	case []any:
		b, ok := right.([]any)
		return ok && len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
	case map[string]any:
		b, ok := right.(map[string]any)
		return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	}
	switch right.(type) {
	case []any, map[string]any:
		return false
	}
	return left == right
}

// looseEqual is == of ECMA-262 (IsLooselyEqual).
func (e *evaluator) looseEqual(left, right any) (bool, error) {
	if nullish(left) || nullish(right) {
		return nullish(left) && nullish(right), nil
	}
	if typeOf(left) == typeOf(right) {
		return strictEqual(left, right), nil
	}
	left, right, err := e.primitives(left, right)
	if err != nil {
		return false, err
	}
	if typeOf(left) == typeOf(right) {
		return strictEqual(left, right), nil
	}
	a, err := e.number(left)
	if err != nil {
		return false, err
	}
	b, err := e.number(right)
	return a == b, err
}

// primitive is ToPrimitive: lists, objects, functions and patterns become their text.
func (e *evaluator) primitive(value any) (any, error) {
	switch value.(type) {
	case []any, map[string]any, *callable, *pattern:
		return e.text(value)
	}
	return value, nil
}

func (e *evaluator) primitives(left, right any) (any, any, error) {
	a, err := e.primitive(left)
	if err != nil {
		return nil, nil, err
	}
	b, err := e.primitive(right)
	return a, b, err
}

func notANumber() error {
	return errs.New(errs.Invalid, "a value that is not there cannot be used as a number or a text")
}

// number is ToNumber.
func (e *evaluator) number(value any) (float64, error) {
	value, err := e.primitive(value)
	if err != nil {
		return 0, err
	}
	switch v := value.(type) {
	case nil:
		return 0, nil
	case bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case float64:
		return v, nil
	case string:
		return parseNumber(v), e.charge(len(v))
	case Missing:
		return 0, notANumber()
	}
	return math.NaN(), nil
}

// text is ToString.
func (e *evaluator) text(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "null", nil
	case Undefined:
		return "undefined", nil
	case string:
		return v, nil
	case []any:
		return e.join(v, ",", 0)
	case map[string]any:
		return "[object Object]", nil
	case *pattern:
		return v.String(), nil
	case *callable:
		return "function " + v.name + "() { [native code] }", nil
	case Missing:
		return "", notANumber()
	}
	return Format(value), nil
}

// join is Array.prototype.join; depth guards lists that hold lists.
func (e *evaluator) join(list []any, separator string, depth int) (string, error) {
	if depth > 16 {
		return "", errs.New(errs.TooLarge, "the list nests deeper than 16 levels")
	}
	var out strings.Builder
	for i, element := range list {
		if i > 0 {
			out.WriteString(separator)
		}
		element = normal(element)
		var text string
		var err error
		switch v := element.(type) {
		case nil, Undefined:
		case []any:
			text, err = e.join(v, ",", depth+1)
		default:
			text, err = e.text(v)
		}
		if err != nil {
			return "", err
		}
		out.WriteString(text)
		if out.Len() > e.limits.Text {
			return "", e.produced(out.String())
		}
	}
	return out.String(), e.produced(out.String())
}

// numberLiteral reads a literal as JavaScript writes it: with separators, and in four bases.
func numberLiteral(literal string) (any, error) {
	if strings.HasSuffix(literal, "n") && !strings.HasPrefix(literal, "0x") {
		return nil, unsupported("a big integer", "write a plain number")
	}
	clean := strings.ReplaceAll(literal, "_", "")
	if len(clean) > 1 && clean[0] == '0' && clean[1] >= '0' && clean[1] <= '9' {
		// Legacy octal; the parser refuses an 8 or a 9.
		if n, ok := new(big.Int).SetString(clean, 8); ok {
			f, _ := new(big.Float).SetInt(n).Float64()
			return f, nil
		}
	}
	return parseNumber(clean), nil
}

// parseNumber is StringToNumber: NaN for what is not a number, 0 for blanks.
func parseNumber(s string) float64 {
	s = strings.TrimFunc(s, isSpace)
	if s == "" {
		return 0
	}
	if len(s) > 2 && s[0] == '0' {
		base := map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}[s[1]]
		if base != 0 {
			n, ok := new(big.Int).SetString(s[2:], base)
			if !ok || s[2] == '-' || s[2] == '+' || strings.Contains(s, "_") {
				return math.NaN()
			}
			f, _ := new(big.Float).SetInt(n).Float64()
			return f
		}
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	// strconv also takes hexadecimal floats, underscores and the words inf and nan, which JavaScript does not.
	for i := range len(s) {
		if strings.IndexByte("0123456789+-.eE", s[i]) < 0 {
			return math.NaN()
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// isSpace is WhiteSpace and LineTerminator of ECMA-262.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// formatNumber is Number::toString of ECMA-262 in base ten.
func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if magnitude := math.Abs(f); magnitude >= 1e-6 && magnitude < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	sign := exponent[:1]
	return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
}

// units are the UTF-16 code units of a text: what JavaScript counts and slices.
func units(s string) []uint16 { return utf16.Encode([]rune(s)) }

// fromUnits is the text of code units; half of a surrogate pair becomes U+FFFD.
func fromUnits(u []uint16) string { return string(utf16.Decode(u)) }

// unitLength is a text's length in code units.
func unitLength(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		n += max(utf16.RuneLen(r), 1)
		i += size
	}
	return n
}
