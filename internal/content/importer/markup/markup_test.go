package markup

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

func render(t *testing.T, n *html.Node) string {
	t.Helper()
	var out strings.Builder
	if err := html.Render(&out, n); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTrees(t *testing.T) {
	list := Append(Element("ul", "class", "a b"), Append(Element("li"), Text("one")), nil,
		Append(Element("li"), Text("  two\n words")))
	if got := render(t, list); got != "<ul class=\"a b\"><li>one</li><li>  two\n words</li></ul>" {
		t.Errorf("built %s", got)
	}
	if !HasClass(list, "b") || HasClass(list, "c") || HasClass(nil, "a") || !Is(list, "ol", "ul") || Is(nil, "ul") ||
		Is(Text("ul"), "ul") {
		t.Error("names and classes")
	}
	if got := TextOf(list); got != "one two words" {
		t.Errorf("text %q", got)
	}
	SetAttr(list, "class", " x ")
	SetAttr(list, "id", "y")
	if Attr(list, "class") != "x" || Attr(list, "id") != "y" || Attr(list, "none") != "" {
		t.Errorf("attributes %v", list.Attr)
	}
	first := Find(list, func(n *html.Node) bool { return n.Data == "li" })
	Replace(first, append(Children(first), Element("br"))...)
	if got := render(t, list); got != "<ul class=\" x \" id=\"y\">one<br/><li>  two\n words</li></ul>" {
		t.Errorf("replaced: %s", got)
	}
	if len(FindAll(list, func(*html.Node) bool { return true })) != 2 || Find(nil, nil) != nil || TextOf(nil) != "" {
		t.Error("searching")
	}
}

func TestParse(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"UTF-8 without a word": {"<p>é ✅</p>", "é ✅"},
		"Latin 1 that says so": {"<meta charset=\"iso-8859-1\"><p>\xe9</p>", "é"},
		"UTF-8 that lies":      {"<meta charset=\"iso-8859-1\"><p>é</p>", "é"},
	} {
		root, err := Parse([]byte(test.data), "x")
		if err != nil || TextOf(root) != test.want {
			t.Errorf("%s: %q, %v", name, TextOf(root), err)
		}
	}
	if _, err := Parse([]byte(strings.Repeat("<div>", 1000)), "deep.html"); err == nil || !strings.Contains(err.Error(),
		"deep.html") {
		t.Errorf("deep nesting: %v", err)
	}
}

func TestFill(t *testing.T) {
	root, err := Parse([]byte(`<h1 id="top">Title</h1><h2 id="part">Part</h2><p>Text.</p><canvas></canvas>`), "x")
	if err != nil {
		t.Fatal(err)
	}
	page := &source.Page{Place: "x"}
	tree := &source.Tree{Texts: &source.Texts{}}
	Fill(page, root, hypertext.Options{}, tree)
	if page.Entry.Title != "Title" || page.Body.String() != "## Part\n\nText.\n" || page.Anchors["part"] != "part" ||
		page.Anchors["top"] != "" || tree.Report.NotUnderstood.Total != 1 {
		t.Errorf("%q, %q, %v, %v", page.Entry.Title, page.Body, page.Anchors, tree.Report.NotUnderstood)
	}
	root, _ = Parse([]byte(`<h1>Title</h1><p>Text.</p>`), "x")
	known := &source.Page{}
	known.Entry.Title = "Known"
	Fill(known, root, hypertext.Options{}, tree)
	if known.Entry.Title != "Known" || known.Body.String() != "## Title\n\nText.\n" {
		t.Errorf("%q, %q", known.Entry.Title, known.Body)
	}
}

func TestTargets(t *testing.T) {
	targets := NewTargets()
	page, file := &source.Page{}, &source.File{}
	if targets.Has(file) {
		t.Error("a file that nobody has asked for")
	}
	to, part, image := targets.Page(page, ""), targets.Page(page, "a part/ü#"), targets.File(file)
	if to == part || targets.Page(page, "") != to || targets.File(file) != image || !targets.Has(file) ||
		len(targets.Files()) != 1 {
		t.Errorf("destinations %q %q %q", to, part, image)
	}
	if got := targets.Resolve("", part); got.Kind != source.ToPage || got.Page != page || got.Anchor != "a part/ü#" {
		t.Errorf("page: %+v", got)
	}
	if got := targets.Resolve("", image); got.Kind != source.ToFile || got.File != file {
		t.Errorf("file: %+v", got)
	}
	for destination, want := range map[string]source.Kind{
		"recto-import-page:7": source.Broken, "recto-import-page:-1": source.Broken,
		"recto-import-page:x": source.Broken, "recto-import-file:1": source.Broken,
		"https://example.org/": source.External, "a.md": source.External, "": source.External,
	} {
		if got := targets.Resolve("", destination); got.Kind != want {
			t.Errorf("%q: %+v", destination, got)
		}
	}
}

func TestLosses(t *testing.T) {
	var losses Losses
	var notes source.Notes
	for range 2 {
		losses.Add("left out: comment")
	}
	losses.Add("left out: chart")
	losses.Report("x", &notes)
	losses.Report("x", &notes)
	if notes.Total != 2 || notes.Items[0].Message != "left out: chart" ||
		notes.Items[1].Message != "left out: comment (2 times)" {
		t.Errorf("%+v", notes)
	}
	for name, want := range map[string]string{"My_plan.docx": "My plan", "a.b.md": "a.b", "": "Untitled", ".x": ".x"} {
		if got := FileTitle(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
