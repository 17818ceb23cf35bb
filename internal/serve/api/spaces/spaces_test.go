package spaces_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// spaceIn makes a space in a collection.
func spaceIn(s *apptest.Server, title, parent string) string {
	s.T.Helper()
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", map[string]any{"title": title, "parent": parent},
		http.StatusCreated, &made)
	return made.ID
}

// titles returns the titles of a list.
func titles(s *apptest.Server, token, path string) []string {
	s.T.Helper()
	var list struct {
		Items []struct{ Title string }
		Count int
	}
	s.CallAs(token, http.MethodGet, path, nil, http.StatusOK, &list)
	titles := []string{}
	for _, item := range list.Items {
		titles = append(titles, item.Title)
	}
	if list.Count != len(titles) {
		s.T.Errorf("%s: count %d of %d", path, list.Count, len(titles))
	}
	return titles
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
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		orgs := "/v1/orgs/" + s.Organization
		var made wireCollection
		created := s.Call(http.MethodPost, orgs+"/collections", nil, http.StatusCreated, &made)
		if made.Object != "collection" || made.Title != "Untitled" || made.DefaultLevel == nil ||
			*made.DefaultLevel != "inherit" ||
			created.Header.Get("Location") != made.URLs.Location || !made.Permissions["admin"] ||
			!made.Permissions["create"] || !made.Permissions["view"] {
			t.Errorf("%+v at %s", made, created.Header.Get("Location"))
		}
		var changed wireCollection
		s.Call(http.MethodPatch, "/v1/collections/"+made.ID,
			`{"title":"Guides","description":"For all","defaultLevel":null}`, http.StatusOK, &changed)
		if changed.Title != "Guides" || changed.Description != "For all" || changed.DefaultLevel != nil {
			t.Errorf("%+v", changed)
		}
		s.Call(http.MethodPatch, "/v1/collections/"+made.ID, `{"defaultLevel":"inherit"}`, http.StatusOK, nil)
		inner := s.Collection("Inner", made.ID)
		if diff := cmp.Diff([]string{"Guides", "Inner"}, titles(s, s.Token, orgs+"/collections")); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{"Guides"}, titles(s, s.Token, orgs+"/collections?nested=false")); diff != "" {
			t.Error(diff)
		}

		var in wireSpace
		s.Call(http.MethodPost, orgs+"/spaces", map[string]any{
			"title": "One", "icon": "https://example.org/i.png", "parent": made.ID, "language": "de",
			"editMode": "locked",
		}, http.StatusCreated, &in)
		if in.Parent != made.ID || in.Visibility != "in-collection" || in.URLs.Icon != "https://example.org/i.png" ||
			in.Language != "de" || in.EditMode != "locked" {
			t.Errorf("%+v", in)
		}
		two, three := spaceIn(s, "Two", made.ID), s.Space("Three")
		if diff := cmp.Diff([]string{"One", "Two"},
			titles(s, s.Token, "/v1/collections/"+made.ID+"/spaces")); diff != "" {
			t.Error(diff)
		}
		var moved wireSpace
		s.Call(http.MethodPost, "/v1/spaces/"+three+"/move",
			fmt.Sprintf(`{"parent":%q,"position":{"before":{"type":"space","space":%q}}}`, made.ID, two), http.StatusOK,
			&moved)
		if moved.Parent != made.ID {
			t.Errorf("%+v", moved)
		}
		s.Call(http.MethodPost, "/v1/spaces/"+in.ID+"/move",
			fmt.Sprintf(`{"position":{"after":{"type":"space","space":%q}}}`, two), http.StatusOK, nil)
		if diff := cmp.Diff([]string{"Three", "Two", "One"},
			titles(s, s.Token, "/v1/collections/"+made.ID+"/spaces")); diff != "" {
			t.Error(diff)
		}
		moved = wireSpace{}
		s.Call(http.MethodPost, "/v1/spaces/"+in.ID+"/move", `{"parent":null}`, http.StatusOK, &moved)
		if moved.Parent != "" || moved.Visibility != "private" {
			t.Errorf("%+v", moved)
		}
		s.Call(http.MethodPost, "/v1/collections/"+made.ID+"/move", map[string]any{"parent": inner},
			http.StatusConflict, nil)
		s.Call(http.MethodPost, "/v1/collections/"+inner+"/move",
			fmt.Sprintf(`{"parent":null,"position":{"before":{"type":"collection","collection":%q}}}`, made.ID),
			http.StatusOK, nil)
		if diff := cmp.Diff([]string{"Inner", "Guides"}, titles(s, s.Token, orgs+"/collections")); diff != "" {
			t.Error(diff)
		}
		s.Call(http.MethodDelete, "/v1/collections/"+made.ID, nil, http.StatusResetContent, nil)
		s.Call(http.MethodGet, "/v1/collections/"+made.ID, nil, http.StatusNotFound, nil)
		if diff := cmp.Diff([]string{"Three", "Two", "One"}, titles(s, s.Token, orgs+"/spaces")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDuplicateAndTransferOverTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "page.md", []byte("# Page\n\nText of the page.\n"))
		var original, copied wireSpace
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &original)
		made := s.Call(http.MethodPost, "/v1/spaces/"+space+"/duplicate", nil, http.StatusCreated, &copied)
		if copied.Title != "Copy of Guide" || copied.ID == space ||
			made.Header.Get("Location") != copied.URLs.Location || copied.Revision == original.Revision {
			t.Errorf("%+v", copied)
		}
		var page struct{ Title string }
		s.Call(http.MethodGet, "/v1/spaces/"+copied.ID+"/content/path/page", nil, http.StatusOK, &page)
		if page.Title != "Page" {
			t.Errorf("%+v", page)
		}
		s.Upload(copied.ID, "more.md", []byte("# More\n\nText.\n"))
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/more", nil, http.StatusNotFound, nil)

		var other apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &other)
		var site apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &original)
		if original.URLs.Published == "" || original.URLs.Public != original.URLs.Published {
			t.Errorf("%+v", original.URLs)
		}
		s.Call(http.MethodPatch, "/v1/orgs/"+s.Organization+"/sites/"+site.ID, `{"visibility":"share-link"}`,
			http.StatusOK, nil)
		original = wireSpace{}
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &original)
		if original.URLs.Published == "" || original.URLs.Public != "" {
			t.Errorf("%+v", original.URLs)
		}
		to := map[string]any{"organization": other.ID}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/transfer", to, http.StatusPreconditionFailed, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+copied.ID+"/transfer", map[string]any{"organization": s.Organization},
			http.StatusConflict, nil)
		var moved wireSpace
		s.Call(http.MethodPost, "/v1/spaces/"+copied.ID+"/transfer", to, http.StatusOK, &moved)
		if moved.Organization != other.ID {
			t.Errorf("%+v", moved)
		}
		s.Call(http.MethodGet, "/v1/spaces/"+copied.ID+"/content/path/more", nil, http.StatusOK, nil)
		var imports struct{ Count int }
		s.Call(http.MethodGet, "/v1/org/"+other.ID+"/imports", nil, http.StatusOK, &imports)
		if imports.Count != 1 {
			t.Errorf("the import stayed behind: %+v", imports)
		}

		box := s.Collection("Box", "")
		spaceIn(s, "Inside", box)
		s.Call(http.MethodPost, "/v1/collections/"+box+"/transfer", map[string]any{"organization": s.Organization},
			http.StatusConflict, nil)
		var there wireCollection
		s.Call(http.MethodPost, "/v1/collections/"+box+"/transfer", to, http.StatusOK, &there)
		if there.Organization != other.ID {
			t.Errorf("%+v", there)
		}
		if diff := cmp.Diff([]string{"Copy of Guide", "Inside"},
			titles(s, s.Token, "/v1/orgs/"+other.ID+"/spaces")); diff != "" {
			t.Error(diff)
		}
		shown := s.Collection("Shown", "")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/move", map[string]any{"parent": shown}, http.StatusOK, nil)
		s.Call(http.MethodPost, "/v1/collections/"+shown+"/transfer", to, http.StatusPreconditionFailed, nil)
	})
}

// TestTrashOverTheAPI holds what a deleted space in a collection looks like, and that it comes back to its place.
func TestTrashOverTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		reader := s.Member(org.RoleRead, "reader@example.org")
		box := s.Collection("Box", "")
		spaceIn(s, "One", box)
		gone := spaceIn(s, "Gone", box)
		spaceIn(s, "Three", box)
		s.Upload(gone, "page.md", []byte("# Page\n\nText.\n"))
		s.Call(http.MethodDelete, "/v1/spaces/"+gone, nil, http.StatusNoContent, nil)
		for _, token := range []string{s.Token, reader} {
			for _, path := range []string{"/v1/orgs/" + s.Organization + "/spaces", "/v1/collections/" + box +
				"/spaces"} {
				if diff := cmp.Diff([]string{"One", "Three"}, titles(s, token, path)); diff != "" {
					t.Error(diff)
				}
			}
		}
		for _, path := range []string{"", "/content", "/content/path/page", "/permissions/users"} {
			s.CallAs(reader, http.MethodGet, "/v1/spaces/"+gone+path, nil, http.StatusNotFound, nil)
			s.Call(http.MethodGet, "/v1/spaces/"+gone+path, nil, http.StatusOK, nil)
		}
		s.Call(http.MethodPost, "/v1/spaces/"+gone+"/move", `{"parent":null}`, http.StatusConflict, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+gone+"/duplicate", nil, http.StatusConflict, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+gone+"/permissions", `{"users":["reader@example.org"],"role":"edit"}`,
			http.StatusConflict, nil)
		var restored wireSpace
		s.Call(http.MethodPost, "/v1/spaces/"+gone+"/restore", nil, http.StatusOK, &restored)
		if restored.Parent != box || restored.DeletedAt != "" {
			t.Errorf("%+v", restored)
		}
		if diff := cmp.Diff([]string{"One", "Gone", "Three"},
			titles(s, reader, "/v1/collections/"+box+"/spaces")); diff != "" {
			t.Error(diff)
		}
		s.CallAs(reader, http.MethodGet, "/v1/spaces/"+gone+"/content/path/page", nil, http.StatusOK, nil)
	})
}

func TestPermissionsOverTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		reader, readerID := s.Person(org.RoleRead, "reader@example.org")
		guest, guestID := s.Person(org.RoleGuest, "guest@example.org")
		team := s.Team("Writers", readerID, guestID)
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
			s.Call(http.MethodGet, path, nil, http.StatusOK, &found)
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
		box := s.Collection("Box", "")
		space := spaceIn(s, "Guide", box)
		for _, object := range []string{"/v1/spaces/" + space, "/v1/collections/" + box} {
			at := object + "/permissions"
			s.CallAs(guest, http.MethodGet, object, nil, http.StatusNotFound, nil)
			s.Call(http.MethodPost, at, map[string]any{"users": []string{guestID, "Reader@example.org"},
				"role": "edit"}, http.StatusNoContent, nil)
			s.CallAs(guest, http.MethodGet, object, nil, http.StatusOK, nil)
			if diff := cmp.Diff([]string{"guest@example.org edit", "reader@example.org edit"},
				people(at+"/users")); diff != "" {
				t.Error(diff)
			}
			s.Call(http.MethodPatch, at+"/users/"+guestID, `{"role":"review"}`, http.StatusNoContent, nil)
			s.Call(http.MethodPatch, at+"/users/"+guestID, `{}`, http.StatusNoContent, nil)
			if diff := cmp.Diff([]string{"ada@example.org admin", "guest@example.org review",
				"reader@example.org edit"}, people(at+"/aggregate")); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"reader@example.org edit"}, people(at+"/aggregate?role=edit")); diff != "" {
				t.Error(diff)
			}
			s.Call(http.MethodPatch, at+"/users/"+guestID, `{"role":null}`, http.StatusNoContent, nil)
			s.CallAs(guest, http.MethodGet, object, nil, http.StatusNotFound, nil)
			s.Call(http.MethodDelete, at+"/users/"+guestID, nil, http.StatusNoContent, nil)
			s.Call(http.MethodDelete, at+"/users/"+guestID, nil, http.StatusNotFound, nil)
			s.Call(http.MethodPatch, at+"/users/"+guestID, `{"role":"read"}`, http.StatusNotFound, nil)

			s.Call(http.MethodPost, at, map[string]any{"teams": []string{team}, "role": "comment"},
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
			s.Call(http.MethodPatch, at+"/teams/"+team, `{"role":"read"}`, http.StatusNoContent, nil)
			s.CallAs(guest, http.MethodGet, object, nil, http.StatusOK, nil)
			s.Call(http.MethodDelete, at+"/teams/"+team, nil, http.StatusNoContent, nil)
			s.Call(http.MethodDelete, at+"/teams/"+team, nil, http.StatusNotFound, nil)
			s.CallAs(guest, http.MethodGet, object, nil, http.StatusNotFound, nil)
			s.Call(http.MethodDelete, at+"/users/"+readerID, nil, http.StatusNoContent, nil)
		}
		// What a collection grants holds for what is in it.
		s.Call(http.MethodPost, "/v1/collections/"+box+"/permissions", map[string]any{"users": []string{guestID},
			"role": "create"}, http.StatusNoContent, nil)
		var seen wireSpace
		s.CallAs(guest, http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &seen)
		if !seen.Permissions["merge"] || !seen.Permissions["viewInviteLinks"] || seen.Permissions["admin"] {
			t.Errorf("%+v", seen.Permissions)
		}
		if diff := cmp.Diff([]string{"Guide"}, titles(s, guest, "/v1/orgs/"+s.Organization+"/spaces")); diff != "" {
			t.Error(diff)
		}
		var made wireSpace
		s.CallAs(guest, http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", map[string]any{"title": "Theirs",
			"parent": box}, http.StatusCreated, &made)
		s.CallAs(guest, http.MethodPost, "/v1/orgs/"+s.Organization+"/spaces", map[string]any{"title": "Theirs"},
			http.StatusForbidden, nil)
		s.CallAs(guest, http.MethodPost, "/v1/spaces/"+space+"/permissions", map[string]any{"users": []string{guestID},
			"role": "admin"}, http.StatusForbidden, nil)
		s.CallAs(reader, http.MethodGet, "/v1/spaces/"+made.ID, nil, http.StatusOK, nil)
	})
}
