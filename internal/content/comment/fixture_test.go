package comment_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is an organization with one member per role, a space with two pages and a change request, another
// organization with an admin, and the service under test.
type fixture struct {
	*testing.T
	*comment.Service
	*orgtest.Fixture
	db      *db.DB
	spaces  *space.Service
	content *store.Service
	changes *change.Service
	space   id.Space
	request change.Request

	mutex sync.Mutex
	now   time.Time
}

// each runs a test with a new fixture on both databases.
func each(t *testing.T, test func(h *fixture)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

// eachScope runs a test in both scopes of a new fixture on both databases.
func eachScope(t *testing.T, test func(h *fixture, scope comment.Scope)) {
	t.Helper()
	each(t, func(h *fixture) {
		for name, scope := range h.scopes() {
			h.T.Run(name, func(t *testing.T) {
				outer := h.T
				h.T = t
				test(h, scope)
				h.T = outer
			})
		}
	})
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	ctx := t.Context()
	h := &fixture{T: t, Fixture: orgtest.New(t, d), db: d, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	h.content, h.changes, h.spaces = changetest.New(t, d, changetest.Options{Now: h.clock})
	h.Service = requiredtest.Wire(comment.New(comment.Deps{DB: d, Accounts: h.Accounts, Content: h.content,
		Changes: h.changes,
		Now:     h.clock}), comment.Hooks{})
	var err error
	h.space = h.addSpace("Guide")
	h.write("", "page_one", "One.\n\nTwo **words**.\n\nThree.\n")
	h.write("", "page_two", "Other.\n")
	h.request, err = h.changes.Create(ctx, h.Admin(), h.space, change.New{Subject: "Better"})
	h.must(err)
	return h
}

func (h *fixture) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *fixture) addSpace(title string) id.Space {
	h.Helper()
	made, err := h.spaces.Create(h.Context(), h.Admin(), h.Organization, space.NewSpace{Title: title})
	h.must(err)
	return made.ID
}

// write puts a page into a branch; "" is main.
func (h *fixture) write(branch id.Branch, page, body string) {
	h.Helper()
	_, err := h.content.Commit(h.Context(), store.CommitRequest{
		Space: h.space, Branch: branch, Author: h.Admin().User.ID, FixSlugs: true,
		Put: []store.Put{{
			Entry: &entity.Entry{ID: page, Kind: entity.KindPage, Type: entity.PageDocument, Title: "Title of " + page,
				Slug: strings.TrimPrefix(page, "page_")},
			Body: []byte(body),
		}},
	})
	h.must(err)
}

// remove deletes a page from a branch.
func (h *fixture) remove(branch id.Branch, page string) {
	h.Helper()
	_, err := h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Branch: branch,
		Author: h.Admin().User.ID, Delete: []string{page}})
	h.must(err)
}

// author is somebody whose role is the lowest that may take part.
func (h *fixture) author() account.Caller { return h.Members[org.RoleComment] }

func (h *fixture) clock() time.Time {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.now
}

func (h *fixture) wait(d time.Duration) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.now = h.now.Add(d)
}

// scopes are the two that a discussion can have.
func (h *fixture) scopes() map[string]comment.Scope {
	return map[string]comment.Scope{"space": {Space: h.space}, "change request": {Space: h.space,
		ChangeRequest: h.request.ID}}
}

// branch is where the content of a scope is written.
func (h *fixture) branch(scope comment.Scope) id.Branch {
	if scope.ChangeRequest == "" {
		return ""
	}
	return h.request.Branch
}

func (h *fixture) post(caller account.Caller, scope comment.Scope, in comment.NewComment) comment.Comment {
	h.Helper()
	made, err := h.Post(h.Context(), caller, scope, in)
	h.must(err)
	return made
}

func (h *fixture) reply(caller account.Caller, scope comment.Scope, commentID id.Comment, body string) comment.Reply {
	h.Helper()
	made, err := h.PostReply(h.Context(), caller, scope, commentID, body)
	h.must(err)
	return made
}

func (h *fixture) get(caller account.Caller, scope comment.Scope, commentID id.Comment) comment.Comment {
	h.Helper()
	found, err := h.Get(h.Context(), caller, scope, commentID)
	h.must(err)
	return found
}

// list returns the bodies of all pages of a list, and fails the test when a count is another.
func (h *fixture) list(scope comment.Scope, filter comment.Filter, limit int) []string {
	h.Helper()
	var bodies []string
	want := -1
	for request := (paging.Request{Limit: limit}); ; {
		comments, err := h.List(h.Context(), h.Members[org.RoleRead], scope, filter, request)
		h.must(err)
		if want >= 0 && comments.Count != want {
			h.Errorf("the count went from %d to %d", want, comments.Count)
		}
		want = comments.Count
		for _, c := range comments.Items {
			bodies = append(bodies, c.Body)
		}
		if comments.Next == nil {
			if len(bodies) != comments.Count {
				h.Errorf("%d items, count %d", len(bodies), comments.Count)
			}
			return bodies
		}
		if len(comments.Items) != limit {
			h.Fatalf("a page of %d items has a next one", len(comments.Items))
		}
		request.After = comments.Next
	}
}

func (h *fixture) wantKind(what string, err error, kind errs.Kind, text string) {
	h.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), text) {
		h.Errorf("%s: got error %v, want one of kind %d with %q", what, err, kind, text)
	}
}

// rows counts the rows of a table.
func (h *fixture) rows(table string) int {
	h.Helper()
	var count int
	h.must(h.db.Read().QueryRowContext(h.Context(), `SELECT count(*) FROM `+table).Scan(&count))
	return count
}

// execute runs a statement for which there is no operation yet.
func (h *fixture) execute(statement string, args ...any) {
	h.Helper()
	h.must(h.db.Tx(h.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, statement, args...)
		return err
	}))
}

// body is the body of a page as a scope has it.
func (h *fixture) body(scope comment.Scope, page string) string {
	h.Helper()
	view, err := h.content.BranchHead(h.Context(), h.space, h.branch(scope))
	h.must(err)
	entry, err := view.Entry(h.Context(), page)
	h.must(err)
	body, err := view.Body(h.Context(), entry)
	h.must(err)
	return string(body)
}
