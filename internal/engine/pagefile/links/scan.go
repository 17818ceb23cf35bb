package links

import (
	"bytes"
	"html"
	"slices"
	"strings"
)

// maxParentheses is how deep parentheses nest in a bare destination.
const maxParentheses = 32

// scanner walks a body once and collects uses.
type scanner struct {
	body    []byte
	literal []span
	uses    []Use
	// brackets are the positions of "[" that are still open in the current paragraph.
	brackets []int
	// runs are the positions of backtick runs by their length, nil before the first is met.
	runs map[int][]int
	// paragraph is the end of the paragraph that was looked at last.
	paragraph int
	// noEndTag holds, for an element whose content is literal, up to where its end tag was searched in vain.
	noEndTag map[string]int
	// noTagEnd and noCommentEnd say that there is no "%}" or "-->" from here to the end.
	noTagEnd, noCommentEnd bool
	// line counting
	counted, line int
}

func newScanner(body []byte) *scanner {
	return &scanner{body: body, literal: literalRanges(body), noEndTag: map[string]int{}, line: 1}
}

func (s *scanner) run() {
	for i := s.definition(0); i < len(s.body); {
		if len(s.literal) > 0 && i >= s.literal[0].start {
			i = max(i, s.literal[0].end)
			s.literal = s.literal[1:]
			s.brackets = s.brackets[:0]
			i = s.definition(i)
			continue
		}
		i = s.step(i)
	}
}

// step reads what starts at i and returns where to go on, always further.
func (s *scanner) step(i int) int {
	switch c := s.body[i]; c {
	case '\\':
		return i + 2
	case '\n':
		if s.blankAfter(i) {
			s.brackets = s.brackets[:0]
		}
		return s.definition(i + 1)
	case '`':
		return s.codeSpan(i)
	case '<':
		return s.angle(i)
	case '{':
		return s.blockTag(i)
	case '[':
		s.brackets = append(s.brackets, i)
		return i + 1
	case ']':
		return s.closeBracket(i)
	default:
		return i + 1
	}
}

func (s *scanner) blankAfter(i int) bool {
	rest := bytes.TrimLeft(s.body[i+1:min(len(s.body), i+1+256)], " \t\r>")
	return len(rest) > 0 && rest[0] == '\n'
}

// add keeps a use whose written form is body[start:end].
func (s *scanner) add(use Use, start, end int) {
	s.line += bytes.Count(s.body[s.counted:start], []byte{'\n'})
	s.counted = start
	use.Start, use.End, use.Line = start, end, s.line
	s.uses = append(s.uses, use)
}

// codeSpan skips a code span, or the run of backticks when it does not close in its paragraph.
func (s *scanner) codeSpan(i int) int {
	run := runLength(s.body[i:], '`')
	if s.runs == nil {
		s.runs = backtickRuns(s.body)
	}
	closers := s.runs[run]
	next, _ := slices.BinarySearch(closers, i+run)
	if next < len(closers) && closers[next]+run <= s.paragraphEnd(i) {
		return closers[next] + run
	}
	return i + run
}

// backtickRuns returns where the longest runs of backticks start, by their length.
func backtickRuns(body []byte) map[int][]int {
	runs := map[int][]int{}
	for i := 0; ; {
		next := bytes.IndexByte(body[i:], '`')
		if next < 0 {
			return runs
		}
		i += next
		length := runLength(body[i:], '`')
		runs[length] = append(runs[length], i)
		i += length
	}
}

// paragraphEnd returns where the paragraph around i ends at the latest: at a blank line or at code.
func (s *scanner) paragraphEnd(i int) int {
	if i < s.paragraph {
		return s.paragraph
	}
	limit := s.limit()
	for _, blank := range []string{"\n\n", "\n\r\n"} {
		if end := bytes.Index(s.body[i:limit], []byte(blank)); end >= 0 {
			limit = i + end
		}
	}
	s.paragraph = limit
	return limit
}

// limit is where the text that holds links ends for now: at the next code, or at the end.
func (s *scanner) limit() int {
	if len(s.literal) > 0 {
		return s.literal[0].start
	}
	return len(s.body)
}

func runLength(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}

// closeBracket reads what follows "]": a destination in parentheses makes it a link or an image.
func (s *scanner) closeBracket(i int) int {
	if len(s.brackets) == 0 {
		return i + 1
	}
	open := s.brackets[len(s.brackets)-1]
	s.brackets = s.brackets[:len(s.brackets)-1]
	if i+1 >= len(s.body) || s.body[i+1] != '(' {
		return i + 1
	}
	start, end, after := s.destination(i + 2)
	if after < 0 {
		return i + 1
	}
	after = s.skipTitle(after)
	if after < 0 || after >= len(s.body) || s.body[after] != ')' {
		return i + 1
	}
	kind := Link
	if open > 0 && s.body[open-1] == '!' {
		kind = Image
	}
	s.add(Use{Kind: kind, Destination: s.decoded(start, end)}, start, end)
	return after + 1
}

func (s *scanner) decoded(start, end int) string {
	written := s.body[start:end]
	if len(written) > 1 && written[0] == '<' {
		written = written[1 : len(written)-1]
	}
	return decodeMarkdown(written)
}

// destination reads a link destination from i on, past space with at most one line end, and returns its range and
// where the reading stopped; after is -1 when there is none.
func (s *scanner) destination(i int) (start, end, after int) {
	limit := s.limit()
	start = s.skipSpace(i)
	if start < 0 || start >= limit {
		return 0, 0, -1
	}
	if s.body[start] == '<' {
		for end = start + 1; end < limit; end++ {
			switch s.body[end] {
			case '\\':
				end++
			case '>':
				return start, end + 1, end + 1
			case '<', '\n':
				return 0, 0, -1
			}
		}
		return 0, 0, -1
	}
	depth := 0
	for end = start; end < limit; end++ {
		c := s.body[end]
		switch {
		case c == '\\' && end+1 < len(s.body) && isPunctuation(s.body[end+1]):
			end++
		case c == '(':
			if depth++; depth > maxParentheses {
				return 0, 0, -1
			}
		case c == ')':
			if depth == 0 {
				return start, end, end
			}
			depth--
		case isSpace(c), c < ' ':
			if depth != 0 {
				return 0, 0, -1
			}
			return start, end, end
		}
	}
	return start, end, end
}

// skipSpace skips space with at most one line end; it returns -1 when there are more.
func (s *scanner) skipSpace(i int) int {
	newlines := 0
	for i < len(s.body) && isSpace(s.body[i]) {
		if s.body[i] == '\n' {
			newlines++
		}
		i++
	}
	if newlines > 1 {
		return -1
	}
	return i
}

// skipTitle skips an optional link title and the space around it.
func (s *scanner) skipTitle(i int) int {
	next := s.skipSpace(i)
	if next < 0 || next >= len(s.body) || next == i {
		return next
	}
	closer := s.body[next]
	switch closer {
	case '"', '\'':
	case '(':
		closer = ')'
	default:
		return next
	}
	limit := min(len(s.body), next+maxTitle)
	for at := next + 1; at < limit; at++ {
		switch s.body[at] {
		case '\\':
			at++
		case closer:
			return s.skipSpace(at + 1)
		case '\n':
			if s.blankAfter(at) {
				return -1
			}
		}
	}
	return -1
}

// maxTitle bounds the look-ahead for the end of a link title, in bytes.
const maxTitle = 1000

// definition reads a link reference definition at the start of a line. It returns where to go on: at the start when
// there is none.
func (s *scanner) definition(lineStart int) int {
	i := lineStart
	for i < len(s.body) && (s.body[i] == ' ' || s.body[i] == '>') && i-lineStart < 64 {
		i++
	}
	if i >= len(s.body) || s.body[i] != '[' || i+1 < len(s.body) && s.body[i+1] == '^' {
		return lineStart
	}
	if len(s.literal) > 0 && i >= s.literal[0].start {
		return lineStart
	}
	label := labelEnd(s.body, i+1)
	if label < 0 || label+1 >= len(s.body) || s.body[label+1] != ':' {
		return lineStart
	}
	start, end, after := s.destination(label + 2)
	if after < 0 || start == end || after < len(s.body) && !isSpace(s.body[after]) {
		return lineStart
	}
	s.add(Use{Kind: Definition, Destination: s.decoded(start, end)}, start, end)
	return after
}

// labelEnd returns the position of the "]" that ends a reference label, or -1.
func labelEnd(body []byte, i int) int {
	limit := min(len(body), i+maxTitle)
	for ; i < limit; i++ {
		switch body[i] {
		case '\\':
			i++
		case '[':
			return -1
		case ']':
			return i
		}
	}
	return -1
}

// angle reads what starts with "<": a comment, raw code, or a tag whose attributes may hold destinations.
func (s *scanner) angle(i int) int {
	rest := s.body[i:]
	if bytes.HasPrefix(rest, []byte("<!--")) {
		if s.noCommentEnd {
			return i + 4
		}
		end := bytes.Index(rest, []byte("-->"))
		if end < 0 {
			s.noCommentEnd = true
			return i + 4
		}
		return i + end + 3
	}
	tag, ok := parseElement(s.body, i)
	if !ok {
		return i + 1
	}
	for _, attribute := range tag.attributes {
		written := string(s.body[attribute.start:attribute.end])
		if holdsDestination(tag.name, attribute.name) && !strings.Contains(written, "\n") {
			s.add(Use{Kind: Attribute, Element: tag.name, Attribute: attribute.name,
				Destination: html.UnescapeString(written), bare: attribute.bare}, attribute.start, attribute.end)
		}
	}
	switch tag.name {
	case "pre", "script", "style", "textarea":
		if end := s.endTag(tag.end, tag.name); end >= 0 {
			return end
		}
	}
	return tag.end
}

// rawLookahead bounds the search for the end tag of an element whose content is literal, in bytes.
const rawLookahead = 64 << 10

// endTag returns where the end tag of an element starts that opened before i, or -1.
func (s *scanner) endTag(i int, name string) int {
	closer := "</" + name
	limit := min(len(s.body), i+rawLookahead)
	for at := max(i, s.noEndTag[name]-len(closer)); ; at += 2 {
		next := bytes.Index(s.body[min(at, limit):limit], []byte("</"))
		if next < 0 {
			s.noEndTag[name] = limit
			return -1
		}
		at += next
		if limit-at >= len(closer) && strings.EqualFold(string(s.body[at:at+len(closer)]), closer) {
			return at
		}
	}
}

func holdsDestination(element, attribute string) bool {
	switch attribute {
	case "href":
		return true
	case "src", "poster":
		return element != "script"
	case "srcset":
		return element == "source" || element == "img"
	}
	return false
}
