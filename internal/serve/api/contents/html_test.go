package contents_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestHTML holds that a page is read as sites show it: its parts drawn, links leading into the app, files to where they
// are downloaded, and nothing in it that runs.
func TestHTML(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md": "# Welcome\n\nBegin with [the installation](install.md#linux), see [this](#here) and " +
				"[the site](https://example.com).\n\n## Here\n\n![A dot](.gitbook/assets/dot.png)\n\n" +
				"<script>alert(1)</script>\n\n[gone](gone.md)\n\n" +
				"{% hint style=\"info\" %}\nA hint.\n{% endhint %}\n",
			"install.md":              "# Install\n\n## Linux\n\nRun it.\n",
			"SUMMARY.md":              "# Summary\n\n* [Welcome](README.md)\n* [Install](install.md)\n",
			".gitbook/assets/dot.png": apptest.Pixel,
		}))
		base := "/v1/spaces/" + space + "/content"
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/pages", nil, 200, &tree)
		welcome, install := tree.Pages[0].ID, tree.Pages[1].ID
		var page struct {
			HTML, Markdown *string
			Document       any
		}
		first := s.Call(http.MethodGet, base+"/page/"+welcome+"?format=html", nil, 200, &page)
		if page.HTML == nil || page.Markdown != nil || page.Document != nil {
			t.Fatalf("the answer has another form: %s", first.Body)
		}
		for _, want := range []string{"/app/spaces/" + space + "/pages/" + install + "#linux", `href="#here"`,
			`href="https://example.com"`, "/v1/downloads/" + space + "/", "block-hint", "<svg"} {
			if !strings.Contains(*page.HTML, want) {
				t.Errorf("the page lacks %q: %s", want, *page.HTML)
			}
		}
		if strings.Contains(*page.HTML, "<script") || strings.Contains(*page.HTML, "# Welcome") {
			t.Errorf("the page holds what it must not: %s", *page.HTML)
		}
	})
}
