package markdown

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strings"

	"znkr.io/diff"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// Rewrite returns a document as Markdown like Write, but every top-level block that the original has keeps its bytes
// there, with what stands between blocks. Definitions of links stay; definitions of footnotes stay as long as something
// refers to them. An original that Parse refuses is replaced.
//
// The result always parses to the document (see Normalize): where keeping the bytes of a block would change its meaning
// or its neighbour's, the block is written anew.
func Rewrite(original []byte, d *doc.Document) []byte {
	p, err := parse(original)
	if err != nil {
		return Write(d)
	}
	r := &rewriter{original: original, pieces: p.Pieces, nodes: Normalize(d).Nodes}
	r.lineFeed = "\n"
	if n := bytes.Count(original, []byte("\r\n")); n > 0 && n == bytes.Count(original, []byte("\n")) {
		r.lineFeed = "\r\n"
	}
	if len(r.nodes) == 0 {
		if len(p.Document.Nodes) == 0 {
			return original
		}
		return nil
	}
	r.align()
	for range maxRewrites {
		result := r.assemble()
		wrong := r.firstWrong(result)
		if wrong < 0 {
			return result
		}
		r.giveUp(wrong)
	}
	return Write(d)
}

// maxRewrites is how often Rewrite tries with fewer kept blocks before it writes all of them anew.
const maxRewrites = 12

// rewriter puts a new body together from pieces of the original and newly written blocks.
type rewriter struct {
	original []byte
	pieces   []reader.Piece
	nodes    []*doc.Node
	kept     []int    // for each node the index of the piece that it keeps, or -1
	before   []int    // for each node the piece up to which definitions stand before it
	markers  []string // for each list that was written anew its marker
	lineFeed string
}

// align finds the blocks of the document that the original has: first those in the same order, then those that moved.
func (r *rewriter) align() {
	var blocks []int
	for i, piece := range r.pieces {
		if piece.Node != nil {
			blocks = append(blocks, i)
		}
	}
	seed := maphash.MakeSeed()
	old := make([]uint64, len(blocks))
	for i, at := range blocks {
		old[i] = fingerprint(seed, r.pieces[at].Node)
	}
	now := make([]uint64, len(r.nodes))
	r.kept = make([]int, len(r.nodes))
	r.before = make([]int, len(r.nodes))
	r.markers = make([]string, len(r.nodes))
	for i, node := range r.nodes {
		now[i] = fingerprint(seed, node)
		r.kept[i] = -1
	}
	gone := map[uint64][]int{} // pieces that are not where they were
	at, next, passed := 0, 0, 0
	for _, edit := range diff.Edits(old, now) {
		switch edit.Op {
		case diff.Match:
			passed = blocks[at]
			r.before[next] = passed
			if sameBlock(r.pieces[passed].Node, r.nodes[next]) {
				r.kept[next] = passed
			}
			at++
			next++
		case diff.Delete:
			passed = blocks[at]
			gone[old[at]] = append(gone[old[at]], blocks[at])
			at++
		case diff.Insert:
			r.before[next] = passed
			next++
		}
	}
	for i, node := range r.nodes {
		if pieces := gone[now[i]]; r.kept[i] < 0 && len(pieces) > 0 && sameBlock(r.pieces[pieces[0]].Node, node) {
			r.kept[i], gone[now[i]] = pieces[0], pieces[1:]
		}
	}
}

// fingerprint is a hash of what the JSON of a node says.
func fingerprint(seed maphash.Seed, node *doc.Node) uint64 {
	source, err := json.Marshal(reduced(node))
	if err != nil {
		return 0 // sameBlock decides
	}
	return maphash.Bytes(seed, source)
}

// reduced returns a block as decoding would leave it, see doc.Node.Reduce.
func reduced(node *doc.Node) *doc.Node {
	plain := true
	node.Walk(func(n *doc.Node) bool {
		plain = plain && n.Type != doc.Updates && n.Type != doc.Table
		return plain
	})
	if plain {
		return node
	}
	copied := node.Clone()
	copied.Walk(func(n *doc.Node) bool {
		n.Reduce()
		return true
	})
	return copied
}

// sameBlock reports whether a block of a document is that of the original. What the document JSON does not carry (the
// titles of links, what stands behind a fence's language) may be missing in it, and so may what is the same as nothing.
func sameBlock(old, now *doc.Node) bool {
	if doc.EqualNodes(old, now) {
		return true
	}
	bare := old.Clone()
	bare.Walk(func(n *doc.Node) bool {
		switch data := n.Data.(type) {
		case *doc.ContentRefData:
			data.Title = ""
		case *doc.CodeData:
			data.Meta = ""
		}
		n.Reduce()
		return true
	})
	// Both are reduced: Normalize, which has seen the new block, writes some of what is the same as nothing.
	return doc.EqualNodes(bare, reduced(now))
}

// segment is a part of a new body.
type segment struct {
	text  string
	piece int       // the piece of the original, or -1
	node  *doc.Node // the block, or nil
}

// assemble writes the new body.
func (r *rewriter) assemble() []byte {
	w := &writer{taken: map[string]bool{}}
	used := map[string]bool{}
	for _, at := range r.kept {
		if at < 0 {
			continue
		}
		for _, label := range r.pieces[at].Footnotes {
			used[label] = true
		}
	}
	referred := map[string]bool{}
	for _, piece := range r.pieces {
		for _, label := range piece.Footnotes {
			referred[label] = true
		}
		if piece.Definition != "" {
			w.taken[dialect.FootnoteKey(piece.Definition)] = true
		}
	}
	keepsDefinition := func(piece reader.Piece) bool {
		key := dialect.FootnoteKey(piece.Definition)
		return piece.Node == nil && (piece.Definition == "" || used[key] || !referred[key])
	}
	var segments []segment
	source := func(at int) segment {
		piece := r.pieces[at]
		return segment{text: string(r.original[piece.Start:piece.End]), piece: at, node: piece.Node}
	}
	next := 0 // the first piece that is not dealt with
	definitions := func(until int) {
		for ; next < until; next++ {
			if keepsDefinition(r.pieces[next]) {
				segments = append(segments, source(next))
			}
		}
	}
	for i, node := range r.nodes {
		definitions(r.before[i])
		if at := r.kept[i]; at >= 0 {
			segments = append(segments, source(at))
			continue
		}
		segments = append(segments, segment{text: r.written(w, i), piece: -1, node: node})
	}
	definitions(len(r.pieces))
	if notes := w.definitions(); notes != "" {
		segments = append(segments, segment{text: strings.ReplaceAll(notes, "\n", r.lineFeed), piece: -1})
	}
	return r.join(segments)
}

// written writes a block anew. A list takes a marker that its neighbours do not have.
func (r *rewriter) written(w *writer, i int) string {
	node := r.nodes[i]
	marker := w.nextMarker(0, node)
	if marker != 0 {
		taken := r.markerOf(i-1) + r.markerOf(i+1)
		choices := "*-+"
		if node.Type == doc.ListOrdered {
			choices = ".)"
		}
		for _, choice := range choices {
			if !strings.ContainsRune(taken, choice) {
				marker = listMarker(choice)
				break
			}
		}
	}
	text := w.block(node, marker, false)
	if marker != 0 {
		r.markers[i] = string(rune(marker))
	}
	return strings.ReplaceAll(text, "\n", r.lineFeed)
}

// markerOf returns the marker of a neighbour that is a list, "" when it is none or not written yet.
func (r *rewriter) markerOf(i int) string {
	if i < 0 || i >= len(r.nodes) {
		return ""
	}
	node := r.nodes[i]
	switch node.Type {
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
	default:
		return ""
	}
	if r.kept[i] < 0 {
		return r.markers[i]
	}
	piece := r.pieces[r.kept[i]]
	text := strings.TrimLeft(string(r.original[piece.Start:piece.End]), " \t0123456789")
	return text[:min(len(text), 1)]
}

// join puts segments together: with what stood between them in the original where they are neighbours there, with a
// blank line elsewhere.
func (r *rewriter) join(segments []segment) []byte {
	var b bytes.Buffer
	for i, s := range segments {
		switch {
		case i == 0 && s.piece == 0:
			b.Write(r.original[:r.pieces[0].Start])
		case i == 0:
		case s.piece > 0 && segments[i-1].piece == s.piece-1:
			b.Write(r.original[r.pieces[s.piece-1].End:r.pieces[s.piece].Start])
		default:
			separation := "\n\n"
			if before := segments[i-1]; before.node != nil && endsWithMarker(before.text) {
				separation = separator(before.node)
			}
			b.WriteString(strings.ReplaceAll(separation, "\n", r.lineFeed))
		}
		b.WriteString(s.text)
	}
	last := segments[len(segments)-1].piece
	if last >= 0 && last == len(r.pieces)-1 {
		b.Write(r.original[r.pieces[last].End:])
	} else {
		b.WriteString(r.lineFeed)
	}
	return b.Bytes()
}

// endsWithMarker reports whether the last line of a block is nothing but the markers of a list item without content.
func endsWithMarker(text string) bool {
	return strings.Trim(text[strings.LastIndexByte(text, '\n')+1:], " \t>*+-.)0123456789") == ""
}

// firstWrong parses a result and returns the index of the first block that is not the document's, or -1.
func (r *rewriter) firstWrong(result []byte) int {
	p, err := parse(result)
	if err != nil {
		return 0
	}
	for i, node := range r.nodes {
		if i >= len(p.Document.Nodes) || !sameBlock(p.Document.Nodes[i], node) {
			return i
		}
	}
	if len(p.Document.Nodes) > len(r.nodes) {
		return len(r.nodes) - 1
	}
	return -1
}

// giveUp writes the block at an index anew the next time, or its neighbours when it was written anew already.
func (r *rewriter) giveUp(wrong int) {
	if r.kept[wrong] >= 0 {
		r.kept[wrong] = -1
	} else {
		for i := max(wrong-1, 0); i <= min(wrong+1, len(r.nodes)-1); i++ {
			r.kept[i] = -1
		}
	}
	clear(r.markers)
}
