package notion

import (
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

var update = flag.Bool("update", false, "write the golden files anew")

// ids of the pages in the tests.
const (
	idA = "0123456789abcdef0123456789abcd0a"
	idB = "0123456789abcdef0123456789abcd0b"
	idC = "0123456789abcdef0123456789abcd0c"
	idD = "0123456789abcdef0123456789abcd0d"
	idE = "0123456789abcdef0123456789abcd0e"
)

// markdownExport is an export as "Markdown & CSV" writes it.
var markdownExport = map[string]string{
	"Garden " + idA + ".md": "# Garden: all of it\n\nWelcome. See [Roses](Garden%20" + idA + "/Roses%20" + idB +
		".md), [Beds](Garden%20" + idA + "/Beds%20" + idC +
		".csv) and\n[by address](https://www.notion.so/acme/Roses-" + idB + "), [gone](Gone.md).\n\n" +
		"<aside>\n⚠️ Wear gloves.\n\n- thorns\n\n</aside>\n\n<aside>\n💡\n\nWater at night.\n\n</aside>\n\n# Tools\n\n" +
		"- Toggle\n    \n    inside **it**\n    \n- [x]  rake\n- [ ]  hoe\n\n```bash\n# not a heading\n<aside>\n```\n" +
		"\n## Small\n\n![a rose](Garden%20" + idA + "/rose%20red.png)\n\n$$\nx^2\n$$\n",
	"Garden " + idA + "/Roses " + idB +
		".md": "# Roses\n\nBack to [the garden](../Garden%20" + idA + ".md).\n",
	"Garden " + idA + "/rose red.png":         "png",
	"Garden " + idA + "/unused.png":           "png",
	"Garden " + idA + "/Beds " + idC + ".csv": "\ufeffName,Sun\nNorth bed,no\n",
	"Garden " + idA + "/Beds " + idC +
		"_all.csv": "\ufeffName,Sun,Notes\nNorth bed,no,\"two\nlines | and a bar\"\nSouth bed,yes,\n",
	"Garden " + idA + "/Beds " + idC + "/North bed " + idD +
		".md": "# North bed\n\nSun: no\nTags: cold, wet\n\nIt is dark here.\n",
	"Private & Shared/Diary " + idE + ".md":                                   "# Diary\n\nDay one.\n",
	"Private & Shared/Diary " + idE + "/Deep folder/Day " + idE[:31] + "f.md": "# Day\n\nx\n",
}

// htmlExport is an export as "HTML" writes it.
var htmlExport = map[string]string{
	"index.html": "<html><body><ul><li><a href=\"Garden.html\">Garden</a></li></ul></body></html>",
	"Garden " + idA +
		".html": `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>Garden</title><style>.x{}</style></head><body><article id="01234567-89ab-cdef-0123-456789abcd0a" class="page sans">` +
		`<header><img class="page-cover-image" src="Garden%20` + idA +
		`/cover.jpg" style="object-position:center 40%"/><div class="page-header-icon undefined"><span class="icon">🌹</span></div><h1 class="page-title">Garden: all of it</h1><p class="page-description">What grows.</p>` +
		`<table class="properties"><tbody><tr class="property-row property-row-multi_select"><th><span class="icon property-icon"><svg viewBox="0 0 14 14"></svg></span>Tags</th><td><span class="selected-value select-value-color-blue">cold</span><span class="selected-value">wet</span></td></tr></tbody></table></header>` +
		`<div class="page-body"><nav id="t" class="block-color-gray table_of_contents"><div class="table_of_contents-item"><a href="#h">Tools</a></div></nav>` +
		`<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex" id="c1"><div style="font-size:1.5em"><span class="icon">⚠️</span></div><div style="width:100%"><p id="p1">Wear <strong>gloves</strong>.</p></div></figure>` +
		`<h1 id="h1-tools">Tools</h1>` +
		`<ul id="l1" class="bulleted-list"><li style="list-style-type:disc">rake</li></ul><ul id="l2" class="bulleted-list"><li style="list-style-type:disc">hoe<ul id="l3" class="bulleted-list"><li>small</li></ul></li></ul>` +
		`<ol type="1" id="o1" class="numbered-list" start="1"><li>dig</li></ol><ol type="1" id="o2" class="numbered-list" start="2"><li>plant</li></ol>` +
		`<ul id="d1" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">weed</span></li></ul><ul id="d2" class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">water</span></li></ul>` +
		`<ul id="g1" class="toggle"><li><details open=""><summary>More</summary><p>inside</p></details></li></ul>` +
		`<figure id="k1" class="link-to-page"><a href="Garden%20` + idA + `/Roses%20` + idB +
		`.html"><span class="icon">📄</span>Roses</a></figure>` +
		`<figure id="i1" class="image"><a href="Garden%20` + idA +
		`/rose%20red.png"><img style="width:192px" src="Garden%20` + idA +
		`/rose%20red.png"/></a><figcaption>A rose</figcaption></figure>` +
		`<pre id="s1" class="code"><code class="language-Bash">rake --all</code></pre>` +
		`<figure id="e1" class="equation"><style>@import url('https://example.org/katex.min.css')</style><div class="equation-container"><span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span></span></span></div></figure>` +
		`<figure id="b1"><a href="https://example.org/roses" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">All about roses</div><div class="bookmark-description">Long.</div></div></div></a></figure>` +
		`<div id="x1" class="column-list"><div id="x2" style="width:50%" class="column"><p>left</p></div><div id="x3" style="width:50%" class="column"><p>right</p></div></div>` +
		`<table class="collection-content"><thead><tr><th><span class="icon property-icon"></span>Name</th><th>Sun</th></tr></thead><tbody><tr id="r1"><td class="cell-title"><a href="Garden%20` + idA + `/Roses%20` + idB + `.html">Roses</a></td><td>yes</td></tr></tbody></table>` +
		`<p>See <a href="https://www.notion.so/Roses-` + idB +
		`?pvs=21">roses</a>, <mark class="highlight-red">now</mark>.</p></div></article></body></html>`,
	"Garden " + idA + "/Roses " + idB +
		".html": `<html><body><article class="page sans"><header><h1 class="page-title">Roses</h1></header><div class="page-body"><p>Red.</p></div></article></body></html>`,
	"Garden " + idA + "/rose red.png": "png",
	"Garden " + idA + "/cover.jpg":    "jpg",
}

func pack(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(t testing.TB, files map[string]string) *filetree.Tree {
	t.Helper()
	packed := pack(t, files)
	tree, err := filetree.Zip(bytes.NewReader(packed), int64(len(packed)), filetree.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func describe(tree *source.Tree) string {
	var out strings.Builder
	depth := map[*source.Page]int{}
	tree.Walk(func(page, parent *source.Page) {
		if parent != nil {
			depth[page] = depth[parent] + 1
		}
		e := page.Entry
		fmt.Fprintf(&out, "===== %s%s (%s) %s%s\n%s", strings.Repeat("> ", depth[page]), e.Title, e.Type, e.Emoji,
			e.Description, page.Body)
		for _, use := range links.All([]byte(page.Body.String())) {
			if found := tree.Resolve(page.Base, use.Destination); found.Kind == source.ToPage {
				fmt.Fprintf(&out, "-> page %s\n", found.Page.Entry.Title)
			} else if found.Kind == source.ToFile {
				fmt.Fprintf(&out, "-> file %s\n", found.File.Name)
			} else if found.Kind == source.Broken {
				fmt.Fprintf(&out, "-> broken %s\n", use.Destination)
			}
		}
	})
	out.WriteString("===== files\n")
	for _, file := range tree.Files {
		fmt.Fprintf(&out, "%s\n", file.Place)
	}
	for _, note := range append(tree.Report.Skipped.Items, tree.Report.NotUnderstood.Items...) {
		fmt.Fprintf(&out, "%s: %s\n", note.Place, note.Message)
	}
	return out.String()
}

func TestExports(t *testing.T) {
	inner := string(pack(t, markdownExport))
	for name, files := range map[string]map[string]string{
		"markdown": markdownExport, "html": htmlExport,
		"parts": {"Export-1/ExportBlock-Part-1.zip": inner,
			"Export-1/ExportBlock-Part-2.zip": string(pack(t, map[string]string{"index.html": "<html></html>",
				"Second " + idE + ".md": "# Second\n"}))},
	} {
		t.Run(name, func(t *testing.T) {
			archive := open(t, files)
			if !Is(archive) {
				t.Error("it is not recognised")
			}
			temp := t.TempDir()
			tree, err := Read(t.Context(), archive, &source.Texts{Dir: temp})
			if err != nil {
				t.Fatal(err)
			}
			got := describe(tree)
			file := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, taken := range tree.Files {
				content, err := taken.Open()
				if err != nil {
					t.Fatal(err)
				}
				if data, err := io.ReadAll(content); err != nil || len(data) == 0 {
					t.Errorf("%s: %q, %v", taken.Place, data, err)
				}
				content.Close()
			}
			if err := tree.Close(); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestNotAnExport(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"plain pages": {"README.md": "# A\n", "b.md": "# B\n"}, "nothing": {"a.png": "x"},
	} {
		if Is(open(t, files)) {
			t.Errorf("%s is recognised as an export", name)
		}
	}
	if _, err := Read(t.Context(), open(t, map[string]string{"a.png": "x"}), &source.Texts{Dir: t.TempDir()}); !errs.Is(
		err, errs.Invalid) {
		t.Errorf("without pages: %v", err)
	}
}

func TestHostileExports(t *testing.T) {
	many := map[string]string{}
	for i := range maxParts + 1 {
		many[fmt.Sprintf("Export-Part-%d.zip", i)] = "PK"
	}
	for name, test := range map[string]struct {
		files map[string]string
		kind  errs.Kind
	}{
		"part that is no archive": {map[string]string{"Export-Part-1.zip": "PK\x03\x04 no"}, errs.Invalid},
		"part with a trap": {
			map[string]string{"Export-Part-1.zip": string(pack(t, map[string]string{"../a.md": "x"}))}, errs.Invalid},
		"part that is a bomb": {
			map[string]string{
				"Export-Part-1.zip": string(pack(t, map[string]string{"a.md": strings.Repeat("a", 90<<20)})),
			}, errs.TooLarge},
		"many parts": {many, errs.TooLarge},
		"not UTF-8":  {map[string]string{"A " + idA + ".md": "\xff\xfe"}, errs.Invalid},
		"huge page": {map[string]string{"A " + idA + ".md": strings.Repeat("a b\n", 5<<20)},
			errs.TooLarge},
		"deep HTML": {map[string]string{"A " + idA + ".html": strings.Repeat("<div>", 5000)},
			errs.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			temp := t.TempDir()
			packed := pack(t, test.files)
			limits := filetree.DefaultLimits
			limits.Ratio = 1 << 30
			archive, err := filetree.Zip(bytes.NewReader(packed), int64(len(packed)), limits)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = Read(t.Context(), archive, &source.Texts{Dir: temp}); !errs.Is(err, test.kind) {
				t.Errorf("error %v, want kind %v", err, test.kind)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestLargeDatabasesAreCut(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("Name,Text\n")
	for i := range 20_000 {
		fmt.Fprintf(&rows, "row %d,%s\n", i, strings.Repeat("x", 80))
	}
	tree, err := Read(t.Context(), open(t, map[string]string{"Big " + idA + ".csv": rows.String()}),
		&source.Texts{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if tree.Pages[0].Body.Len() > 1<<20 || tree.Report.NotUnderstood.Total != 1 {
		t.Errorf("%d bytes, %v", tree.Pages[0].Body.Len(), tree.Report.NotUnderstood)
	}
}
