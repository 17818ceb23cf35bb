package contents_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestContentsThatIncludeOneAnother holds that reusable contents which include each other make neither their page nor
// the text of the whole site fail, and that the page says in place that something is left out.
func TestContentsThatIncludeOneAnother(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	files := map[string]string{
		"README.md": "# Start\n\nBefore.\n\n{% include \".gitbook/includes/a.md\" %}\n\nAfter.\n",
		"other.md":  "# Other\n\nAnother page.\n",
	}
	names := strings.Split("abcdefghij", "")
	for _, name := range names {
		var body strings.Builder
		body.WriteString("---\ntitle: " + name + "\n---\n\nIn " + name + ".\n")
		for _, other := range names {
			if other != name {
				body.WriteString("\n{% include \"" + other + ".md\" %}\n")
			}
		}
		files[".gitbook/includes/"+name+".md"] = body.String()
	}
	space := s.Space("Guide")
	s.Upload(space, "guide.zip", apptest.Zipped(t, files))
	site, _ := s.PublishedSite("Docs", space)
	var shown struct{ URLs struct{ Published string } }
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/sites/"+site, nil, http.StatusOK, &shown)
	home := strings.TrimSuffix(shown.URLs.Published, "/") + "/"
	for path, want := range map[string][]string{
		"":              {"Before.", "In a.", "In b.", "More content is included here than can be shown", "After."},
		"index.md":      {"Before.", "In a.", "After."},
		"llms-full.txt": {"Before.", "More content is included here", "Another page."},
	} {
		got := s.Raw(http.MethodGet, home+path, "", nil)
		if got.Status != http.StatusOK {
			t.Errorf("%q: %d %.300s", path, got.Status, got.Body)
			continue
		}
		for _, text := range want {
			if !strings.Contains(string(got.Body), text) {
				t.Errorf("%q lacks %q", path, text)
			}
		}
	}
	s.Find(space, "another", 1)
}
