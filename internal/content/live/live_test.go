package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/change/changetest"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/steps"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// fixture is a page of a change request, and services of processes that are on one database.
type fixture struct {
	*testing.T
	*orgtest.Fixture
	db      *db.DB
	content *store.Service
	changes *change.Service
	edits   *edit.Service
	lives   []*live.Service
	space   id.Space
	request change.Request
	page    string
	schema  string
	// later is by how much the clock of the second process is ahead.
	later time.Duration
	// engines are those that have not been closed, of all processes.
	engines atomic.Int64
	// tired says that the engine of the session has had too much.
	tired atomic.Bool
}

// each runs a test with a page that has a body, on both databases.
func each(t *testing.T, body string, test func(f *fixture)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d, body)) })
}

func newFixture(t *testing.T, d *db.DB, body string) *fixture {
	t.Helper()
	f := &fixture{T: t, Fixture: orgtest.New(t, d), db: d, page: id.New("page")}
	var spaces *space.Service
	f.content, f.changes, spaces = changetest.New(t, d, changetest.Options{
		Heads: store.Hooks{OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
			func(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
				return f.lives[0].OnHead(ctx, q, moved)
			},
		}},
		Changes: change.Hooks{
			Flush: func(ctx context.Context, r change.Request) error { return f.lives[0].Flush(ctx, r) },
			Closed: func(ctx context.Context, q db.Querier, r change.Request) error {
				return f.lives[0].RequestClosed(ctx, q, r)
			},
		},
	})
	f.edits = edit.New(edit.Deps{
		DB: d, Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{}), Content: f.content,
		Changes: f.changes, Fetch: fetch.New(fetch.Options{}),
	})
	for process := range 2 {
		f.lives = append(f.lives, live.New(live.Deps{
			DB: d, Content: f.content, Changes: f.changes, Edits: f.edits, Log: slog.New(slog.DiscardHandler),
			Again: func(_ context.Context, caller account.Caller) (account.Caller, error) { return caller, nil },
			Now:   func() time.Time { return time.Now().Add(time.Duration(process) * f.later) },
			NewEngine: func(ctx context.Context) (live.Engine, error) {
				engine, err := steps.New(ctx)
				f.engines.Add(1)
				return fragile{engine, &f.engines, &f.tired}, err
			},
		}))
	}
	made, err := spaces.Create(t.Context(), f.Admin(), f.Organization, space.NewSpace{Title: "Guide"})
	if err != nil {
		t.Fatal(err)
	}
	f.space = made.ID
	if f.request, err = f.changes.Create(t.Context(), f.Editor(), f.space, change.New{}); err != nil {
		t.Fatal(err)
	}
	f.put(body)
	engine, err := steps.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.schema = engine.Schema()
	engine.Close()
	return f
}

// put puts a body into the branch, past all that looks at sessions first.
func (f *fixture) put(body string) { f.putPages(body, f.page) }

// putPages is put of some pages at once.
func (f *fixture) putPages(body string, pages ...string) {
	f.Helper()
	request := store.CommitRequest{Space: f.space, Branch: f.request.Branch, Author: f.Admin().User.ID}
	positions := entity.Positions(len(pages))
	for i, page := range pages {
		request.Put = append(request.Put, store.Put{Body: []byte(body), Entry: &entity.Entry{ID: page,
			Kind: entity.KindPage, Type: entity.PageDocument, Title: "Page", Position: positions[i]}})
	}
	if _, err := f.content.Commit(f.Context(), request); err != nil {
		f.Fatal(err)
	}
}

// join is a client of one of the processes.
func (f *fixture) join(process int, client string) *live.Watcher {
	f.Helper()
	w, reason, err := f.enter(process, client, f.page, f.Editor())
	if err != nil || reason != "" {
		f.Fatalf("join: %s %v", reason, err)
	}
	return w
}

// enter lets a person into a page by a client.
func (f *fixture) enter(process int, client, page string, caller account.Caller) (*live.Watcher, live.Reason, error) {
	f.Helper()
	w, reason, err := f.lives[process].Join(f.Context(), caller, live.Place{Space: f.space,
		ChangeRequest: f.request.ID, Page: page}, live.Hello{Client: client, Schema: f.schema})
	if w != nil {
		f.Cleanup(func() { w.Leave(context.Background()) })
	}
	return w, reason, err
}

// insert is a step that puts text at a position.
func insert(at int, text string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(
		`{"stepType":"replace","from":%d,"to":%d,"slice":{"content":[{"type":"text","text":%q}]}}`, at, at, text))
}

// send sends a batch, which has to be answered so.
func (f *fixture) send(w *live.Watcher, batchID string, version int64, want live.Answer, batch ...json.RawMessage) {
	f.Helper()
	sent, err := w.Send(f.Context(), f.Editor(), live.Batch{ID: batchID, Version: version, Steps: batch})
	if err != nil || sent.Answer != want {
		f.Fatalf("batch %s: %+v %v, want answer %d", batchID, sent, err, want)
	}
}

// body is what the branch has of the page.
func (f *fixture) body() string { return f.bodyOf(f.page) }

func (f *fixture) bodyOf(page string) string {
	f.Helper()
	view, err := f.content.BranchHead(f.Context(), f.space, f.request.Branch)
	if err != nil {
		f.Fatal(err)
	}
	e, err := view.Entry(f.Context(), page)
	if err != nil {
		f.Fatal(err)
	}
	body, err := view.Body(f.Context(), e)
	if err != nil {
		f.Fatal(err)
	}
	return string(body)
}

// TestBothSidesStay holds that a session and its branch keep what both have changed in the same place, and settle.
func TestBothSidesStay(t *testing.T) {
	each(t, "Alpha\n\nOmega\n", func(f *fixture) {
		w := f.join(0, "a")
		f.send(w, "one", 0, live.Taken, insert(6, " by Ada"))
		f.put("Alpha by the API\n\nOmega, too\n")
		written, err := w.Flush(f.Context())
		if err != nil {
			f.Fatal(err)
		}
		for _, want := range []string{"Alpha by Ada", "Alpha by the API", "Omega, too"} {
			if strings.Count(f.body(), want) != 1 {
				f.Errorf("the branch has %q, want %q in it once", f.body(), want)
			}
		}
		again, err := w.Flush(f.Context())
		if err != nil || again != written {
			f.Errorf("written again: %+v and %+v, %v", written, again, err)
		}
		if r, err := f.changes.Get(f.Context(), f.Admin(), f.space, f.request.ID); err != nil || r.Unwritten {
			f.Errorf("after all is written: %+v %v", r.Unwritten, err)
		}
	})
}

// breaking is a text that breaks a fragile engine, tiring one that breaks one that is tired.
const (
	breaking = "more than memory holds"
	tiring   = "the last straw"
)

// fragile is an engine that does not survive what is too much for it, one of those that are counted.
type fragile struct {
	*steps.Engine
	open  *atomic.Int64
	tired *atomic.Bool
}

func (e fragile) Close() {
	e.open.Add(-1)
	e.Engine.Close()
}

func (e fragile) Apply(batch []json.RawMessage) (steps.Applied, error) {
	if slices.ContainsFunc(batch, func(step json.RawMessage) bool {
		return strings.Contains(string(step), breaking) ||
			strings.Contains(string(step), tiring) && e.tired.CompareAndSwap(true, false)
	}) {
		return steps.Applied{}, fmt.Errorf("out of memory: %w", steps.ErrBroken)
	}
	return e.Engine.Apply(batch)
}

// TestBatchThatBreaksTheEngine holds that a batch which is too much for the server is refused, not asked for again, and
// that the session goes on without it.
func TestBatchThatBreaksTheEngine(t *testing.T) {
	each(t, "Alpha\n", func(f *fixture) {
		w := f.join(0, "a")
		f.send(w, "one", 0, live.Taken, insert(6, " one"))
		f.send(w, "two", 1, live.Refused, insert(6, breaking))
		f.send(w, "three", 1, live.Taken, insert(10, " two"))
		if _, err := w.Flush(f.Context()); err != nil || f.body() != "Alpha one two\n" {
			f.Errorf("the branch has %q, %v", f.body(), err)
		}
	})
}

// TestEngineThatHasHadTooMuch holds that a batch is not refused for what an engine has gathered before it.
func TestEngineThatHasHadTooMuch(t *testing.T) {
	each(t, "Alpha\n", func(f *fixture) {
		w := f.join(0, "a")
		f.send(w, "one", 0, live.Taken, insert(6, " one"))
		f.tired.Store(true)
		f.send(w, "two", 1, live.Taken, insert(6, " "+tiring))
		if _, err := w.Flush(f.Context()); err != nil || f.body() != "Alpha the last straw one\n" {
			f.Errorf("the branch has %q, %v", f.body(), err)
		}
	})
}

// TestTwoProcessesHaveOneOrder holds that the key of the table decides between processes that know nothing of each
// other, and that each of them writes the whole.
func TestTwoProcessesHaveOneOrder(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		a, b := f.join(0, "a"), f.join(1, "b")
		if a.Session != b.Session {
			f.Fatalf("two sessions: %s and %s", a.Session, b.Session)
		}
		f.send(a, "one", 0, live.Taken, insert(1, "A"))
		f.send(b, "two", 0, live.Behind, insert(1, "B"))
		f.send(b, "two", 1, live.Taken, insert(1, "B"))
		f.send(b, "two", 1, live.Taken, insert(1, "B"))
		f.send(b, "one", 2, live.Refused, insert(1, "C"))
		f.send(a, "three", 1, live.Behind, insert(1, "D"))
		f.send(a, "three", 2, live.Taken, insert(1, "D"))
		if _, err := b.Flush(f.Context()); err != nil {
			f.Fatal(err)
		}
		if got := f.body(); got != "DBAText\n" {
			f.Errorf("the branch has %q", got)
		}
	})
}

// TestLongSessionsAreReplayedFromSnapshots holds that a process which comes late has what others have made of many
// steps.
func TestLongSessionsAreReplayedFromSnapshots(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		a := f.join(0, "a")
		for i := range 7 {
			f.send(a, fmt.Sprint("batch", i), int64(i)*100, live.Taken, slices.Repeat([]json.RawMessage{insert(1, "x")},
				100)...)
		}
		b := f.join(1, "b")
		if b.State == nil || b.State.Version != 700 || strings.Count(string(b.State.Node), "x") < 700 {
			f.Fatalf("who comes late begins with %+v", b.State)
		}
		f.send(b, "more", 700, live.Taken, insert(1, "y"))
		if _, err := a.Flush(f.Context()); err != nil {
			f.Fatal(err)
		}
		if got := f.body(); got != "y"+strings.Repeat("x", 700)+"Text\n" {
			f.Errorf("the branch has %.20q of %d", got, len(got))
		}
	})
}

// TestPauseWrites holds that text becomes a revision by itself, in the name of who wrote it.
func TestPauseWrites(t *testing.T) {
	each(t, "Text\n", func(f *fixture) {
		w := f.join(0, "a")
		f.send(w, "one", 0, live.Taken, insert(1, "My "))
		for until := time.Now().Add(time.Minute); f.body() != "My Text\n"; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(until) {
				f.Fatalf("the branch has %q", f.body())
			}
		}
		view, err := f.content.BranchHead(f.Context(), f.space, f.request.Branch)
		if err != nil || view.Revision().Author != f.Editor().User.ID {
			f.Errorf("the revision is %+v, %v", view.Revision().Author, err)
		}
	})
}
