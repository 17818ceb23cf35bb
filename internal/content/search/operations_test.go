package search_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func operation(method, path, about string) string {
	return fmt.Sprintf("{%% openapi-operation spec=\"pets\" path=%q method=%q %%}\nThe API\n"+
		"{%% endopenapi-operation %%}\n\n%s", path, method, about+filler)
}

// TestOperationsByTheirAddress holds that the page with the operation that a path and method name comes first, however
// often others say their words.
func TestOperationsByTheirAddress(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		space := w.book(
			"Create a pet", operation("post", "/pets", "Adds one."),
			"List pets", operation("get", "/pets", "Lists them."),
			"Read a pet", operation("get", "/pets/{id}", "Reads one."),
			"Remove a pet", operation("delete", "/pets/{id}", "Removes one."),
			"Photos of a pet", operation("get", "/pets/{id}/photos", "Lists the photos."),
			"Post, pets and posts of pets", "A post about pets. POST /pets posts pets: post, pets. Get, delete."+filler,
			"Deleting pets", "Delete pets by their id with DELETE. Get pets by id. Photos of pets are deleted."+filler,
			"Both", operation("put", "/owners", "One.")+"\n\n"+operation("get", "/owners/{name}", "Another."),
		)
		for query, want := range map[string][]string{
			"POST /pets": {"Create a pet"}, "post pets/": {"Create a pet"}, "GET /pets": {"List pets"},
			"/pets/{id}": {"Read a pet", "Remove a pet"}, "DELETE /pets/{id}": {"Remove a pet"},
			"DELETE /pets/:pet": {"Remove a pet"}, "delete /pets/42": {"Remove a pet"},
			"/pets/42/photos": {"Photos of a pet"}, "/v2/pets/42/photos?size=1": {"Photos of a pet"},
			"https://example.com/v2/pets/rex/photos": {"Photos of a pet"}, "GET /pets/{id}/pho": {"Photos of a pet"},
			"PUT /owners": {"Both"}, "/owners/ada": {"Both"},
		} {
			found := w.find(query, space)
			got := titles(found)
			if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
				t.Errorf("%q (-want +got): %s\nfound %v", query, diff, got)
			}
			if found.Closest {
				t.Errorf("%q is said to be found nearly", query)
			}
			for _, hit := range found.Pages {
				if hit.Score > 500 {
					t.Errorf("%q: the score of %s is %v", query, hit.Title, hit.Score)
				}
			}
		}
		// No address of an operation: the words decide.
		for _, query := range []string{"post pets posts", "/", "GET", "GET /", "{}", "//", "/{}/{}", "a/b/" +
			strings.Repeat("{}/", 300), "/pets/{id", "GET https://", ":/:"} {
			if got := titles(w.find(query, space)); len(got) > 0 && query == "post pets posts" &&
				got[0] != "Post, pets and posts of pets" {
				t.Errorf("%q finds %v first", query, got[0])
			}
		}
	})
}

// TestHiddenOperationsAreNotFound holds that nobody learns of an operation on a page that they may not see.
func TestHiddenOperationsAreNotFound(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	space, positions := w.space(), entity.Positions(2)
	hidden := page(id.New("page"), "", positions[0], "Hidden")
	hidden.Hidden = true
	w.put(space,
		store.Put{Entry: hidden, Body: []byte(operation("post", "/secret/things", "Hidden."))},
		store.Put{Entry: page(id.New("page"), "", positions[1], "Shown"),
			Body: []byte(operation("post", "/things", "Shown."))})
	found, err := w.search.Search(t.Context(), search.Query{Spaces: []id.Space{space}, Text: "POST /secret/things",
		Limit: 10, Published: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Shown"}, titles(found)); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}
