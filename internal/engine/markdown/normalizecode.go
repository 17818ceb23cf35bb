package markdown

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// code normalises a code block.
func (n normalizer) code(node *doc.Node) *doc.Node {
	data := n.tagData(node, dialect.TagNamed("code")).(*doc.CodeData)
	if d, ok := node.Data.(*doc.CodeData); ok {
		if strings.TrimSpace(d.Syntax) != "" {
			data.Syntax, data.Meta = dialect.CutInfo(dialect.CleanText(d.Syntax + " " + d.Meta))
		}
	}
	normal := doc.NewBlock(doc.Code, data)
	for _, child := range node.Nodes {
		if child.Type == doc.CodeLine {
			normal.Nodes = append(normal.Nodes, n.codeLines(child)...)
			continue
		}
		for line := range strings.SplitSeq(child.PlainText(), "\n") {
			normal.Nodes = append(normal.Nodes, doc.NewCodeLine(dialect.CodeLine(dialect.CleanText(line))))
		}
	}
	if n.preformatted(normal) {
		data.Meta = ""
	}
	return normal
}

// preformatted reports whether a code block is written as <pre>: a fence holds neither highlighted lines nor anything
// but text, and cells and list items hold no tag for its attributes.
func (n normalizer) preformatted(code *doc.Node) bool {
	if n.html || isRichCode(code) {
		return true
	}
	return n.list && hasCodeAttributes(code.Data.(*doc.CodeData))
}

// isRichCode reports whether a code block has more than plain lines.
func isRichCode(code *doc.Node) bool {
	for _, line := range code.Nodes {
		if line.Data.(*doc.CodeLineData).Highlighted {
			return true
		}
		for _, n := range line.Nodes {
			if n.Object != doc.ObjectText || len(n.Leaves) != 1 || len(n.Leaves[0].Marks) > 0 {
				return true
			}
		}
	}
	return false
}

// hasCodeAttributes reports whether a code block says more than its language.
func hasCodeAttributes(data *doc.CodeData) bool {
	for _, a := range dialect.TagNamed("code").Attributes {
		if a.Get(data) != "" {
			return true
		}
	}
	return false
}

// codeLines normalises one line of code, which line breaks in its texts cut into several.
func (n normalizer) codeLines(node *doc.Node) []*doc.Node {
	highlighted := false
	if d, ok := node.Data.(*doc.CodeLineData); ok {
		highlighted = d.Highlighted
	}
	var lines []*doc.Node
	line := inlineJoiner{}
	end := func() {
		nodes := line.finish()
		if len(nodes) == 1 && len(nodes[0].Leaves) == 1 && dialect.CodeLine(nodes[0].Leaves[0].Text) == "" {
			nodes = nil
		}
		lines = append(lines, doc.NewBlock(doc.CodeLine, &doc.CodeLineData{Highlighted: highlighted}, nodes...))
		line = inlineJoiner{}
	}
	for _, child := range node.Nodes {
		switch {
		case child.Type == doc.Annotation && !n.annotation, child.Type == doc.Expression:
			n.addInline(&line, child, false)
			dialect.PlainWords(line.nodes[len(line.nodes)-1])
			continue
		case child.Object != doc.ObjectText:
			child = doc.NewText(child.PlainText())
		}
		for _, leaf := range child.Leaves {
			var marks []doc.Mark
			for _, m := range leaf.Marks {
				if m.Type == doc.Bold && !highlighted {
					marks = []doc.Mark{{Type: doc.Bold}}
				}
			}
			for i, text := range strings.Split(dialect.CleanText(leaf.Text), "\n") {
				if i > 0 {
					end()
				}
				line.text(text, marks)
			}
		}
	}
	end()
	return lines
}

// formula returns a block formula as its lines can hold it.
func formula(s string) string {
	lines := strings.Split(dialect.CleanText(s), "\n")
	for i := range lines {
		lines[i] = dialect.CodeLine(lines[i])
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
