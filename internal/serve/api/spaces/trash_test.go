package spaces_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestDeletedForGood holds that who may restore a space may delete it for good, and nobody else; that it has to be in
// the trash of the organization that is named; that the trash says who deleted it, and the log who did so for good,
// without its title.
func TestDeletedForGood(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		creator, creatorID := s.Person(org.RoleCreate, "creator@example.org")
		other, _ := s.Person(org.RoleCreate, "other@example.org")
		reviewer, _ := s.Person(org.RoleReview, "reviewer@example.org")
		guest, _ := s.Person(org.RoleGuest, "guest@example.org")
		elsewhere, stranger := s.Elsewhere()
		var made struct{ ID string }
		s.CallAs(creator, http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", `{"title":"Secret plans"}`,
			http.StatusCreated, &made)
		trash := "/v1/orgs/" + s.Organization + "/trash"
		at := trash + "/" + made.ID
		s.Refused(http.MethodDelete, at, nil, http.StatusConflict, "not in the trash")
		s.CallAs(creator, http.MethodDelete, "/v1/spaces/"+made.ID, nil, http.StatusNoContent, nil)

		var list struct {
			Items []struct {
				ID        string
				DeletedBy struct{ ID string }
			}
		}
		s.Call(http.MethodGet, trash, nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].DeletedBy.ID != creatorID {
			t.Errorf("the trash: %+v", list)
		}
		for name, token := range map[string]string{"another creator": other, "a reviewer": reviewer, "a guest": guest,
			"a stranger": stranger} {
			if got := s.Raw(http.MethodDelete, at, token, nil); got.Status != http.StatusNotFound {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		// The organization in the address is no way around the rights.
		wrong := "/v1/orgs/" + elsewhere + "/trash/" + made.ID
		for name, token := range map[string]string{"its maker": creator, "a stranger": stranger} {
			if got := s.Raw(http.MethodDelete, wrong, token, nil); got.Status != http.StatusNotFound {
				t.Errorf("elsewhere, %s: %d %s", name, got.Status, got.Body)
			}
		}
		s.Refused(http.MethodDelete, trash+"/space_nothing", nil, http.StatusNotFound, "no such space")
		s.CallAs(creator, http.MethodDelete, at, nil, http.StatusNoContent, nil)
		s.Refused(http.MethodPost, "/v1/spaces/"+made.ID+"/restore", nil, http.StatusNotFound, "no such space")
		s.Refused(http.MethodDelete, at, nil, http.StatusNotFound, "no such space")

		var log struct {
			Items []struct {
				Actor  struct{ ID string }
				Target struct{ ID, Title string }
			}
		}
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/audit?action=space.purge", nil, http.StatusOK, &log)
		if len(log.Items) != 1 {
			t.Fatalf("the log: %+v", log)
		}
		if diff := cmp.Diff([]string{creatorID, made.ID, ""},
			[]string{log.Items[0].Actor.ID, log.Items[0].Target.ID, log.Items[0].Target.Title}); diff != "" {
			t.Error(diff)
		}
	})
}
