package oas

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// FormatOf tells JSON from YAML by the first character.
func FormatOf(source []byte) Format {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(source, []byte("\ufeff")), " \t\r\n")
	if len(trimmed) > 0 && trimmed[0] == '{' {
		return JSON
	}
	return YAML
}

// parse reads a file of either format and takes its values off the budget.
func parse(source []byte, budget *int) (*Node, *Problem) {
	if !utf8.Valid(source) {
		return nil, invalidUTF8(source)
	}
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	if len(bytes.TrimSpace(source)) == 0 {
		return nil, &Problem{Message: "the file is empty"}
	}
	if FormatOf(source) == YAML {
		return parseYAML(source, budget)
	}
	before := *budget
	p := &jsonParser{text: string(source), line: 1, budget: budget}
	root, ok := p.document()
	if ok {
		return root, nil
	}
	if !p.exhausted { // a YAML flow mapping begins like JSON
		*budget = before
		if root, problem := parseYAML(source, budget); problem == nil {
			return root, nil
		}
	}
	return nil, &p.problem
}

// invalidUTF8 says where the first bytes are that no text has.
func invalidUTF8(source []byte) *Problem {
	at := 0
	for at < len(source) {
		r, size := utf8.DecodeRune(source[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	line := 1 + bytes.Count(source[:at], []byte("\n"))
	start := bytes.LastIndexByte(source[:at], '\n') + 1
	return &Problem{Line: line, Column: 1 + utf8.RuneCount(source[start:at]),
		Message: "the file is not UTF-8 text from here on; save it as UTF-8"}
}

// jsonParser reads RFC 8259. It notes where values are, which encoding/json does not say.
type jsonParser struct {
	text      string
	at        int
	line      int32
	start     int // of the line
	budget    *int
	exhausted bool
	nodes     nodes
	problem   Problem
}

// fail notes a problem at the current place.
func (p *jsonParser) fail(format string, args ...any) {
	if p.problem.Message == "" {
		p.problem = Problem{Line: int(p.line), Column: int(p.column()), Message: fmt.Sprintf(format, args...)}
	}
}

func (p *jsonParser) column() int32 {
	return int32(utf8.RuneCountInString(p.text[p.start:min(p.at, len(p.text))])) + 1
}

func (p *jsonParser) document() (*Node, bool) {
	root, ok := p.value(0)
	if !ok {
		return nil, false
	}
	if p.space(); p.at < len(p.text) {
		p.fail("there is something after the end of the document")
		return nil, false
	}
	return root, true
}

func (p *jsonParser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '\n':
			p.line++
			p.start = p.at + 1
		case ' ', '\t', '\r':
		default:
			return
		}
		p.at++
	}
}

// next returns the next character that is no space, 0 at the end.
func (p *jsonParser) next() byte {
	if p.space(); p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *jsonParser) value(depth int) (*Node, bool) {
	c := p.next()
	if depth > maxDepth {
		p.exhausted = true
		p.fail("values nest deeper than %d levels", maxDepth)
		return nil, false
	}
	if *p.budget--; *p.budget < 0 {
		p.exhausted = true
		p.fail("the description has more than %d values", maxValues)
		return nil, false
	}
	n := p.nodes.take()
	n.Line, n.Column = p.line, p.columnFast()
	switch {
	case c == '{':
		return n, p.object(n, depth)
	case c == '[':
		return n, p.list(n, depth)
	case c == '"':
		text, ok := p.string()
		n.Kind, n.Text = String, text
		return n, ok
	case c == '-' || c >= '0' && c <= '9':
		return n, p.number(n)
	}
	for _, word := range []struct {
		text string
		kind Kind
	}{{"true", Bool}, {"false", Bool}, {"null", Null}} {
		if strings.HasPrefix(p.text[min(p.at, len(p.text)):], word.text) {
			n.Kind = word.kind
			if word.kind == Bool {
				n.Text = word.text
			}
			p.at += len(word.text)
			return n, true
		}
	}
	if c == 0 {
		p.fail("the document ends too early")
	} else {
		r, _ := utf8.DecodeRuneInString(p.text[p.at:])
		p.fail("%q cannot begin a value", r)
	}
	return nil, false
}

// columnFast counts bytes in long lines: a document on one line would cost the square of its length otherwise.
func (p *jsonParser) columnFast() int32 {
	if p.at-p.start > 500 {
		return int32(p.at-p.start) + 1
	}
	return p.column()
}

func (p *jsonParser) object(n *Node, depth int) bool {
	n.Kind = Object
	p.at++
	if p.next() == '}' {
		p.at++
		return true
	}
	for {
		if p.next() != '"' {
			p.fail("here a member's name in quotes is missing")
			return false
		}
		key := Key{Line: p.line, Column: p.columnFast()}
		var ok bool
		if key.Text, ok = p.string(); !ok {
			return false
		}
		if n.at(key.Text) >= 0 {
			p.fail("%.80q is there twice in one object", key.Text)
			return false
		}
		if p.next() != ':' {
			p.fail("here a colon is missing")
			return false
		}
		p.at++
		value, ok := p.value(depth + 1)
		if !ok {
			return false
		}
		n.add(key, value)
		switch p.next() {
		case ',':
			p.at++
		case '}':
			p.at++
			return true
		default:
			p.fail("here a comma or a closing brace is missing")
			return false
		}
	}
}

// add appends a member that is new.
func (n *Node) add(key Key, value *Node) {
	if n.index != nil {
		n.index[key.Text] = int32(len(n.Keys))
	}
	n.Keys = append(n.Keys, key)
	n.Items = append(n.Items, value)
	if len(n.Keys) == indexed {
		n.makeIndex()
	}
}

func (p *jsonParser) list(n *Node, depth int) bool {
	n.Kind = List
	p.at++
	if p.next() == ']' {
		p.at++
		return true
	}
	for {
		value, ok := p.value(depth + 1)
		if !ok {
			return false
		}
		n.Items = append(n.Items, value)
		switch p.next() {
		case ',':
			p.at++
		case ']':
			p.at++
			return true
		default:
			p.fail("here a comma or a closing bracket is missing")
			return false
		}
	}
}

func (p *jsonParser) number(n *Node) bool {
	end := p.at
	for end < len(p.text) && strings.IndexByte("+-.eE0123456789", p.text[end]) >= 0 {
		end++
	}
	text := p.text[p.at:end]
	if !validNumber(text) {
		p.fail("%.40q is no number", text)
		return false
	}
	n.Kind, n.Text = Number, text
	p.at = end
	return true
}

// validNumber reports whether a text is a number as JSON writes it.
func validNumber(text string) bool {
	digits := func() bool {
		count := 0
		for text != "" && text[0] >= '0' && text[0] <= '9' {
			text, count = text[1:], count+1
		}
		return count > 0
	}
	text = strings.TrimPrefix(text, "-")
	leading := strings.HasPrefix(text, "0")
	before := len(text)
	if !digits() || leading && before-len(text) > 1 {
		return false
	}
	if rest, ok := strings.CutPrefix(text, "."); ok {
		if text = rest; !digits() {
			return false
		}
	}
	if text != "" && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if text != "" && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return text == ""
}

// string reads a text in quotes. Without escapes it is a part of the source and costs nothing.
func (p *jsonParser) string() (string, bool) {
	p.at++
	for i := p.at; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			text := p.text[p.at:i]
			p.at = i + 1
			return text, true
		case c == '\\':
			return p.escaped()
		case c < ' ':
			p.at = i
			p.fail("a text cannot hold the character %q as it is; write it as an escape", c)
			return "", false
		}
	}
	p.fail("the text that begins here does not end")
	return "", false
}

func (p *jsonParser) escaped() (string, bool) {
	var b strings.Builder
	for p.at < len(p.text) {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return b.String(), true
		case c < ' ':
			p.fail("a text cannot hold the character %q as it is; write it as an escape", c)
			return "", false
		case c != '\\':
			b.WriteByte(c)
			continue
		}
		if p.at >= len(p.text) {
			break
		}
		c = p.text[p.at]
		p.at++
		if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
			b.WriteByte("\"\\/\b\f\n\r\t"[i])
			continue
		}
		if c != 'u' {
			p.fail("%q is no escape", "\\"+string(rune(c)))
			return "", false
		}
		r, ok := p.unit()
		if !ok {
			p.fail("four hexadecimal digits are missing after \\u")
			return "", false
		}
		if utf16.IsSurrogate(r) {
			r = p.pair(r)
		}
		if r == 0 {
			r = utf8.RuneError // no database and no page can hold it
		}
		b.WriteRune(r)
	}
	p.fail("the text does not end")
	return "", false
}

// unit reads the four digits of an escape.
func (p *jsonParser) unit() (rune, bool) {
	if p.at+4 > len(p.text) {
		return 0, false
	}
	value, err := strconv.ParseUint(p.text[p.at:p.at+4], 16, 32)
	if err != nil {
		return 0, false
	}
	p.at += 4
	return rune(value), true
}

// pair reads the second half of a surrogate pair.
func (p *jsonParser) pair(first rune) rune {
	if !strings.HasPrefix(p.text[p.at:], `\u`) {
		return utf8.RuneError
	}
	before := p.at
	p.at += 2
	second, ok := p.unit()
	if r := utf16.DecodeRune(first, second); ok && r != utf8.RuneError {
		return r
	}
	p.at = before
	return utf8.RuneError
}
