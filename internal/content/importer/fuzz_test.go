package importer_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// exportedAgain imports a page with a front matter and a body, exports it, and holds that an import of that gives the
// same content and the same export, and that the front matter is as it was.
func exportedAgain(t *testing.T, h *fixture, front, body string) {
	t.Helper()
	first := h.newSpace(t)
	tree := map[string]string{".gitbook.yaml": "", "README.md": "# Start\n\n[a](a.md)\n",
		"SUMMARY.md": "* [Start](README.md)\n* [A](a.md)\n", "a.md": front + "\n# A\n\n" + body}
	request := importer.Request{Space: first, Source: importer.SourceZIP, Upload: bytes.NewReader(pack(t, tree)),
		Name: "docs.zip"}
	if _, err := h.Import(t.Context(), h.admin, request, nil); err != nil {
		return // the file is refused
	}
	exported := h.export(t, first)
	if strings.HasPrefix(front, "---\n") && strings.HasSuffix(front, "\n---\n") && !strings.Contains(front, "slug") {
		if got := exported["a.md"]; !strings.HasPrefix(got, front) && strings.Count(front, "---") == 2 {
			t.Errorf("the front matter %q is %q", front, got)
		}
	}
	second := h.newSpace(t)
	h.importFiles(t, second, exported)
	if diff := cmp.Diff(described(t, h.head(t, first)), described(t, h.head(t, second))); diff != "" {
		t.Errorf("front matter %q, body %q: other content:\n%s", front, body, diff)
	}
	if diff := cmp.Diff(exported, h.export(t, second)); diff != "" {
		t.Errorf("front matter %q, body %q: another export:\n%s", front, body, diff)
	}
}

// TestRandomPagesAreExportedAsTheyWere is the law of FuzzExportImport for random pages.
func TestRandomPagesAreExportedAsTheyWere(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	r := rand.New(rand.NewPCG(3, 14))
	cases := propertytest.Cases(t, 60, 500) // a case is two imports and two exports
	for range cases {
		exportedAgain(t, h, randomFrontMatter(r), doctest.RandomBody(r))
		if t.Failed() {
			return
		}
	}
}

// FuzzExportImport holds that what is imported and exported is imported again as it was, for any front matter and body.
func FuzzExportImport(f *testing.F) {
	for _, front := range keptFrontMatter {
		f.Add(front, "Text with [a link](README.md).\n")
	}
	r := rand.New(rand.NewPCG(4, 15))
	for range 10 {
		f.Add("---\nfoo: bar\n---\n", doctest.RandomBody(r))
	}
	f.Fuzz(func(t *testing.T, front, body string) {
		// A file with a NUL is no text: it is left out, and named in the report.
		if len(front)+len(body) > 4096 || !utf8.ValidString(front+body) || strings.ContainsRune(front+body, 0) {
			return
		}
		exportedAgain(t, newFixture(t, dbtest.SQLite(t)), front, body)
	})
}
