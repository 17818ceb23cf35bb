package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// fixture is one space on one database.
type fixture struct {
	*testing.T
	db    *db.DB
	s     *store.Service
	space id.Space
	clock *clock
}

// clock is a clock that tests turn.
type clock struct{ ahead time.Duration }

func (c *clock) now() time.Time { return time.Now().Add(c.ahead) }

// each runs a test with an empty space on both databases.
func each(t *testing.T, test func(f *fixture)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d, store.Deps{})) })
}

func newFixture(t *testing.T, d *db.DB, deps store.Deps) *fixture {
	t.Helper()
	return newFixtureWith(t, d, deps, store.Hooks{})
}

func newFixtureWith(t *testing.T, d *db.DB, deps store.Deps, hooks store.Hooks) *fixture {
	t.Helper()
	c := &clock{}
	deps.Now = c.now
	f := &fixture{T: t, db: d, s: storetest.NewServiceWith(t, d, deps, hooks), space: "space_test", clock: c}
	storetest.NewSpace(t.Context(), t, f.s, d, f.space)
	return f
}

// page makes a document under a short name; "" is the root.
func page(name, parent string) *entity.Entry {
	return &entity.Entry{ID: pageID(name), Kind: entity.KindPage, Type: entity.PageDocument, Parent: pageID(parent),
		Title: strings.ToUpper(name), Slug: name}
}

func pageID(name string) string {
	if name == "" {
		return ""
	}
	return "page_" + name
}

func put(entries ...*entity.Entry) []store.Put {
	puts := make([]store.Put, len(entries))
	for i, e := range entries {
		puts[i] = store.Put{Entry: e}
	}
	return puts
}

// commit commits to main and fails the test when that is refused.
func (f *fixture) commit(request store.CommitRequest) store.Revision {
	f.Helper()
	r, err := f.try(request)
	if err != nil {
		f.Fatalf("commit: %v", err)
	}
	return r
}

func (f *fixture) try(request store.CommitRequest) (store.Revision, error) {
	if request.Space == "" {
		request.Space = f.space
	}
	if request.Author == "" {
		request.Author = "user_test"
	}
	return f.s.Commit(f.Context(), request)
}

// refused checks that a commit is refused with a kind and a text in its message, and that nothing has changed.
func (f *fixture) refused(request store.CommitRequest, kind errs.Kind, text string) {
	f.Helper()
	before := f.headID()
	_, err := f.try(request)
	if !errs.Is(err, kind) || !strings.Contains(fmt.Sprint(err), text) {
		f.Errorf("commit: got error %v (kind %d), want kind %d with %q", err, errs.KindOf(err), kind, text)
	}
	if after := f.headID(); after != before {
		f.Errorf("the head has moved from %s to %s", before, after)
	}
}

func (f *fixture) headID() id.Revision {
	f.Helper()
	head, err := f.s.HeadID(f.Context(), f.space)
	if err != nil {
		f.Fatal(err)
	}
	return head
}

func (f *fixture) head() *store.View {
	f.Helper()
	v, err := f.s.Head(f.Context(), f.space)
	if err != nil {
		f.Fatal(err)
	}
	return v
}

// entry returns an entry of the head by a page's short name.
func (f *fixture) entry(name string) *entity.Entry {
	f.Helper()
	return entry(f.T, f.head(), name)
}

func entry(t *testing.T, v *store.View, name string) *entity.Entry {
	t.Helper()
	e, err := v.Entry(t.Context(), pageID(name))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// edit returns a page of the head, changed.
func (f *fixture) edit(name string, change func(e *entity.Entry)) *entity.Entry {
	f.Helper()
	e := f.entry(name).Clone()
	change(e)
	return e
}

// leads checks where paths lead in the head: to the page of a short name, "-" for nowhere; with ">" before it when by a
// redirect.
func (f *fixture) leads(want map[string]string) {
	f.Helper()
	leads(f.T, f.head(), want)
}

func leads(t *testing.T, v *store.View, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for path := range want {
		resolved, err := v.ByPath(t.Context(), path)
		switch {
		case errs.Is(err, errs.NotFound):
			got[path] = "-"
		case err != nil:
			t.Fatal(err)
		case resolved.Entry == nil:
			got[path] = ">" + resolved.Target.URL
		default:
			got[path] = strings.TrimPrefix(resolved.Entry.ID, "page_")
			if resolved.Redirected {
				got[path] = ">" + got[path]
			}
			if own, err := v.Path(t.Context(), resolved.Entry.ID); err != nil || own != resolved.Path {
				t.Errorf("path %q resolves to path %q, the page's own is %q (%v)", path, resolved.Path, own, err)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("paths lead elsewhere (-want +got):\n%s", diff)
	}
}

// check fails the test unless a revision keeps the invariants that the package promises.
func check(t *testing.T, v *store.View) {
	t.Helper()
	if err := verify(t.Context(), v); err != nil {
		t.Fatalf("revision %s: %v", v.Revision().ID, err)
	}
}

// verify reads everything that a revision reaches and checks its invariants.
func verify(ctx context.Context, v *store.View) error {
	tree, err := v.Pages(ctx)
	if err != nil {
		return err
	}
	index, err := v.Index(ctx)
	if err != nil {
		return err
	}
	want := map[string]string{}
	for _, node := range tree.Ordered {
		e := node.Entry
		if e.Parent != "" {
			parent := tree.ByID[e.Parent]
			if parent == nil || parent != node.Parent {
				return fmt.Errorf("%s is below %q, which is no page", e.ID, e.Parent)
			}
			if parent.Entry.Type != entity.PageDocument && parent.Entry.Type != entity.PageGroup {
				return fmt.Errorf("%s is below a page of type %s", e.ID, parent.Entry.Type)
			}
		}
		key := e.Parent + "\x00" + e.Slug
		if other, taken := want[key]; taken {
			return fmt.Errorf("%s has the slug %q of %q", e.ID, e.Slug, other)
		}
		want[key] = e.ID + "\x00" + string(e.Type) + "\x00" + e.Position
		if err := e.Validate(); err != nil {
			return err
		}
		if _, err := v.Body(ctx, e); err != nil {
			return err
		}
	}
	redirects, err := v.Redirects(ctx)
	if err != nil {
		return err
	}
	for _, e := range redirects {
		if strings.Contains(e.Path, "/") {
			continue
		}
		want[e.Parent+"\x00"+e.Path+"\x00"] = fmt.Sprintf("%s\x00%d", e.Target.Page, e.CreatedAt)
		if home := tree.ByID[e.Target.Page]; home != nil && home.Entry.Parent == e.Parent && home.Entry.Slug == e.Path {
			return fmt.Errorf("the redirect at %q leads to the page that lives there", home.Path)
		}
	}
	if !maps.Equal(want, index) {
		return errors.New("the path index is not what the entries derive:\n" + cmp.Diff(want, index))
	}
	return nil
}

// asConflict returns the *ConflictError in an error, nil when there is none.
func asConflict(err error) *store.ConflictError {
	conflict, ok := errors.AsType[*store.ConflictError](err)
	if !ok {
		return nil
	}
	return conflict
}

// initSpace gives the fixture's space its content.
func initSpace(ctx context.Context, f *fixture) error {
	return f.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return f.s.Init(ctx, q, f.space, "user_test", f.clock.now().UnixMicro())
	})
}
