package contents_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestContent(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		base := "/v1/spaces/" + space + "/content"

		var revision struct {
			ID, Type string
			Parents  []string
			Pages    []apptest.Page
			Files    []struct {
				ID, Name, ContentType, DownloadURL string
				Size                               int64
				Dimensions                         map[string]int
			}
			Variables map[string]any
		}
		first := s.Call(http.MethodGet, base, nil, 200, &revision)
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/pages", nil, 200, &tree)
		if diff := cmp.Diff(revision.Pages, tree.Pages); diff != "" {
			t.Errorf("the revision and its pages differ:\n%s", diff)
		}
		paths := map[string]apptest.Page{}
		var order []string
		var walk func([]apptest.Page)
		walk = func(pages []apptest.Page) {
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
			var byID, byPath, encoded apptest.Page
			s.Call(http.MethodGet, base+"/page/"+install.ID, nil, 200, &byID)
			s.Call(http.MethodGet, base+"/path/guides/install", nil, 200, &byPath)
			s.Call(http.MethodGet, base+"/path/"+url.PathEscape("guides/install"), nil, 200, &encoded)
			if !bytes.Equal(byID.Document, byPath.Document) || !bytes.Equal(byID.Document, encoded.Document) ||
				byID.Document == nil {
				t.Errorf("documents differ: %s, %s, %s", byID.Document, byPath.Document, encoded.Document)
			}
			if !strings.Contains(string(byID.Document), `"type":"expression"`) ||
				!strings.Contains(string(byID.Document), "wizards") {
				t.Errorf("a document that is not evaluated: %s", byID.Document)
			}
			var evaluated apptest.Page
			s.Call(http.MethodGet, base+"/page/"+install.ID+"?evaluated=true", nil, 200, &evaluated)
			text := string(evaluated.Document)
			if !strings.Contains(text, "1.4.2") || !strings.Contains(text, "experts") || strings.Contains(text,
				"wizards") {
				t.Errorf("evaluated: %s", text)
			}
			var group apptest.Page
			s.Call(http.MethodGet, base+"/path/elsewhere", nil, 200, &group)
			if group.Type != "group" && group.Type != "document" {
				t.Errorf("group by path = %+v", group)
			}
		})
		t.Run("markdown", func(t *testing.T) {
			welcome := revision.Pages[0]
			var relative, stable apptest.Page
			s.Call(http.MethodGet, base+"/page/"+welcome.ID+"?format=markdown", nil, 200, &relative)
			s.Call(http.MethodGet, base+"/page/"+welcome.ID+"?format=markdown&format.markdown.refs=stable", nil, 200,
				&stable)
			if relative.Markdown == nil || !strings.Contains(*relative.Markdown, "# Welcome\n") ||
				!strings.Contains(*relative.Markdown, "(guides/install.md#windows)") ||
				!strings.Contains(*relative.Markdown, "description: Where it begins.") ||
				!strings.Contains(*relative.Markdown, ".gitbook/assets/pixel.png") {
				t.Errorf("markdown with relative references: %v", apptest.Text(relative.Markdown))
			}
			if stable.Markdown == nil || !strings.Contains(*stable.Markdown, "(/pages/"+paths["guides/install"].ID+
				"#windows)") || !strings.Contains(*stable.Markdown, "/files/"+revision.Files[0].ID) {
				t.Errorf("markdown with stable references: %v", apptest.Text(stable.Markdown))
			}
		})
		t.Run("files", func(t *testing.T) {
			var list struct {
				Items []struct{ ID, Name, ContentType, DownloadURL string }
				Count int
			}
			s.Call(http.MethodGet, base+"/files", nil, 200, &list)
			if list.Count != 1 || list.Items[0].Name != "pixel.png" || list.Items[0].ContentType != "image/png" ||
				revision.Files[0].Dimensions["width"] != 1 {
				t.Fatalf("files = %+v, %+v", list, revision.Files)
			}
			s.Call(http.MethodGet, base+"/files/"+list.Items[0].ID, nil, 200, nil)
			download := s.Raw(http.MethodGet, list.Items[0].DownloadURL, "", nil)
			if download.Status != 200 || string(download.Body) != apptest.Pixel ||
				download.Header.Get("Content-Type") != "image/png" {
				t.Errorf("download: %d %s, %d bytes", download.Status, download.Header.Get("Content-Type"),
					len(download.Body))
			}
			forged := strings.Replace(list.Items[0].DownloadURL, "pixel.png", "pixel.html", 1)
			if got := s.Raw(http.MethodGet, forged, "", nil); got.Status != http.StatusForbidden {
				t.Errorf("download under another name: %d", got.Status)
			}
		})
		t.Run("conditional", func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+base, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Authorization", "Bearer "+s.Token)
			request.Header.Set("If-None-Match", first.Header.Get("ETag"))
			if got := s.Send(request); got.Status != http.StatusNotModified || len(got.Body) != 0 {
				t.Errorf("same revision: %d, %d bytes", got.Status, len(got.Body))
			}
			s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{"extra.md": "# Extra\n\nMore.\n"}))
			if got := s.Send(request); got.Status != http.StatusOK || got.Header.Get("ETag") == first.Header.Get(
				"ETag") {
				t.Errorf("new revision: %d", got.Status)
			}
		})
		t.Run("locked", func(t *testing.T) {
			s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"editMode":"locked"}`, 200, nil)
			s.Call(http.MethodPost, base+"/upload?name=a.md", []byte("# A\n"), http.StatusConflict, nil)
			s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"editMode":"live"}`, 200, nil)
		})
	})
}
