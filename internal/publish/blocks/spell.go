package blocks

import (
	"context"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/engine/contentkit"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Nodes returns what a block shows as blocks of a document; ok is false where the block is to stay as it is. One that
// shows a web frame alone, and that Markdown has as code, is that code: a reader of text learns more from the source
// of a diagram than from the address of its frame.
func (set *Set) Nodes(block *doc.IntegrationData, shown *Shown) (nodes []*doc.Node, ok bool) {
	switch shown.Kind {
	case Hidden:
		return nil, true
	case Ready:
		if source := set.source(block); source != nil && !shown.Output.Complete && shown.Output.Wordless() {
			return []*doc.Node{source}, true
		}
		return contentkit.Document(shown.Output).Nodes, true
	}
	return nil, false
}

// source is the fenced code that a block is in Markdown, nil for none.
func (set *Set) source(block *doc.IntegrationData) *doc.Node {
	installed := set.byName[block.Integration]
	if installed == nil {
		return nil
	}
	for _, each := range installed.Blocks {
		if each.ID != block.Block || each.Markdown == nil || each.Markdown.Codeblock == "" {
			continue
		}
		if content, ok := block.Props[each.Markdown.Body].(string); ok && content != "" {
			return doc.NewCode(&doc.CodeData{Syntax: each.Markdown.Codeblock},
				strings.Split(strings.TrimSuffix(content, "\n"), "\n")...)
		}
	}
	return nil
}

// Spell puts what blocks show in place of them, for forms of a page that hold nothing but text. fence maps code blocks,
// show says what stands for a block; ok is false where it is to stay. Spell reports whether anything was put in. The
// nodes of the document are not changed.
func Spell(document *doc.Document, fence func(syntax, content string) *doc.IntegrationData,
	show func(block *doc.IntegrationData) (nodes []*doc.Node, ok bool)) bool {
	found := false
	var walk func(nodes []*doc.Node) []*doc.Node
	walk = func(nodes []*doc.Node) []*doc.Node {
		out := make([]*doc.Node, 0, len(nodes))
		for _, n := range nodes {
			block, _ := n.Data.(*doc.IntegrationData)
			if code, ok := n.Data.(*doc.CodeData); ok && n.Type == doc.Code && code.Syntax != "" {
				block = fence(code.Syntax, render.CodeText(n))
			}
			if block != nil {
				if spelled, ok := show(block); ok {
					found = true
					out = append(out, spelled...)
					continue
				}
			}
			if len(n.Nodes) > 0 && !doc.HoldsText(n.Type) && n.Type != doc.Code {
				copied := *n
				copied.Nodes = walk(n.Nodes)
				n = &copied
			}
			out = append(out, n)
		}
		return out
	}
	spelled := walk(document.Nodes)
	if found {
		document.Nodes = spelled
	}
	return found
}

// printTime is how long one page of a print waits for its blocks together.
const printTime = 10 * time.Second

// SpellOut is Spell for a page of the set's space that is printed. The page waits for its blocks for a while.
func (set *Set) SpellOut(ctx context.Context, document *doc.Document) {
	if len(set.byName) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, printTime)
	defer cancel()
	Spell(document, set.Fence, func(block *doc.IntegrationData) ([]*doc.Node, bool) {
		shown, err := set.Show(ctx, AskFor(block))
		if err != nil {
			return nil, false
		}
		return set.Nodes(block, shown)
	})
}
