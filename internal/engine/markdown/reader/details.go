package reader

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// details converts an expandable, whose content is ordinary Markdown, and returns the index after its end.
func (c *converter) details(n *detailsNode, siblings []ast.Node, partners []int, i, depth int) ([]*doc.Node, int) {
	source := n.source(c.text)
	partner := partners[i]
	if n.end || n.waiting && n.hasSummary {
		return []*doc.Node{rawBlock(source)}, i + 1
	}
	root, closed := parseHTML(source, c.guard, max(n.Pos(), 0))
	if !closed {
		var wellFormed bool
		if root, wellFormed = parseHTML(source+"</details>", c.guard, max(n.Pos(), 0)); !wellFormed {
			return []*doc.Node{rawBlock(source)}, i + 1
		}
	}
	parts := root.solid()
	if len(parts) != 1 || parts[0].name() != "details" || closed == (partner >= 0) {
		return []*doc.Node{rawBlock(source)}, i + 1
	}
	if closed {
		// All of it stands in the lines of its summary.
		if node := c.htmlDetails(parts[0], depth); node != nil {
			return []*doc.Node{node}, i + 1
		}
		return []*doc.Node{rawBlock(source)}, i + 1
	}
	// The head is read first: when it does not fit, nothing inside was converted in vain.
	node, head := c.expandable(parts[0], depth)
	if node == nil {
		return []*doc.Node{rawBlock(source)}, i + 1
	}
	outer := c.parent
	c.parent = ""
	body := append(head, c.blocks(siblings, partners, i+1, partner, depth+2)...)
	c.parent = outer
	node.Fragments[1].Nodes = dialect.AtLeastParagraph(body)
	return []*doc.Node{node}, partner + 1
}

// htmlDetails converts an expandable whose content is HTML.
func (c *converter) htmlDetails(e *element, depth int) *doc.Node {
	node, body := c.expandable(e, depth)
	if node != nil {
		node.Fragments[1].Nodes = dialect.AtLeastParagraph(body)
	}
	return node
}

// expandable makes an expandable of an element, with its title; body is what the element itself holds below it.
func (c *converter) expandable(e *element, depth int) (node *doc.Node, body []*doc.Node) {
	if !only(e.token.Attr, "open") {
		return nil, nil
	}
	title := doc.NewParagraph()
	children := e.children
	for i, child := range children {
		if child.isBlank() {
			continue
		}
		if child.name() == "summary" {
			if !phrasing(child.children) {
				return nil, nil
			}
			title.Nodes = c.htmlInline(child.children).nodes
			children = children[i+1:]
		}
		break
	}
	node = doc.NewBlock(doc.Expandable, &doc.ExpandableData{DefaultExpanded: hasAttribute(e.token.Attr, "open")})
	node.Fragments = []*doc.Node{
		doc.NewFragment(doc.FragmentExpandableTitle, title), doc.NewFragment(doc.FragmentExpandableBody),
	}
	return node, c.flow(children, depth+2)
}

// pre converts <pre class="language-x" data-title="…"><code>…</code></pre>: code with lines that are highlighted or
// hold annotations.
func (c *converter) pre(e *element) *doc.Node {
	attrs := e.token.Attr
	data := &doc.CodeData{}
	content := e.children
	if len(e.children) == 1 && e.children[0].name() == "code" {
		inner := e.children[0]
		if !only(inner.token.Attr, "class") {
			return nil
		}
		data.Syntax = syntaxClass(attribute(inner.token.Attr, "class"), "lang-", "language-")
		content = inner.children
	}
	if syntax := syntaxClass(attribute(attrs, "class"), "language-", "lang-"); syntax != "" {
		data.Syntax = syntax
	}
	spec := dialect.TagNamed("code")
	for _, attr := range attrs {
		known := attr.Key == "class"
		for i := range spec.Attributes {
			if a := &spec.Attributes[i]; a.StandInName() == attr.Key {
				a.Set(data, attr.Val)
				known = true
			}
		}
		if !known {
			return nil
		}
	}
	lines, ok := c.preLines(content)
	if !ok {
		return nil
	}
	return doc.NewBlock(doc.Code, data, lines...)
}

// syntaxClass returns the language that a class names with one of some prefixes.
func syntaxClass(class string, prefixes ...string) string {
	for field := range strings.FieldsSeq(class) {
		for _, prefix := range prefixes {
			if syntax, ok := strings.CutPrefix(field, prefix); ok {
				return syntax
			}
		}
	}
	return ""
}

// preLines converts the content of <pre> to lines of code.
func (c *converter) preLines(content []*element) ([]*doc.Node, bool) {
	b := preBuilder{converter: c}
	for _, e := range content {
		switch {
		case e.name() == "strong" && len(e.token.Attr) == 0:
			b.strong++
			for _, child := range e.children {
				if !b.part(child) {
					return nil, false
				}
			}
			b.strong--
		case !b.part(e):
			return nil, false
		}
	}
	if len(b.line) > 0 {
		b.end()
	}
	return b.lines, true
}

// preBuilder cuts the content of <pre> into lines.
type preBuilder struct {
	converter *converter
	lines     []*doc.Node
	line      []*doc.Node
	strong    int
}

// part adds a text, an annotation or an expression; it reports false for anything else.
func (b *preBuilder) part(e *element) bool {
	if e.name() == "" {
		if strings.HasPrefix(e.open, "<!") {
			return false
		}
		var marks []doc.Mark
		if b.strong > 0 {
			marks = []doc.Mark{{Type: doc.Bold}}
		}
		for i, text := range strings.Split(dialect.UnescapeEntities(e.open), "\n") {
			if i > 0 {
				b.end()
			}
			b.line = doc.AppendText(b.line, text, marks)
		}
		return true
	}
	inline := b.converter.htmlInline([]*element{e}).nodes
	for _, n := range inline {
		if n.Type != doc.Annotation && n.Type != doc.Expression {
			return false
		}
		dialect.PlainWords(n)
	}
	b.line = append(b.line, inline...)
	return len(inline) > 0
}

// end finishes a line. It is highlighted when its line break is: then its bold is the highlight, not a mark.
func (b *preBuilder) end() {
	if len(b.line) == 1 && len(b.line[0].Leaves) == 1 && dialect.CodeLine(b.line[0].Leaves[0].Text) == "" {
		b.line = nil
	}
	line := doc.NewBlock(doc.CodeLine, &doc.CodeLineData{Highlighted: b.strong > 0}, b.line...)
	if b.strong > 0 {
		for _, n := range line.Nodes {
			for i := range n.Leaves {
				n.Leaves[i].Marks = nil
			}
			n.Leaves = joinLeaves(n.Leaves)
		}
	}
	b.lines = append(b.lines, line)
	b.line = nil
}

// joinLeaves joins the texts of leaves without marks.
func joinLeaves(leaves []doc.Leaf) []doc.Leaf {
	if len(leaves) < 2 {
		return leaves
	}
	var b strings.Builder
	for _, leaf := range leaves {
		b.WriteString(leaf.Text)
	}
	return []doc.Leaf{{Text: b.String()}}
}
