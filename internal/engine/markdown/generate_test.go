package markdown

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc/doctest"
)

// TestLawsRandom holds the laws for random bodies.
func TestLawsRandom(t *testing.T) {
	from, count := caseRange(3000)
	for seed := from; seed < from+count; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 20))
		body := doctest.RandomBody(r)
		if failure := lawFailure([]byte(body)); failure != "" {
			small := shrink(body, func(s string) bool { return lawFailure([]byte(s)) != "" })
			t.Fatalf("seed %d: %q\n%s", seed, small, lawFailure([]byte(small)))
		}
	}
}

// shrink removes parts of a text as long as it goes on failing.
func shrink(s string, fails func(string) bool) string {
	for size := len(s) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(s); {
			if candidate := s[:at] + s[at+size:]; fails(candidate) {
				s = candidate
				continue
			}
			at++
		}
	}
	return s
}

// caseRange returns the seeds of a random test. RECTO_MARKDOWN_FROM and RECTO_MARKDOWN_CASES ask for others.
func caseRange(cases int) (from, count int) {
	count = cases
	if n, err := strconv.Atoi(os.Getenv("RECTO_MARKDOWN_CASES")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("RECTO_MARKDOWN_FROM")); err == nil {
		from = n
	}
	return from, count
}
