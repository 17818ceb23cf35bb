package reader

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// maxCopiedFootnotes bounds what footnotes that are referred to again and again may add up to, in bytes of source.
const maxCopiedFootnotes = 1 << 20

// canAnnotate reports whether a label is defined and may be used here. Inside a definition no footnote may: such
// references stay as they are written.
func (c *converter) canAnnotate(label string) bool {
	return c.footnotes[dialect.FootnoteKey(label)] != nil && !c.defining
}

// annotation makes an annotation of some words with the body of a footnote.
func (c *converter) annotation(label string, words []*doc.Node) *doc.Node {
	key := dialect.FootnoteKey(label)
	if !slices.Contains(c.used, key) {
		c.used = append(c.used, key)
	}
	definition := c.footnotes[key]
	start := max(definition.Pos(), 0)
	c.copied += sourceLength(definition)
	if c.copied > maxCopiedFootnotes {
		c.guard.refuse(start, "the footnote %q is referred to too often for its size; shorten it", label)
	}
	c.defining = true
	depth := c.depth
	body := c.children(definition, depth+3) // below the block, the annotation and its fragment
	c.depth, c.defining = depth, false
	n := doc.NewInline(doc.Annotation, nil, words...)
	n.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody, dialect.AtLeastParagraph(body)...)}
	return n
}

// footnote emits "[^label]": it annotates the words of a link to the footnote just before it, else the last word.
func (b *inlineBuilder) footnote(label string) {
	if !b.converter.canAnnotate(label) {
		b.text("[^" + label + "]")
		return
	}
	b.flush()
	var words []*doc.Node
	if last := len(b.nodes) - 1; last >= 0 {
		switch n := b.nodes[last]; {
		case n.Type == doc.Link && strings.EqualFold(n.Data.(*doc.ContentRefData).Ref.URL, dialect.FootnoteHref+label):
			words = n.Nodes
			b.nodes = b.nodes[:last]
		case n.Object == doc.ObjectText:
			words = cutLastWord(n)
			if len(n.Leaves) == 0 {
				b.nodes = b.nodes[:last]
			}
		}
	}
	b.add(b.converter.annotation(label, words))
}

// cutLastWord moves the last word of a text's last leaf into a text of its own.
func cutLastWord(n *doc.Node) []*doc.Node {
	leaf := &n.Leaves[len(n.Leaves)-1]
	at := strings.LastIndexAny(leaf.Text, " \t\n") + 1
	word := leaf.Text[at:]
	if word == "" {
		return nil
	}
	text := doc.NewText(word, leaf.Marks...)
	if leaf.Text = leaf.Text[:at]; leaf.Text == "" {
		n.Leaves = n.Leaves[:len(n.Leaves)-1]
	}
	return []*doc.Node{text}
}

// sourceLength estimates the bytes of a definition from the lines of what is inside it.
func sourceLength(n ast.Node) int {
	length := 16
	if lines := blockLines(n); lines != nil {
		for i := range lines.Len() {
			segment := lines.At(i)
			length += segment.Len()
		}
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if child.Type() == ast.TypeBlock {
			length += sourceLength(child)
		}
	}
	return length
}

// blockLines returns the lines of a block; inlines have none.
func blockLines(n ast.Node) *text.Segments {
	if n.Type() != ast.TypeBlock {
		return nil
	}
	return n.Lines()
}
