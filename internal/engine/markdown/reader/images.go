package reader

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// noteDrawing recognises a paragraph that is one drawing.
func (b *inlineBuilder) noteDrawing(t *token) {
	for i := range b.tokens {
		other := &b.tokens[i]
		if other != t && (other.kind != textToken || strings.TrimSpace(other.text) != "") {
			return
		}
	}
	data := t.node.Data.(*doc.InlineImageData)
	b.drawing = doc.NewBlock(doc.Drawing, &doc.FileData{Ref: data.Ref})
}

// picture emits <picture><source srcset media><img></picture>.
func (b *inlineBuilder) picture(i int) int {
	t := &b.tokens[i]
	var image *doc.Node
	dark, known := "", true
	for j := i + 1; j < t.pair; j++ {
		inner := &b.tokens[j]
		switch {
		case inner.kind == textToken && strings.TrimSpace(inner.text) == "":
		case inner.kind == nodeToken && image == nil && inner.node.Type == doc.InlineImage:
			image = inner.node
		case inner.kind == startToken && inner.name == "source" && dark == "" &&
			strings.Contains(attribute(inner.attrs, "media"), "dark"):
			dark = attribute(inner.attrs, "srcset")
		default:
			known = false
		}
	}
	if image == nil || !known {
		b.tokens[t.pair].pair = 0
		b.raw(t.text)
		return i
	}
	if dark != "" {
		ref := doc.URL(dark)
		image.Data.(*doc.InlineImageData).RefDark = &ref
	}
	b.add(image)
	return t.pair
}

// imageBlock converts a paragraph that is one Markdown image; its title is the caption.
func (c *converter) imageBlock(n *ast.Image) *doc.Node {
	image := doc.NewBlock(doc.Image, &doc.ImageData{
		Ref: doc.URL(dialect.UnescapeText(n.Destination)),
		Alt: c.plainText(n),
	})
	if title := dialect.UnescapeTitle(n.Title); title != "" {
		image.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, doc.NewParagraph(doc.NewText(title)))}
	}
	return doc.NewBlock(doc.Images, nil, image)
}

// inlineImage makes an inline image of an <img>, or nil when it says more than an inline image can hold.
func inlineImage(attrs []html.Attribute) *doc.Node {
	if !hasAttribute(attrs, "src") || !only(attrs, "src", "alt", "title", "data-size", "class") ||
		hasAttribute(attrs, "class") && attribute(attrs, "class") != "gitbook-drawing" {
		return nil
	}
	data := &doc.InlineImageData{
		Ref:     doc.URL(attribute(attrs, "src")),
		Alt:     attribute(attrs, "alt"),
		Caption: dialect.SingleSpaced(attribute(attrs, "title")),
	}
	if size := attribute(attrs, "data-size"); size == "line" || size == "original" {
		data.Size = size
	}
	return doc.NewInline(doc.InlineImage, data)
}

// figureImage returns the image of a figure with its caption, and whether it is a drawing.
func (c *converter) figureImage(e *element, depth int) (image *doc.Node, drawing bool) {
	data := &doc.ImageData{}
	var caption []*doc.Node
	parts := e.solid()
	for i, part := range parts {
		switch name := part.name(); {
		case i == 0 && name == "img":
			drawing = hasClass(part.token.Attr, "gitbook-drawing")
			if !imageAttributes(data, part.token.Attr) {
				return nil, false
			}
		case i == 0 && name == "picture":
			if !pictureAttributes(data, part) {
				return nil, false
			}
		case i == 1 && name == "figcaption" && len(part.token.Attr) == 0:
			caption = onlyParagraphs(c.flow(part.children, depth+3))
			if caption == nil && len(part.solid()) > 0 && !emptyCaption(part) {
				return nil, false
			}
		default:
			return nil, false
		}
	}
	if len(parts) == 0 || drawing && (data.Width != nil || data.Height != nil || data.RefDark != nil) {
		return nil, false
	}
	image = doc.NewBlock(doc.Image, data)
	if len(caption) > 0 {
		image.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, caption...)}
	}
	return image, drawing
}

// imageAttributes reads an <img>; it reports false for attributes that an image cannot hold.
func imageAttributes(data *doc.ImageData, attrs []html.Attribute) bool {
	if !hasAttribute(attrs, "src") || !only(attrs, "src", "alt", "width", "height", "class") ||
		hasAttribute(attrs, "class") && attribute(attrs, "class") != "gitbook-drawing" {
		return false
	}
	data.Ref = doc.URL(attribute(attrs, "src"))
	data.Alt = attribute(attrs, "alt")
	for name, field := range map[string]**doc.Length{"width": &data.Width, "height": &data.Height} {
		if !hasAttribute(attrs, name) {
			continue
		}
		length, ok := dialect.ParseLength(attribute(attrs, name))
		if !ok {
			return false
		}
		*field = &length
	}
	return true
}

// pictureAttributes reads <picture><source srcset media="(prefers-color-scheme: dark)"><img></picture>.
func pictureAttributes(data *doc.ImageData, e *element) bool {
	found := false
	for _, part := range e.solid() {
		attrs := part.token.Attr
		switch name := part.name(); {
		case name == "source" && data.RefDark == nil && strings.Contains(attribute(attrs, "media"), "dark"):
			ref := doc.URL(attribute(attrs, "srcset"))
			data.RefDark = &ref
		case name == "img" && !found && !hasAttribute(attrs, "class"):
			found = imageAttributes(data, attrs)
		default:
			return false
		}
	}
	return found
}
