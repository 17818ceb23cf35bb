package client

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestZipFolder holds that a link to a file in the folder is sent as that file, and that of other links their names
// alone are.
func TestZipFolder(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	err := errors.Join(os.WriteFile(outside, []byte("secret"), 0o600),
		os.Mkdir(filepath.Join(root, "docs"), 0o755),
		os.WriteFile(filepath.Join(root, "a.md"), []byte("of a"), 0o600),
		os.Symlink("../a.md", filepath.Join(root, "docs", "in.md")), os.Symlink(outside, filepath.Join(root, "out.md")),
		os.Symlink("docs", filepath.Join(root, "folder")), os.Symlink("nowhere", filepath.Join(root, "broken.md")))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := zipFolder(&packed, root); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, entry := range archive.File {
		content, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		got[entry.Name] = string(text)
		if !entry.Mode().IsRegular() {
			got[entry.Name] = entry.Mode().Type().String() + string(text)
		}
	}
	link := os.ModeSymlink.String()
	want := map[string]string{"a.md": "of a", "docs/in.md": "of a", "out.md": link, "folder": link, "broken.md": link}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestSummaryOfGenerator holds how a summary says what a folder was read as.
func TestSummaryOfGenerator(t *testing.T) {
	for found, want := range map[Detected]string{
		{Generator: "folders", Because: "its folders"}: "Read as folders of pages; --from reads it as another's.",
		{Generator: "mkdocs", Because: "mkdocs.yml"}:   "Read as mkdocs because of mkdocs.yml; ",
	} {
		done := Import{Report: Report{Detected: &found}}
		if got := done.Summary(); !strings.Contains(got, want) {
			t.Errorf("%+v: %q", found, got)
		}
	}
}
