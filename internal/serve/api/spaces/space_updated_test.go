package spaces_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestSpacesMoveWithTheirContent holds that updatedAt of a space moves with whatever changes its main content, in lists
// too, and with nothing else.
func TestSpacesMoveWithTheirContent(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		at := "/v1/spaces/" + space
		updated := func() time.Time {
			t.Helper()
			type dated struct {
				ID        string
				UpdatedAt time.Time
			}
			var one dated
			s.Call(http.MethodGet, at, nil, http.StatusOK, &one)
			var list struct{ Items []dated }
			s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/spaces", nil, http.StatusOK, &list)
			for _, each := range list.Items {
				if each.ID == space && !each.UpdatedAt.Equal(one.UpdatedAt) {
					t.Errorf("the list says %s, the space %s", each.UpdatedAt, one.UpdatedAt)
				}
			}
			return one.UpdatedAt
		}
		var revisions struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, at+"/revisions", nil, http.StatusOK, &revisions)
		first := revisions.Items[0].ID
		request := at + "/change-requests"
		insert := `{"changes":[{"operation":"insert_page","title":"Page"}]}`
		for _, step := range []struct {
			name, method, path, body string
			status                   int
			moves                    bool
		}{
			{"change", http.MethodPost, at + "/content", insert, 200, true},
			{"change request", http.MethodPost, request, `{"subject":"More"}`, 201, false},
			{"change in it", http.MethodPost, request + "/1/content", insert, 200, false},
			{"comment", http.MethodPost, at + "/comments", `{"body":{"markdown":"Hm."}}`, 200, false},
			{"merge", http.MethodPost, request + "/1/merge", "", 200, true},
			{"rollback", http.MethodPost, at + "/revisions/" + first + "/rollback", "", 200, true},
			{"title", http.MethodPatch, at, `{"title":"Guides"}`, 200, true},
		} {
			before := updated()
			time.Sleep(5 * time.Millisecond)
			var body any
			if step.body != "" {
				body = step.body
			}
			s.Call(step.method, step.path, body, step.status, nil)
			if after := updated(); after.After(before) != step.moves {
				t.Errorf("%s: from %s to %s", step.name, before, after)
			}
		}
		before := updated()
		time.Sleep(5 * time.Millisecond)
		s.Upload(space, "page.md", []byte("# Imported\n\nText.\n"))
		if after := updated(); !after.After(before) {
			t.Errorf("an import: from %s to %s", before, after)
		}
	})
}
