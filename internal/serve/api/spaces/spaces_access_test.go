package spaces_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestSpaceOperationsByRole holds operation x role x outcome for collections, moves, transfers and permissions: members
// of every role, somebody of another organization, and nobody.
func TestSpaceOperationsByRole(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		const created, empty, fine = http.StatusCreated, http.StatusNoContent, http.StatusOK
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "role-"+string(role)+"@example.org")
		}
		var elsewhere, foreign, foreignBox apptest.Identified
		s.CallAs(tokens[org.RoleRead], http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, created, &elsewhere)
		added, err := app.AddUser(t.Context(), s.Storage, app.NewMember{
			Email: "stranger@example.net", Name: "Stranger", Organization: id.Organization(elsewhere.ID), Role: "admin",
		}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		stranger := added.Secret
		s.CallAs(stranger, http.MethodPost, "/v1/orgs/"+elsewhere.ID+"/spaces", `{"title":"Foreign"}`, created,
			&foreign)
		s.CallAs(stranger, http.MethodPost, "/v1/orgs/"+elsewhere.ID+"/collections", `{"title":"Foreign"}`, created,
			&foreignBox)
		_, friend := s.Person(org.RoleRead, "friend@example.org")
		team := s.Team("Team", friend)

		orgs := "/v1/orgs/" + s.Organization
		type row struct {
			name, method, path string // {space} and {collection} stand for ones made for the call
			body               string
			least              org.Role // the lowest role that may
			ok                 int
			below              int // what other members get; a guest gets 404 for what they cannot see
		}
		rows := []row{
			{"list collections", http.MethodGet, orgs + "/collections", "", org.RoleGuest, fine, 0},
			{"make a collection", http.MethodPost, orgs + "/collections", `{"title":"New"}`, org.RoleCreate, created,
				403},
			{"make a collection in one", http.MethodPost, orgs + "/collections", `{"parent":"{collection}"}`,
				org.RoleCreate, created, 403},
			{"make a space in a collection", http.MethodPost, orgs + "/spaces", `{"parent":"{collection}"}`,
				org.RoleCreate, created, 403},
			{"read a collection", http.MethodGet, "/v1/collections/{collection}", "", org.RoleRead, fine, 404},
			{"list its spaces", http.MethodGet, "/v1/collections/{collection}/spaces", "", org.RoleRead, fine, 404},
			{"change it", http.MethodPatch, "/v1/collections/{collection}", `{"title":"Other"}`, org.RoleCreate, fine,
				403},
			{"move it", http.MethodPost, "/v1/collections/{collection}/move", `{"parent":null}`, org.RoleCreate, fine,
				403},
			{"delete it", http.MethodDelete, "/v1/collections/{collection}", "", org.RoleAdmin, 205, 403},
			{"transfer it to where it is", http.MethodPost, "/v1/collections/{collection}/transfer",
				`{"organization":"` + s.Organization + `"}`, org.RoleCreate, 409, 403},
			{"move a space", http.MethodPost, "/v1/spaces/{space}/move", `{"parent":"{collection}"}`, org.RoleCreate,
				fine, 403},
			{"duplicate a space", http.MethodPost, "/v1/spaces/{space}/duplicate", "", org.RoleCreate, created, 403},
			{"transfer a space to where it is", http.MethodPost, "/v1/spaces/{space}/transfer",
				`{"organization":"` + s.Organization + `"}`, org.RoleCreate, 409, 403},
			{"transfer a space to others", http.MethodPost, "/v1/spaces/{space}/transfer",
				`{"organization":"` + elsewhere.ID + `"}`, org.RoleCreate, 404, 403},
		}
		for _, at := range []string{"/v1/spaces/{space}/permissions", "/v1/collections/{collection}/permissions"} {
			rows = append(rows,
				row{"invite people", http.MethodPost, at, `{"users":["` + friend + `"],"role":"read"}`, org.RoleCreate,
					empty, 403},
				row{"list people", http.MethodGet, at + "/users", "", org.RoleEdit, fine, 403},
				row{"change people", http.MethodPatch, at + "/users/" + friend, `{"role":"edit"}`, org.RoleCreate,
					empty, 403},
				row{"remove people", http.MethodDelete, at + "/users/" + friend, "", org.RoleCreate, empty, 403},
				row{"invite teams", http.MethodPost, at, `{"teams":["` + team + `"],"role":"read"}`, org.RoleCreate,
					empty, 403},
				row{"list teams", http.MethodGet, at + "/teams", "", org.RoleEdit, fine, 403},
				row{"change teams", http.MethodPatch, at + "/teams/" + team, `{"role":"edit"}`, org.RoleCreate, empty,
					403},
				row{"remove teams", http.MethodDelete, at + "/teams/" + team, "", org.RoleCreate, empty, 403},
				row{"list everybody", http.MethodGet, at + "/aggregate", "", org.RoleEdit, fine, 403},
			)
		}
		for _, test := range rows {
			may := false
			for _, role := range roles {
				may = may || role == test.least
				want := test.ok
				if !may {
					want = test.below
					if role == org.RoleGuest && (strings.Contains(test.path, "{") || strings.Contains(test.body,
						"{collection}")) {
						want = 404
					}
				}
				tryRow(s, test.name+" as "+string(role), tokens[role], test.method, test.path, test.body, team, friend,
					want)
			}
			tryRow(s, test.name+" as a stranger", stranger, test.method, test.path, test.body, team, friend,
				http.StatusNotFound)
			tryRow(s, test.name+" without a token", "", test.method, test.path, test.body, team, friend,
				http.StatusUnauthorized)
		}
		for _, path := range []string{
			"/v1/collections/" + foreignBox.ID, "/v1/collections/" + foreignBox.ID + "/spaces",
			"/v1/orgs/" + elsewhere.ID + "/collections",
			"/v1/collections/" + foreignBox.ID + "/permissions/users", "/v1/spaces/" + foreign.ID +
				"/permissions/aggregate",
		} {
			s.Call(http.MethodGet, path, nil, http.StatusNotFound, nil)
		}
	})
}

// tryRow calls an operation on a space and a collection made for it, in which a person and a team were given access.
func tryRow(s *apptest.Server, name, token, method, path, body, team, friend string, want int) {
	s.T.Helper()
	fill := func(text string) string { return text }
	if strings.Contains(path+body, "{space}") || strings.Contains(path+body, "{collection}") {
		space, collection := s.Space("Target"), s.Collection("Target", "")
		fill = strings.NewReplacer("{space}", space, "{collection}", collection).Replace
		if strings.Contains(path, "/permissions") {
			at, _, _ := strings.Cut(fill(path), "/permissions")
			s.Call(http.MethodPost, at+"/permissions", fmt.Sprintf(`{"users":[%q],"teams":[%q],"role":"comment"}`,
				friend, team), http.StatusNoContent, nil)
		}
	}
	var sent any
	if body != "" {
		sent = fill(body)
	}
	got := s.Raw(method, fill(path), token, sent)
	if got.Status != want {
		s.T.Errorf("%s: %d, want %d: %.300s", name, got.Status, want, got.Body)
	}
	s.Check(method, fill(path), got)
}

// TestInvalidSpaceInput holds that hostile input gets a clear refusal and changes nothing.
func TestInvalidSpaceInput(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	orgs := "/v1/orgs/" + s.Organization
	box, space := s.Collection("Box", ""), s.Space("Guide")
	inside := spaceIn(s, "Inside", box)
	_, friend := s.Person(org.RoleRead, "friend@example.org")
	collection, permissions := "/v1/collections/"+box, "/v1/spaces/"+space+"/permissions"
	other := "/v1/collections/" + s.Collection("Other", "")
	s.Call(http.MethodPost, permissions, fmt.Sprintf(`{"users":[%q,"ada@example.org"],"role":"read"}`, friend),
		http.StatusNoContent, nil)
	cursor := func(path string) string {
		var list struct{ Next *struct{ Page string } }
		s.Call(http.MethodGet, path, nil, http.StatusOK, &list)
		if list.Next == nil {
			t.Fatalf("%s has one page", path)
		}
		return list.Next.Page
	}
	spaceIn(s, "Second", box)
	ofSpaces, ofPeople := cursor(collection+"/spaces?limit=1"), cursor(permissions+"/users?limit=1")
	gone := s.Collection("Gone", "")
	s.Call(http.MethodDelete, "/v1/collections/"+gone, nil, http.StatusResetContent, nil)
	pointer := func(kind, pointed string) string {
		return fmt.Sprintf(`{"position":{"before":{"type":%q,%q:%q}}}`, kind, kind, pointed)
	}
	tests := []struct {
		name, method, path, body string
		want                     int
		says                     string
	}{
		{"title too long", http.MethodPost, orgs + "/collections", `{"title":"` + strings.Repeat("a", 51) + `"}`, 400,
			"title"},
		{"title of another type", http.MethodPost, orgs + "/collections", `{"title":1}`, 400, "title"},
		{"parent of another type", http.MethodPost, orgs + "/collections", `{"parent":["x"]}`, 400, "parent"},
		{"unknown parent", http.MethodPost, orgs + "/collections", `{"parent":"` + id.New("collection") + `"}`, 404,
			"collection"},
		{"a deleted parent", http.MethodPost, orgs + "/collections", `{"parent":"` + gone + `"}`, 404, "collection"},
		{"space in a deleted parent", http.MethodPost, orgs + "/spaces", `{"parent":"` + gone + `"}`, 404,
			"collection"},
		{"move to a deleted parent", http.MethodPost, "/v1/spaces/" + space + "/move", `{"parent":"` + gone + `"}`, 404,
			"collection"},
		{"a space for a parent", http.MethodPost, orgs + "/collections", `{"parent":"` + space + `"}`, 404,
			"collection"},
		{"no JSON", http.MethodPost, orgs + "/collections", `{"title":`, 400, ""},
		{"unknown organization", http.MethodPost, "/v1/orgs/" + id.New("org") + "/collections", `{}`, 404,
			"organization"},
		{"nested that is no boolean", http.MethodGet, orgs + "/collections?nested=maybe", "", 400, "nested"},
		{"limit too high", http.MethodGet, orgs + "/collections?limit=1001", "", 400, "limit"},
		{"cursor of another list", http.MethodGet, orgs + "/collections?page=" + ofSpaces, "", 400, "page"},
		{"cursor of another collection", http.MethodGet, other + "/spaces?page=" + ofSpaces, "", 400, "page"},
		{"cursor of other people", http.MethodGet, permissions + "/aggregate?page=" + ofPeople, "", 400, "page"},
		{"cursor made up", http.MethodGet, permissions + "/users?page=abc", "", 400, "page"},
		{"unknown collection", http.MethodGet, "/v1/collections/" + id.New("collection"), "", 404, "collection"},
		{"no id", http.MethodGet, "/v1/collections/%00", "", 404, "address"},
		{"description too long", http.MethodPatch, collection, `{"description":"` + strings.Repeat("a", 101) + `"}`,
			400, "description"},
		{"no title", http.MethodPatch, collection, `{"title":""}`, 400, "title"},
		{"title null", http.MethodPatch, collection, `{"title":null}`, 400, "title"},
		{"unknown level", http.MethodPatch, collection, `{"defaultLevel":"owner"}`, 400, "defaultLevel"},
		{"level of another type", http.MethodPatch, collection, `{"defaultLevel":5}`, 400, "defaultLevel"},
		{"into itself", http.MethodPost, collection + "/move", `{"parent":"` + box + `"}`, 409, "itself"},
		{"parent empty", http.MethodPost, collection + "/move", `{"parent":""}`, 400, "parent"},
		{"position of another type", http.MethodPost, collection + "/move", `{"position":"first"}`, 400, "position"},
		{"pointer to nothing", http.MethodPost, collection + "/move", `{"position":{"before":{"type":"space"}}}`, 400,
			"position.before"},
		{"pointer to a page", http.MethodPost, collection + "/move",
			`{"position":{"before":{"type":"page","page":"x"}}}`, 400, "type"},
		{"pointer to itself", http.MethodPost, collection + "/move", pointer("collection", box), 400,
			"position.before"},
		{"pointer elsewhere", http.MethodPost, collection + "/move", pointer("space", inside), 400, "position.before"},
		{"pointer to an unknown space", http.MethodPost, "/v1/spaces/" + space + "/move",
			pointer("space", id.New("space")), 404, "space"},
		{"move to an unknown collection", http.MethodPost, "/v1/spaces/" + space + "/move", `{"parent":"x"}`, 404,
			"collection"},
		{"transfer nowhere", http.MethodPost, "/v1/spaces/" + space + "/transfer", `{}`, 400, "organization"},
		{"transfer without a body", http.MethodPost, "/v1/spaces/" + space + "/transfer", "", 400, ""},
		{"transfer to an unknown organization", http.MethodPost, collection + "/transfer", `{"organization":"x"}`, 404,
			"organization"},
		{"icon that is no address", http.MethodPost, orgs + "/spaces", `{"icon":"book"}`, 400, "icon"},
		{"emoji and icon", http.MethodPost, orgs + "/spaces", `{"icon":"https://example.org/i.png","emoji":"1f600"}`,
			400, "icon"},
		{"space in an unknown collection", http.MethodPost, orgs + "/spaces", `{"parent":"collection_x"}`, 404,
			"collection"},
		{"invite nobody", http.MethodPost, permissions, `{"role":"read"}`, 400, "users"},
		{"invite an empty list", http.MethodPost, permissions, `{"users":[],"role":"read"}`, 400, "users"},
		{"invite without a role", http.MethodPost, permissions, `{"users":["` + friend + `"]}`, 400, "role"},
		{"invite with an unknown role", http.MethodPost, permissions, `{"users":["` + friend + `"],"role":"owner"}`,
			400, "role"},
		{"invite with an empty role", http.MethodPost, permissions, `{"users":["` + friend + `"],"role":""}`, 400,
			"role"},
		{"invite an unknown address", http.MethodPost, permissions, `{"users":["nobody@example.org"],"role":"read"}`,
			400, "nobody@example.org"},
		{"invite an unknown user", http.MethodPost, permissions, `{"users":["` + id.New("user") + `"],"role":"read"}`,
			404, "member"},
		{"invite an unknown team", http.MethodPost, permissions, `{"teams":["` + id.New("team") + `"],"role":"read"}`,
			404, "team"},
		{"invite too many", http.MethodPost, permissions, `{"users":["x"` + strings.Repeat(`,"x"`, 100) +
			`],"role":"read"}`, 400, "users"},
		{"change an unknown user", http.MethodPatch, permissions + "/users/" + id.New("user"), `{"role":"read"}`, 404,
			""},
		{"change to an unknown role", http.MethodPatch, permissions + "/users/" + friend, `{"role":"owner"}`, 400,
			"role"},
		{"remove an unknown team", http.MethodDelete, permissions + "/teams/x", "", 404, ""},
		{"everybody with an unknown role", http.MethodGet, permissions + "/aggregate?role=owner", "", 400, "role"},
		{"permissions of an unknown space", http.MethodGet, "/v1/spaces/" + id.New("space") + "/permissions/users", "",
			404, "space"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var sent any
			if test.body != "" {
				sent = test.body
			}
			s.In(t).Refused(test.method, test.path, sent, test.want, test.says)
		})
	}
	if got := titles(s, s.Token, orgs+"/collections"); len(got) != 2 {
		t.Errorf("refusals left the collections %v", got)
	}
	if got := titles(s, s.Token, orgs+"/spaces"); len(got) != 3 {
		t.Errorf("refusals left the spaces %v", got)
	}
}
