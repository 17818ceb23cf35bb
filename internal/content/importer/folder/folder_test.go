package folder

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

// open returns a tree of files.
func open(t testing.TB, files map[string]string) *filetree.Tree {
	t.Helper()
	var buffer bytes.Buffer
	archive := zip.NewWriter(&buffer)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[name])
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	tree, err := filetree.Zip(bytes.NewReader(buffer.Bytes()), int64(buffer.Len()), filetree.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func read(t testing.TB, files map[string]string) *source.Tree {
	t.Helper()
	tree, err := Read(t.Context(), open(t, files), Options{Name: "docs"}, &source.Texts{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func outline(tree *source.Tree) string {
	var out strings.Builder
	var show func(pages []*source.Page, indent string)
	show = func(pages []*source.Page, indent string) {
		for _, page := range pages {
			fmt.Fprintf(&out, "%s%c %s: %s", indent, page.Entry.Type[0], page.Entry.Slug, page.Entry.Title)
			if page.Entry.LinkTitle != "" {
				fmt.Fprintf(&out, " (%s)", page.Entry.LinkTitle)
			}
			if page.Target != "" {
				fmt.Fprintf(&out, " -> %s", page.Target)
			}
			out.WriteByte('\n')
			show(page.Children, indent+"  ")
		}
	}
	show(tree.Pages, "")
	return out.String()
}

func TestBookSummary(t *testing.T) {
	files := map[string]string{
		"book.toml": "[book]\ntitle = \"B\"\nsrc = \"text\"\n",
		"text/SUMMARY.md": "# Summary\n\n[Preface](preface.md)\n\n<!-- comment\n- [no](no.md)\n-->\n- [`One` & " +
			"*two*](one/README.md)\n    - [Sub](one/sub.md)\n        - [Deep](one/deep.md)\n    - [Draft]()\n\n# " +
			"Part *II*\n\n" +
			"1. [Three](three.md \"short\")\n* [Missing](missing.md)\n  * [Below missing](four.md)\n- " +
			"[Again](three.md)\n- [Anchored](three.md#x)\n\n---\n\n- [Web](https://example.org/)\n" +
			"[Contributors](misc/contributors.md)\n",
		"text/preface.md":    "# Preface\n",
		"text/one/README.md": "<!-- old -->\n\n<a id=\"old\"></a>\n\n## One and two\n\n### Part\n",
		"text/one/sub.md":    "text only", "text/one/deep.md": "# Deep\n",
		"text/three.md": "## Three\n\ntext\n\n## Other\n", "text/four.md": "## Not the title\n\n## Other\n",
		"text/misc/contributors.md": "# Contributors\n", "README.md": "# The repository's own\n", "text/x.png": "p",
		"theme/logo.png": "p",
	}
	tree := read(t, files)
	want := "d preface: Preface\nd one: One and two (One & two)\n  d sub: Sub\n    d deep: Deep\n  d : Draft\ng : " +
		"Part II\n  d three: Three (short)\n  d : Missing\n    d four: Below missing\n" +
		"  l : Again -> three.md\n  l : Anchored -> three.md#x\nl : Web -> https://example.org/\nd contributors: " +
		"Contributors\n"
	if diff := cmp.Diff(want, outline(tree)); diff != "" {
		t.Error(diff)
	}
	bodies := map[string]string{}
	tree.Walk(func(page, _ *source.Page) { bodies[page.Entry.Title] = page.Body.String() })
	if diff := cmp.Diff("<!-- old -->\n\n<a id=\"old\"></a>\n\n## Part\n", bodies["One and two"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("text\n\n## Other\n", bodies["Three"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("## Not the title\n\n## Other\n", bodies["Below missing"]); diff != "" {
		t.Error(diff)
	}
	if len(tree.Files) != 1 || tree.Files[0].Path != "text/x.png" {
		t.Errorf("files: %+v", tree.Files)
	}
	if tree.Report.Broken.Total != 1 || tree.Report.NotUnderstood.Total != 1 {
		t.Errorf("report: %+v", tree.Report)
	}
}

func TestBookChapters(t *testing.T) {
	files := map[string]string{
		"src/SUMMARY.md": "[A](a.md)\n",
		"listings/main.rs": "use std::io;\n// ANCHOR: here\nfn main() {\n    // ANCHOR: inner\n    run();\n    // " +
			"ANCHOR_END: inner\n}\n// ANCHOR_END: here\n",
		"listings/five.txt":   "1\n2\n3\n4\n5\n",
		"src/part.md":         "included [x](a.md) {{#include again.md}}",
		"src/again.md":        "twice",
		"src/loop.md":         "{{#include loop.md}}",
		"book.toml":           "",
		"src/a.md":            "",
		"src/latin.md":        "caf\xe9",
		"src/img/picture.png": "p",
	}
	tests := []struct{ name, chapter, want string }{
		{"anchor", "```rust\n{{#rustdoc_include ../listings/main.rs:here}}\n```\n",
			"```rust\nfn main() {\n    run();\n}\n```\n"},
		{"inner anchor", "> ```rust\n> {{#include ../listings/main.rs:inner}}\n> ```\n",
			"> ```rust\n>     run();\n> ```\n"},
		{"lines", "{{#include ../listings/five.txt:2:3}} {{#include ../listings/five.txt:4:}} {{#include " +
			"../listings/five.txt::2}} {{#include ../listings/five.txt:5}}\n", "2\n3 4\n5 1\n2 5\n"},
		{"no such file", "{{#include ../none.rs}}\n", "{{#include ../none.rs}}\n"},
		{"no such anchor", "{{#include ../listings/main.rs:none}}\n", "{{#include ../listings/main.rs:none}}\n"},
		{"out of the book", "{{#include ../../secret}}\n", "{{#include ../../secret}}\n"},
		{"escaped", "\\{{#include x.rs}}\n", "{{#include x.rs}}\n"},
		{"nested", "{{#include part.md}}\n", "included [x](a.md) twice\n"},
		{"itself", "{{#include loop.md}}\n", "{{#include loop.md}}\n"},
		{"not text", "{{#include latin.md}}\n", "{{#include latin.md}}\n"},
		{"playground", "{{#playground ../listings/five.txt editable}}\n", "```rust\n1\n2\n3\n4\n5\n```\n"},
		{"title", "{{#title Other}}# T\n", "# T\n"},
		{"attributes", "```rust,ignore,does_not_compile\nx\n```\n~~~toml,a\ny\n~~~\n```text\n```\n",
			"```rust\nx\n```\n~~~toml\ny\n~~~\n```text\n```\n"},
		{"hidden lines", "```rust\n# fn main() {\nlet a = 1; // # not\n#[derive(X)]\n## shown\n#\n#![x]\n# }\n```\n" +
			"```console\n# id\n```\n",
			"```rust\nlet a = 1; // # not\n#[derive(X)]\n# shown\n#![x]\n```\n```console\n# id\n```\n"},
		{"listing", "<Listing number=\"1-1\" file-name=\"src/a \\\"b\" caption=\"Use `x`\">\n\n```rust\nx\n```\n\n" +
			"</Listing>\n\nafter\n",
			"{% code title=\"src/a \\\" %}\n```rust\nx\n```\n{% endcode %}\n\nListing 1-1: Use `x`\n\nafter\n"},
		{"listing over lines", "<Listing number=\"2\"\ncaption=\"C\">\n\n```\nx\n```\n\n</Listing>\n",
			"```\nx\n```\n\nListing 2: C\n"},
		{"listing without caption", "<Listing file-name=\"f\">\n\n```\nx\n```\n\n</Listing>\n\nafter\n",
			"{% code title=\"f\" %}\n```\nx\n```\n{% endcode %}\n\nafter\n"},
		{"listing in a quote", "> <Listing file-name=\"f\">\n>\n> ```\n> x\n> ```\n>\n> </Listing>\n",
			"> {% code title=\"f\" %}\n> ```\n> x\n> ```\n> {% endcode %}\n>\n"},
		{"listing as text", "a <Listing> b\n`</Listing>`\n", "a <Listing> b\n`</Listing>`\n"},
		{"figure", "<figure>\n\n<img src=\"img/a b.png\" class=\"center\" alt=\"A\nB &amp; C\" />\n\n" +
			"<figcaption>Figure 1: `x`</figcaption>\n\n</figure>\n", "<figure><img src=\"img/a b.png\" alt=\"A B " +
			"&#x26; C\"><figcaption><p>Figure 1: <code>x</code></p></figcaption></figure>\n"},
		{"image with caption", "<img alt=\"A\" src=\"a.svg\" style=\"width: 50%;\">\n\n<span " +
			"class=\"caption\">Figure 2: The\n_very_ **same** `<x>`</span>\n", "<figure><img src=\"a.svg\" " +
			"alt=\"A\"><figcaption><p>Figure 2: The <em>very</em> <strong>same</strong> " +
			"<code>&lt;x&gt;</code></p></figcaption></figure>\n"},
		{"image in text", "see <img src=\"a.svg\" class=\"x\"/> here\n", "see <img src=\"a.svg\" alt=\"\"> here\n"},
		{"spans", "<span class=\"filename\">Filename: a.rs</span>\n\n<span class=\"caption\">Table: [x](y.md)</span>\n",
			"Filename: a.rs\n\nTable: [x](y.md)\n"},
		{"code is left alone", "```html\n<img src=\"x\" class=\"y\">\n<span class=\"caption\">z</span>\n```\n",
			"```html\n<img src=\"x\" class=\"y\">\n<span class=\"caption\">z</span>\n```\n"},
		{"nothing to do", "# T  \r\n\r\ntext\t\n<b>x</b>", "# T  \r\n\r\ntext\t\n<b>x</b>"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			book := &bookReader{files: open(t, files), report: &source.Report{}, place: func(file string) string {
				return file
			}}
			got := book.chapter("src/a.md", test.chapter)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			unresolved := strings.Count(got, "{{#") > 0 && test.name != "escaped"
			if unresolved != (book.report.NotUnderstood.Total > 0) {
				t.Errorf("reported: %v", book.report.NotUnderstood)
			}
		})
	}
}

func TestContentRoot(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"the root", map[string]string{"a.md": "# A"}, "d a: A\n"},
		{"one folder around", map[string]string{"repo/docs-1/a.md": "# A"}, "d a: A\n"},
		{"docs of a tool", map[string]string{"mkdocs.yml": "", "README.md": "# R", "docs/a.md": "# A"}, "d a: A\n"},
		{"src", map[string]string{"README.md": "# R", "LICENSE": "", "src/SUMMARY.md": "- [A](a.md)",
			"src/a.md": "# A"}, "d a: A\n"},
		{"the only table of contents", map[string]string{"README.md": "# R", "x/y/SUMMARY.md": "- [A](a.md)",
			"x/y/a.md": "# A"}, "d a: A\n"},
		{"configured", map[string]string{".gitbook.yaml": "root: ./x/", "README.md": "# R", "x/a.md": "# A"},
			"d a: A\n"},
		{"summary elsewhere", map[string]string{".gitbook.yaml": "structure:\n  summary: toc/ALL.md\n  readme: a.md",
			"a.md": "# A", "toc/ALL.md": "* [B](../b.md)", "b.md": "# B"}, "d a: A\nd b: B\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, outline(read(t, test.files))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	tree := read(t, map[string]string{
		".gitbook.yaml": "",
		"SUMMARY.md": "* [R](README.md)\n* [A](a/README.md)\n  * [B](<a/b c.md>)\n* [E](e.md)\n\n## Group\n\n* " +
			"[G](group/g.md)\n",
		"README.md": "# R", "a/README.md": "# A", "a/b c.md": "# B", "e.md": "# E", "group/g.md": "# G",
		"un.md":       "# U",
		"a/x%20y.txt": "x", "a/z.txt": "z", "a/#1.txt": "1",
	})
	tests := map[string]string{
		"README.md": "R", "./": "R", "": "R", "a/": "A", "a": "A", "a/README.md": "A", "a/index.html": "A",
		"a/b%20c.md": "B", "a/b c.md": "B", "a/b c": "B", "a/b c.html#x": "B#x",
		"/a/b c.md": "B", "e": "E", "e/": "E", "e.md#a%20b": "E#a b", "e.md?x=1#y": "E#y", "#top": "R#top",
		"group/": "Group", "group": "Group",
		"a/x%20y.txt": "file x%20y.txt", "a/x%2520y.txt": "file x%20y.txt", "a/z.txt": "file z.txt",
		"a/%231.txt": "file #1.txt",
		"un.md":      "broken: the table of contents does not name that page",
		"none.md":    "broken: there is no such page or file", "../x.md": "broken: it leads out of the content",
		"/../x":          "broken: it leads out of the content",
		"https://x.org/": "external", "mailto:a@b.c": "external", "//x.org/a": "external", "javascript:x": "external",
		"/pages/page_01jabcdefghjkmnpqrstvwxyz0": "external", "/files/x": "broken: there is no such page or file",
		"%zz.md": "broken: there is no such page or file",
	}
	for destination, want := range tests {
		resolution := tree.Resolve("README.md", destination)
		got := "external"
		switch resolution.Kind {
		case source.ToPage:
			got = resolution.Page.Entry.Title
			if resolution.Anchor != "" {
				got += "#" + resolution.Anchor
			}
		case source.ToFile:
			got = "file " + resolution.File.Name
		case source.Broken:
			got = "broken: " + resolution.Reason
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q", destination, got, want)
		}
	}
}

func TestCompareNames(t *testing.T) {
	names := []string{"10-b", "2-a", "A", "b", "a10", "a9", "a", "B", "1.10", "1.9", "", "01", "1"}
	slices.SortFunc(names, compareNames)
	want := []string{"", "01", "1", "1.9", "1.10", "2-a", "10-b", "A", "a", "a9", "a10", "B", "b"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutNumber(t *testing.T) {
	for _, test := range []struct {
		name     string
		siblings int
		want     string
	}{
		{"01-intro", 1, "intro"}, {"1-intro", 1, "1-intro"}, {"1-intro", 2, "intro"}, {"2. Set up", 5, "Set up"},
		{"03_x", 1, "x"},
		{"2025-news", 9, "2025-news"}, {"1.2", 5, "1.2"}, {"10", 5, "10"}, {"01-", 5, "01-"}, {"a-01", 5, "a-01"},
		{"1.2.3-notes", 5, "1.2.3-notes"},
	} {
		if got := withoutNumber(test.name, test.siblings); got != test.want {
			t.Errorf("withoutNumber(%q, %d) = %q, want %q", test.name, test.siblings, got, test.want)
		}
	}
}

// TestHostileTexts holds that texts made to cost much are read in bounded time or refused.
func TestHostileTexts(t *testing.T) {
	texts := map[string]string{
		"listings":      strings.Repeat("<Listing\n", 50_000),
		"spans":         strings.Repeat("<span class=\"caption\">\n", 40_000),
		"images":        strings.Repeat("<img ", 150_000),
		"figures":       strings.Repeat("<figure><img a>", 50_000),
		"directives":    strings.Repeat("{{#include src/a.md}}\n", 40_000),
		"open braces":   strings.Repeat("{{#", 200_000),
		"fences":        strings.Repeat("```rust,a\n", 80_000),
		"long fences":   strings.Repeat("`", 800_000),
		"self-includes": strings.Repeat("{{#include self.md}}", 100),
	}
	for name, text := range texts {
		start := time.Now()
		_, err := Read(t.Context(),
			open(t, map[string]string{"src/SUMMARY.md": "[A](a.md)", "src/a.md": "# A\n\n" + text,
				"src/self.md": text}), Options{Name: "docs"}, &source.Texts{})
		if err != nil && errs.KindOf(err) == errs.Internal {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%s takes %s", name, took)
		}
	}
	for name, text := range map[string]string{"links": strings.Repeat("- [", 300_000),
		"brackets": strings.Repeat("- [a](b\n", 100_000), "tabs": strings.Repeat("\t", 500_000) + "- [a](b)"} {
		start := time.Now()
		parseBookSummary(text)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("a summary of %s takes %s", name, took)
		}
	}
}

// TestHeadingIDsOfBooks holds that the ids that a book gives its headings are their anchors.
func TestHeadingIDsOfBooks(t *testing.T) {
	tree := read(t, map[string]string{"book.toml": "", "src/SUMMARY.md": "[A](a.md)\n",
		"src/a.md": "# A\n\n## One { #one .x }\n\n### Two {#two}\n\n## { three }\n\n```\n## c { #c }\n```\n"})
	want := "## One <a href=\"#one\" id=\"one\"></a>\n\n### Two <a href=\"#two\" id=\"two\"></a>\n\n" +
		"## { three }\n\n```\n## c { #c }\n```\n"
	if diff := cmp.Diff(want, tree.Pages[0].Body.String()); diff != "" {
		t.Error(diff)
	}
}
