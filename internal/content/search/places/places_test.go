package places_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/blevesearch/bleve/v2/analysis"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/content/search/places"
)

func cases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 2000, 1)
}

// tokens are made-up tokens: words, what else stands for one, parts of one, names of several, new sections, long
// words, pairs of characters and texts that begin again.
func tokens(random *rand.Rand) analysis.TokenStream {
	vocabulary := []int{3, 40, 2000, 100_000}[random.IntN(4)]
	term := func() []byte { return fmt.Appendf(nil, "w%d", random.IntN(vocabulary)) }
	var stream analysis.TokenStream
	place, end := 0, 0
	add := func(place, start, end int) {
		stream = append(stream, &analysis.Token{Term: term(), Position: place, Start: start, End: end})
	}
	for range random.IntN(120) {
		start := max(0, end+[]int{1, 1, 1, 2, 3, 0, -3, 300}[random.IntN(8)])
		length := []int{1, 5, 14, 15, 16, 64, 300}[random.IntN(7)]
		place += []int{1, 1, 1, 1, 0, 1 << 16}[random.IntN(6)]
		add(place, start, start+length)
		for range random.IntN(6) {
			add(place, start, start+length)
		}
		if random.IntN(4) == 0 {
			add(place, start+1, start+length)
		}
		if random.IntN(8) == 0 && place > 3 {
			add(place-random.IntN(3), max(0, start-7), start+length)
		}
		end = start + length
	}
	return stream
}

// TestWhatIsWrittenIsFound holds that of any text any of its terms are found where they are, and nowhere else.
func TestWhatIsWrittenIsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	var wanted places.Wanted
	for range max(2000, cases(t)/5) {
		stream := tokens(random)
		encoded := places.Encode(stream)
		wanted.Reset()
		asked := map[string]int{}
		var terms []string
		for _, token := range stream {
			term := string(token.Term)
			if _, known := asked[term]; !known && random.IntN(3) == 0 {
				asked[term] = len(terms)
				terms = append(terms, term)
				wanted.Add(places.HashOf(term), asked[term])
			}
		}
		var expected, found []string
		for _, token := range stream {
			if _, ok := asked[string(token.Term)]; ok {
				expected = append(expected, fmt.Sprint(string(token.Term), token.Position, token.Start, token.End))
			}
		}
		if err := wanted.Find(encoded, func(number int, at places.Place) {
			found = append(found, fmt.Sprint(terms[number], at.Place, at.Start, at.End))
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(found, expected) {
			t.Fatalf("of %d tokens were found\n%q, want\n%q", len(stream), found, expected)
		}
	}
}

// TestSharedHashes holds that terms whose short hashes are alike are told from each other.
func TestSharedHashes(t *testing.T) {
	alike := map[uint16][]string{}
	var two []string
	for i := 0; two == nil; i++ {
		term := strconv.Itoa(i)
		short := uint16(places.HashOf(term))
		if alike[short] = append(alike[short], term); len(alike[short]) == 2 {
			two = alike[short]
		}
	}
	var stream analysis.TokenStream
	for i, term := range []string{two[0], two[1], "other", two[1]} {
		stream = append(stream, &analysis.Token{Term: []byte(term), Position: i + 1, Start: 4 * i, End: 4*i + 3})
	}
	var wanted places.Wanted
	wanted.Add(places.HashOf(two[1]), 0)
	var found []int
	if err := wanted.Find(places.Encode(stream), func(_ int, at places.Place) {
		found = append(found, at.Place)
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, []int{2, 4}) {
		t.Errorf("%q was found at %v, want 2 and 4 alone", two[1], found)
	}
}

// TestCutShort holds that what is cut short is an error or reads as the shorter text that it is, and never more.
func TestCutShort(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	failed := 0
	for range min(cases(t), 5000) {
		stream := tokens(random)
		encoded := places.Encode(stream)
		if len(encoded) == 0 {
			continue
		}
		var wanted places.Wanted
		for _, token := range stream {
			wanted.Add(places.HashOf(token.Term), 0)
		}
		if err := wanted.Find(encoded[:random.IntN(len(encoded))], func(int, places.Place) {}); err != nil {
			failed++
		}
	}
	if failed == 0 {
		t.Error("nothing that was cut short is an error")
	}
}
