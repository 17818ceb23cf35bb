package segment_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/segment"
)

// samples are the files that show the dialect, and chapters of a book.
func samples(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir("../markdown/testdata", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

// TestEveryFormIsTranslated takes the texts of each file out, translates them and puts them back: each has its
// translation, and nothing else has changed.
func TestEveryFormIsTranslated(t *testing.T) {
	for path, text := range samples(t) {
		source := body(t, text)
		there := translated(t, source, source, segment.NewMemory(nil), pseudo)
		expectTranslated(t, path, source, there)
	}
}

// TestRandomDocumentsAreTranslated does the same with documents made of blocks of all files in any order.
func TestRandomDocumentsAreTranslated(t *testing.T) {
	var blocks []string
	for _, text := range samples(t) {
		for _, n := range body(t, text).Document.Nodes {
			if n.Source.End > n.Source.Start {
				blocks = append(blocks, strings.TrimSpace(text[n.Source.Start:n.Source.End]))
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var b strings.Builder
		for range 1 + r.IntN(8) {
			b.WriteString(blocks[r.IntN(len(blocks))] + "\n\n")
		}
		source := body(t, b.String())
		expectTranslated(t, b.String(), source, translated(t, source, source, segment.NewMemory(nil), pseudo))
	}
}

func expectTranslated(t *testing.T, name string, source, there *segment.Body) {
	t.Helper()
	if len(source.All) != len(there.All) {
		t.Errorf("%s: %d texts became %d:\n%s", name, len(source.All), len(there.All), there.Markdown)
		return
	}
	for i, unit := range source.All {
		want := unit.Text
		if unit.Speaks() {
			want = pseudo(unit.Text)
		}
		if got := segment.Express(unit.Content, there.All[i].Content); got != want {
			t.Errorf("%s: %q became %q, want %q", name, unit.Text, got, want)
		}
	}
	if diff := cmp.Diff(untranslated(source.Document), untranslated(there.Document)); diff != "" {
		t.Errorf("%s: what is no text has changed:\n%s", name, diff)
	}
}

// untranslated lists what a translation must not touch: the types of blocks, code, and where things lead.
func untranslated(d *doc.Document) []string {
	var found []string
	for n := range d.All() {
		line := string(n.Type)
		switch data := n.Data.(type) {
		case *doc.CodeData:
			line += n.PlainText()
		case *doc.ContentRefData:
			line += data.Ref.URL
		case *doc.ImageData:
			line += data.Ref.URL
		case *doc.InlineImageData:
			line += data.Ref.URL
		case *doc.ExpressionData:
			line += data.Expression
		case *doc.RawData:
			line += data.Source
		}
		if n.Object == doc.ObjectBlock || n.Object == doc.ObjectInline {
			found = append(found, line)
		}
	}
	return found
}
