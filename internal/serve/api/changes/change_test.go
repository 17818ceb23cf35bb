package changes_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// changeRequestList is a page of change requests.
type changeRequestList struct {
	Items []apptest.ChangeRequest
	Count int
	Next  *struct{ Page string }
}

func TestChangeRequests(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		base := "/v1/spaces/" + space + "/change-requests"
		var first, second apptest.ChangeRequest
		got := s.Call(http.MethodPost, base, nil, http.StatusCreated, &first)
		if got.Header.Get("Location") != s.Base+base+"/"+first.ID || first.URLs.Location != got.Header.Get("Location") {
			t.Errorf("Location %q of %+v", got.Header.Get("Location"), first)
		}
		s.Call(http.MethodPost, base, `{"subject":"Second","status":"open","description":{"markdown":"Why *so*."}}`,
			http.StatusCreated, &second)
		if first.Number != 1 || first.Status != "draft" || second.Number != 2 || second.Status != "open" ||
			second.Description == nil || second.CreatedBy.DisplayName != "Ada" {
			t.Errorf("made %+v and %+v", first, second)
		}
		for _, name := range []string{second.ID, "2"} {
			var read apptest.ChangeRequest
			s.Call(http.MethodGet, base+"/"+name, nil, http.StatusOK, &read)
			if read.ID != second.ID || read.Subject != "Second" {
				t.Errorf("%s: %+v", name, read)
			}
		}
		var list changeRequestList
		s.Call(http.MethodGet, base, nil, http.StatusOK, &list)
		if list.Count != 1 || len(list.Items) != 1 || list.Items[0].ID != second.ID {
			t.Errorf("open ones: %+v", list)
		}
		s.Call(http.MethodGet, base+"?status=draft", nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].ID != first.ID {
			t.Errorf("drafts: %+v", list)
		}
		var counted struct{ ChangeRequests, ChangeRequestsOpen, ChangeRequestsDraft int }
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &counted)
		if counted.ChangeRequests != 2 || counted.ChangeRequestsOpen != 1 || counted.ChangeRequestsDraft != 1 {
			t.Errorf("counters %+v", counted)
		}
	})
}

// writer writes in branches beside the server, as another process would.
type writer struct {
	s       *apptest.Server
	content *store.Service
	changes *change.Service
	caller  account.Caller
}

func newWriter(s *apptest.Server) *writer {
	s.T.Helper()
	database, err := db.Open(s.T.Context(), db.Config{URL: s.Storage.Database()})
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() {
		if err := database.Close(); err != nil {
			s.T.Error(err)
		}
	})
	w := &writer{s: s}
	w.content, w.changes, _ = changetest.New(s.T, database, changetest.Options{})
	user, err := accounttest.NewService(account.Deps{DB: database}, account.Hooks{}).UserByEmail(s.T.Context(),
		"ada@example.org")
	if err != nil {
		s.T.Fatal(err)
	}
	w.caller = account.Caller{User: user}
	return w
}

// write gives a page of a change request, or of main when that is "", a title.
func (w *writer) write(space, changeRequest, name, title string) {
	w.s.T.Helper()
	branch := ""
	if changeRequest != "" {
		found, err := w.changes.Get(w.s.T.Context(), w.caller, id.Space(space), id.ChangeRequest(changeRequest))
		if err != nil {
			w.s.T.Fatal(err)
		}
		branch = string(found.Branch)
	}
	_, err := w.content.Commit(w.s.T.Context(), store.CommitRequest{
		Space: id.Space(space), Branch: id.Branch(branch), Author: w.caller.User.ID,
		Put: []store.Put{{Entry: &entity.Entry{ID: "page_" + name, Kind: entity.KindPage, Type: entity.PageDocument,
			Title: title, Slug: name}}},
	})
	if err != nil {
		w.s.T.Fatal(err)
	}
}

// conflict is the wire form of a conflict as far as tests look at it.
type conflict struct {
	ID, Kind, Field, Status   string
	Base, Main, ChangeRequest any
	Settlement                struct{ Keep string }
	URLs                      struct{ Location string }
}

// flowResult is the answer of a merge, an update or an undo.
type flowResult struct {
	Revision, Result string
	Conflicts        []conflict
	ChangeRequest    *apptest.ChangeRequest
}

// TestChangeRequestFlow goes the way of a change request with a conflict, from its draft to its undoing.
func TestChangeRequestFlow(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		w := newWriter(s)
		space := s.Space("Guide")
		base := "/v1/spaces/" + space + "/change-requests"
		w.write(space, "", "a", "A")
		var made apptest.ChangeRequest
		s.Call(http.MethodPost, base, `{"subject":"Better"}`, http.StatusCreated, &made)
		one := base + "/" + made.ID
		w.write(space, made.ID, "a", "Mine")
		w.write(space, made.ID, "b", "B")
		w.write(space, "", "a", "Main")

		var read apptest.ChangeRequest
		s.Call(http.MethodPatch, one,
			`{"status":"open","description":{"object":"document","data":{},"nodes":[{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Why","marks":[]}]}]}]}}`, http.StatusOK, &read)
		if read.Status != "open" || read.Description == nil || !read.Outdated {
			t.Errorf("after PATCH: %+v", read)
		}
		var result flowResult
		for _, path := range []string{"/merge?dryRun=true", "/merge"} {
			s.Call(http.MethodPost, one+path, nil, http.StatusOK, &result)
			if result.Result != "conflicts" || len(result.Conflicts) != 1 {
				t.Errorf("%s: %+v", path, result)
			}
		}
		var list struct {
			Items []conflict
			Count int
		}
		s.Call(http.MethodGet, one+"/conflicts", nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].ID != result.Conflicts[0].ID || list.Items[0].URLs.Location == "" {
			t.Errorf("conflicts before the update: %+v", list)
		}
		result = flowResult{}
		s.Call(http.MethodPost, one+"/update", nil, http.StatusOK, &result)
		if result.Result != "conflicts" || len(result.Conflicts) != 1 {
			t.Errorf("update: %+v", result)
		}
		s.Call(http.MethodGet, one+"/conflicts", nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].Base != "A" || list.Items[0].Main != "Main" ||
			list.Items[0].ChangeRequest != "Mine" || list.Items[0].Kind != "field" || list.Items[0].Field != "title" {
			t.Fatalf("conflicts: %+v", list)
		}
		var settled struct {
			Conflict      conflict
			ChangeRequest apptest.ChangeRequest
		}
		s.Call(http.MethodPost, list.Items[0].URLs.Location, `{"content":"Both"}`, http.StatusOK, &settled)
		if settled.Conflict.Status != "settled" || settled.ChangeRequest.Outdated {
			t.Errorf("settled: %+v", settled)
		}
		s.Call(http.MethodGet, one+"/conflicts?status=settled", nil, http.StatusOK, &list)
		if list.Count != 1 || list.Items[0].Status != "settled" {
			t.Errorf("settled ones: %+v", list)
		}
		result = flowResult{}
		s.Call(http.MethodPost, one+"/update", nil, http.StatusOK, &result)
		if result.Result != "update" {
			t.Errorf("update of what is up to date: %+v", result)
		}
		s.Call(http.MethodPost, one+"/merge", nil, http.StatusOK, &result)
		s.Call(http.MethodGet, one, nil, http.StatusOK, &read)
		if result.Result != "merge" || read.Status != "merged" || read.RevisionMerged != result.Revision ||
			read.Outdated || read.MergedBy.DisplayName != "Ada" || read.RevisionMergedAncestor == "" {
			t.Errorf("merged: %+v %+v", result, read)
		}
		s.Call(http.MethodPost, one+"/merge", nil, http.StatusConflict, nil)
		s.Call(http.MethodPatch, one, `{"status":"open"}`, http.StatusConflict, nil)

		w.write(space, "", "c", "C")
		var undone flowResult
		got := s.Call(http.MethodPost, one+"/undo", nil, http.StatusOK, &undone)
		if undone.Result != "undo" || undone.ChangeRequest == nil || undone.ChangeRequest.Number != 2 ||
			got.Header.Get("Location") != undone.ChangeRequest.URLs.Location {
			t.Errorf("undone: %+v", undone)
		}
		s.Call(http.MethodPost, one+"/undo", `{"direct":true}`, http.StatusOK, &undone)
		var pages struct{ Pages []struct{ Title string } }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, http.StatusOK, &pages)
		if len(pages.Pages) != 2 || pages.Pages[0].Title != "Main" || pages.Pages[1].Title != "C" {
			t.Errorf("pages after the undo: %+v", pages)
		}
		s.Call(http.MethodPost, one+"/undo", nil, http.StatusConflict, nil)

		var all changeRequestList
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/change-requests", nil, http.StatusOK, &all)
		if all.Count != 0 {
			t.Errorf("open ones: %+v", all)
		}
		for _, filter := range []string{"status=draft&status=merged", "status=draft,merged",
			"status=merged&status=draft&orderBy=createdAt&limit=1&space=" + space} {
			s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/change-requests?"+filter, nil, http.StatusOK, &all)
			if all.Count != 2 || all.Items[0].Number != 2 {
				t.Errorf("%s: %+v", filter, all)
			}
		}
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/change-requests?status=merged&topic=x", nil, http.StatusOK,
			&all)
		if all.Count != 0 {
			t.Errorf("with a topic: %+v", all)
		}
		var site apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Docs",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/change-requests?status=merged&site="+site.ID, nil,
			http.StatusOK, &all)
		if all.Count != 1 {
			t.Errorf("of a site: %+v", all)
		}
	})
}

func TestReviewsAndMergeRules(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		w := newWriter(s)
		space := s.Space("Guide")
		base := "/v1/spaces/" + space + "/change-requests"
		reviewer := s.Member(org.RoleReview, "rev@example.org")
		var person apptest.Identified
		s.CallAs(reviewer, http.MethodGet, "/v1/user", nil, http.StatusOK, &person)
		var made apptest.ChangeRequest
		s.Call(http.MethodPost, base, nil, http.StatusCreated, &made)
		one := base + "/1"
		w.write(space, made.ID, "a", "A")

		var asked struct {
			Users []struct {
				Kind              string
				User, RequestedBy apptest.Identified
			}
		}
		s.Call(http.MethodPost, one+"/requested-reviewers", map[string]any{"users": []string{person.ID},
			"subject": "Please look"}, http.StatusOK, &asked)
		if len(asked.Users) != 1 || asked.Users[0].Kind != "user" || asked.Users[0].User.ID != person.ID ||
			asked.Users[0].RequestedBy.ID != string(w.caller.User.ID) {
			t.Errorf("asked: %+v", asked)
		}
		var read apptest.ChangeRequest
		s.Call(http.MethodGet, one, nil, http.StatusOK, &read)
		if read.Status != "open" || read.Subject != "Please look" {
			t.Errorf("after asking: %+v", read)
		}
		var found changeRequestList
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/change-requests?requestedReviewer="+person.ID, nil,
			http.StatusOK, &found)
		if found.Count != 1 {
			t.Errorf("by reviewer: %+v", found)
		}

		rules := map[string]any{"mergeRules": map[string]any{"type": "rules", "rules": []any{
			map[string]any{"rule": "require_at_least_one_approved_review"},
			map[string]any{"rule": "custom", "expression": "changeRequest.subject.length > 3",
				"message": "a longer subject"},
		}}}
		var changed struct {
			MergeRules struct {
				Type  string
				Rules []map[string]any
			}
		}
		s.Call(http.MethodPatch, "/v1/spaces/"+space, rules, http.StatusOK, &changed)
		if changed.MergeRules.Type != "rules" || len(changed.MergeRules.Rules) != 2 {
			t.Errorf("merge rules: %+v", changed)
		}
		got := s.Call(http.MethodPost, one+"/merge", nil, http.StatusConflict, nil)
		if !strings.Contains(string(got.Body), "require_at_least_one_approved_review") ||
			strings.Contains(string(got.Body), "longer subject") {
			t.Errorf("refused with %s", got.Body)
		}
		type checks struct {
			Rules []struct {
				Rule, Missing, Message string
				Met                    bool
			}
		}
		var before, after checks
		s.CallAs(reviewer, http.MethodGet, one+"/merge-checks", nil, http.StatusOK, &before)
		if len(before.Rules) != 2 || before.Rules[0].Met || before.Rules[0].Missing == "" || !before.Rules[1].Met ||
			before.Rules[1].Message != "a longer subject" {
			t.Errorf("checks: %+v", before)
		}
		var review struct {
			ID, Status  string
			Outdated    bool
			Reviewer    apptest.Identified
			RequestedBy apptest.Identified
			Comment     struct {
				Body struct {
					Markdown string
					Document any
				}
			}
		}
		created := s.CallAs(reviewer, http.MethodPost, one+"/reviews",
			`{"status":"approved","comment":{"markdown":"*Good.*"}}`, http.StatusCreated, &review)
		if review.Status != "approved" || review.Outdated || review.Reviewer.ID != person.ID ||
			review.RequestedBy.ID != string(w.caller.User.ID) || review.Comment.Body.Markdown != "*Good.*" {
			t.Errorf("review: %+v", review)
		}
		s.Call(http.MethodGet, one+"/merge-checks", nil, http.StatusOK, &after)
		if len(after.Rules) != 2 || !after.Rules[0].Met || after.Rules[0].Missing != "" {
			t.Errorf("checks after the review: %+v", after)
		}
		s.Call(http.MethodGet, created.Header.Get("Location")+"?format=document", nil, http.StatusOK, &review)
		if review.Comment.Body.Document == nil {
			t.Errorf("as document: %+v", review)
		}
		w.write(space, made.ID, "a", "A2")
		var reviews struct {
			Items []struct{ Outdated bool }
			Count int
		}
		s.Call(http.MethodGet, one+"/reviews?outdated=true", nil, http.StatusOK, &reviews)
		if reviews.Count != 1 || !reviews.Items[0].Outdated {
			t.Errorf("outdated: %+v", reviews)
		}
		s.Call(http.MethodPost, one+"/merge", nil, http.StatusConflict, nil)
		s.CallAs(reviewer, http.MethodPost, one+"/reviews", `{"status":"approved"}`, http.StatusCreated, nil)
		s.CallAs(reviewer, http.MethodPost, one+"/merge", nil, http.StatusOK, nil)

		var contributors struct {
			Items []struct {
				User       apptest.Identified
				ActionType string
				Count      int
			}
		}
		s.Call(http.MethodGet, one+"/contributors", nil, http.StatusOK, &contributors)
		if len(contributors.Items) != 1 || contributors.Items[0].User.ID != string(w.caller.User.ID) ||
			contributors.Items[0].Count != 2 || contributors.Items[0].ActionType != "edit" {
			t.Errorf("contributors: %+v", contributors)
		}

		// A space that inherits has the rules of its organization.
		address := "/v1/orgs/" + s.Organization + "/merge-rules"
		s.Call(http.MethodGet, address, nil, http.StatusOK, &changed.MergeRules)
		if changed.MergeRules.Type != "none" {
			t.Errorf("rules of the organization: %+v", changed)
		}
		s.Call(http.MethodPut, address, `{"type":"rules","rules":[{"rule":"require_change_request_subject"}]}`,
			http.StatusOK, nil)
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization, nil, http.StatusOK, &changed)
		if len(changed.MergeRules.Rules) != 1 {
			t.Errorf("the organization: %+v", changed)
		}
		s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"mergeRules":{"type":"inherit"}}`, http.StatusOK, nil)
		s.Call(http.MethodPost, base, nil, http.StatusCreated, nil)
		got = s.Call(http.MethodPost, base+"/2/merge", nil, http.StatusConflict, nil)
		if !strings.Contains(string(got.Body), "a subject") {
			t.Errorf("refused with %s", got.Body)
		}
		s.Call(http.MethodPost, base+"/2/requested-reviewers", map[string]any{"users": []string{person.ID}},
			http.StatusOK, nil)
		s.Call(http.MethodDelete, base+"/2/requested-reviewers/"+person.ID, nil, http.StatusNoContent, nil)
		s.Call(http.MethodDelete, base+"/2/requested-reviewers/"+person.ID, nil, http.StatusNotFound, nil)
	})
}

// TestChangeRequestInput holds that bad input gets a clear 4xx.
func TestChangeRequestInput(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	base := "/v1/spaces/" + space + "/change-requests"
	var made apptest.ChangeRequest
	s.Call(http.MethodPost, base, nil, http.StatusCreated, &made)
	s.Call(http.MethodPost, base, nil, http.StatusCreated, nil)
	var page changeRequestList
	s.Call(http.MethodGet, base+"?status=draft&limit=1", nil, http.StatusOK, &page)
	cursor := page.Next.Page
	s.Call(http.MethodGet, base+"?status=draft&limit=1&page="+cursor, nil, http.StatusOK, &page)
	if page.Next != nil && page.Items[0].Number != 1 {
		t.Errorf("the second page: %+v", page)
	}
	one, orgs := base+"/"+made.ID, "/v1/orgs/"+s.Organization
	reader := s.Member(org.RoleRead, "r@example.org")
	var person apptest.Identified
	s.CallAs(reader, http.MethodGet, "/v1/user", nil, http.StatusOK, &person)
	tests := []struct {
		name, method, path string
		body               any
		want               int
		says               string
	}{
		{"subject too long", http.MethodPost, base, map[string]any{"subject": strings.Repeat("x", 101)}, 400,
			"subject"},
		{"subject of another type", http.MethodPost, base, `{"subject":7}`, 400, "subject"},
		{"status at the start", http.MethodPost, base, `{"status":"merged"}`, 400, "status"},
		{"description that is none", http.MethodPost, base, `{"description":{"text":"x"}}`, 400, "description"},
		{"description of another type", http.MethodPost, base, `{"description":7}`, 400, "description"},
		{"description with unknown blocks", http.MethodPatch, one,
			`{"description":{"object":"document","data":{},"nodes":[{"object":"block","type":"nothing"}]}}`, 400,
			"description"},
		{"an agent task", http.MethodPost, base, `{"agentTaskId":"task"}`, 400, "agentTaskId"},
		{"an unknown space", http.MethodPost, "/v1/spaces/space_00000000000000000000000000/change-requests", nil, 404,
			""},
		{"status of the list", http.MethodGet, base + "?status=done", nil, 400, "status"},
		{"limit", http.MethodGet, base + "?limit=1001", nil, 400, "limit"},
		{"cursor made up", http.MethodGet, base + "?page=abc", nil, 400, "page"},
		{"cursor of another list", http.MethodGet, base + "?status=open&page=" + cursor, nil, 400, "page"},
		{"cursor in another list", http.MethodGet, orgs + "/change-requests?page=" + cursor, nil, 400, "page"},
		{"cursor in the reviews", http.MethodGet, one + "/reviews?page=" + cursor, nil, 400, "page"},
		{"cursor in the conflicts", http.MethodGet, one + "/conflicts?page=" + cursor, nil, 400, "page"},
		{"cursor in the reviewers", http.MethodGet, one + "/requested-reviewers?page=" + cursor, nil, 400, "page"},
		{"cursor in the contributors", http.MethodGet, one + "/contributors?page=" + cursor, nil, 400, "page"},
		{"unknown number", http.MethodGet, base + "/3", nil, 404, "change request"},
		{"unknown id", http.MethodGet, base + "/change_00000000000000000000000000", nil, 404, "change request"},
		{"id with a zero byte", http.MethodGet, base + "/a%00b", nil, 404, ""},
		{"null subject", http.MethodPatch, one, `{"subject":null}`, 400, "subject"},
		{"merged by PATCH", http.MethodPatch, one, `{"status":"merged"}`, 409, "merging"},
		{"unknown status", http.MethodPatch, one, `{"status":"done"}`, 400, "status"},
		{"dryRun of another type", http.MethodPost, one + "/merge?dryRun=perhaps", nil, 400, "dryRun"},
		{"merge of what is not there", http.MethodPost, base + "/9/merge", nil, 404, ""},
		{"update of what is not there", http.MethodPost, base + "/9/update", nil, 404, ""},
		{"undo of a draft", http.MethodPost, one + "/undo", nil, 409, "draft"},
		{"undo with another type", http.MethodPost, one + "/undo", `{"direct":"yes"}`, 400, "direct"},
		{"conflict that is not there", http.MethodPost, one + "/conflicts/x", `{"keep":"main"}`, 404, "conflict"},
		{"neither side nor content", http.MethodPost, one + "/conflicts/x", `{}`, 400, "keep"},
		{"side and content", http.MethodPost, one + "/conflicts/x", `{"keep":"main","content":"x"}`, 400, "keep"},
		{"unknown side", http.MethodPost, one + "/conflicts/x", `{"keep":"theirs"}`, 400, "keep"},
		{"conflicts with a status", http.MethodGet, one + "/conflicts?status=gone", nil, 400, "status"},
		{"review without a status", http.MethodPost, one + "/reviews", `{}`, 400, "status"},
		{"review with another status", http.MethodPost, one + "/reviews", `{"status":"fine"}`, 400, "status"},
		{"review with a bad comment", http.MethodPost, one + "/reviews", `{"status":"approved","comment":"Fine."}`, 400,
			"comment"},
		{"review that is not there", http.MethodGet, one + "/reviews/review_00000000000000000000000000", nil, 404,
			"review"},
		{"format", http.MethodGet, one + "/reviews?format=pdf", nil, 400, "format"},
		{"reviewers without users", http.MethodPost, one + "/requested-reviewers", `{}`, 400, "users"},
		{"reviewers of another type", http.MethodPost, one + "/requested-reviewers", `{"users":"me"}`, 400, "users"},
		{"a reviewer who is nobody", http.MethodPost, one + "/requested-reviewers", `{"users":["user_0"]}`, 400,
			"users[0]"},
		{"a reviewer who may not", http.MethodPost, one + "/requested-reviewers",
			map[string]any{"users": []string{person.ID}}, 400, "users[0]"},
		{"statuses of the organization", http.MethodGet, orgs + "/change-requests?status=open,done", nil, 400,
			"status"},
		{"order of the organization", http.MethodGet, orgs + "/change-requests?orderBy=title", nil, 400, "orderBy"},
		{"unknown site", http.MethodGet, orgs + "/change-requests?site=x", nil, 404, ""},
		{"unknown organization", http.MethodGet, "/v1/orgs/org_00000000000000000000000000/change-requests", nil, 404,
			""},
		{"rules without a type", http.MethodPut, orgs + "/merge-rules", `{}`, 400, "type"},
		{"organization that inherits", http.MethodPut, orgs + "/merge-rules", `{"type":"inherit"}`, 400, "type"},
		{"unknown rule", http.MethodPut, orgs + "/merge-rules", `{"type":"rules","rules":[{"rule":"be_nice"}]}`, 400,
			"rule"},
		{"rule without people", http.MethodPut, orgs + "/merge-rules",
			`{"type":"rules","rules":[{"rule":"require_specific_reviewers"}]}`, 400, "users"},
		{"rule with a stranger", http.MethodPut, orgs + "/merge-rules",
			`{"type":"rules","rules":[{"rule":"allow_bypass","users":["user_x"]}]}`, 400, "users[0]"},
		{"expression that is none", http.MethodPatch, "/v1/spaces/" + space,
			`{"title":"Changed","mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"1 +"}]}}`, 400,
			"expression"},
		{"expression without custom", http.MethodPatch, "/v1/spaces/" + space,
			`{"mergeRules":{"type":"rules","rules":[{"rule":"require_at_least_one_review","expression":"1"}]}}`, 400,
			"custom"},
		{"rules with the type none", http.MethodPatch, "/v1/spaces/" + space,
			`{"mergeRules":{"type":"none","rules":[{"rule":"require_at_least_one_review"}]}}`, 400, "rules"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.In(t).Refused(test.method, test.path, test.body, test.want, test.says)
		})
	}
	var read struct{ Title string }
	s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &read)
	if read.Title != "Guide" {
		t.Error("a refused change has changed the title")
	}
}

// TestChangeRequestAccess holds which role may call what, and that the change requests of other organizations do not
// exist.
func TestChangeRequestAccess(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		base := "/v1/spaces/" + space + "/change-requests"
		s.Call(http.MethodPost, base, nil, http.StatusCreated, nil)
		one, orgs := base+"/1", "/v1/orgs/"+s.Organization
		reviewer := s.Member(org.RoleReview, "rev@example.org")
		var person, review apptest.Identified
		s.CallAs(reviewer, http.MethodGet, "/v1/user", nil, http.StatusOK, &person)
		s.Call(http.MethodPost, one+"/reviews", `{"status":"approved"}`, http.StatusCreated, &review)

		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "role-"+string(role)+"@example.org")
		}
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		tests := []struct {
			name, method, path string
			body               any
			least              org.Role
			ok                 int
		}{
			{"list", http.MethodGet, base, nil, org.RoleRead, 200},
			{"get", http.MethodGet, one, nil, org.RoleRead, 200},
			{"reviews", http.MethodGet, one + "/reviews", nil, org.RoleRead, 200},
			{"one review", http.MethodGet, one + "/reviews/" + review.ID, nil, org.RoleRead, 200},
			{"requested reviewers", http.MethodGet, one + "/requested-reviewers", nil, org.RoleRead, 200},
			{"contributors", http.MethodGet, one + "/contributors", nil, org.RoleRead, 200},
			{"conflicts", http.MethodGet, one + "/conflicts", nil, org.RoleRead, 200},
			{"create", http.MethodPost, base, nil, org.RoleEdit, 201},
			{"change", http.MethodPatch, one, `{"subject":"New"}`, org.RoleEdit, 200},
			{"update", http.MethodPost, one + "/update", nil, org.RoleEdit, 200},
			{"settle", http.MethodPost, one + "/conflicts/x", `{"keep":"main"}`, org.RoleEdit, 404},
			{"ask for a review", http.MethodPost, one + "/requested-reviewers",
				map[string]any{"users": []string{person.ID}}, org.RoleEdit, 200},
			{"remove a reviewer", http.MethodDelete, one + "/requested-reviewers/user_0", nil, org.RoleEdit, 404},
			{"undo", http.MethodPost, one + "/undo", nil, org.RoleEdit, 409},
			{"undo directly", http.MethodPost, one + "/undo", `{"direct":true}`, org.RoleReview, 409},
			{"review", http.MethodPost, one + "/reviews", `{"status":"changes-requested"}`, org.RoleReview, 201},
			{"merge", http.MethodPost, one + "/merge?dryRun=true", nil, org.RoleReview, 200},
			{"set merge rules of a space", http.MethodPatch, "/v1/spaces/" + space, `{"mergeRules":{"type":"none"}}`,
				org.RoleCreate, 200},
			{"list over the organization", http.MethodGet, orgs + "/change-requests", nil, org.RoleGuest, 200},
			{"read merge rules", http.MethodGet, orgs + "/merge-rules", nil, org.RoleGuest, 200},
			{"set merge rules", http.MethodPut, orgs + "/merge-rules", `{"type":"none"}`, org.RoleAdmin, 200},
		}
		for _, test := range tests {
			may := false
			for _, role := range roles {
				may = may || role == test.least
				want := http.StatusForbidden
				if may {
					want = test.ok
				} else if role == org.RoleGuest && strings.HasPrefix(test.path, "/v1/spaces/") {
					want = http.StatusNotFound
				}
				got := s.Raw(test.method, test.path, tokens[role], test.body)
				if got.Status != want {
					t.Errorf("%s as %q: %d, want %d: %.300s", test.name, role, got.Status, want, got.Body)
				}
				s.Check(test.method, test.path, got)
			}
			if got := s.Raw(test.method, test.path, "", test.body); got.Status != http.StatusUnauthorized {
				t.Errorf("%s without a token: %d", test.name, got.Status)
			}
			if got := s.Raw(test.method, test.path, stranger, test.body); strings.HasPrefix(test.path, "/v1/spaces/") &&
				got.Status != http.StatusNotFound {
				t.Errorf("%s from a guest: %d", test.name, got.Status)
			}
		}
		var other apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &other)
		var foreign apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs/"+other.ID+"/spaces", `{"title":"Foreign"}`, http.StatusCreated,
			&foreign)
		s.CallAs(stranger, http.MethodPost, "/v1/spaces/"+foreign.ID+"/change-requests", `{"status":"open"}`,
			http.StatusCreated, nil)
		for _, path := range []string{"/v1/spaces/" + foreign.ID + "/change-requests", "/v1/spaces/" + foreign.ID +
			"/change-requests/1", "/v1/orgs/" + other.ID + "/change-requests",
			"/v1/orgs/" + other.ID + "/merge-rules"} {
			if got := s.Raw(http.MethodGet, path, s.Token, nil); got.Status != http.StatusNotFound {
				t.Errorf("GET %s of another organization: %d", path, got.Status)
			}
		}
		// The list over the organization holds what the caller may read, and nothing of the trash.
		closed := s.Space("Closed")
		s.Call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":null}`, http.StatusOK, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+closed+"/change-requests", `{"status":"archived"}`, http.StatusBadRequest,
			nil)
		s.Call(http.MethodPost, "/v1/spaces/"+closed+"/change-requests", `{"status":"open"}`, http.StatusCreated, nil)
		count := func(token string) int {
			var list changeRequestList
			s.CallAs(token, http.MethodGet, orgs+"/change-requests", nil, http.StatusOK, &list)
			return list.Count
		}
		if admin, reader, guest := count(s.Token), count(tokens[org.RoleRead]),
			count(tokens[org.RoleGuest]); admin != reader+1 || guest != 0 {
			t.Errorf("the admin sees %d, a reader %d, a guest %d", admin, reader, guest)
		}
		before := count(s.Token)
		s.Call(http.MethodDelete, "/v1/spaces/"+closed, nil, http.StatusNoContent, nil)
		if count(s.Token) != before-1 {
			t.Error("the list shows the trash")
		}
	})
}
