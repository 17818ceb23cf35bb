package app_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
)

// everyoneCreates lets everybody create organizations.
func everyoneCreates(settings *config.Serve) { settings.CreateOrganizations = config.CreatorsEveryone }

// create tries to create an organization and returns its id; it wants a clear refusal when who tries may not.
func (s *server) create(token string, may bool) string {
	s.t.Helper()
	if may {
		var made identified
		s.callAs(token, http.MethodPost, "/v1/orgs", `{"title":"Made"}`, http.StatusCreated, &made)
		return made.ID
	}
	if got := s.callAs(token, http.MethodPost, "/v1/orgs", `{"title":"Made"}`, http.StatusForbidden,
		nil); !strings.Contains(string(got.body), "--create-organizations") {
		s.t.Errorf("%s", got.body)
	}
	return ""
}

// TestAdministratorsCreateOrganizations holds who counts as an administrator by default, and that nobody gets to be one
// by what others than the operator do.
func TestAdministratorsCreateOrganizations(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		made := s.create(s.token, true)
		for _, role := range ladder[:len(ladder)-1] {
			if role == guest {
				role = org.RoleGuest
			}
			s.create(s.member(role, "role"+string(role)+"@example.org"), false)
		}
		// Admins of the first organization count, whoever made them so; of others those whom the operator made so.
		reader, readerID := s.person(org.RoleRead, "reader@example.org")
		s.call(http.MethodPatch, "/v1/orgs/"+s.organization+"/members/"+readerID, `{"role":"admin"}`, http.StatusOK,
			nil)
		s.create(reader, true)
		s.call(http.MethodPatch, "/v1/orgs/"+s.organization+"/members/"+readerID, `{"role":"create"}`, http.StatusOK,
			nil)

		add := func(email, role string) string {
			t.Helper()
			added, err := app.AddUser(t.Context(), s.storage, app.NewMember{Email: email, Name: "Someone",
				Organization: made, Role: role}, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			return added.Secret
		}
		chosen, promoted := add("chosen@example.net", "admin"), add("promoted@example.net", "read")
		s.create(chosen, true)
		s.create(promoted, false)
		path := "/v1/orgs/" + made + "/members/" + s.userOf(promoted)
		s.callAs(chosen, http.MethodPatch, path, `{"role":"admin"}`, http.StatusOK, nil)
		s.create(promoted, false)
		// Whom an admin has demoted and made one again was not chosen by the operator any more.
		path = "/v1/orgs/" + made + "/members/" + s.userOf(chosen)
		s.callAs(promoted, http.MethodPatch, path, `{"role":"create"}`, http.StatusOK, nil)
		s.callAs(promoted, http.MethodPatch, path, `{"role":"admin"}`, http.StatusOK, nil)
		s.create(chosen, false)
		add("chosen@example.net", "admin")
		s.create(chosen, true)
		// An organization of somebody else's opens nothing.
		third := s.create(chosen, true)
		s.callAs(chosen, http.MethodDelete, "/v1/orgs/"+made+"/members/"+s.userOf(chosen), nil, http.StatusResetContent,
			nil)
		s.callAs(chosen, http.MethodGet, "/v1/orgs/"+third, nil, http.StatusOK, nil)
		s.create(chosen, false)
	})
}

// TestOthersCreateOrganizations holds the other two values of the setting.
func TestOthersCreateOrganizations(t *testing.T) {
	onBothWith(t, everyoneCreates, func(t *testing.T, s *server) {
		s.create(s.member(org.RoleGuest, "guest@example.org"), true)
	})
	onBothWith(t, func(settings *config.Serve) { settings.CreateOrganizations = config.CreatorsNobody },
		func(t *testing.T, s *server) {
			s.create(s.token, false)
		})
}
