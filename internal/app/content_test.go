package app_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// zipped packs files into an archive.
func zipped(t *testing.T, files map[string]string) []byte {
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

// pixel is a PNG of one pixel.
const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4" +
	"\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff\xff\x7f\x00\t\xfb\x03\xfd*\x86\xe3\x8a\x00\x00\x00\x00IEND\xaeB`\x82"

// guide is a small tree with everything that a read can show.
var guide = map[string]string{
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
	".gitbook/assets/pixel.png": pixel,
}

type page struct {
	ID, Title, Type, Path, Slug, Description, Icon, Href string
	Hidden                                               bool
	Pages                                                []page
	Markdown                                             *string
	Document                                             json.RawMessage
	Variables                                            map[string]any
	Layout                                               map[string]any
}

func TestContent(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		s.upload(space, "guide.zip", zipped(t, guide))
		base := "/v1/spaces/" + space + "/content"

		var revision struct {
			ID, Type string
			Parents  []string
			Pages    []page
			Files    []struct {
				ID, Name, ContentType, DownloadURL string
				Size                               int64
				Dimensions                         map[string]int
			}
			Variables map[string]any
		}
		first := s.call(http.MethodGet, base, nil, 200, &revision)
		var tree struct{ Pages []page }
		s.call(http.MethodGet, base+"/pages", nil, 200, &tree)
		if diff := cmp.Diff(revision.Pages, tree.Pages); diff != "" {
			t.Errorf("the revision and its pages differ:\n%s", diff)
		}
		paths := map[string]page{}
		var order []string
		var walk func([]page)
		walk = func(pages []page) {
			for _, p := range pages {
				order = append(order, p.Type+" "+p.Path)
				paths[p.Path] = p
				walk(p.Pages)
			}
		}
		walk(tree.Pages)
		want := []string{"document welcome", "document guides", "document guides/install", "document hidden",
			"group elsewhere", "link elsewhere/go"}
		if paths["readme"].ID != "" {
			want[0] = "document readme"
		}
		if diff := cmp.Diff(want, order); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		if got := paths["elsewhere/go"].Href; got != "https://go.dev" {
			t.Errorf("href of the link = %q", got)
		}
		if revision.Variables["version"] != "1.4.2" && revision.Variables["version"] != 1.42 {
			t.Errorf("variables = %v", revision.Variables)
		}
		if !paths["hidden"].Hidden || paths["guides/install"].Layout["outline"] != true {
			t.Errorf("hidden = %+v", paths["hidden"])
		}

		t.Run("pages", func(t *testing.T) {
			install := paths["guides/install"]
			var byID, byPath, encoded page
			s.call(http.MethodGet, base+"/page/"+install.ID, nil, 200, &byID)
			s.call(http.MethodGet, base+"/path/guides/install", nil, 200, &byPath)
			s.call(http.MethodGet, base+"/path/"+url.PathEscape("guides/install"), nil, 200, &encoded)
			if !bytes.Equal(byID.Document, byPath.Document) || !bytes.Equal(byID.Document, encoded.Document) ||
				byID.Document == nil {
				t.Errorf("documents differ: %s, %s, %s", byID.Document, byPath.Document, encoded.Document)
			}
			if !strings.Contains(string(byID.Document), `"type":"expression"`) ||
				!strings.Contains(string(byID.Document), "wizards") {
				t.Errorf("a document that is not evaluated: %s", byID.Document)
			}
			var evaluated page
			s.call(http.MethodGet, base+"/page/"+install.ID+"?evaluated=true", nil, 200, &evaluated)
			text := string(evaluated.Document)
			if !strings.Contains(text, "1.4.2") || !strings.Contains(text, "experts") || strings.Contains(text,
				"wizards") {
				t.Errorf("evaluated: %s", text)
			}
			var group page
			s.call(http.MethodGet, base+"/path/elsewhere", nil, 200, &group)
			if group.Type != "group" && group.Type != "document" {
				t.Errorf("group by path = %+v", group)
			}
		})
		t.Run("markdown", func(t *testing.T) {
			welcome := revision.Pages[0]
			var relative, stable page
			s.call(http.MethodGet, base+"/page/"+welcome.ID+"?format=markdown", nil, 200, &relative)
			s.call(http.MethodGet, base+"/page/"+welcome.ID+"?format=markdown&format.markdown.refs=stable", nil, 200,
				&stable)
			if relative.Markdown == nil || !strings.Contains(*relative.Markdown, "# Welcome\n") ||
				!strings.Contains(*relative.Markdown, "(guides/install.md#windows)") ||
				!strings.Contains(*relative.Markdown, "description: Where it begins.") ||
				!strings.Contains(*relative.Markdown, ".gitbook/assets/pixel.png") {
				t.Errorf("markdown with relative references: %v", deref(relative.Markdown))
			}
			if stable.Markdown == nil || !strings.Contains(*stable.Markdown, "(/pages/"+paths["guides/install"].ID+
				"#windows)") || !strings.Contains(*stable.Markdown, "/files/"+revision.Files[0].ID) {
				t.Errorf("markdown with stable references: %v", deref(stable.Markdown))
			}
		})
		t.Run("files", func(t *testing.T) {
			var list struct {
				Items []struct{ ID, Name, ContentType, DownloadURL string }
				Count int
			}
			s.call(http.MethodGet, base+"/files", nil, 200, &list)
			if list.Count != 1 || list.Items[0].Name != "pixel.png" || list.Items[0].ContentType != "image/png" ||
				revision.Files[0].Dimensions["width"] != 1 {
				t.Fatalf("files = %+v, %+v", list, revision.Files)
			}
			s.call(http.MethodGet, base+"/files/"+list.Items[0].ID, nil, 200, nil)
			download := s.raw(http.MethodGet, list.Items[0].DownloadURL, "", nil)
			if download.status != 200 || string(download.body) != pixel ||
				download.header.Get("Content-Type") != "image/png" {
				t.Errorf("download: %d %s, %d bytes", download.status, download.header.Get("Content-Type"),
					len(download.body))
			}
			forged := strings.Replace(list.Items[0].DownloadURL, "pixel.png", "pixel.html", 1)
			if got := s.raw(http.MethodGet, forged, "", nil); got.status != http.StatusForbidden {
				t.Errorf("download under another name: %d", got.status)
			}
		})
		t.Run("conditional", func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+base, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+s.token)
			request.Header.Set("If-None-Match", first.header.Get("ETag"))
			if got := s.send(request); got.status != http.StatusNotModified || len(got.body) != 0 {
				t.Errorf("same revision: %d, %d bytes", got.status, len(got.body))
			}
			s.upload(space, "guide.zip", zipped(t, map[string]string{"extra.md": "# Extra\n\nMore.\n"}))
			if got := s.send(request); got.status != http.StatusOK || got.header.Get("ETag") == first.header.Get(
				"ETag") {
				t.Errorf("new revision: %d", got.status)
			}
		})
		t.Run("locked", func(t *testing.T) {
			s.call(http.MethodPatch, "/v1/spaces/"+space, `{"editMode":"locked"}`, 200, nil)
			s.call(http.MethodPost, base+"/upload?name=a.md", []byte("# A\n"), http.StatusConflict, nil)
			s.call(http.MethodPatch, "/v1/spaces/"+space, `{"editMode":"live"}`, 200, nil)
		})
	})
}

func deref(text *string) string {
	if text == nil {
		return "<none>"
	}
	return *text
}

func TestExportAndImportAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		first, second := s.space("First"), s.space("Second")
		s.upload(first, "guide.zip", zipped(t, guide))
		exported := s.call(http.MethodGet, "/v1/spaces/"+first+"/content/export", nil, 200, nil)
		s.upload(second, "again.zip", exported.body)
		again := s.call(http.MethodGet, "/v1/spaces/"+second+"/content/export", nil, 200, nil)
		if diff := cmp.Diff(unzipped(t, exported.body), unzipped(t, again.body)); diff != "" {
			t.Errorf("export, import, export (-first +second):\n%s", diff)
		}
	})
}

func unzipped(t *testing.T, raw []byte) map[string]string {
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

func TestImportsInTheBackground(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		// The file comes as a form, as curl -F sends it.
		form := &bytes.Buffer{}
		parts := multipart.NewWriter(form)
		part, err := parts.CreateFormFile("file", "guide.zip")
		if err == nil {
			_, err = part.Write(zipped(t, guide))
		}
		if err == nil {
			err = parts.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/v1/spaces/"+space+
			"/content/upload", form)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+s.token)
		request.Header.Set("Prefer", "respond-async")
		request.Header.Set("Content-Type", parts.FormDataContentType())
		got := s.send(request)
		if got.status != http.StatusAccepted || got.header.Get("Preference-Applied") != "respond-async" {
			t.Fatalf("started: %d %s", got.status, got.body)
		}
		s.check(http.MethodPost, "/v1/spaces/"+space+"/content/upload", got)
		location := strings.TrimPrefix(got.header.Get("Location"), s.base)
		var record struct {
			State, Message, Revision string
			Report                   struct{ Pages, Files int }
		}
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			s.call(http.MethodGet, location, nil, 200, &record)
			if record.State == "done" {
				break
			}
			if record.State == "failed" || record.State == "cancelled" || time.Now().After(deadline) {
				t.Fatalf("import: %+v", record)
			}
		}
		if record.Report.Pages != 6 || record.Report.Files != 1 || record.Revision == "" {
			t.Errorf("record = %+v", record)
		}
		var list struct {
			Count int
			Items []identified
		}
		s.call(http.MethodGet, "/v1/org/"+s.organization+"/imports", nil, 200, &list)
		if list.Count != 1 || !strings.HasSuffix(location, list.Items[0].ID) {
			t.Errorf("imports = %+v", list)
		}
		s.call(http.MethodDelete, location, nil, http.StatusConflict, nil)
	})
}

func TestFailedImportChangesNothing(t *testing.T) {
	s := onSQLite(t, nil)
	space := s.space("Guide")
	s.upload(space, "guide.zip", zipped(t, guide))
	before := s.call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil)
	for name, content := range map[string][]byte{
		"traversal.zip": zipped(t, map[string]string{"a.md": "# A\n", "../../b.md": "# B\n"}),
		"notazip.zip":   []byte("PK\x03\x04 this is not an archive"),
		"empty.zip":     zipped(t, nil),
		"bytes.md":      []byte("# A\n\n\xff\xfe\x00 not text"),
	} {
		got := s.raw(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name="+name, s.token, content)
		if got.status < 400 || got.status >= 500 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		after := s.call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil)
		if after.header.Get("ETag") != before.header.Get("ETag") {
			t.Errorf("%s changed the space", name)
		}
	}
}
