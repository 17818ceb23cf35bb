package edits_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/db"
)

// form packs files into a multipart body: name, then content.
func form(t *testing.T, files ...string) (body []byte, contentType string) {
	t.Helper()
	var out bytes.Buffer
	writer := multipart.NewWriter(&out)
	if err := writer.WriteField("comment", "not a file"); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="file"; filename=%q`, files[i]))
		part, err := writer.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), writer.FormDataContentType()
}

// sendForm sends a body with a content type of its own.
func sendForm(s *apptest.Server, token, path, contentType string, body []byte) apptest.Answer {
	s.T.Helper()
	request, err := http.NewRequestWithContext(s.T.Context(), http.MethodPost, s.Base+path, bytes.NewReader(body))
	if err != nil {
		s.T.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", contentType)
	return s.Send(request)
}

type changeList struct {
	MergedFrom *apptest.Identified
	Changes    []struct {
		Type       string
		Page       *struct{ ID, Type, Title, Path string }
		Parent     *struct{ Before, After *struct{ ID, Path string } }
		File       *struct{ ID, Name, DownloadURL string }
		Attributes map[string]struct{ Before, After any }
	}
	More int
}

func (c changeList) String() string {
	var lines []string
	for _, change := range c.Changes {
		var line strings.Builder
		line.WriteString(change.Type)
		if change.Page != nil {
			line.WriteString(" " + change.Page.Path)
		}
		if change.File != nil {
			line.WriteString(" " + change.File.Name)
		}
		for _, name := range []string{"title", "document", "hidden", "emoji"} {
			if _, ok := change.Attributes[name]; ok {
				line.WriteString(" " + name)
			}
		}
		lines = append(lines, line.String())
	}
	return strings.Join(lines, "\n")
}

const firstChanges = `{"message":"Begin","changes":[
	{"operation":"insert_page","type":"group","ref":"g","title":"Guides"},
	{"operation":"insert_files","files":[{"ref":"pic","name":"dot.gif","base64":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}]},
	{"operation":"insert_page","ref":"i","into":"g","title":"Install","icon":"download","emoji":"🚀","description":"How","variables":{"level":2},
	 "layout":{"outline":false},"cover":{"ref":{"kind":"file","file":"pic"},"yPos":4},"tags":[{"tag":{"kind":"tag","tag":"new"},"primary":true}],
	 "document":{"markdown":"# Install\n\nRun **quickly**. See [more](/pages/m#top) and ![dot](/files/pic).\n"}},
	{"operation":"insert_page","ref":"m","into":"i","title":"More","document":{"document":{"object":"document","data":{},"nodes":[
	 {"object":"block","type":"paragraph","data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"A zeppelin flies.","marks":[]}]}]}]}}}
]}`

func TestWriting(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		base := "/v1/spaces/" + space
		var first apptest.Updated
		s.Call(http.MethodPost, base+"/content", firstChanges, 200, &first)
		_, refs := first.Pages(t)
		if len(first.Changes) != 3 || len(first.InsertedFiles) != 1 ||
			first.InsertedFiles[0].ContentType != "image/gif" {
			t.Fatalf("the answer: %+v", first)
		}
		var install apptest.Page
		s.Call(http.MethodGet, base+"/content/path/guides/install?format=markdown&format.markdown.refs=stable", nil,
			200, &install)
		if install.ID != refs["i"] || install.Icon != "download" || install.Description != "How" ||
			install.Layout["outline"] != false || install.Variables["level"] != 2.0 ||
			!strings.Contains(*install.Markdown, "[more](/pages/"+refs["m"]+"#top)") ||
			!strings.Contains(*install.Markdown, "/files/"+first.InsertedFiles[0].ID) {
			t.Errorf("the page: %+v\n%s", install, apptest.Text(install.Markdown))
		}
		found := func(query string) int {
			t.Helper()
			var result struct{ Count int }
			s.Call(http.MethodGet, base+"/search?query="+query, nil, 200, &result)
			return result.Count
		}
		if found("zeppelin") != 1 {
			t.Error("search does not find a new page")
		}

		// What is read as Markdown can be sent back: nothing changes.
		for _, refs := range []string{"relative", "stable"} {
			s.Call(http.MethodGet, base+"/content/page/"+install.ID+"?format=markdown&format.markdown.refs="+refs, nil,
				200, &install)
			var again apptest.Updated
			s.Call(http.MethodPost, base+"/content", map[string]any{"changes": []any{map[string]any{
				"operation": "update_page", "page": install.ID,
				"document": map[string]any{"markdown": *install.Markdown}}}}, 200, &again)
			if again.Revision != first.Revision {
				var list changeList
				s.Call(http.MethodGet, base+"/revisions/"+again.Revision+"/changes", nil, 200, &list)
				var after apptest.Page
				s.Call(http.MethodGet, base+"/content/page/"+install.ID+"?format=markdown&format.markdown.refs="+refs,
					nil, 200, &after)
				t.Errorf("the page sent back with %s references changes it: %s\n%s", refs, list,
					cmp.Diff(*install.Markdown, *after.Markdown))
			}
		}
		// The same for the document.
		s.Call(http.MethodGet, base+"/content/page/"+install.ID, nil, 200, &install)
		var again apptest.Updated
		s.Call(http.MethodPost, base+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "update_page", "page": install.ID, "document": map[string]any{"document": install.Document}}}},
			200, &again)
		if again.Revision != first.Revision {
			t.Error("the document sent back changes the page")
		}

		var second apptest.Updated
		s.Call(http.MethodPost, base+"/content", map[string]any{"changes": []any{
			map[string]any{"operation": "update_page", "page": refs["m"], "title": "Balloons", "slug": "balloons",
				"hidden": true, "emoji": nil, "into": nil, "at": 0,
				"document": map[string]any{"markdown": "A balloon floats.\n"}},
			map[string]any{"operation": "delete_page", "page": refs["i"]},
		}}, 200, &second)
		if found("zeppelin") != 0 || found("balloon") != 1 {
			t.Error("search does not follow an edit")
		}
		var list changeList
		s.Call(http.MethodGet, base+"/revisions/"+second.Revision+"/changes", nil, 200, &list)
		if diff := cmp.Diff(
			"page_moved balloons\npage_edited balloons title document hidden\npage_deleted guides/install",
			list.String()); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		moved := list.Changes[0]
		if moved.Parent == nil || moved.Parent.Before == nil || moved.Parent.Before.Path != "guides/install" ||
			moved.Parent.After != nil {
			t.Errorf("moved: %+v", moved.Parent)
		}
		edited := list.Changes[1].Attributes
		if edited["title"].Before != "More" || edited["title"].After != "Balloons" ||
			edited["hidden"].Before != false || edited["hidden"].After != true {
			t.Errorf("attributes: %+v", edited)
		}
		for side, words := range map[any]string{edited["document"].Before: "zeppelin",
			edited["document"].After: "balloon"} {
			if got := s.Call(http.MethodGet, base+"/documents/"+side.(string), nil, 200, nil); !strings.Contains(
				string(got.Body), words) {
				t.Errorf("document %v: %s", side, got.Body)
			}
		}
		s.Call(http.MethodGet, base+"/revisions/"+second.Revision+"/changes?limit=1&from="+first.Revision, nil, 200,
			&list)
		if len(list.Changes) != 1 || list.More != 2 {
			t.Errorf("one of three changes: %+v", list)
		}

		// Three revisions: the empty one, and the two above.
		var history struct {
			Items []struct {
				ID, Type, Message string
				Parents           []string
				Author            struct{ DisplayName string }
				URLs              struct{ Location string }
			}
			Count int
			Next  *struct{ Page string }
		}
		s.Call(http.MethodGet, base+"/revisions?limit=2", nil, 200, &history)
		if history.Count != 3 || len(history.Items) != 2 || history.Items[0].ID != second.Revision ||
			history.Items[1].Message != "Begin" ||
			history.Items[0].Author.DisplayName != "Ada" || history.Items[0].Parents[0] != first.Revision ||
			history.Next == nil {
			t.Fatalf("history: %+v", history)
		}
		s.Call(http.MethodGet, history.Items[0].URLs.Location, nil, 200, nil)
		s.Call(http.MethodGet, base+"/revisions?page="+url.QueryEscape(history.Next.Page), nil, 200, &history)
		s.Call(http.MethodGet, base+"/revisions/"+history.Items[0].ID+"/changes", nil, 200, &list)
		if len(history.Items) != 1 || len(list.Changes) != 0 {
			t.Errorf("the first revision: %+v, %+v", history.Items, list)
		}

		var rolled struct{ Revision, Result string }
		s.Call(http.MethodPost, base+"/revisions/"+first.Revision+"/rollback", `{"message":"Better before"}`, 200,
			&rolled)
		if rolled.Result != "rollback" || found("zeppelin") != 1 {
			t.Errorf("rollback: %+v", rolled)
		}
		again = apptest.Updated{}
		s.Call(http.MethodPost, base+"/revisions/"+first.Revision+"/rollback", nil, 200, &rolled)
		if rolled.Result != "unchanged" {
			t.Errorf("rollback again: %+v", rolled)
		}
		s.Call(http.MethodPost, base+"/content", map[string]any{"revision": second.Revision, "changes": []any{
			map[string]any{"operation": "update_page", "page": refs["m"], "title": "Mine"}}}, http.StatusConflict, nil)
	})
}

// TestReadsOfRevisions holds that every read answers alike for main, for a revision and for a change request.
func TestReadsOfRevisions(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		base := "/v1/spaces/" + space
		files := map[string]string{
			"include.md":                "# Including\n\nBefore.\n\n{% include \".gitbook/includes/note.md\" %}\n",
			".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nA shared note.\n"}
		for name, content := range apptest.GuideFiles {
			if name == "SUMMARY.md" {
				content = strings.Replace(content, "* [Hidden]", "* [Including](include.md)\n* [Hidden]", 1)
			}
			files[name] = content
		}
		s.Upload(space, "guide.zip", apptest.Zipped(t, files))
		var now struct {
			ID               string
			Pages            []apptest.Page
			Files            []apptest.Identified
			ReusableContents []struct{ ID, Title, Document string }
		}
		s.Call(http.MethodGet, base+"/content", nil, 200, &now)
		var request struct{ ID, Revision string }
		s.Call(http.MethodPost, base+"/change-requests", `{"subject":"Same"}`, 201, &request)
		welcome, reusable := now.Pages[0].ID, now.ReusableContents[0].ID
		revision := base + "/revisions/" + now.ID
		ignoreDocument := cmpopts.IgnoreMapEntries(func(name string, _ any) bool {
			return name == "documentId" || name == "document"
		})
		for main, other := range map[string]string{
			"/content": "", "/content/pages": "/pages", "/content/files": "/files",
			"/content/files/" + now.Files[0].ID: "/files/" + now.Files[0].ID,
			"/content/page/" + welcome:          "/page/" + welcome, "/content/page/" + welcome +
				"?format=markdown": "/page/" +
				welcome + "?format=markdown",
			"/content/path/guides/install?evaluated=true":    "/path/guides/install?evaluated=true",
			"/content/path/guides%2Finstall?format=markdown": "/path/guides%2Finstall?format=markdown",
			"/content/reusable-contents/" + reusable:         "/reusable-contents/" + reusable,
		} {
			var want any
			s.Call(http.MethodGet, base+main, nil, 200, &want)
			for _, path := range []string{revision + other, base + "/change-requests/1" + main,
				base + "/change-requests/" + request.ID + main} {
				var got any
				answer := s.Call(http.MethodGet, path, nil, 200, &got)
				if diff := cmp.Diff(want, got, ignoreDocument); diff != "" {
					t.Errorf("GET %s differs from main:\n%s", path, diff)
				}
				if strings.Contains(main, "/files") && !strings.Contains(main, "file_") {
					continue // a list has no tag
				}
				again, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				again.Header.Set("Authorization", "Bearer "+s.Token)
				again.Header.Set("If-None-Match", answer.Header.Get("ETag"))
				if got := s.Send(again); got.Status != http.StatusNotModified {
					t.Errorf("GET %s with its tag: %d", path, got.Status)
				}
			}
		}
		including := ""
		for _, p := range now.Pages {
			if p.Title == "Including" {
				including = p.ID
			}
		}
		for path, shared := range map[string]bool{
			revision + "/page/" + including + "/document":                                         false,
			revision + "/page/" + including + "/document?dereferenced=reusable-contents":          true,
			revision + "/page/" + including + "/document?evaluated=true":                          true,
			revision + "/page/" + including + "?dereferenced=true":                                true,
			base + "/content/page/" + including + "?dereferenced=true":                            true,
			base + "/change-requests/1/content/page/" + including + "?dereferenced=true":          true,
			revision + "/reusable-contents/" + reusable + "/document":                             true,
			base + "/documents/" + now.ReusableContents[0].Document:                               true,
			base + "/documents/" + now.ID + "." + reusable:                                        true,
			base + "/documents/" + including:                                                      false,
			revision + "/page/" + including + "?format=markdown&dereferenced=true":                true,
			revision + "/path/include?format=markdown&dereferenced=false&metadata=false":          false,
			base + "/change-requests/1/content/page/" + including + "?dereferenced=false":         false,
			base + "/change-requests/1/content/page/" + including + "?computed=false":             false,
			base + "/change-requests/1/content/page/" + including + "?evaluated=true":             true,
			base + "/change-requests/1/content/path/include?evaluated=deterministic-only":         true,
			base + "/change-requests/1/content/reusable-contents/" + reusable + "?computed=false": false,
		} {
			if got := s.Call(http.MethodGet, path, nil, 200, nil); strings.Contains(string(got.Body),
				"A shared note.") != shared {
				t.Errorf("GET %s: with the shared note is %t, want %t:\n%s", path, !shared, shared, got.Body)
			}
		}
		// A revision stays as it is when main moves on, and the change request goes its own way.
		before := s.Call(http.MethodGet, revision+"/pages", nil, 200, nil)
		s.Call(http.MethodPost, base+"/content", `{"changes":[{"operation":"insert_page","title":"On main"}]}`, 200,
			nil)
		s.Call(http.MethodPost, base+"/change-requests/1/content",
			`{"changes":[{"operation":"insert_page","title":"On the side"}]}`, 200, nil)
		if after := s.Call(http.MethodGet, revision+"/pages", nil, 200, nil); !bytes.Equal(before.Body, after.Body) {
			t.Error("a revision has changed")
		}
		for path, want := range map[string]string{base + "/content/pages": "On main",
			base + "/change-requests/1/content/pages": "On the side"} {
			got := string(s.Call(http.MethodGet, path, nil, 200, nil).Body)
			for _, title := range []string{"On main", "On the side"} {
				if strings.Contains(got, title) != (title == want) {
					t.Errorf("GET %s: %q is wrong about %q", path, got, title)
				}
			}
		}
	})
}

func TestWritingInChangeRequests(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		base := "/v1/spaces/" + space
		s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		var request struct{ ID, Revision, UpdatedAt string }
		s.Call(http.MethodPost, base+"/change-requests", nil, 201, &request)
		content := base + "/change-requests/1/content"
		s.Call(http.MethodPatch, base, `{"editMode":"locked"}`, 200, nil)

		var compatible struct{ Object, ID, Revision, UpdatedAt string }
		s.Call(http.MethodPost, content, `{"changes":[{"operation":"insert_page","title":"One"}]}`, 200, &compatible)
		if compatible.Object != "change-request" || compatible.ID != request.ID ||
			compatible.Revision == request.Revision || compatible.UpdatedAt <= request.UpdatedAt {
			t.Errorf("the change request after a write: %+v, before: %+v", compatible, request)
		}
		var full apptest.Updated
		s.Call(http.MethodPost, content+"?compat=false",
			`{"changes":[{"operation":"insert_page","title":"Two","ref":"two"},{"operation":"insert_files","files":[{"name":"a.txt","base64":"QQ=="}]},{"operation":"delete_page","page":"two"}]}`, 200, &full)
		ids, _ := full.Pages(t)
		if full.ChangeRequest.ID != request.ID || len(ids) != 2 || ids[0] != ids[1] ||
			full.Changes[1].Object != "deleted_page" || len(full.InsertedFiles) != 1 {
			t.Errorf("the full answer: %+v", full)
		}
		body, contentType := form(t, "b.txt", "B")
		sent := sendForm(s, s.Token, content+"/files", contentType, body)
		if sent.Status != http.StatusCreated {
			t.Fatalf("upload: %d %s", sent.Status, sent.Body)
		}
		s.Check(http.MethodPost, content+"/files", sent)
		s.Call(http.MethodGet, sent.Header.Get("Location"), nil, 200, nil)

		var list changeList
		s.Call(http.MethodGet, base+"/change-requests/1/changes", nil, 200, &list)
		if diff := cmp.Diff("page_created one\nfile_created a.txt\nfile_created b.txt", list.String()); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		var history struct{ Count int }
		s.Call(http.MethodGet, base+"/change-requests/1/revisions", nil, 200, &history)
		if history.Count != 3 {
			t.Errorf("%d revisions in the change request", history.Count)
		}
		s.Call(http.MethodGet, base+"/revisions", nil, 200, &history)
		if history.Count != 2 {
			t.Errorf("%d revisions on main", history.Count)
		}
		// What a revision of the change request holds can be read; main does not go there.
		s.Call(http.MethodGet, base+"/revisions/"+compatible.Revision+"/path/one", nil, 200, nil)
		s.Call(http.MethodPatch, base, `{"editMode":"live"}`, 200, nil)
		s.Call(http.MethodPost, base+"/revisions/"+compatible.Revision+"/rollback", nil, http.StatusConflict, nil)
	})
}

// TestMergedFrom holds that a merge names the change request that it brought in.
func TestMergedFrom(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		base := "/v1/spaces/" + space
		var request apptest.Identified
		s.Call(http.MethodPost, base+"/change-requests", `{"subject":"Better"}`, 201, &request)
		s.Call(http.MethodPost, base+"/change-requests/1/content",
			`{"changes":[{"operation":"insert_page","title":"New"}]}`, 200, nil)

		database, err := db.Open(t.Context(), db.Config{URL: s.Storage.Database()})
		if err != nil {
			t.Fatal(err)
		}
		defer database.Close()
		var branch string
		if err := database.Read().QueryRowContext(t.Context(), `SELECT branch_id FROM change_request WHERE id = $1`,
			request.ID).Scan(&branch); err != nil {
			t.Fatal(err)
		}
		merged, err := storetest.NewService(t, database, store.Deps{}).MergeBranch(t.Context(),
			store.MergeRequest{Space: id.Space(space), Branch: id.Branch(branch), Author: "user_test"})
		if err != nil {
			t.Fatal(err)
		}
		var head struct {
			ID, Type   string
			MergedFrom *apptest.Identified
		}
		s.Call(http.MethodGet, base+"/content", nil, 200, &head)
		if head.ID != string(merged.Revision.ID) || head.Type != "merge" || head.MergedFrom == nil ||
			head.MergedFrom.ID != request.ID {
			t.Errorf("the merge: %+v", head)
		}
		var list changeList
		s.Call(http.MethodGet, base+"/revisions/"+head.ID+"/changes", nil, 200, &list)
		if list.MergedFrom == nil || list.MergedFrom.ID != request.ID || list.String() != "page_created new" {
			t.Errorf("what it changed: %+v", list)
		}
	})
}

func TestUploads(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Files")
		path := "/v1/spaces/" + space + "/content/files"
		active := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
		body, contentType := form(t, "dot.png", apptest.Pixel, "active.svg", active, "page.html",
			"<script>alert(1)</script>")
		sent := sendForm(s, s.Token, path, contentType, body)
		if sent.Status != http.StatusCreated {
			t.Fatalf("upload: %d %s", sent.Status, sent.Body)
		}
		s.Check(http.MethodPost, path, sent)
		var made struct {
			Revision string
			Files    []struct {
				ID, Name, ContentType, DownloadURL string
				Dimensions                         map[string]int
			}
		}
		if err := json.Unmarshal(sent.Body, &made); err != nil {
			t.Fatal(err)
		}
		if len(made.Files) != 3 || made.Files[0].Dimensions["width"] != 1 ||
			made.Files[1].ContentType != "image/svg+xml" {
			t.Fatalf("files: %+v", made.Files)
		}
		for i, want := range []struct{ content, kind, disposition string }{
			{apptest.Pixel, "image/png", "inline"}, {active, "image/svg+xml", "attachment"},
			{"<script>alert(1)</script>", "application/octet-stream", "attachment"},
		} {
			got := s.Raw(http.MethodGet, made.Files[i].DownloadURL, "", nil)
			if string(got.Body) != want.content || got.Header.Get("Content-Type") != want.kind ||
				!strings.HasPrefix(got.Header.Get("Content-Disposition"), want.disposition) ||
				!strings.Contains(got.Header.Get("Content-Security-Policy"), "sandbox") ||
				got.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %d %v", made.Files[i].Name, got.Status, got.Header)
			}
		}
		for name, test := range map[string]struct {
			contentType string
			body        []byte
			want        int
		}{
			"not a form":     {"application/json", []byte("{}"), http.StatusUnsupportedMediaType},
			"no boundary":    {"multipart/form-data", body, http.StatusUnsupportedMediaType},
			"other boundary": {"multipart/form-data; boundary=other", body, http.StatusBadRequest},
			"cut off":        {contentType, body[:len(body)-60], http.StatusBadRequest},
			"nothing":        {contentType, nil, http.StatusBadRequest},
			"mixed, no files": {contentType,
				[]byte("--" + strings.TrimPrefix(contentType, "multipart/form-data; boundary=") + "--\r\n"),
				http.StatusBadRequest},
		} {
			got := sendForm(s, s.Token, path, test.contentType, test.body)
			if got.Status != test.want {
				t.Errorf("%s: %d, want %d: %s", name, got.Status, test.want, got.Body)
			}
			s.Check(http.MethodPost, path, got)
		}
		many, manyType := form(t, strings.Split(strings.Repeat("a.txt,x,", 21), ",")[:42]...)
		if got := sendForm(s, s.Token, path, manyType, many); got.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("21 files: %d %s", got.Status, got.Body)
		}
		var list struct{ Count int }
		s.Call(http.MethodGet, path, nil, 200, &list)
		if list.Count != 3 {
			t.Errorf("%d files after refused uploads", list.Count)
		}
	})
}

// TestUploadIsStreamed holds that a large file passes through without being in memory.
func TestUploadIsStreamed(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	path := "/v1/spaces/" + s.Space("Files") + "/content/files"
	const size = 64 << 20
	reader, pipe := io.Pipe()
	writer := multipart.NewWriter(pipe)
	go func() {
		part, err := writer.CreateFormFile("file", "large.bin")
		chunk := make([]byte, 64<<10)
		for sent := 0; sent < size && err == nil; sent += len(chunk) {
			_, err = part.Write(chunk)
		}
		pipe.CloseWithError(errors.Join(err, writer.Close()))
	}()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.Token)
	request.Header.Set("Content-Type", writer.FormDataContentType())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := s.Send(request)
	runtime.ReadMemStats(&after)
	if got.Status != http.StatusCreated || !strings.Contains(string(got.Body), fmt.Sprintf(`"size":%d`, size)) {
		t.Fatalf("upload: %d %s", got.Status, got.Body)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > size/4 {
		t.Errorf("an upload of %d bytes allocated %d", size, taken)
	}
}
