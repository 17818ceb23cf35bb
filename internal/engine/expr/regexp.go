package expr

import (
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/dop251/goja/parser"

	"github.com/rectodocs/recto/internal/base/errs"
)

// pattern is a regular expression value. Patterns without look-around and back references run on the standard
// library's engine, in time linear in the text; the rest on a backtracking engine under a clock.
type pattern struct {
	source, flags string
	global        bool
	linear        *regexp.Regexp
	backtracking  *regexp2.Regexp
}

// backtrackingTime bounds one match of a pattern that needs backtracking; backtrackingWork is what it costs.
const (
	backtrackingTime = 10 * time.Millisecond
	backtrackingWork = 400_000
)

func compilePattern(source, flags string) (any, error) {
	p := &pattern{source: source, flags: flags}
	options := regexp2.ECMAScript
	seen := map[rune]bool{}
	for _, flag := range flags {
		if seen[flag] {
			return nil, errs.New(errs.Invalid, "the regular expression has the flag %q twice", flag)
		}
		seen[flag] = true
		switch flag {
		case 'g':
			p.global = true
		case 'i':
			options |= regexp2.IgnoreCase
		case 'm':
			options |= regexp2.Multiline
		case 's':
			options |= regexp2.Singleline
		case 'u':
			options |= regexp2.Unicode
		case 'y', 'd', 'v':
			return nil, errs.New(errs.Invalid, "the regular expression flag %q is not supported; use g, i, m, s or u",
				flag)
		default:
			return nil, errs.New(errs.Invalid, "the regular expression flag %q does not exist", flag)
		}
	}
	transformed, err := parser.TransformRegExp(source, seen['s'], seen['u'])
	if err == nil {
		if seen['s'] {
			transformed = "(?s)" + transformed
		}
		if seen['i'] {
			transformed = "(?i)" + transformed
		}
		if seen['m'] {
			transformed = "(?m)" + transformed
		}
		if p.linear, err = regexp.Compile(transformed); err == nil {
			return p, nil
		}
	}
	if p.backtracking, err = regexp2.Compile(source, options); err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "the regular expression /%s/ cannot be read", source)
	}
	p.backtracking.MatchTimeout = backtrackingTime
	return p, nil
}

// String writes the pattern as JavaScript does.
func (p *pattern) String() string { return "/" + p.source + "/" + p.flags }

// span is one match: byte offsets of the whole and of the groups, -1 where a group took no part.
type span []int

// match finds the first match; nil means none.
func (e *evaluator) match(p *pattern, text string) (span, error) {
	if p.linear != nil {
		// The engine's cost is text times pattern.
		if err := e.charge(len(text) * (1 + len(p.source)/32)); err != nil {
			return nil, err
		}
		return p.linear.FindStringSubmatchIndex(text), nil
	}
	if err := e.charge(backtrackingWork); err != nil {
		return nil, err
	}
	found, err := p.backtracking.FindStringMatch(text)
	if err != nil {
		return nil, errs.Wrap(err, errs.TooLarge, "the regular expression /%s/ takes too long", p.source)
	}
	if found == nil {
		return nil, nil
	}
	return runeSpan(text, found), nil
}

func runeSpan(text string, found *regexp2.Match) span {
	offsets := runeOffsets(text)
	var out span
	for _, group := range found.Groups() {
		if len(group.Captures) == 0 {
			out = append(out, -1, -1)
			continue
		}
		out = append(out, offsets[group.RuneIndex], offsets[group.RuneIndex+group.RuneLength])
	}
	return out
}

func runeOffsets(text string) []int {
	offsets := make([]int, 0, len(text)+1)
	for i := range text {
		offsets = append(offsets, i)
	}
	return append(offsets, len(text))
}

// findAll returns every match in order, at most limit (0 is no limit but that of lists).
func (e *evaluator) findAll(p *pattern, text string, limit int) ([]span, error) {
	if limit <= 0 {
		limit = e.limits.Elements
	}
	if p.linear != nil {
		if err := e.charge(len(text) * (1 + len(p.source)/32)); err != nil {
			return nil, err
		}
		var out []span
		for _, found := range p.linear.FindAllStringSubmatchIndex(text, limit) {
			out = append(out, found)
		}
		return out, nil
	}
	if err := e.charge(backtrackingWork); err != nil {
		return nil, err
	}
	var out []span
	found, err := p.backtracking.FindStringMatch(text)
	for ; err == nil && found != nil && len(out) < limit; found, err = p.backtracking.FindNextMatch(found) {
		out = append(out, runeSpan(text, found))
		if err := e.charge(len(text)); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, errs.Wrap(err, errs.TooLarge, "the regular expression /%s/ takes too long", p.source)
	}
	return out, nil
}

func (e *evaluator) test(p *pattern, text string) (bool, error) {
	found, err := e.match(p, text)
	return found != nil, err
}

// groups are the texts of a match: the whole, then the groups, undefined where one took no part.
func (s span) groups(text string) []any {
	out := make([]any, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		if s[i] < 0 {
			out = append(out, Undefined{})
			continue
		}
		out = append(out, text[s[i]:s[i+1]])
	}
	return out
}

// expand fills a replacement text: $$ $& $` $' $1 … $99.
func (s span) expand(replacement, text string) string {
	if !strings.Contains(replacement, "$") {
		return replacement
	}
	groups := s.groups(text)
	var out strings.Builder
	for i := 0; i < len(replacement); i++ {
		if replacement[i] != '$' || i+1 == len(replacement) {
			out.WriteByte(replacement[i])
			continue
		}
		switch next := replacement[i+1]; {
		case next == '$':
			out.WriteByte('$')
			i++
		case next == '&':
			out.WriteString(text[s[0]:s[1]])
			i++
		case next == '`':
			out.WriteString(text[:s[0]])
			i++
		case next == '\'':
			out.WriteString(text[s[1]:])
			i++
		case next >= '0' && next <= '9':
			number, digits := groupNumber(replacement[i+1:], len(groups))
			if digits == 0 {
				out.WriteByte('$')
				continue
			}
			if value, ok := groups[number].(string); ok {
				out.WriteString(value)
			}
			i += digits
		default:
			out.WriteByte('$')
		}
	}
	return out.String()
}

func groupNumber(s string, groups int) (number, digits int) {
	for i := 0; i < len(s) && i < 2 && s[i] >= '0' && s[i] <= '9'; i++ {
		next := number*10 + int(s[i]-'0')
		if next >= groups {
			break
		}
		number, digits = next, i+1
	}
	if number == 0 {
		return 0, 0
	}
	return number, digits
}

// patternMember is a property or method of a regular expression.
func (e *evaluator) patternMember(p *pattern, name string) any {
	switch name {
	case "source":
		return p.source
	case "flags":
		return p.flags
	case "global":
		return p.global
	case "ignoreCase":
		return strings.ContainsRune(p.flags, 'i')
	case "multiline":
		return strings.ContainsRune(p.flags, 'm')
	case "lastIndex":
		return 0.0
	case "toString":
		return method(name, func([]any) (any, error) { return p.String(), nil })
	case "test":
		return method(name, func(arguments []any) (any, error) {
			text, err := e.text(argument(arguments, 0))
			if err != nil {
				return nil, err
			}
			return e.test(p, text)
		})
	case "exec":
		return method(name, func(arguments []any) (any, error) {
			text, err := e.text(argument(arguments, 0))
			if err != nil {
				return nil, err
			}
			found, err := e.match(p, text)
			if err != nil || found == nil {
				return nil, err
			}
			return found.groups(text), nil
		})
	}
	return Undefined{}
}
