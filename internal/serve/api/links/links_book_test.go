package links_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestLinksOfTheBook holds the links of the real book against the report of its import, which package importer's tests
// hold against the book's source, read by other means.
func TestLinksOfTheBook(t *testing.T) {
	archive, err := os.ReadFile("../../../content/importer/testdata/rust-book.zip")
	if err != nil {
		t.Fatalf("the book is not there: %v", err)
	}
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Book")
	var result struct {
		Report struct {
			Broken struct {
				Total int
				Items []struct{ Place, Target string }
			}
		}
	}
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=rust-book.zip", archive, http.StatusCreated,
		&result)
	want := map[string]bool{}
	for _, note := range result.Report.Broken.Items {
		file, _, _ := strings.Cut(strings.TrimPrefix(note.Place, "src/"), ":")
		want[strings.TrimSuffix(file, ".md")+" "+fragment(note.Target)] = true
	}
	// A definition that no text uses: the import counts it, but nothing on the page links there.
	delete(want, "ch17-06-futures-tasks-threads #composing-streams")
	var broken linkList
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/links?status=broken&limit=1000", nil, 200, &broken)
	got := map[string]bool{}
	for _, item := range broken.Items {
		got[item.LocationReferences[0].Page.Slug+" "+fragment(item.Written)] = true
	}
	if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
		t.Errorf("broken links (-in the source +listed):\n%s", diff)
	}
	if len(want) == 0 || broken.Stats.Broken.Total != len(broken.Items) || broken.Stats.Total < 300 {
		t.Errorf("%d broken in the source, stats %+v, %d listed", len(want), broken.Stats, len(broken.Items))
	}
}

// fragment is what a destination names within its page, or the whole of one without: the page itself has an id here.
func fragment(destination string) string {
	if _, fragment, ok := strings.Cut(destination, "#"); ok {
		return "#" + fragment
	}
	return destination
}

func sorted(set map[string]bool) []string {
	var all []string
	for each := range set {
		all = append(all, each)
	}
	slices.Sort(all)
	return all
}
