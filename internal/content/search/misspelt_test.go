package search_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestMisspeltWords holds what words with typos are taken for, and what comes first by it.
func TestMisspeltWords(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	texts := []string{
		"Genetic query optimizer", "It tries plans at random." + filler,
		"Difftool", "Shows changes side by side." + filler,
		"Packed refs", "Refs in one file." + filler,
		"Performance tuning", "Measure first." + filler,
		"Hook functions", "A plugin is asked by them." + filler,
		"Shipping", "Put it in a tun, or a barrel." + filler,
		"Guides", "## Planned checks\n\nSoon." + filler,
	}
	for i := range 24 {
		texts = append(texts, "Page "+string(rune('A'+i)),
			"A generic text, with a query here and an optimizer there. It is running hot, and it is planted."+filler)
	}
	space := w.book(texts...)
	for _, test := range []struct{ rule, query, first, suggestion string }{
		{"a word that stands with another in a title is meant", "geneirc query optimizer", "Genetic query optimizer",
			"genetic query optimizer"},
		{"alone the frequent one is", "geneirc", "Page A", "generic"},
		{"two letters of six, when no word is nearer", "dftool", "Difftool", "difftool"},
		{"none that is two letters off when one is nearer", "pakced", "Packed refs", "packed"},
		{"one misspelt word tells of the other", "perfomance tunning", "Performance tuning", "performance tuning"},
		{"a last word whose stem is another word", "performance tunning", "Performance tuning", "performance tuning"},
		{"a short word beside another", "hok functions", "Hook functions", "hook functions"},
		{"a short word alone is no other", "hok", "", ""},
		{"its letters exchanged are", "tnu", "Shipping", "tun"},
		{"a word that stands with another in headings is meant", "checks planed", "Guides", "checks planned"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			found := w.find(test.query, space)
			first := ""
			if len(found.Pages) > 0 {
				first = found.Pages[0].Title
			}
			if strings.HasPrefix(first, "Page ") {
				first = "Page A"
			}
			if first != test.first || found.Suggestion != test.suggestion {
				t.Errorf("%q finds %q first and suggests %q", test.query, titles(found), found.Suggestion)
			}
		})
	}
}

// TestHiddenPagesCorrectNothing holds that what a visitor may have meant does not tell which words stand together on
// pages that they may not see.
func TestHiddenPagesCorrectNothing(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	hidden := page(id.New("page"), "", "a0", "Genetic query optimizer")
	hidden.Flags.Hidden = true
	puts := []store.Put{{Entry: hidden, Body: []byte("Genetic.")},
		{Entry: page(id.New("page"), "", "a1", "Genetic"), Body: []byte("It is genetic.")}}
	for _, position := range entity.Positions(24) {
		puts = append(puts, store.Put{Entry: page(id.New("page"), "", position, "Page"),
			Body: []byte("A generic query, with an optimizer.")})
	}
	w.put(space, puts...)
	for published, suggestion := range map[bool]string{true: "generic query optimizer",
		false: "genetic query optimizer"} {
		found, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space},
			Text: "geneirc query optimizer", Published: published, Limit: 8})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(suggestion, found.Suggestion); diff != "" {
			t.Errorf("published %t (-want +got): %s", published, diff)
		}
	}
}
