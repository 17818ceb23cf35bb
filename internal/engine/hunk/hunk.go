// Package hunk owns how two sequences are compared in bounded time, and how the lines of Markdown are grouped into
// blocks. Merging and showing differences stand on it, so that both match the same.
//
// A thorough search for the shortest difference is superlinear. A Budget bounds it, so that two hostile bodies of 1 MB
// take about a second and not hours.
package hunk

import (
	"strings"

	"znkr.io/diff"
)

// A comparison of up to small tokens in all is always thorough, larger ones as long as their sum is within the budget.
// Others anchor on tokens that are unique, which is O(n log n) whatever they are, and finds the same for texts that
// repeat themselves little.
const (
	small    = 400
	thorough = 20_000
)

// Span is a half-open range of tokens.
type Span struct{ Start, End int }

// Len is the number of its tokens.
func (s Span) Len() int { return s.End - s.Start }

// Moved is the span as many tokens further on.
func (s Span) Moved(by int) Span { return Span{s.Start + by, s.End + by} }

// Change is a range of one sequence and what another has in its place.
type Change struct{ Before, After Span }

// Budget is what is left for the thorough comparisons of one task.
type Budget struct{ tokens int }

// NewBudget returns the whole budget.
func NewBudget() *Budget { return &Budget{tokens: thorough} }

// Pay takes as many tokens from the budget and reports whether a comparison of them may be thorough.
func (b *Budget) Pay(tokens int) bool {
	if tokens <= small {
		return true
	}
	if tokens > b.tokens {
		return false
	}
	b.tokens -= tokens
	return true
}

// Between returns in which ranges a sequence differs from another, in order and apart from each other. Whether to
// search thoroughly is what Pay has said.
func Between(before, after []string, thorough bool) []Change {
	options := []diff.Option{diff.Context(0)}
	if !thorough {
		options = append(options, diff.Fast())
	}
	var changes []Change
	for _, h := range diff.Hunks(before, after, options...) {
		changes = append(changes, Change{Before: Span{h.PosX, h.EndX}, After: Span{h.PosY, h.EndY}})
	}
	return changes
}

// Blocks groups lines into Markdown blocks: lines up to and with the blank ones that end them. It returns the text of
// each block and the number of its first line, with the number of lines at the end.
func Blocks(lines []string) (texts []string, starts []int) {
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

// Lines compares two lists of lines by way of their blocks: it aligns whole blocks first and looks at lines only where
// blocks differ. A blank line or a closing fence is not taken for an anchor across blocks then.
func (b *Budget) Lines(before, after []string) []Change {
	older, olderStarts := Blocks(before)
	newer, newerStarts := Blocks(after)
	var changes []Change
	for _, block := range Between(older, newer, b.Pay(len(older)+len(newer))) {
		from := Span{olderStarts[block.Before.Start], olderStarts[block.Before.End]}
		to := Span{newerStarts[block.After.Start], newerStarts[block.After.End]}
		inner := Between(before[from.Start:from.End], after[to.Start:to.End], b.Pay(from.Len()+to.Len()))
		for _, line := range inner {
			changes = append(changes, Change{line.Before.Moved(from.Start), line.After.Moved(to.Start)})
		}
	}
	return changes
}
