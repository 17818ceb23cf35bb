package links

import (
	"bytes"
	"html"
	"strings"
)

// element is an HTML start tag.
type element struct {
	name       string
	attributes []attribute
	end        int // behind ">"
}

// attribute is an attribute with a value at body[start:end], in quotes or bare.
type attribute struct {
	name       string
	start, end int
	bare       bool
}

// parseElement reads the start tag at body[i] == '<'. A "<" outside quotes or a blank line ends the attempt, so that
// text with many unclosed tags costs no more than its length.
func parseElement(body []byte, i int) (element, bool) {
	at := i + 1
	for at < len(body) && (isLetter(body[at]) || at > i+1 && (body[at] >= '0' && body[at] <= '9' || body[at] == '-')) {
		at++
	}
	tag := element{name: strings.ToLower(string(body[i+1 : at]))}
	if tag.name == "" || at >= len(body) || !isSpace(body[at]) && body[at] != '>' && body[at] != '/' {
		return tag, false
	}
	for at < len(body) {
		switch c := body[at]; {
		case c == '>':
			tag.end = at + 1
			return tag, true
		case c == '/' || isSpace(c):
			at++
		case isLetter(c) || c == '_' || c == ':' || c == '@':
			next, ok := tag.parseAttribute(body, at)
			if !ok {
				return tag, false
			}
			at = next
		default:
			return tag, false
		}
	}
	return tag, false
}

func (t *element) parseAttribute(body []byte, at int) (int, bool) {
	start := at
	for at < len(body) && !isSpace(body[at]) && !strings.ContainsRune("=>/<\"'", rune(body[at])) {
		at++
	}
	name := strings.ToLower(string(body[start:at]))
	next := at
	for next < len(body) && isSpace(body[next]) {
		next++
	}
	if next >= len(body) || body[next] != '=' {
		return at, true
	}
	next++
	for next < len(body) && isSpace(body[next]) {
		next++
	}
	if next >= len(body) {
		return 0, false
	}
	if quote := body[next]; quote == '"' || quote == '\'' {
		length := bytes.IndexByte(body[next+1:min(len(body), next+1+maxAttribute)], quote)
		if length < 0 || bytes.Contains(body[next+1:next+1+length], []byte("\n\n")) {
			return 0, false
		}
		t.attributes = append(t.attributes, attribute{name: name, start: next + 1, end: next + 1 + length})
		return next + length + 2, true
	}
	start = next
	for next < len(body) && !isSpace(body[next]) && !strings.ContainsRune(">\"'<=`", rune(body[next])) {
		next++
	}
	if next == start {
		return 0, false
	}
	t.attributes = append(t.attributes, attribute{name: name, start: start, end: next, bare: true})
	return next, true
}

// maxAttribute bounds a quoted attribute, in bytes; images written into the page as data are that long.
const maxAttribute = 1 << 20

// tagAttributes names the attributes of block tags that hold destinations.
var tagAttributes = map[string]string{
	"file": "src", "content-ref": "url", "page-ref": "page", "embed": "url", "openapi": "src", "swagger": "src",
}

// blockTag reads "{% name attributes %}" at i. Only the tags of integrations ("@name/block") span blank lines.
func (s *scanner) blockTag(i int) int {
	if i+1 >= len(s.body) || s.body[i+1] != '%' || s.noTagEnd {
		return i + 1
	}
	length := bytes.Index(s.body[i+2:], []byte("%}"))
	if length < 0 {
		s.noTagEnd = true
		return i + 1
	}
	content := s.body[i+2 : i+2+length]
	name := content[len(content)-len(bytes.TrimLeft(content, " \t")):]
	if end := bytes.IndexAny(name, " \t\r\n"); end >= 0 {
		name = name[:end]
	}
	end := i + 2 + length
	if bytes.Contains(content, []byte("\n\n")) && !bytes.HasPrefix(name, []byte("@")) || end > s.limit() {
		return i + 2
	}
	if string(name) == "include" {
		s.includePath(i, end)
	} else if wanted, ok := tagAttributes[string(name)]; ok {
		s.tagAttribute(string(name), wanted, i+2, end)
	}
	return end + 2
}

// includePath reads the quoted path between at and end.
func (s *scanner) includePath(at, end int) {
	quote := bytes.IndexByte(s.body[at:end], '"')
	if quote < 0 {
		return
	}
	start := at + quote + 1
	length := bytes.IndexByte(s.body[start:end], '"')
	if length < 0 {
		return
	}
	s.add(Use{Kind: Include, Element: "include",
		Destination: html.UnescapeString(string(s.body[start : start+length]))}, start, start+length)
}

func (s *scanner) tagAttribute(tag, wanted string, at, end int) {
	for at < end {
		for at < end && isSpace(s.body[at]) {
			at++
		}
		nameStart := at
		for at < end && s.body[at] != '=' && !isSpace(s.body[at]) {
			at++
		}
		name := string(s.body[nameStart:at])
		if at+1 >= end || s.body[at] != '=' || s.body[at+1] != '"' {
			at++
			continue
		}
		start := at + 2
		length := bytes.IndexByte(s.body[start:end], '"')
		if length < 0 {
			return
		}
		if name == wanted {
			s.add(Use{Kind: Tag, Element: tag, Attribute: name,
				Destination: html.UnescapeString(string(s.body[start : start+length]))}, start, start+length)
		}
		at = start + length + 1
	}
}
