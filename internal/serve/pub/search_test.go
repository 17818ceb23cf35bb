package pub

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestResultsThatAreNotCompleteSaySo holds that neither the dialog nor the page of results says that nothing was found
// while pages are still being read, and that the page asks again by itself.
func TestResultsThatAreNotCompleteSaySo(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	var puts []store.Put
	for i := range 200 {
		puts = append(puts, document(fmt.Sprintf("pear-%d", i), fmt.Sprintf("Pear %d", i), "A pear."))
	}
	f.put(puts...)
	f.customize(`{"internationalization":{"locale":"de"}}`)
	// A service of its own for each answer, so that both come while the first build runs.
	hasty := func() {
		t.Helper()
		found, err := search.New(search.Deps{Content: f.content, Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler),
			FirstBuildWait: time.Nanosecond})
		if err != nil {
			t.Fatal(err)
		}
		found.SetHooks(requiredtest.Fill(search.Hooks{}))
		t.Cleanup(func() {
			if err := found.Close(); err != nil {
				t.Error(err)
			}
		})
		f.restart(func(deps *Deps) { deps.Search = found })
	}
	hasty()
	var answer struct {
		Incomplete bool
		Note       string
	}
	if err := json.Unmarshal(f.get("~/search?q=pear").Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if !answer.Incomplete || !strings.HasPrefix(answer.Note, "Die Seiten werden noch gelesen") {
		t.Errorf("the dialog gets %+v", answer)
	}
	hasty()
	page := parse(t, f.get("~/search?q=pear", "Accept", "text/html"))
	if said := page.Find("main [role=status]").Text(); !strings.HasPrefix(said, "Die Seiten werden noch gelesen") {
		t.Errorf("the page says %q", said)
	}
	if seconds, _ := page.Find("meta[http-equiv=refresh]").Attr("content"); seconds != "2" {
		t.Errorf("the page asks again after %q seconds", seconds)
	}
}

// TestNearMissesAndPopularPages holds what a reader is told when no page has all words, what is suggested for a word
// that is nowhere, and what is shown before there is a word: never what they may not see.
func TestNearMissesAndPopularPages(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	secret := document("secret", "Kraken", "A kraken below the harbour.")
	secret.Entry.Hidden = true
	f.put(document("harbour", "Harbour", "Ships wait in the harbour for a pilot."),
		document("tides", "Tides", "The tide rises and falls."), document("piers", "Piers", "A pier."), secret)
	type answer struct {
		Total   int
		Closest bool
		Meant   string
		Items   []struct {
			Title []string
			URL   string
		}
	}
	ask := func(text string) (found answer) {
		t.Helper()
		if err := json.Unmarshal(f.get("~/search?q="+url.QueryEscape(text)).Body.Bytes(), &found); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := ask("harbour zeppelins"); !found.Closest || found.Meant != "" || len(found.Items) != 1 {
		t.Errorf("a word that is nowhere: %+v", found)
	}
	if found := ask("harbuor pilot"); found.Closest || found.Meant != "harbour pilot" || len(found.Items) != 1 {
		t.Errorf("a misspelt word: %+v", found)
	}
	if found := ask("krakne"); found.Meant != "" || len(found.Items) != 0 {
		t.Errorf("a word of a hidden page: %+v", found)
	}
	page := parse(t, f.get("~/search?q=harbuor+pilot", "Accept", "text/html"))
	if to, _ := page.Find("main p a").Attr("href"); !strings.HasSuffix(to, "~/search?q=harbour+pilot") {
		t.Errorf("the page of results suggests %q", to)
	}
	page = parse(t, f.get("~/search?q=harbour+zeppelins", "Accept", "text/html"))
	if said := page.Find("main [role=status]").Text(); !strings.HasPrefix(said, "Closest matches") {
		t.Errorf("the page of results says %q", said)
	}

	for range 3 {
		f.get("piers")
	}
	f.get("tides")
	f.get("secret")
	popular := ask("")
	var shown []string
	for _, item := range popular.Items {
		shown = append(shown, strings.Join(item.Title, ""))
	}
	if len(shown) < 3 || shown[0] != "Piers" || shown[1] != "Tides" || slices.Contains(shown, "Kraken") {
		t.Errorf("popular are %q", shown)
	}
	if page := parse(t, f.get("~/search?q=", "Accept", "text/html")); page.Find(".listing > div").Length() != 0 {
		t.Error("the page of results shows popular pages as results of nothing")
	}
}
