package imports_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// imported is what an import answers, as far as tests look at it.
type imported struct {
	ID, State, Revision, ChangeRequest, Page, Source string
	ImportedResources, TotalResources                int
	Report                                           struct {
		Pages, Files  int
		NotUnderstood struct{ Total int }
	}
}

// wordFile is a document with a heading and a text.
func wordFile(t *testing.T) []byte {
	t.Helper()
	return apptest.Zipped(t, map[string]string{
		"[Content_Types].xml": `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"word/document.xml": `<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Owls</w:t></w:r></w:p>` +
			`<w:p><w:r><w:t>They </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>hoot</w:t></w:r><w:r><w:t>.</w:t></w:r></w:p></w:body></w:document>`,
	})
}

// sources serves files for imports and returns its address.
func sources(t *testing.T, files map[string][]byte) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write(content)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestImportIntoChangeRequest(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		from := sources(t, map[string][]byte{"/owls.docx": wordFile(t),
			"/docs.zip": apptest.Zipped(t, map[string]string{"README.md": "# Start\n", "more.md": "# More\n"})})
		space := s.Space("Guide")
		s.Upload(space, "page.md", []byte("# Page\n\nText.\n"))
		s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"editMode":"locked"}`, http.StatusOK, nil)
		before := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get("ETag")
		var request apptest.ChangeRequest
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"Imports"}`, http.StatusCreated,
			&request)

		base := "/v1/spaces/" + space + "/change-requests/"
		var first imported
		got := s.Call(http.MethodPost, base+request.ID+"/content/import", map[string]any{"url": from + "/owls.docx",
			"source": "docx"}, http.StatusCreated, &first)
		if first.State != "done" || first.ChangeRequest != request.ID || first.Source != "docx" ||
			first.ImportedResources != 1 || first.TotalResources != 1 || first.Revision == "" {
			t.Errorf("import: %+v", first)
		}
		location := strings.TrimPrefix(got.Header.Get("Location"), s.Base)
		var again imported
		s.Call(http.MethodGet, location, nil, 200, &again)
		if again.ID != first.ID {
			t.Errorf("Location %q leads to %+v", location, again)
		}
		var after apptest.ChangeRequest
		s.Call(http.MethodGet, base+request.ID, nil, 200, &after)
		if after.Revision != first.Revision || after.Revision == request.Revision {
			t.Errorf("the change request stands at %q, before %q, the import made %q", after.Revision, request.Revision,
				first.Revision)
		}
		var second imported
		s.Call(http.MethodPost, base+"1/content/import", map[string]any{"url": from + "/docs.zip", "source": "zip"},
			http.StatusCreated, &second)
		if second.ImportedResources != 2 {
			t.Errorf("second: %+v", second)
		}
		// An upload goes there too, and main of the locked space takes nothing.
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=owls.docx&source=docx&changeRequest=1",
			wordFile(t), http.StatusCreated, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=owls.docx", wordFile(t), http.StatusConflict,
			nil)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/import", map[string]any{"url": from + "/docs.zip",
			"source": "zip"}, http.StatusConflict, nil)
		if now := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get(
			"ETag"); now != before {
			t.Error("an import into a change request changed the main content")
		}
		var list struct {
			Count int
			Items []imported
		}
		s.Call(http.MethodGet, "/v1/org/"+s.Organization+"/imports", nil, 200, &list)
		if list.Count != 4 || list.Items[0].ChangeRequest != request.ID || list.Items[3].ChangeRequest != "" {
			t.Errorf("imports: %+v", list)
		}
	})
}

func TestImportIntoPage(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		from := sources(t, map[string][]byte{"/owls.docx": wordFile(t),
			"/docs.zip": apptest.Zipped(t, map[string]string{"x.md": "# X\n", "y.md": "# Y\n"}),
			"/page.md":  []byte("# Other\n\nOther text.\n")})
		space := s.Space("Guide")
		s.Upload(space, "docs.zip",
			apptest.Zipped(t, map[string]string{"README.md": "# Start\n", "birds.md": "# Birds\n\nOld.\n"}))
		var page struct{ ID, Title, Path, Markdown string }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/birds", nil, 200, &page)
		base := "/v1/spaces/" + space + "/content/page/" + page.ID
		var made imported
		got := s.Call(http.MethodPost, base+"/import", map[string]any{"url": from + "/owls.docx", "source": "docx"},
			http.StatusCreated, &made)
		if made.Page != page.ID || made.ImportedResources != 1 || made.Report.NotUnderstood.Total != 1 ||
			got.Header.Get("Location") == "" {
			t.Errorf("import: %+v", made)
		}
		s.Call(http.MethodGet, base+"?format=markdown", nil, 200, &page)
		if page.Title != "Birds" || !strings.Contains(page.Markdown, "They **hoot**.") ||
			strings.Contains(page.Markdown, "Old.") {
			t.Errorf("page: %+v", page)
		}
		s.Call(http.MethodPost, base+"/import", map[string]any{"url": from + "/docs.zip", "source": "zip"},
			http.StatusCreated, &made)
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/birds/x", nil, 200, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=page.md&page="+page.ID,
			[]byte("# Third\n\nThird text.\n"), http.StatusCreated, nil)
		s.Call(http.MethodGet, base+"?format=markdown", nil, 200, &page)
		if !strings.Contains(page.Markdown, "Third text.") {
			t.Errorf("after the upload: %+v", page)
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/page/page_00000000000000000000000000/import",
			map[string]any{"url": from + "/page.md", "source": "markdown"}, http.StatusNotFound, nil)
	})
}

func TestImportOfAWiki(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "acme", "owls.wiki.git")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"Home.md": "Welcome to [[Owls]].\n", "Owls.md": "They hoot.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	backend := ""
	for _, arguments := range [][]string{{"init", "-q", "."}, {"add", "-A"},
		{"-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "pages"}, {"--exec-path"}} {
		command := exec.CommandContext(t.Context(), "git", arguments...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", arguments, err, out)
		}
		backend = filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	}
	host := httptest.NewServer(&cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + root,
		"GIT_HTTP_EXPORT_ALL=1"}})
	defer host.Close()
	s := apptest.OnSQLite(t, apptest.Fetching)
	space := s.Space("Wiki")
	var made imported
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/import", map[string]any{"url": host.URL + "/acme/owls/wiki",
		"source": "github-wiki"}, http.StatusCreated, &made)
	if made.ImportedResources != 2 || made.Source != "github-wiki" {
		t.Errorf("import: %+v", made)
	}
	var page struct{ Markdown string }
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/owls?format=markdown", nil, 200, &page)
	if page.Markdown == "" {
		t.Error("the page is empty")
	}
	// The wiki's commit, with the words of who made it.
	var revision revisionWithGit
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, &revision)
	if revision.Git == nil || revision.Git.Message != "pages" || len(revision.Git.OID) != 40 ||
		revision.Git.Ref == "" || revision.Pages[1].Git == nil || revision.Pages[1].Git.Path != "Owls.md" {
		t.Errorf("the revision is from %+v, its second page from %+v", revision.Git, revision.Pages[1].Git)
	}
	// Without the operator's word the same address is out of reach.
	guarded := apptest.OnSQLite(t, nil)
	got := guarded.Raw(http.MethodPost, "/v1/spaces/"+guarded.Space("Wiki")+"/content/import", guarded.Token,
		map[string]any{"url": host.URL + "/acme/owls/wiki", "source": "github-wiki"})
	if got.Status != http.StatusBadRequest || !bytes.Contains(got.Body, []byte("--fetch-allow")) {
		t.Errorf("from a private network: %d %s", got.Status, got.Body)
	}
}

func TestCancelImportIntoChangeRequest(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		release := make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Write([]byte("# Slow\n"))
			w.(http.Flusher).Flush()
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}))
		defer slow.Close()
		defer close(release)
		space := s.Space("Guide")
		var request apptest.ChangeRequest
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, &request)
		path := "/v1/spaces/" + space + "/change-requests/1/content/import"
		encoded, err := json.Marshal(map[string]any{"url": slow.URL + "/a.md", "source": "markdown"})
		if err != nil {
			t.Fatal(err)
		}
		in, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+path, bytes.NewReader(encoded))
		if err != nil {
			t.Fatal(err)
		}
		in.Header.Set("Authorization", "Bearer "+s.Token)
		in.Header.Set("Content-Type", "application/json")
		in.Header.Set("Prefer", "respond-async")
		got := s.Send(in)
		if got.Status != http.StatusAccepted {
			t.Fatalf("started: %d %s", got.Status, got.Body)
		}
		s.Check(http.MethodPost, path, got)
		location := strings.TrimPrefix(got.Header.Get("Location"), s.Base)
		s.Call(http.MethodDelete, location, nil, http.StatusNoContent, nil)
		var record imported
		for deadline := time.Now().Add(20 * time.Second); record.State != "cancelled" &&
			time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			s.Call(http.MethodGet, location, nil, 200, &record)
		}
		var after apptest.ChangeRequest
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/change-requests/1", nil, 200, &after)
		if record.State != "cancelled" || record.ChangeRequest != request.ID || after.Revision != request.Revision {
			t.Errorf("record %+v; the change request went from %s to %s", record, request.Revision, after.Revision)
		}
	})
}

// TestImportInput holds what the operations answer to what cannot be.
func TestImportInput(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space, other := s.Space("Guide"), s.Space("Other")
	s.Upload(space, "page.md", []byte("# Page\n\nText.\n"))
	var page apptest.Identified
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/page", nil, 200, &page)
	var request apptest.ChangeRequest
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, &request)
	valid := `{"url":"https://example.com/a.md","source":"markdown"}`
	upload := "/v1/spaces/" + space + "/content/upload"
	tests := []struct {
		name, path string
		body       any
		want       int
		says       string
	}{
		{"change request that is not there", "/v1/spaces/" + space + "/change-requests/99/content/import", valid, 404,
			"change request"},
		{"change request with an id of another kind", "/v1/spaces/" + space + "/change-requests/" + space +
			"/content/import", valid, 404, "change request"},
		{"change request of another space", "/v1/spaces/" + other + "/change-requests/" + request.ID +
			"/content/import", valid, 404, "change request"},
		{"page of another space", "/v1/spaces/" + other + "/content/page/" + page.ID + "/import", valid, 404, "page"},
		{"page with an id of another kind", "/v1/spaces/" + space + "/content/page/x/import", valid, 404, "page"},
		{"space that is not there", "/v1/spaces/space_00000000000000000000000000/content/page/" + page.ID + "/import",
			valid, 404, ""},
		{"upload to a page that is not there", upload + "?page=page_00000000000000000000000000", []byte("# A\n"), 404,
			"page"},
		{"upload to a page with an odd id", upload + "?page=x", []byte("# A\n"), 400, "page"},
		{"upload to a change request that is not there", upload + "?changeRequest=7", []byte("# A\n"), 404,
			"change request"},
		{"upload of a website", upload + "?source=website", []byte("# A\n"), 400, "source"},
		{"upload of a wiki", upload + "?source=github-wiki", []byte("# A\n"), 400, "source"},
		{"upload of an unknown kind", upload + "?source=fax", []byte("# A\n"), 400, "source"},
		{"upload of a document that is none", upload + "?source=docx", []byte("hello"), 400, "ZIP"},
		{"upload of a document of old", upload, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on"), 415, ".docx"},
		{"upload of a document that is another archive", upload + "?source=docx",
			apptest.Zipped(t, map[string]string{"a.md": "# A\n"}), 400, "Word"},
		{"upload of an export that is none", upload + "?source=confluence",
			apptest.Zipped(t, map[string]string{"a.md": "# A\n"}), 400, "Confluence"},
		{"upload with an entity bomb", upload + "?source=confluence",
			apptest.Zipped(t, map[string]string{"entities.xml": `<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>`}), 400,
			"document type"},
		{"upload with a path that leads out", upload + "?source=notion",
			apptest.Zipped(t, map[string]string{"../a.md": "# A\n"}), 400, "leads out"},
		{"upload with a name too long", upload + "?name=" + strings.Repeat("a", 256), []byte("# A\n"), 400, "name"},
	}
	for _, place := range []string{"/change-requests/1/content/import", "/content/page/" + page.ID + "/import",
		"/content/import"} {
		path := "/v1/spaces/" + space + place
		for _, body := range []struct{ name, body, says string }{
			{"no body", ``, ""}, {"no address", `{"source":"markdown"}`, "url"},
			{"no source", `{"url":"https://example.com/"}`, "source"},
			{"unknown source", `{"url":"https://example.com/","source":"fax"}`, "source"},
			{"address of the wrong type", `{"url":5,"source":"zip"}`, "url"},
			{"address too long", `{"url":"https://example.com/` + strings.Repeat("a", 2048) + `","source":"zip"}`,
				"url"},
			{"limit of zero", `{"url":"https://example.com/","source":"website","limit":0}`, "limit"},
			{"a file of this machine", `{"url":"file:///etc/passwd","source":"docx"}`, "scheme"},
			{"a private network", `{"url":"http://127.0.0.1:1/","source":"docx"}`, "--fetch-allow"},
			{"a wiki in a private network", `{"url":"http://10.0.0.1/a.git","source":"github-wiki"}`, "--fetch-allow"},
			{"a wiki over SSH", `{"url":"ssh://git@example.com/a.git","source":"github-wiki"}`, "scheme"},
			{"no wiki", `{"url":"https://example.com/","source":"github-wiki"}`, "wiki"},
			{"no document", `{"url":"https://example.com/","source":"google-docs"}`, "document"},
		} {
			tests = append(tests, struct {
				name, path string
				body       any
				want       int
				says       string
			}{body.name + " at " + place, path, body.body, 400, body.says})
		}
	}
	before := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get("ETag")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := s.Raw(http.MethodPost, test.path, s.Token, test.body)
			if got.Status != test.want || !bytes.Contains(got.Body, []byte(test.says)) {
				t.Fatalf("status %d, want %d saying %q: %.500s", got.Status, test.want, test.says, got.Body)
			}
			path, _, _ := strings.Cut(test.path, "?")
			s.Check(http.MethodPost, path, got)
		})
	}
	if after := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get(
		"ETag"); after != before {
		t.Error("a refused import changed the space")
	}
}

// TestAccessToImports holds which role may import where.
func TestAccessToImports(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		from := sources(t, map[string][]byte{"/page.md": []byte("# Page\n\nOther text.\n")})
		space := s.Space("Guide")
		s.Upload(space, "page.md", []byte("# Page\n\nText.\n"))
		var page apptest.Identified
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/path/page", nil, 200, &page)
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, nil)
		closed := s.Space("Closed")
		s.Call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":null}`, http.StatusOK, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+closed+"/change-requests", nil, http.StatusCreated, nil)
		body := map[string]any{"url": from + "/page.md", "source": "markdown"}
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		for _, role := range roles {
			token := s.Member(role, "role-"+string(role)+"@example.org")
			for _, place := range []string{"/change-requests/1/content/import", "/content/page/" + page.ID + "/import",
				"/content/import"} {
				path := "/v1/spaces/" + space + place
				want := http.StatusCreated
				if role == org.RoleGuest {
					want = http.StatusNotFound
				} else if !role.AtLeast(org.RoleEdit) {
					want = http.StatusForbidden
				}
				got := s.Raw(http.MethodPost, path, token, body)
				if got.Status != want {
					t.Errorf("%s as %q: %d, want %d: %.300s", place, role, got.Status, want, got.Body)
				}
				s.Check(http.MethodPost, path, got)
				if got := s.Raw(http.MethodPost, path, "", body); got.Status != http.StatusUnauthorized {
					t.Errorf("%s without a token: %d", place, got.Status)
				}
				if got := s.Raw(http.MethodPost, path, stranger, body); got.Status != http.StatusNotFound {
					t.Errorf("%s from a stranger: %d", place, got.Status)
				}
				hidden := http.StatusNotFound
				if role == org.RoleAdmin && strings.HasPrefix(place, "/change") || role == org.RoleAdmin &&
					place == "/content/import" {
					hidden = http.StatusCreated
				}
				if got := s.Raw(http.MethodPost, "/v1/spaces/"+closed+place, token, body); got.Status != hidden {
					t.Errorf("%s of a closed space as %q: %d, want %d", place, role, got.Status, hidden)
				}
			}
		}
	})
}

// TestLargeUploadsAreBounded holds that 200 MB of a bomb end with a clear error and leave nothing.
func TestLargeUploadsAreBounded(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	before := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get("ETag")
	bomb := apptest.Zipped(t, map[string]string{
		"[Content_Types].xml": `<Types/>`, "word/document.xml": `<w:document><w:body>` + strings.Repeat("<w:p>",
			20<<20),
	})
	started := time.Now()
	for name, content := range map[string][]byte{"bomb.docx": bomb, "long.docx": bytes.Repeat([]byte("x"), 200<<20)} {
		got := s.Raw(http.MethodPost, "/v1/spaces/"+space+"/content/upload?source=docx&name="+name, s.Token, content)
		if got.Status != http.StatusBadRequest && got.Status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d %.300s", name, got.Status, got.Body)
		}
	}
	if took := time.Since(started); took > 30*time.Second {
		t.Errorf("took %v", took)
	}
	if after := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil).Header.Get(
		"ETag"); after != before {
		t.Error("a refused import changed the space")
	}
}
