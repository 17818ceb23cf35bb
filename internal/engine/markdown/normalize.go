package markdown

import (
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// Normalize returns the document in the form that Markdown can hold: what Parse(Write(d)) gives, keys and anchors
// apart. The document itself stays as it is.
//
// What changes, none of it in a document that Parse made:
//   - Texts: adjacent texts and leaves with the same marks are one, empty ones go, marks stand in one order, control
//     characters become U+FFFD. A second colour and marks in places that have none go.
//   - References become URL references in their stable form ("/pages/ID"); tags and API specifications keep theirs.
//   - Paragraphs without content go, except where a block must have one. Blocks that only live inside another (list
//     items, tabs, steps, columns, updates, images, lines of code) get that other one, or are replaced by what they
//     hold.
//   - Tables get the ids c1, c2 … and r1, r2 …; columns that do not show come after those that do; values that do not
//     fit the type of their column go.
//   - Code lines of white space are empty, and a line break inside a line of code ends it. Nested annotations and links
//     inside links are replaced by their words.
//   - Attributes that the dialect does not spell, or whose value it does not know, go.
func Normalize(d *doc.Document) *doc.Document {
	n := normalizer{}
	return &doc.Document{Nodes: n.blocks(d.Nodes)}
}

// parse reads a body into nodes without keys and anchors.
func parse(body []byte) (*reader.Body, error) {
	p, err := reader.Read(body)
	if err != nil {
		return nil, err
	}
	for _, block := range p.Composed {
		block.Nodes = normalizer{}.blocks(block.Nodes)
	}
	return p, nil
}

// normalizer holds where in the document it is.
type normalizer struct {
	html       bool // inside a cell or a caption, where blocks are written as HTML
	list       bool // inside a list item
	annotation bool // inside the body of an annotation
}

// blocks normalises a list of blocks; paragraphs without content go.
func (n normalizer) blocks(nodes []*doc.Node) []*doc.Node {
	var result []*doc.Node
	var line []*doc.Node // texts and inlines that stand between blocks
	flush := func() {
		if inline := n.inlines(line); len(inline) > 0 {
			result = append(result, doc.NewParagraph(inline...))
		}
		line = nil
	}
	for _, node := range nodes {
		if node == nil {
			continue
		}
		if node.Object == doc.ObjectText || node.Object == doc.ObjectInline {
			line = append(line, node)
			continue
		}
		flush()
		result = append(result, n.block(node)...)
	}
	flush()
	return result
}

// block normalises one block. It may vanish, or give way to what it holds.
func (n normalizer) block(node *doc.Node) []*doc.Node {
	one := func(normal *doc.Node) []*doc.Node { return []*doc.Node{normal} }
	switch node.Type {
	case doc.Paragraph:
		normal := n.paragraph(node)
		if len(normal.Nodes) == 0 && normal.Data.(*doc.ParagraphData).Align == "" {
			return nil
		}
		return one(normal)
	case doc.Heading1, doc.Heading2, doc.Heading3:
		return one(n.heading(node))
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
		return n.listBlock(node)
	case doc.Divider:
		return one(doc.NewBlock(doc.Divider, nil))
	case doc.Blockquote:
		return one(doc.NewBlock(doc.Blockquote, nil, dialect.AtLeastParagraph(n.blocks(node.Nodes))...))
	case doc.Code:
		return one(n.code(node))
	case doc.Math:
		data, _ := node.Data.(*doc.FormulaData)
		if data == nil {
			return nil
		}
		return one(doc.NewBlock(doc.Math, &doc.FormulaData{Formula: formula(data.Formula)}))
	case doc.Images:
		return n.images(node)
	case doc.Image:
		return n.images(doc.NewBlock(doc.Images, nil, node))
	case doc.Drawing:
		return one(n.captioned(node, &doc.FileData{Ref: destination(refOfFile(node))}))
	case doc.Expandable:
		return one(n.expandable(node))
	case doc.Table:
		if table := n.table(node); table != nil {
			return one(table)
		}
		return nil
	case doc.Integration:
		return one(n.integration(node))
	case doc.Raw:
		return n.raw(node)
	}
	if spec := dialect.Spelling(node); spec != nil {
		return n.tagBlock(node, spec)
	}
	// A block that lives inside another, outside of it, or one that nobody knows.
	return n.blocks(slices.Concat(node.Nodes, node.Fragments))
}

func (n normalizer) paragraph(node *doc.Node) *doc.Node {
	data := &doc.ParagraphData{}
	if d, ok := node.Data.(*doc.ParagraphData); ok {
		data.Align = dialect.OneOf(d.Align, "start", "center", "end")
	}
	return doc.NewBlock(doc.Paragraph, data, n.inlines(node.Nodes)...)
}

func (n normalizer) heading(node *doc.Node) *doc.Node {
	data := &doc.HeadingData{}
	if d, ok := node.Data.(*doc.HeadingData); ok {
		data.Align = dialect.OneOf(d.Align, "start", "center", "end")
		if dialect.IsAnchor(d.ID) {
			data.ID = d.ID
		}
	}
	return doc.NewBlock(node.Type, data, n.inlines(node.Nodes)...)
}

// listBlock normalises a list; one without items goes.
func (n normalizer) listBlock(node *doc.Node) []*doc.Node {
	list := doc.NewBlock(node.Type, nil)
	if d, ok := node.Data.(*doc.ListData); ok && node.Type == doc.ListOrdered && d.Start != nil {
		if start := *d.Start; start != 1 && start >= 0 && start <= maxListNumber {
			list.Data = &doc.ListData{Start: &start}
		}
	}
	boxes := false
	for _, child := range node.Nodes {
		if child == nil {
			continue
		}
		if child.Type != doc.ListItem {
			child = doc.NewBlock(doc.ListItem, nil, child)
		}
		item := n.listItem(child)
		boxes = boxes || item.Data.(*doc.ListItemData).Checked != nil
		list.Nodes = append(list.Nodes, item)
	}
	if len(list.Nodes) == 0 {
		return nil
	}
	switch {
	case list.Type == doc.ListUnordered && boxes:
		list.Type = doc.ListTasks
	case list.Type == doc.ListTasks && !boxes:
		for _, item := range list.Nodes {
			item.Data = &doc.ListItemData{Checked: new(false)}
			item.Nodes = n.taskNodes(item.Nodes)
		}
	}
	return []*doc.Node{list}
}

// maxListNumber is the largest number that CommonMark reads as a list's.
const maxListNumber = 999_999_999

func (n normalizer) listItem(node *doc.Node) *doc.Node {
	n.list = true
	item := doc.NewBlock(doc.ListItem, nil, dialect.AtLeastParagraph(n.blocks(node.Nodes))...)
	if d, ok := node.Data.(*doc.ListItemData); ok && d.Checked != nil {
		item.Data = &doc.ListItemData{Checked: new(*d.Checked)}
		item.Nodes = n.taskNodes(item.Nodes)
	}
	return item
}

// taskNodes makes sure that the content of a task starts with the paragraph that its box stands in.
func (n normalizer) taskNodes(nodes []*doc.Node) []*doc.Node {
	if len(nodes) > 0 && nodes[0].Type == doc.Paragraph && (n.html || nodes[0].Data.(*doc.ParagraphData).Align == "") {
		return nodes
	}
	if n.html {
		return nodes // a box stands before any block there
	}
	return append([]*doc.Node{doc.NewParagraph()}, nodes...)
}

// images normalises an images block; one without images goes.
func (n normalizer) images(node *doc.Node) []*doc.Node {
	data := &doc.ImagesData{}
	if d, ok := node.Data.(*doc.ImagesData); ok {
		*data = *d
		data.Align = dialect.OneOf(d.Align, "left", "center", "right")
	}
	images := doc.NewBlock(doc.Images, data)
	for _, child := range node.Nodes {
		d, ok := child.Data.(*doc.ImageData)
		if !ok {
			continue
		}
		image := &doc.ImageData{
			Ref: destination(d.Ref), RefDark: optionalDestination(d.RefDark), Alt: dialect.CleanText(d.Alt),
			Width: length(d.Width), Height: length(d.Height),
		}
		images.Nodes = append(images.Nodes, n.caption(doc.NewBlock(doc.Image, image), child))
	}
	if len(images.Nodes) == 0 {
		return nil
	}
	return []*doc.Node{images}
}

// length returns a size that can be written, or nil.
func length(l *doc.Length) *doc.Length {
	if l == nil {
		return nil
	}
	parsed, ok := dialect.ParseLength(dialect.FormatLength(*l))
	if !ok || parsed != *l {
		return nil
	}
	return &parsed
}

// captioned makes a block with the caption of another.
func (n normalizer) captioned(node *doc.Node, data any) *doc.Node {
	return n.caption(doc.NewBlock(node.Type, data), node)
}

func (n normalizer) caption(normal, node *doc.Node) *doc.Node {
	fragment := node.FragmentNamed(doc.FragmentCaption)
	if fragment == nil {
		return normal
	}
	if normal.Type == doc.Image || normal.Type == doc.Drawing {
		n.html = true
	}
	var paragraphs []*doc.Node
	for _, block := range n.blocks(fragment.Nodes) {
		if block.Type != doc.Paragraph {
			block = doc.NewParagraph(n.inlines([]*doc.Node{doc.NewText(block.PlainText())})...)
		}
		if len(block.Nodes) > 0 {
			paragraphs = append(paragraphs, block)
		}
	}
	if len(paragraphs) > 0 {
		normal.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, paragraphs...)}
	}
	return normal
}

func refOfFile(node *doc.Node) doc.Ref {
	if d, ok := node.Data.(*doc.FileData); ok {
		return d.Ref
	}
	return doc.Ref{}
}

// destination turns a reference into the URL reference that is written.
func destination(ref doc.Ref) doc.Ref { return doc.URL(dialect.CleanText(ref.Destination())) }

func optionalDestination(ref *doc.Ref) *doc.Ref {
	if ref == nil {
		return nil
	}
	return new(destination(*ref))
}

func (n normalizer) expandable(node *doc.Node) *doc.Node {
	data := &doc.ExpandableData{}
	if d, ok := node.Data.(*doc.ExpandableData); ok {
		*data = *d
	}
	title := doc.NewParagraph()
	if fragment := node.FragmentNamed(doc.FragmentExpandableTitle); fragment != nil {
		inHTML := n
		inHTML.html = true
		for i, block := range inHTML.blocks(fragment.Nodes) {
			nodes := block.Nodes
			if block.Type != doc.Paragraph {
				nodes = []*doc.Node{doc.NewText(block.PlainText())}
			}
			if i > 0 {
				title.Nodes = append(title.Nodes, doc.NewText("\n"))
			}
			title.Nodes = append(title.Nodes, nodes...)
		}
		title.Nodes = inHTML.inlines(title.Nodes)
	}
	var body []*doc.Node
	if fragment := node.FragmentNamed(doc.FragmentExpandableBody); fragment != nil {
		body = n.blocks(fragment.Nodes)
	}
	normal := doc.NewBlock(doc.Expandable, data)
	normal.Fragments = []*doc.Node{
		doc.NewFragment(doc.FragmentExpandableTitle, title),
		doc.NewFragment(doc.FragmentExpandableBody, dialect.AtLeastParagraph(body)...),
	}
	return normal
}

// tagBlock normalises a block that is written as a tag.
func (n normalizer) tagBlock(node *doc.Node, spec *dialect.Tag) []*doc.Node {
	if spec.Parent != "" {
		// Outside of its parent it gives way to its content.
		return n.blocks(node.Nodes)
	}
	normal := doc.NewBlock(node.Type, n.tagData(node, spec))
	switch {
	case spec.Child != "":
		child := dialect.TagNamed(spec.Child)
		for _, part := range node.Nodes {
			if part == nil {
				continue
			}
			if part.Type != child.Node {
				part = doc.NewBlock(child.Node, nil, part)
			}
			normal.Nodes = append(normal.Nodes, doc.NewBlock(child.Node, n.tagData(part, child),
				n.blocks(part.Nodes)...))
		}
	case spec.Form == dialect.VoidForm:
	case spec.Form == dialect.CaptionForm:
		n.caption(normal, node)
	case spec.Node == doc.Prompt:
		normal.Nodes = []*doc.Node{n.promptCode(node)}
	case spec.Node == doc.Hint:
		n.html = n.html || n.list // list items hold its stand-in
		normal.Nodes = dialect.AtLeastParagraph(n.blocks(node.Nodes))
	default:
		normal.Nodes = n.blocks(node.Nodes)
	}
	return []*doc.Node{normal}
}

// tagData returns the attributes of a node as its tag can spell them.
func (n normalizer) tagData(node *doc.Node, spec *dialect.Tag) any {
	normal := doc.DataFor(node.Type)
	dialect.SetDefaults(&doc.Node{Type: node.Type, Data: normal})
	for i := range spec.Attributes {
		a := &spec.Attributes[i]
		if value := dialect.CleanText(a.Get(node.Data)); value != "" {
			a.Set(normal, value)
		}
	}
	if a := spec.Argument; a != nil {
		value := strings.TrimSpace(strings.ReplaceAll(dialect.CleanText(a.Get(node.Data)), "\n", " "))
		if spec.Name == "if" && dialect.TagEnd("if", []byte(value+" %}")) != len(value)+1 {
			value = strings.ReplaceAll(value, "%}", "% }")
		}
		if spec.Name == "include" {
			value = dialect.IncludedPath(value)
		}
		a.Set(normal, value)
	}
	return normal
}

// promptCode returns the one code block of a prompt.
func (n normalizer) promptCode(node *doc.Node) *doc.Node {
	if len(node.Nodes) == 1 && node.Nodes[0].Type == doc.Code {
		return n.code(node.Nodes[0])
	}
	var lines []string
	for _, child := range node.Nodes {
		lines = append(lines, strings.Split(child.PlainText(), "\n")...)
	}
	return n.code(doc.NewCode(nil, lines...))
}

func (n normalizer) integration(node *doc.Node) *doc.Node {
	data := &doc.IntegrationData{Props: map[string]any{}}
	if d, ok := node.Data.(*doc.IntegrationData); ok {
		clone := node.Clone().Data.(*doc.IntegrationData)
		data.Integration, data.Block = integrationName(d.Integration), integrationName(d.Block)
		data.FullWidth, data.Action, data.URL = d.FullWidth, clone.Action, dialect.CleanText(d.URL)
		for key, value := range clone.Props {
			data.Props[key] = dialect.CleanValue(value)
		}
		if url, ok := data.Props["url"].(string); ok && data.URL == "" {
			data.URL = url
		}
		if _, set := data.Props["url"]; !set && data.URL != "" {
			data.Props["url"] = data.URL
		}
	}
	return doc.NewBlock(doc.Integration, data)
}

// integrationName replaces what the name of an integration or of its block cannot hold.
func integrationName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && r != '/' && dialect.IsTagNameByte(byte(r), 1) {
			return r
		}
		return '-'
	}, name)
	if name == "" {
		return "x"
	}
	return name
}

// raw keeps a raw block that reads back as it is; anything else becomes a paragraph of its source.
func (n normalizer) raw(node *doc.Node) []*doc.Node {
	data, ok := node.Data.(*doc.RawData)
	if !ok {
		return nil
	}
	source := strings.Trim(dialect.CleanText(data.Source), " \t\n")
	if data.Syntax == "tag" && !n.html && isWholeTag(source) || data.Syntax == "html" && isRawHTML(source) {
		return []*doc.Node{doc.NewBlock(doc.Raw, &doc.RawData{Source: source, Syntax: data.Syntax})}
	}
	if inline := n.inlines([]*doc.Node{doc.NewText(source)}); len(inline) > 0 {
		return []*doc.Node{doc.NewParagraph(inline...)}
	}
	return nil
}

// isWholeTag reports whether a text is one block tag.
func isWholeTag(source string) bool {
	p, err := parse([]byte(source))
	return err == nil && len(p.Pieces) == 1 && strings.HasPrefix(source, "{%") && strings.HasSuffix(source, "%}") &&
		p.Document.Nodes[0].Type != doc.Paragraph
}

// isRawHTML reports whether a text reads as one raw block of HTML.
func isRawHTML(source string) bool {
	p, err := parse([]byte(source))
	if err != nil || len(p.Document.Nodes) != 1 || len(p.Pieces) != 1 {
		return false
	}
	data, ok := p.Document.Nodes[0].Data.(*doc.RawData)
	return ok && data.Source == source
}
