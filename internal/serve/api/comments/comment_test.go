package comments_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// thread is what these tests read of a comment or reply.
type thread struct {
	Object, ID, Status, PostedAt, EditedAt, ResolvedAt string
	PostedBy                                           struct{ ID, DisplayName string }
	ResolvedBy                                         *struct{ ID string }
	Reactions                                          []struct {
		Emoji string
		Count int
		Users []struct {
			User      apptest.Identified
			ReactedAt string
		}
	}
	Replies  int
	Repliers []struct {
		User  apptest.Identified
		Count int
	}
	Body   map[string]json.RawMessage
	Target struct {
		Node *struct{ ID, Preview string }
		Page *struct {
			ID, Title, Path string
			Outdated        bool
		}
		TableCell       *struct{ Record, Definition string }
		Range           *struct{ Quote, Before, After string }
		ChangeRequest   string
		Space, Revision string
		Review          string
	}
	Suggestion *struct {
		Text    string
		Applied bool
	}
	URLs        struct{ Location string }
	Permissions map[string]bool
}

func (c thread) text() string {
	var text string
	_ = json.Unmarshal(c.Body["markdown"], &text) // "" of a body in another form
	return text
}

type threads struct {
	Items []thread
	Count int
	Next  *struct{ Page string }
}

// discussion is a space with a page and a change request, and the address of one of their two discussions.
type discussion struct {
	*apptest.Server
	space, request, page, base string
}

// inBothScopes runs a test on the discussion of a space and on that of a change request, on both databases.
func inBothScopes(t *testing.T, test func(t *testing.T, d *discussion)) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		d := discussion{Server: s, space: s.Space("Guide")}
		s.Upload(d.space, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md": "# Welcome\n\nFirst words.\n\nMore **words**.\n\n| a | b |\n| --- | --- |\n| one | two |\n",
			"second.md": "# Second\n\nText.\n",
		}))
		var tree struct{ Pages []apptest.Identified }
		s.Call(http.MethodGet, "/v1/spaces/"+d.space+"/content/pages", nil, 200, &tree)
		d.page = tree.Pages[0].ID
		var request struct {
			ID     string
			Number int
		}
		s.Call(http.MethodPost, "/v1/spaces/"+d.space+"/change-requests", `{"subject":"Better"}`, 201, &request)
		d.request = request.ID
		for name, base := range map[string]string{
			"space": "/v1/spaces/" + d.space, "change request": "/v1/spaces/" + d.space + "/change-requests/" +
				request.ID,
		} {
			t.Run(name, func(t *testing.T) {
				d := d
				d.Server = s.In(t)
				d.base = base
				test(t, &d)
			})
		}
	})
}

func (d *discussion) onRequest() bool { return strings.Contains(d.base, "change-requests") }

// resource reads what the discussion is about.
func (d *discussion) openComments() int {
	d.T.Helper()
	var resource struct{ Comments int }
	d.Call(http.MethodGet, d.base, nil, 200, &resource)
	return resource.Comments
}

func (d *discussion) post(token string, body any) thread {
	d.T.Helper()
	var made thread
	d.CallAs(token, http.MethodPost, d.base+"/comments", body, 200, &made)
	return made
}

func (d *discussion) list(query string) (texts []string) {
	d.T.Helper()
	for page := ""; ; {
		var found threads
		d.Call(http.MethodGet, d.base+"/comments?"+query+page, nil, 200, &found)
		for _, c := range found.Items {
			texts = append(texts, c.text())
		}
		if found.Next == nil {
			if found.Count != len(texts) {
				d.T.Errorf("%s: count %d of %v", query, found.Count, texts)
			}
			return texts
		}
		page = "&page=" + found.Next.Page
	}
}

func TestComments(t *testing.T) {
	inBothScopes(t, func(t *testing.T, d *discussion) {
		comments := d.base + "/comments"
		commenter := d.Member(org.RoleComment, "c@example.org")
		if d.openComments() != 0 || d.list("") != nil {
			t.Fatal("a discussion that has not begun")
		}
		made := d.post(commenter, map[string]any{"page": d.page, "node": "n3",
			"body": map[string]string{"markdown": "Is *this* right?"}})
		if made.Object != "comment" || made.Status != "open" || made.text() != "Is *this* right?" ||
			made.PostedBy.DisplayName != "Someone" ||
			made.Target.Space != d.space || (made.Target.ChangeRequest == d.request) != d.onRequest() ||
			made.Target.Revision == "" ||
			made.Target.Node == nil || made.Target.Node.Preview != "More words." || made.Target.Page == nil ||
			made.Target.Page.Title != "Welcome" ||
			made.Target.Page.Outdated || made.Replies != 0 || made.EditedAt != "" {
			t.Errorf("%+v", made)
		}
		if made.URLs.Location != d.Server.Base+comments+"/"+made.ID {
			t.Errorf("location %s", made.URLs.Location)
		}
		if diff := cmp.Diff(map[string]bool{"view": true, "edit": true, "reply": true, "resolve": true, "delete": true},
			made.Permissions); diff != "" {
			t.Error(diff)
		}
		one := comments + "/" + made.ID
		var same thread
		d.Call(http.MethodGet, one+"?format=markdown", nil, 200, &same)
		if same.Permissions["edit"] || !same.Permissions["delete"] || same.text() != made.text() {
			t.Errorf("%+v", same)
		}
		var document thread
		d.Call(http.MethodGet, one+"?format=document", nil, 200, &document)
		if document.Body["markdown"] != nil || !strings.Contains(string(document.Body["document"]), `"italic"`) {
			t.Errorf("%s", document.Body)
		}

		// The document form comes back as it went, and as Markdown.
		again := d.post(commenter, map[string]any{"body": map[string]any{"document": document.Body["document"]}})
		if again.text() != "Is _this_ right?\n" {
			t.Errorf("%q", again.text())
		}
		var listed threads
		d.Call(http.MethodGet, comments+"?format=document&limit=1", nil, 200, &listed)
		if !slices.Equal([]byte(listed.Items[0].Body["document"]), []byte(document.Body["document"])) {
			t.Errorf("%s\n%s", listed.Items[0].Body["document"], document.Body["document"])
		}
		mention := d.post(commenter,
			`{"body":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[`+
				`{"object":"inline","type":"mention","isVoid":true,"data":{"ref":{"kind":"user","user":"`+
				made.PostedBy.ID+
				`"}},"nodes":[]}]}]}}}`)
		if want := "(/users/" + made.PostedBy.ID + ` "mention")`; !strings.Contains(mention.text(), want) {
			t.Errorf("%q has no %q", mention.text(), want)
		}
		d.Call(http.MethodGet, comments+"/"+mention.ID+"?format=document", nil, 200, &document)
		if !strings.Contains(string(document.Body["document"]), `"kind":"user"`) {
			t.Errorf("%s", document.Body["document"])
		}
		d.CallAs(commenter, http.MethodPut, comments+"/"+mention.ID, `{"resolved":true}`, 200, nil)
		empty := d.post(commenter, `{"body":{}}`)
		if empty.text() != "" || empty.Target.Page != nil {
			t.Errorf("%+v", empty)
		}
		cell := d.post(commenter, map[string]any{
			"page": d.page, "node": "n5", "tableCell": map[string]string{"record": "r1", "definition": "c2"},
			"body": map[string]string{"markdown": "cell"},
		})
		if cell.Target.TableCell == nil || cell.Target.TableCell.Record != "r1" || cell.Target.Node.Preview != "two" {
			t.Errorf("%+v", cell.Target)
		}

		// Changes.
		var changed thread
		d.CallAs(commenter, http.MethodPut, one, `{"body":{"markdown":"Better."},"addedReactions":["👍","1f389"]}`, 200,
			&changed)
		if changed.text() != "Better." || changed.EditedAt == "" || len(changed.Reactions) != 2 {
			t.Errorf("%+v", changed)
		}
		d.Call(http.MethodPut, one, `{"addedReactions":["👍"],"body":{}}`, 200, &changed)
		if changed.text() != "Better." || changed.Reactions[1].Count != 2 && changed.Reactions[0].Count != 2 {
			t.Errorf("%+v", changed)
		}
		d.Call(http.MethodPut, one, `{"resolved":true,"removedReactions":["👍"]}`, 200, &changed)
		if changed.Status != "resolved" || changed.ResolvedAt == "" || changed.ResolvedBy == nil ||
			changed.ResolvedBy.ID == changed.PostedBy.ID {
			t.Errorf("%+v", changed)
		}
		if got := d.openComments(); got != 3 {
			t.Errorf("%d open comments", got)
		}
		changed = thread{}
		d.CallAs(commenter, http.MethodPut, one, `{"resolved":false}`, 200, &changed)
		if changed.Status != "open" || changed.ResolvedAt != "" || changed.ResolvedBy != nil || d.openComments() != 4 {
			t.Errorf("%+v", changed)
		}
		d.Call(http.MethodPut, one, `{}`, 200, nil)

		// Replies.
		replies := one + "/replies"
		var reply thread
		d.Call(http.MethodPost, replies+"?format=document", `{"body":{"markdown":"Yes, **it** is."}}`, 200, &reply)
		if reply.Object != "comment-reply" || !strings.Contains(string(reply.Body["document"]), `"bold"`) ||
			reply.URLs.Location != d.Server.Base+replies+"/"+reply.ID {
			t.Errorf("%+v", reply)
		}
		d.CallAs(commenter, http.MethodPost, replies, `{"body":{}}`, 200, nil)
		var got thread
		d.CallAs(commenter, http.MethodGet, replies+"/"+reply.ID, nil, 200, &got)
		if got.text() != "Yes, **it** is." || got.Permissions["edit"] || got.Permissions["delete"] ||
			!got.Permissions["reply"] {
			t.Errorf("%+v", got)
		}
		d.Call(http.MethodPut, replies+"/"+reply.ID, `{"body":{"markdown":"No."},"addedReactions":["👀"]}`, 200, &got)
		if got.text() != "No." || got.EditedAt == "" || len(got.Reactions) != 1 || got.Reactions[0].Emoji != "👀" {
			t.Errorf("%+v", got)
		}
		var all threads
		d.Call(http.MethodGet, replies+"?limit=1", nil, 200, &all)
		if all.Count != 2 || all.Next == nil || all.Items[0].ID != reply.ID {
			t.Errorf("%+v", all)
		}
		d.Call(http.MethodGet, one, nil, 200, &changed)
		if changed.Replies != 2 || len(changed.Repliers) != 2 {
			t.Errorf("%+v", changed)
		}

		// Who takes part.
		var members struct {
			Count int
			Items []struct {
				Object, ID, Role, JoinedAt string
				User                       apptest.Identified
				Spaces, Teams              int
			}
		}
		d.Call(http.MethodGet, d.base+"/commenters", nil, 200, &members)
		if members.Count != 2 || members.Items[0].Role != "admin" || members.Items[1].Role != "comment" ||
			members.Items[1].Spaces != 1 ||
			members.Items[1].ID != made.PostedBy.ID || members.Items[1].User.ID != made.PostedBy.ID {
			t.Errorf("%+v", members)
		}

		// Deleting.
		wantStatus := http.StatusNoContent
		d.Call(http.MethodDelete, replies+"/"+reply.ID, nil, wantStatus, nil)
		d.Call(http.MethodGet, replies+"/"+reply.ID, nil, 404, nil)
		if d.onRequest() {
			wantStatus = http.StatusResetContent
		}
		d.CallAs(commenter, http.MethodDelete, one, nil, wantStatus, nil)
		d.Call(http.MethodGet, one, nil, 404, nil)
		d.Call(http.MethodGet, replies, nil, 404, nil)
		if got := d.openComments(); got != 3 {
			t.Errorf("%d open comments", got)
		}
	})
}

func TestCommentLists(t *testing.T) {
	inBothScopes(t, func(t *testing.T, d *discussion) {
		commenter := d.Member(org.RoleComment, "c@example.org")
		var author string
		for i := range 6 {
			token, body := d.Token, map[string]any{"body": map[string]string{"markdown": fmt.Sprint(i)}}
			if i%2 == 1 {
				token = commenter
			}
			if i >= 4 {
				body["page"] = d.page
			}
			made := d.post(token, body)
			if token == commenter {
				author = made.PostedBy.ID
			}
			if i < 2 {
				d.Call(http.MethodPut, d.base+"/comments/"+made.ID, `{"resolved":true}`, 200, nil)
			}
		}
		for query, want := range map[string]string{
			"":                          "543210",
			"order=asc&limit=2":         "012345",
			"order=desc&limit=4":        "543210",
			"status=all":                "543210",
			"status=open&limit=1":       "5432",
			"status=resolved&order=asc": "01",
			"targetPage=" + d.page:      "54",
			"targetPage=nothing":        "",
			"authors=" + author:         "531",
			"authors=" + author + "&limit=1&order=asc":                  "135",
			"authors=user_00000000000000000000000000&authors=" + author: "531",
			"authors=user_00000000000000000000000000," + author:         "531",
			"authors=someone": "",
			"authors=":        "543210",
			"status=open&targetPage=" + d.page + "&authors=" + author: "5",
			"format=markdown&status=open":                             "5432",
		} {
			if got := strings.Join(d.list(query), ""); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		var first threads
		d.Call(http.MethodGet, d.base+"/comments?limit=1", nil, 200, &first)
		for _, other := range []string{
			d.base + "/comments?order=asc", d.base + "/comments?status=open", d.base + "/comments?targetPage=" + d.page,
			d.base + "/comments?authors=" + author,
			d.base + "/comments/" + first.Items[0].ID + "/replies?limit=1", d.base + "/commenters?limit=1",
			"/v1/orgs/" + d.Organization + "/spaces?limit=1",
		} {
			got := d.Raw(http.MethodGet, other+"&page="+url.QueryEscape(first.Next.Page), d.Token, nil)
			if got.Status != http.StatusBadRequest {
				t.Errorf("the cursor of another list at %s: %d", other, got.Status)
			}
		}
	})
}

// TestCommentInput holds that a bad input gets a clear 4xx and changes nothing.
func TestCommentInput(t *testing.T) {
	inBothScopes(t, func(t *testing.T, d *discussion) {
		comments := d.base + "/comments"
		made := d.post(d.Token, `{"body":{"markdown":"a"}}`)
		second := d.post(d.Token, `{"body":{"markdown":"b"}}`)
		var reply thread
		d.Call(http.MethodPost, comments+"/"+second.ID+"/replies", `{"body":{"markdown":"r"}}`, 200, &reply)
		elsewhere := "/v1/spaces/" + d.Server.Space("Elsewhere")
		var foreign thread
		d.Call(http.MethodPost, elsewhere+"/comments", `{"body":{"markdown":"f"}}`, 200, &foreign)
		one, nobody := comments+"/"+made.ID, comments+"/comment_00000000000000000000000000"
		long := strings.Repeat("a", 64<<10+1)
		longDocument := fmt.Sprintf(
			`{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":%q,"marks":[]}]}]}]}`, long)
		tests := []struct {
			name, method, path string
			body               any
			want               int
			says               string
		}{
			{"no body", http.MethodPost, comments, `{}`, 400, "body"},
			{"body of a wrong type", http.MethodPost, comments, `{"body":"text"}`, 400, "body"},
			{"body null", http.MethodPost, comments, `{"body":null}`, 400, "body"},
			{"markdown of a wrong type", http.MethodPost, comments, `{"body":{"markdown":7}}`, 400, "markdown"},
			{"both forms", http.MethodPost, comments,
				`{"body":{"markdown":"a","document":{"object":"document","data":{},"nodes":[]}}}`, 400, "one of them"},
			{"not a document", http.MethodPost, comments, `{"body":{"document":{"object":"block"}}}`, 400,
				"document.object"},
			{"document of a wrong type", http.MethodPost, comments, `{"body":{"document":"text"}}`, 400,
				"body.body.document"},
			{"unknown block", http.MethodPost, comments,
				`{"body":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"video","isVoid":false,"data":{},"nodes":[]}]}}}`, 400, "document.nodes[0]"},
			{"too long", http.MethodPost, comments, `{"body":{"markdown":"` + long + `"}}`, 413, "65536"},
			{"document too long", http.MethodPost, comments, `{"body":{"document":` + longDocument + `}}`, 413,
				"65536"},
			{"zero byte", http.MethodPost, comments, `{"body":{"markdown":"a\u0000b"}}`, 400, "body.body"},
			{"node without page", http.MethodPost, comments, `{"node":"n1","body":{"markdown":"a"}}`, 400, "body.page"},
			{"unknown page", http.MethodPost, comments, `{"page":"page_0","body":{"markdown":"a"}}`, 404, "page"},
			{"unknown node", http.MethodPost, comments,
				`{"page":"` + d.page + `","node":"n999","body":{"markdown":"a"}}`, 404, "node"},
			{"page of a wrong type", http.MethodPost, comments, `{"page":7,"body":{"markdown":"a"}}`, 400, "page"},
			{"node too long", http.MethodPost, comments, `{"page":"x","node":"` + strings.Repeat("n", 257) +
				`","body":{"markdown":"a"}}`, 400, "node"},
			{"cell without node", http.MethodPost, comments,
				`{"page":"` + d.page + `","tableCell":{"record":"r1","definition":"c1"},"body":{"markdown":"a"}}`, 400,
				"body.node"},
			{"cell without definition", http.MethodPost, comments,
				`{"page":"` + d.page + `","node":"n5","tableCell":{"record":"r1"},"body":{"markdown":"a"}}`, 400,
				"definition"},
			{"unknown cell", http.MethodPost, comments,
				`{"page":"` + d.page +
					`","node":"n5","tableCell":{"record":"r9","definition":"c1"},"body":{"markdown":"a"}}`, 404,
				"cell"},
			{"range without page", http.MethodPost, comments, `{"range":{"quote":"words"},"body":{}}`, 400,
				"body.page"},
			{"range of nothing", http.MethodPost, comments, `{"page":"` + d.page + `","range":{"quote":" "},"body":{}}`,
				400, "body.range.quote"},
			{"range without quote", http.MethodPost, comments, `{"page":"` + d.page + `","range":{},"body":{}}`, 400,
				"quote"},
			{"range that is too long", http.MethodPost, comments, `{"page":"` + d.page + `","range":{"quote":"` +
				strings.Repeat("a", 1001) + `"},"body":{}}`, 400, "quote"},
			{"range of another page", http.MethodPost, comments,
				`{"page":"` + d.page + `","range":{"quote":"Text"},"body":{}}`, 404, "Quote words"},
			{"range over two blocks", http.MethodPost, comments,
				`{"page":"` + d.page + `","range":{"quote":"First words. More"},"body":{}}`, 404, "Quote words"},
			{"range outside of the node", http.MethodPost, comments,
				`{"page":"` + d.page + `","node":"n1","range":{"quote":"More"},"body":{}}`, 404, "Quote words"},
			{"range in an unknown node", http.MethodPost, comments,
				`{"page":"` + d.page + `","node":"n999","range":{"quote":"More"},"body":{}}`, 404, "node"},
			{"range in a cell", http.MethodPost, comments, `{"page":"` + d.page +
				`","node":"n5","tableCell":{"record":"r1","definition":"c1"},"range":{"quote":"one"},"body":{}}`, 400,
				"body.tableCell"},
			{"suggestion without range", http.MethodPost, comments,
				`{"page":"` + d.page + `","suggestion":{"text":"a"},"body":{}}`, 400, "body.suggestion"},
			{"suggestion of a wrong type", http.MethodPost, comments,
				`{"page":"` + d.page + `","range":{"quote":"More"},"suggestion":"a","body":{}}`, 400, "suggestion"},
			{"order", http.MethodGet, comments + "?order=up", nil, 400, "order"},
			{"status", http.MethodGet, comments + "?status=closed", nil, 400, "status"},
			{"format", http.MethodGet, comments + "?format=pdf", nil, 400, "format"},
			{"limit", http.MethodGet, comments + "?limit=1001", nil, 400, "limit"},
			{"cursor", http.MethodGet, comments + "?page=x", nil, 400, "page"},
			{"too many authors", http.MethodGet, comments + "?authors=x" + strings.Repeat("&authors=x", 100), nil, 400,
				"authors"},
			{"unknown comment", http.MethodGet, nobody, nil, 404, "comment"},
			{"strange comment", http.MethodGet, comments + "/a%00b", nil, 404, "address"},
			{"comment of another space", http.MethodGet, comments + "/" + foreign.ID, nil, 404, "comment"},
			{"change of a comment of another space", http.MethodPut, comments + "/" + foreign.ID, `{"resolved":true}`,
				404, "comment"},
			{"deletion of a comment of another space", http.MethodDelete, comments + "/" + foreign.ID, nil, 404,
				"comment"},
			{"comment at another space", http.MethodGet, elsewhere + "/comments/" + made.ID, nil, 404, "comment"},
			{"change to too long", http.MethodPut, one, `{"body":{"markdown":"` + long + `"}}`, 413, "65536"},
			{"resolved of a wrong type", http.MethodPut, one, `{"resolved":"yes"}`, 400, "resolved"},
			{"not an emoji", http.MethodPut, one, `{"addedReactions":["ok"]}`, 400, "addedReactions[0]"},
			{"reactions of a wrong type", http.MethodPut, one, `{"addedReactions":"👍"}`, 400, "addedReactions"},
			{"too many reactions", http.MethodPut, one, `{"addedReactions":["👍"` + strings.Repeat(`,"👍"`, 20) + `]}`,
				400, "addedReactions"},
			{"change of an unknown comment", http.MethodPut, nobody, `{"resolved":true}`, 404, "comment"},
			{"deletion of an unknown comment", http.MethodDelete, nobody, nil, 404, "comment"},
			{"replies of an unknown comment", http.MethodGet, nobody + "/replies", nil, 404, "comment"},
			{"reply to an unknown comment", http.MethodPost, nobody + "/replies", `{"body":{"markdown":"a"}}`, 404,
				"comment"},
			{"reply too long", http.MethodPost, one + "/replies", `{"body":{"markdown":"` + long + `"}}`, 413, "65536"},
			{"reply without body", http.MethodPost, one + "/replies", `{}`, 400, "body"},
			{"reply of another comment", http.MethodGet, one + "/replies/" + reply.ID, nil, 404, "reply"},
			{"change of another comment's reply", http.MethodPut, one + "/replies/" + reply.ID,
				`{"addedReactions":["👍"]}`, 404, "reply"},
			{"deletion of another comment's reply", http.MethodDelete, one + "/replies/" + reply.ID, nil, 404, "reply"},
			{"resolving a reply", http.MethodPut, comments + "/" + second.ID + "/replies/" + reply.ID,
				`{"resolved":true}`, 400, "resolved"},
			{"unknown space", http.MethodGet, "/v1/spaces/space_00000000000000000000000000/comments", nil, 404,
				"space"},
			{"unknown change request", http.MethodGet, "/v1/spaces/" + d.space + "/change-requests/99/comments", nil,
				404, "change request"},
			{"change request of another space", http.MethodGet, elsewhere + "/change-requests/" + d.request +
				"/comments", nil, 404, "change request"},
		}
		for _, test := range tests {
			got := d.Raw(test.method, test.path, d.Token, test.body)
			if got.Status != test.want {
				t.Errorf("%s: %d, want %d: %.300s", test.name, got.Status, test.want, got.Body)
				continue
			}
			d.Check(test.method, test.path, got)
			var refusal struct{ Error struct{ Message string } }
			if err := json.Unmarshal(got.Body, &refusal); err != nil || !strings.Contains(refusal.Error.Message,
				test.says) {
				t.Errorf("%s: %.300s does not say %q", test.name, got.Body, test.says)
			}
		}
		if got := d.list("order=asc"); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("a refused call changed something: %v", got)
		}
		d.Call(http.MethodGet, one, nil, 200, &made)
		if made.Status != "open" || made.Replies != 0 || len(made.Reactions) != 0 {
			t.Errorf("a refused call changed something: %+v", made)
		}
		// A space in the trash takes no comments, and shows none.
		d.Call(http.MethodDelete, "/v1/spaces/"+d.space, nil, 204, nil)
		d.Call(http.MethodGet, comments, nil, 404, nil)
		d.Call(http.MethodPost, comments, `{"body":{"markdown":"a"}}`, 404, nil)
		d.Call(http.MethodGet, d.base+"/commenters", nil, 404, nil)
		d.Call(http.MethodPost, "/v1/spaces/"+d.space+"/restore", nil, 200, nil)
	})
}

// TestCommentAccess holds for every operation which role may call it on what another has posted, and that nobody may
// from another organization or without a token.
func TestCommentAccess(t *testing.T) {
	inBothScopes(t, func(t *testing.T, d *discussion) {
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = d.Member(role, "role-"+string(role)+"@example.org")
		}
		stranger := d.Member(org.RoleGuest, "stranger@example.net")
		tests := []struct {
			name, method, path string // of the comment COMMENT and its reply REPLY, below the discussion
			body               any
			least              org.Role // the lowest role that may; "" when only the author may
		}{
			{"list", http.MethodGet, "/comments", nil, org.RoleRead},
			{"get", http.MethodGet, "/comments/COMMENT", nil, org.RoleRead},
			{"list replies", http.MethodGet, "/comments/COMMENT/replies", nil, org.RoleRead},
			{"get a reply", http.MethodGet, "/comments/COMMENT/replies/REPLY", nil, org.RoleRead},
			{"list commenters", http.MethodGet, "/commenters", nil, org.RoleRead},
			{"post", http.MethodPost, "/comments", `{"body":{"markdown":"x"}}`, org.RoleComment},
			{"reply", http.MethodPost, "/comments/COMMENT/replies", `{"body":{"markdown":"x"}}`, org.RoleComment},
			{"react", http.MethodPut, "/comments/COMMENT", `{"addedReactions":["👍"]}`, org.RoleComment},
			{"react to a reply", http.MethodPut, "/comments/COMMENT/replies/REPLY", `{"addedReactions":["👍"]}`,
				org.RoleComment},
			{"resolve", http.MethodPut, "/comments/COMMENT", `{"resolved":true}`, org.RoleEdit},
			{"edit", http.MethodPut, "/comments/COMMENT", `{"body":{"markdown":"y"}}`, ""},
			{"edit a reply", http.MethodPut, "/comments/COMMENT/replies/REPLY", `{"body":{"markdown":"y"}}`, ""},
			{"delete a reply", http.MethodDelete, "/comments/COMMENT/replies/REPLY", nil, org.RoleReview},
			{"delete", http.MethodDelete, "/comments/COMMENT", nil, org.RoleReview},
		}
		for _, test := range tests {
			may := false
			for _, role := range roles {
				c := d.post(d.Token, `{"body":{"markdown":"c"}}`)
				var r thread
				d.Call(http.MethodPost, d.base+"/comments/"+c.ID+"/replies", `{"body":{"markdown":"r"}}`, 200, &r)
				path := d.base + strings.NewReplacer("COMMENT", c.ID, "REPLY", r.ID).Replace(test.path)
				may = may || test.least != "" && role == test.least
				got := d.Raw(test.method, path, tokens[role], test.body)
				switch {
				case role == org.RoleGuest && got.Status != 404, role != org.RoleGuest && !may && got.Status != 403,
					may && got.Status >= 300:
					t.Errorf("%s as %q: %d %.300s", test.name, role, got.Status, got.Body)
				}
				d.Check(test.method, path, got)
				if role != org.RoleAdmin {
					continue
				}
				if got := d.Raw(test.method, path, stranger, test.body); got.Status != 404 {
					t.Errorf("%s from another organization: %d", test.name, got.Status)
				}
				if got := d.Raw(test.method, path, "", test.body); got.Status != 401 {
					t.Errorf("%s without a token: %d", test.name, got.Status)
				}
			}
		}
	})
}
