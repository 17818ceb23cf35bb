package comments_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestComputedPagesTakeComments holds that the pages of a specification are commented on like others, and that comments
// find their blocks in the next version.
func TestComputedPagesTakeComments(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.ComputedBook(t, "  title: Reference\n", "    models: true\n"))
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		at := "/v1/spaces/" + space
		var tree struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, at+"/content/pages", nil, http.StatusOK, &tree)
		pets := tree.Pages[1].Pages[0].Pages[0]
		var page struct {
			Document struct {
				Nodes []struct{ Type, Key string }
			}
		}
		s.Call(http.MethodGet, at+"/content/page/"+pets.ID+"?format=document", nil, http.StatusOK, &page)
		node := page.Document.Nodes[0].Key
		s.Call(http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
		for _, scope := range []string{at, at + "/change-requests/1"} {
			var comment struct {
				ID     string
				Target struct {
					Page struct {
						ID, Path, Title string
						Outdated        bool
					}
					Node struct{ ID, Preview string }
				}
			}
			s.Call(http.MethodPost, scope+"/comments", `{"page":"`+pets.ID+`","body":{"markdown":"On the page."}}`,
				http.StatusOK, &comment)
			if comment.Target.Page.ID != pets.ID || comment.Target.Page.Path != pets.Path ||
				comment.Target.Page.Title != "pets" || comment.Target.Page.Outdated {
				t.Errorf("%+v", comment)
			}
			s.Call(http.MethodPost, scope+"/comments", `{"page":"`+pets.ID+`","node":"`+node+
				`","body":{"markdown":"On a block."}}`, http.StatusOK, &comment)
			if comment.Target.Node.ID != node || comment.Target.Node.Preview != "All about pets." {
				t.Errorf("%+v", comment)
			}
			s.Call(http.MethodPost, scope+"/comments", `{"page":"page_0","body":{"markdown":"Nowhere."}}`,
				http.StatusNotFound, nil)
			s.Call(http.MethodPost, scope+"/comments",
				`{"page":"`+pets.ID+`","node":"nzz","body":{"markdown":"Nowhere."}}`, http.StatusNotFound, nil)
			one := scope + "/comments/" + comment.ID
			s.PutSpec("pets", strings.Replace(apptest.PetsSpec, "All about pets.", "'All about pets.'", 1),
				http.StatusOK)
			s.Call(http.MethodGet, one, nil, http.StatusOK, &comment)
			if comment.Target.Page.Outdated {
				t.Errorf("outdated though the text is there: %+v", comment)
			}
			s.PutSpec("pets", strings.Replace(apptest.PetsSpec, "All about pets.", "Something else.", 1), http.StatusOK)
			s.Call(http.MethodGet, one, nil, http.StatusOK, &comment)
			if !comment.Target.Page.Outdated {
				t.Errorf("not outdated though the text is gone: %+v", comment)
			}
			s.PutSpec("pets", apptest.PetsSpec, http.StatusOK)
		}
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/openapi/pets", nil, http.StatusResetContent, nil)
		var list struct {
			Count int
			Items []struct {
				Target struct{ Page struct{ Outdated bool } }
			}
		}
		s.Call(http.MethodGet, at+"/comments", nil, http.StatusOK, &list)
		if list.Count != 2 || !list.Items[0].Target.Page.Outdated {
			t.Errorf("without the specification: %+v", list)
		}
	})
}
