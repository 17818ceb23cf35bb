package folder

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/source"
)

// TestPagesInOtherMarkup holds that a page that a program has made HTML of comes whole and in UTF-8, with what it
// includes, and that links to its file lead to it.
func TestPagesInOtherMarkup(t *testing.T) {
	var seen []string
	convert := func(_ context.Context, name string, text []byte) ([]byte, error) {
		seen = append(seen, name+": "+string(text))
		return []byte(`<body><h1>Käuze</h1><div><p>A.</p></div><div><h2 id="_b">Über</h2></div><div><p>C</p></div></body>`),
			nil
	}
	tree, err := Read(t.Context(), open(t, map[string]string{
		"index.adoc": "= X\n\ninclude::_parts/a.adoc[]\ninclude::gone.adoc[]\n", "_parts/a.adoc": "shared\n",
		"guide/b.adoc": "= B\n\ninclude::../_parts/a.adoc[]\n", "README.md": "# R\n",
	}), Options{Convert: convert}, &source.Texts{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"index.adoc: = X\n\nshared\n", "guide/b.adoc: = B\n\nshared\n"}, seen); diff != "" {
		t.Error(diff)
	}
	if found := tree.Report.Detected; found.Generator != "asciidoctor" || found.Because != "pages in AsciiDoc" {
		t.Errorf("detected %+v", found)
	}
	var page *source.Page
	tree.Walk(func(each, _ *source.Page) {
		if each.Base == "guide/b.adoc" {
			page = each
		}
	})
	if page.Entry.Title != "Käuze" || page.Body.String() != "A.\n\n## Über\n\nC\n" {
		t.Errorf("%q: %q", page.Entry.Title, page.Body.String())
	}
	if page.Addresses[0] != "guide/b.html" {
		t.Errorf("addresses %q", page.Addresses)
	}
	if found := tree.Resolve("README.md", "guide/b.adoc#_b"); found.Page != page {
		t.Errorf("a link leads to %+v", found)
	}
	if items := tree.Report.NotUnderstood.Items; len(items) != 1 || !strings.Contains(items[0].Message, "gone.adoc") {
		t.Errorf("not understood: %+v", items)
	}
}
