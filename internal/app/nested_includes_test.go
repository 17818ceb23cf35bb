package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestContentsThatIncludeOneAnother holds that reusable contents which include each other make neither their page nor
// the text of the whole site fail, and that the page says in place that something is left out.
func TestContentsThatIncludeOneAnother(t *testing.T) {
	s := onSQLite(t, nil)
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
	space := s.space("Guide")
	s.upload(space, "guide.zip", zipped(t, files))
	site, _ := s.publishedSite("Docs", space)
	var shown struct{ URLs struct{ Published string } }
	s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/sites/"+site, nil, http.StatusOK, &shown)
	home := strings.TrimSuffix(shown.URLs.Published, "/") + "/"
	for path, want := range map[string][]string{
		"":              {"Before.", "In a.", "In b.", "More content is included here than can be shown", "After."},
		"index.md":      {"Before.", "In a.", "After."},
		"llms-full.txt": {"Before.", "More content is included here", "Another page."},
	} {
		got := s.raw(http.MethodGet, home+path, "", nil)
		if got.status != http.StatusOK {
			t.Errorf("%q: %d %.300s", path, got.status, got.body)
			continue
		}
		for _, text := range want {
			if !strings.Contains(string(got.body), text) {
				t.Errorf("%q lacks %q", path, text)
			}
		}
	}
	s.find(space, "another", 1)
}
