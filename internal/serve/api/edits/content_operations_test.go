package edits_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestContentOperations drives the operations on what is no page in the main content and in a change request.
func TestContentOperations(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		editor := s.Member(org.RoleEdit, "editor@example.org")
		reader := s.Member(org.RoleRead, "reader@example.org")
		for _, in := range []string{"main", "request"} {
			space := s.Space("Guide " + in)
			at, query := "/v1/spaces/"+space, ""
			if in == "request" {
				query = "?compat=false"
				s.Call(http.MethodPatch, at, `{"editMode":"locked"}`, http.StatusOK, nil)
				s.Call(http.MethodPost, at+"/change-requests", `{"status":"open"}`, http.StatusCreated, nil)
				s.CallAs(editor, http.MethodPost, at+"/content",
					`{"changes":[{"operation":"update_variables","variables":{"a":1}}]}`, http.StatusConflict, nil)
				s.CallAs(editor, http.MethodPut, at+"/content/files/file_0", nil, http.StatusConflict, nil)
				at += "/change-requests/1"
			}
			content := at + "/content"
			write := func(changes string, status int) []apptest.ContentChange {
				t.Helper()
				var done struct{ Changes []apptest.ContentChange }
				s.CallAs(editor, http.MethodPost, content+query, `{"changes":[`+changes+`]}`, status, &done)
				return done.Changes
			}
			s.CallAs(reader, http.MethodPost, content,
				`{"changes":[{"operation":"update_variables","variables":{"a":1}}]}`, http.StatusForbidden, nil)
			var revision struct {
				ID               string
				Variables        map[string]any
				ReusableContents []struct{ ID, Title string }
				Files            []struct{ ID, Name string }
				Pages            []apptest.PageNode
			}
			now := func() {
				t.Helper()
				revision.Variables, revision.ReusableContents, revision.Files, revision.Pages = nil, nil, nil, nil
				s.CallAs(reader, http.MethodGet, content, nil, http.StatusOK, &revision)
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
			s.CallAs(reader, http.MethodGet, content+"/reusable-contents/"+note+"/backlinks", nil, http.StatusOK, &uses)
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
				s.CallAs(editor, http.MethodPost, content,
					`{"revision":"`+first+`","changes":[{"operation":"update_variables","variables":{"beta":null}}]}`,
					http.StatusOK, nil)
				s.CallAs(editor, http.MethodPost, content,
					`{"revision":"`+first+`","changes":[{"operation":"update_variables","variables":{"version":"3"}}]}`,
					http.StatusConflict, nil)
				s.CallAs(editor, http.MethodPost, content,
					`{"revision":"`+first+`","changes":[{"operation":"update_reusable_content","reusableContent":"`+
						note+`","title":"Third"}]}`, http.StatusConflict, nil)
			}
			got := s.Try(http.MethodPut, content+"/files/"+file, editor, "file")
			if got.Status != http.StatusOK || !strings.Contains(string(got.Body), `"name":"point.gif"`) ||
				!strings.Contains(string(got.Body), `"size":1`) {
				t.Errorf("replaced: %d %s", got.Status, got.Body)
			}
			if got := s.Try(http.MethodPut, content+"/files/"+file, reader,
				"file"); got.Status != http.StatusForbidden {
				t.Errorf("a reader replaces a file: %d", got.Status)
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
