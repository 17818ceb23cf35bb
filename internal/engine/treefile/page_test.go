package treefile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

var unexported = cmpopts.IgnoreUnexported(FrontMatter{}, Page{})

func TestParsePage(t *testing.T) {
	tests := []struct {
		name, file string
		want       Page
	}{
		{"empty", "", Page{}},
		{"body only", "a\n\nb\n", Page{Body: []byte("a\n\nb\n")}},
		{"title", "# A *title* &amp; more\n\nbody\n", Page{Title: "A title & more", Body: []byte("body\n")}},
		{"title alone", "# Title", Page{Title: "Title"}},
		{"underlined title", "Title\n=====\n\nbody", Page{Title: "Title", Body: []byte("body")}},
		{"blank lines and a byte order mark", "\ufeff\n\n# T\n\n\n\nbody", Page{Title: "T", Body: []byte("body")}},
		{"second-level heading is body", "## T\n", Page{Body: []byte("## T\n")}},
		{"windows", "---\r\ntitle: x\r\n---\r\n# T\r\n\r\nb\r\n", Page{FrontMatter: FrontMatter{Title: "x"}, Title: "T",
			Body: []byte("b\r\n")}},
		{"anchor of the title", "# T <a href=\"#t\" id=\"t\"></a>\n", Page{Title: "T"}},
		{"rule is no front matter", "---\n\nx\n", Page{Body: []byte("---\n\nx\n")}},
		{"text between rules is no front matter", "---\njust text\n---\nx",
			Page{Body: []byte("---\njust text\n---\nx")}},
		{"empty front matter", "---\n---\nx", Page{Body: []byte("x")}},
		{"all keys", strings.Join([]string{
			"---", "description: >-", "  Folded", "  text", "icon: book", "hidden: true", "noIndex: true",
			"noRobotsIndex: true",
			"if: visitor.claims.unsigned.isPremium", "cover: .gitbook/assets/hero (1).png", "coverY: -12.5",
			"coverHeight: 461",
			"layout:", "  width: wide", "  cover:", "    visible: true", "    size: hero", "    mask: radial",
			"  outline:", "    visible: false",
			"tags:", "  - beta", "  - tag: new", "    primary: true", "vars:", "  version: 1.2", "  name: x",
			"  on: true",
			"metadata:", "  version: \"1\"", "  list: [a, 2]", "date: 2024-01-02", "---", "# T", "", "b",
		}, "\n"), Page{Title: "T", Body: []byte("b"), FrontMatter: FrontMatter{
			Description: "Folded text", Icon: "book",
			Flags:     entity.Flags{Hidden: true, NoIndex: true, NoRobotsIndex: true},
			Condition: "visitor.claims.unsigned.isPremium",
			Cover:     &PageCover{Ref: ".gitbook/assets/hero (1).png", YPos: -12.5, Height: 461},
			Layout: &entity.Layout{Width: "wide", Cover: new(true), CoverSize: "hero", CoverMask: "radial",
				Outline: new(false)},
			Tags:      []entity.Tag{{Tag: "beta"}, {Tag: "new", Primary: true}},
			Variables: map[string]any{"version": 1.2, "name": "x", "on": true},
			Extra: map[string]any{
				"metadata": map[string]any{"version": "1", "list": []any{"a", 2.0}}, "date": "2024-01-02",
			},
		}}},
		{"odd values stay foreign", "---\nhidden: maybe\ntags: x\nlayout: 3\nvars: [1]\ndescription: \"a\\_b\"\n---\n",
			Page{FrontMatter: FrontMatter{
				Description: "a\u00a0b",
				Extra:       map[string]any{"hidden": "maybe", "tags": "x", "layout": 3.0, "vars": []any{1.0}},
			}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			page, err := ParsePage([]byte(test.file))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, page, unexported, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if got := string(WritePage(page)); got != test.file {
				t.Errorf("written %q", got)
			}
			checkPage(t, page)
		})
	}
}

// checkPage holds that a page without memory of its file is written so that it reads back the same.
func checkPage(t *testing.T, page Page) {
	t.Helper()
	page.head, page.FrontMatter.original, page.FrontMatter.read = nil, nil, nil
	written := WritePage(page)
	again, err := ParsePage(written)
	if err != nil {
		t.Fatalf("%v\n%s", err, written)
	}
	if page.Title == "" && (len(page.FrontMatter.entries()) == 0 || again.Title != "") {
		return // a body may start like front matter or a title
	}
	page.Body = page.Body[skipBlankLines(page.Body, 0):]
	if diff := cmp.Diff(page, again, unexported, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("written anew it reads differently\n%s\n%s", written, diff)
	}
}

func TestWritePageChanged(t *testing.T) {
	file := "---\n# a comment\nzebra: 1\ndescription: 'old'\nicon: book # why\n---\n\n# Old *title*\n\n\nbody\n"
	page, err := ParsePage([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	page.FrontMatter.Description = "new"
	page.FrontMatter.Hidden = true
	page.Title = "A [new] title"
	want := "---\n# a comment\nzebra: 1\ndescription: new\nicon: book # why\nhidden: true\n---\n\n# A \\[new] title\n" +
		"\nbody\n"
	if diff := cmp.Diff(want, string(WritePage(page))); diff != "" {
		t.Error(diff)
	}
	page.FrontMatter.Icon, page.FrontMatter.Hidden, page.FrontMatter.Extra = "", false, nil
	want = "---\ndescription: new\n---\n\n# A \\[new] title\n\nbody\n"
	if diff := cmp.Diff(want, string(WritePage(page))); diff != "" {
		t.Error(diff)
	}
	page.FrontMatter.Description = ""
	if diff := cmp.Diff("# A \\[new] title\n\nbody\n", string(WritePage(page))); diff != "" {
		t.Error(diff)
	}
	page, err = ParsePage([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	page.Body = []byte("other\n")
	want = "---\n# a comment\nzebra: 1\ndescription: 'old'\nicon: book # why\n---\n\n# Old *title*\n\n\nother\n"
	if diff := cmp.Diff(want, string(WritePage(page))); diff != "" {
		t.Errorf("a new body changed the head\n%s", diff)
	}
}

func TestParsePageRefuses(t *testing.T) {
	tests := []struct {
		name, file string
		kind       errs.Kind
	}{
		{"broken YAML", "---\na: [\n---\n", errs.Invalid},
		{"aliases", "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c " +
			"[*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d]\n---\n",
			errs.Invalid},
		{"depth", "---\na: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n---\n", errs.Invalid},
		{"large front matter", "---\na: " + strings.Repeat("x", MaxFrontMatter) + "\n---\n", errs.TooLarge},
		{"large file", strings.Repeat("x", markdown.MaxBody+MaxFrontMatter+1), errs.TooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParsePage([]byte(test.file))
			if err == nil || errs.KindOf(err) != test.kind {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func FuzzParsePage(f *testing.F) {
	f.Add("---\ndescription: x\ntags: [a, {tag: b, primary: true}]\nlayout:\n  width: wide\n---\n\n# Title\n\nbody\n")
	f.Add("---\nvars: {a: 1, b: x}\nfoo: &a [1, *a]\n---\n")
	f.Add("Title\n===\nbody")
	f.Fuzz(func(t *testing.T, file string) {
		page, err := ParsePage([]byte(file))
		if err != nil {
			return
		}
		if got := string(WritePage(page)); got != file {
			t.Fatalf("an unchanged page %q became %q", file, got)
		}
		checkPage(t, page)
	})
}

// TestBookPages holds that the chapters of a real book are written as they were read.
func TestBookPages(t *testing.T) {
	paths, err := filepath.Glob("../markdown/testdata/book/*.md")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d chapters, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			page, err := ParsePage(file)
			if err != nil {
				t.Fatal(err)
			}
			if hasTitle := bytes.HasPrefix(file, []byte("# ")); hasTitle != (page.Title != "") {
				t.Errorf("title %q", page.Title)
			}
			if got := WritePage(page); !bytes.Equal(got, file) {
				t.Error("an unchanged page lost bytes")
			}
		})
	}
}
