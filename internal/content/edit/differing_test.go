package edit

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestDiffering holds that the hunks of two lists are where they differ and nowhere else: with all of them taken back
// the newer list is the older one, and what is between them is the same in both.
func TestDiffering(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	list := func(n int) []string {
		words := make([]string, n)
		for i := range words {
			words[i] = strconv.Itoa(random.IntN(4))
		}
		return words
	}
	for range 3000 {
		now, then := list(random.IntN(9)), list(random.IntN(9))
		var back []string
		at, pastAt := 0, 0
		for _, h := range differing(now, then) {
			if h.start == h.end && h.pastStart == h.pastEnd {
				t.Fatalf("an empty hunk %v of %v and %v", h, now, then)
			}
			if !slices.Equal(now[at:h.start], then[pastAt:h.pastStart]) {
				t.Fatalf("%v and %v differ before the hunk %v", now, then, h)
			}
			back = append(append(back, now[at:h.start]...), then[h.pastStart:h.pastEnd]...)
			at, pastAt = h.end, h.pastEnd
		}
		back = append(back, now[at:]...)
		if !slices.Equal(back, then) {
			t.Fatalf("%v taken back to %v gives %v", now, then, back)
		}
	}
	if hunks := differing(make([]string, 5000), append(make([]string, 5000), "x")); len(hunks) != 1 {
		t.Errorf("one block more in 5,000: %v", hunks)
	}
	long, other := make([]string, 4000), make([]string, 4000)
	for i := range long {
		long[i], other[i] = "a"+strconv.Itoa(i), "b"+strconv.Itoa(i)
	}
	if hunks := differing(long, other); !slices.Equal(hunks, []hunk{{0, 4000, 0, 4000}}) {
		t.Errorf("two long lists with nothing in common: %d hunks", len(hunks))
	}
}
