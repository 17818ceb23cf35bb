package print

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestLinks holds that links of a PDF lead where those of sites do.
func TestLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		contents := storetest.NewService(t, d, store.Deps{})
		storetest.NewSpace(t.Context(), t, contents, d, "space_own")
		storetest.LinkedPages(t.Context(), t, contents, "space_own")
		view, err := contents.Head(t.Context(), "space_own")
		if err != nil {
			t.Fatal(err)
		}
		s := requiredtest.Wire(&Service{deps: Deps{Content: contents, BaseURL: "https://docs.example"}}, Uncomputed())
		from, err := s.open(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range storetest.Links {
			want := link.Want
			if link.PDF != "" {
				want = "https://docs.example" + link.PDF
			}
			got := from.Resolve(t.Context(), link.From, doc.URL(link.Written))
			leads := got.URL
			if got.Page != "" {
				leads = "/pages/" + got.Page
				if got.Anchor != "" {
					leads += "#" + got.Anchor
				}
			} else if file := from.file(t.Context(), link.From, doc.URL(link.Written)); file != nil &&
				got.Title == file.Name {
				leads = "/files/" + file.ID
			}
			if leads != strings.TrimSpace(want) {
				t.Errorf("%q on %s leads to %q, want %q", link.Written, link.From, leads, want)
			}
		}
	})
}
