package search_test

import (
	"slices"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestSynonyms holds that words of a group find each other, alone and several together, behind the word itself, and
// that groups of one query say nothing to another.
func TestSynonyms(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.space()
	texts := [][2]string{{"Kubernetes", "Run it in a cluster of machines."},
		{"Abbreviations", "People write k8s for it."}, {"Login", "Enter your password."}, {"Tides", "They rise."}}
	positions := entity.Positions(len(texts))
	var puts []store.Put
	for i, each := range texts {
		puts = append(puts, store.Put{Entry: page(id.New("page"), "", positions[i], each[0]), Body: []byte(each[1])})
	}
	w.put(space, puts...)
	groups := []string{"k8s, kubernetes ,", "sign in, log in, login", ",,", "tides, Gezeiten, 潮汐"}
	find := func(text string, synonyms []string) (titles []string) {
		t.Helper()
		found, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: text, Limit: 10,
			Synonyms: synonyms})
		if err != nil {
			t.Fatal(err)
		}
		if found.Closest || found.Suggestion != "" {
			t.Errorf("%q is answered with closest %t, suggestion %q", text, found.Closest, found.Suggestion)
		}
		for _, page := range found.Pages {
			titles = append(titles, page.Title)
		}
		return titles
	}
	for _, each := range []struct {
		text     string
		synonyms []string
		want     []string
	}{
		{"kubernetes", nil, []string{"Kubernetes"}},
		{"kubernetes", groups, []string{"Kubernetes", "Abbreviations"}},
		{"K8S cluster", groups, []string{"Kubernetes", "Abbreviations"}},
		{"sign in", groups, []string{"Login"}},
		{"gezeiten", groups, []string{"Tides"}},
		{"潮汐", groups, []string{"Tides"}},
	} {
		if got := find(each.text, each.synonyms); !slices.Equal(got, each.want) {
			t.Errorf("%q with %q finds %q, want %q", each.text, each.synonyms, got, each.want)
		}
	}
}
