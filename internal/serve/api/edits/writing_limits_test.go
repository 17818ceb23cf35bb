package edits_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestWritingAccess holds which role may read versions of content and write it, and that nobody else learns of it.
func TestWritingAccess(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		base := "/v1/spaces/" + space
		var now struct {
			ID      string
			Parents []string
			Pages   []apptest.Page
			Files   []apptest.Identified
		}
		s.Call(http.MethodGet, base+"/content", nil, 200, &now)
		s.Call(http.MethodPost, base+"/change-requests", nil, 201, nil)
		welcome, file := now.Pages[0].ID, now.Files[0].ID
		revision, request := base+"/revisions/"+now.ID, base+"/change-requests/1"
		insert := `{"changes":[{"operation":"insert_page","title":"New"}]}`

		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "writing-"+string(role)+"@example.org")
		}
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		var other apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &other)

		type row struct {
			method, path string
			body         any
			least        org.Role
		}
		rows := []row{
			{http.MethodPost, base + "/content", insert, org.RoleEdit},
			{http.MethodPost, request + "/content", insert, org.RoleEdit},
			{http.MethodPost, request + "/content?compat=false", insert, org.RoleEdit},
			{http.MethodPost, revision + "/rollback", nil, org.RoleReview},
		}
		for _, path := range []string{
			base + "/revisions", revision, revision + "/pages", revision + "/files", revision + "/files/" + file,
			revision + "/page/" + welcome,
			revision + "/page/" + welcome + "/document", revision + "/path/guides/install", revision + "/changes",
			base + "/documents/" + welcome,
			request + "/content", request + "/content/pages", request + "/content/files", request + "/content/files/" +
				file,
			request + "/content/page/" + welcome, request + "/content/path/guides/install", request + "/revisions",
			request + "/changes",
		} {
			rows = append(rows, row{http.MethodGet, path, nil, org.RoleRead})
		}
		for _, test := range rows {
			for _, role := range roles {
				want := http.StatusOK
				switch {
				case role == org.RoleGuest:
					want = http.StatusNotFound // a guest does not see the space at all
				case slices.Index(roles, role) < slices.Index(roles, test.least):
					want = http.StatusForbidden
				}
				got := s.Raw(test.method, test.path, tokens[role], test.body)
				if got.Status != want {
					t.Errorf("%s %s as %q: %d, want %d: %.300s", test.method, test.path, role, got.Status, want,
						got.Body)
				}
				s.Check(test.method, test.path, got)
			}
			if got := s.Raw(test.method, test.path, stranger, test.body); got.Status != http.StatusNotFound {
				t.Errorf("%s %s from another organization: %d", test.method, test.path, got.Status)
			}
			if got := s.Raw(test.method, test.path, "", test.body); got.Status != http.StatusUnauthorized {
				t.Errorf("%s %s without a token: %d", test.method, test.path, got.Status)
			}
		}
		body, contentType := form(t, "a.txt", "A")
		for _, path := range []string{base + "/content/files", request + "/content/files"} {
			for role, want := range map[org.Role]int{org.RoleGuest: 404, org.RoleComment: 403, org.RoleEdit: 201} {
				if got := sendForm(s, tokens[role], path, contentType, body); got.Status != want {
					t.Errorf("upload to %s as %q: %d, want %d", path, role, got.Status, want)
				}
			}
		}
	})
}

// TestWritingInvalid holds that hostile and wrong input is refused with words, and changes nothing.
func TestWritingInvalid(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, elsewhere := s.Space("Guide"), s.Space("Elsewhere")
		s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		s.Upload(elsewhere, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		var here, there struct {
			ID    string
			Pages []apptest.Page
			Files []apptest.Identified
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, &here)
		s.Call(http.MethodGet, "/v1/spaces/"+elsewhere+"/content", nil, 200, &there)
		base := "/v1/spaces/" + space
		s.Call(http.MethodPost, base+"/change-requests", nil, 201, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+elsewhere+"/change-requests", nil, 201, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+elsewhere+"/change-requests", nil, 201, nil)
		write := func(change string) string {
			return `{"changes":[{"operation":"insert_page","title":"Good"},` + change + `]}`
		}
		welcome := here.Pages[0].ID
		many := `{"changes":[` + strings.TrimSuffix(strings.Repeat(`{"operation":"insert_page","title":"P"},`, 51),
			",") + `]}`
		deep := strings.Repeat(`{"object":"block","type":"blockquote","data":{},"nodes":[`, 200) + strings.Repeat(`]}`,
			200)
		var list struct{ Next *struct{ Page string } }
		s.Call(http.MethodGet, "/v1/spaces/"+elsewhere+"/revisions?limit=1", nil, 200, &list)
		foreignCursor := url.QueryEscape(list.Next.Page)
		before := s.Call(http.MethodGet, base+"/content", nil, 200, nil)

		content := base + "/content"
		for _, test := range []struct {
			name, method, path string
			body               any
			want               int
			says               string
		}{
			{"no body", http.MethodPost, content, nil, 400, ""},
			{"no changes", http.MethodPost, content, `{}`, 400, "changes"},
			{"empty changes", http.MethodPost, content, `{"changes":[]}`, 400, "changes"},
			{"51 changes", http.MethodPost, content, many, 400, "changes"},
			{"51 changes in a change request", http.MethodPost, base + "/change-requests/1/content", many, 400,
				"changes"},
			{"changes of another type", http.MethodPost, content, `{"changes":{"operation":"insert_page"}}`, 400,
				"changes"},
			{"unknown operation", http.MethodPost, content, write(`{"operation":"paint_page","page":"x"}`), 400,
				"operation"},
			{"no operation", http.MethodPost, content, write(`{"page":"x"}`), 400, "operation"},
			{"unknown type", http.MethodPost, content, write(`{"operation":"insert_page","type":"computed"}`), 400,
				"type"},
			{"title a number", http.MethodPost, content, write(`{"operation":"insert_page","title":7}`), 400, "title"},
			{"title null", http.MethodPost, content, write(`{"operation":"insert_page","title":null}`), 400,
				"changes[1].title"},
			{"title huge", http.MethodPost, content, write(`{"operation":"insert_page","title":"` + strings.Repeat("x",
				100_000) + `"}`), 400, "changes[1].title"},
			{"title with a control character", http.MethodPost, content,
				write(`{"operation":"insert_page","title":"a\u0007b"}`), 400, "changes[1].title"},
			{"hidden a word", http.MethodPost, content, write(`{"operation":"insert_page","hidden":"yes"}`), 400,
				"hidden"},
			{"place below zero", http.MethodPost, content, write(`{"operation":"insert_page","at":-1}`), 400, "at"},
			{"place a fraction", http.MethodPost, content, write(`{"operation":"insert_page","at":1.5}`), 400, "at"},
			{"layout a word", http.MethodPost, content, write(`{"operation":"insert_page","layout":"docs"}`), 400,
				"layout"},
			{"layout of an unknown width", http.MethodPost, content,
				write(`{"operation":"insert_page","layout":{"width":"huge"}}`), 400, "width"},
			{"cover to nowhere", http.MethodPost, content,
				write(`{"operation":"insert_page","cover":{"ref":{"kind":"file","file":"file_0"}}}`), 400, "cover"},
			{"cover of another space", http.MethodPost, content,
				write(`{"operation":"insert_page","cover":{"ref":{"kind":"file","file":"` + there.Files[0].ID + `"}}}`),
				400, "cover"},
			{"reference of an unknown kind", http.MethodPost, content,
				write(`{"operation":"insert_page","type":"link","target":{"kind":"teapot"}}`), 400, "kind"},
			{"link to a script", http.MethodPost, content,
				write(
					`{"operation":"insert_page","type":"link","target":{"kind":"url","url":"java\tscript:alert(1)"}}`),
				400, "target"},
			{"variable of an object", http.MethodPost, content,
				write(`{"operation":"insert_page","variables":{"a":{}}}`), 400, "variables"},
			{"page that is not there", http.MethodPost, content,
				write(`{"operation":"delete_page","page":"page_00000000000000000000000000"}`), 404, "changes[1]"},
			{"page of another space", http.MethodPost, content,
				write(`{"operation":"update_page","page":"` + there.Pages[0].ID + `","title":"Mine"}`), 404,
				"changes[1]"},
			{"into a page of another space", http.MethodPost, content,
				write(`{"operation":"insert_page","into":"` + there.Pages[0].ID + `"}`), 404, "changes[1]"},
			{"a file as a page", http.MethodPost, content,
				write(`{"operation":"delete_page","page":"` + here.Files[0].ID + `"}`), 404, "changes[1]"},
			{"base of another space", http.MethodPost, content, `{"revision":"` + there.ID +
				`","changes":[{"operation":"insert_page"}]}`, 404, "revision"},
			{"base made up", http.MethodPost, content,
				`{"revision":"x'); DROP TABLE space;--","changes":[{"operation":"insert_page"}]}`, 404, "revision"},
			{"back to another space's revision", http.MethodPost, content,
				write(`{"operation":"revert_page","page":"` + welcome + `","revision":"` + there.ID + `"}`), 404,
				"revision"},
			{"back to nothing", http.MethodPost, content, write(`{"operation":"revert_page","page":"` + welcome + `"}`),
				400, "revision"},
			{"message too long", http.MethodPost, content, `{"message":"` + strings.Repeat("x", 1001) +
				`","changes":[{"operation":"insert_page"}]}`, 400, "message"},
			{"message with a NUL", http.MethodPost, content,
				`{"message":"a\u0000b","changes":[{"operation":"insert_page"}]}`, 400, "message"},
			{"rollback with a NUL", http.MethodPost, base + "/revisions/" + here.ID + "/rollback",
				`{"message":"a\u0000b"}`, 400, "message"},
			{"variable with a NUL in its name", http.MethodPost, content,
				write(`{"operation":"insert_page","variables":{"a\u0000":"b"}}`), 400, "variables"},
			{"file name with a NUL", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"a\u0000b","base64":""}]}`), 400, "name"},
			{"page id with a NUL", http.MethodPost, content, write(`{"operation":"delete_page","page":"page_\u0000"}`),
				404, "changes[1]"},
			{"revision with a NUL", http.MethodPost, content,
				`{"revision":"revision_\u0000","changes":[{"operation":"insert_page"}]}`, 404, "revision"},
			{"reference twice", http.MethodPost, content,
				write(
					`{"operation":"insert_page","ref":"a"},{"operation":"insert_files","files":[{"ref":"a","name":"a","base64":""}]}`), 400, "ref"},
			{"document that is none", http.MethodPost, content,
				write(`{"operation":"insert_page","document":{"document":{"object":"page"}}}`), 400,
				"changes[1].document"},
			{"document of an unknown block", http.MethodPost, content,
				write(
					`{"operation":"insert_page","document":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"bomb","data":{}}]}}}`), 400, "changes[1].document"},
			{"document too deep", http.MethodPost, content,
				write(`{"operation":"insert_page","document":{"document":{"object":"document","data":{},"nodes":[` +
					deep + `]}}}`), 400, "changes[1].document"},
			{"document and Markdown", http.MethodPost, content,
				write(
					`{"operation":"insert_page","document":{"markdown":"x","document":{"object":"document","data":{},"nodes":[]}}}`), 400, "changes[1].document"},
			{"Markdown a number", http.MethodPost, content,
				write(`{"operation":"insert_page","document":{"markdown":7}}`), 400, "markdown"},
			{"Markdown too large", http.MethodPost, content,
				write(`{"operation":"insert_page","document":{"markdown":"` + strings.Repeat("word ", 220_000) + `"}}`),
				413, "changes[1]"},
			{"Markdown too deep", http.MethodPost, content,
				write(`{"operation":"insert_page","document":{"markdown":"` + strings.Repeat("> ", 5000) + `x"}}`), 413,
				"changes[1].document"},
			{"front matter hostile", http.MethodPost, content,
				write(`{"operation":"insert_page","document":{"markdown":"---\na: &a [*a]\n---\n"}}`), 400,
				"changes[1].document"},
			{"files none", http.MethodPost, content, write(`{"operation":"insert_files"}`), 400, "files"},
			{"files too many", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[` +
					strings.TrimSuffix(strings.Repeat(`{"name":"a","base64":""},`, 21), ",") + `]}`), 400, "files"},
			{"file of a huge name", http.MethodPost, content, write(`{"operation":"insert_files","files":[{"name":"` +
				strings.Repeat("x", 257) + `","base64":""}]}`), 400, "name"},
			{"file that climbs", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"../../etc/passwd","base64":""}]}`), 400, "name"},
			{"base64 hostile", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"a","base64":"AAAA\u0000===="}]}`), 400, "base64"},
			{"base64 without padding", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"a","base64":"QUI"}]}`), 400, "base64"},
			{"file from inside", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"a","url":"http://127.0.0.1:1/"}]}`), 400, "url"},
			{"file from a file", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"a","url":"file:///etc/passwd"}]}`), 400, "url"},
			{"file from two places", http.MethodPost, content,
				write(`{"operation":"insert_files","files":[{"name":"a","url":"https://example.com/a","base64":""}]}`),
				400, "files[0]"},
			{"compat a word", http.MethodPost, base + "/change-requests/1/content?compat=maybe",
				write(`{"operation":"insert_page"}`), 400, "compat"},
			{"change request that is not there", http.MethodPost, base + "/change-requests/7/content",
				write(`{"operation":"insert_page"}`), 404, ""},
			{"change request of another space", http.MethodGet, base + "/change-requests/2/content", nil, 404, ""},
			{"page of another space in a change request", http.MethodGet, base + "/change-requests/1/content/page/" +
				there.Pages[0].ID, nil, 404, "page"},
			{"revision of another space", http.MethodGet, base + "/revisions/" + there.ID, nil, 404, "revision"},
			{"pages of another space's revision", http.MethodGet, base + "/revisions/" + there.ID + "/pages", nil, 404,
				"revision"},
			{"files of another space's revision", http.MethodGet, base + "/revisions/" + there.ID + "/files", nil, 404,
				"revision"},
			{"changes of another space's revision", http.MethodGet, base + "/revisions/" + there.ID + "/changes", nil,
				404, "revision"},
			{"changes since another space's revision", http.MethodGet, base + "/revisions/" + here.ID +
				"/changes?from=" + there.ID, nil, 404, "revision"},
			{"changes with a limit below zero", http.MethodGet, base + "/revisions/" + here.ID + "/changes?limit=-1",
				nil, 400, "limit"},
			{"changes with a limit too large", http.MethodGet, base + "/change-requests/1/changes?limit=1001", nil, 400,
				"limit"},
			{"revision made up", http.MethodGet, base + "/revisions/x%00y", nil, 404, ""},
			{"page that a revision lacks", http.MethodGet, base + "/revisions/" + here.ID + "/page/page_0", nil, 404,
				"page"},
			{"path that a revision lacks", http.MethodGet, base + "/revisions/" + here.ID + "/path/no/such", nil, 404,
				"path"},
			{"file that a revision lacks", http.MethodGet, base + "/revisions/" + here.ID + "/files/" + there.Files[0].
				ID, nil, 404, "file"},
			{"reusable content that is not there", http.MethodGet, base + "/content/reusable-contents/" + welcome, nil,
				404, "reusable"},
			{"reusable content that a revision lacks", http.MethodGet, base + "/revisions/" + here.ID +
				"/reusable-contents/x/document", nil, 404, "reusable"},
			{"document that is not there", http.MethodGet, base + "/documents/x", nil, 404, "document"},
			{"document of another space", http.MethodGet, base + "/documents/" + there.ID + "." + there.Pages[0].ID,
				nil, 404, ""},
			{"document of a file", http.MethodGet, base + "/documents/" + here.Files[0].ID, nil, 404, "document"},
			{"document of an unknown schema", http.MethodGet, base + "/documents/" + welcome + "?schema=past", nil, 400,
				"schema"},
			{"unknown way to dereference", http.MethodGet, base + "/revisions/" + here.ID + "/page/" + welcome +
				"?dereferenced=maybe", nil, 400, "dereferenced"},
			{"revisions with a cursor of another list", http.MethodGet, base + "/revisions?page=" + foreignCursor, nil,
				400, "page"},
			{"revisions with a cursor made up", http.MethodGet, base + "/revisions?page=abc", nil, 400, "page"},
			{"files of a revision with a cursor made up", http.MethodGet, base + "/revisions/" + here.ID +
				"/files?page=abc", nil, 400, "page"},
			{"back to a revision that is not there", http.MethodPost, base + "/revisions/revision_0/rollback", nil, 404,
				"revision"},
			{"back to a revision of another space", http.MethodPost, base + "/revisions/" + there.ID + "/rollback", nil,
				404, "revision"},
			{"rollback with a message too long", http.MethodPost, base + "/revisions/" + here.ID + "/rollback",
				`{"message":"` + strings.Repeat("x", 1001) + `"}`, 400, "message"},
		} {
			t.Run(test.name, func(t *testing.T) {
				s.In(t).Refused(test.method, test.path, test.body, test.want, test.says)
			})
		}
		if after := s.Call(http.MethodGet, base+"/content", nil, 200, nil); after.Header.Get(
			"ETag") != before.Header.Get("ETag") {
			t.Error("what was refused has changed the content")
		}
		// What Markdown and values may hold, however odd, is kept.
		s.Call(http.MethodPost, content,
			`{"message":"Two\nlines","changes":[{"operation":"insert_page","title":"Odd","variables":{"a":"b\u0000\u202e"},"document":{"markdown":"a\u0000b \ufeff\u202e \ud83d\n\n<script>alert(1)</script>\n"}}]}`, 200, nil)
		s.Call(http.MethodGet, content+"/path/odd?format=markdown", nil, 200, nil)
		s.Call(http.MethodGet, base+"/search?query=odd", nil, 200, nil)
	})
}
