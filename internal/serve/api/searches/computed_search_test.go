package searches_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestComputedPagesAreFound holds that a search knows what the specification of a computed page says now, wherever it
// is asked.
func TestComputedPagesAreFound(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", "    models: true\n"))
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, &site)

		type found struct{ ID, Title, Path string }
		inSpace := func(words string) []found {
			t.Helper()
			var list struct{ Items []found }
			s.Call(http.MethodGet, "/v1/spaces/"+space+"/search?query="+url.QueryEscape(words), nil, http.StatusOK,
				&list)
			return list.Items
		}
		paths := func(words string) string {
			t.Helper()
			var paths, elsewhere []string
			for _, each := range inSpace(words) {
				paths = append(paths, each.Path)
			}
			var all struct{ Items []struct{ Pages []found } }
			s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/search?query="+url.QueryEscape(words), nil,
				http.StatusOK, &all)
			for _, group := range all.Items {
				for _, each := range group.Pages {
					elsewhere = append(elsewhere, each.Path)
				}
			}
			if got, want := strings.Join(elsewhere, " "), strings.Join(paths, " "); got != want {
				t.Errorf("%q in the organization: %q, in the space: %q", words, got, want)
			}
			answer := s.Raw(http.MethodGet, site.URLs.Published+"~/search?q="+url.QueryEscape(words), "", nil)
			for _, path := range paths {
				if !strings.Contains(string(answer.Body), path) {
					t.Errorf("%q on the site: %s", words, answer.Body)
				}
			}
			return strings.Join(paths, " ")
		}

		if got := paths("What it is called"); got != "" {
			t.Errorf("before there is a specification: %q", got)
		}
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		operations := paths("How many")
		if operations == "" || !strings.Contains(operations, "reference") {
			t.Errorf("a parameter is not found: %q", operations)
		}
		if got := paths("What it is called"); !strings.Contains(got, "models") {
			t.Errorf("a model is not found: %q", got)
		}
		hit := inSpace("How many")[0]
		var page apptest.PageNode
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/page/"+hit.ID, nil, http.StatusOK, &page)
		if page.Title != hit.Title || page.Path != hit.Path {
			t.Errorf("found %+v, which is %+v", hit, page)
		}

		// A change of the specification is a change of what is found.
		s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "How many.", "Upper bound of animals."), http.StatusOK)
		if got := paths("How many"); got != "" {
			t.Errorf("what is gone is found at %q", got)
		}
		if got := paths("Upper bound of animals"); got != operations {
			t.Errorf("what is new is found at %q", got)
		}

		// So is one of the space.
		var tree struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages?computed=false", nil, http.StatusOK, &tree)
		computed := ""
		for _, group := range tree.Pages {
			for _, each := range append(group.Pages, group) {
				if each.Type == "computed" {
					computed = each.ID
				}
			}
		}
		change := func(body string) {
			t.Helper()
			s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", body, http.StatusOK, nil)
		}
		change(`{"changes":[{"operation":"insert_page","title":"Another"}]}`)
		if got := paths("Upper bound of animals"); got != operations {
			t.Errorf("after another page: %q", got)
		}
		change(`{"changes":[{"operation":"update_page","page":"` + computed + `","title":"Endpoints"}]}`)
		if got := paths("Endpoints"); got == "" {
			t.Error("the new title is not found")
		}
		change(`{"changes":[{"operation":"delete_page","page":"` + computed + `"}]}`)
		if got := paths("Upper bound of animals") + paths("Endpoints"); got != "" {
			t.Errorf("after the computed page was deleted: %q", got)
		}
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/openapi/pets", nil, http.StatusResetContent, nil)
		if got := paths("Another"); got != "another" {
			t.Errorf("other pages: %q", got)
		}
	})
}
