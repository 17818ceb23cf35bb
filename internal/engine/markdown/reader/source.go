package reader

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
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
	if err := dialect.CheckUTF8(body); err != nil {
		return nil, err
	}
	if bytes.IndexFunc(body, dialect.IsForeign) < 0 {
		return &source{text: body}, nil
	}
	return normalizedSource(body), nil
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
		case dialect.IsForeign(rune(c)):
			s.text = utf8.AppendRune(s.text, utf8.RuneError)
			s.shift(i + 1)
		default:
			s.text = append(s.text, c)
		}
	}
	return s
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
