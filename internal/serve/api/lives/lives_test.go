package lives_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// draft is a change request with one page.
type draft struct {
	*apptest.Server
	space, request, page string
	// path is that of the page in the API, and live of its session.
	path, live string
}

// newDraft makes a page with a body in a change request.
func newDraft(s *apptest.Server, body string) *draft {
	s.T.Helper()
	d := &draft{Server: s, space: s.Space("Guide")}
	var request apptest.ChangeRequest
	s.Call(http.MethodPost, "/v1/spaces/"+d.space+"/change-requests", `{"subject":"Together"}`, http.StatusCreated,
		&request)
	d.request = request.ID
	var made struct {
		Changes []struct{ Page struct{ ID string } }
	}
	s.Call(http.MethodPost, d.base()+"/content?compat=false", map[string]any{"changes": []any{map[string]any{
		"operation": "insert_page", "title": "Page", "document": map[string]any{"markdown": body}}}}, http.StatusOK,
		&made)
	d.page = made.Changes[0].Page.ID
	d.path = d.base() + "/content/page/" + d.page
	d.live = d.path + "/live"
	return d
}

func (d *draft) base() string { return "/v1/spaces/" + d.space + "/change-requests/" + d.request }

// body is what the API says that the page has.
func (d *draft) body() string {
	d.T.Helper()
	var page struct{ Markdown string }
	d.Call(http.MethodGet, d.path+"?format=markdown", nil, http.StatusOK, &page)
	_, body, _ := strings.Cut(page.Markdown, "\n") // the title
	return strings.TrimSpace(body)
}

// bodyAt is what the page has in a revision.
func (d *draft) bodyAt(revision string) string {
	d.T.Helper()
	var page struct{ Markdown string }
	d.Call(http.MethodGet, "/v1/spaces/"+d.space+"/revisions/"+revision+"/page/"+d.page+"?format=markdown", nil,
		http.StatusOK, &page)
	return page.Markdown
}

// save puts a body there as somebody who does not take part, written on a revision.
func (d *draft) save(revision, body string) {
	d.T.Helper()
	d.Call(http.MethodPost, d.base()+"/content", map[string]any{"revision": revision, "changes": []any{map[string]any{
		"operation": "update_page", "page": d.page, "document": map[string]any{"markdown": body}}}}, http.StatusOK, nil)
}

// TestPeopleWriteTogether holds that what one types reaches the other, and the branch when somebody reads it.
func TestPeopleWriteTogether(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Hello")
		ben := s.Member(org.RoleEdit, "ben@example.org")
		a, b := s.Live(d.live, s.Token, "a"), s.Live(d.live, ben, "b")
		state := a.Hear("state")
		if other := b.Hear("state"); other.Session != state.Session || string(other.Node) != string(state.Node) {
			t.Fatalf("two sessions: %+v and %+v", state, other)
		}
		a.Type("one", 0, 6, " from Ada")
		if got := b.Hear("steps"); got.ID != "one" || got.Client != "a" || got.Version != 0 || len(got.Steps) != 1 ||
			got.User == nil || got.User.ID != s.UserOf(s.Token) {
			t.Errorf("Ben hears %+v", got)
		}
		b.Type("two", 0, 1, "Late ")
		if got := b.Hear("behind"); got.ID != "two" || got.Version != 1 {
			t.Errorf("a batch that is behind: %+v", got)
		}
		b.Type("two", 1, 1, "Ben says ")
		if got := a.Hear("steps"); got.ID != "one" {
			t.Errorf("Ada hears %+v, not her own batch", got)
		}
		if got := a.Hear("steps"); got.ID != "two" || got.Version != 1 {
			t.Errorf("Ada hears %+v", got)
		}
		// Sent twice counts once.
		b.Type("two", 1, 1, "Ben says ")
		b.Say(map[string]any{"type": "flush"})
		if got := b.Hear("revision"); got.Version != 2 {
			t.Errorf("after a flush: %+v", got)
		}
		if got := d.body(); got != "Ben says Hello from Ada" {
			t.Errorf("the page has %q", got)
		}
		a.Type("three", 2, 1, "And ")
		b.Hear("steps")
		if got := d.body(); got != "And Ben says Hello from Ada" {
			t.Errorf("a reader gets %q", got)
		}
	})
}

// TestListsHaveWhatIsTyped holds that lists of change requests tell of revisions that have what is typed, for the
// space and for the organization.
func TestListsHaveWhatIsTyped(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Hello")
		a := s.Live(d.live, s.Token, "a")
		begin := a.Hear("state")
		for i, list := range []string{"/v1/spaces/" + d.space + "/change-requests",
			"/v1/orgs/" + s.Organization + "/change-requests"} {
			a.Type(fmt.Sprint("typed-", i), int64(i), 1, "More ")
			a.Hear("steps")
			var found struct{ Items []struct{ Revision string } }
			s.Call(http.MethodGet, list+"?status=draft", nil, http.StatusOK, &found)
			if len(found.Items) != 1 || found.Items[0].Revision == begin.Revision {
				t.Fatalf("%s: %+v, begun at %s", list, found, begin.Revision)
			}
			if got := d.bodyAt(found.Items[0].Revision); strings.Count(got, "More ") != i+1 {
				t.Errorf("%s: its revision has %q", list, got)
			}
		}
	})
}

// TestTakesInWhatOthersSave holds that a session has what is saved beside it, and keeps both sides.
func TestTakesInWhatOthersSave(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "First\n\nSecond")
		a := s.Live(d.live, s.Token, "a")
		begin := a.Hear("state")
		a.Type("one", 0, 1, "My ")
		a.Hear("steps")
		d.save(begin.Revision, "First\n\nSecond, by the API")
		if got := a.Hear("steps"); got.Client != "server" || got.User != nil {
			t.Errorf("what was saved comes as %+v", got)
		}
		if got := d.body(); got != "My First\n\nSecond, by the API" {
			t.Errorf("the page has %q", got)
		}
	})
}

// TestOtherFieldsMove holds that a session goes on when others change the page's title, and hears of it.
func TestOtherFieldsMove(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := newDraft(s, "Alpha")
		a := s.Live(d.live, s.Token, "a")
		a.Hear("state")
		d.Call(http.MethodPost, d.base()+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "update_page", "page": d.page, "title": "Named"}}}, http.StatusOK, nil)
		a.Hear("page")
		a.Type("one", 0, 6, " by Ada")
		a.Hear("steps")
		a.Say(map[string]any{"type": "flush"})
		a.Hear("revision")
		if got := d.body(); !strings.Contains(got, "Alpha by Ada") {
			t.Errorf("the page has %q", got)
		}
	})
}
