package reader

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// Piece is one top-level part of a body: a block of the document, or a definition that blocks refer to.
type Piece struct {
	Start, End int       // of the original body, from the start of the first line to the end of the last
	Node       *doc.Node // nil for definitions
	Footnotes  []string  // labels that the block refers to
	Definition string    // the label of a footnote definition; "" for blocks and link definitions
}

// converter turns goldmark's tree into a document.
type converter struct {
	*state
	text        []byte
	used        []string // footnote labels that the current top-level block refers to
	defining    bool     // inside a footnote definition, where references stay text
	parent      string   // the tag that the blocks now read stand directly in, "" in other containers
	inCell      bool     // inside a cell of a pipe table
	inOperation bool     // inside an operation that the page describes
	depth       int      // the level of the block that is being read
	composed    []*doc.Node
	copied      int // bytes of footnote definitions that were copied into annotations
}

func newConverter(s *state) *converter { return &converter{state: s, text: s.source.text} }

// document converts the whole tree and notes where its top-level parts stand.
func (c *converter) document(root ast.Node) *Body {
	p := &Body{Document: &doc.Document{}}
	children := childrenOf(root)
	partners := pairBlocks(children)
	passed := 0
	for i := 0; i < len(children); {
		c.used = nil
		nodes, next := c.block(children, partners, i, 1)
		// goldmark puts a table that ends in a heading's underline before the heading that begins above it.
		part := Piece{Start: max(dialect.LineStart(c.text, max(children[i].Pos(), 0)), passed)}
		end := len(c.text)
		if next < len(children) {
			end = dialect.LineStart(c.text, max(children[next].Pos(), 0))
		}
		part.End = max(part.Start, trimBlankEnd(c.text, part.Start, end))
		passed = part.End
		span := doc.Span{Start: c.source.original(part.Start), End: c.source.original(part.End)}
		part.Start, part.End = span.Start, span.End
		part.Footnotes = c.used
		if definition, ok := children[i].(*footnoteNode); ok {
			part.Definition = definition.label
		}
		for _, node := range nodes {
			node.Source = span
		}
		switch len(nodes) {
		case 0:
			p.Pieces = append(p.Pieces, part)
		default:
			// A piece of several nodes does not occur: unpaired tags are pieces of their own.
			part.Node = nodes[0]
			p.Pieces = append(p.Pieces, part)
		}
		p.Document.Nodes = append(p.Document.Nodes, nodes...)
		i = next
	}
	p.Composed = c.composed
	return p
}

// trimBlankEnd returns the end of text[start:end] without blank lines and the last line feed.
func trimBlankEnd(text []byte, start, end int) int {
	for end > start {
		begin := bytes.LastIndexByte(text[start:end], '\n')
		if begin < 0 || len(dialect.TrimBlank(text[start+begin:end])) > 0 {
			break
		}
		end = start + begin
	}
	return end
}

func childrenOf(parent ast.Node) []ast.Node {
	children := make([]ast.Node, 0, parent.ChildCount())
	for child := parent.FirstChild(); child != nil; child = child.NextSibling() {
		children = append(children, child)
	}
	return children
}

// children converts what is inside a container of goldmark's tree.
func (c *converter) children(parent ast.Node, depth int) []*doc.Node {
	children := childrenOf(parent)
	outer := c.parent
	c.parent = ""
	defer func() { c.parent = outer }()
	return c.blocks(children, pairBlocks(children), 0, len(children), depth)
}

// blocks converts the siblings from one index up to another.
func (c *converter) blocks(siblings []ast.Node, partners []int, from, to, depth int) []*doc.Node {
	var nodes []*doc.Node
	for i := from; i < to; {
		var converted []*doc.Node
		converted, i = c.block(siblings, partners, i, depth)
		nodes = append(nodes, converted...)
	}
	return nodes
}

// block converts the sibling at an index, together with its partner and what is between them when it is the start of
// a paired tag, and returns the index after it.
func (c *converter) block(siblings []ast.Node, partners []int, i, depth int) ([]*doc.Node, int) {
	c.guard.deeper(max(siblings[i].Pos(), 0), depth, doc.MaxBlockDepth)
	c.depth = depth
	switch n := siblings[i].(type) {
	case *tagNode:
		return c.tag(n, siblings, partners, i, depth)
	case *detailsNode:
		return c.details(n, siblings, partners, i, depth)
	}
	if node := c.single(siblings[i], depth); node != nil {
		return []*doc.Node{node}, i + 1
	}
	return nil, i + 1
}

// single converts one node without regard to its siblings; nil for what is no block of the document.
func (c *converter) single(node ast.Node, depth int) *doc.Node {
	switch n := node.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return c.paragraph(n)
	case *ast.Heading:
		return c.heading(n)
	case *ast.ThematicBreak:
		return doc.NewBlock(doc.Divider, nil)
	case *ast.Blockquote:
		return doc.NewBlock(doc.Blockquote, nil, dialect.AtLeastParagraph(c.children(n, depth+1))...)
	case *ast.List:
		return c.list(n, depth)
	case *ast.CodeBlock:
		return doc.NewCode(&doc.CodeData{}, c.codeLines(n)...)
	case *ast.FencedCodeBlock:
		return c.fence(n)
	case *extast.Table:
		return c.pipeTable(n)
	case *mathNode:
		return doc.NewBlock(doc.Math, &doc.FormulaData{Formula: n.source(c.text)})
	case *htmlNode:
		return c.htmlBlock(n, depth)
	}
	return nil
}

func (c *converter) paragraph(n ast.Node) *doc.Node {
	if n.ChildCount() == 1 {
		if image, ok := n.FirstChild().(*ast.Image); ok {
			return c.imageBlock(image)
		}
	}
	b := c.inline(n)
	if b.drawing != nil {
		return b.drawing
	}
	if len(b.nodes) == 0 {
		if taskBox(n) == nil {
			return nil
		}
	}
	return doc.NewParagraph(b.nodes...)
}

func (c *converter) heading(n *ast.Heading) *doc.Node {
	nodes, anchor := c.buildHeading(c.tokens(n))
	return doc.NewBlock(headingType(n.Level), &doc.HeadingData{ID: anchor}, nodes...)
}

// headingType maps Markdown levels: the page title owns the first, and the dialect knows three below it.
func headingType(level int) doc.Type {
	switch level {
	case 1, 2:
		return doc.Heading1
	case 3:
		return doc.Heading2
	}
	return doc.Heading3
}

func (c *converter) list(n *ast.List, depth int) *doc.Node {
	list := doc.NewBlock(doc.ListUnordered, nil)
	if n.IsOrdered() {
		list.Type = doc.ListOrdered
		if n.Start != 1 {
			list.Data = &doc.ListData{Start: new(n.Start)}
		}
	}
	for _, child := range childrenOf(n) {
		item := doc.NewBlock(doc.ListItem, nil)
		if first := child.FirstChild(); first != nil {
			if box := taskBox(first); box != nil {
				item.Data = &doc.ListItemData{Checked: new(box.IsChecked)}
				if list.Type == doc.ListUnordered {
					list.Type = doc.ListTasks
				}
			}
		}
		nodes := c.children(child, depth+2)
		if item.Data.(*doc.ListItemData).Checked != nil {
			nodes = withBox(nodes)
		}
		item.Nodes = dialect.AtLeastParagraph(nodes)
		list.Nodes = append(list.Nodes, item)
	}
	return list
}

// withBox returns the content of a task. A box without words belongs to the paragraph below it: an empty paragraph is
// nothing that a document keeps.
func withBox(nodes []*doc.Node) []*doc.Node {
	if len(nodes) < 2 || nodes[0].Type != doc.Paragraph || len(nodes[0].Nodes) > 0 {
		return nodes
	}
	if data, ok := nodes[1].Data.(*doc.ParagraphData); !ok || data.Align != "" {
		return nodes
	}
	return nodes[1:]
}

// taskBox returns the box that a paragraph starts with, or nil.
func taskBox(n ast.Node) *extast.TaskCheckBox {
	switch n.Kind() {
	case ast.KindParagraph, ast.KindTextBlock:
		box, _ := n.FirstChild().(*extast.TaskCheckBox)
		return box
	}
	return nil
}

func (c *converter) fence(n *ast.FencedCodeBlock) *doc.Node {
	data := &doc.CodeData{}
	if n.Info != nil {
		data.Syntax, data.Meta = dialect.CutInfo(dialect.CleanText(dialect.UnescapeText(n.Info.Segment.Value(c.text))))
	}
	return doc.NewCode(data, c.codeLines(n)...)
}

func (c *converter) codeLines(n ast.Node) []string {
	lines := make([]string, n.Lines().Len())
	for i := range lines {
		segment := n.Lines().At(i)
		lines[i] = dialect.CodeLine(strings.TrimSuffix(string(segment.Value(c.text)), "\n"))
	}
	return lines
}
