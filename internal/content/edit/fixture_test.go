package edit_test

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// fixture is a space of an organization with people of several roles.
type fixture struct {
	*testing.T
	db      *db.DB
	edits   *edit.Service
	content *store.Service
	changes *change.Service
	spaces  *space.Service
	admin   account.Caller
	people  map[org.Role]account.Caller
	space   id.Space
	org     id.Organization
}

// each runs a test with an empty space on both databases.
func each(t *testing.T, test func(f *fixture)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	f := &fixture{T: t, db: d, people: map[org.Role]account.Caller{}}
	f.content, f.changes, f.spaces = changetest.New(t, d, changetest.Options{})
	accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
	orgs := orgtest.NewService(t, org.Deps{DB: d, Accounts: accounts}, org.Hooks{})
	made, err := orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: "admin@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	f.org, f.admin = made.Organization.ID, account.Caller{User: made.User}
	for _, role := range []org.Role{org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview} {
		member, err := orgs.AddUser(t.Context(), org.NewMember{Email: string(role) + "@example.org",
			Organization: f.org, Role: role})
		if err != nil {
			t.Fatal(err)
		}
		f.people[role] = account.Caller{User: member.User}
	}
	f.space = f.newSpace()
	f.edits = edit.New(edit.Deps{
		DB: d, Accounts: accounts, Content: f.content, Changes: f.changes,
		Fetch: fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}),
	})
	return f
}

// stranger adds somebody who belongs to no organization.
func (f *fixture) stranger(name string) id.User {
	f.Helper()
	accounts := accounttest.NewService(account.Deps{DB: f.db}, account.Hooks{})
	made, err := accounts.CreateUser(f.Context(), account.NewUser{DisplayName: name, Email: "stranger@example.org"})
	if err != nil {
		f.Fatal(err)
	}
	return made.ID
}

func (f *fixture) newSpace() id.Space {
	f.Helper()
	made, err := f.spaces.Create(f.Context(), f.admin, f.org, space.NewSpace{Title: "Docs"})
	if err != nil {
		f.Fatal(err)
	}
	return made.ID
}

// with is the fixture for a part of its test.
func (f *fixture) with(t *testing.T) *fixture {
	part := *f
	part.T = t
	return &part
}

// try applies changes to the head.
func (f *fixture) try(changes ...edit.Change) (edit.Result, error) {
	return f.edits.UpdateSpace(f.Context(), f.admin, edit.Batch{Space: f.space, Changes: changes})
}

// apply is try for changes that have to be accepted.
func (f *fixture) apply(changes ...edit.Change) edit.Result {
	f.Helper()
	result, err := f.try(changes...)
	if err != nil {
		f.Fatal(err)
	}
	return result
}

// page inserts a document and returns its id. into is an id, "" for the root.
func (f *fixture) page(title, into, body string) string {
	f.Helper()
	return f.apply(insert(title, into, body)).Outcomes[0].ID
}

func insert(title, into, body string) edit.Change {
	c := edit.Change{Operation: edit.InsertPage, Fields: edit.Fields{Title: optional.Of(title)},
		Body: edit.Body{Markdown: &body}}
	if into != "" {
		c.Into = optional.Of(into)
	}
	return c
}

// rewrite replaces a page's body.
func rewrite(page, body string) edit.Change {
	return edit.Change{Operation: edit.UpdatePage, Page: page, Body: edit.Body{Markdown: &body}}
}

func (f *fixture) head() *store.View {
	f.Helper()
	view, err := f.content.Head(f.Context(), f.space)
	if err != nil {
		f.Fatal(err)
	}
	return view
}

func (f *fixture) entry(id string) *entity.Entry {
	f.Helper()
	e, err := f.head().Entry(f.Context(), id)
	if err != nil {
		f.Fatal(err)
	}
	return e
}

func (f *fixture) body(id string) string {
	f.Helper()
	view := f.head()
	body, err := view.Body(f.Context(), f.entry(id))
	if err != nil {
		f.Fatal(err)
	}
	return string(body)
}

// outline writes the tree of the head, a line for each page.
func (f *fixture) outline() string {
	f.Helper()
	tree, err := f.head().Pages(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	var out strings.Builder
	for _, node := range tree.Ordered {
		fmt.Fprintf(&out, "%s\n", node.Path)
	}
	return out.String()
}

// refused checks that changes are refused with a kind and words, and that nothing has changed.
func (f *fixture) refused(kind errs.Kind, words string, changes ...edit.Change) {
	f.Helper()
	before := f.head().Revision().ID
	_, err := f.try(changes...)
	if errs.KindOf(err) != kind || !strings.Contains(fmt.Sprint(err), words) {
		f.Errorf("got error %v of kind %d, want kind %d with %q", err, errs.KindOf(err), kind, words)
	}
	if after := f.head().Revision().ID; after != before {
		f.Errorf("a refused batch made revision %s", after)
	}
}

// uploads gives files one after the other.
func uploads(files ...edit.Upload) func() (edit.Upload, error) {
	return func() (edit.Upload, error) {
		if len(files) == 0 {
			return edit.Upload{}, io.EOF
		}
		next := files[0]
		files = files[1:]
		return next, nil
	}
}

// conflicts returns the conflicts that an error carries.
func conflicts(err error) int {
	if conflict, ok := errors.AsType[*store.ConflictError](err); ok {
		return len(conflict.Conflicts)
	}
	return 0
}
