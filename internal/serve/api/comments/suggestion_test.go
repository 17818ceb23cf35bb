package comments_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestSuggestionsOverHTTP walks a suggestion from its posting to the page of the change request, and what strangers
// get.
func TestSuggestionsOverHTTP(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{"README.md": "# Welcome\n\nFirst *words*.\n"}))
		at := "/v1/spaces/" + space
		var tree struct{ Pages []apptest.Identified }
		s.Call(http.MethodGet, at+"/content/pages", nil, 200, &tree)
		page := tree.Pages[0].ID
		s.Call(http.MethodPost, at+"/change-requests", `{}`, 201, nil)
		comments := at + "/change-requests/1/comments"
		input := `{"page":"` + page + `","range":{"quote":"words"},"body":{},` +
			`"suggestion":{"text":"<b onclick=x>w</b>"}}`
		commenter, editor := s.Member(org.RoleComment, "c@example.org"), s.Member(org.RoleEdit, "e@example.org")
		reader, guest := s.Member(org.RoleRead, "r@example.org"), s.Member(org.RoleGuest, "g@example.org")
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		refused := func(token, method, path string, body any, want int) {
			t.Helper()
			got := s.Raw(method, path, token, body)
			if got.Status != want {
				t.Errorf("%s %s: %d, want %d: %.300s", method, path, got.Status, want, got.Body)
			}
			s.Check(method, path, got)
		}
		// Who may not see the page learns nothing of it by quoting its words.
		for token, want := range map[string]int{reader: 403, guest: 404, stranger: 404, "": 401} {
			refused(token, http.MethodPost, comments, input, want)
			refused(token, http.MethodPost, comments, strings.Replace(input, "words", "no such", 1), want)
		}
		// The page of another space is none of this one's.
		other := s.Space("Other")
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/change-requests", `{}`, 201, nil)
		refused(s.Token, http.MethodPost, "/v1/spaces/"+other+"/change-requests/1/comments", input, 404)
		refused(s.Token, http.MethodPost, at+"/comments", input, 400)

		var made thread
		s.CallAs(commenter, http.MethodPost, comments, input, 200, &made)
		if made.Target.Range == nil || made.Target.Range.Before != "First " || made.Target.Range.After != "." ||
			made.Suggestion == nil || made.Permissions["apply"] {
			t.Errorf("%+v", made)
		}
		apply := comments + "/" + made.ID + "/apply"
		for token, want := range map[string]int{commenter: 403, reader: 403, guest: 404, stranger: 404, "": 401} {
			refused(token, http.MethodPost, apply, nil, want)
		}
		refused(s.Token, http.MethodPost, "/v1/spaces/"+other+"/change-requests/1/comments/"+made.ID+"/apply", nil, 404)
		refused(s.Token, http.MethodPost, comments+"/comment_00000000000000000000000000/apply", nil, 404)
		var applied thread
		s.CallAs(editor, http.MethodPost, apply+"?format=markdown", nil, 200, &applied)
		if applied.Status != "resolved" || !applied.Suggestion.Applied || !applied.Permissions["apply"] {
			t.Errorf("%+v", applied)
		}
		var now struct {
			Markdown string
			HTML     string
		}
		s.Call(http.MethodGet, at+"/change-requests/1/content/page/"+page+"?format=html", nil, 200, &now)
		if !strings.Contains(now.HTML, "&lt;b onclick=x&gt;w&lt;/b&gt;") || strings.Contains(now.HTML, "<b onclick") {
			t.Errorf("the page is %s", now.HTML)
		}
		refused(editor, http.MethodPost, apply, nil, 409)
		s.CallAs(editor, http.MethodPut, comments+"/"+made.ID, `{"resolved":false}`, 200, nil)
		refused(editor, http.MethodPost, apply, nil, 409)

		// Words that somebody has changed meanwhile are not changed back.
		var late thread
		s.CallAs(commenter, http.MethodPost, comments, strings.Replace(input, "words", "First", 1), 200, &late)
		s.Call(http.MethodPost, at+"/change-requests/1/content",
			`{"changes":[{"operation":"update_page","page":"`+page+`","document":{"markdown":"Last.\n"}}]}`, 200, nil)
		refused(editor, http.MethodPost, comments+"/"+late.ID+"/apply", nil, 409)
		got := s.Raw(http.MethodGet, comments+"/"+late.ID, editor, nil)
		if err := json.Unmarshal(got.Body, &late); err != nil || !late.Target.Page.Outdated ||
			late.Target.Range.Quote != "First" || late.Status != "open" {
			t.Errorf("%s %v", got.Body, err)
		}
	})
}
