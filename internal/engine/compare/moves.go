package compare

import (
	"cmp"
	"slices"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// What has moved is so much alike, and has so many words: short blocks are alike by chance.
const (
	movedAlike = 0.5
	equalWords = 3
	alikeWords = 6
)

// moves finds among the blocks that are deleted and added, at whatever depth, those that have moved.
func (c *comparer) moves(blocks []Block) {
	var gone, come []*Block
	collect(blocks, &gone, &come)
	number := 0
	pair := func(from, to *Block) {
		number++
		moved := c.moved(from.Before, to.After)
		moved.Change, moved.Move = MovedHere, number
		*to = moved
		from.Change, from.Move = MovedAway, number
	}
	bySum := map[string][]*Block{}
	for _, block := range gone {
		if c.sketchOf(block.Before).words >= equalWords || weighty(block.Before) {
			sum := c.sum(block.Before)
			bySum[sum] = append(bySum[sum], block)
		}
	}
	for _, block := range come {
		if same := bySum[c.sum(block.After)]; len(same) > 0 {
			bySum[c.sum(block.After)] = same[1:]
			pair(same[0], block)
		}
	}
	for _, found := range c.alike(gone, come) {
		if found.from.Change == Deleted && found.to.Change == Added {
			pair(found.from, found.to)
		}
	}
}

// moved compares a block that has moved, in the same direction as all others.
func (c *comparer) moved(before, after *doc.Node) Block {
	if !c.turned {
		return c.nodes(before, after)
	}
	moved := c.nodes(after, before)
	moved.mirror()
	return moved
}

// weighty reports whether a block without words is one that people notice.
func weighty(n *doc.Node) bool {
	return doc.IsVoid(n.Type) && n.Type != doc.Divider || n.Type == doc.Images
}

type candidate struct {
	from, to *Block
	likeness float64
	// sums and place decide between pairs that are as much alike, in the same way for both directions.
	sums  string
	place int
}

// alike returns the pairs of blocks that have enough in common to have moved, the most alike first.
func (c *comparer) alike(gone, come []*Block) []candidate {
	enough := func(change Change, node func(*Block) *doc.Node) func(*Block) bool {
		return func(b *Block) bool { return b.Change != change || c.sketchOf(node(b)).words < alikeWords }
	}
	gone = slices.DeleteFunc(slices.Clone(gone), enough(Deleted, func(b *Block) *doc.Node { return b.Before }))
	come = slices.DeleteFunc(slices.Clone(come), enough(Added, func(b *Block) *doc.Node { return b.After }))
	if len(gone) == 0 || len(come) == 0 {
		return nil
	}
	if len(gone) > c.pairs/len(come) {
		c.partial = true
		return nil
	}
	c.pairs -= len(gone) * len(come)
	var found []candidate
	for i, from := range gone {
		for j, to := range come {
			if !related(from.Before, to.After) {
				continue
			}
			if likeness := c.likeness(from.Before, to.After); likeness >= movedAlike {
				older, newer := c.sum(from.Before), c.sum(to.After)
				found = append(found, candidate{from, to, likeness, min(older, newer) + max(older, newer), i + j})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.sums, b.sums), cmp.Compare(a.place, b.place))
	})
	return found
}

// collect lists the blocks that are deleted and added, in reading order. Lines of code, parts of blocks and cells stay
// where they are.
func collect(blocks []Block, gone, come *[]*Block) {
	for i := range blocks {
		switch block := &blocks[i]; {
		case block.Change == Deleted && block.Before.Type != doc.CodeLine:
			*gone = append(*gone, block)
		case block.Change == Added && block.After.Type != doc.CodeLine:
			*come = append(*come, block)
		case block.Change == Changed:
			collect(block.Blocks, gone, come)
			for j := range block.Parts {
				collect(block.Parts[j].Blocks, gone, come)
			}
		}
	}
}
