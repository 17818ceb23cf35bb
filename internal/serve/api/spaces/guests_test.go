package spaces_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// guestFixture is a collection with one space, both open to all members, and one space beside it.
type guestFixture struct {
	*apptest.Server
	box, inside, beside string
	page                string
}

func newGuestFixture(s *apptest.Server, level string) guestFixture {
	s.T.Helper()
	h := guestFixture{Server: s, box: s.Collection("Box "+level, "")}
	h.inside, h.beside = spaceIn(s, "Inside "+level, h.box), s.Space("Beside "+level)
	s.Call(http.MethodPatch, "/v1/collections/"+h.box, map[string]any{"defaultLevel": level}, http.StatusOK, nil)
	s.Call(http.MethodPatch, "/v1/spaces/"+h.beside, map[string]any{"defaultLevel": level}, http.StatusOK, nil)
	for _, space := range []string{h.inside, h.beside} {
		var written struct {
			Changes []struct{ Page apptest.Identified }
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content",
			`{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":"The word quokka."}}]}`,
			http.StatusOK, &written)
		h.page = written.Changes[0].Page.ID
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"Better","status":"open"}`,
			http.StatusCreated, nil)
		s.Upload(space, "more.md", []byte("# More\n\nWords.\n"))
	}
	return h
}

// TestDefaultLevelsAreForMembers holds, for every default level of spaces and collections, that a guest gets nothing of
// it by whatever way, and what a grant gives when there is one: to the person or their team, in the space or the
// collection.
func TestDefaultLevelsAreForMembers(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		guest, guestID := s.Person(org.RoleGuest, "guest@example.org")
		var fixtures []guestFixture
		for _, level := range []string{"read", "comment", "edit", "review", "create", "admin"} {
			fixtures = append(fixtures, newGuestFixture(s, level))
		}
		orgs := "/v1/orgs/" + s.Organization
		lists := []string{orgs + "/spaces", orgs + "/collections?nested=true", orgs + "/search?query=quokka",
			orgs + "/change-requests", "/v1/org/" + s.Organization + "/imports"}
		counts := func(token string) (found []int) {
			for _, path := range lists {
				var list struct {
					Items []map[string]any
					Count *int
				}
				s.CallAs(token, http.MethodGet, path, nil, http.StatusOK, &list)
				if list.Count != nil && *list.Count != len(list.Items) {
					t.Errorf("%s: count %d of %d", path, *list.Count, len(list.Items))
				}
				found = append(found, len(list.Items))
			}
			return found
		}
		if diff := cmp.Diff([]int{0, 0, 0, 0, 0}, counts(guest)); diff != "" {
			t.Errorf("a guest's lists: %s", diff)
		}
		for i, n := range counts(s.Token) {
			if n == 0 {
				t.Errorf("%s is empty for an admin: the test holds nothing", lists[i])
			}
		}
		var member struct{ Spaces int }
		s.Call(http.MethodGet, orgs+"/members/"+guestID, nil, http.StatusOK, &member)
		if member.Spaces != 0 {
			t.Errorf("a guest reads %d spaces", member.Spaces)
		}

		for _, h := range fixtures {
			h.closedTo(guest)
			everybody := h.emails(h.inside)
			if _, there := everybody["guest@example.org"]; there {
				t.Errorf("the guest is among everybody: %v", everybody)
			}
		}

		// What opens things to a guest is a grant, and it opens no more than it names.
		first := fixtures[2]
		share := func(object, body string) {
			t.Helper()
			s.Call(http.MethodPost, "/v1/"+object+"/permissions", body, http.StatusNoContent, nil)
		}
		share("spaces/"+first.beside, fmt.Sprintf(`{"users":[%q],"role":"read"}`, guestID))
		share("collections/"+first.box, fmt.Sprintf(`{"teams":[%q],"role":"comment"}`, s.Team("Friends", guestID)))
		if diff := cmp.Diff([]string{"Inside edit", "Beside edit"}, titles(s, guest, orgs+"/spaces")); diff != "" {
			t.Error(diff)
		}
		for space, want := range map[string]map[string]int{
			first.beside: {"content": 403, "comments": 403}, first.inside: {"content": 403, "comments": 200},
		} {
			s.CallAs(guest, http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, nil)
			s.CallAs(guest, http.MethodPost, "/v1/spaces/"+space+"/content",
				`{"changes":[{"operation":"insert_page","title":"Mine"}]}`, want["content"], nil)
			s.CallAs(guest, http.MethodPost, "/v1/spaces/"+space+"/comments", `{"body":{"markdown":"Hm."}}`,
				want["comments"], nil)
		}
		if got := first.emails(first.inside)["guest@example.org"]; got != "comment" {
			t.Errorf("among everybody the guest has %q", got)
		}
		// A space that is closed is closed for guests of its collection, too.
		s.Call(http.MethodPatch, "/v1/spaces/"+first.inside, `{"defaultLevel":null}`, http.StatusOK, nil)
		s.CallAs(guest, http.MethodGet, "/v1/spaces/"+first.inside, nil, http.StatusNotFound, nil)
		if diff := cmp.Diff([]string{"Beside edit"}, titles(s, guest, orgs+"/spaces")); diff != "" {
			t.Error(diff)
		}
	})
}

// closedTo asks in every way for what a guest was given nothing of.
func (h guestFixture) closedTo(guest string) {
	h.T.Helper()
	for _, space := range []string{h.inside, h.beside} {
		at := "/v1/spaces/" + space
		for _, path := range []string{
			"", "/content", "/content/pages", "/content/page/" + h.page, "/content/export", "/search?query=quokka",
			"/links", "/comments", "/change-requests", "/change-requests/1",
			"/permissions/users", "/pdf", "/revisions",
		} {
			if got := h.Raw(http.MethodGet, at+path, guest, nil); got.Status != http.StatusNotFound {
				h.T.Errorf("GET %s: a guest gets %d %.200s", path, got.Status, got.Body)
			}
		}
		for _, each := range [][3]string{
			{http.MethodPatch, "", `{"title":"Mine"}`},
			{http.MethodPost, "/content", `{"changes":[{"operation":"insert_page","title":"Mine"}]}`},
			{http.MethodPost, "/comments", `{"body":{"markdown":"Hm."}}`}, {http.MethodPost, "/change-requests", `{}`},
			{http.MethodPost, "/duplicate", ``},
			{http.MethodPost, "/move", `{"parent":null}`}, {http.MethodPost, "/change-requests/1/merge", ``},
			{http.MethodDelete, "", ``},
		} {
			if got := h.Try(each[0], at+each[1], guest, each[2]); got.Status != http.StatusNotFound {
				h.T.Errorf("%s %s: a guest gets %d %.200s", each[0], each[1], got.Status, got.Body)
			}
		}
	}
	for _, path := range []string{"", "/spaces", "/permissions/users"} {
		if got := h.Raw(http.MethodGet, "/v1/collections/"+h.box+path, guest, nil); got.Status != http.StatusNotFound {
			h.T.Errorf("GET collection%s: a guest gets %d %.200s", path, got.Status, got.Body)
		}
	}
	if got := h.Try(http.MethodPost, "/v1/orgs/"+h.Organization+"/spaces", guest, `{"title":"Mine","parent":"`+h.box+
		`"}`); got.Status != http.StatusNotFound {
		h.T.Errorf("a guest makes a space in the collection: %d %.200s", got.Status, got.Body)
	}
}

// emails are all with access to a space, with what they have.
func (h guestFixture) emails(space string) map[string]string {
	h.T.Helper()
	var list struct {
		Items []struct {
			Permission string
			User       struct{ Email string }
		}
	}
	h.Call(http.MethodGet, "/v1/spaces/"+space+"/permissions/aggregate", nil, http.StatusOK, &list)
	found := map[string]string{}
	for _, item := range list.Items {
		found[item.User.Email] = item.Permission
	}
	return found
}
