package comment_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

var roles = []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
	org.RoleAdmin}

// house is an organization with one member per role, a space with two pages and a change request, another organization
// with an admin, and the service under test.
type house struct {
	*testing.T
	*comment.Service
	db           *db.DB
	accounts     *account.Service
	orgs         *org.Service
	spaces       *space.Service
	content      *store.Service
	changes      *change.Service
	organization string
	members      map[org.Role]account.Caller
	stranger     account.Caller
	space        string
	request      change.Request

	mutex sync.Mutex
	now   time.Time
}

// each runs a test in a new house on both databases.
func each(t *testing.T, test func(h *house)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newHouse(t, d)) })
}

// eachScope runs a test in both scopes of a new house on both databases.
func eachScope(t *testing.T, test func(h *house, scope comment.Scope)) {
	t.Helper()
	each(t, func(h *house) {
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

func newHouse(t *testing.T, d *db.DB) *house {
	t.Helper()
	ctx := t.Context()
	h := &house{T: t, db: d, members: map[org.Role]account.Caller{}, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	h.content = storetest.NewService(t, d,
		store.Deps{OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
			func(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
				return h.changes.OnHead(ctx, q, moved)
			},
		}})
	h.changes = change.NewService(change.Deps{DB: d, Content: h.content})
	h.accounts = account.New(account.Deps{DB: d})
	h.spaces = space.New(space.Deps{
		DB: d, InitContent: h.content.Init, Now: h.clock,
		DropContent: func(ctx context.Context, q db.Querier, spaceID string) error {
			return h.content.DropSpace(ctx, q, spaceID, 1)
		},
	})
	h.Service = comment.New(comment.Deps{DB: d, Accounts: h.accounts, Content: h.content, Changes: h.changes,
		Now: h.clock})
	h.orgs = org.New(org.Deps{DB: d, Accounts: h.accounts})
	made, err := h.orgs.Init(ctx, org.Setup{Title: "Acme", Email: "admin@example.org", Name: "Ada"})
	h.must(err)
	h.organization = made.Organization.ID
	h.members[org.RoleAdmin] = account.Caller{User: made.User}
	for _, role := range roles[:len(roles)-1] {
		h.members[role] = h.join(role, "m"+string(role)+"@example.org")
	}
	stranger, err := h.accounts.CreateUser(ctx, account.NewUser{DisplayName: "S", Email: "s@example.org"})
	h.must(err)
	h.stranger = account.Caller{User: stranger}
	_, err = h.orgs.Create(ctx, h.stranger, org.NewOrganization{Title: "Other"})
	h.must(err)
	h.space = h.addSpace("Guide")
	h.write("", "page_one", "One.\n\nTwo **words**.\n\nThree.\n")
	h.write("", "page_two", "Other.\n")
	h.request, err = h.changes.Create(ctx, h.admin(), h.space, change.New{Subject: "Better"})
	h.must(err)
	return h
}

func (h *house) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *house) join(role org.Role, email string) account.Caller {
	h.Helper()
	added, err := h.orgs.AddUser(h.Context(), org.NewMember{Email: email, Organization: h.organization, Role: role})
	h.must(err)
	return account.Caller{User: added.User}
}

func (h *house) addSpace(title string) string {
	h.Helper()
	made, err := h.spaces.Create(h.Context(), h.admin(), h.organization, space.NewSpace{Title: title})
	h.must(err)
	return made.ID
}

// write puts a page into a branch; "" is main.
func (h *house) write(branch, page, body string) {
	h.Helper()
	_, err := h.content.Commit(h.Context(), store.CommitRequest{
		Space: h.space, Branch: branch, Author: h.admin().User.ID, FixSlugs: true,
		Put: []store.Put{{
			Entry: &entity.Entry{ID: page, Kind: entity.KindPage, Type: entity.PageDocument, Title: "Title of " + page,
				Slug: strings.TrimPrefix(page, "page_")},
			Body: []byte(body),
		}},
	})
	h.must(err)
}

// remove deletes a page from a branch.
func (h *house) remove(branch, page string) {
	h.Helper()
	_, err := h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Branch: branch,
		Author: h.admin().User.ID, Delete: []string{page}})
	h.must(err)
}

func (h *house) admin() account.Caller { return h.members[org.RoleAdmin] }

// author is somebody whose role is the lowest that may take part.
func (h *house) author() account.Caller { return h.members[org.RoleComment] }

func (h *house) clock() time.Time {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.now
}

func (h *house) wait(d time.Duration) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.now = h.now.Add(d)
}

// scopes are the two that a discussion can have.
func (h *house) scopes() map[string]comment.Scope {
	return map[string]comment.Scope{"space": {Space: h.space}, "change request": {Space: h.space,
		ChangeRequest: h.request.ID}}
}

// branch is where the content of a scope is written.
func (h *house) branch(scope comment.Scope) string {
	if scope.ChangeRequest == "" {
		return ""
	}
	return h.request.Branch
}

func (h *house) post(caller account.Caller, scope comment.Scope, in comment.NewComment) comment.Comment {
	h.Helper()
	made, err := h.Post(h.Context(), caller, scope, in)
	h.must(err)
	return made
}

func (h *house) reply(caller account.Caller, scope comment.Scope, commentID, body string) comment.Reply {
	h.Helper()
	made, err := h.PostReply(h.Context(), caller, scope, commentID, body)
	h.must(err)
	return made
}

func (h *house) get(caller account.Caller, scope comment.Scope, commentID string) comment.Comment {
	h.Helper()
	found, err := h.Get(h.Context(), caller, scope, commentID)
	h.must(err)
	return found
}

// list returns the bodies of all pages of a list, and fails the test when a count is another.
func (h *house) list(scope comment.Scope, filter comment.Filter, limit int) []string {
	h.Helper()
	var bodies []string
	want := -1
	for request := (paging.Request{Limit: limit}); ; {
		comments, err := h.List(h.Context(), h.members[org.RoleRead], scope, filter, request)
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

func (h *house) wantKind(what string, err error, kind errs.Kind, text string) {
	h.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), text) {
		h.Errorf("%s: got error %v, want one of kind %d with %q", what, err, kind, text)
	}
}

// rows counts the rows of a table.
func (h *house) rows(table string) int {
	h.Helper()
	var count int
	h.must(h.db.Read().QueryRowContext(h.Context(), `SELECT count(*) FROM `+table).Scan(&count))
	return count
}

// execute runs a statement for which there is no operation yet.
func (h *house) execute(statement string, args ...any) {
	h.Helper()
	h.must(h.db.Tx(h.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, statement, args...)
		return err
	}))
}
