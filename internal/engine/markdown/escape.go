package markdown

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"

	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// escapeParts escapes the characters of every text for the place where it stands.
func (i *inlineWriter) escapeParts() {
	for at := range i.parts {
		p := &i.parts[at]
		if !p.leaf {
			continue
		}
		e := escaper{
			style: i.style, text: p.text, link: p.link, before: i.charBefore(at), first: at == 0,
			last:   i.isLast(at),
			opened: i.opens(at - 1), closing: i.closes(at + 1),
			dollarNext: strings.HasPrefix(i.markupAfter(at), "$"), colonNext: strings.HasPrefix(i.markupAfter(at), ":"),
		}
		if i.style.html {
			e.before = i.htmlBefore(at)
		}
		p.text, p.leaf = e.escape(), false
	}
}

// htmlBefore returns the character before a part as HTML sees it: marks do not stand between white space, and a break
// starts a line.
func (i *inlineWriter) htmlBefore(at int) rune {
	for at--; at >= 0; at-- {
		switch p := i.parts[at]; {
		case p.mark != nil || p.text == "" || p.text == "<code>" || p.text == "</code>":
		case strings.HasSuffix(p.text, "<br>"):
			return '\n'
		default:
			r, _ := utf8.DecodeLastRuneInString(p.text)
			return r
		}
	}
	return '\n'
}

// isLast reports whether only marks end after a part.
func (i *inlineWriter) isLast(at int) bool {
	for _, p := range i.parts[at+1:] {
		if p.mark == nil && p.text != "" || p.mark != nil && p.start {
			return false
		}
	}
	return true
}

// opens reports whether a part starts a mark, or in HTML an element that holds what follows.
func (i *inlineWriter) opens(at int) bool {
	if at < 0 {
		return false
	}
	p := i.parts[at]
	if p.mark != nil {
		return p.start
	}
	return i.style.html && strings.HasPrefix(p.text, "<") && !strings.HasPrefix(p.text, "<img") &&
		!strings.Contains(p.text, "</")
}

// closes reports whether a part ends a mark, or in HTML an element.
func (i *inlineWriter) closes(at int) bool {
	if at >= len(i.parts) {
		return false
	}
	p := i.parts[at]
	if p.mark != nil {
		return !p.start
	}
	return i.style.html && strings.HasPrefix(p.text, "</")
}

// markupAfter returns the markup that follows a part, or "".
func (i *inlineWriter) markupAfter(at int) string {
	if at+1 < len(i.parts) && i.parts[at+1].mark == nil && !i.parts[at+1].leaf {
		return i.parts[at+1].text
	}
	return ""
}

// escaper escapes one text.
type escaper struct {
	style                 inlineStyle
	text                  string
	link                  bool
	before                rune // the character before the text, a line feed at the start of a line
	first, last           bool // the text is the first or the last of its block
	opened, closing       bool // the text is the first in a mark or an element, or the last in a mark
	dollarNext, colonNext bool // a formula or an emoji follows

	out strings.Builder
}

func (e *escaper) escape() string {
	s := e.text
	previous := e.before
	all := []byte(s)
	address := -1 // where the next character is that would make a link of an address
	for at := 0; at < len(s); {
		if !e.style.html && !e.link && address < at {
			address = reader.BareAddressAt(all, at)
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		rest := s[at+size:]
		switch {
		case r == '\n':
			e.lineBreak(previous, rest)
		case r == ' ' && e.isEdge(previous, rest, at):
			e.out.WriteString("&#x20;")
			r = ';'
		case r == '\t':
			e.out.WriteString("&#x9;")
		case e.style.html:
			e.htmlCharacter(r)
		case e.style.safe && r < 0x80 && util.IsPunct(byte(r)):
			fmt.Fprintf(&e.out, "&#x%X;", r)
		case at == address:
			e.out.WriteByte('\\')
			e.out.WriteRune(r)
		default:
			e.character(r, previous, rest, at)
		}
		previous = r
		at += size
	}
	return e.out.String()
}

// isEdge reports whether a space would be lost: at the start or end of a line, and in HTML next to another one. Next
// to a mark it would keep the mark from working.
func (e *escaper) isEdge(previous rune, rest string, at int) bool {
	switch {
	case previous == '\n', rest == "" && e.last, strings.HasPrefix(rest, "\n"):
		return true
	case e.style.html && previous == ' ':
		return true
	}
	return at == 0 && e.opened || rest == "" && e.closing
}

// lineBreak writes a hard break; one at the end of a block, or where a line must not end, is an element.
func (e *escaper) lineBreak(previous rune, rest string) {
	atEnd := strings.Trim(rest, "\n") == "" && e.last
	if e.style.html || e.style.line || e.style.cell || e.style.safe || atEnd || previous == '\\' {
		e.out.WriteString("<br>")
		return
	}
	e.out.WriteString("\\\n")
}

func (e *escaper) htmlCharacter(r rune) {
	switch r {
	case '&':
		e.out.WriteString("&#x26;")
	case '<':
		e.out.WriteString("&#x3C;")
	case '|':
		if e.style.cell {
			e.out.WriteString("&#x7C;")
			return
		}
		e.out.WriteByte('|')
	default:
		e.out.WriteRune(r)
	}
}

// character writes one character of Markdown text.
func (e *escaper) character(r, previous rune, rest string, at int) {
	next, _ := utf8.DecodeRuneInString(rest)
	lineStart := previous == '\n' && (e.first || at > 0)
	escape := false
	switch r {
	case '\\', '`', '*', '[', '~':
		escape = true
	case ']':
		escape = e.link
	case '^':
		escape = at == 0 && previous == '[' // "[^" would refer to a footnote
	case '_':
		escape = !(dialect.IsWordRune(previous) && dialect.IsWordRune(next) && rest != "")
	case '|':
		escape = e.style.cell || lineStart
	case '$':
		escape = next == '$' || previous == '$' || rest == "" && (e.dollarNext || !e.last)
	case '<':
		if rest == "" && e.last || rest != "" && (next == ' ' || next == '=' || '0' <= next && next <= '9') {
			break
		}
		e.out.WriteString("&#x3C;")
		return
	case '&':
		_, size := dialect.CutEntity(e.text[at:])
		escape = size > 0
	case ':':
		escape = e.startsEmoji(previous, at) || lineStart && next == '-'
	case '!':
		escape = rest == "" && !e.last
	case '#':
		escape = lineStart || e.style.head && e.last && strings.Trim(rest, "# ") == ""
	case '>', '=', '+':
		escape = lineStart
	case '-':
		escape = lineStart && (rest == "" || strings.ContainsRune("-:| \t\n", next))
	case '{':
		escape = lineStart && next == '%'
	case '.', ')':
		escape = e.endsListNumber(at, rest)
	}
	if escape {
		e.out.WriteByte('\\')
	}
	e.out.WriteRune(r)
}

// startsEmoji reports whether a colon would start the name of an emoji.
func (e *escaper) startsEmoji(previous rune, at int) bool {
	if dialect.IsWordRune(previous) || previous == ':' && at > 0 {
		return false
	}
	name, size := reader.CutEmojiName([]byte(e.text[at:]))
	if size > 0 {
		_, known := dialect.EmojiCode(name)
		return known
	}
	// The name may go on in the emoji that follows.
	return e.colonNext && strings.IndexFunc(e.text[at+1:], func(r rune) bool {
		return !dialect.IsWordRune(r) && r != '_' && r != '+' && r != '-'
	}) < 0
}

// endsListNumber reports whether a "." or ")" makes a list item of the number at the start of its line.
func (e *escaper) endsListNumber(at int, rest string) bool {
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\n' {
		return false
	}
	start := at
	for start > 0 && at-start < 10 && '0' <= e.text[start-1] && e.text[start-1] <= '9' {
		start--
	}
	if digits := at - start; digits == 0 || digits > 9 {
		return false
	}
	if start == 0 {
		return e.first && e.before == '\n'
	}
	return e.text[start-1] == '\n'
}

// escapeLiteral escapes a text inside an element that Markdown does not read.
func escapeLiteral(s string, cell bool) string {
	s = strings.NewReplacer("&", "&#x26;", "<", "&#x3C;", "\n", "&#xA;", "\t", "&#x9;", "  ", " &#x20;").Replace(s)
	if cell {
		s = strings.ReplaceAll(s, "|", "&#x7C;")
	}
	return s
}

// escapeAttribute escapes the value of an attribute. U+FFFD is escaped too, because goldmark ends a tag there.
func escapeAttribute(s string, cell bool) string {
	s = strings.NewReplacer("&", "&#x26;", `"`, "&#x22;", "<", "&#x3C;", "\n", "&#xA;", "\t", "&#x9;", "\uFFFD",
		"&#xFFFD;").Replace(s)
	if cell {
		s = strings.ReplaceAll(s, "|", "&#x7C;")
	}
	return s
}

// escapeInfo writes what stands after the backticks of a fence.
func escapeInfo(info string) string { return dialect.EscapeReferences(info) }

// escapeLinkText escapes the words of a link that is only there to be read.
func escapeLinkText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&#x3C;", "\n",
		" ").Replace(s)
}
