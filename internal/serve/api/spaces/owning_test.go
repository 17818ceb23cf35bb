package spaces_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestCreatorsOwnWhatTheyMade holds that with the role create people delete, open and close what they made, and nobody
// else's, and that answers say so.
func TestCreatorsOwnWhatTheyMade(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		creator, creatorID := s.Person(org.RoleCreate, "creator@example.org")
		other := s.Member(org.RoleCreate, "other@example.org")
		for _, kind := range []struct {
			list, one string
			deleted   int
		}{{"spaces", "/v1/spaces/", 204}, {"collections", "/v1/collections/", 205}} {
			var own, admins struct {
				ID          string
				Permissions map[string]bool
			}
			s.CallAs(creator, http.MethodPost, "/v1/orgs/"+s.Organization+"/"+kind.list, `{"title":"Own"}`, 201, &own)
			s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/"+kind.list, `{"title":"Admin's"}`, 201, &admins)
			admin := func(token, id string) bool {
				var seen struct{ Permissions map[string]bool }
				s.CallAs(token, http.MethodGet, kind.one+id, nil, 200, &seen)
				return seen.Permissions["admin"]
			}
			if !own.Permissions["admin"] || !admin(creator, own.ID) || admin(other, own.ID) ||
				admin(creator, admins.ID) {
				t.Errorf("%s: admin is shown wrongly", kind.list)
			}
			var list struct {
				Items []struct {
					ID          string
					Permissions map[string]bool
				}
			}
			s.CallAs(creator, http.MethodGet, "/v1/orgs/"+s.Organization+"/"+kind.list, nil, 200, &list)
			for _, each := range list.Items {
				if each.Permissions["admin"] != (each.ID == own.ID) {
					t.Errorf("%s: the list says admin %v of %s", kind.list, each.Permissions["admin"], each.ID)
				}
			}
			for _, refused := range []struct{ token, id string }{{creator, admins.ID}, {other, own.ID}} {
				s.CallAs(refused.token, http.MethodPatch, kind.one+refused.id, `{"defaultLevel":"read"}`, 403, nil)
				s.CallAs(refused.token, http.MethodPatch, kind.one+refused.id, `{"title":"Other","defaultLevel":null}`,
					403, nil)
				s.CallAs(refused.token, http.MethodDelete, kind.one+refused.id, nil, 403, nil)
				s.CallAs(refused.token, http.MethodPatch, kind.one+refused.id,
					`{"title":"Renamed","defaultLevel":"inherit"}`, 200, nil)
			}
			s.CallAs(creator, http.MethodPatch, kind.one+own.ID, `{"defaultLevel":"comment"}`, 200, nil)
			// Below the role create nothing is anybody's own.
			s.CallAs(creator, http.MethodPatch, kind.one+own.ID, `{"defaultLevel":"inherit"}`, 403, nil)
			s.Call(http.MethodPost, kind.one+own.ID+"/permissions", fmt.Sprintf(`{"users":[%q],"role":"create"}`,
				creatorID), 204, nil)
			s.CallAs(creator, http.MethodPatch, kind.one+own.ID, `{"defaultLevel":null}`, 200, nil)
			s.CallAs(other, http.MethodGet, kind.one+own.ID, nil, 404, nil)
			s.CallAs(creator, http.MethodDelete, kind.one+own.ID, nil, kind.deleted, nil)
			if kind.list == "spaces" {
				s.CallAs(creator, http.MethodPost, kind.one+own.ID+"/restore", nil, 200, nil)
			}
		}
	})
}

// TestMovesRaiseNobody holds that who moves something into a collection where they have more does not get more in it.
func TestMovesRaiseNobody(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		creator, creatorID := s.Person(org.RoleCreate, "creator@example.org")
		box, shelf := s.Collection("Box", ""), s.Collection("Shelf", "")
		s.Call(http.MethodPost, "/v1/collections/"+box+"/permissions", fmt.Sprintf(`{"users":[%q],"role":"admin"}`,
			creatorID), 204, nil)
		space := s.Space("Admin's")
		for _, each := range []string{"/v1/spaces/" + space, "/v1/collections/" + shelf} {
			s.CallAs(creator, http.MethodPost, each+"/move", `{"parent":"`+box+`"}`, 403, nil)
			s.CallAs(creator, http.MethodPost, each+"/transfer", `{"organization":"`+s.Organization+`","parent":"`+box+
				`"}`, 403, nil)
		}
		s.CallAs(creator, http.MethodPost, "/v1/spaces/"+space+"/move", `{"parent":"`+shelf+`"}`, 200, nil)
		if diff := cmp.Diff([]string{"Admin's"}, titles(s, creator, "/v1/collections/"+shelf+"/spaces")); diff != "" {
			t.Error(diff)
		}
	})
}

// TestTransfersBetweenOrganizations holds who takes spaces and collections where: within an organization to a
// collection, who may move them; to another one, who may also administer them. Nothing is taken into collections that
// are not the caller's.
func TestTransfersBetweenOrganizations(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		creator := s.Member(org.RoleCreate, "creator@example.org")
		var others, theirBox apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Others"}`, 201, &others)
		_, err := app.AddUser(t.Context(), s.Storage, app.NewMember{Email: "creator@example.org", Name: "C",
			Organization: id.Organization(others.ID), Role: "create"}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		s.Call(http.MethodPost, "/v1/orgs/"+others.ID+"/collections", `{"title":"Theirs"}`, 201, &theirBox)
		shut := s.Collection("Shut", "")
		s.Call(http.MethodPatch, "/v1/collections/"+shut, `{"defaultLevel":null}`, 200, nil)
		box := s.Collection("Box", "")
		for _, kind := range []struct{ list, one string }{{"spaces", "/v1/spaces/"},
			{"collections", "/v1/collections/"}} {
			added := func(token string) string {
				var made apptest.Identified
				s.CallAs(token, http.MethodPost, "/v1/orgs/"+s.Organization+"/"+kind.list, `{"title":"Going"}`, 201,
					&made)
				return kind.one + made.ID
			}
			to := func(organization, parent string) string {
				if parent == "" {
					return fmt.Sprintf(`{"organization":%q}`, organization)
				}
				return fmt.Sprintf(`{"organization":%q,"parent":%q}`, organization, parent)
			}
			admins, own := added(s.Token), added(creator)
			var after struct{ Organization, Parent string }
			s.CallAs(creator, http.MethodPost, admins+"/transfer", to(others.ID, ""), 403, nil)
			s.CallAs(creator, http.MethodPost, admins+"/transfer", to(s.Organization, shut), 404, nil)
			s.CallAs(creator, http.MethodPost, admins+"/transfer", to(s.Organization, ""), 409, nil)
			s.CallAs(creator, http.MethodPost, admins+"/transfer", to(s.Organization, theirBox.ID), 404, nil)
			s.CallAs(creator, http.MethodPost, admins+"/transfer", to(s.Organization, box), 200, &after)
			if after.Parent != box || after.Organization != s.Organization {
				t.Errorf("%s: within the organization: %+v", kind.list, after)
			}
			s.CallAs(creator, http.MethodPost, own+"/transfer", to(others.ID, box), 404, nil)
			s.CallAs(creator, http.MethodPost, own+"/transfer", to(others.ID, theirBox.ID), 200, &after)
			if after.Parent != theirBox.ID || after.Organization != others.ID {
				t.Errorf("%s: to the other organization: %+v", kind.list, after)
			}
			after.Parent = ""
			s.Call(http.MethodPost, admins+"/transfer", to(others.ID, ""), 200, &after)
			if after.Parent != "" || after.Organization != others.ID {
				t.Errorf("%s: by an admin: %+v", kind.list, after)
			}
		}
		nested := s.Collection("Nested", box)
		s.Call(http.MethodPost, "/v1/collections/"+box+"/transfer", `{"organization":"`+s.Organization+`","parent":"`+
			nested+`"}`, 409, nil)
	})
}
