package generator

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Anchors gives the headings of one page the anchors that a generator gives them. The zero value is of Folders, which
// follows the hosts of Git.
type Anchors struct {
	rule      func(text string) string
	separator string // what stands before the number of a second heading of that name
	seen      map[string]int
}

// NewAnchors returns the anchors of a page that has no headings yet.
func NewAnchors(name Name) *Anchors {
	made := &Anchors{rule: hostAnchor, separator: "-", seen: map[string]int{}}
	switch name {
	case MkDocs:
		made.rule, made.separator = pythonAnchor, "_"
	case VitePress:
		made.rule = vitePressAnchor
	case Sphinx:
		made.rule = sphinxAnchor
	case Jekyll:
		made.rule = kramdownAnchor
	case Hugo:
		made.rule = hugoAnchor
	}
	return made
}

// Next returns the anchor of the next heading of the page, by its words; "" when it gets none by them.
func (a *Anchors) Next(text string) string {
	base := a.rule(strings.TrimSpace(text))
	if base == "" {
		return ""
	}
	id := base
	for number := a.seen[base]; ; {
		if number > 0 {
			id = base + a.separator + strconv.Itoa(number)
		}
		number++
		a.seen[base] = number
		if _, taken := a.seen[id]; !taken || id == base && number == 1 {
			break
		}
	}
	if id != base {
		a.seen[id] = 1
	}
	return id
}

// Taken says that an anchor is a heading's by what is written behind it.
func (a *Anchors) Taken(id string) { a.seen[id] = max(a.seen[id], 1) }

// hostAnchor is the rule of the hosts of Git, mdBook, Docusaurus, Starlight and Nextra: lower case, white space as "-",
// punctuation and symbols dropped.
func hostAnchor(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, text)
}

// hugoAnchor is that of Hugo, which drops marks, too.
func hugoAnchor(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, text)
}

// plainLetters takes accents off and drops what is not ASCII, as Python's encoders do.
func plainLetters(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		return -1
	}, norm.NFKD.String(text))
}

var dashes = regexp.MustCompile(`[-\s]+`)

// pythonAnchor is the rule of Python-Markdown, which MkDocs uses.
func pythonAnchor(text string) string {
	kept := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, plainLetters(text))
	return dashes.ReplaceAllString(strings.TrimSpace(kept), "-")
}

var (
	vitePressMarks   = regexp.MustCompile(`[\x{0300}-\x{036F}]`)
	vitePressSpecial = regexp.MustCompile("[\\s~`!@#$%^&*()\\-_+=\\[\\]{}|\\\\;:\"'“”‘’<>,.?/]+")
)

// vitePressAnchor is the rule of VitePress.
func vitePressAnchor(text string) string {
	text = vitePressMarks.ReplaceAllString(norm.NFKD.String(text), "")
	text = strings.Map(func(r rune) rune {
		if r < 0x20 {
			return -1
		}
		return r
	}, text)
	text = strings.Trim(vitePressSpecial.ReplaceAllString(text, "-"), "-")
	if text != "" && text[0] >= '0' && text[0] <= '9' {
		text = "_" + text
	}
	return strings.ToLower(text)
}

// sphinxAnchor is the rule of Docutils.
func sphinxAnchor(text string) string {
	var out strings.Builder
	gap := false
	for _, r := range strings.ToLower(plainLetters(text)) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && out.Len() > 0 {
				out.WriteByte('-')
			}
			gap = false
			out.WriteRune(r)
			continue
		}
		gap = true
	}
	return strings.TrimLeft(out.String(), "-0123456789")
}

// kramdownAnchor is the rule of kramdown, which Jekyll uses.
func kramdownAnchor(text string) string {
	start := strings.IndexFunc(text, unicode.IsLetter)
	if start < 0 {
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r) && r != 0xFE0F, r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, text[start:])
}
