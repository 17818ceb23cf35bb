package confluence

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

var update = flag.Bool("update", false, "write the golden files anew")

// read reads the export in a folder.
func read(t testing.TB, dir string) (*source.Tree, error) {
	t.Helper()
	files, err := filetree.Directory(dir, filetree.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return Read(t.Context(), files, &source.Texts{})
}

// describe writes a tree as text: pages with their bodies, files, and the report.
func describe(tree *source.Tree) string {
	var out strings.Builder
	depth := map[*source.Page]int{}
	tree.Walk(func(page, parent *source.Page) {
		if parent != nil {
			depth[page] = depth[parent] + 1
		}
		fmt.Fprintf(&out, "===== %s%s\n%s", strings.Repeat("> ", depth[page]), page.Entry.Title, page.Body)
	})
	out.WriteString("===== files\n")
	for i, file := range tree.Files {
		fmt.Fprintf(&out, "%d %s (%s)\n", i, file.Name, file.Place)
	}
	for _, list := range []struct {
		name  string
		notes source.Notes
	}{{"skipped", tree.Report.Skipped}, {"not understood", tree.Report.NotUnderstood}, {"broken", tree.Report.Broken}} {
		fmt.Fprintf(&out, "===== %s\n", list.name)
		for _, note := range list.notes.Items {
			fmt.Fprintf(&out, "%s: %s %s\n", note.Place, note.Target, note.Message)
		}
	}
	return out.String()
}

func TestExports(t *testing.T) {
	for _, name := range []string{"html", "xml"} {
		t.Run(name, func(t *testing.T) {
			tree, err := read(t, filepath.Join("testdata", name))
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
		})
	}
}

func TestExportsAreRecognised(t *testing.T) {
	for dir, want := range map[string]bool{"testdata/html": true, "testdata/xml": true, "testdata": true,
		"testdata/html/styles": false} {
		files, err := filetree.Directory(dir, filetree.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		if got := Is(files); got != want {
			t.Errorf("%s: %v, want %v", dir, got, want)
		}
		files.Close()
	}
}

// TestPagesAboutConfluenceAreNoExport holds that a website that speaks of Confluence is not taken for an export.
func TestPagesAboutConfluenceAreNoExport(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"),
		[]byte("<html><body><h1>Connect to Confluence</h1></body></html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := filetree.Directory(dir, filetree.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	if Is(files) {
		t.Error("a page about Confluence is recognised as an export")
	}
}

func TestHostileExports(t *testing.T) {
	entities := func(body string) map[string]string {
		return map[string]string{"entities.xml": `<hibernate-generic>` + body + `</hibernate-generic>`}
	}
	page := func(body string) map[string]string {
		return entities(
			`<object class="Page"><id name="id">1</id><property name="title">One</property></object><object class="BodyContent"><id name="id">2</id><property name="body"><![CDATA[` +
				body +
				`]]></property><property name="content" class="Page"><id name="id">1</id></property><property name="bodyType">2</property></object>`)
	}
	tests := []struct {
		name  string
		files map[string]string
		says  string
	}{
		{"not an export", map[string]string{"a.txt": "x"}, "no export"},
		{"no page", entities(``), "no page"},
		{"entity bomb", map[string]string{
			"entities.xml": `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><hibernate-generic>&b;</hibernate-generic>`}, "document type"},
		{"deep objects", entities(strings.Repeat("<object>", 100_000)), "levels deep"},
		{"deep page", page(strings.Repeat("<div>", 100_000)), "levels deep"},
		{"cut off", map[string]string{"entities.xml": `<hibernate-generic><object class="Page">`},
			"ends in the middle"},
		{"not UTF-8", entities("<object class=\"Page\"><id>\xff</id></object>"), "not well-formed"},
		{"unknown entity", page(`<p>&nope;</p><p>`), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range test.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := read(t, dir)
			if test.says == "" && err == nil {
				return // what is not well-formed is read as far as its meaning is plain
			}
			if !errs.Is(err, errs.Invalid) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one that says %q", err, test.says)
			}
		})
	}
}
