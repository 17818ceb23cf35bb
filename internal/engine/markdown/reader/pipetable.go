package reader

import (
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// pipeTable converts a table of pipes: a grid of text columns.
func (c *converter) pipeTable(n *extast.Table) *doc.Node {
	t := dialect.NewTableBuilder()
	for i, row := range childrenOf(n) {
		if i == 0 {
			for j, cell := range childrenOf(row) {
				column := t.AddTitle(c.inline(cell).nodes)
				if j < len(n.Alignments) {
					column.TextAlignment = pipeAlignment(n.Alignments[j])
				}
			}
			continue
		}
		t.AddRecord()
		for j, cell := range childrenOf(row) {
			if j >= len(t.Columns) {
				break
			}
			b := c.inline(cell)
			t.SetText(j, paragraphsOf(b))
		}
	}
	return t.Node()
}

func pipeAlignment(a extast.Alignment) string {
	switch a {
	case extast.AlignCenter:
		return "center"
	case extast.AlignRight:
		return "right"
	}
	return "left"
}

// paragraphsOf returns the content of a cell: nothing, or one paragraph.
func paragraphsOf(b *inlineBuilder) []*doc.Node {
	if len(b.nodes) == 0 {
		return nil
	}
	return []*doc.Node{doc.NewParagraph(b.nodes...)}
}
