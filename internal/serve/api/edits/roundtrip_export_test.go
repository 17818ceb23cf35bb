package edits_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// foldedFront is front matter as somebody has written it by hand.
const foldedFront = "---\n# what it is\ndescription: >-\n  A description that\n  is folded by hand.\nicon: \"gear\"\n" +
	"foreign: [a,   b]   # kept\nhidden: false\n---\n"

// TestExportKeepsFrontMatter holds that front matter which nobody has changed comes out of an export as it went into
// the import, and that a field which is changed is written anew alone. Reading such a page and sending it back changes
// nothing, and a change request that is merged keeps the spelling, too.
func TestExportKeepsFrontMatter(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "book.zip", apptest.Zipped(t, map[string]string{
			".gitbook.yaml": "", "README.md": "# Start\n", "SUMMARY.md": "* [Start](README.md)\n* [A page](a.md)\n",
			"a.md": foldedFront + "\n# A page\n\nText.\n",
		}))
		base := "/v1/spaces/" + space
		exported := func(want string) {
			t.Helper()
			file := apptest.Unzipped(t, s.Call(http.MethodGet, base+"/content/export", nil, http.StatusOK,
				nil).Body)["a.md"]
			if diff := cmp.Diff(want+"\n# A page\n\nText.\n", file); diff != "" {
				t.Error(diff)
			}
		}
		exported(foldedFront)
		sentBack{s, base + "/content"}.all(t)
		exported(foldedFront)
		var found apptest.Page
		s.Call(http.MethodGet, base+"/content/path/a", nil, http.StatusOK, &found)
		s.Call(http.MethodPost, base+"/content",
			map[string]any{"changes": []any{map[string]any{"operation": "update_page", "page": found.ID,
				"icon": "book"}}}, http.StatusOK, nil)
		withIcon := strings.Replace(foldedFront, "icon: \"gear\"", "icon: book", 1)
		exported(withIcon)
		var request apptest.Identified
		s.Call(http.MethodPost, base+"/change-requests", `{"subject":"Words"}`, http.StatusCreated, &request)
		one := base + "/change-requests/" + request.ID
		s.Call(http.MethodPost, one+"/content",
			map[string]any{"changes": []any{map[string]any{"operation": "update_page", "page": found.ID,
				"description": "Short."}}}, http.StatusOK, nil)
		s.Call(http.MethodPost, base+"/content",
			map[string]any{"changes": []any{map[string]any{"operation": "update_page", "page": found.ID,
				"hidden": true}}}, http.StatusOK, nil)
		s.Call(http.MethodPatch, one, `{"status":"open"}`, http.StatusOK, nil)
		s.Call(http.MethodPost, one+"/update", nil, http.StatusOK, nil)
		s.Call(http.MethodPost, one+"/merge", nil, http.StatusOK, nil)
		exported(strings.NewReplacer("description: >-\n  A description that\n  is folded by hand.\n",
			"description: Short.\n", "hidden: false", "hidden: true").Replace(withIcon))
	})
}
