package judge_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/content/search/judge"
)

// TestQueries holds that each set of queries is read, that none stands in two, and that those of the last one are never
// tuned with.
func TestQueries(t *testing.T) {
	queries, err := judge.Queries()
	if err != nil {
		t.Fatal(err)
	}
	last, known := 0, map[string]bool{}
	for _, q := range queries {
		name := q.Corpus + ": " + q.Text
		if known[name] {
			t.Errorf("%s stands twice", name)
		}
		known[name] = true
		if len(q.Pages) == 0 {
			t.Errorf("%s has no page", name)
		}
		if q.Later > len(judge.Later) {
			last++
			if !q.Held {
				t.Errorf("%s is tuned with", name)
			}
		}
	}
	if last < 60 || len(queries) < 600 {
		t.Errorf("%d queries, %d of them in the last set", len(queries), last)
	}
}
