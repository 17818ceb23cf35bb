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

// TestRedirectsOfConfigurations holds that former addresses in the configurations of mdBook and MkDocs come along.
func TestRedirectsOfConfigurations(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a book": {"book.toml": "[output.html.redirect]\n\"/old/first.html\" = \"../ch/one.html#x\"\n\"/gone\" = " +
			"\"https://example.org/\"\n\"/two.html\" = \"/ch/one.html\"\n",
			"src/SUMMARY.md": "- [One](ch/one.md)\n", "src/ch/one.md": "# One\n\n## X\n"},
		"MkDocs": {"mkdocs.yml": "plugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old/first.md: " +
			"ch/one.md#x\n        gone.md: https://example.org/\n        two.md: ch/one.md\n",
			"docs/ch/one.md": "# One\n\n## X\n"},
	} {
		tree := read(t, files)
		got := map[string]string{}
		for _, each := range tree.Redirects {
			found := tree.Resolve(each.Base, each.Destination)
			to := each.Destination
			if found.Page != nil {
				to = found.Page.Entry.Title + "#" + found.Anchor
			}
			got[strings.TrimSuffix(each.From, ".html")] = to
		}
		want := map[string]string{"/old/first": "One#x", "/gone": "https://example.org/", "/two": "One#"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestThePageOfTheRootIsFirst holds that a page at the root of a site is at the root here, too, where the navigation
// has it below a part that has no page.
func TestThePageOfTheRootIsFirst(t *testing.T) {
	tree := read(t, map[string]string{
		"docs.json": `{"navigation": {"tabs": [{"tab": "T", "groups": [{"group": "G", "pages": ["index", "a"]}]}]}}`,
		"index.mdx": "---\ntitle: Home\n---\n", "a.mdx": "---\ntitle: A\n---\n",
	})
	if diff := cmp.Diff("d readme: Home\ng : T\n  d : G\n    d a: A\n", outline(tree)); diff != "" {
		t.Error(diff)
	}
	tree = read(t, map[string]string{
		"docs.json": `{"navigation": {"groups": [{"group": "G", "pages": ["index", "a"]}]}}`,
		"index.mdx": "---\ntitle: Home\n---\n", "a.mdx": "---\ntitle: A\n---\n",
	})
	if diff := cmp.Diff("g : G\n  d readme: Home\n  d a: A\n", outline(tree)); diff != "" {
		t.Error(diff)
	}
}

func TestWarningsOfBooks(t *testing.T) {
	tree := read(t, map[string]string{"book.toml": "", "src/SUMMARY.md": "- [A](a.md)\n",
		"src/a.md": "# A\n\n<div class=\"warning\">\n\nCareful *now*.\n\n<div>\nx\n</div>\n</div>\n\n" +
			"<div class=\"warning\">\n\nNo end\n"})
	want := "{% hint style=\"warning\" %}\n\nCareful *now*.\n\n<div>\nx\n</div>\n{% endhint %}\n\n" +
		"<div class=\"warning\">\n\nNo end\n"
	if diff := cmp.Diff(want, tree.Pages[0].Body.String()); diff != "" {
		t.Error(diff)
	}
}
