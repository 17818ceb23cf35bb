package search

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestReadings holds that the text which is searched is what a page says elsewhere.
func TestReadings(t *testing.T) {
	d := dbtest.SQLite(t)
	contents := storetest.NewService(t, d, store.Deps{})
	storetest.NewSpace(t.Context(), t, contents, d, "space_own")
	storetest.ReadPages(t.Context(), t, contents, "space_own")
	view, err := contents.Head(t.Context(), "space_own")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := page.Open(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	storetest.CheckReadings(t, false, func(page string) (string, error) {
		e, err := view.Entry(t.Context(), page)
		if err != nil {
			return "", err
		}
		text, err := pageText(t.Context(), pages, e, entity.Flags{})
		// What it is called comes first, then each section behind its heading.
		_, below, _ := strings.Cut(text.Text, string(terms.HeadingSign))
		return strings.NewReplacer(string(terms.SectionSign), " ", string(terms.HeadingSign), " ").Replace(below), err
	})
}
