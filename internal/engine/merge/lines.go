package merge

import (
	"slices"
	"strings"

	"znkr.io/diff"
)

// A thorough search for the shortest diff is superlinear. These bound it, so that two hostile bodies of 1 MB take
// about a second and not hours: a comparison of up to smallComparison tokens in all three texts is always thorough,
// larger ones as long as their sum is within thoroughTokens. Others anchor on tokens that are unique, which is
// O(n log n) whatever the texts are, and finds the same for texts that repeat themselves little.
const (
	smallComparison = 400
	thoroughTokens  = 20_000
)

// span is a half-open range of tokens.
type span struct{ start, end int }

func (s span) len() int { return s.end - s.start }

// origin says where the content of a region comes from.
type origin int

const (
	fromBase     origin = iota // neither side changed it
	fromOurs                   // only ours did, or both did alike
	fromTheirs                 // only theirs did
	fromConflict               // both did, differently
)

// region is a part of a three-way comparison. The regions of a comparison cover all three texts in order.
type region struct {
	origin             origin
	base, ours, theirs span
}

// change is a range of the base and what a side has in its place.
type change struct{ base, side span }

// comparer compares the parts of one merge.
type comparer struct{ budget int }

// newComparer returns a comparer with the whole budget for thorough comparisons.
func newComparer() *comparer { return &comparer{budget: thoroughTokens} }

// changes compares the base with both sides. It treats them alike, so that a merge is symmetric.
func (c *comparer) changes(base, ours, theirs []string) (left, right []change) {
	options := []diff.Option{diff.Context(0)}
	if size := 2*len(base) + len(ours) + len(theirs); size > smallComparison {
		if size <= c.budget {
			c.budget -= size
		} else {
			options = append(options, diff.Fast())
		}
	}
	between := func(side []string) []change {
		var changes []change
		for _, h := range diff.Hunks(base, side, options...) {
			changes = append(changes, change{base: span{h.PosX, h.EndX}, side: span{h.PosY, h.EndY}})
		}
		return changes
	}
	return between(ours), between(theirs)
}

// diff3 compares two texts with their common base and cuts the three into regions. Changes of the two sides that
// overlap or touch in the base are one region, a conflict unless both made the same of it.
//
// The algorithm is that of the diff3 program, as S. Khanna, K. Kunal and B. C. Pierce describe it in "A Formal
// Investigation of Diff3" (2007).
func (c *comparer) diff3(base, ours, theirs []string) []region {
	left, right := c.changes(base, ours, theirs)
	var regions []region
	at, atOurs, atTheirs := 0, 0, 0
	for len(left) > 0 || len(right) > 0 {
		// The next region begins with the first change of either side.
		start := len(base)
		if len(left) > 0 {
			start = left[0].base.start
		}
		if len(right) > 0 {
			start = min(start, right[0].base.start)
		}
		if start > at {
			n := start - at
			regions = append(regions, region{
				fromBase, span{at, start}, span{atOurs, atOurs + n}, span{atTheirs, atTheirs + n},
			})
			at, atOurs, atTheirs = start, atOurs+n, atTheirs+n
		}
		// It takes in every change that overlaps or touches it. What a side has there is as long as the region,
		// and longer or shorter by what its changes there add and remove.
		end, grownOurs, grownTheirs := start, 0, 0
		var usedLeft, usedRight int
		for {
			before := usedLeft + usedRight
			for usedLeft < len(left) && left[usedLeft].base.start <= end {
				end = max(end, left[usedLeft].base.end)
				grownOurs += left[usedLeft].side.len() - left[usedLeft].base.len()
				usedLeft++
			}
			for usedRight < len(right) && right[usedRight].base.start <= end {
				end = max(end, right[usedRight].base.end)
				grownTheirs += right[usedRight].side.len() - right[usedRight].base.len()
				usedRight++
			}
			if usedLeft+usedRight == before {
				break
			}
		}
		r := region{
			base:   span{start, end},
			ours:   span{atOurs, atOurs + end - start + grownOurs},
			theirs: span{atTheirs, atTheirs + end - start + grownTheirs},
		}
		switch {
		case usedRight == 0:
			r.origin = fromOurs
		case usedLeft == 0:
			r.origin = fromTheirs
		case slices.Equal(ours[r.ours.start:r.ours.end], theirs[r.theirs.start:r.theirs.end]):
			r.origin = fromOurs
		default:
			r.origin = fromConflict
		}
		regions = append(regions, r)
		at, atOurs, atTheirs = r.base.end, r.ours.end, r.theirs.end
		left, right = left[usedLeft:], right[usedRight:]
	}
	if at < len(base) {
		regions = append(regions, region{
			fromBase, span{at, len(base)}, span{atOurs, len(ours)}, span{atTheirs, len(theirs)},
		})
	}
	return regions
}

// blocks groups lines into Markdown blocks: lines up to and with the blank ones that end them. It returns the text of
// each block and the number of its first line, with the number of lines at the end.
func blocks(lines []string) (texts []string, starts []int) {
	for i := 0; i < len(lines); {
		start := i
		for i < len(lines) && strings.TrimSpace(lines[i]) != "" {
			i++
		}
		for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
			i++
		}
		texts = append(texts, strings.Join(lines[start:i], "\n"))
		starts = append(starts, start)
	}
	return texts, append(starts, len(lines))
}

// diff3Lines is diff3 over lines, by way of blocks: it aligns whole blocks first and looks at lines only where
// changed blocks meet. A blank line or a closing fence is not taken for an anchor across blocks then, and a long
// text costs little.
func (c *comparer) diff3Lines(base, ours, theirs []string) []region {
	baseBlocks, baseStarts := blocks(base)
	oursBlocks, oursStarts := blocks(ours)
	theirsBlocks, theirsStarts := blocks(theirs)
	var regions []region
	for _, r := range c.diff3(baseBlocks, oursBlocks, theirsBlocks) {
		r.base = span{baseStarts[r.base.start], baseStarts[r.base.end]}
		r.ours = span{oursStarts[r.ours.start], oursStarts[r.ours.end]}
		r.theirs = span{theirsStarts[r.theirs.start], theirsStarts[r.theirs.end]}
		if r.origin != fromConflict {
			regions = append(regions, r)
			continue
		}
		for _, inner := range c.diff3(base[r.base.start:r.base.end], ours[r.ours.start:r.ours.end],
			theirs[r.theirs.start:r.theirs.end]) {
			inner.base = inner.base.moved(r.base.start)
			inner.ours = inner.ours.moved(r.ours.start)
			inner.theirs = inner.theirs.moved(r.theirs.start)
			regions = append(regions, inner)
		}
	}
	return regions
}

func (s span) moved(by int) span { return span{s.start + by, s.end + by} }
