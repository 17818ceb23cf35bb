package orgs_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
)

// create tries to create an organization and returns its id; it wants a clear refusal when who tries may not.
func create(s *apptest.Server, token string, may bool) string {
	s.T.Helper()
	if may {
		var made apptest.Identified
		s.CallAs(token, http.MethodPost, "/v1/orgs", `{"title":"Made"}`, http.StatusCreated, &made)
		return made.ID
	}
	if got := s.CallAs(token, http.MethodPost, "/v1/orgs", `{"title":"Made"}`, http.StatusForbidden,
		nil); !strings.Contains(string(got.Body), "--create-organizations") {
		s.T.Errorf("%s", got.Body)
	}
	return ""
}

// TestAdministratorsCreateOrganizations holds who counts as an administrator by default, and that nobody gets to be one
// by what others than the operator do.
func TestAdministratorsCreateOrganizations(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		made := create(s, s.Token, true)
		for _, role := range apptest.Ladder[:len(apptest.Ladder)-1] {
			if role == apptest.Guest {
				role = org.RoleGuest
			}
			create(s, s.Member(role, "role"+string(role)+"@example.org"), false)
		}
		// Admins of the first organization count, whoever made them so; of others those whom the operator made so.
		reader, readerID := s.Person(org.RoleRead, "reader@example.org")
		s.Call(http.MethodPatch, "/v1/orgs/"+s.Organization+"/members/"+readerID, `{"role":"admin"}`, http.StatusOK,
			nil)
		create(s, reader, true)
		s.Call(http.MethodPatch, "/v1/orgs/"+s.Organization+"/members/"+readerID, `{"role":"create"}`, http.StatusOK,
			nil)

		add := func(email, role string) string {
			t.Helper()
			added, err := app.AddUser(t.Context(), s.Storage, app.NewMember{Email: email, Name: "Someone",
				Organization: id.Organization(made), Role: role}, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			return added.Secret
		}
		chosen, promoted := add("chosen@example.net", "admin"), add("promoted@example.net", "read")
		create(s, chosen, true)
		create(s, promoted, false)
		path := "/v1/orgs/" + made + "/members/" + s.UserOf(promoted)
		s.CallAs(chosen, http.MethodPatch, path, `{"role":"admin"}`, http.StatusOK, nil)
		create(s, promoted, false)
		// Whom an admin has demoted and made one again was not chosen by the operator any more.
		path = "/v1/orgs/" + made + "/members/" + s.UserOf(chosen)
		s.CallAs(promoted, http.MethodPatch, path, `{"role":"create"}`, http.StatusOK, nil)
		s.CallAs(promoted, http.MethodPatch, path, `{"role":"admin"}`, http.StatusOK, nil)
		create(s, chosen, false)
		add("chosen@example.net", "admin")
		create(s, chosen, true)
		// An organization of somebody else's opens nothing.
		third := create(s, chosen, true)
		s.CallAs(chosen, http.MethodDelete, "/v1/orgs/"+made+"/members/"+s.UserOf(chosen), nil, http.StatusResetContent,
			nil)
		s.CallAs(chosen, http.MethodGet, "/v1/orgs/"+third, nil, http.StatusOK, nil)
		create(s, chosen, false)
	})
}

// TestOthersCreateOrganizations holds the other two values of the setting.
func TestOthersCreateOrganizations(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		create(s, s.Member(org.RoleGuest, "guest@example.org"), true)
	})
	apptest.OnBothWith(t, func(settings *config.Serve) { settings.CreateOrganizations = config.CreatorsNobody },
		func(t *testing.T, s *apptest.Server) {
			create(s, s.Token, false)
		})
}
