package generator

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnchors(t *testing.T) {
	words := []string{"⏱️ Hang", "Über & Co: x_y 1.2", "Über & Co: x_y 1.2", "10. Start", "C++ (new)"}
	for name, want := range map[Name][]string{
		MkDocs:     {"hang", "uber-co-x_y-12", "uber-co-x_y-12_1", "10-start", "c-new"},
		VitePress:  {"⏱️-hang", "uber-co-x-y-1-2", "uber-co-x-y-1-2-1", "_10-start", "c-new"},
		Docusaurus: {"️-hang", "über--co-x_y-12", "über--co-x_y-12-1", "10-start", "c-new"},
		Hugo:       {"-hang", "über--co-x_y-12", "über--co-x_y-12-1", "10-start", "c-new"},
		Sphinx:     {"hang", "uber-co-x-y-1-2", "uber-co-x-y-1-2-1", "start", "c-new"},
		Jekyll:     {"hang", "über--co-x_y-12", "über--co-x_y-12-1", "start", "c-new"},
	} {
		anchors := NewAnchors(name)
		var got []string
		for _, each := range words {
			got = append(got, anchors.Next(each))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules Rules
		page  Page
		want  []string
	}{
		{"mdBook", Rules{Name: MdBook}, Page{File: "ch/one.md"}, []string{"ch/one.html", "ch/one"}},
		{"mdBook's folder", Rules{Name: MdBook}, Page{File: "ch/README.md"},
			[]string{"ch/README.html", "ch", "ch/README"}},
		{"MkDocs", Rules{Name: MkDocs}, Page{File: "a/index.md"}, []string{"a", "a/index.html", "a/index"}},
		{"Docusaurus", Rules{Name: Docusaurus, Base: "docs"}, Page{File: "01-start/02-first-steps.md"},
			[]string{"docs/start/first-steps", "start/first-steps", "01-start/02-first-steps"}},
		{"an id", Rules{Name: Docusaurus}, Page{File: "1-a/b.md", FrontMatter: map[string]any{"id": "c"}},
			[]string{"a/c", "1-a/b"}},
		{"a slug", Rules{Name: Docusaurus, Base: "docs"}, Page{File: "a/b.md",
			FrontMatter: map[string]any{"slug": "/"}},
			[]string{"docs", "", "a/b"}},
		{"a slug in its folder", Rules{Name: Docusaurus}, Page{File: "a/b.md",
			FrontMatter: map[string]any{"slug": "x/y"}}, []string{"a/x/y", "a/b"}},
		{"a page of its folder's name", Rules{Name: Docusaurus}, Page{File: "a/A.md"}, []string{"a", "a/A"}},
		{"a version is no number for the order", Rules{Name: Docusaurus}, Page{File: "1.2/2024-01-02-x.md"},
			[]string{"1.2/2024-01-02-x"}},
		{"numbers that stay", Rules{Name: Docusaurus, KeepNumbers: true}, Page{File: "01-a.md"}, []string{"01-a"}},
		{"Hugo", Rules{Name: Hugo}, Page{File: "Docs/My Page.md", FrontMatter: map[string]any{
			"aliases": []any{"/old/", "older", "https://example.org/"}}}, []string{"docs/my-page", "old", "Docs/older",
			"Docs/My Page.html", "Docs/My Page"}},
		{"Hugo's url and slug", Rules{Name: Hugo}, Page{File: "docs/a.md", FrontMatter: map[string]any{"url": "/x/y/"}},
			[]string{"x/y", "docs/a.html", "docs/a"}},
		{"Jekyll", Rules{Name: Jekyll}, Page{File: "_docs/a.md", FrontMatter: map[string]any{
			"permalink": "/guide/a.html"}}, []string{"guide/a.html", "guide/a", "_docs/a.html", "_docs/a"}},
		{"VitePress", Rules{Name: VitePress, Rewrites: map[string]string{"p/a.md": "a.md"}}, Page{File: "p/a.md"},
			[]string{"a", "a.html", "p/a.html", "p/a"}},
		{"Starlight", Rules{Name: Starlight}, Page{File: "Guides/Set Up.mdx"}, []string{"guides/set-up",
			"Guides/Set Up"}},
		{"Sphinx", Rules{Name: Sphinx}, Page{File: "index.rst"}, []string{"index.html", "", "index"}},
		{"Asciidoctor", Rules{Name: Asciidoctor}, Page{File: "guide/a.adoc"}, []string{"guide/a.html", "guide/a"}},
		{"no generator", Rules{Name: Folders}, Page{File: "01-a/README.md"}, []string{"01-a", "01-a/README"}},
	} {
		if diff := cmp.Diff(test.want, test.rules.Addresses(test.page)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

func TestNames(t *testing.T) {
	if !Known(Hugo) || Known("gatsby") || Known("") || len(Names()) != 13 {
		t.Error("names")
	}
}
