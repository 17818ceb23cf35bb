package edit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// shelf is a space in which bodies find much to link to: pages below pages, and files with names that are hard to
// write.
type shelf struct {
	*fixture
	// from are the pages that bodies are put into: at the root, below a page, and with a page below.
	from []string
	// destinations are what bodies link to.
	destinations []string
}

func newShelf(f *fixture) shelf {
	f.Helper()
	guides := f.page("Guides", "", "All.\n")
	s := shelf{fixture: f}
	for _, title := range []string{"install", "Two words.v1+2", "README", "日本"} {
		s.from = append(s.from, f.page(title, guides, ""))
	}
	s.from = append(s.from, guides, f.page("About", "", ""))
	var files []edit.NewFile
	for _, name := range []string{"p (1).gif", "50%25#x?.gif", "twice.gif", "twice.gif", "a:b.gif", "ünï.gif", "x.md"} {
		files = append(files, edit.NewFile{Name: name, Base64: new(pixel)})
	}
	for _, page := range s.from {
		s.destinations = append(s.destinations, "/pages/"+page, "/pages/"+page+"#an-anchor")
	}
	for _, file := range f.apply(edit.Change{Operation: edit.InsertFiles, Files: files}).Files {
		s.destinations = append(s.destinations, "/files/"+file.ID)
	}
	s.destinations = append(s.destinations, "/pages/page_none", "/files/file_none", "/spaces/space_x/pages/page_y",
		"/spaces/space_x", "/users/u", "/openapi/pets",
		"/tags/new", "/collections/c", "/reusable-content/content_x", "none.md", "../x.md", "install.md",
		"guides/install.md", "./", "README.md", "#here", "",
		"https://e.com/a?b=c#d", "mailto:a@e.com", "/", "//e.com", "/pages/", "/pages/a/b", "a b (c).md",
		"install.md#an-anchor", ".gitbook/assets/twice.gif")
	return s
}

// text makes a body: a random document or random lines, with destinations of the shelf.
func (s shelf) text(r *rand.Rand) string {
	var body string
	if r.IntN(2) == 0 {
		d := doctest.Random(r, 6)
		d.MapRefs(func(ref doc.Ref) doc.Ref {
			if r.IntN(3) == 0 {
				return ref
			}
			return doc.URL(s.destinations[r.IntN(len(s.destinations))])
		})
		body = string(markdown.Write(d))
	} else {
		body = doctest.RandomBody(r)
	}
	for range r.IntN(4) {
		to := s.destinations[r.IntN(len(s.destinations))]
		body += fmt.Sprintf([]string{"[a](<%s>) ", "\n![a](<%s> \"t\")\n", "\n[l]: <%s>\n", "<a href=\"%s\">b</a>\n",
			"\n{%% file src=\"%s\" %%}\n", "\n<img src='%s'>\n\n"}[r.IntN(6)], to)
	}
	return strings.Repeat("\n", r.IntN(2)) + body
}

// readings are the forms that a page is read in, as changes that send it back.
func (s shelf) readings(page string) map[string]edit.Body {
	s.Helper()
	view, e := s.head(), s.entry(page)
	body, err := view.Body(s.Context(), e)
	if err != nil {
		s.Fatal(err)
	}
	relative, err := edit.RelativeLinks(s.Context(), view, e, body)
	if err != nil {
		s.Fatal(err)
	}
	file := func(body []byte) *string {
		return new(string(treefile.WritePage(treefile.Page{FrontMatter: frontmatter.Write(e), Title: e.Title,
			Body: body})))
	}
	document, err := markdown.Parse(body)
	if err != nil {
		s.Fatal(err)
	}
	document.ReadDestinations()
	raw, err := json.Marshal(document)
	if err != nil {
		s.Fatal(err)
	}
	read := &doc.Document{}
	if err := json.Unmarshal(raw, read); err != nil {
		s.Errorf("the document that was read is refused: %v\nbody %q", err, body)
		read = document
	}
	return map[string]edit.Body{"relative": {Markdown: file(relative)}, "stable": {Markdown: file(body)},
		"document": {Document: read}}
}

// check puts a body into a page and holds that the page, read in each form and sent back, stays as it is.
func (s shelf) check(page, title, body string) {
	s.Helper()
	if _, err := s.try(edit.Change{Operation: edit.UpdatePage, Page: page,
		Fields: edit.Fields{Title: optional.Of(title)}, Body: edit.Body{Markdown: &body}}); err != nil {
		return // the text is refused, for being too large or no front matter
	}
	s.sentBack(page)
}

func (s shelf) sentBack(page string) {
	s.Helper()
	before, stored, was := s.head().Revision().ID, s.body(page), s.entry(page)
	for form, body := range s.readings(page) {
		if _, err := s.try(edit.Change{Operation: edit.UpdatePage, Page: page, Body: body}); err != nil {
			s.Fatalf("%s of %q: %v", form, stored, err)
		}
		if s.head().Revision().ID != before {
			s.Fatalf("%s sent back changes the page\nbody %q, title %q\nnow  %q\n%s", form, stored, was.Title,
				s.body(page), cmp.Diff(was, s.entry(page)))
		}
	}
}

// TestPagesRoundTrip holds for random bodies and titles that what is read of a page can be sent back and changes
// nothing.
func TestPagesRoundTrip(t *testing.T) {
	cases := propertytest.Cases(t, 120, 200) // a case is several transactions
	titles := []string{"Plain", "*odd* _words_", "1. One", "# a", "`code` <b>", "two  spaces", "a \\ b", "[x](y)",
		"&amp; &", "- x", "{% hint %}", "\u00a0nbsp ", "a | b", "***", "===", "\u200b", "{{x}}", ":tada:", "$$x$$",
		"a\u2028b"}
	each(t, func(f *fixture) {
		s := newShelf(f)
		for seed := range cases {
			r := rand.New(rand.NewPCG(uint64(seed), 50))
			s.check(s.from[r.IntN(len(s.from))], titles[r.IntN(len(titles))], s.text(r))
			if f.Failed() {
				f.Fatalf("seed %d", seed)
			}
		}
	})
}

// onSQLiteForFuzzing is a shelf for many texts.
func onSQLiteForFuzzing(t *testing.T) shelf {
	t.Helper()
	return newShelf(newFixture(t, dbtest.SQLite(t)))
}

// FuzzPageRoundTrip holds for any text that the page that it makes, read as Markdown with either kind of links and as
// document JSON, can be sent back and changes nothing.
func FuzzPageRoundTrip(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 51))
	for range 40 {
		f.Add("Title", doctest.RandomBody(r))
	}
	f.Add("a  b", "---\ndescription: >-\n  x\n  y\ntags: [a]\nfoo: {b: 1}\n---\n\n# a b\n\n[x](/pages/page_x)\n")
	f.Fuzz(func(t *testing.T, title, body string) {
		if len(body) > 4096 || len(title) > 200 {
			return
		}
		s := onSQLiteForFuzzing(t)
		s.check(s.from[len(body)%len(s.from)], title, body)
	})
}
