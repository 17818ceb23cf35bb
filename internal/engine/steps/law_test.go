package steps

import (
	"archive/zip"
	"encoding/json"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// difference compares documents without their keys. It returns "" when they are equal.
func difference(t testing.TB, got, want []byte) string {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &b); err != nil {
		t.Fatal(err)
	}
	return cmp.Diff(bare(b), bare(a))
}

// bare takes the keys off the nodes of a document. Data may have members of that name, and no node below.
func bare(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if value["object"] != nil {
			delete(value, "key")
		}
		for _, list := range []string{"nodes", "fragments"} {
			bare(value[list])
		}
	case []any:
		for _, each := range value {
			bare(each)
		}
	}
	return value
}

// holds checks that a document is what it was after it went through the engine, and through a snapshot.
func holds(t testing.TB, e *Engine, name string, document []byte) {
	t.Helper()
	if err := e.Load(document); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, when := range []string{"loaded", "restored"} {
		got, err := e.Document()
		if err != nil {
			t.Fatal(err)
		}
		if diff := difference(t, got, document); diff != "" {
			t.Fatalf("%s, %s (-want +got):\n%s", name, when, diff)
		}
		snapshot, err := e.Snapshot()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := e.Restore(snapshot); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// TestPagesComeOutAsTheyWentIn tries the pages of the Rust book, those of the manual and the samples of the dialect:
// all of them when all is tested, else some, others each time.
func TestPagesComeOutAsTheyWentIn(t *testing.T) {
	pages := map[string][]byte{}
	archive, err := zip.OpenReader("../../content/importer/testdata/rust-book.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	add := func(files fs.FS) {
		err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".md" {
				return err
			}
			file, err := files.Open(name)
			if err != nil {
				return err
			}
			defer file.Close()
			pages[name], err = io.ReadAll(file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add(archive)
	add(os.DirFS("../../../docs/manual"))
	add(os.DirFS("../markdown/testdata"))
	if len(pages) < 150 {
		t.Fatalf("only %d pages were found", len(pages))
	}
	e := open(t)
	left := propertytest.Cases(t, 25, 100)
	for name, text := range pages {
		if left--; left < 0 {
			break
		}
		if _, after, ok := strings.Cut(string(text), "\n---\n"); ok && strings.HasPrefix(string(text), "---\n") {
			text = []byte(after)
		}
		parsed, err := markdown.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		document, err := json.Marshal(parsed)
		if err != nil {
			t.Fatal(err)
		}
		holds(t, e, name, document)
	}
}

// TestDocumentsComeOutAsTheyWentIn tries random documents of every kind of node.
func TestDocumentsComeOutAsTheyWentIn(t *testing.T) {
	e := open(t)
	for seed := range uint64(count(t) / 4) {
		holds(t, e, "a random document", randomDocument(t, rand.New(rand.NewPCG(seed, 3))))
	}
}
