package judge_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/content/search/judge"
)

// TestQueries holds that each set of queries is read, that none stands in two, and that those of later ones are never
// tuned with.
func TestQueries(t *testing.T) {
	queries, err := judge.Queries()
	if err != nil {
		t.Fatal(err)
	}
	counts, known := make([]int, len(judge.Later)+1), map[string]bool{}
	for _, q := range queries {
		name := q.Corpus + ": " + q.Text
		if known[name] {
			t.Errorf("%s stands twice", name)
		}
		known[name] = true
		if len(q.Pages) == 0 {
			t.Errorf("%s has no page", name)
		}
		counts[q.Later]++
		if q.Later > 0 && !q.Held {
			t.Errorf("%s is tuned with", name)
		}
	}
	for i, count := range counts {
		if count < 60 {
			t.Errorf("set %d has %d queries", i, count)
		}
	}
}
