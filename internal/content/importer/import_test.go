package importer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"archive/zip"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// dialectTree is a tree with every construct of the dialect's files.
var dialectTree = map[string]string{
	".gitbook.yaml": "root: ./content/\nredirects:\n  old/path: guide/setup.md\n  gone: nowhere.md\n",
	"content/SUMMARY.md": "# Docs\n\n* [Welcome](README.md)\n* [Guide](guide/README.md \"The guide\")\n  * [Set " +
		"up](guide/setup.md)\n  * [Names & (more)](<guide/odd name (1).md>)\n" +
		"\n## Reference <a href=\"#ref\" id=\"ref\"></a>\n\n* [API](ref/api.md)\n  * [Part](guide/setup.md#part)\n* " +
		"[Site](https://example.org/a_b)\n* ```yaml\n  type: builtin:openapi\n  title: Generated\n  props:\n    " +
		"models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pets\n  ```\n\n" +
		"***\n\n* [Last](last.md)\n",
	"content/README.md": "---\ndescription: >-\n  A start\nicon: rocket\ncover: " +
		".gitbook/assets/hero (1).png\ncoverY: 12\nlayout:\n  width: wide\n  title:\n    visible: false\nx-custom: " +
		"7\n---\n\n# Welcome\n\nSee [the guide](guide/), [set up](guide/setup.md#part), [setup " +
		"again](./guide/setup.md \"mention\") and [odd](<guide/odd name (1).md>).\n\n![](<.gitbook/assets/hero " +
		"(1).png>)\n\n{% include \".gitbook/includes/notice.md\" %}\n",
	"content/guide/README.md": "# Guide\n\n[Home](../) [me](./) [child](setup.md) [missing](nope.md) " +
		"[out](../../../etc/passwd) [anchor](setup.md#none) [group](../ref/)\n",
	"content/guide/setup.md": "---\nhidden: true\ntags:\n  - alpha\n  - tag: beta\n    primary: true\n" +
		"vars:\n  version: 1.5\n  name: x\nif: visitor.claims.unsigned.a === true\n---\n\n# Set up\n\n## Part\n\n{% " +
		"file src=\"../.gitbook/assets/manual.pdf\" %}\n\n{% content-ref url=\"./\" %}\n[.](./)\n{% endcontent-ref " +
		"%}\n\n" +
		"`[not](a-link.md)` and <a href=\"../ref/api.md\">html</a>\n\n```\n[not](../README.md)\n```\n\n[ref]: " +
		"../last.md\n\n[by reference][ref] [self](setup.md#part) [here](#part)\n",
	"content/guide/odd name (1).md": "# Names & (more)\n\ntext\n",
	"content/ref/api.md": "# API\n\n<figure><img src=\"../.gitbook/assets/hero (1).png\" " +
		"alt=\"a\"><figcaption></figcaption></figure>\n",
	"content/last.md":                      "# Last \\[updated\\]\n",
	"content/unlisted.md":                  "# Unlisted\n",
	"content/.gitbook/assets/hero (1).png": "\x89PNG\r\n\x1a\n",
	"content/.gitbook/assets/manual.pdf":   "%PDF",
	"content/.gitbook/assets/notes.md":     "# An asset, not a page\n",
	"content/.gitbook/includes/notice.md":  "---\ntitle: A notice\n---\n\nRead [setup](../../guide/setup.md).\n",
	"content/.gitbook/vars.yaml":           "product: Recto\ncount: 3\nbeta: true\n",
	"content/.gitbook/tags.yaml":           "- tag: alpha\n  label: Alpha\n",
	"elsewhere/README.md":                  "# Not part of the content\n",
}

func TestDialectTree(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaceID := h.newSpace(t)
		result := h.importFiles(t, spaceID, dialectTree)
		view := h.head(t, spaceID)
		want := `d readme: Welcome
d guide: Guide (The guide)
  d setup: Set up
  d names-and-more: Names & (more)
g ref: Reference
  d api: API
    l part: Part -> anchor page guide/setup#part
  l site: Site -> url https://example.org/a_b
  c generated: Generated
d last: Last [updated] (Last)
`
		want = strings.Replace(want, "names-and-more", "odd-name-1", 1)
		if diff := cmp.Diff(want, outline(t, view)); diff != "" {
			t.Error(diff)
		}
		all := described(t, view)
		for name, want := range map[string]string{
			"body of page:readme(document)": "See [the guide](/pages/{page:guide(document)}), [set " +
				"up](/pages/{page:guide/setup(document)}#part), [setup again](/pages/{page:guide/setup(document)} " +
				"\"mention\") and [odd](</pages/{page:guide/odd-name-1(document)}>).\n\n" +
				"![](/files/{file:.gitbook/assets/hero (1).png})\n\n{% include \"/reusable-content/{content:A " +
				"notice}\" %}\n",
			"body of page:guide(document)": "[Home](/pages/{page:readme(document)}) " +
				"[me](/pages/{page:guide(document)}) [child](/pages/{page:guide/setup(document)}) [missing](nope.md) " +
				"[out](../../../etc/passwd) [anchor](/pages/{page:guide/setup(document)}#none) " +
				"[group](/pages/{page:ref(group)})\n",
			"body of content:A notice": "Read [setup](/pages/{page:guide/setup(document)}).\n",
			"redirect /old/path": "\x01" +
				`{"kind":"redirect","target":{"kind":"page","page":"{page:guide/setup(document)}"},"path":"old/path"}`,
			"variables": "map[beta:true count:3 product:Recto]",
			"body of page:ref/api(document)": "<figure><img src=\"/files/{file:.gitbook/assets/hero (1).png}\" " +
				"alt=\"a\"><figcaption></figcaption></figure>\n",
			"body of page:guide/setup(document)": "## Part\n\n" +
				"{% file src=\"/files/{file:.gitbook/assets/manual.pdf}\" %}\n\n{% content-ref " +
				"url=\"/pages/{page:guide(document)}\" %}\n" +
				"[.](/pages/{page:guide(document)})\n{% endcontent-ref %}\n\n" +
				"`[not](a-link.md)` and <a href=\"/pages/{page:ref/api(document)}\">html</a>\n\n```\n" +
				"[not](../README.md)\n```\n\n" +
				"[ref]: /pages/{page:last(document)}\n\n[by reference][ref] " +
				"[self](/pages/{page:guide/setup(document)}#part) [here](#part)\n",
		} {
			got := strings.ReplaceAll(all[name], "(</pages/{page:guide/odd-name-1(document)}>)",
				"(</pages/{page:guide/odd-name-1(document)}>)")
			want = strings.ReplaceAll(want, "(</pages/{page:guide/odd-name-1(document)}>)",
				"(/pages/{page:guide/odd-name-1(document)})")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		var broken []string
		for _, note := range result.Report.Broken.Items {
			broken = append(broken, note.Place+" "+note.Target)
		}
		wantBroken := []string{"content/guide/README.md:3 nope.md", "content/guide/README.md:3 ../../../etc/passwd",
			"content/guide/README.md:3 setup.md#none", ".gitbook.yaml nowhere.md"}
		if diff := cmp.Diff(wantBroken, broken); diff != "" {
			t.Error(diff)
		}
		if got := result.Report.Skipped.Items; len(got) != 1 || got[0].Place != "content/unlisted.md" {
			t.Errorf("skipped: %v", got)
		}
		if result.Report.Pages != 10 || result.Report.Files != 4 || result.Report.ReusableContents != 1 ||
			result.ImportedResources != 15 || result.TotalResources != 16 {
			t.Errorf("counts: %+v", result)
		}
		checkRoundTrip(t, h, spaceID)
	})
}

// TestExportGivesTheFilesBack holds that what was imported comes out byte for byte where nothing has to change.
func TestExportGivesTheFilesBack(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, dialectTree)
	exported := h.export(t, spaceID)
	for name, want := range dialectTree {
		name, inside := strings.CutPrefix(name, "content/")
		switch {
		case !inside, name == "unlisted.md", name == "guide/README.md", name == "SUMMARY.md":
			continue
		case name == "guide/odd name (1).md":
			name = "guide/odd-name-1.md"
		case name == "ref/api.md":
			name = "ref/api/README.md" // it has a link below it
		}
		want = strings.ReplaceAll(want, "../ref/api.md", "../ref/api/")
		want = strings.ReplaceAll(want, "\"../.gitbook/assets/hero", "\"../../.gitbook/assets/hero")
		want = strings.ReplaceAll(want, "updated\\]", "updated]")
		want = strings.ReplaceAll(want, "<guide/odd name (1).md>", "guide/odd-name-1.md")
		want = strings.ReplaceAll(want, "(./guide/setup.md \"mention\")", "(guide/setup.md \"mention\")")
		got := exported[name]
		if strings.HasPrefix(want, "---") {
			// Front matter is written anew: the same keys in the order of the writer.
			_, want, _ = strings.Cut(want[3:], "\n---\n")
			_, got, _ = strings.Cut(got, "\n---\n")
		}
		if name == ".gitbook/vars.yaml" {
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFoldersMakeTheTree(t *testing.T) {
	files := map[string]string{
		"README.md": "Intro without a heading. [start](01-start/index.md) " +
			"[b](01-start/2-b.md#deep-part)",
		"01-start/index.md":       "# Start here\n",
		"01-start/10-c.md":        "# C\n",
		"01-start/2-b.md":         "# B\n\n### Deep  part\n",
		"01-start/img/x.PNG":      "png",
		"02-more/notes.md":        "---\ntitle: My notes\nsidebar_label: Notes\n---\n\ntext",
		"02-more/deep/er/page.md": "# Deep page\n",
		"02-more/last.md":         "---\nsidebar_position: 1\n---\n# First really\n",
		"02-more/_category_.json": `{"label": "More things", "position": 1}`,
		"guide.md":                "# The guide\n",
		"guide/part.md":           "# Part\n",
		"2025-news.md":            "# News\n",
		"page.html": "<html><head><title>HTML page</title></head><body><main><h1>From " +
			"HTML</h1><p>Text with <b>bold</b> and <a href=\"guide.md\">a link</a>.</p></main></body></html>",
		"guide.html":                 "<p>the same page in HTML</p>",
		"code/main.go":               "package main",
		"node_modules/x/README.md":   "# no",
		".github/README.md":          "# no",
		"02-more/deep/er/extra.json": "{}",
	}
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	result := h.importFiles(t, spaceID, files)
	want := `d readme: Readme
g more: More things
  d last: First really
  d deep: Deep
    d er: Er
      d page: Deep page
  d notes: My notes (Notes)
d start: Start here
  d b: B
  d c: C
d guide: The guide
  d part: Part
d page: From HTML
d 2025-news: News
`
	got := outline(t, h.head(t, spaceID))
	want = strings.Replace(want, "d guide: The guide\n  d part: Part\nd page: From HTML\nd 2025-news: News\n",
		"d 2025-news: News\nd guide: The guide\n  d part: Part\nd page: From HTML\n", 1)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	all := described(t, h.head(t, spaceID))
	if body := all["body of page:readme(document)"]; !strings.Contains(body, "(/pages/{page:start(document)})") ||
		!strings.Contains(body, "(/pages/{page:start/b(document)}#deep-part)") {
		t.Errorf("links: %s", body)
	}
	if body :=
		all["body of page:page(document)"]; body != "Text with **bold** and [a "+
		"link](/pages/{page:guide(document)}).\n" {
		t.Errorf("HTML: %q", body)
	}
	if result.Report.Files != 1 {
		t.Errorf("%d files; the image alone belongs to the content", result.Report.Files)
	}
	checkRoundTrip(t, h, spaceID)
}

func TestSinglePages(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	tests := []struct {
		request importer.Request
		body    string
		want    string
	}{
		{importer.Request{Source: importer.SourceMarkdown, Name: "my-page.md"}, "# One\n\ntext", "d my-page: One\n"},
		{importer.Request{Source: importer.SourceMarkdown}, "## Only a second level\n\ntext",
			"d page: Only a second level\n"},
		{importer.Request{Name: "x.markdown"}, "text", "d x: X\n"},
		{importer.Request{Name: "x.htm"}, "<p>text</p>", "d x: X\n"},
		{importer.Request{Source: importer.SourceHTML, Name: "../../etc/passwd"}, "<h1>T</h1><p>text</p>",
			"d passwd: T\n"},
		{importer.Request{}, "<!DOCTYPE html><title>T</title><p>text</p>", "d page: T\n"},
		{importer.Request{Source: importer.SourceMarkdown, Name: "a.zip"},
			string(pack(t, map[string]string{"a.md": "# A"})), "d a: A\n"},
		{importer.Request{}, string(pack(t, map[string]string{"repo-main/README.md": "# R",
			"repo-main/SUMMARY.md": "* [R](README.md)"})), "d readme: R\n"},
	}
	for _, test := range tests {
		spaceID := h.newSpace(t)
		test.request.Space, test.request.Upload = spaceID, strings.NewReader(test.body)
		if _, err := h.Import(t.Context(), h.admin, test.request, nil); err != nil {
			t.Errorf("%+v: %v", test.request, err)
			continue
		}
		if diff := cmp.Diff(test.want, outline(t, h.head(t, spaceID))); diff != "" {
			t.Errorf("%s: %s", test.body, diff)
		}
	}
	spaceID := h.newSpace(t)
	if _, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Upload: strings.NewReader("x"),
		Name: "a.docx"}, nil); !errs.Is(err, errs.Unsupported) {
		t.Errorf("a file of an unknown kind: %v", err)
	}
}

// TestHostileInputsChangeNothing holds that what is refused is refused with a message that says why, and that the
// space is as it was.
func TestHostileInputsChangeNothing(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, map[string]string{"README.md": "# Before\n"})
	before := h.head(t, spaceID).Revision().ID
	zipOf := func(entries ...zip.FileHeader) []byte {
		var buffer bytes.Buffer
		writer := zip.NewWriter(&buffer)
		for _, header := range entries {
			header.Method = zip.Deflate
			w, err := writer.CreateHeader(&header)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(w, "# Page\n")
		}
		writer.Close()
		return buffer.Bytes()
	}
	link := zip.FileHeader{Name: "README.md"}
	link.SetMode(fs.ModeSymlink | 0o777)
	var deepYAML strings.Builder
	deepYAML.WriteString("---\na: &a [x,x,x,x,x,x,x,x,x]\n")
	for c := 'b'; c < 'k'; c++ {
		fmt.Fprintf(&deepYAML, "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1, c-1,
			c-1, c-1, c-1)
	}
	deepYAML.WriteString("---\n# T\n")
	var summary, deepSummary strings.Builder
	for i := range 120_000 {
		fmt.Fprintf(&summary, "* [P](p%d.md)\n", i)
	}
	for i := range 200 {
		fmt.Fprintf(&deepSummary, "%s* [P](README.md)\n", strings.Repeat("  ", i))
	}
	files := func(pairs ...string) []byte {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return pack(t, m)
	}
	tests := map[string]struct {
		archive []byte
		want    string
	}{
		"not an archive":        {[]byte("PK\x03\x04 but damaged"), "not a ZIP"},
		"empty archive":         {files(), "no page"},
		"no page in it":         {files("a.txt", "x"), "no page"},
		"traversal":             {zipOf(zip.FileHeader{Name: "../x.md"}), "leads out"},
		"absolute":              {zipOf(zip.FileHeader{Name: "/x.md"}), "absolute"},
		"nothing but a symlink": {zipOf(link), "no page"},
		"twice":                 {zipOf(zip.FileHeader{Name: "a.md"}, zip.FileHeader{Name: "a.md"}), "twice"},
		"deep":                  {zipOf(zip.FileHeader{Name: strings.Repeat("d/", 10_000) + "x.md"}), "longer"},
		"name not UTF-8":        {zipOf(zip.FileHeader{Name: "caf\xe9.md"}), "UTF-8"},
		"body not UTF-8":        {files("README.md", "# Caf\xe9\n"), "README.md:1 is not UTF-8"},
		"UTF-16 body":           {files("README.md", "\xff\xfe#\x00 \x00T\x00"), "NUL"},
		"NUL":                   {files("README.md", "# T\n\na\x00b"), "README.md:3 holds a NUL byte"},
		"front matter no YAML":  {files("README.md", "---\na: [\n---\n# T"), "README.md: the front matter"},
		"YAML bomb":             {files("README.md", deepYAML.String()), "README.md"},
		"config no YAML":        {files(".gitbook.yaml", "root: [", "README.md", "# T"), "YAML"},
		"config leads out":      {files(".gitbook.yaml", "root: ../..", "README.md", "# T"), "leaves the folder"},
		"huge summary": {files(".gitbook.yaml", "", "SUMMARY.md", summary.String(), "README.md", "# T"),
			"SUMMARY.md"},
		"deep summary": {files(".gitbook.yaml", "", "SUMMARY.md", deepSummary.String(), "README.md", "# T"),
			"SUMMARY.md"},
		"deep book summary": {files("SUMMARY.md", "[Prefix](README.md)\n"+deepSummary.String(), "README.md", "# T"),
			"SUMMARY.md"},
		"large page": {files("README.md", "# T\n\n"+strings.Repeat("text\n\n", 200_000)),
			"README.md: the file has"},
		"bad variables": {files(".gitbook.yaml", "", ".gitbook/vars.yaml", "1x: y", "README.md", "# T"),
			"vars.yaml"},
		"bomb": {files("README.md", "# T", "a.bin", strings.Repeat("0", 70<<20)), "times its size"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Source: importer.SourceZIP,
				Upload: bytes.NewReader(test.archive)}, nil)
			if errs.KindOf(err) == errs.Internal || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want a refusal that says %q", err, test.want)
			}
			if after := h.head(t, spaceID).Revision().ID; after != before {
				t.Error("the space has changed")
			}
		})
	}
	imports, err := h.List(t.Context(), h.admin, h.organization, page(100))
	if err != nil || imports.Count != len(tests)+1 {
		t.Fatalf("%d records of %d imports, %v", imports.Count, len(tests)+1, err)
	}
	failed := 0
	for _, record := range imports.Items {
		if record.State == importer.Failed && record.Message != "" && record.Revision == "" {
			failed++
		}
	}
	if failed != len(tests) {
		t.Errorf("%d records of failed imports", failed)
	}
	if left, _ := os.ReadDir(h.temp); len(left) > 0 {
		t.Errorf("%d temporary files are left", len(left))
	}
}

// TestFailureHalfWayChangesNothing lets the reading fail after pages and files were taken.
func TestFailureHalfWayChangesNothing(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	before := h.head(t, spaceID).Revision().ID
	noise := make([]byte, 2000)
	for i := range noise {
		noise[i] = byte(i*i + i/7)
	}
	archive := pack(t, map[string]string{"README.md": "# A\n\n![](a.png) ![](b.png)", "a.png": string(noise[:1000]),
		"b.png": string(noise)})
	at := bytes.Index(archive, []byte("b.png"))
	archive[at+300] ^= 0xff // in the packed bytes of b.png
	_, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, Upload: bytes.NewReader(archive)}, nil)
	if err == nil {
		t.Fatal("a damaged archive was imported")
	}
	if after := h.head(t, spaceID).Revision().ID; after != before {
		t.Error("the space has changed")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	_, err = h.Import(ctx, h.admin, importer.Request{Space: spaceID, Upload: bytes.NewReader(pack(t, dialectTree))},
		func(p importer.Progress) {
			if p.Done == 5 {
				cancel(enough)
			}
		})
	if !errors.Is(err, enough) && !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled half-way: %v", err)
	}
	if after := h.head(t, spaceID).Revision().ID; after != before {
		t.Error("the space has changed")
	}
}

func TestImportingAgainUpdates(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	first := h.importFiles(t, spaceID, map[string]string{"README.md": "# A\n", "b.md": "# B\n\nold ![](i.png)",
		"c.md": "# C\n", "i.png": "one"})
	before := described(t, h.head(t, spaceID))
	tree, _ := h.head(t, spaceID).Pages(t.Context())
	ids := map[string]string{}
	for _, node := range tree.Ordered {
		ids[node.Path] = node.Entry.ID
	}
	same := h.importFiles(t, spaceID, map[string]string{"README.md": "# A\n", "b.md": "# B\n\nold ![](i.png)",
		"c.md": "# C\n", "i.png": "one"})
	if same.Revision != first.Revision {
		t.Error("the same files made another revision")
	}
	second := h.importFiles(t, spaceID, map[string]string{"README.md": "# A\n", "b.md": "# B two\n\nnew ![](i.png)",
		"bb.md": "# BB\n", "i.png": "two"})
	if second.Revision == first.Revision {
		t.Error("other files made no revision")
	}
	want := "d readme: A\nd b: B two\nd bb: BB\nd c: C\n"
	if diff := cmp.Diff(want, outline(t, h.head(t, spaceID))); diff != "" {
		t.Error(diff)
	}
	tree, _ = h.head(t, spaceID).Pages(t.Context())
	for _, node := range tree.Ordered {
		if id := ids[node.Path]; id != "" && id != node.Entry.ID {
			t.Errorf("%s has got another id", node.Path)
		}
	}
	after := described(t, h.head(t, spaceID))
	if before["file:i.png"] == after["file:i.png"] || after["file:i.png"] == "" {
		t.Errorf("the file was not replaced: %s", after["file:i.png"])
	}
}

func TestImportBelowAPage(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, map[string]string{"README.md": "# A\n", "b.md": "# B\n"})
	tree, _ := h.head(t, spaceID).Pages(t.Context())
	target := tree.Ordered[1].Entry.ID
	_, err := h.Import(t.Context(), h.admin, importer.Request{Space: spaceID, TargetPage: target,
		Upload: bytes.NewReader(pack(t, map[string]string{"x.md": "# X\n"}))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("d readme: A\nd b: B\n  d x: X\n", outline(t, h.head(t, spaceID))); diff != "" {
		t.Error(diff)
	}
	_, err = h.Import(t.Context(), h.admin, importer.Request{Space: spaceID,
		TargetPage: "page_00000000000000000000000000",
		Upload:     bytes.NewReader(pack(t, map[string]string{"x.md": "# X\n"}))}, nil)
	if !errs.Is(err, errs.NotFound) && !errs.Is(err, errs.Invalid) {
		t.Errorf("a page that is not there: %v", err)
	}
}

func TestWhoMayImport(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	request := func() importer.Request {
		return importer.Request{Space: spaceID, Upload: strings.NewReader("# A"), Name: "a.md"}
	}
	if _, err := h.Import(t.Context(), h.reader, request(), nil); !errs.Is(err, errs.Forbidden) {
		t.Errorf("a reader: %v", err)
	}
	locked, err := h.spaces.Create(t.Context(), h.admin, h.organization,
		space.NewSpace{Title: "L", EditMode: space.EditModeLocked})
	if err != nil {
		t.Fatal(err)
	}
	in := request()
	in.Space = locked.ID
	if _, err := h.Import(t.Context(), h.admin, in, nil); !errs.Is(err, errs.Conflict) {
		t.Errorf("a locked space: %v", err)
	}
	for name, bad := range map[string]importer.Request{
		"source":  {Space: spaceID, Source: "fax", URL: "https://example.org/"},
		"scheme":  {Space: spaceID, Source: importer.SourceWebsite, URL: "file:///etc/passwd"},
		"no URL":  {Space: spaceID, Source: importer.SourceWebsite},
		"auto":    {Space: spaceID, URL: "https://example.org/"},
		"limit":   {Space: spaceID, Source: importer.SourceWebsite, URL: "https://example.org/", Limit: -1},
		"private": {Space: spaceID, Source: importer.SourceMarkdown, URL: "http://10.0.0.1/x.md"},
		"page":    {Space: spaceID, TargetPage: "x", Upload: strings.NewReader("x")},
	} {
		if _, err := h.Import(t.Context(), h.admin, bad, nil); !errs.Is(err, errs.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPagesThatTheDialectRefusesAreKeptAsText holds that one page out of bounds does not spoil an import.
func TestPagesThatTheDialectRefusesAreKeptAsText(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	wide := "# Wide\n\n" + strings.Repeat("| a ", 300) + "|\n" + strings.Repeat("| - ", 300) + "|\n\n```\ncode\n```\n"
	result := h.importFiles(t, spaceID, map[string]string{"README.md": "# A\n", "wide.md": wide})
	body := described(t, h.head(t, spaceID))["body of page:wide(document)"]
	if !strings.HasPrefix(body, "````markdown\n| a") {
		t.Errorf("the body is %.60q", body)
	}
	if items := result.Report.NotUnderstood.Items; len(items) != 1 || !strings.Contains(items[0].Message,
		"plain text") {
		t.Errorf("not understood: %v", items)
	}
}

// TestBrokenLinksAreReportedOnce holds that a link which a line repeats is one broken link.
func TestBrokenLinksAreReportedOnce(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	result := h.importFiles(t, h.newSpace(t),
		map[string]string{"README.md": "# A\n\n[one](no.md) [two](no.md) [three](#no) [four](#no)\n\n[five](no.md)\n"})
	if broken := result.Report.Broken; broken.Total != 3 || len(broken.Items) != 3 {
		t.Errorf("broken: %v", broken)
	}
}
