package prints_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestComputedPagesArePrinted holds that PDFs have the pages of a specification as it is when they are ordered.
func TestComputedPagesArePrinted(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", "    models: true\n"))
		address := func() string { return strings.Split(s.Order("/v1/spaces/"+space+"/pdf"), "?")[0] }
		before, without := address(), apptest.Sheets(s.FetchPDF(s.Order("/v1/spaces/"+space+"/pdf")))
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		after := address()
		with := apptest.Sheets(s.FetchPDF(s.Order("/v1/spaces/" + space + "/pdf")))
		if after == before || with < without+3 {
			t.Errorf("%d pages without, %d with the specification", without, with)
		}
		if again := address(); again != after {
			t.Errorf("the same PDF is made twice: %s and %s", after, again)
		}
		s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "List pets", "List all pets"), http.StatusOK)
		if changed := address(); changed == after {
			t.Error("a change of the specification makes no new PDF")
		}
		// One of the pages that were made, by its id.
		var list struct{ Items []struct{ ID string } }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/search?query=List+all+pets", nil, http.StatusOK, &list)
		if len(list.Items) == 0 {
			t.Fatal("nothing was found")
		}
		if got := apptest.Sheets(s.FetchPDF(s.Order("/v1/spaces/" + space + "/pdf?only=true&page=" +
			list.Items[0].ID))); got < 2 {
			t.Errorf("a page alone has %d pages", got)
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/pdf?page=page_none", nil, http.StatusNotFound, nil)
	})
}
