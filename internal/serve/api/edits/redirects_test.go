package edits_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestPageRedirects makes addresses lead to a page in a change request, takes them away, and lists those that pages
// have left.
func TestPageRedirects(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		at := "/v1/spaces/" + space
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md": "# Start\n", "guide/README.md": "# Guide\n", "guide/install.md": "# Install\n",
			"SUMMARY.md": "* [Start](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n",
		}))
		editor := s.Member(org.RoleEdit, "editor@example.org")
		reader := s.Member(org.RoleRead, "reader@example.org")
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, at+"/content/pages", nil, 200, &tree)
		start, guide, install := tree.Pages[0].ID, tree.Pages[1].ID, tree.Pages[1].Pages[0].ID
		s.CallAs(editor, http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
		request := at + "/change-requests/1"
		content := request + "/content"
		write := func(changes string) (object, redirect string) {
			t.Helper()
			var done struct {
				Changes []struct{ Object, Redirect string }
			}
			s.CallAs(editor, http.MethodPost, content+"?compat=false", `{"changes":[`+changes+`]}`, 200, &done)
			return done.Changes[0].Object, done.Changes[0].Redirect
		}
		list := func(in, page string) (paths []string, ids map[string]string) {
			t.Helper()
			var answer struct {
				Items []struct{ ID, Path, LeftAt string }
			}
			s.CallAs(reader, http.MethodGet, in+"/content/page/"+page+"/redirects", nil, 200, &answer)
			ids = map[string]string{}
			for _, item := range answer.Items {
				left := ""
				if item.LeftAt != "" {
					left = " (left)"
				}
				paths = append(paths, item.Path+left)
				ids[item.Path] = item.ID
			}
			return paths, ids
		}
		insert := func(page, path string) string {
			return `{"operation":"insert_redirect","page":"` + page + `","path":"` + path + `"}`
		}

		object, id := write(insert(install, "/old/place/"))
		if object != "created_redirect" || !strings.HasPrefix(id, "redirect:") {
			t.Errorf("%s %s", object, id)
		}
		write(insert(install, "anleitung/größe") + `,` + insert(install, "once"))
		if again := func() string { _, id := write(insert(install, "old/place")); return id }(); again != id {
			t.Errorf("made twice: %s", again)
		}
		// A page that moves leaves its address, and below its new parent the old one, too.
		write(`{"operation":"update_page","page":"` + install + `","slug":"setup"}`)
		write(`{"operation":"update_page","page":"` + guide + `","slug":"manual"}`)
		want := []string{"anleitung/größe", "manual/install (left)", "old/place", "once"}
		paths, ids := list(request, install)
		if diff := cmp.Diff(want, paths); diff != "" {
			t.Errorf("redirects (-want +got):\n%s", diff)
		}
		if paths, _ := list(at, install); len(paths) > 0 {
			t.Errorf("main has %v", paths)
		}
		for _, path := range []string{"old/place", "guide/install", "anleitung%2Fgr%C3%B6%C3%9Fe"} {
			var found struct{ ID string }
			s.CallAs(reader, http.MethodGet, content+"/path/"+strings.ReplaceAll(path, "/", "%2F"), nil, 200, &found)
			if found.ID != install {
				t.Errorf("%s leads to %s", path, found.ID)
			}
		}
		// The change request says which addresses it adds.
		var changed struct {
			Changes []struct {
				Type       string
				Page       struct{ ID string }
				Attributes map[string]struct{ Before, After any }
			}
		}
		s.CallAs(reader, http.MethodGet, request+"/changes", nil, 200, &changed)
		for _, change := range changed.Changes {
			if change.Page.ID != install {
				continue
			}
			if diff := cmp.Diff([]any{"anleitung/größe", "old/place", "once"},
				change.Attributes["redirects"].After); diff != "" || change.Type != "page_edited" {
				t.Errorf("%s (-want +got):\n%s", change.Type, diff)
			}
		}

		for _, refused := range []struct {
			change, says string
			status       int
		}{
			{insert(start, "old/place"), "leads to the page \"Install\" already", 400},
			{insert(start, "guide/install"), "leads to the page \"Install\" already", 400},
			{insert(start, "manual/setup"), "is the address of the page \"Install\"", 400},
			{insert(start, " / "), "is empty", 400},
			{insert(start, "a//b"), "between slashes", 400},
			{insert(start, "a/../b"), "between slashes", 400},
			{insert(start, "a?b=c"), "no path of a page has", 400},
			{insert(start, "a\\u0000b"), "control character", 400},
			{insert("page_nobody", "new"), "there is no page", 404},
			{`{"operation":"delete_redirect","redirect":"` + start + `"}`, "there is no redirect", 404},
			{`{"operation":"delete_redirect"}`, "is missing", 400},
		} {
			s.Refused(http.MethodPost, content+"?compat=false", `{"changes":[`+refused.change+`]}`, refused.status,
				refused.says)
		}
		s.CallAs(reader, http.MethodPost, content, `{"changes":[`+insert(start, "new")+`]}`, http.StatusForbidden, nil)

		// Taken away they lead nowhere, whoever made them; another page may have the address then.
		object, _ = write(`{"operation":"delete_redirect","redirect":"` + ids["old/place"] + `"},` +
			insert(start, "old/place") + `,{"operation":"delete_redirect","redirect":"` + ids["manual/install"] + `"}`)
		if object != "deleted_redirect" {
			t.Error(object)
		}
		s.Call(http.MethodPost, request+"/merge", `{}`, 200, nil)
		if paths, _ := list(at, install); !cmp.Equal(paths, []string{"anleitung/größe", "once"}) {
			t.Errorf("install has %v", paths)
		}
		if paths, _ := list(at, start); !cmp.Equal(paths, []string{"old/place"}) {
			t.Errorf("start has %v", paths)
		}
		s.CallAs(reader, http.MethodGet, at+"/content/page/page_nobody/redirects", nil, http.StatusNotFound, nil)
	})
}

// TestPageOwner says who is asked about a page, which readers see, and which merges like other fields.
func TestPageOwner(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		at := "/v1/spaces/" + space
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{"README.md": "# Start\n"}))
		editor := s.Member(org.RoleEdit, "editor@example.org")
		reader := s.Member(org.RoleRead, "reader@example.org")
		user := func(secret string) string {
			t.Helper()
			var me struct{ ID string }
			s.CallAs(secret, http.MethodGet, "/v1/user", nil, 200, &me)
			return me.ID
		}
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, at+"/content/pages", nil, 200, &tree)
		page := tree.Pages[0].ID
		owner := func(in string) string {
			t.Helper()
			var answer struct{ Owner string }
			s.CallAs(reader, http.MethodGet, in+"/content/page/"+page, nil, 200, &answer)
			return answer.Owner
		}
		set := func(owner string) string {
			return `{"changes":[{"operation":"update_page","page":"` + page + `","owner":` + owner + `}]}`
		}
		s.CallAs(editor, http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
		request := at + "/change-requests/1"
		s.CallAs(editor, http.MethodPost, request+"/content?compat=false", set(`"`+user(reader)+`"`), 200, nil)
		if got := owner(request); got != user(reader) || owner(at) != "" {
			t.Errorf("the owner is %q", got)
		}
		// Another field that was changed on main meanwhile stays.
		s.Call(http.MethodPost, at+"/content", `{"changes":[{"operation":"update_page","page":"`+page+
			`","description":"About it."}]}`, 200, nil)
		s.Call(http.MethodPost, request+"/merge", `{}`, 200, nil)
		if got := owner(at); got != user(reader) {
			t.Errorf("after the merge it is %q", got)
		}
		stranger := s.Member(org.RoleGuest, "stranger@example.org")
		for _, refused := range []string{`"` + user(stranger) + `"`, `"user_00000000000000000000000000"`, `"ada"`} {
			s.Refused(http.MethodPost, at+"/content", set(refused), 400, "owner")
		}
		s.CallAs(reader, http.MethodPost, at+"/content", set(`null`), http.StatusForbidden, nil)
		s.Call(http.MethodPost, at+"/content", set(`null`), 200, nil)
		if got := owner(at); got != "" {
			t.Errorf("taken away it is %q", got)
		}
	})
}
