package compare

import (
	"slices"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// A pair of blocks is taken for one that was changed from these likenesses on: a lower one does when nothing else
// could be meant.
const (
	likely = 0.3
	lonely = 0.15
)

// lists compares the children of a block.
func (c *comparer) lists(before, after []*doc.Node) []Block {
	blocks := make([]Block, 0, max(len(before), len(after)))
	at, atAfter := 0, 0
	same := func(until int) {
		for ; at < until; at, atAfter = at+1, atAfter+1 {
			blocks = append(blocks, Block{Change: Same, Before: before[at], After: after[atAfter]})
		}
	}
	for _, h := range c.between(c.sumsOf(before), c.sumsOf(after)) {
		same(h.Before.Start)
		blocks = append(blocks, c.replaced(before[h.Before.Start:h.Before.End], after[h.After.Start:h.After.End])...)
		at, atAfter = h.Before.End, h.After.End
	}
	same(len(before))
	return blocks
}

// replaced compares blocks with those that stand in their place.
func (c *comparer) replaced(before, after []*doc.Node) []Block {
	least := likely
	if len(before) == 1 && len(after) == 1 {
		least = lonely
		// An image or a table in the place of another has nothing else that it could be, nor has a word or two.
		short := max(c.sketchOf(before[0]).words, c.sketchOf(after[0]).words) <= 2
		if before[0].Type == after[0].Type && (short || !doc.HoldsText(before[0].Type)) {
			least = 0
		}
	}
	pairs := c.align(len(before), len(after), func(i, j int) float64 {
		if !related(before[i], after[j]) {
			return -1
		}
		likeness := c.likeness(before[i], after[j])
		if likeness < least {
			return -1
		}
		if before[i].Type == after[j].Type {
			likeness += 0.1
		}
		return likeness
	})
	var blocks []Block
	at, atAfter := 0, 0
	apart := func(until, untilAfter int) {
		for ; at < until; at++ {
			blocks = append(blocks, Block{Change: Deleted, Before: before[at]})
		}
		for ; atAfter < untilAfter; atAfter++ {
			blocks = append(blocks, Block{Change: Added, After: after[atAfter]})
		}
	}
	for _, pair := range pairs {
		apart(pair[0], pair[1])
		blocks = append(blocks, c.nodes(before[pair[0]], after[pair[1]]))
		at, atAfter = pair[0]+1, pair[1]+1
	}
	apart(len(before), len(after))
	return blocks
}

// align chooses pairs of n and m things, in the order of both, whose likenesses have the greatest sum. A likeness
// below 0 is none. When that would cost more than is left, things are paired one by one from the start.
func (c *comparer) align(n, m int, likeness func(i, j int) float64) [][2]int {
	if n == 0 || m == 0 {
		return nil
	}
	if n > c.pairs/m {
		c.partial = true
		var pairs [][2]int
		for i := range min(n, m) {
			if likeness(i, i) >= 0 {
				pairs = append(pairs, [2]int{i, i})
			}
		}
		return pairs
	}
	c.pairs -= n * m
	// best[i][j] is the greatest sum of the things from i and from j on.
	best, weights := make([]float64, (n+1)*(m+1)), make([]float64, n*m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			weights[i*m+j] = likeness(i, j)
			sum := max(best[(i+1)*(m+1)+j], best[i*(m+1)+j+1])
			if weight := weights[i*m+j]; weight >= 0 {
				sum = max(sum, weight+smallest+best[(i+1)*(m+1)+j+1])
			}
			best[i*(m+1)+j] = sum
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < n && j < m; {
		weight := weights[i*m+j]
		switch sum := best[i*(m+1)+j]; {
		case weight >= 0 && sum == weight+smallest+best[(i+1)*(m+1)+j+1]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case sum == best[(i+1)*(m+1)+j]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// smallest makes a pair without any likeness, where that is allowed, better than none.
const smallest = 1e-6

// families are the types whose blocks can have become each other.
var families = [][]doc.Type{
	{doc.Paragraph, doc.Heading1, doc.Heading2, doc.Heading3},
	{doc.ListOrdered, doc.ListUnordered, doc.ListTasks},
	{doc.Blockquote, doc.Hint},
}

// related reports whether one block can have become the other.
func related(before, after *doc.Node) bool {
	if before.Object != after.Object || before.Fragment != after.Fragment {
		return false
	}
	if before.Type == after.Type {
		return true
	}
	return slices.ContainsFunc(families, func(family []doc.Type) bool {
		return slices.Contains(family, before.Type) && slices.Contains(family, after.Type)
	})
}

// nodes compares two versions of a block or fragment.
func (c *comparer) nodes(before, after *doc.Node) Block {
	if c.sum(before) == c.sum(after) {
		return Block{Change: Same, Before: before, After: after}
	}
	b := Block{Change: Changed, Before: before, After: after, Attributes: attributes(before, after)}
	switch {
	case before.Type == doc.Table && after.Type == doc.Table:
		older, newer := gridOf(before), gridOf(after)
		b.Table, b.Parts = c.table(older, newer), c.fragments(older.others(), newer.others())
		return b
	case holdsText(before) || holdsText(after):
		b.Runs = c.words(before.Nodes, after.Nodes)
	default:
		b.Blocks = c.lists(before.Nodes, after.Nodes)
	}
	b.Parts = c.fragments(before.Fragments, after.Fragments)
	return b
}

// holdsText reports whether the children are text and inlines.
func holdsText(n *doc.Node) bool {
	return slices.ContainsFunc(n.Nodes, func(child *doc.Node) bool { return child.Object != doc.ObjectBlock })
}

// fragments compares fragments by their names, in the order of the older ones and then of those that came.
func (c *comparer) fragments(before, after []*doc.Node) []Block {
	named := func(list []*doc.Node, of *doc.Node) int {
		return slices.IndexFunc(list, func(n *doc.Node) bool { return n.Fragment == of.Fragment && n.Type == of.Type })
	}
	var parts []Block
	used := make([]bool, len(after))
	for i, older := range before {
		at := named(after, older)
		if at < 0 || used[at] || named(before[:i], older) >= 0 {
			parts = append(parts, Block{Change: Deleted, Before: older})
			continue
		}
		used[at] = true
		parts = append(parts, c.nodes(older, after[at]))
	}
	for i, newer := range after {
		if !used[i] {
			parts = append(parts, Block{Change: Added, After: newer})
		}
	}
	return parts
}
