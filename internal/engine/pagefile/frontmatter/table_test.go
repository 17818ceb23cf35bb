package frontmatter_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// TestFlagsRoundTrip holds that a row in the tables of package entity is enough for a flag of a page, and for a part of
// its layout, to be written into a file, read from it, and kept beside what else the file says.
func TestFlagsRoundTrip(t *testing.T) {
	check := func(name string, e *entity.Entry) {
		t.Helper()
		file := treefile.WritePage(treefile.Page{FrontMatter: frontmatter.Write(e)})
		if !strings.Contains(string(file), name+":") {
			t.Errorf("the file of a page with %s does not say so:\n%s", name, file)
		}
		page, err := treefile.ParsePage(file)
		if err != nil {
			t.Fatal(err)
		}
		read := &entity.Entry{Kind: e.Kind, Type: e.Type}
		if fields := frontmatter.Read(page.FrontMatter, read); len(fields.Problems) > 0 || !entity.Equal(read, e) {
			t.Errorf("a page with %s is read as %+v, with %v", name, read, fields.Problems)
		}

		changed := *e
		changed.FrontMatter = "---\n# a comment\nicon: book\n---\n"
		changed.Icon = "book"
		kept := string(treefile.WritePage(treefile.Page{
			FrontMatter: frontmatter.WriteKept(&changed, "a.md", frontmatter.Write(&changed)),
		}))
		if !strings.Contains(kept, "# a comment") || !strings.Contains(kept, name+":") {
			t.Errorf("a page with %s is written into its file as\n%s", name, kept)
		}
	}
	for _, flag := range entity.PageFlags() {
		e := &entity.Entry{Kind: entity.KindPage, Type: entity.PageDocument}
		*flag.At(&e.Flags) = true
		check(flag.Name, e)
	}
	for _, part := range entity.LayoutParts() {
		for _, shown := range []bool{true, false} {
			e := &entity.Entry{Kind: entity.KindPage, Type: entity.PageDocument, Layout: &entity.Layout{}}
			*part.At(e.Layout) = &shown
			check(part.Name, e)
		}
	}
}
