package comment

import (
	"hash/maphash"

	"znkr.io/diff"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// widest is how many blocks on either side are looked at to tell equal blocks apart.
const widest = 3

// smallGap is the number of blocks up to which those between two that are known are compared thoroughly.
const smallGap = 400

// alignment says of each place of a page's outline where it is in a later one, -1 where it is gone.
type alignment []int

// free returns the places of the later outline that are none of the earlier one's.
func (a alignment) free(now []block) []block {
	taken := make([]bool, len(now))
	for _, j := range a {
		if j >= 0 {
			taken[j] = true
		}
	}
	var free []block
	for j, b := range now {
		if !taken[j] {
			free = append(free, b)
		}
	}
	return free
}

// token is what makes places equal for an alignment: what they say, as a block of what kind.
type token struct {
	kind doc.Type
	text string
	cell bool
}

func (b block) token() token { return token{b.kind, b.text, b.record != ""} }

// aligner compares two outlines.
type aligner struct {
	then, now []uint64 // tokens, hashed
	forth     alignment
	back      []int
}

// align finds the places of an outline in a later one. What occurs once in both is the same, wherever it is now. Equal
// places are told apart by what is around them: they go with a neighbour, the nearest first; then with surroundings
// that occur once in both; what is left between two that are known goes by its order.
func align(then, now []block) alignment {
	seed := maphash.MakeSeed()
	hashes := func(blocks []block) []uint64 {
		list := make([]uint64, len(blocks))
		for i, b := range blocks {
			list[i] = maphash.Comparable(seed, b.token())
		}
		return list
	}
	a := &aligner{then: hashes(then), now: hashes(now), forth: make(alignment, len(then)), back: make([]int, len(now))}
	for i := range a.forth {
		a.forth[i] = -1
	}
	for j := range a.back {
		a.back[j] = -1
	}
	a.surrounded(seed, 0)
	a.spread()
	for radius := widest; radius > 0; radius-- {
		a.surrounded(seed, radius)
	}
	a.spread()
	a.between()
	return a.forth
}

func (a *aligner) match(i, j int) { a.forth[i], a.back[j] = j, i }

// surrounded matches places that have, with so many on either side, an equal that occurs once in both outlines.
func (a *aligner) surrounded(seed maphash.Seed, radius int) {
	once := func(tokens []uint64) map[uint64]int {
		found := make(map[uint64]int, len(tokens))
		var window [2*widest + 1]uint64
		for i := range tokens {
			for k := -radius; k <= radius; k++ {
				// 0 and 1 stand for what is before the first and behind the last.
				switch at := i + k; {
				case at < 0:
					window[k+radius] = 0
				case at >= len(tokens):
					window[k+radius] = 1
				default:
					window[k+radius] = tokens[at]
				}
			}
			hash := maphash.Comparable(seed, window)
			if _, twice := found[hash]; twice {
				found[hash] = -1
			} else {
				found[hash] = i
			}
		}
		return found
	}
	now := once(a.now)
	for hash, i := range once(a.then) {
		if j, there := now[hash]; there && i >= 0 && j >= 0 && a.forth[i] < 0 && a.back[j] < 0 {
			a.match(i, j)
		}
	}
}

// spread matches the neighbours of what is matched, as long as they are equal: those next to it first, so that a place
// goes with the nearer of two that it could go with.
func (a *aligner) spread() {
	type step struct{ i, j, by int }
	var now []step
	for i, j := range a.forth {
		if j >= 0 {
			now = append(now, step{i, j, 1}, step{i, j, -1})
		}
	}
	for len(now) > 0 {
		var later []step
		for _, s := range now {
			i, j := s.i+s.by, s.j+s.by
			if i < 0 || j < 0 || i >= len(a.then) || j >= len(a.now) || a.then[i] != a.now[j] || a.forth[i] >= 0 ||
				a.back[j] >= 0 {
				continue
			}
			a.match(i, j)
			later = append(later, step{i, j, s.by})
		}
		now = later
	}
}

// between compares what is left between places that are matched and stand in one order.
func (a *aligner) between() {
	known := [][2]int{{-1, -1}}
	last := -1
	for i, j := range a.forth {
		if j > last {
			known, last = append(known, [2]int{i, j}), j
		}
	}
	known = append(known, [2]int{len(a.then), len(a.now)})
	left := func(tokens []uint64, matched []int, from, to int) (places []int, of []uint64) {
		for at := from; at < to; at++ {
			if matched[at] < 0 {
				places, of = append(places, at), append(of, tokens[at])
			}
		}
		return places, of
	}
	for n := 1; n < len(known); n++ {
		places, of := left(a.then, a.forth, known[n-1][0]+1, known[n][0])
		others, present := left(a.now, a.back, known[n-1][1]+1, known[n][1])
		if len(of) == 0 || len(present) == 0 {
			continue
		}
		var options []diff.Option
		if len(of)+len(present) > smallGap {
			options = append(options, diff.Fast())
		}
		i, j := 0, 0
		for _, edit := range diff.Edits(of, present, options...) {
			switch edit.Op {
			case diff.Match:
				a.match(places[i], others[j])
				i, j = i+1, j+1
			case diff.Delete:
				i++
			case diff.Insert:
				j++
			}
		}
	}
}
