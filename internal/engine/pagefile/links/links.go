// Package links owns finding the destinations of links in Markdown source and replacing them byte for byte.
//
// It reads the dialect's inline links and images, link reference definitions, HTML attributes and block tag
// attributes, and leaves code, comments, formulas and everything else alone. Rewrite changes nothing but the bytes of
// the destinations that its caller replaces, so that a body without a replaced link keeps every byte. A place that is
// taken for a link by mistake costs little: callers replace only destinations that lead to something they know.
// Running time is linear in the body for every input.
package links

import (
	"bytes"
	"html"
	"strings"
)

// Kind says how a destination is written.
type Kind int

// Kinds of uses.
const (
	Link       Kind = iota // [text](destination)
	Image                  // ![alt](destination)
	Definition             // [label]: destination
	Attribute              // <a href="destination">
	Tag                    // {% file src="destination" %}
	Include                // {% include "destination" %}
)

// Use is one destination in a body.
type Use struct {
	Kind Kind
	// Element is the HTML element or block tag in lower case, with Attribute the attribute; both are empty for
	// Markdown links.
	Element, Attribute string
	// Destination is what is written, without escapes and character references. Percent signs are as written.
	Destination string
	// Start and End delimit the written form in the body: with angle brackets, without quotes.
	Start, End int
	// Line is the number of the line, from 1.
	Line int

	bare bool // an attribute without quotes
}

// All returns the uses in a body in order.
func All(body []byte) []Use {
	scanner := newScanner(body)
	scanner.run()
	return scanner.uses
}

// Rewrite returns the body with the destinations for which replace returns true replaced by what it returns, escaped
// as the place needs it. It returns body itself when nothing is replaced.
func Rewrite(body []byte, replace func(Use) (string, bool)) []byte {
	var out []byte
	last := 0
	for _, use := range All(body) {
		destination, ok := replace(use)
		if !ok || destination == use.Destination {
			continue
		}
		out = append(out, body[last:use.Start]...)
		out = append(out, use.encode(destination)...)
		last = use.End
	}
	if last == 0 {
		return body
	}
	return append(out, body[last:]...)
}

// encode writes a destination the way its place needs it.
func (u Use) encode(destination string) string {
	switch {
	case u.bare:
		return `"` + EncodeAttribute(destination) + `"`
	case u.Kind == Attribute || u.Kind == Tag || u.Kind == Include:
		return EncodeAttribute(destination)
	}
	return EncodeMarkdown(destination)
}

var attributeEscapes = strings.NewReplacer("&", "&#x26;", `"`, "&#x22;", "<", "&#x3C;", "'", "&#x27;")

// EncodeAttribute writes a destination for a quoted HTML or tag attribute.
func EncodeAttribute(destination string) string { return attributeEscapes.Replace(destination) }

// EncodeMarkdown writes a destination for an inline link or a definition: in angle brackets when it holds spaces or
// unbalanced parentheses.
func EncodeMarkdown(destination string) string {
	var out strings.Builder
	wrap := destination == "" || strings.ContainsAny(destination, " \t()")
	for i := range len(destination) {
		c := destination[i]
		switch {
		case c == '\n' || c == '\r':
			out.WriteString("%0A")
			continue
		case c == '\\' || c == '<' || c == '>', c == '&' && looksLikeReference(destination[i:]):
			out.WriteByte('\\')
		}
		out.WriteByte(c)
	}
	if wrap {
		return "<" + out.String() + ">"
	}
	return out.String()
}

// looksLikeReference reports whether s starts with a character reference such as "&amp;".
func looksLikeReference(s string) bool {
	s = s[:min(len(s), maxReference)]
	return html.UnescapeString(s) != s
}

// maxReference bounds the length of a character reference, in bytes.
const maxReference = 40

// decodeMarkdown undoes backslash escapes and character references of a destination.
func decodeMarkdown(written []byte) string {
	if !bytes.ContainsAny(written, `\&`) {
		return string(written)
	}
	var out strings.Builder
	for i := 0; i < len(written); i++ {
		switch c := written[i]; {
		case c == '\\' && i+1 < len(written) && isPunctuation(written[i+1]):
			i++
			out.WriteByte(written[i])
		case c == '&':
			reference := written[i:min(len(written), i+maxReference)]
			reference = reference[:bytes.IndexByte(reference, ';')+1]
			if text := html.UnescapeString(string(reference)); text != string(reference) {
				out.WriteString(text)
				i += len(reference) - 1
				continue
			}
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
