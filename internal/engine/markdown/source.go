package markdown

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// source is a body in the form that the parsers read: line feeds only, no control characters. Offsets of that form
// map back to the original bytes.
type source struct {
	text []byte
	// shifts are in ascending order of at: from text[at] on, the original offset is the text offset plus by.
	shifts []shift
}

type shift struct{ at, by int }

// newSource checks and normalises a body: "\r\n" and "\r" become "\n", form feeds and vertical tabs become spaces,
// other control characters become U+FFFD.
func newSource(body []byte) (*source, error) {
	if len(body) > MaxBody {
		return nil, errs.New(errs.TooLarge,
			"the page has %d bytes; a page may have at most %d: split it into several pages",
			len(body), MaxBody)
	}
	if err := checkUTF8(body); err != nil {
		return nil, err
	}
	if bytes.IndexFunc(body, isForeign) < 0 {
		return &source{text: body}, nil
	}
	return normalizedSource(body), nil
}

// checkUTF8 refuses a text that is not UTF-8, naming the place.
func checkUTF8(body []byte) error {
	if !utf8.Valid(body) {
		at := 0
		for at < len(body) {
			r, size := utf8.DecodeRune(body[at:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		line, column := lineAndColumn(body, at)
		return errs.New(errs.Invalid, "line %d, column %d: the text is not UTF-8; save the file as UTF-8", line, column)
	}
	return nil
}

// normalizedSource replaces what the parsers do not read.
func normalizedSource(body []byte) *source {
	s := &source{text: make([]byte, 0, len(body)+16)}
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '\r':
			if i+1 < len(body) && body[i+1] == '\n' {
				i++
				s.text = append(s.text, '\n')
				s.shift(i + 1)
				continue
			}
			s.text = append(s.text, '\n')
		case c == '\f' || c == '\v':
			s.text = append(s.text, ' ')
		case isForeign(rune(c)):
			s.text = utf8.AppendRune(s.text, utf8.RuneError)
			s.shift(i + 1)
		default:
			s.text = append(s.text, c)
		}
	}
	return s
}

// isForeign reports control characters that CommonMark text does not need.
func isForeign(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r == 0x7F
}

func (s *source) shift(original int) {
	s.shifts = append(s.shifts, shift{at: len(s.text), by: original - len(s.text)})
}

// original returns the offset in the body of a text offset.
func (s *source) original(offset int) int {
	i := sort.Search(len(s.shifts), func(i int) bool { return s.shifts[i].at > offset })
	if i == 0 {
		return offset
	}
	return offset + s.shifts[i-1].by
}

// lineAndColumn returns the 1-based line of an offset and its column in characters.
func lineAndColumn(text []byte, offset int) (line, column int) {
	offset = min(max(offset, 0), len(text))
	line = 1 + bytes.Count(text[:offset], []byte{'\n'})
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	return line, 1 + utf8.RuneCount(text[start:offset])
}

// lineStart returns the offset at which the line of an offset begins.
func lineStart(text []byte, offset int) int {
	return bytes.LastIndexByte(text[:offset], '\n') + 1
}

// lineEnd returns the offset of the line feed that ends the line of an offset, or the length of the text.
func lineEnd(text []byte, offset int) int {
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(text)
}

// trimBlank returns a line without the spaces, tabs and line breaks around it. Other white space is text in Markdown.
func trimBlank(line []byte) []byte { return bytes.Trim(line, " \t\r\n") }
