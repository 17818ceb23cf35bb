package markdown

import (
	"bytes"
	"slices"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// Place is a part of two versions of a body in which they differ: a range of bytes of each, of whole lines. The range
// is empty where one of them has nothing.
type Place struct{ Ours, Theirs doc.Span }

// Both returns a body that has what ours and theirs have in each of the places, and elsewhere what they have in common.
// The places are in order; ours and theirs are the same bytes outside of them.
//
// A place stands for the blocks that it touches: the result parses to those of ours, followed by those of theirs. Where
// it lies within one and the same container, so that ours and theirs have a part of it in common, such as the other
// items of a list or the other lines of code, the container stays one and has the parts of both. Bytes stay where they
// mean the same in the result; else blocks are written anew, as by Rewrite.
//
// Two kinds of raw blocks cannot have others behind them as they are. HTML that nothing ends, such as a comment, is
// ended. A tag without its counterpart, which would find one in the other version, becomes text.
//
// A text that Parse refuses has no blocks: then the lines of theirs follow those of ours, after a blank line.
func Both(ours, theirs []byte, places []Place) []byte {
	if len(places) == 0 {
		return ours
	}
	o, ourError := parse(ours)
	t, theirError := parse(theirs)
	if ourError != nil || theirError != nil {
		return inTurn(ours, theirs, places, "\n")
	}
	b := &bothBodies{
		ours: side{ours, o.Pieces}, theirs: side{theirs, t.Pieces},
	}
	b.align(places)
	want := b.document(same)
	for _, candidate := range [][]byte{inTurn(ours, theirs, places, ""), inTurn(ours, theirs, places, "\n"), b.text()} {
		if says(candidate, want) {
			return candidate
		}
	}
	written := Rewrite(ours, want)
	for _, change := range []func(*doc.Node) *doc.Node{ended, func(n *doc.Node) *doc.Node { return shown(ended(n)) }} {
		if says(written, want) {
			break
		}
		want = b.document(change)
		written = Rewrite(ours, want)
	}
	return written
}

// says reports whether a text parses to a document.
func says(text []byte, want *doc.Document) bool {
	p, err := parse(text)
	return err == nil && doc.Equal(p.Document, want)
}

func same(n *doc.Node) *doc.Node { return n }

// ended returns a raw block of HTML with what ends it, when it has no end of its own; other blocks as they are.
func ended(n *doc.Node) *doc.Node {
	data, ok := n.Data.(*doc.RawData)
	if !ok || data.Syntax != "html" {
		return n
	}
	for _, end := range []string{"", "-->", "?>", ">", "]]>", "</pre>", "</script>", "</style>", "</textarea>"} {
		source := data.Source + "\n" + end
		if end == "" {
			source = data.Source
		}
		closed := doc.NewBlock(doc.Raw, &doc.RawData{Source: source, Syntax: "html"})
		if says([]byte(source+"\n\nx\n"),
			&doc.Document{Nodes: []*doc.Node{closed, doc.NewParagraph(doc.NewText("x"))}}) {
			return closed
		}
	}
	return n
}

// shown returns a tag that stands alone as the text that it is written as; other blocks as they are.
func shown(n *doc.Node) *doc.Node {
	if data, ok := n.Data.(*doc.RawData); ok && data.Syntax == "tag" {
		return doc.NewParagraph(doc.NewText(data.Source))
	}
	return n
}

// inTurn puts the lines of theirs behind those of ours in each place, with a separator between the two where both have
// some.
func inTurn(ours, theirs []byte, places []Place, separator string) []byte {
	var out []byte
	at := 0
	for _, place := range places {
		out = append(out, ours[at:place.Ours.End]...)
		added := theirs[place.Theirs.Start:place.Theirs.End]
		if len(added) > 0 && place.Ours.End > place.Ours.Start {
			out = append(dialect.EnsureLineFeed(out), separator...)
		}
		out = append(out, added...)
		at = place.Ours.End
	}
	return append(out, ours[at:]...)
}

// side is one version of a body with its blocks and definitions.
type side struct {
	text   []byte
	pieces []reader.Piece
}

// source is the text of a piece.
func (s side) source(i int) []byte { return s.text[s.pieces[i].Start:s.pieces[i].End] }

// nodes are the blocks of a range of pieces.
func (s side) nodes(of doc.Span) []*doc.Node {
	var nodes []*doc.Node
	for _, piece := range s.pieces[of.Start:of.End] {
		if piece.Node != nil {
			nodes = append(nodes, piece.Node)
		}
	}
	return nodes
}

// touched returns the pieces that a range of bytes touches; for an empty range between two pieces the empty range
// between them.
func (s side) touched(at doc.Span) doc.Span {
	start, _ := slices.BinarySearchFunc(s.pieces, at.Start, func(p reader.Piece, at int) int { return p.End - at - 1 })
	end := start
	for end < len(s.pieces) && s.pieces[end].Start < at.End {
		end++
	}
	if at.Start == at.End && start < len(s.pieces) && s.pieces[start].Start < at.Start {
		end = start + 1
	}
	return doc.Span{Start: start, End: end}
}

// differing is a range of pieces of each version, with the places that it was made of.
type differing struct {
	ours, theirs doc.Span
	places       []Place
}

// bothBodies joins two versions.
type bothBodies struct {
	ours, theirs side
	regions      []differing
}

// align finds the pieces that the places touch, widened until the pieces around them are the same in both versions.
func (b *bothBodies) align(places []Place) {
	at := doc.Span{Start: 0, End: 0} // the first pieces of ours and theirs behind the last region
	for _, place := range places {
		region := differing{b.ours.touched(place.Ours), b.theirs.touched(place.Theirs), []Place{place}}
		region.ours.Start, region.theirs.Start = max(region.ours.Start, at.Start), max(region.theirs.Start, at.End)
		region.ours.End, region.theirs.End = max(region.ours.End, region.ours.Start),
			max(region.theirs.End, region.theirs.Start)
		same := b.sameFrom(at, region)
		whole := at.Start+same == region.ours.Start && at.End+same == region.theirs.Start
		last := len(b.regions) - 1
		switch {
		case last >= 0 && (!whole || same == 0):
			// The two have a block in common, or what is between them is cut into blocks differently.
			joined := &b.regions[last]
			joined.ours.End, joined.theirs.End = region.ours.End, region.theirs.End
			joined.places = append(joined.places, place)
		case !whole:
			region.ours.Start, region.theirs.Start = at.Start+same, at.End+same
			fallthrough
		default:
			b.regions = append(b.regions, region)
		}
		joined := b.regions[len(b.regions)-1]
		at = doc.Span{Start: joined.ours.End, End: joined.theirs.End}
	}
	// What is behind the last place has to be the same, too.
	last := &b.regions[len(b.regions)-1]
	end := doc.Span{Start: len(b.ours.pieces), End: len(b.theirs.pieces)}
	for end.Start > last.ours.End && end.End > last.theirs.End && bytes.Equal(b.ours.source(end.Start-1),
		b.theirs.source(end.End-1)) {
		end = doc.Span{Start: end.Start - 1, End: end.End - 1}
	}
	last.ours.End, last.theirs.End = end.Start, end.End
}

// sameFrom counts the pieces that both versions have in common from a place on, up to a region.
func (b *bothBodies) sameFrom(at doc.Span, region differing) int {
	n := 0
	for at.Start+n < region.ours.Start && at.End+n < region.theirs.Start && bytes.Equal(b.ours.source(at.Start+n),
		b.theirs.source(at.End+n)) {
		n++
	}
	return n
}

// document is what the result is to mean, with a change of the blocks of the places.
func (b *bothBodies) document(change func(*doc.Node) *doc.Node) *doc.Document {
	d := &doc.Document{}
	at := 0
	for _, region := range b.regions {
		d.Nodes = append(d.Nodes, b.ours.nodes(doc.Span{Start: at, End: region.ours.Start})...)
		ours, theirs := b.ours.nodes(region.ours), b.theirs.nodes(region.theirs)
		if joined := b.within(region); joined != nil {
			ours, theirs = []*doc.Node{joined}, nil
		}
		for _, node := range slices.Concat(ours, theirs) {
			d.Nodes = append(d.Nodes, change(node))
		}
		at = region.ours.End
	}
	d.Nodes = append(d.Nodes, b.ours.nodes(doc.Span{Start: at, End: len(b.ours.pieces)})...)
	return Normalize(d)
}

// within returns one block for a region that lies within one and the same container of both versions; nil for other
// regions.
func (b *bothBodies) within(region differing) *doc.Node {
	if region.ours.End-region.ours.Start != 1 || region.theirs.End-region.theirs.Start != 1 {
		return nil
	}
	ours, theirs := b.ours.pieces[region.ours.Start], b.theirs.pieces[region.theirs.Start]
	first, last := region.places[0], region.places[len(region.places)-1]
	if ours.Node == nil || theirs.Node == nil || first.Ours.Start <= ours.Start && last.Ours.End >= ours.End ||
		first.Theirs.Start <= theirs.Start && last.Theirs.End >= theirs.End {
		return nil
	}
	return joined(ours.Node, theirs.Node)
}

// joined returns a container with the parts of two versions of it; nil when they are not of one kind, or have nothing
// in common.
func joined(ours, theirs *doc.Node) *doc.Node {
	if ours.Type != theirs.Type || ours.Object != theirs.Object || doc.HoldsText(ours.Type) ||
		len(ours.Fragments) != len(theirs.Fragments) {
		return nil
	}
	bare := func(n *doc.Node) *doc.Node { return &doc.Node{Object: n.Object, Type: n.Type, Data: n.Data} }
	if !doc.EqualNodes(bare(ours), bare(theirs)) {
		return nil
	}
	result := ours.Clone()
	if ours.Type == doc.Expandable {
		// Its content is in fragments; the title has to be the same.
		for i := range ours.Fragments {
			one, other := ours.Fragments[i], theirs.Fragments[i]
			if doc.EqualNodes(one, other) {
				continue
			}
			nodes := joinedNodes(ours.Type, one.Nodes, other.Nodes)
			if one.Fragment != doc.FragmentExpandableBody || nodes == nil {
				return nil
			}
			result.Fragments[i].Nodes = nodes
		}
		return result
	}
	if !slices.EqualFunc(ours.Fragments, theirs.Fragments, doc.EqualNodes) {
		return nil
	}
	if result.Nodes = joinedNodes(ours.Type, ours.Nodes, theirs.Nodes); result.Nodes == nil {
		return nil
	}
	return result
}

// joinedNodes returns the children of two versions of a container: those that they have in common at the start and the
// end, and between them those of ours, then those of theirs. It returns nil when they have none in common.
func joinedNodes(container doc.Type, ours, theirs []*doc.Node) []*doc.Node {
	start := 0
	for start < min(len(ours), len(theirs)) && doc.EqualNodes(ours[start], theirs[start]) {
		start++
	}
	end := 0
	for end < min(len(ours), len(theirs))-start && doc.EqualNodes(ours[len(ours)-1-end], theirs[len(theirs)-1-end]) {
		end++
	}
	middle, other := ours[start:len(ours)-end], theirs[start:len(theirs)-end]
	var inner *doc.Node
	if len(middle) == 1 && len(other) == 1 {
		inner = joined(middle[0], other[0])
	}
	switch {
	case inner != nil:
		middle, other = []*doc.Node{inner}, nil
	case start+end == 0 || container == doc.Prompt: // which has one child
		return nil
	}
	return slices.Concat(ours[:start], middle, other, ours[len(ours)-end:])
}

// text puts the pieces of both versions one behind the other, with blank lines between what comes from different
// places.
func (b *bothBodies) text() []byte {
	var out []byte
	at := 0
	write := func(text []byte) {
		text = bytes.TrimRight(text, "\r\n")
		if len(text) == 0 {
			return
		}
		if len(bytes.TrimSpace(out)) > 0 {
			out = append(bytes.TrimRight(out, "\r\n"), "\n\n"...)
		}
		out = append(out, text...)
	}
	run := func(s side, of doc.Span) []byte {
		if of.Start == of.End {
			return nil
		}
		return s.text[s.pieces[of.Start].Start:s.pieces[of.End-1].End]
	}
	for _, region := range b.regions {
		// What is before a region that has pieces of ours stays joined to them as it is.
		write(run(b.ours, doc.Span{Start: at, End: region.ours.End}))
		write(run(b.theirs, region.theirs))
		at = region.ours.End
	}
	write(run(b.ours, doc.Span{Start: at, End: len(b.ours.pieces)}))
	return append(out, '\n')
}
