package edits_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// movedPages is the part of an answer that the test looks at.
type movedPages struct {
	Revision, TargetRevision string
	Pages                    []struct{ From, To string }
	Files, ReusableContents  int
	Linking                  []string
}

// TestMovingPagesToAnotherSpace moves a page with what is below it, what it uses and what leads to it.
func TestMovingPagesToAnotherSpace(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		from, to := s.Space("From"), s.Space("To")
		s.Upload(from, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md": "# Start\n\nSee [the guide](guide/README.md) and [install](guide/install.md#run).\n",
			"guide/README.md": "# Guide\n\n![A](../.gitbook/assets/a.png) [start](../README.md), " +
				"[install](install.md), [here](#top)\n\n{% include \"../.gitbook/includes/note.md\" %}\n",
			"guide/install.md": "# Install\n\n## Run\n\nRun it.\n",
			"SUMMARY.md": "* [Start](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)" +
				"\n",
			".gitbook/assets/a.png":      "bytes",
			".gitbook/includes/note.md":  "Mind ![A](../assets/a.png) and [start](../../README.md).\n",
			".gitbook/includes/other.md": "Stays.\n",
		}))
		s.Upload(to, "other.zip", apptest.Zipped(t, map[string]string{"guide.md": "# Guide\n\nAnother.\n"}))
		source, target := "/v1/spaces/"+from, "/v1/spaces/"+to
		pages := func(at string) (list []string, byPath map[string]string) {
			t.Helper()
			var tree struct{ Pages []apptest.Page }
			s.Call(http.MethodGet, at+"/pages", nil, 200, &tree)
			byPath = map[string]string{}
			var walk func([]apptest.Page)
			walk = func(all []apptest.Page) {
				for _, page := range all {
					list = append(list, page.Path)
					byPath[page.Path] = page.ID
					walk(page.Pages)
				}
			}
			walk(tree.Pages)
			return list, byPath
		}
		markdown := func(at, page string) string {
			t.Helper()
			var answer struct{ Markdown string }
			s.Call(http.MethodGet, at+"/page/"+page+"?format=markdown&format.markdown.refs=stable&metadata=false", nil,
				200, &answer)
			return answer.Markdown
		}
		paths, ids := pages(source + "/content")
		if diff := cmp.Diff([]string{"readme", "guide", "guide/install"}, paths); diff != "" {
			t.Fatal(diff)
		}
		guide, install, start := ids["guide"], ids["guide/install"], ids["readme"]
		for _, at := range []string{source, target} {
			s.Call(http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
		}
		request, other := source+"/change-requests/1", target+"/change-requests/1"
		move := func(pages, space, number string) string {
			return `{"pages":[` + pages + `],"target":{"space":"` + space + `","changeRequest":"` + number + `"}}`
		}

		// What cannot be is refused, and leaves all as it is.
		s.Refused(http.MethodPost, request+"/content/moves", move(`"`+guide+`"`, from, "1"), 400,
			"is the space that the pages")
		s.Refused(http.MethodPost, request+"/content/moves", move(`"page_nobody"`, to, "1"), 404, "there is no page")
		s.Refused(http.MethodPost, request+"/content/moves", move(`"`+guide+`"`, to, "7"), 404, "change request")

		var moved movedPages
		s.Call(http.MethodPost, request+"/content/moves", move(`"`+install+`","`+guide+`"`, to, "1"), 200, &moved)
		if len(moved.Pages) != 2 || moved.Pages[0].From != guide || moved.Pages[0].To != guide || moved.Files != 1 ||
			moved.ReusableContents != 1 || !cmp.Equal(moved.Linking, []string{start}) {
			t.Errorf("%+v", moved)
		}
		left, _ := pages(request + "/content")
		entered, there := pages(other + "/content")
		if diff := cmp.Diff([][]string{{"readme"}, {"guide", "guide-1", "guide-1/install"}}, [][]string{left,
			entered}); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		if there["guide-1"] != guide {
			t.Errorf("%v", there)
		}
		// Links go on leading where they did.
		if got := markdown(request+"/content", start); !strings.Contains(got, "(/spaces/"+to+"/pages/"+guide+")") ||
			!strings.Contains(got, "(/spaces/"+to+"/pages/"+install+"#run)") {
			t.Errorf("what stays: %s", got)
		}
		if got := markdown(other+"/content", guide); !strings.Contains(got,
			"[start](/spaces/"+from+"/pages/"+start+")") ||
			!strings.Contains(got, "[install](/pages/"+install+")") || !strings.Contains(got, "[here](#top)") ||
			!strings.Contains(got, "](/files/file_") || strings.Contains(got, "/spaces/"+from+"/files") {
			t.Errorf("what moves: %s", got)
		}
		var broken struct{ Items []any }
		s.Call(http.MethodGet, other+"/links?status=broken", nil, 200, &broken)
		if len(broken.Items) > 0 {
			t.Errorf("broken: %+v", broken.Items)
		}
		for _, at := range []string{other, request} {
			s.Call(http.MethodPost, at+"/merge", nil, 200, nil)
		}
		s.Call(http.MethodGet, source+"/links?status=broken", nil, 200, &broken)
		if len(broken.Items) > 0 {
			t.Errorf("broken: %+v", broken.Items)
		}
		// And back: the ids are free again.
		for _, at := range []string{source, target} {
			s.Call(http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
		}
		s.Call(http.MethodPost, target+"/change-requests/2/content/moves", move(`"`+guide+`"`, from, "2"), 200, &moved)
		if got := markdown(source+"/change-requests/2/content", guide); !strings.Contains(got,
			"[start](/pages/"+start+")") {
			t.Errorf("back: %s", got)
		}
		// The file is there already; the reusable content names the space by now, so it is another one.
		if moved.Files != 0 || moved.ReusableContents != 1 {
			t.Errorf("what came along: %+v", moved)
		}
	})
}

// TestWhoMovesPages tells the story of somebody who has a right on one of the two spaces alone.
func TestWhoMovesPages(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		from, to := s.Space("From"), s.Space("To")
		s.Upload(from, "a.md", []byte("# A\n\nText.\n"))
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, "/v1/spaces/"+from+"/content/pages", nil, 200, &tree)
		for _, space := range []string{from, to} {
			s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{}`, http.StatusCreated, nil)
		}
		others, stranger := s.Elsewhere()
		var foreign apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs/"+others+"/spaces", `{"title":"Theirs"}`, http.StatusCreated,
			&foreign)
		s.CallAs(stranger, http.MethodPost, "/v1/spaces/"+foreign.ID+"/change-requests", `{}`, http.StatusCreated, nil)
		guest := s.Member(org.RoleGuest, "guest@example.org")
		s.Call(http.MethodPost, "/v1/spaces/"+from+"/permissions", map[string]any{"users": []string{s.UserOf(guest)},
			"role": "edit"}, http.StatusNoContent, nil)
		reader := s.Member(org.RoleRead, "reader@example.org")
		try := func(token, space, target string) int {
			t.Helper()
			got := s.Try(http.MethodPost, "/v1/spaces/"+space+"/change-requests/1/content/moves", token,
				`{"pages":["`+tree.Pages[0].ID+`"],"target":{"space":"`+target+`","changeRequest":"1"}}`)
			return got.Status
		}
		for _, test := range []struct {
			name            string
			token, from, to string
			want            int
		}{
			{"a guest of the one space", guest, from, to, http.StatusNotFound},
			{"a reader of both", reader, from, to, http.StatusForbidden},
			{"a stranger", stranger, from, foreign.ID, http.StatusNotFound},
			{"a stranger who takes into theirs", stranger, foreign.ID, from, http.StatusNotFound},
			{"an admin of both organizations", s.Token, from, foreign.ID, http.StatusBadRequest},
		} {
			if got := try(test.token, test.from, test.to); got != test.want {
				t.Errorf("%s gets %d, want %d", test.name, got, test.want)
			}
		}
		s.Call(http.MethodPost, "/v1/spaces/"+to+"/permissions", map[string]any{"users": []string{s.UserOf(guest)},
			"role": "edit"}, http.StatusNoContent, nil)
		if got := try(guest, from, to); got != http.StatusOK {
			t.Errorf("a guest of both gets %d", got)
		}
		// Nothing moves twice, and nothing into what is merged.
		if got := try(guest, from, to); got != http.StatusNotFound {
			t.Errorf("what is gone: %d", got)
		}
	})
}
