package search_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// manyWords fills a space with pages whose words all begin alike and differ in little.
func (w *world) manyWords() id.Space {
	w.t.Helper()
	space := w.space()
	var words strings.Builder
	for a := range 26 {
		for b := range 26 {
			for c := range 10 {
				fmt.Fprintf(&words, "qu%c%c%dence ", 'a'+a, 'a'+b, c)
			}
		}
	}
	w.put(space,
		store.Put{Entry: page(id.New("page"), "", "a0", "All"), Body: []byte(words.String() + " q quark")},
		store.Put{Entry: page(id.New("page"), "", "a1", "Letter"), Body: []byte("The letter q alone, and a quark.")},
		store.Put{Entry: page(id.New("page"), "", "a2", "Other"), Body: []byte("A quark, 所有権とは.")})
	return space
}

// TestAWordStandsForBoundedlyManyOthers holds that neither a beginning nor a word with typos is searched for as
// thousands of words, that of those which fit the frequent ones are, and that a letter is that letter alone.
func TestAWordStandsForBoundedlyManyOthers(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.manyWords()
	w.find("quark", space)
	for _, test := range []struct {
		term  string
		typos bool
		most  int
	}{
		{"qu", false, 16}, {"qua", false, 48}, {"quaa", false, 48}, {"quaa0ence", true, 6},
	} {
		words, err := w.search.WordsFor(t.Context(), space, test.term, test.typos)
		if err != nil || words > test.most || words == 0 {
			t.Errorf("%q with typos %t stands for %d words (%v), want at most %d", test.term, test.typos, words, err,
				test.most)
		}
	}
	for text, want := range map[string][]string{
		"q": {"Letter", "All"}, "qu": {"Letter", "Other", "All"}, "quark": {"Letter", "Other", "All"},
		"quarl": {"Letter", "Other", "All"}, "所": {"Other"},
	} {
		found := map[string]bool{}
		for _, title := range titles(w.find(text, space)) {
			found[title] = true
		}
		expected := map[string]bool{}
		for _, title := range want {
			expected[title] = true
		}
		if diff := cmp.Diff(expected, found); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestAnswersAreKeptWhileTheContentIsTheSame holds that the same question costs nothing a second time, and that no
// answer outlives the content that it was about.
func TestAnswersAreKeptWhileTheContentIsTheSame(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.search = w.openWith(search.Deps{TurnWait: time.Millisecond})
	space := w.space()
	w.put(space, store.Put{Entry: page(id.New("page"), "", "a0", "One"), Body: []byte("Marmalade.")})
	before := w.find("marmalade", space)
	if len(before.Pages) != 1 {
		t.Fatalf("found %+v", before)
	}
	ask := func(text string) (search.Result, error) {
		return w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: text, Limit: 20})
	}
	free := w.search.Occupy()
	if again, err := ask("marmalade"); err != nil || cmp.Diff(before, again) != "" {
		t.Errorf("asked again: %+v, %v", again, err)
	}
	if _, err := ask("marmalades"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("another question while nobody has a turn: %v", err)
	}
	w.put(space, store.Put{Entry: page(id.New("page"), "", "a1", "Two"), Body: []byte("More marmalade.")})
	if old, err := ask("marmalade"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("after a change an old answer is given: %+v, %v", old, err)
	}
	free()
	if after := w.find("marmalade", space); len(after.Pages) != 2 {
		t.Errorf("after a change: %+v", after)
	}
}

// TestAQueryEndsInTime holds that a query is ended when its time is over, says so, and leaves its turn to the next.
func TestAQueryEndsInTime(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space := w.manyWords()
	w.find("quark", space)
	if err := w.search.Close(); err != nil {
		t.Fatal(err)
	}
	hasty := w.openWith(search.Deps{QueryTime: time.Nanosecond})
	for range 10 {
		_, err := hasty.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "qu", Limit: 20})
		if !errs.Is(err, errs.Unavailable) || !strings.Contains(err.Error(), "too long") {
			t.Fatalf("a query without time: %v", err)
		}
	}
}

// openWith opens a service with settings of its own over the same content.
func (w *world) openWith(deps search.Deps) *search.Service {
	w.t.Helper()
	return w.openHooked(deps, requiredtest.Fill(search.Hooks{}))
}

// openHooked opens a service with settings and hooks of its own over the same content.
func (w *world) openHooked(deps search.Deps, hooks search.Hooks) *search.Service {
	w.t.Helper()
	if err := w.search.Close(); err != nil {
		w.t.Fatal(err)
	}
	deps.Content, deps.Dir, deps.Log, deps.FirstBuildWait = w.content, w.dir, slog.New(slog.DiscardHandler),
		30*time.Second
	service, err := search.New(deps)
	if err != nil {
		w.t.Fatal(err)
	}
	service.SetHooks(hooks)
	w.t.Cleanup(func() {
		if err := service.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return service
}
