package orgs_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestTeamsPassOverWhoLeft holds that a list of people which was made before somebody left still changes a team.
func TestTeamsPassOverWhoLeft(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		organization := "/v1/orgs/" + s.Organization
		own, left := s.Person(org.RoleRead, "left@example.org")
		_, removed := s.Person(org.RoleRead, "removed@example.org")
		_, stays := s.Person(org.RoleRead, "stays@example.org")
		var team apptest.Identified
		s.Call(http.MethodPut, organization+"/teams", map[string]any{"title": "Writers",
			"members": []string{left, removed}}, http.StatusCreated, &team)
		s.CallAs(own, http.MethodDelete, organization+"/members/"+left, nil, http.StatusResetContent, nil)
		s.Call(http.MethodDelete, organization+"/members/"+removed, nil, http.StatusResetContent, nil)

		members := organization + "/teams/" + team.ID + "/members"
		owner := map[string]any{"role": "owner"}
		for _, body := range []map[string]any{
			{"add": []string{left, removed, stays}},
			{"remove": []string{left, removed}},
			{"memberships": map[string]any{left: owner, removed: owner, stays: owner}},
		} {
			s.Call(http.MethodPut, members, body, http.StatusNoContent, nil)
		}
		var list struct {
			Items []struct {
				Organization struct{ ID string }
				Team         struct{ Role string }
			}
			Count int
		}
		s.Call(http.MethodGet, members, nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].Team.Role != "owner" {
			t.Errorf("%+v", list)
		}
		s.Call(http.MethodPut, organization+"/teams", map[string]any{"title": "Others",
			"members": []string{left, stays}}, http.StatusCreated, nil)
		// Who never was a member is a mistake, also when somebody elsewhere has the id.
		elsewhere, token := s.Elsewhere()
		for _, never := range []string{s.UserOf(token), "user_" + strings.Repeat("0", 26), "user_x"} {
			for _, body := range []map[string]any{
				{"add": []string{stays, never}}, {"remove": []string{never}},
				{"memberships": map[string]any{never: owner}},
			} {
				s.Call(http.MethodPut, members, body, http.StatusBadRequest, nil)
			}
		}
		// Who left by themselves comes back by themselves, and who was removed does not.
		var link apptest.Identified
		s.Call(http.MethodPost, organization+"/link-invites", `{"role":"read"}`, http.StatusCreated, &link)
		s.CallAs(own, http.MethodPost, organization+"/invites/"+link.ID, nil, http.StatusOK, nil)
		again := memberOf(s, elsewhere, "removed@example.org")
		s.CallAs(again, http.MethodPost, organization+"/invites/"+link.ID, nil, http.StatusForbidden, nil)
	})
}

// TestAdminsFindTheirDomain holds who sees the organizations of an e-mail domain.
func TestAdminsFindTheirDomain(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		var second apptest.Identified
		s.Call(http.MethodPatch, "/v1/orgs/"+s.Organization, `{"emailDomains":["example.org"]}`, http.StatusOK, nil)
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Second","emailDomains":["example.org"]}`, http.StatusCreated,
			&second)
		titles := func(token string, status int) string {
			t.Helper()
			var list struct{ Organizations []struct{ Title string } }
			got := s.Raw(http.MethodGet, "/v1/email-domains/example.org/orgs", token, nil)
			if got.Status != status {
				t.Errorf("%d, want %d %s", got.Status, status, got.Body)
			}
			if status != http.StatusOK {
				return ""
			}
			s.CallAs(token, http.MethodGet, "/v1/email-domains/example.org/orgs", nil, http.StatusOK, &list)
			var all []string
			for _, each := range list.Organizations {
				all = append(all, each.Title)
			}
			return strings.Join(all, ", ")
		}
		if got := titles(s.Member(org.RoleGuest, "own@example.org"), http.StatusOK); got != "Example, Second" {
			t.Errorf("who has an address there sees %s", got)
		}
		if got := titles(s.Member(org.RoleAdmin, "admin@consultant.example"), http.StatusOK); got != "Example" {
			t.Errorf("an admin without an address there sees %s", got)
		}
		titles(s.Member(org.RoleCreate, "creator@consultant.example"), http.StatusNotFound)
		titles(memberOf(s, second.ID, "reader@else.example"), http.StatusNotFound)
	})
}
