package hypertext

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

var update = flag.Bool("update", false, "write the golden files")

func parse(t testing.TB, text string) *html.Node {
	t.Helper()
	root, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestGolden converts pages as the common generators write them. The golden files show the title, the Markdown, where
// anchors lead, and what was lost.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test pages: %v", err)
	}
	address, _ := url.Parse("https://docs.example.org/widget/page.html")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			result := Convert(Content(parse(t, string(page)), address), Options{})
			var got strings.Builder
			fmt.Fprintf(&got, "title: %s\n", result.Title)
			for _, id := range slices.Sorted(maps.Keys(result.Anchors)) {
				anchor := ""
				if node := result.Anchors[id]; node != nil {
					anchor = node.ID
				}
				fmt.Fprintf(&got, "anchor: %s -> %s\n", id, anchor)
			}
			for _, what := range slices.Sorted(maps.Keys(result.Lost)) {
				fmt.Fprintf(&got, "lost: %s\n", what)
			}
			fmt.Fprintf(&got, "\n%s", markdown.Write(result.Document))
			golden := strings.TrimSuffix(file, ".html") + ".golden.md"
			if *update {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Error(diff)
			}
			checkConverted(t, result)
		})
	}
}

// checkConverted holds that the written document is read back as the same.
func checkConverted(t testing.TB, result Result) {
	t.Helper()
	written := markdown.Write(result.Document)
	read, err := markdown.Parse(written)
	if err != nil {
		t.Fatalf("the result is refused: %v\n%s", err, written)
	}
	if want := markdown.Normalize(result.Document); !doc.Equal(want, read) {
		t.Errorf("the result is read back as another document:\n%s\n%s", written, cmp.Diff(want, read))
	}
}

func TestLinksAndImagesGoThroughOptions(t *testing.T) {
	page := parse(t,
		`<p><a href="a.html#x">A</a> <a href="drop">D</a> <img src="i.png"> <img src="no.png"> <img src="" data-src="late.png"><picture><source media="(prefers-color-scheme: dark)" srcset="dark.png 2x"><img src="light.png"></picture></p>`)
	var links, images []string
	result := Convert(page, Options{
		Link: func(href string) string {
			links = append(links, href)
			if href == "drop" {
				return ""
			}
			return "/l/" + href
		},
		Image: func(src string) string {
			images = append(images, src)
			if src == "no.png" {
				return ""
			}
			return "/i/" + src
		},
	})
	if diff := cmp.Diff([]string{"a.html#x", "drop"}, links); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"i.png", "no.png", "late.png", "light.png", "dark.png"}, images); diff != "" {
		t.Error(diff)
	}
	written := string(markdown.Write(result.Document))
	for _, want := range []string{"[A](/l/a.html#x) D", "/i/i.png", "/i/late.png", "/i/dark.png"} {
		if !strings.Contains(written, want) {
			t.Errorf("%s is not in %s", want, written)
		}
	}
	if strings.Contains(written, "no.png") || strings.Contains(written, "drop") {
		t.Errorf("what was refused is in %s", written)
	}
}

func TestLargeTables(t *testing.T) {
	var long, wide strings.Builder
	long.WriteString("<table><thead><tr><th>a<th>b</tr></thead>")
	for i := range 6_000 {
		fmt.Fprintf(&long, "<tr><td>%d<td>x</tr>", i)
	}
	wide.WriteString("<table><tr>")
	for i := range 150 {
		fmt.Fprintf(&wide, "<td>%d", i)
	}
	tables := 0
	result := Convert(parse(t, long.String()), Options{})
	for _, node := range result.Document.Nodes {
		if node.Type == doc.Table {
			tables++
			if data := node.Data.(*doc.TableData); data.Definition["c1"].Title != "a" || data.View.HideHeader {
				t.Errorf("a part has lost the header: %+v", data.View)
			}
		}
	}
	if tables != 2 {
		t.Errorf("12,000 cells became %d tables", tables)
	}
	checkConverted(t, result)
	result = Convert(parse(t, wide.String()), Options{})
	if result.Lost["table with more than 100 columns"] != 1 {
		t.Errorf("lost: %v", result.Lost)
	}
	checkConverted(t, result)
}

// TestHostilePages holds that odd and nasty pages are converted in bounded time to something that is read back.
func TestHostilePages(t *testing.T) {
	repeat := func(s string, n int) string { return strings.Repeat(s, n) }
	pages := map[string]string{
		"nothing":        "",
		"deep":           repeat("<div>", 400) + "text" + repeat("</div>", 400),
		"deep inline":    repeat("<b><i><a href=x>", 120) + "text",
		"deep lists":     repeat("<ul><li>", 100) + "text",
		"deep quotes":    repeat("<blockquote>", 200) + "text",
		"deep tables":    repeat("<table><tr><td>", 100) + "text",
		"deep details":   repeat("<details><summary>s</summary>", 100) + "text",
		"deep call-outs": repeat(`<div class="admonition note">`, 150) + "text",
		"many inlines":   repeat("<b>x</b> ", 20_000),
		"spans": `<table><tr><td rowspan="99999" colspan="99999">x</td></tr>` + repeat("<tr><td>y", 500) +
			"</table>",
		"one note, many": `<p>` + repeat(`a<sup><a href="#fn1" class="footnote-ref">1</a></sup> `, 2000) +
			`</p><ol class="footnotes"><li id="fn1">` + repeat("note ", 1000) + "</li></ol>",
		"note in itself":     `<p>a<a class="footnote-ref" href="#n">1</a></p><div id="n"><p>b<a class="footnote-ref" href="#n">1</a></p></div>`,
		"control characters": "<p>a\x01b\x00c\x1bd\u200be\ufeff\u202e</p><pre>\x07code</pre>",
		"marks": "<p>*a* _b_ `c` ~~d~~ [e](f) ![g](h) # i\n1. j\n- k\n&gt; l\n+ m\n=== \\n &amp;lt; " +
			"&lt;div&gt; {% hint %} {{ x }} $$y$$ :smile: [^1] |</p>",
		"tags as text":   "<p>{% hint style=\"info\" %}</p><p>text</p><p>{% endhint %}</p><pre>{% code %}</pre>",
		"fences in code": "<pre>```\n````\n~~~</pre><p><code>``</code><code> </code><code>`</code></p>",
		"headings":       repeat("<h1>t</h1><h6></h6><h3># #</h3>", 50),
		"tabs in tabs": repeat(
			`<div><ul role="tablist"><li role="tab">a</li><li role="tab">b</li></ul><div role="tabpanel">`, 20) + "x",
		"marks in marks": "<sup><sub><kbd><s><b><i><code>x</code></i></b></s></kbd></sub></sup>",
		"spaces":         "<p> <b> x </b> <i> </i><a href=u> y </a>z</p><p>&nbsp;</p><p><br><br>a<br></p>",
		"svg and math":   "<svg><title>x</title><foreignObject><p>in</p></foreignObject></svg><math><mi>x</mi></math>",
		"formula":        `<span class="math">\(a $$ b\)</span><div class="math">\[ \]</div><span class="katex"><annotation encoding="application/x-tex">x_1</annotation></span>`,
		"caption": "<figure><figcaption>only a caption *x*</figcaption></figure><figure><img src=a><img " +
			"src=b><figcaption>two <b>x</b></figcaption></figure>",
		"cells": "<table><tr><th>a|b<br>c<td><pre>x\ny</pre><ul><li>l</ul><img " +
			"src=i><td><h2>h</h2><hr><blockquote>q</blockquote></table>",
	}
	for name, page := range pages {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
			if err != nil {
				t.Fatal(err)
			}
			result := Convert(Content(root, nil), Options{})
			written := markdown.Write(result.Document)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			if _, err := markdown.Parse(written); err != nil {
				t.Errorf("refused: %v", err)
			}
		})
	}
}

// TestDamagedPages holds that pages with bytes changed, cut out and repeated are converted to something that is read
// back.
func TestDamagedPages(t *testing.T) {
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test pages: %v", err)
	}
	var pages []string
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, string(page))
	}
	random := rand.New(rand.NewPCG(8, 9))
	piece := func(page string, longest int) string {
		start := random.IntN(len(page))
		return page[start : start+random.IntN(min(longest, len(page)-start)+1)]
	}
	for range 1000 {
		page := pages[random.IntN(len(pages))]
		for range 1 + random.IntN(6) {
			at := random.IntN(len(page))
			switch random.IntN(4) {
			case 0:
				page = page[:at] + string([]byte{byte(random.Uint32())}) + page[at+1:]
			case 1:
				page = page[:at] + strings.TrimPrefix(page[at:], piece(page[at:], 60))
			case 2:
				page = page[:at] + piece(page, 200) + page[at:]
			case 3:
				page = page[:at] + strings.Repeat(piece(page, 200), random.IntN(50)) + page[at:]
			}
			page += " "
		}
		root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
		if err != nil {
			continue
		}
		written := markdown.Write(Convert(Content(root, nil), Options{}).Document)
		if _, err := markdown.Parse(written); err != nil {
			t.Fatalf("refused: %v\n%s", err, page)
		}
	}
}

func FuzzConvert(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.html")
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(page))
	}
	f.Fuzz(func(t *testing.T, page string) {
		root, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
		if err != nil {
			return
		}
		result := Convert(Content(root, nil), Options{})
		if _, err := markdown.Parse(markdown.Write(result.Document)); err != nil {
			t.Fatalf("the result is refused: %v", err)
		}
	})
}
