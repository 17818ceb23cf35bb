package expr

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/base/errs"
)

// textMember is a property of a string.
func (e *evaluator) textMember(s, name string) any {
	if name == "length" {
		return float64(unitLength(s))
	}
	if i, ok := index(name); ok {
		if u := units(s); i < len(u) {
			return fromUnits(u[i : i+1])
		}
		return Undefined{}
	}
	run, ok := e.textMethod(s, name)
	if !ok {
		return Undefined{}
	}
	return method(name, func(arguments []any) (any, error) {
		if err := e.charge(len(s)); err != nil {
			return nil, err
		}
		value, err := run(arguments)
		if err != nil {
			return nil, err
		}
		if made, ok := value.(string); ok {
			return made, e.produced(made)
		}
		return value, nil
	})
}

type native = func(arguments []any) (any, error)

// textMethod finds a method of String.prototype.
func (e *evaluator) textMethod(s, name string) (native, bool) {
	switch name {
	case "includes", "startsWith", "endsWith", "indexOf", "lastIndexOf":
		return e.find(s, name), true
	case "at", "charAt", "charCodeAt", "codePointAt":
		return e.character(s, name), true
	case "slice", "substring", "substr":
		return e.cut(s, name), true
	case "match", "matchAll", "search", "replace", "replaceAll", "split":
		return e.patternMethod(s, name), true
	case "padStart", "padEnd":
		return e.pad(s, name == "padStart"), true
	case "repeat":
		return e.repeat(s), true
	case "concat":
		return func(arguments []any) (any, error) {
			var out strings.Builder
			out.WriteString(s)
			for i := range arguments {
				text, err := e.text(argument(arguments, i))
				if err != nil {
					return nil, err
				}
				out.WriteString(text)
				if out.Len() > e.limits.Text {
					break
				}
			}
			return out.String(), nil
		}, true
	case "localeCompare":
		return func(arguments []any) (any, error) {
			other, err := e.text(argument(arguments, 0))
			return float64(strings.Compare(s, other)), err
		}, true
	case "normalize":
		return e.normalize(s), true
	}
	if convert := conversion(name); convert != nil {
		return func([]any) (any, error) { return convert(s), nil }, true
	}
	if m := objectMethod(name); m != nil {
		return func(arguments []any) (any, error) { return m(e, s, arguments) }, true
	}
	return nil, false
}

func conversion(name string) func(string) string {
	switch name {
	case "toLowerCase", "toLocaleLowerCase":
		return func(s string) string { return cases.Lower(language.Und).String(s) }
	case "toUpperCase", "toLocaleUpperCase":
		return func(s string) string { return cases.Upper(language.Und).String(s) }
	case "trim":
		return func(s string) string { return strings.TrimFunc(s, isSpace) }
	case "trimStart", "trimLeft":
		return func(s string) string { return strings.TrimLeftFunc(s, isSpace) }
	case "trimEnd", "trimRight":
		return func(s string) string { return strings.TrimRightFunc(s, isSpace) }
	}
	return nil
}

// integer is ToIntegerOrInfinity of an argument, with a value for one that was not given.
func (e *evaluator) integer(arguments []any, i int, otherwise float64) (float64, error) {
	if !given(arguments, i) {
		return otherwise, nil
	}
	f, err := e.number(argument(arguments, i))
	if err != nil {
		return 0, err
	}
	return truncated(f), nil
}

// truncated is ToIntegerOrInfinity of a number.
func truncated(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return math.Trunc(f)
}

// relative turns an index that may count from the end into one between 0 and length.
func relative(f float64, length int) int {
	if f < 0 {
		f += float64(length)
	}
	return int(min(max(f, 0), float64(length)))
}

func (e *evaluator) find(s, name string) native {
	return func(arguments []any) (any, error) {
		if _, isPattern := argument(arguments, 0).(*pattern); isPattern && !strings.HasSuffix(name, "ndexOf") {
			return nil, errs.New(errs.Invalid, "%s takes a text; use match for a regular expression", name)
		}
		sought, err := e.text(argument(arguments, 0))
		if err != nil {
			return nil, err
		}
		otherwise := 0.0
		if name == "endsWith" || name == "lastIndexOf" {
			otherwise = math.Inf(1)
		}
		position, err := e.number(argument(arguments, 1))
		if err != nil {
			return nil, err
		}
		if position = math.Trunc(position); math.IsNaN(position) {
			position = otherwise
			if name == "endsWith" && given(arguments, 1) {
				position = 0
			}
		}
		u, w := units(s), units(sought)
		at := int(min(max(position, 0), float64(len(u))))
		switch name {
		case "startsWith":
			return slices.Equal(u[at:min(at+len(w), len(u))], w), nil
		case "endsWith":
			return at >= len(w) && slices.Equal(u[at-len(w):at], w), nil
		case "lastIndexOf":
			head := fromUnits(u[:min(at+len(w), len(u))])
			return unitIndex(head, strings.LastIndex(head, sought)), nil
		}
		head := fromUnits(u[:at])
		found := strings.Index(fromUnits(u[at:]), sought)
		if name == "includes" {
			return found >= 0, nil
		}
		if found < 0 {
			return -1.0, nil
		}
		return unitIndex(head+fromUnits(u[at:]), len(head)+found), nil
	}
}

// unitIndex turns a byte offset into one in code units; -1 stays.
func unitIndex(s string, at int) float64 {
	if at < 0 {
		return -1
	}
	return float64(unitLength(s[:at]))
}

func (e *evaluator) character(s, name string) native {
	return func(arguments []any) (any, error) {
		position, err := e.integer(arguments, 0, 0)
		if err != nil {
			return nil, err
		}
		u := units(s)
		if name == "at" && position < 0 {
			position += float64(len(u))
		}
		inside := position >= 0 && position < float64(len(u))
		switch {
		case !inside && name == "charAt":
			return "", nil
		case !inside && name == "charCodeAt":
			return math.NaN(), nil
		case !inside:
			return Undefined{}, nil
		}
		i := int(position)
		switch name {
		case "charCodeAt":
			return float64(u[i]), nil
		case "codePointAt":
			r, _ := utf8.DecodeRuneInString(fromUnits(u[i:min(i+2, len(u))]))
			if r == utf8.RuneError {
				return float64(u[i]), nil
			}
			return float64(r), nil
		}
		return fromUnits(u[i : i+1]), nil
	}
}

func (e *evaluator) cut(s, name string) native {
	return func(arguments []any) (any, error) {
		u := units(s)
		length := float64(len(u))
		from, err := e.integer(arguments, 0, 0)
		if err != nil {
			return nil, err
		}
		to, err := e.integer(arguments, 1, length)
		if err != nil {
			return nil, err
		}
		var a, b int
		switch name {
		case "slice":
			a, b = relative(from, len(u)), relative(to, len(u))
		case "substring":
			a, b = int(min(max(from, 0), length)), int(min(max(to, 0), length))
			a, b = min(a, b), max(a, b)
		default:
			a = relative(from, len(u))
			b = int(min(float64(a)+max(to, 0), length))
		}
		if a >= b {
			return "", nil
		}
		return fromUnits(u[a:b]), nil
	}
}

func (e *evaluator) repeat(s string) native {
	return func(arguments []any) (any, error) {
		count, err := e.integer(arguments, 0, 0)
		if err != nil {
			return nil, err
		}
		if count < 0 || math.IsInf(count, 0) {
			return nil, errs.New(errs.Invalid, "repeat needs a count of zero or more")
		}
		if count*float64(len(s)) > float64(e.limits.Text) {
			return nil, errs.New(errs.TooLarge, "the expression makes a text longer than %d bytes", e.limits.Text)
		}
		if s == "" {
			return "", nil
		}
		return strings.Repeat(s, int(count)), nil
	}
}

func (e *evaluator) pad(s string, start bool) native {
	return func(arguments []any) (any, error) {
		width, err := e.integer(arguments, 0, 0)
		if err != nil {
			return nil, err
		}
		filler := " "
		if given(arguments, 1) {
			if filler, err = e.text(argument(arguments, 1)); err != nil {
				return nil, err
			}
		}
		missing := width - float64(unitLength(s))
		if missing <= 0 || filler == "" {
			return s, nil
		}
		if missing > float64(e.limits.Text) {
			return nil, errs.New(errs.TooLarge, "the expression makes a text longer than %d bytes", e.limits.Text)
		}
		u := units(filler)
		padding := make([]uint16, int(missing))
		for i := range padding {
			padding[i] = u[i%len(u)]
		}
		if start {
			return fromUnits(padding) + s, nil
		}
		return s + fromUnits(padding), nil
	}
}

func (e *evaluator) normalize(s string) native {
	return func(arguments []any) (any, error) {
		form := "NFC"
		if given(arguments, 0) {
			var err error
			if form, err = e.text(argument(arguments, 0)); err != nil {
				return nil, err
			}
		}
		switch form {
		case "NFC":
			return norm.NFC.String(s), nil
		case "NFD":
			return norm.NFD.String(s), nil
		case "NFKC":
			return norm.NFKC.String(s), nil
		case "NFKD":
			return norm.NFKD.String(s), nil
		}
		return nil, errs.New(errs.Invalid, "normalize takes NFC, NFD, NFKC or NFKD")
	}
}
