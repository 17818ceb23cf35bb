package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/people/org"
)

// contentChange is one element of what changes of content answer with.
type contentChange struct {
	Object, Ref, File, ReusableContent string
	Page                               any
	UsedBy                             *struct {
		Count int
		Items []string
	}
}

// TestContentOperations drives the operations on what is no page in the main content and in a change request.
func TestContentOperations(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		editor := s.member(org.RoleEdit, "editor@example.org")
		reader := s.member(org.RoleRead, "reader@example.org")
		for _, in := range []string{"main", "request"} {
			space := s.space("Guide " + in)
			at, query := "/v1/spaces/"+space, ""
			if in == "request" {
				query = "?compat=false"
				s.call(http.MethodPatch, at, `{"editMode":"locked"}`, http.StatusOK, nil)
				s.call(http.MethodPost, at+"/change-requests", `{"status":"open"}`, http.StatusCreated, nil)
				s.callAs(editor, http.MethodPost, at+"/content",
					`{"changes":[{"operation":"update_variables","variables":{"a":1}}]}`, http.StatusConflict, nil)
				s.callAs(editor, http.MethodPut, at+"/content/files/file_0", nil, http.StatusConflict, nil)
				at += "/change-requests/1"
			}
			content := at + "/content"
			write := func(changes string, status int) []contentChange {
				t.Helper()
				var done struct{ Changes []contentChange }
				s.callAs(editor, http.MethodPost, content+query, `{"changes":[`+changes+`]}`, status, &done)
				return done.Changes
			}
			s.callAs(reader, http.MethodPost, content,
				`{"changes":[{"operation":"update_variables","variables":{"a":1}}]}`, http.StatusForbidden, nil)
			var revision struct {
				ID               string
				Variables        map[string]any
				ReusableContents []struct{ ID, Title string }
				Files            []struct{ ID, Name string }
				Pages            []apiPage
			}
			now := func() {
				t.Helper()
				revision.Variables, revision.ReusableContents, revision.Files, revision.Pages = nil, nil, nil, nil
				s.callAs(reader, http.MethodGet, content, nil, http.StatusOK, &revision)
			}
			made := write(
				`{"operation":"insert_reusable_content","ref":"note","title":"Note","document":{"markdown":"Shared.\n"}},
				{"operation":"insert_files","files":[{"ref":"dot","name":"dot.gif","base64":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}]},
				{"operation":"insert_page","ref":"page","title":"Page","document":{"markdown":"{% include \"/reusable-content/note\" %}\n\n![Dot](/files/dot)\n"}},
				{"operation":"update_variables","variables":{"version":"1","beta":true}},
				{"operation":"insert_page","type":"computed","title":"API","computed":{"type":"builtin:openapi","props":{"models":true},"dependencies":{"spec":{"ref":{"kind":"openapi","spec":"none"}}}}}`, http.StatusOK)
			now()
			if len(made) != 4 || made[0].Object != "created_reusable_content" || made[0].Ref != "note" ||
				made[1].Object != "created_page" || made[2].Object != "updated_variables" {
				t.Fatalf("%+v", made)
			}
			note, page, file := made[0].ReusableContent, revision.Pages[0].ID, revision.Files[0].ID
			if diff := cmp.Diff(map[string]any{"version": "1", "beta": true}, revision.Variables); diff != "" {
				t.Error(diff)
			}
			if len(revision.ReusableContents) != 1 || revision.ReusableContents[0].Title != "Note" ||
				revision.Pages[1].Type != "computed" {
				t.Errorf("%+v", revision)
			}
			var uses struct {
				Count int
				Items []struct{ Page *struct{ ID string } }
			}
			s.callAs(reader, http.MethodGet, content+"/reusable-contents/"+note+"/backlinks", nil, http.StatusOK, &uses)
			if uses.Count != 1 || uses.Items[0].Page.ID != page {
				t.Errorf("what includes it: %+v", uses)
			}
			first := revision.ID

			write(`{"operation":"update_reusable_content","reusableContent":"`+note+
				`","title":"Remark","document":{"markdown":"Anew.\n"}},
				{"operation":"update_file","file":"`+file+`","name":"point.gif"},
				{"operation":"update_variables","variables":{"version":"2","beta":null}},
				{"operation":"update_page","page":"`+revision.Pages[1].ID+
				`","computed":{"type":"builtin:openapi","dependencies":{"spec":{"ref":{"kind":"openapi","spec":"other"}}}}}`, http.StatusOK)
			now()
			if revision.ReusableContents[0].Title != "Remark" || revision.Files[0].Name != "point.gif" ||
				revision.Files[0].ID != file || revision.Variables["version"] != "2" || len(revision.Variables) != 1 {
				t.Errorf("%+v", revision)
			}
			if in == "main" {
				// What was made on an older revision is merged, or refused with the conflicts.
				s.callAs(editor, http.MethodPost, content,
					`{"revision":"`+first+`","changes":[{"operation":"update_variables","variables":{"beta":null}}]}`,
					http.StatusOK, nil)
				s.callAs(editor, http.MethodPost, content,
					`{"revision":"`+first+`","changes":[{"operation":"update_variables","variables":{"version":"3"}}]}`,
					http.StatusConflict, nil)
				s.callAs(editor, http.MethodPost, content,
					`{"revision":"`+first+`","changes":[{"operation":"update_reusable_content","reusableContent":"`+
						note+`","title":"Third"}]}`, http.StatusConflict, nil)
			}
			got := s.try(http.MethodPut, content+"/files/"+file, editor, "file")
			if got.status != http.StatusOK || !strings.Contains(string(got.body), `"name":"point.gif"`) ||
				!strings.Contains(string(got.body), `"size":1`) {
				t.Errorf("replaced: %d %s", got.status, got.body)
			}
			if got := s.try(http.MethodPut, content+"/files/"+file, reader,
				"file"); got.status != http.StatusForbidden {
				t.Errorf("a reader replaces a file: %d", got.status)
			}

			// A batch is made as a whole or not at all.
			write(`{"operation":"delete_file","file":"`+file+
				`"},{"operation":"delete_reusable_content","reusableContent":"content_0"}`, http.StatusNotFound)
			gone := write(`{"operation":"delete_file","file":"`+file+
				`"},{"operation":"delete_reusable_content","reusableContent":"`+note+`"}`, http.StatusOK)
			for _, each := range gone {
				if each.UsedBy == nil || each.UsedBy.Count != 1 || each.UsedBy.Items[0] != page {
					t.Errorf("what used %s: %+v", each.Object, each.UsedBy)
				}
			}
			now()
			if len(revision.Files) != 0 || len(revision.ReusableContents) != 0 {
				t.Errorf("%+v", revision)
			}
			write(`{"operation":"revert_file","file":"`+file+`","revision":"`+first+
				`"},{"operation":"revert_reusable_content","reusableContent":"`+note+`","revision":"`+first+`"}`,
				http.StatusOK)
			now()
			if len(revision.Files) != 1 || revision.Files[0].Name != "dot.gif" ||
				revision.ReusableContents[0].Title != "Note" {
				t.Errorf("set back: %+v", revision)
			}
			write(`{"operation":"update_variables","variables":null},{"operation":"delete_page","page":"`+
				revision.Pages[1].ID+`"}`, http.StatusOK)
			now()
			if revision.Variables != nil || len(revision.Pages) != 1 {
				t.Errorf("%+v", revision)
			}
		}
	})
}

// TestInclusionsSurviveANewTitle holds that a reusable content is found by the path that pages name it by, whatever it
// is called meanwhile, in lists of links and in PDFs.
func TestInclusionsSurviveANewTitle(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		content := "/v1/spaces/" + space + "/content"
		var done struct{ Changes []contentChange }
		// The page is there before what it includes, so the path stays as it is written.
		s.call(http.MethodPost, content,
			`{"changes":[{"operation":"insert_page","title":"Page","document":{"markdown":"{% include \".gitbook/includes/note.md\" %}\n"}},
			{"operation":"insert_reusable_content","title":"Note","document":{"markdown":"Shared words.\n"}}]}`,
			http.StatusOK, &done)
		page, note := done.Changes[0].Page.(map[string]any)["id"].(string), done.Changes[1].ReusableContent
		s.call(http.MethodPost, content, `{"changes":[{"operation":"update_reusable_content","reusableContent":"`+note+
			`","title":"Remark"}]}`, http.StatusOK, nil)
		s.call(http.MethodPost, content, `{"changes":[{"operation":"update_reusable_content","reusableContent":"`+note+
			`","title":"Last"}]}`, http.StatusOK, nil)
		var links linkAnswer
		s.call(http.MethodGet, content+"/page/"+page+"/links", nil, http.StatusOK, &links)
		if links.Count != 1 || links.Items[0].Status != "ok" {
			t.Errorf("the inclusion: %+v", links)
		}
		if got := wordsOfPDF(t, s.fetchPDF(s.order("/v1/spaces/"+space+"/pdf"))); !strings.Contains(got,
			"sharedwords") {
			t.Errorf("the PDF lacks it: %s", got)
		}
	})
}

// TestInclusionsByPathAreStable holds that an inclusion by the path of an export names the reusable content itself, so
// that every reader finds it, and that a page that was read comes back unchanged.
func TestInclusionsByPathAreStable(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		content := "/v1/spaces/" + space + "/content"
		var done struct{ Changes []contentChange }
		write := func(changes ...map[string]any) {
			t.Helper()
			s.call(http.MethodPost, content, map[string]any{"changes": changes}, http.StatusOK, &done)
		}
		write(map[string]any{"operation": "insert_reusable_content", "title": "Note",
			"document": map[string]any{"markdown": "Shared words.\n"}})
		note := done.Changes[0].ReusableContent
		write(map[string]any{"operation": "insert_page", "title": "Top",
			"document": map[string]any{"markdown": "{% include \".gitbook/includes/note.md\" %}\n"}})
		top := done.Changes[0].Page.(map[string]any)["id"].(string)
		write(map[string]any{"operation": "insert_page", "title": "Below", "into": top,
			"document": map[string]any{
				"markdown": "{% include \"../.gitbook/includes/note.md\" %}\n\n{% include \"../nothing.md\" %}\n"}})
		below := done.Changes[0].Page.(map[string]any)["id"].(string)
		for _, page := range []string{top, below} {
			at := content + "/page/" + page
			var read struct{ Markdown string }
			s.call(http.MethodGet, at+"?format=markdown&format.markdown.refs=stable", nil, http.StatusOK, &read)
			if !strings.Contains(read.Markdown, `{% include "/reusable-content/`+note+`" %}`) {
				t.Errorf("stored: %s", read.Markdown)
			}
			s.call(http.MethodGet, at+"?format=markdown&evaluated=true", nil, http.StatusOK, &read)
			if !strings.Contains(read.Markdown, "Shared words.") {
				t.Errorf("evaluated: %s", read.Markdown)
			}
			var found struct{ Items []struct{ ID string } }
			s.call(http.MethodGet, "/v1/spaces/"+space+"/search?query=shared", nil, http.StatusOK, &found)
			if !slices.ContainsFunc(found.Items, func(item struct{ ID string }) bool { return item.ID == page }) {
				t.Errorf("a search does not find the page by what it includes: %+v", found)
			}
			for _, refs := range []string{"relative", "stable"} {
				var before, after struct{ Markdown string }
				s.call(http.MethodGet, at+"?format=markdown&format.markdown.refs="+refs, nil, http.StatusOK, &before)
				write(map[string]any{"operation": "update_page", "page": page,
					"document": map[string]any{"markdown": before.Markdown}})
				s.call(http.MethodGet, at+"?format=markdown&format.markdown.refs="+refs, nil, http.StatusOK, &after)
				if before.Markdown != after.Markdown {
					t.Errorf("sent back: %q, was %q", after.Markdown, before.Markdown)
				}
			}
		}
	})
}

// TestDeletedSpacesAreListed holds that who may restore a deleted space finds it, page by page, and nobody else.
func TestDeletedSpacesAreListed(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		creator, reader := s.member(org.RoleCreate, "creator@example.org"), s.member(org.RoleRead, "reader@example.org")
		invited, guest := s.person(org.RoleGuest, "guest@example.org")
		trash := "/v1/orgs/" + s.organization + "/trash"
		s.space("Kept")
		var ids []string
		for i := range 5 {
			var made identified
			s.callAs(creator, http.MethodPost, "/v1/orgs/"+s.organization+"/spaces", fmt.Sprintf(`{"title":"Gone %d"}`,
				i), http.StatusCreated, &made)
			id := made.ID
			ids = append(ids, id)
			if i == 0 {
				s.call(http.MethodPatch, "/v1/spaces/"+id, `{"defaultLevel":null}`, http.StatusOK, nil)
				s.call(http.MethodPost, "/v1/spaces/"+id+"/permissions", `{"users":["`+guest+`"],"role":"admin"}`,
					http.StatusNoContent, nil)
			}
			s.call(http.MethodDelete, "/v1/spaces/"+id, nil, http.StatusNoContent, nil)
		}
		list := func(token string) (titles []string) {
			t.Helper()
			next := ""
			for {
				var page struct {
					Count int
					Items []struct{ Title, DeletedAt string }
					Next  *struct{ Page string }
				}
				s.callAs(token, http.MethodGet, trash+"?limit=2&page="+url.QueryEscape(next), nil, http.StatusOK, &page)
				for _, item := range page.Items {
					if item.DeletedAt == "" {
						t.Errorf("%s is not deleted", item.Title)
					}
					titles = append(titles, item.Title)
				}
				if page.Next == nil {
					if page.Count != len(titles) {
						t.Errorf("%d are counted, %d listed", page.Count, len(titles))
					}
					return titles
				}
				next = page.Next.Page
			}
		}
		all := []string{"Gone 4", "Gone 3", "Gone 2", "Gone 1", "Gone 0"}
		if diff := cmp.Diff(all, list(s.token)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(all[:4], list(creator)); diff != "" {
			t.Error(diff)
		}
		if got := list(reader); got != nil {
			t.Errorf("a reader sees %v", got)
		}
		if diff := cmp.Diff(all[4:], list(invited)); diff != "" {
			t.Error(diff)
		}
		s.call(http.MethodPost, "/v1/spaces/"+ids[2]+"/restore", nil, http.StatusOK, nil)
		if diff := cmp.Diff([]string{"Gone 4", "Gone 3", "Gone 1"}, list(creator)); diff != "" {
			t.Error(diff)
		}
		s.call(http.MethodGet, trash+"?page=x", nil, http.StatusBadRequest, nil)
	})
}
