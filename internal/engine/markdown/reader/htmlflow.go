package reader

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// htmlBlock converts a block of HTML: one element that the dialect knows becomes its block, anything else stays raw.
func (c *converter) htmlBlock(n *htmlNode, depth int) *doc.Node {
	source := n.source(c.text)
	root, wellFormed := parseHTML(source, c.guard, max(n.Pos(), 0))
	if solid := root.solid(); wellFormed && len(solid) == 1 {
		if node := c.htmlElement(solid[0], depth); node != nil {
			return node
		}
	}
	return rawBlock(source)
}

func rawBlock(source string) *doc.Node {
	return doc.NewBlock(doc.Raw, &doc.RawData{Source: strings.Trim(source, " \t\n"), Syntax: "html"})
}

// htmlElement converts one element that stands as a block; nil when the dialect does not know it as such.
func (c *converter) htmlElement(e *element, depth int) *doc.Node {
	attrs := e.token.Attr
	switch name := e.name(); name {
	case "p":
		if only(attrs, "align") && phrasing(e.children) {
			nodes := c.htmlInline(e.children).nodes
			if align := blockAlign(attrs); align != "" || len(nodes) > 0 {
				return doc.NewBlock(doc.Paragraph, &doc.ParagraphData{Align: align}, nodes...)
			}
		}
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if only(attrs, "align", "id") && phrasing(e.children) {
			nodes, anchor := c.buildHeading(htmlTokens(e.children))
			data := &doc.HeadingData{ID: anchor, Align: blockAlign(attrs)}
			if id := attribute(attrs, "id"); data.ID == "" && dialect.IsAnchor(id) {
				data.ID = id
			}
			return doc.NewBlock(headingType(int(name[1]-'0')), data, nodes...)
		}
	case "hr":
		return doc.NewBlock(doc.Divider, nil)
	case "figure":
		return c.figure(e, depth)
	case "div":
		return c.div(e, depth)
	case "pre":
		return c.pre(e)
	case "table":
		return c.htmlTable(e, depth)
	case "ul", "ol":
		return c.htmlList(e, depth)
	case "blockquote":
		if len(attrs) == 0 {
			return doc.NewBlock(doc.Blockquote, nil, dialect.AtLeastParagraph(c.flow(e.children, depth+1))...)
		}
	case "details":
		return c.htmlDetails(e, depth)
	}
	return nil
}

// flow converts what stands inside an element that holds blocks: a table cell, a list item, a caption. Texts and
// inline elements between blocks become paragraphs.
func (c *converter) flow(elements []*element, depth int) []*doc.Node {
	c.guard.deeper(0, depth, doc.MaxBlockDepth)
	c.depth = depth
	var nodes []*doc.Node
	var line []*element
	flush := func() {
		if inline := c.htmlInline(line).nodes; len(inline) > 0 {
			nodes = append(nodes, doc.NewParagraph(inline...))
		}
		line = nil
	}
	for _, e := range elements {
		name := e.name()
		if !isBlockElement(name) && name != "pre" {
			line = append(line, e)
			continue
		}
		flush()
		node := c.htmlElement(e, depth)
		if node == nil && name == "p" && len(e.token.Attr) == 0 && len(e.solid()) == 0 {
			continue // an empty paragraph says nothing
		}
		if node == nil {
			node = rawBlock(strings.Join(strings.Fields(e.source()), " "))
		}
		nodes = append(nodes, node)
	}
	flush()
	return nodes
}

// htmlInline converts texts and inline elements.
func (c *converter) htmlInline(elements []*element) *inlineBuilder {
	tokens := htmlTokens(elements)
	c.guard.allocate(0, len(tokens)*nodeCost)
	return c.build(tokens)
}

// phrasing reports whether elements hold no blocks.
func phrasing(elements []*element) bool {
	for _, e := range elements {
		if name := e.name(); isBlockElement(name) || name == "pre" || !phrasing(e.children) {
			return false
		}
	}
	return true
}

// blockAlign maps the align attribute to the alignment of paragraphs and headings.
func blockAlign(attrs []html.Attribute) string {
	switch attribute(attrs, "align") {
	case "left", "start":
		return "start"
	case "center":
		return "center"
	case "right", "end":
		return "end"
	}
	return ""
}

// figure converts <figure><img><figcaption>…</figcaption></figure>.
func (c *converter) figure(e *element, depth int) *doc.Node {
	if len(e.token.Attr) > 0 {
		return nil
	}
	image, drawing := c.figureImage(e, depth)
	switch {
	case image == nil:
		return nil
	case drawing:
		node := doc.NewBlock(doc.Drawing, &doc.FileData{Ref: image.Data.(*doc.ImageData).Ref})
		node.Fragments = image.Fragments
		return node
	}
	return doc.NewBlock(doc.Images, nil, image)
}

// emptyCaption reports a caption of empty paragraphs.
func emptyCaption(e *element) bool {
	for _, part := range e.solid() {
		if part.name() != "p" || len(part.solid()) > 0 {
			return false
		}
	}
	return true
}

// div converts the wrapper of figures and the stand-in of a block tag.
func (c *converter) div(e *element, depth int) *doc.Node {
	attrs := e.token.Attr
	if hasAttribute(attrs, "data-gb-custom-block") {
		return c.standIn(e, depth)
	}
	if !only(attrs, "align", "data-full-width", "data-with-frame") {
		return nil
	}
	data := &doc.ImagesData{FullWidth: boolAttribute(attrs, "data-full-width"), WithFrame: boolAttribute(attrs,
		"data-with-frame")}
	if align := attribute(attrs, "align"); align == "left" || align == "center" || align == "right" {
		data.Align = align
	}
	images := doc.NewBlock(doc.Images, data)
	for _, part := range e.solid() {
		if part.name() != "figure" || len(part.token.Attr) > 0 {
			return nil
		}
		image, drawing := c.figureImage(part, depth+1)
		if image == nil || drawing {
			return nil
		}
		images.Nodes = append(images.Nodes, image)
	}
	if len(images.Nodes) == 0 {
		return nil
	}
	return images
}

func boolAttribute(attrs []html.Attribute, name string) *bool {
	if !hasAttribute(attrs, name) {
		return nil
	}
	return new(attribute(attrs, name) != "false")
}

// standIn converts <div data-gb-custom-block data-tag="hint" data-style="info">…</div>.
func (c *converter) standIn(e *element, depth int) *doc.Node {
	attrs := e.token.Attr
	tag := attribute(attrs, "data-tag")
	if tag == "math" {
		return doc.NewBlock(doc.Math, &doc.FormulaData{Formula: attribute(attrs, "data-formula")})
	}
	if tag == "integration" {
		return c.standInIntegration(attrs)
	}
	spec := dialect.TagNamed(tag)
	if tag == dialect.InlineOperation.Name && attribute(attrs, "data-src") == "" {
		spec = &dialect.InlineOperation
	}
	if spec == nil {
		return nil
	}
	node := doc.NewBlock(spec.Node, nil)
	dialect.SetDefaults(node)
	for i := range spec.Attributes {
		if a := &spec.Attributes[i]; hasAttribute(attrs, a.StandInName()) {
			a.Set(node.Data, attribute(attrs, a.StandInName()))
		}
	}
	if a := spec.Argument; a != nil {
		a.Set(node.Data, attribute(attrs, a.StandInName()))
	}
	var content []*doc.Node
	if spec.Child != "" {
		for _, part := range e.solid() {
			child := c.htmlElement(part, depth+1)
			if child == nil || child.Type != dialect.TagNamed(spec.Child).Node {
				return nil
			}
			content = append(content, child)
		}
		node.Nodes = content
		return node
	}
	content = c.flow(e.children, depth+1)
	switch {
	case spec.Form == dialect.VoidForm:
	case spec.Form == dialect.CaptionForm:
		if caption := onlyParagraphs(content); len(caption) > 0 {
			node.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, caption...)}
		}
	case spec.Form == dialect.CodeForm, spec.Node == doc.Prompt && (len(content) != 1 || content[0].Type != doc.Code):
		return nil
	case spec.Node == doc.Hint:
		node.Nodes = dialect.AtLeastParagraph(content)
	default:
		node.Nodes = content
	}
	return node
}

// standInIntegration converts the stand-in of an integration's block, whose tag stands in an attribute.
func (c *converter) standInIntegration(attrs []html.Attribute) *doc.Node {
	name, arguments, ok := dialect.CutTag([]byte("{% " + attribute(attrs, "data-source") + " %}"))
	if !ok {
		return nil
	}
	return integrationOf(name, strings.TrimSuffix(string(arguments), "%}"))
}

// htmlList converts <ul> and <ol>.
func (c *converter) htmlList(e *element, depth int) *doc.Node {
	attrs := e.token.Attr
	list := doc.NewBlock(doc.ListUnordered, nil)
	switch {
	case e.name() == "ol" && only(attrs, "start"):
		list.Type = doc.ListOrdered
		if start, err := strconv.Atoi(attribute(attrs, "start")); err == nil && start != 1 && start >= 0 &&
			start < 1e9 {
			list.Data = &doc.ListData{Start: &start}
		}
	case e.name() == "ul" && only(attrs, "class") && (len(attrs) == 0 || hasClass(attrs, "contains-task-list")):
	default:
		return nil
	}
	for _, part := range e.solid() {
		if part.name() != "li" || !only(part.token.Attr) {
			return nil
		}
		item := doc.NewBlock(doc.ListItem, nil)
		children := part.children
		if len(children) > 0 && children[0].name() == "input" && attribute(children[0].token.Attr,
			"type") == "checkbox" {
			item.Data = &doc.ListItemData{Checked: new(hasAttribute(children[0].token.Attr, "checked"))}
			children = children[1:]
			if list.Type == doc.ListUnordered {
				list.Type = doc.ListTasks
			}
		}
		item.Nodes = dialect.AtLeastParagraph(c.flow(children, depth+2))
		list.Nodes = append(list.Nodes, item)
	}
	if len(list.Nodes) == 0 {
		return nil
	}
	return list
}
