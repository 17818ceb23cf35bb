package typos

import "testing"

// TestMistakes holds what counts as a typo: a letter too many, too few or another, and two letters exchanged.
func TestMistakes(t *testing.T) {
	for _, test := range []struct {
		term, word string
		want       int
	}{
		{"vector", "vector", 0}, {"bector", "vector", 1}, {"evctor", "vector", 1}, {"vectors", "vector", 1},
		{"vetor", "vector", 1}, {"itertaors", "iterators", 1}, {"klosurse", "closures", 2}, {"ключ", "клюв", 1},
		{"abcdef", "fedcba", 3},
	} {
		if got := min(mistakes(test.term, test.word, 2), 3); got != test.want {
			t.Errorf("%q for %q has %d typos, want %d", test.term, test.word, got, test.want)
		}
	}
}

// mistakes is how many typos there are between two words, or some number above most.
func mistakes(term, word string, most int) int {
	var table distances
	whole, _ := table.between([]rune(term), word, most)
	return whole
}
