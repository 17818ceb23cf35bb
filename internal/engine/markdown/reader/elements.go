package reader

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// role is what an element of inline HTML stands for.
type role int

const (
	rawRole role = iota
	markRole
	colorRole
	linkRole
	mentionRole
	annotationRole
	buttonRole
	iconRole
	emojiRole
	mathRole
	expressionRole
	pictureRole
	anchorRole
)

// htmlToken makes a token of the source of one tag or comment. Line breaks inside it become spaces, so that a raw
// inline never changes the lines of its block.
func htmlToken(source string) token {
	if strings.Contains(source, "\n") {
		lines := strings.Split(source, "\n")
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		source = strings.Join(lines, " ")
	}
	z := html.NewTokenizer(strings.NewReader(source))
	kind := z.Next()
	if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
		return token{kind: rawToken, text: source}
	}
	return tagToken(z.Token(), source)
}

// RawInline returns the source of a tag or comment as it stands in a line of text. It is not ok when the source is a
// break or an image of the dialect.
func RawInline(source string) (line string, ok bool) {
	t := htmlToken(source)
	return t.text, t.kind == rawToken || t.kind == startToken || t.kind == endToken
}

// tagToken makes a token of a tag.
func tagToken(t html.Token, source string) token {
	result := token{kind: startToken, text: source, name: t.Data, attrs: t.Attr}
	for i := range result.attrs {
		result.attrs[i].Val = dialect.CleanText(result.attrs[i].Val)
	}
	if t.Type == html.EndTagToken {
		result.kind = endToken
		return result
	}
	switch {
	case t.Data == "br" && len(t.Attr) == 0:
		result.kind = breakToken
	case t.Data == "img":
		if node := inlineImage(t.Attr); node != nil {
			result.kind, result.node = nodeToken, node
			result.image = hasClass(t.Attr, "gitbook-drawing")
		}
	}
	return result
}

// elementRole says what the element of a start tag stands for.
func elementRole(t *token) role {
	bare := len(t.attrs) == 0
	switch t.name {
	case "strong", "b", "em", "s", "del", "strike", "sub", "sup", "kbd":
		if bare {
			return markRole
		}
	case "code":
		switch {
		case bare:
			return markRole
		case hasClass(t.attrs, "expression"):
			return expressionRole
		}
	case "i":
		switch {
		case bare:
			return markRole
		case iconName(t.attrs) != "":
			return iconRole
		}
	case "mark":
		if _, _, ok := colors(t.attrs); ok {
			return colorRole
		}
	case "a":
		return anchorElementRole(t.attrs)
	case "button":
		if hasClass(t.attrs, "button") {
			return buttonRole
		}
	case "picture":
		return pictureRole
	case "span":
		if hasAttribute(t.attrs, "data-gb-custom-inline") {
			switch attribute(t.attrs, "data-tag") {
			case "emoji":
				return emojiRole
			case "math":
				return mathRole
			}
		}
	}
	return rawRole
}

func anchorElementRole(attrs []html.Attribute) role {
	href := attribute(attrs, "href")
	switch {
	case hasAttribute(attrs, "data-footnote-ref"):
		return annotationRole
	case hasClass(attrs, "button"):
		return buttonRole
	case hasAttribute(attrs, "data-mention"):
		return mentionRole
	case hasAttribute(attrs, "id") && href == "#"+attribute(attrs, "id"):
		return anchorRole
	case hasAttribute(attrs, "href") && only(attrs, "href", "title"):
		return linkRole
	}
	return rawRole
}

// markOf returns the mark of an element in the role markRole.
func markOf(name string) doc.MarkType {
	switch name {
	case "strong", "b":
		return doc.Bold
	case "em", "i":
		return doc.Italic
	case "s", "del", "strike":
		return doc.Strikethrough
	case "sub":
		return doc.Subscript
	case "sup":
		return doc.Superscript
	case "kbd":
		return doc.Keyboard
	}
	return doc.CodeMark
}

func attribute(attrs []html.Attribute, name string) string {
	for _, a := range attrs {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(attrs []html.Attribute, name string) bool {
	for _, a := range attrs {
		if a.Key == name {
			return true
		}
	}
	return false
}

// only reports whether attributes have no names but these.
func only(attrs []html.Attribute, names ...string) bool {
	for _, a := range attrs {
		known := false
		for _, name := range names {
			known = known || a.Key == name
		}
		if !known {
			return false
		}
	}
	return true
}

func hasClass(attrs []html.Attribute, class string) bool {
	for field := range strings.FieldsSeq(attribute(attrs, "class")) {
		if field == class {
			return true
		}
	}
	return false
}

// iconName returns the icon of <i class="fa-name">, or "".
func iconName(attrs []html.Attribute) string {
	name := ""
	for field := range strings.FieldsSeq(attribute(attrs, "class")) {
		rest, ok := strings.CutPrefix(field, "fa-")
		if !ok {
			return ""
		}
		name = rest
	}
	if !dialect.IsPlainName(name) {
		return ""
	}
	return name
}

// styles splits a style attribute into its declarations.
func styles(attrs []html.Attribute) map[string]string {
	declarations := map[string]string{}
	for part := range strings.SplitSeq(attribute(attrs, "style"), ";") {
		name, value, ok := strings.Cut(part, ":")
		if ok {
			declarations[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
		}
	}
	return declarations
}

// colors returns the colours of <mark style="color:red;background-color:green;">; a missing one is "default".
func colors(attrs []html.Attribute) (text, background string, ok bool) {
	declarations := styles(attrs)
	text, background = "default", "default"
	if value, set := declarations["color"]; set {
		text, ok = value, true
	}
	if value, set := declarations["background-color"]; set {
		background, ok = value, true
	}
	return text, background, ok && dialect.IsPlainName(text) && dialect.IsPlainName(background)
}
