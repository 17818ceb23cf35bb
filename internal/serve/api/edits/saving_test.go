package edits_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestSavingDocuments saves a page of a change request as an editor does: as a document, on the revision that it was
// read from. Blocks that nobody touched keep their bytes, others' changes are taken in and said, and what two have
// changed is refused.
func TestSavingDocuments(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		const source = "Setext\n------\n\n*  One\n*  Two\n\nMiddle   of `it`.\n\n|a|b|\n|-|-|\n|1|2|\n\nLast.\n"
		space := s.Space("Guide")
		base := "/v1/spaces/" + space
		made := s.Call(http.MethodPost, base+"/content", `{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":`+
			quoted(source)+`}}]}`, http.StatusOK, nil)
		var update apptest.Updated
		if err := json.Unmarshal(made.Body, &update); err != nil {
			t.Fatal(err)
		}
		ids, _ := update.Pages(t)
		s.Call(http.MethodPost, base+"/change-requests", nil, http.StatusCreated, nil)
		request := base + "/change-requests/1"
		page := request + "/content/page/" + ids[0]

		var began struct{ Revision string }
		s.Call(http.MethodGet, request, nil, http.StatusOK, &began)
		var read struct{ Document json.RawMessage }
		s.Call(http.MethodGet, page, nil, http.StatusOK, &read)
		type saved struct {
			Revision string
			Parents  []string
		}
		save := func(on, old, now string, status int) saved {
			t.Helper()
			document := strings.Replace(string(read.Document), old, now, 1)
			var answer saved
			var out any
			if status == http.StatusOK {
				out = &answer
			}
			s.Call(http.MethodPost, request+"/content?compat=false", `{"revision":"`+on+
				`","changes":[{"operation":"update_page","page":"`+ids[0]+`","document":{"document":`+document+`}}]}`, status, out)
			return answer
		}
		body := func() string {
			t.Helper()
			var now struct{ Markdown string }
			s.Call(http.MethodGet, page+"?format=markdown", nil, http.StatusOK, &now)
			return now.Markdown
		}

		// Main tells the same of a write without a change request.
		var direct saved
		s.Call(http.MethodPost, base+"/content", `{"revision":"`+began.Revision+
			`","changes":[{"operation":"insert_page","title":"Beside"}]}`, http.StatusOK, &direct)
		if !slices.Equal(direct.Parents, []string{began.Revision}) {
			t.Errorf("a write on main stands on %v, not on %s", direct.Parents, began.Revision)
		}
		s.Call(http.MethodPost, base+"/content", `{"revision":"`+direct.Revision+`","changes":[{"operation":"update_page","page":"`+
			ids[0]+`","title":"Page"}]}`, http.StatusOK, &direct)
		if len(direct.Parents) > 0 {
			t.Errorf("a write on main that changed nothing stands on %v", direct.Parents)
		}
		if same := save(began.Revision, "", "", http.StatusOK); same.Revision != began.Revision {
			t.Errorf("saving what was read made the revision %s on %s", same.Revision, began.Revision)
		}
		first := save(began.Revision, "Last.", "The end.", http.StatusOK)
		if !slices.Equal(first.Parents, []string{began.Revision}) {
			t.Errorf("the first save stands on %v, not on %s", first.Parents, began.Revision)
		}
		if want := strings.Replace(source, "Last.", "The end.", 1); !strings.HasSuffix(body(), want) {
			t.Errorf("after the first save: %q, want %q", body(), want)
		}
		// Another writer has not seen the first save.
		second := save(began.Revision, "Two", "Three", http.StatusOK)
		if !slices.Equal(second.Parents, []string{first.Revision}) {
			t.Errorf("the second save stands on %v, not on %s", second.Parents, first.Revision)
		}
		if got := body(); !strings.Contains(got, "The end.") || !strings.Contains(got, "Three") {
			t.Errorf("after the second save: %q", got)
		}
		save(began.Revision, "Last.", "Another end.", http.StatusConflict)
		// Who changes nothing while others do is not told that it was them.
		idle := save(began.Revision, "", "", http.StatusOK)
		if idle.Revision != second.Revision || len(idle.Parents) > 0 {
			t.Errorf("saving nothing on an older revision: %+v", idle)
		}
	})
}

// quoted is a text as a JSON string.
func quoted(text string) string {
	source, _ := json.Marshal(text)
	return string(source)
}
