package contents_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestInclusionsByPathAreStable holds that an inclusion by the path of an export names the reusable content itself, so
// that every reader finds it, and that a page that was read comes back unchanged.
func TestInclusionsByPathAreStable(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		content := "/v1/spaces/" + space + "/content"
		var done struct{ Changes []apptest.ContentChange }
		write := func(changes ...map[string]any) {
			t.Helper()
			s.Call(http.MethodPost, content, map[string]any{"changes": changes}, http.StatusOK, &done)
		}
		write(map[string]any{"operation": "insert_reusable_content", "title": "Note",
			"document": map[string]any{"markdown": "Shared words.\n"}})
		note := done.Changes[0].ReusableContent
		write(map[string]any{"operation": "insert_page", "title": "Top",
			"document": map[string]any{"markdown": "{% include \".gitbook/includes/note.md\" %}\n"}})
		top := done.Changes[0].Page.(map[string]any)["id"].(string)
		write(map[string]any{"operation": "insert_page", "title": "Below", "into": top,
			"document": map[string]any{
				"markdown": "{% include \"../.gitbook/includes/note.md\" %}\n\n{% include \"../nothing.md\" %}\n"}})
		below := done.Changes[0].Page.(map[string]any)["id"].(string)
		for _, page := range []string{top, below} {
			at := content + "/page/" + page
			var read struct{ Markdown string }
			s.Call(http.MethodGet, at+"?format=markdown&format.markdown.refs=stable", nil, http.StatusOK, &read)
			if !strings.Contains(read.Markdown, `{% include "/reusable-content/`+note+`" %}`) {
				t.Errorf("stored: %s", read.Markdown)
			}
			s.Call(http.MethodGet, at+"?format=markdown&evaluated=true", nil, http.StatusOK, &read)
			if !strings.Contains(read.Markdown, "Shared words.") {
				t.Errorf("evaluated: %s", read.Markdown)
			}
			var found struct{ Items []struct{ ID string } }
			s.Call(http.MethodGet, "/v1/spaces/"+space+"/search?query=shared", nil, http.StatusOK, &found)
			if !slices.ContainsFunc(found.Items, func(item struct{ ID string }) bool { return item.ID == page }) {
				t.Errorf("a search does not find the page by what it includes: %+v", found)
			}
			for _, refs := range []string{"relative", "stable"} {
				var before, after struct{ Markdown string }
				s.Call(http.MethodGet, at+"?format=markdown&format.markdown.refs="+refs, nil, http.StatusOK, &before)
				write(map[string]any{"operation": "update_page", "page": page,
					"document": map[string]any{"markdown": before.Markdown}})
				s.Call(http.MethodGet, at+"?format=markdown&format.markdown.refs="+refs, nil, http.StatusOK, &after)
				if before.Markdown != after.Markdown {
					t.Errorf("sent back: %q, was %q", after.Markdown, before.Markdown)
				}
			}
		}
	})
}
