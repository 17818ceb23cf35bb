package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// TestTeamsPassOverWhoLeft holds that a list of people which was made before somebody left still changes a team.
func TestTeamsPassOverWhoLeft(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		organization := "/v1/orgs/" + s.organization
		own, left := s.person(org.RoleRead, "left@example.org")
		_, removed := s.person(org.RoleRead, "removed@example.org")
		_, stays := s.person(org.RoleRead, "stays@example.org")
		var team identified
		s.call(http.MethodPut, organization+"/teams", map[string]any{"title": "Writers",
			"members": []string{left, removed}}, http.StatusCreated, &team)
		s.callAs(own, http.MethodDelete, organization+"/members/"+left, nil, http.StatusResetContent, nil)
		s.call(http.MethodDelete, organization+"/members/"+removed, nil, http.StatusResetContent, nil)

		members := organization + "/teams/" + team.ID + "/members"
		owner := map[string]any{"role": "owner"}
		for _, body := range []map[string]any{
			{"add": []string{left, removed, stays}},
			{"remove": []string{left, removed}},
			{"memberships": map[string]any{left: owner, removed: owner, stays: owner}},
		} {
			s.call(http.MethodPut, members, body, http.StatusNoContent, nil)
		}
		var list struct {
			Items []struct {
				Organization struct{ ID string }
				Team         struct{ Role string }
			}
			Count int
		}
		s.call(http.MethodGet, members, nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].Team.Role != "owner" {
			t.Errorf("%+v", list)
		}
		s.call(http.MethodPut, organization+"/teams", map[string]any{"title": "Others",
			"members": []string{left, stays}}, http.StatusCreated, nil)
		// Who never was a member is a mistake, also when somebody elsewhere has the id.
		elsewhere, token := s.elsewhere()
		for _, never := range []string{s.userOf(token), "user_" + strings.Repeat("0", 26), "user_x"} {
			for _, body := range []map[string]any{
				{"add": []string{stays, never}}, {"remove": []string{never}},
				{"memberships": map[string]any{never: owner}},
			} {
				s.call(http.MethodPut, members, body, http.StatusBadRequest, nil)
			}
		}
		// Who left by themselves comes back by themselves, and who was removed does not.
		var link identified
		s.call(http.MethodPost, organization+"/link-invites", `{"role":"read"}`, http.StatusCreated, &link)
		s.callAs(own, http.MethodPost, organization+"/invites/"+link.ID, nil, http.StatusOK, nil)
		again := s.memberOf(elsewhere, "removed@example.org")
		s.callAs(again, http.MethodPost, organization+"/invites/"+link.ID, nil, http.StatusForbidden, nil)
	})
}

// TestAdminsFindTheirDomain holds who sees the organizations of an e-mail domain.
func TestAdminsFindTheirDomain(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		var second identified
		s.call(http.MethodPatch, "/v1/orgs/"+s.organization, `{"emailDomains":["example.org"]}`, http.StatusOK, nil)
		s.call(http.MethodPost, "/v1/orgs", `{"title":"Second","emailDomains":["example.org"]}`, http.StatusCreated,
			&second)
		titles := func(token string, status int) string {
			t.Helper()
			var list struct{ Organizations []struct{ Title string } }
			got := s.raw(http.MethodGet, "/v1/email-domains/example.org/orgs", token, nil)
			if got.status != status {
				t.Errorf("%d, want %d %s", got.status, status, got.body)
			}
			if status != http.StatusOK {
				return ""
			}
			s.callAs(token, http.MethodGet, "/v1/email-domains/example.org/orgs", nil, http.StatusOK, &list)
			var all []string
			for _, each := range list.Organizations {
				all = append(all, each.Title)
			}
			return strings.Join(all, ", ")
		}
		if got := titles(s.member(org.RoleGuest, "own@example.org"), http.StatusOK); got != "Example, Second" {
			t.Errorf("who has an address there sees %s", got)
		}
		if got := titles(s.member(org.RoleAdmin, "admin@consultant.example"), http.StatusOK); got != "Example" {
			t.Errorf("an admin without an address there sees %s", got)
		}
		titles(s.member(org.RoleCreate, "creator@consultant.example"), http.StatusNotFound)
		titles(s.memberOf(second.ID, "reader@else.example"), http.StatusNotFound)
	})
}
