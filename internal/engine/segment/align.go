package segment

import "strings"

// State says how far the translation of a unit is.
type State string

// States.
const (
	// Translated has a translation of the text as it is.
	Translated State = "translated"
	// Stale has a translation of what the text was before.
	Stale State = "stale"
	// Missing has none: the source text is shown.
	Missing State = "missing"
)

// Alignment says what of a target document stands for each unit of its source.
type Alignment struct {
	// Target is the index of the unit, -1 when there is none; State and Origin are what it is.
	Target []int
	State  []State
	Origin []Origin
}

// Align finds what stands for each unit of a source. Pairs of the memory are taken first; a text that nobody has seen
// is a translation by the hand of whoever wrote the target.
func Align(source, target []*Unit, m *Memory) Alignment {
	a := Alignment{Target: alignUnits(source, target, m), State: make([]State, len(source)),
		Origin: make([]Origin, len(source))}
	for i, j := range a.Target {
		a.State[i] = Missing
		if j < 0 {
			continue
		}
		a.State[i], a.Origin[i] = judge(source[i], target[j], m)
	}
	return a
}

func judge(source, target *Unit, m *Memory) (State, Origin) {
	origin, met := m.Lookup(source.Hash(), target.Hash())
	switch {
	case met && origin == Shown:
		return Missing, Shown
	case met && origin == Carried:
		return Stale, Carried
	case met:
		return Translated, origin
	}
	// Known for another text only: a translation of it, or that text itself.
	stale := false
	for _, other := range m.sources[target.Hash()] {
		row := m.rows[[2]string{other, target.Hash()}]
		stale = stale || row.Origin != Shown
	}
	switch {
	case stale:
		return Stale, Carried
	case m.known(target.Hash()):
		return Missing, Shown
	}
	return Translated, Human
}

// ratio is 20 for lengths that are equal, less the more they differ: a translation is about as long as its source.
func ratio(a, b int) int {
	if a > b {
		a, b = b, a
	}
	return 20 * a / max(b, 1)
}

// Scores of pairs. A pair of the memory outweighs anything that could be put in its place.
const (
	scoreKnown = 1000
	scoreNew   = 30
	scoreLike  = 10
)

func alignUnits(source, target []*Unit, m *Memory) []int {
	present := map[string]bool{}
	for _, unit := range source {
		present[unit.Hash()] = true
	}
	score := func(i, j int) int {
		s, t := source[i], target[j]
		if _, met := m.Lookup(s.Hash(), t.Hash()); met {
			return scoreKnown
		}
		if s.Kind != t.Kind {
			return 0
		}
		others := m.sources[t.Hash()]
		if len(others) == 0 {
			return scoreNew + ratio(len(s.Text), len(t.Text))
		}
		best := 0
		for _, other := range others {
			if present[other] {
				return 0 // it belongs there
			}
			if row, ok := m.rows[[2]string{other, other}]; ok {
				if like := similarity(row.Content.Text, s.Text); like >= alike {
					best = max(best, scoreLike+int(10*like))
				}
			}
		}
		return best
	}
	pairs := align(len(source), len(target), score, func(i, j int) bool { return score(i, j) >= scoreKnown })
	// What a translator has moved is out of order.
	used := make([]bool, len(target))
	free := map[string][]int{}
	for _, j := range pairs {
		if j >= 0 {
			used[j] = true
		}
	}
	for j, unit := range target {
		if !used[j] {
			for _, hash := range append([]string{unit.Hash()}, m.sources[unit.Hash()]...) {
				free[hash] = append(free[hash], j)
			}
		}
	}
	for i, unit := range source {
		if pairs[i] >= 0 {
			continue
		}
		for _, j := range free[unit.Hash()] {
			if !used[j] {
				pairs[i], used[j] = j, true
				break
			}
		}
	}
	return pairs
}

// Follow returns, for each unit of a later form of a document, the index of the unit of the earlier form that it was,
// and
// -1 for what is new. A unit that has changed is one of the same kind at the same place with at least half of its
//
//	words; of a
//
// few words the place alone decides, because a change of one of them is half of them.
func Follow(before, after []*Unit) []int {
	equal := func(i, j int) bool { return before[i].Hash() == after[j].Hash() }
	from := align(len(after), len(before), func(j, i int) int {
		if equal(i, j) {
			return 100 * scoreKnown
		}
		if before[i].Kind != after[j].Kind {
			return 0
		}
		if like := similarity(before[i].Text, after[j].Text); like >= alike {
			return scoreLike + int(10*like)
		}
		return 0
	}, func(j, i int) bool { return equal(i, j) })
	used := make([]bool, len(before))
	for _, i := range from {
		if i >= 0 {
			used[i] = true
		}
	}
	moved := map[string][]int{}
	for i, unit := range before {
		if !used[i] {
			moved[unit.Hash()] = append(moved[unit.Hash()], i)
		}
	}
	for j, unit := range after {
		if list := moved[unit.Hash()]; from[j] < 0 && len(list) > 0 {
			from[j], moved[unit.Hash()] = list[0], list[1:]
			used[from[j]] = true
		}
	}
	followChanged(before, after, from, used)
	followShort(before, after, from, used)
	return from
}

// shortWords is how many words a text has at most that is followed by its place.
const shortWords = 5

// followShort finds short texts that have become others: a run of them between two neighbours that stayed, as long as
// the run that was there before, and of the same kinds.
func followShort(before, after []*Unit, from []int, used []bool) {
	short := func(u *Unit) bool { return u.Words() <= shortWords }
	for start := 0; start < len(after); start++ {
		if from[start] >= 0 {
			continue
		}
		end := start
		for end < len(after) && from[end] < 0 {
			end++
		}
		first, last := 0, len(before)
		if start > 0 {
			first = from[start-1] + 1
		}
		if end < len(after) {
			last = from[end]
		}
		same := last-first == end-start
		for k := 0; same && k < end-start; k++ {
			old, now := before[first+k], after[start+k]
			same = !used[first+k] && old.Kind == now.Kind && short(old) && short(now)
		}
		for k := 0; same && k < end-start; k++ {
			from[start+k], used[first+k] = first+k, true
		}
		start = end
	}
}

// followChanged finds what was moved and changed at once.
func followChanged(before, after []*Unit, from []int, used []bool) {
	left := 0
	for _, taken := range used {
		if !taken {
			left++
		}
	}
	for j, unit := range after {
		if from[j] >= 0 || left*len(after) > maxCells {
			continue
		}
		best := alike
		for i, old := range before {
			if used[i] || old.Kind != unit.Kind {
				continue
			}
			if like := similarity(old.Text, unit.Text); like >= best && (like > best || from[j] < 0) {
				from[j], best = i, like
			}
		}
		if from[j] >= 0 {
			used[from[j]] = true
			left--
		}
	}
}

// maxCells bounds the table of one alignment; what is larger is paired by what is certain alone.
const maxCells = 1 << 18

// align pairs two sequences in order so that the scores add up to the most; -1 is no pair. certain pairs at both ends
// are taken without asking further.
func align(n, m int, score func(i, j int) int, certain func(i, j int) bool) []int {
	pairs := make([]int, n)
	for i := range pairs {
		pairs[i] = -1
	}
	start := 0
	for start < n && start < m && certain(start, start) {
		pairs[start] = start
		start++
	}
	endN, endM := n, m
	for endN > start && endM > start && certain(endN-1, endM-1) {
		endN, endM = endN-1, endM-1
		pairs[endN] = endM
	}
	rows, columns := endN-start, endM-start
	if rows == 0 || columns == 0 {
		return pairs
	}
	if rows*columns > maxCells {
		next := start
		for i := start; i < endN; i++ {
			for j := next; j < endM; j++ {
				if certain(i, j) {
					pairs[i], next = j, j+1
					break
				}
			}
		}
		return pairs
	}
	width := columns + 1
	best := make([]int32, (rows+1)*width)
	gain := make([]int32, rows*columns)
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			s := int32(score(start+i, start+j))
			gain[i*columns+j] = s
			value := max(best[(i+1)*width+j], best[i*width+j+1])
			if s > 0 {
				value = max(value, best[(i+1)*width+j+1]+s)
			}
			best[i*width+j] = value
		}
	}
	for i, j := 0, 0; i < rows && j < columns; {
		s, value := gain[i*columns+j], best[i*width+j]
		switch {
		case s > 0 && value == best[(i+1)*width+j+1]+s:
			pairs[start+i] = start + j
			i, j = i+1, j+1
		case value == best[(i+1)*width+j]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// alike is the similarity from which a text is another's successor.
const alike = 0.5

// similarity is twice the number of words that two texts share over the number of all their words; of texts in scripts
// without spaces, of characters. The case of letters and what stands beside words do not count.
func similarity(a, b string) float64 {
	first, second := pieces(a), pieces(b)
	if len(first)+len(second) == 0 {
		return 1
	}
	counts := map[string]int{}
	for _, piece := range first {
		counts[piece]++
	}
	common := 0
	for _, piece := range second {
		if counts[piece] > 0 {
			counts[piece]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(first)+len(second))
}

func pieces(text string) []string {
	words := strings.Fields(strings.ToLower(text))
	if len(text) < 1000 && len(words)*12 < len(text) {
		return strings.Split(text, "")
	}
	for i, word := range words {
		if bare := strings.Trim(word, ".,;:!?…\"'()[]“”‘’«»"); bare != "" {
			words[i] = bare
		}
	}
	return words
}
