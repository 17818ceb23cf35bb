package apptest

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// ChangeRequest is the wire form of a change request as far as tests look at it.
type ChangeRequest struct {
	ID, Status, Subject, Space, Revision, RevisionInitial, RevisionMergedAncestor, RevisionMerged string
	Number, Comments                                                                              int
	Outdated                                                                                      bool
	Description                                                                                   any
	CreatedBy, MergedBy                                                                           struct {
		ID, DisplayName string
	}
	URLs struct {
		App, Location string
	}
}

// ContentChange is one element of what changes of content answer with.
type ContentChange struct {
	Object, Ref, File, ReusableContent string
	Page                               any
	UsedBy                             *struct {
		Count int
		Items []string
	}
}

// Zipped packs files into an archive.
func Zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	}) {
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(file, files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Pixel is a PNG of one pixel.
const Pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4" +
	"\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff\xff\x7f\x00\t\xfb\x03\xfd*\x86\xe3\x8a\x00\x00\x00\x00IEND\xaeB`\x82"

// GuideFiles is a small tree with everything that a read can show.
var GuideFiles = map[string]string{
	"README.md": "---\ndescription: Where it begins.\nicon: book\n---\n\n# Welcome\n\nSee " +
		"[Install](guides/install.md#windows) and ![p](.gitbook/assets/pixel.png).\n",
	"guides/README.md": "# Guides\n\nAll of them.\n",
	"guides/install.md": "---\nvars:\n  level: 2\n---\n\n# Install\n\nVersion <code " +
		"class=\"expression\">space.vars.version</code>.\n\n{% if page.vars.level > 1 %}\nFor experts.\n{% endif %}\n" +
		"\n{% if page.vars.level > 9 %}\nFor wizards.\n{% endif %}\n\n## Windows\n\nRun it. Back " +
		"[home](../README.md).\n",
	"hidden.md": "---\nhidden: true\n---\n\n# Hidden\n\nNobody knows.\n",
	"SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md)\n* [Guides](guides/README.md)\n  * " +
		"[Install](guides/install.md)\n* [Hidden](hidden.md)\n\n## Elsewhere\n\n* [Go](https://go.dev)\n",
	".gitbook/vars.yaml":        "version: 1.4.2\n",
	".gitbook/assets/pixel.png": Pixel,
}

// Page is what the tests look at of a page.
type Page struct {
	ID, Title, Type, Path, Slug, Description, Icon, Href string
	Hidden                                               bool
	Pages                                                []Page
	Markdown                                             *string
	Document                                             json.RawMessage
	Variables                                            map[string]any
	Layout                                               map[string]any
}

// Text returns a text that may be missing, which it says.
func Text(text *string) string {
	if text == nil {
		return "<none>"
	}
	return *text
}

// Unzipped returns the files of an archive.
func Unzipped(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, entry := range archive.File {
		file, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		files[entry.Name] = string(content)
	}
	return files
}

// Updated is what changes of content answer with.
type Updated struct {
	Revision string
	Changes  []struct {
		Object, Ref string
		Page        json.RawMessage
	}
	InsertedFiles []struct{ ID, Name, ContentType, DownloadURL string }
	ChangeRequest struct{ ID, Revision, UpdatedAt string }
}

// Pages returns the ids of the pages that were made or changed, by number and by reference.
func (u Updated) Pages(t *testing.T) (ids []string, byRef map[string]string) {
	t.Helper()
	byRef = map[string]string{}
	for _, change := range u.Changes {
		var page struct {
			Object, ID string
			URLs       struct{ Location string }
		}
		if change.Object == "deleted_page" {
			if err := json.Unmarshal(change.Page, &page.ID); err != nil {
				t.Fatalf("deleted page %s: %v", change.Page, err)
			}
		} else if err := json.Unmarshal(change.Page, &page); err != nil || page.Object != "page" ||
			!strings.HasSuffix(page.URLs.Location, page.ID) {
			t.Fatalf("page %s: %v", change.Page, err)
		}
		ids = append(ids, page.ID)
		byRef[change.Ref] = page.ID
	}
	return ids, byRef
}
