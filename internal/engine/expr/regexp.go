package expr

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	following     *regexp.Regexp // see emptyAfter; nil when no match is empty
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
			if mayBeEmpty(transformed) {
				p.following, err = regexp.Compile(`\A(?s:.)(?:` + transformed + `)`)
			}
			return p, err
		}
	}
	if p.backtracking, err = regexp2.Compile(asciiBoundaries(source), options); err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "the regular expression /%s/ cannot be read", source)
	}
	p.backtracking.MatchTimeout = backtrackingTime
	return p, nil
}

// asciiBoundaries writes \b and \B out, which the backtracking engine takes for boundaries of Unicode's words.
func asciiBoundaries(source string) string {
	const word = "[0-9A-Za-z_]"
	var out strings.Builder
	class := false
	for i := 0; i < len(source); i++ {
		switch {
		case source[i] == '\\' && i+1 < len(source):
			i++
			switch {
			case source[i] == 'b' && !class:
				out.WriteString("(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))")
			case source[i] == 'B' && !class:
				out.WriteString("(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + "))")
			default:
				out.WriteString(source[i-1 : i+1])
			}
			continue
		case source[i] == '[':
			class = true
		case source[i] == ']':
			class = false
		}
		out.WriteByte(source[i])
	}
	return out.String()
}

// mayBeEmpty reports whether a pattern can match nothing at all.
func mayBeEmpty(pattern string) bool {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	return err == nil && takesNothing(parsed)
}

func takesNothing(part *syntax.Regexp) bool {
	switch part.Op {
	case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpRepeat:
		return part.Min == 0 || takesNothing(part.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(part.Sub, func(sub *syntax.Regexp) bool { return !takesNothing(sub) })
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return slices.ContainsFunc(part.Sub, takesNothing)
	}
	return true
}

// emptyAfter returns the empty match right behind another one, which JavaScript finds and package regexp passes over;
// nil when there is none.
func (p *pattern) emptyAfter(text string, at int) span {
	_, size := utf8.DecodeLastRuneInString(text[:at])
	from := at - size
	found := p.following.FindStringSubmatchIndex(text[from:])
	if found == nil || found[1] != size {
		return nil
	}
	found[0] = size
	for i := range found {
		if found[i] >= 0 {
			found[i] += from
		}
	}
	return found
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
			if p.following == nil || found[0] == found[1] {
				continue
			}
			if err := e.charge(len(text) - found[1]); err != nil {
				return nil, err
			}
			if empty := p.emptyAfter(text, found[1]); empty != nil {
				out = append(out, empty)
			}
		}
		return out[:min(len(out), limit)], nil
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

// group is the number of a named group, 0 when there is none of that name; named says that there are any.
func (p *pattern) group(name string) (number int, named bool) {
	switch {
	case p == nil:
		return 0, false
	case p.linear != nil:
		names := p.linear.SubexpNames()
		named = slices.ContainsFunc(names, func(name string) bool { return name != "" })
		return max(slices.Index(names, name), 0), named
	}
	for _, known := range p.backtracking.GetGroupNames() {
		named = named || strings.Trim(known, "0123456789") != ""
	}
	return max(p.backtracking.GroupNumberFromName(name), 0), named
}

// expand fills a replacement text: $$ $& $` $' $1 … $99, and $<name> where the pattern, nil for none, has names.
func (s span) expand(replacement, text string, p *pattern) string {
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
		case next == '<':
			name, _, closed := strings.Cut(replacement[i+2:], ">")
			number, named := p.group(name)
			if !closed || !named {
				out.WriteByte('$')
				continue
			}
			if value, ok := groups[number].(string); ok && number > 0 {
				out.WriteString(value)
			}
			i += len("<>") + len(name)
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
	if m := objectMethod(name); m != nil {
		return method(name, func(arguments []any) (any, error) { return m(e, p, arguments) })
	}
	return Undefined{}
}
