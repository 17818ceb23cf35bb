package contents_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestDeletedSpacesAreListed holds that who may restore a deleted space finds it, page by page, and nobody else.
func TestDeletedSpacesAreListed(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		creator, reader := s.Member(org.RoleCreate, "creator@example.org"), s.Member(org.RoleRead, "reader@example.org")
		invited, guest := s.Person(org.RoleGuest, "guest@example.org")
		trash := "/v1/orgs/" + s.Organization + "/trash"
		s.Space("Kept")
		var ids []string
		for i := range 5 {
			var made apptest.Identified
			s.CallAs(creator, http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", fmt.Sprintf(`{"title":"Gone %d"}`,
				i), http.StatusCreated, &made)
			id := made.ID
			ids = append(ids, id)
			if i == 0 {
				s.Call(http.MethodPatch, "/v1/spaces/"+id, `{"defaultLevel":null}`, http.StatusOK, nil)
				s.Call(http.MethodPost, "/v1/spaces/"+id+"/permissions", `{"users":["`+guest+`"],"role":"admin"}`,
					http.StatusNoContent, nil)
			}
			s.Call(http.MethodDelete, "/v1/spaces/"+id, nil, http.StatusNoContent, nil)
		}
		list := func(token string) (titles []string) {
			t.Helper()
			next := ""
			for {
				var page struct {
					Count int
					Items []struct{ Title, DeletedAt string }
					Next  *struct{ Page string }
				}
				s.CallAs(token, http.MethodGet, trash+"?limit=2&page="+url.QueryEscape(next), nil, http.StatusOK, &page)
				for _, item := range page.Items {
					if item.DeletedAt == "" {
						t.Errorf("%s is not deleted", item.Title)
					}
					titles = append(titles, item.Title)
				}
				if page.Next == nil {
					if page.Count != len(titles) {
						t.Errorf("%d are counted, %d listed", page.Count, len(titles))
					}
					return titles
				}
				next = page.Next.Page
			}
		}
		all := []string{"Gone 4", "Gone 3", "Gone 2", "Gone 1", "Gone 0"}
		if diff := cmp.Diff(all, list(s.Token)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(all[:4], list(creator)); diff != "" {
			t.Error(diff)
		}
		if got := list(reader); got != nil {
			t.Errorf("a reader sees %v", got)
		}
		if diff := cmp.Diff(all[4:], list(invited)); diff != "" {
			t.Error(diff)
		}
		s.Call(http.MethodPost, "/v1/spaces/"+ids[2]+"/restore", nil, http.StatusOK, nil)
		if diff := cmp.Diff([]string{"Gone 4", "Gone 3", "Gone 1"}, list(creator)); diff != "" {
			t.Error(diff)
		}
		s.Call(http.MethodGet, trash+"?page=x", nil, http.StatusBadRequest, nil)
	})
}
