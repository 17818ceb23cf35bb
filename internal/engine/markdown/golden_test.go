package markdown

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a golden file, or writes it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-update writes it anew)\n%s", path, diff)
	}
}

// TestDialect compares every construct with its document JSON and with the Markdown that we write for it.
func TestDialect(t *testing.T) {
	for _, path := range mustGlob(t, "testdata/dialect/*.md") {
		if strings.HasSuffix(path, ".written.md") {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, body)
			d, err := Parse(body)
			if err != nil {
				t.Fatal(err)
			}
			source, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			var indented bytes.Buffer
			if err := json.Indent(&indented, source, "", " "); err != nil {
				t.Fatal(err)
			}
			indented.WriteByte('\n')
			name := strings.TrimSuffix(path, ".md")
			golden(t, name+".json", indented.Bytes())
			golden(t, name+".written.md", Write(d))
		})
	}
}

// TestBook holds the laws for chapters of a real book.
func TestBook(t *testing.T) {
	paths := mustGlob(t, "testdata/book/*.md")
	if len(paths) < 10 {
		t.Fatalf("%d chapters", len(paths))
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			checkLaws(t, file)
		})
	}
}
