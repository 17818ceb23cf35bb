package app_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// collection makes a collection; parent may be empty.
func (s *server) collection(title, parent string) string {
	s.t.Helper()
	body := map[string]any{"title": title}
	if parent != "" {
		body["parent"] = parent
	}
	var made identified
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/collections", body, http.StatusCreated, &made)
	return made.ID
}

// spaceIn makes a space in a collection.
func (s *server) spaceIn(title, parent string) string {
	s.t.Helper()
	var made identified
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/spaces", map[string]any{"title": title, "parent": parent},
		http.StatusCreated, &made)
	return made.ID
}

// titles returns the titles of a list.
func (s *server) titles(token, path string) []string {
	s.t.Helper()
	var list struct {
		Items []struct{ Title string }
		Count int
	}
	s.callAs(token, http.MethodGet, path, nil, http.StatusOK, &list)
	titles := []string{}
	for _, item := range list.Items {
		titles = append(titles, item.Title)
	}
	if list.Count != len(titles) {
		s.t.Errorf("%s: count %d of %d", path, list.Count, len(titles))
	}
	return titles
}

// person adds somebody with a role and returns their token and id.
func (s *server) person(role org.Role, email string) (token, userID string) {
	s.t.Helper()
	token = s.member(role, email)
	var user identified
	s.callAs(token, http.MethodGet, "/v1/user", nil, http.StatusOK, &user)
	return token, user.ID
}

// wireSpace is a space as the tests read it.
type wireSpace struct {
	ID, Title, Emoji, Visibility, Organization, Parent, Revision, Language, EditMode, DeletedAt string
	DefaultLevel                                                                                *string
	URLs                                                                                        struct {
		Location, Icon, Published, Public string
	}
	Permissions map[string]bool
}

type wireCollection struct {
	Object, ID, Title, Description, Organization, Parent string
	DefaultLevel                                         *string
	URLs                                                 struct{ Location, App string }
	Permissions                                          map[string]bool
}

func TestCollectionsOverTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		orgs := "/v1/orgs/" + s.organization
		var made wireCollection
		created := s.call(http.MethodPost, orgs+"/collections", nil, http.StatusCreated, &made)
		if made.Object != "collection" || made.Title != "Untitled" || made.DefaultLevel == nil ||
			*made.DefaultLevel != "inherit" ||
			created.header.Get("Location") != made.URLs.Location || !made.Permissions["admin"] ||
			!made.Permissions["create"] || !made.Permissions["view"] {
			t.Errorf("%+v at %s", made, created.header.Get("Location"))
		}
		var changed wireCollection
		s.call(http.MethodPatch, "/v1/collections/"+made.ID,
			`{"title":"Guides","description":"For all","defaultLevel":null}`, http.StatusOK, &changed)
		if changed.Title != "Guides" || changed.Description != "For all" || changed.DefaultLevel != nil {
			t.Errorf("%+v", changed)
		}
		s.call(http.MethodPatch, "/v1/collections/"+made.ID, `{"defaultLevel":"inherit"}`, http.StatusOK, nil)
		inner := s.collection("Inner", made.ID)
		if diff := cmp.Diff([]string{"Guides", "Inner"}, s.titles(s.token, orgs+"/collections")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"Guides"}, s.titles(s.token, orgs+"/collections?nested=false")); diff != "" {
			t.Error(diff)
		}

		var in wireSpace
		s.call(http.MethodPost, orgs+"/spaces", map[string]any{
			"title": "One", "icon": "https://example.org/i.png", "parent": made.ID, "language": "de",
			"editMode": "locked",
		}, http.StatusCreated, &in)
		if in.Parent != made.ID || in.Visibility != "in-collection" || in.URLs.Icon != "https://example.org/i.png" ||
			in.Language != "de" || in.EditMode != "locked" {
			t.Errorf("%+v", in)
		}
		two, three := s.spaceIn("Two", made.ID), s.space("Three")
		if diff := cmp.Diff([]string{"One", "Two"},
			s.titles(s.token, "/v1/collections/"+made.ID+"/spaces")); diff != "" {
			t.Error(diff)
		}
		var moved wireSpace
		s.call(http.MethodPost, "/v1/spaces/"+three+"/move",
			fmt.Sprintf(`{"parent":%q,"position":{"before":{"type":"space","space":%q}}}`, made.ID, two), http.StatusOK,
			&moved)
		if moved.Parent != made.ID {
			t.Errorf("%+v", moved)
		}
		s.call(http.MethodPost, "/v1/spaces/"+in.ID+"/move",
			fmt.Sprintf(`{"position":{"after":{"type":"space","space":%q}}}`, two), http.StatusOK, nil)
		if diff := cmp.Diff([]string{"Three", "Two", "One"},
			s.titles(s.token, "/v1/collections/"+made.ID+"/spaces")); diff != "" {
			t.Error(diff)
		}
		moved = wireSpace{}
		s.call(http.MethodPost, "/v1/spaces/"+in.ID+"/move", `{"parent":null}`, http.StatusOK, &moved)
		if moved.Parent != "" || moved.Visibility != "private" {
			t.Errorf("%+v", moved)
		}
		s.call(http.MethodPost, "/v1/collections/"+made.ID+"/move", map[string]any{"parent": inner},
			http.StatusConflict, nil)
		s.call(http.MethodPost, "/v1/collections/"+inner+"/move",
			fmt.Sprintf(`{"parent":null,"position":{"before":{"type":"collection","collection":%q}}}`, made.ID),
			http.StatusOK, nil)
		if diff := cmp.Diff([]string{"Inner", "Guides"}, s.titles(s.token, orgs+"/collections")); diff != "" {
			t.Error(diff)
		}
		s.call(http.MethodDelete, "/v1/collections/"+made.ID, nil, http.StatusResetContent, nil)
		s.call(http.MethodGet, "/v1/collections/"+made.ID, nil, http.StatusNotFound, nil)
		if diff := cmp.Diff([]string{"Three", "Two", "One"}, s.titles(s.token, orgs+"/spaces")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDuplicateAndTransferOverTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		s.upload(space, "page.md", []byte("# Page\n\nText of the page.\n"))
		var original, copied wireSpace
		s.call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &original)
		made := s.call(http.MethodPost, "/v1/spaces/"+space+"/duplicate", nil, http.StatusCreated, &copied)
		if copied.Title != "Copy of Guide" || copied.ID == space ||
			made.header.Get("Location") != copied.URLs.Location || copied.Revision == original.Revision {
			t.Errorf("%+v", copied)
		}
		var page struct{ Title string }
		s.call(http.MethodGet, "/v1/spaces/"+copied.ID+"/content/path/page", nil, http.StatusOK, &page)
		if page.Title != "Page" {
			t.Errorf("%+v", page)
		}
		s.upload(copied.ID, "more.md", []byte("# More\n\nText.\n"))
		s.call(http.MethodGet, "/v1/spaces/"+space+"/content/path/more", nil, http.StatusNotFound, nil)

		var other identified
		s.call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &other)
		var site identified
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
		s.call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &original)
		if original.URLs.Published == "" || original.URLs.Public != original.URLs.Published {
			t.Errorf("%+v", original.URLs)
		}
		s.call(http.MethodPatch, "/v1/orgs/"+s.organization+"/sites/"+site.ID, `{"visibility":"share-link"}`,
			http.StatusOK, nil)
		original = wireSpace{}
		s.call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &original)
		if original.URLs.Published == "" || original.URLs.Public != "" {
			t.Errorf("%+v", original.URLs)
		}
		to := map[string]any{"organization": other.ID}
		s.call(http.MethodPost, "/v1/spaces/"+space+"/transfer", to, http.StatusPreconditionFailed, nil)
		s.call(http.MethodPost, "/v1/spaces/"+copied.ID+"/transfer", map[string]any{"organization": s.organization},
			http.StatusConflict, nil)
		var moved wireSpace
		s.call(http.MethodPost, "/v1/spaces/"+copied.ID+"/transfer", to, http.StatusOK, &moved)
		if moved.Organization != other.ID {
			t.Errorf("%+v", moved)
		}
		s.call(http.MethodGet, "/v1/spaces/"+copied.ID+"/content/path/more", nil, http.StatusOK, nil)
		var imports struct{ Count int }
		s.call(http.MethodGet, "/v1/org/"+other.ID+"/imports", nil, http.StatusOK, &imports)
		if imports.Count != 1 {
			t.Errorf("the import stayed behind: %+v", imports)
		}

		box := s.collection("Box", "")
		s.spaceIn("Inside", box)
		s.call(http.MethodPost, "/v1/collections/"+box+"/transfer", map[string]any{"organization": s.organization},
			http.StatusConflict, nil)
		var there wireCollection
		s.call(http.MethodPost, "/v1/collections/"+box+"/transfer", to, http.StatusOK, &there)
		if there.Organization != other.ID {
			t.Errorf("%+v", there)
		}
		if diff := cmp.Diff([]string{"Copy of Guide", "Inside"},
			s.titles(s.token, "/v1/orgs/"+other.ID+"/spaces")); diff != "" {
			t.Error(diff)
		}
		shown := s.collection("Shown", "")
		s.call(http.MethodPost, "/v1/spaces/"+space+"/move", map[string]any{"parent": shown}, http.StatusOK, nil)
		s.call(http.MethodPost, "/v1/collections/"+shown+"/transfer", to, http.StatusPreconditionFailed, nil)
	})
}

// TestTrashOverTheAPI holds what a deleted space in a collection looks like, and that it comes back to its place.
func TestTrashOverTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		reader := s.member(org.RoleRead, "reader@example.org")
		box := s.collection("Box", "")
		s.spaceIn("One", box)
		gone := s.spaceIn("Gone", box)
		s.spaceIn("Three", box)
		s.upload(gone, "page.md", []byte("# Page\n\nText.\n"))
		s.call(http.MethodDelete, "/v1/spaces/"+gone, nil, http.StatusNoContent, nil)
		for _, token := range []string{s.token, reader} {
			for _, path := range []string{"/v1/orgs/" + s.organization + "/spaces", "/v1/collections/" + box +
				"/spaces"} {
				if diff := cmp.Diff([]string{"One", "Three"}, s.titles(token, path)); diff != "" {
					t.Error(diff)
				}
			}
		}
		for _, path := range []string{"", "/content", "/content/path/page", "/permissions/users"} {
			s.callAs(reader, http.MethodGet, "/v1/spaces/"+gone+path, nil, http.StatusNotFound, nil)
			s.call(http.MethodGet, "/v1/spaces/"+gone+path, nil, http.StatusOK, nil)
		}
		s.call(http.MethodPost, "/v1/spaces/"+gone+"/move", `{"parent":null}`, http.StatusConflict, nil)
		s.call(http.MethodPost, "/v1/spaces/"+gone+"/duplicate", nil, http.StatusConflict, nil)
		s.call(http.MethodPost, "/v1/spaces/"+gone+"/permissions", `{"users":["reader@example.org"],"role":"edit"}`,
			http.StatusConflict, nil)
		var restored wireSpace
		s.call(http.MethodPost, "/v1/spaces/"+gone+"/restore", nil, http.StatusOK, &restored)
		if restored.Parent != box || restored.DeletedAt != "" {
			t.Errorf("%+v", restored)
		}
		if diff := cmp.Diff([]string{"One", "Gone", "Three"},
			s.titles(reader, "/v1/collections/"+box+"/spaces")); diff != "" {
			t.Error(diff)
		}
		s.callAs(reader, http.MethodGet, "/v1/spaces/"+gone+"/content/path/page", nil, http.StatusOK, nil)
	})
}

// team makes a team with members, which has no operation yet.
func (s *server) team(title string, userIDs ...string) string {
	s.t.Helper()
	database, err := db.Open(s.t.Context(), db.Config{URL: s.storage.Database()})
	if err != nil {
		s.t.Fatal(err)
	}
	defer database.Close()
	accounts := account.New(account.Deps{DB: database, Log: slog.New(slog.DiscardHandler)})
	orgs := org.New(org.Deps{DB: database, Accounts: accounts})
	admin, err := accounts.Authenticate(s.t.Context(), s.token)
	if err != nil {
		s.t.Fatal(err)
	}
	made, err := orgs.CreateTeam(s.t.Context(), admin, s.organization, title, userIDs...)
	if err != nil {
		s.t.Fatal(err)
	}
	return made.ID
}

func TestPermissionsOverTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		reader, readerID := s.person(org.RoleRead, "reader@example.org")
		guest, guestID := s.person(org.RoleGuest, "guest@example.org")
		team := s.team("Writers", readerID, guestID)
		type permission struct {
			Permission string
			User       struct{ ID, Email string }
			Team       struct {
				ID, Title, CreatedAt string
				Members, Spaces      int
				Permissions          map[string]bool
			}
		}
		list := func(path string) []permission {
			t.Helper()
			var found struct {
				Items []permission
				Count int
			}
			s.call(http.MethodGet, path, nil, http.StatusOK, &found)
			if found.Count != len(found.Items) {
				t.Errorf("%s: count %d of %d", path, found.Count, len(found.Items))
			}
			return found.Items
		}
		people := func(path string) []string {
			t.Helper()
			var found []string
			for _, each := range list(path) {
				found = append(found, each.User.Email+" "+each.Permission)
			}
			slices.Sort(found)
			return found
		}
		box := s.collection("Box", "")
		space := s.spaceIn("Guide", box)
		for _, object := range []string{"/v1/spaces/" + space, "/v1/collections/" + box} {
			at := object + "/permissions"
			s.callAs(guest, http.MethodGet, object, nil, http.StatusNotFound, nil)
			s.call(http.MethodPost, at, map[string]any{"users": []string{guestID, "Reader@example.org"},
				"role": "edit"}, http.StatusNoContent, nil)
			s.callAs(guest, http.MethodGet, object, nil, http.StatusOK, nil)
			if diff := cmp.Diff([]string{"guest@example.org edit", "reader@example.org edit"},
				people(at+"/users")); diff != "" {
				t.Error(diff)
			}
			s.call(http.MethodPatch, at+"/users/"+guestID, `{"role":"review"}`, http.StatusNoContent, nil)
			s.call(http.MethodPatch, at+"/users/"+guestID, `{}`, http.StatusNoContent, nil)
			if diff := cmp.Diff([]string{"ada@example.org admin", "guest@example.org review",
				"reader@example.org edit"}, people(at+"/aggregate")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"reader@example.org edit"}, people(at+"/aggregate?role=edit")); diff != "" {
				t.Error(diff)
			}
			s.call(http.MethodPatch, at+"/users/"+guestID, `{"role":null}`, http.StatusNoContent, nil)
			s.callAs(guest, http.MethodGet, object, nil, http.StatusNotFound, nil)
			s.call(http.MethodDelete, at+"/users/"+guestID, nil, http.StatusNoContent, nil)
			s.call(http.MethodDelete, at+"/users/"+guestID, nil, http.StatusNotFound, nil)
			s.call(http.MethodPatch, at+"/users/"+guestID, `{"role":"read"}`, http.StatusNotFound, nil)

			s.call(http.MethodPost, at, map[string]any{"teams": []string{team}, "role": "comment"},
				http.StatusNoContent, nil)
			teams := list(at + "/teams")
			if len(teams) != 1 || teams[0].Permission != "comment" || teams[0].Team.ID != team ||
				teams[0].Team.Members != 2 || !teams[0].Team.Permissions["admin"] {
				t.Errorf("%+v", teams)
			}
			if diff := cmp.Diff([]string{"ada@example.org admin", "guest@example.org comment",
				"reader@example.org edit"}, people(at+"/aggregate")); diff != "" {
				t.Error(diff)
			}
			s.call(http.MethodPatch, at+"/teams/"+team, `{"role":"read"}`, http.StatusNoContent, nil)
			s.callAs(guest, http.MethodGet, object, nil, http.StatusOK, nil)
			s.call(http.MethodDelete, at+"/teams/"+team, nil, http.StatusNoContent, nil)
			s.call(http.MethodDelete, at+"/teams/"+team, nil, http.StatusNotFound, nil)
			s.callAs(guest, http.MethodGet, object, nil, http.StatusNotFound, nil)
			s.call(http.MethodDelete, at+"/users/"+readerID, nil, http.StatusNoContent, nil)
		}
		// What a collection grants holds for what is in it.
		s.call(http.MethodPost, "/v1/collections/"+box+"/permissions", map[string]any{"users": []string{guestID},
			"role": "create"}, http.StatusNoContent, nil)
		var seen wireSpace
		s.callAs(guest, http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &seen)
		if !seen.Permissions["merge"] || !seen.Permissions["viewInviteLinks"] || seen.Permissions["admin"] {
			t.Errorf("%+v", seen.Permissions)
		}
		if diff := cmp.Diff([]string{"Guide"}, s.titles(guest, "/v1/orgs/"+s.organization+"/spaces")); diff != "" {
			t.Error(diff)
		}
		var made wireSpace
		s.callAs(guest, http.MethodPost, "/v1/orgs/"+s.organization+"/spaces", map[string]any{"title": "Theirs",
			"parent": box}, http.StatusCreated, &made)
		s.callAs(guest, http.MethodPost, "/v1/orgs/"+s.organization+"/spaces", map[string]any{"title": "Theirs"},
			http.StatusForbidden, nil)
		s.callAs(guest, http.MethodPost, "/v1/spaces/"+space+"/permissions", map[string]any{"users": []string{guestID},
			"role": "admin"}, http.StatusForbidden, nil)
		s.callAs(reader, http.MethodGet, "/v1/spaces/"+made.ID, nil, http.StatusOK, nil)
	})
}
