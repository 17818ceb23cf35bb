package contents_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// pageHistory is the part of an answer that the test looks at.
type pageHistory struct {
	Items []struct {
		ID, Type, Message string
		Author            struct{ DisplayName string }
		Changes           []struct {
			Type       string
			Page       struct{ Title, Path string }
			Attributes map[string]any
		}
	}
	Next *struct{ Page string }
}

func (p pageHistory) lines() (lines []string) {
	for _, item := range p.Items {
		var line strings.Builder
		line.WriteString(item.Type)
		for _, change := range item.Changes {
			line.WriteString(" " + change.Type + " " + change.Page.Path)
		}
		lines = append(lines, line.String())
	}
	return lines
}

func TestPageHistory(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md": "# Start\n\nThe fox.\n", "other.md": "# Other\n\nText.\n",
		}))
		base := "/v1/spaces/" + space
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/content/pages", nil, 200, &tree)
		start, other := tree.Pages[0], tree.Pages[1]
		request := base + "/change-requests/1"
		s.Call(http.MethodPost, base+"/change-requests", `{}`, http.StatusCreated, nil)
		for _, change := range []string{
			`{"operation":"update_page","page":"` + start.ID + `","document":{"markdown":"The dog."}}`,
			`{"operation":"update_page","page":"` + other.ID + `","title":"Else"}`,
			`{"operation":"update_page","page":"` + start.ID + `","slug":"begin","into":"` + other.ID + `"}`,
		} {
			s.Call(http.MethodPost, request+"/content", `{"changes":[`+change+`]}`, 200, nil)
		}
		history := func(of, page, query string) pageHistory {
			t.Helper()
			var answer pageHistory
			s.Call(http.MethodGet, of+"/content/page/"+page+"/revisions"+query, nil, 200, &answer)
			return answer
		}
		edited := history(request, start.ID, "")
		want := []string{"edits page_moved other/begin page_edited other/begin", "edits page_edited " + start.Path}
		if got := edited.lines(); !slices.Equal(want, got) || edited.Next != nil {
			t.Errorf("in the change request (-want +got):\n%s", cmp.Diff(want, got))
		}
		s.Call(http.MethodPost, request+"/merge", nil, 200, nil)
		merged := history(base, start.ID, "")
		want = []string{"merge page_moved other/begin page_edited other/begin", "edits page_created " + start.Path}
		if got := merged.lines(); !slices.Equal(want, got) {
			t.Errorf("in main (-want +got):\n%s", cmp.Diff(want, got))
		}
		newest := merged.Items[0]
		if _, text := newest.Changes[1].Attributes["document"]; !text || newest.Author.DisplayName == "" {
			t.Errorf("%+v", newest)
		}
		first := history(base, start.ID, "?limit=1")
		if len(first.Items) != 1 || first.Next == nil {
			t.Fatalf("%+v", first)
		}
		if rest := history(base, start.ID, "?page="+first.Next.Page); len(rest.Items) != 1 || rest.Next != nil ||
			rest.Items[0].ID != merged.Items[1].ID {
			t.Errorf("%+v", rest)
		}
		// A cursor is that of one page alone.
		s.Refused(http.MethodGet, base+"/content/page/"+other.ID+"/revisions?page="+first.Next.Page, nil, 400,
			"not a cursor of this list")
		s.Refused(http.MethodGet, base+"/content/page/page_nobody/revisions", nil, 404, "There is no page")

		// Who may not read the space reads no history of it.
		private := s.Space("Private")
		s.Call(http.MethodPatch, "/v1/spaces/"+private, `{"defaultLevel":null}`, 200, nil)
		reader := s.Member(org.RoleRead, "reader@example.org")
		_, stranger := s.Elsewhere()
		for _, token := range []string{reader, stranger, ""} {
			got := s.Raw(http.MethodGet, "/v1/spaces/"+private+"/content/page/"+start.ID+"/revisions", token, nil)
			if got.Status != http.StatusNotFound && got.Status != http.StatusUnauthorized {
				t.Errorf("status %d: %s", got.Status, got.Body)
			}
		}
	})
}
