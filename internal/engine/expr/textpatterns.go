package expr

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// patternMethod finds the methods of a string that take a regular expression or a text.
func (e *evaluator) patternMethod(s, name string) native {
	switch name {
	case "replace", "replaceAll":
		return e.replace(s, name == "replaceAll")
	case "split":
		return e.split(s)
	}
	return func(arguments []any) (any, error) {
		p, err := e.asPattern(argument(arguments, 0))
		if err != nil {
			return nil, err
		}
		if name == "search" {
			found, err := e.match(p, s)
			if err != nil || found == nil {
				return -1.0, err
			}
			return unitIndex(s, found[0]), nil
		}
		if name == "match" && !p.global {
			found, err := e.match(p, s)
			if err != nil || found == nil {
				return nil, err
			}
			return found.groups(s), nil
		}
		found, err := e.findAll(p, s, 0)
		if err != nil || found == nil && name == "match" {
			return nil, err
		}
		out := make([]any, 0, len(found))
		for _, m := range found {
			if name == "match" {
				out = append(out, s[m[0]:m[1]])
				continue
			}
			out = append(out, m.groups(s))
		}
		return out, e.grown(len(out))
	}
}

// asPattern is the argument of match and search: a text is read as a regular expression.
func (e *evaluator) asPattern(value any) (*pattern, error) {
	if p, ok := value.(*pattern); ok {
		return p, nil
	}
	source := ""
	if _, undefined := value.(Undefined); !undefined {
		var err error
		if source, err = e.text(value); err != nil {
			return nil, err
		}
	}
	if len(source) > MaxSource {
		return nil, errs.New(errs.TooLarge, "a regular expression may have %d bytes", MaxSource)
	}
	compiled, err := compilePattern(source, "")
	if err != nil {
		return nil, err
	}
	return compiled.(*pattern), nil
}

func (e *evaluator) replace(s string, all bool) native {
	return func(arguments []any) (any, error) {
		spans, err := e.replaced(s, argument(arguments, 0), all)
		if err != nil {
			return nil, err
		}
		sought, _ := argument(arguments, 0).(*pattern)
		function, isFunction := argument(arguments, 1).(*callable)
		replacement := ""
		if !isFunction {
			if replacement, err = e.text(argument(arguments, 1)); err != nil {
				return nil, err
			}
		}
		var out strings.Builder
		last := 0
		for _, found := range spans {
			out.WriteString(s[last:found[0]])
			last = found[1]
			text := ""
			if isFunction {
				parameters := append(found.groups(s), unitIndex(s, found[0]), s)
				value, err := e.invoke(function, parameters)
				if err != nil {
					return nil, err
				}
				if text, err = e.text(value); err != nil {
					return nil, err
				}
			} else {
				text = found.expand(replacement, s, sought)
			}
			if err := e.charge(len(text)); err != nil {
				return nil, err
			}
			out.WriteString(text)
			if out.Len() > e.limits.Text {
				return nil, e.produced(out.String())
			}
		}
		out.WriteString(s[last:])
		return out.String(), nil
	}
}

// replaced finds what a replacement takes the place of.
func (e *evaluator) replaced(s string, sought any, all bool) ([]span, error) {
	if p, ok := sought.(*pattern); ok {
		switch {
		case p.global:
			return e.findAll(p, s, 0)
		case all:
			return nil, errs.New(errs.Invalid, "replaceAll needs the flag g on its regular expression")
		}
		return e.findAll(p, s, 1)
	}
	text, err := e.text(sought)
	if err != nil {
		return nil, err
	}
	var spans []span
	for at := 0; at <= len(s); {
		i := strings.Index(s[at:], text)
		if i < 0 {
			break
		}
		spans = append(spans, span{at + i, at + i + len(text)})
		if !all || at+i == len(s) {
			break
		}
		at += i + len(text)
		if text == "" {
			_, size := utf8.DecodeRuneInString(s[at:])
			at += max(size, 1)
		}
	}
	return spans, e.grown(len(spans))
}

func (e *evaluator) split(s string) native {
	return func(arguments []any) (any, error) {
		limit := math.MaxUint32
		if given(arguments, 1) {
			f, err := e.number(argument(arguments, 1))
			if err != nil {
				return nil, err
			}
			limit = int(uint32(int32Of(f)))
		}
		var err error
		var parts []any
		switch separator := argument(arguments, 0).(type) {
		case Undefined:
			parts = []any{s}
		case *pattern:
			parts, err = e.splitPattern(s, separator)
		default:
			var text string
			if text, err = e.text(separator); err == nil {
				parts, err = e.splitText(s, text)
			}
		}
		if err != nil {
			return nil, err
		}
		parts = parts[:min(limit, len(parts))]
		return parts, e.grown(len(parts))
	}
}

func (e *evaluator) splitText(s, separator string) ([]any, error) {
	count := strings.Count(s, separator)
	if separator == "" {
		count = unitLength(s)
	}
	if err := e.grown(count); err != nil {
		return nil, err
	}
	parts := make([]any, 0, count+1)
	if separator == "" {
		for _, unit := range units(s) {
			parts = append(parts, fromUnits([]uint16{unit}))
		}
		return parts, nil
	}
	for part := range strings.SplitSeq(s, separator) {
		parts = append(parts, part)
	}
	return parts, nil
}

func (e *evaluator) splitPattern(s string, p *pattern) ([]any, error) {
	found, err := e.findAll(p, s, 0)
	if err != nil {
		return nil, err
	}
	if s == "" {
		if len(found) > 0 {
			return []any{}, nil
		}
		return []any{""}, nil
	}
	var parts []any
	last := 0
	for _, m := range found {
		if m[0] == m[1] && (m[0] == last || m[0] == len(s)) {
			continue
		}
		parts = append(parts, s[last:m[0]])
		parts = append(parts, m.groups(s)[1:]...)
		last = m[1]
	}
	return append(parts, s[last:]), nil
}
