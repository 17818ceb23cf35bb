package merge

import (
	"slices"

	"github.com/rectodocs/recto/internal/engine/hunk"
)

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
	base, ours, theirs hunk.Span
}

// comparer compares the parts of one merge.
type comparer struct{ budget *hunk.Budget }

// newComparer returns a comparer with the whole budget for thorough comparisons.
func newComparer() *comparer { return &comparer{budget: hunk.NewBudget()} }

// changes compares the base with both sides. It treats them alike, so that a merge is symmetric.
func (c *comparer) changes(base, ours, theirs []string) (left, right []hunk.Change) {
	thorough := c.budget.Pay(2*len(base) + len(ours) + len(theirs))
	return hunk.Between(base, ours, thorough), hunk.Between(base, theirs, thorough)
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
			start = left[0].Before.Start
		}
		if len(right) > 0 {
			start = min(start, right[0].Before.Start)
		}
		if start > at {
			n := start - at
			regions = append(regions, region{
				fromBase, span(at, start), span(atOurs, atOurs+n), span(atTheirs, atTheirs+n),
			})
			at, atOurs, atTheirs = start, atOurs+n, atTheirs+n
		}
		// It takes in every change that overlaps or touches it. What a side has there is as long as the region,
		// and longer or shorter by what its changes there add and remove.
		end, grownOurs, grownTheirs := start, 0, 0
		var usedLeft, usedRight int
		for {
			before := usedLeft + usedRight
			for usedLeft < len(left) && left[usedLeft].Before.Start <= end {
				end = max(end, left[usedLeft].Before.End)
				grownOurs += left[usedLeft].After.Len() - left[usedLeft].Before.Len()
				usedLeft++
			}
			for usedRight < len(right) && right[usedRight].Before.Start <= end {
				end = max(end, right[usedRight].Before.End)
				grownTheirs += right[usedRight].After.Len() - right[usedRight].Before.Len()
				usedRight++
			}
			if usedLeft+usedRight == before {
				break
			}
		}
		r := region{
			base:   span(start, end),
			ours:   span(atOurs, atOurs+end-start+grownOurs),
			theirs: span(atTheirs, atTheirs+end-start+grownTheirs),
		}
		switch {
		case usedRight == 0:
			r.origin = fromOurs
		case usedLeft == 0:
			r.origin = fromTheirs
		case slices.Equal(ours[r.ours.Start:r.ours.End], theirs[r.theirs.Start:r.theirs.End]):
			r.origin = fromOurs
		default:
			r.origin = fromConflict
		}
		regions = append(regions, r)
		at, atOurs, atTheirs = r.base.End, r.ours.End, r.theirs.End
		left, right = left[usedLeft:], right[usedRight:]
	}
	if at < len(base) {
		regions = append(regions, region{
			fromBase, span(at, len(base)), span(atOurs, len(ours)), span(atTheirs, len(theirs)),
		})
	}
	return regions
}

// diff3Lines is diff3 over lines, by way of blocks: it aligns whole blocks first and looks at lines only where
// changed blocks meet. A blank line or a closing fence is not taken for an anchor across blocks then, and a long
// text costs little.
func (c *comparer) diff3Lines(base, ours, theirs []string) []region {
	baseBlocks, baseStarts := hunk.Blocks(base)
	oursBlocks, oursStarts := hunk.Blocks(ours)
	theirsBlocks, theirsStarts := hunk.Blocks(theirs)
	var regions []region
	for _, r := range c.diff3(baseBlocks, oursBlocks, theirsBlocks) {
		r.base = span(baseStarts[r.base.Start], baseStarts[r.base.End])
		r.ours = span(oursStarts[r.ours.Start], oursStarts[r.ours.End])
		r.theirs = span(theirsStarts[r.theirs.Start], theirsStarts[r.theirs.End])
		if r.origin != fromConflict {
			regions = append(regions, r)
			continue
		}
		for _, inner := range c.diff3(base[r.base.Start:r.base.End], ours[r.ours.Start:r.ours.End],
			theirs[r.theirs.Start:r.theirs.End]) {
			inner.base = inner.base.Moved(r.base.Start)
			inner.ours = inner.ours.Moved(r.ours.Start)
			inner.theirs = inner.theirs.Moved(r.theirs.Start)
			regions = append(regions, inner)
		}
	}
	return regions
}

func span(start, end int) hunk.Span { return hunk.Span{Start: start, End: end} }
