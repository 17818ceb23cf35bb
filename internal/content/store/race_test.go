package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// history returns all revisions of a branch, oldest first, and checks that each follows the one before.
func (f *fixture) history() []store.Revision {
	f.Helper()
	var all []store.Revision
	var after []string
	for {
		items, err := f.s.History(f.Context(), f.head().Revision().Branch,
			paging.Request{After: after, Limit: 1000})
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, items.Items...)
		if after = items.Next; items.Next == nil {
			break
		}
	}
	for i, r := range all {
		if i > 0 && (len(all[i-1].Parents) == 0 || all[i-1].Parents[0] != r.ID) {
			f.Fatalf("revision %s follows %v, not %s", all[i-1].ID, all[i-1].Parents, r.ID)
		}
	}
	for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
		all[i], all[j] = all[j], all[i]
	}
	return all
}

// TestRacingWritersOnTheirOwnPages has writers in two processes, as far as the package can tell, edit pages of their
// own: every edit is written, none twice.
func TestRacingWritersOnTheirOwnPages(t *testing.T) {
	const writers, edits = 12, 20
	each(t, func(f *fixture) {
		var pages []*entity.Entry
		for w := range writers {
			pages = append(pages, page(fmt.Sprintf("w%d", w), ""))
		}
		f.commit(store.CommitRequest{Put: put(pages...)})
		services := []*store.Service{f.s, storetest.NewService(t, f.db, store.Deps{})}
		acknowledged := make([][]id.Revision, writers)
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				s := services[w%len(services)]
				for i := range edits {
					v, err := s.Head(t.Context(), f.space)
					if err != nil {
						t.Error(err)
						return
					}
					e, err := v.Entry(t.Context(), pages[w].ID)
					if err != nil {
						t.Error(err)
						return
					}
					body := fmt.Sprintf("writer %d edit %d", w, i)
					r, err := s.Commit(t.Context(), store.CommitRequest{
						Space: f.space, Base: v.Revision().ID, Author: "user_test", Message: body,
						Put: []store.Put{{Entry: e, Body: []byte(body)}},
					})
					if err != nil {
						t.Errorf("writer %d edit %d: %v", w, i, err)
						return
					}
					acknowledged[w] = append(acknowledged[w], r.ID)
				}
			})
		}
		group.Wait()
		seen := map[id.Revision]int{}
		for _, r := range f.history() {
			seen[r.ID]++
		}
		if len(seen) != writers*edits+2 {
			t.Errorf("there are %d revisions, want %d", len(seen), writers*edits+2)
		}
		for w, ids := range acknowledged {
			for _, id := range ids {
				if seen[id] != 1 {
					t.Errorf("revision %s is %d times in the history", id, seen[id])
				}
			}
			want := fmt.Sprintf("writer %d edit %d", w, edits-1)
			if body, err := f.head().Body(t.Context(), f.entry(fmt.Sprintf("w%d", w))); err != nil ||
				string(body) != want {
				t.Errorf("page of writer %d says %q: %v", w, body, err)
			}
		}
		check(t, f.head())
	})
}

// TestRacingWritersOnOnePage has writers add a line each to one page, at the same place and elsewhere: an edit is in
// the final text, or its writer was told of the conflict.
func TestRacingWritersOnOnePage(t *testing.T) {
	const writers, edits = 8, 12
	each(t, func(f *fixture) {
		var start strings.Builder
		for w := range writers {
			fmt.Fprintf(&start, "## Section %d\n\nText.\n\n", w)
		}
		f.commit(store.CommitRequest{Put: []store.Put{{Entry: page("a", ""), Body: []byte(start.String())}}})
		var mutex sync.Mutex
		written, conflicts := map[string]bool{}, 0
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 1))
				for i := range edits {
					v, err := f.s.Head(t.Context(), f.space)
					if err != nil {
						t.Error(err)
						return
					}
					e, err := v.Entry(t.Context(), pageID("a"))
					if err != nil {
						t.Error(err)
						return
					}
					body, err := v.Body(t.Context(), e)
					if err != nil {
						t.Error(err)
						return
					}
					section := w
					if random.IntN(4) == 0 {
						section = random.IntN(writers)
					}
					heading, line := fmt.Sprintf("## Section %d\n\n", section), fmt.Sprintf("Line %d of writer %d.", i,
						w)
					text := strings.Replace(string(body), heading, heading+line+"\n\n", 1)
					_, err = f.s.Commit(t.Context(), store.CommitRequest{
						Space: f.space, Base: v.Revision().ID, Put: []store.Put{{Entry: e, Body: []byte(text)}},
					})
					mutex.Lock()
					switch {
					case err == nil:
						written[line] = true
					case asConflict(err) != nil:
						conflicts++
					default:
						t.Error(err)
					}
					mutex.Unlock()
				}
			})
		}
		group.Wait()
		body, err := f.head().Body(t.Context(), f.entry("a"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range written {
			if n := strings.Count(string(body), line+"\n"); n != 1 {
				t.Errorf("%q is %d times in the text", line, n)
			}
		}
		if got := strings.Count(string(body), "of writer"); got != len(written) {
			t.Errorf("%d lines are in the text, %d were acknowledged", got, len(written))
		}
		if len(written)+conflicts != writers*edits || len(written) == 0 {
			t.Errorf("%d written, %d conflicts", len(written), conflicts)
		}
		t.Logf("%d written, %d conflicts", len(written), conflicts)
	})
}

// TestRacingTreeChanges has writers add, move, rename and delete in one small tree: whatever happens, every revision
// keeps the invariants.
func TestRacingTreeChanges(t *testing.T) {
	const writers, edits = 8, 15
	each(t, func(f *fixture) {
		var pages []*entity.Entry
		for i := range 12 {
			pages = append(pages, page(fmt.Sprintf("p%d", i), ""))
		}
		f.commit(store.CommitRequest{Put: put(pages...)})
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 2))
				for i := range edits {
					request := store.CommitRequest{Space: f.space, FixSlugs: random.IntN(2) == 0}
					v, err := f.s.Head(t.Context(), f.space)
					if err != nil {
						t.Error(err)
						return
					}
					request.Base = v.Revision().ID
					e, err := v.Entry(t.Context(), pages[random.IntN(len(pages))].ID)
					switch {
					case errs.Is(err, errs.NotFound):
						request.Put = put(page(fmt.Sprintf("new%dx%d", w, i), ""))
					case err != nil:
						t.Error(err)
						return
					case random.IntN(12) == 0:
						request.Delete = []string{e.ID}
					default:
						e = e.Clone()
						if e.Slug = fmt.Sprintf("s%d", random.IntN(6)); random.IntN(2) == 0 {
							e.Parent, e.Position = pages[random.IntN(len(pages))].ID, ""
						}
						request.Put = put(e)
					}
					if _, err := f.s.Commit(t.Context(), request); err != nil && !errs.Is(err, errs.Conflict) &&
						!errs.Is(err, errs.Invalid) {
						t.Errorf("writer %d: %v", w, err)
					}
				}
			})
		}
		group.Wait()
		for _, r := range f.history() {
			v, err := f.s.View(t.Context(), r.ID)
			if err != nil {
				t.Fatal(err)
			}
			check(t, v)
		}
	})
}

// TestRacingMerges has change requests merge while main moves and they themselves go on.
func TestRacingMerges(t *testing.T) {
	const requests = 8
	each(t, func(f *fixture) {
		var pages []*entity.Entry
		for i := range requests {
			pages = append(pages, page(fmt.Sprintf("m%d", i), ""), page(fmt.Sprintf("n%d", i), ""))
		}
		f.commit(store.CommitRequest{Put: put(pages...)})
		var branches []store.Branch
		for i := range requests {
			b := f.branch()
			f.on(b, fmt.Sprintf("m%d", i), retitle("from the change request"))
			branches = append(branches, b)
		}
		var group sync.WaitGroup
		for i, b := range branches {
			group.Go(func() {
				if result, err := f.s.MergeBranch(t.Context(), f.request(b)); err != nil || !result.Changed {
					t.Errorf("merge %d: %+v, %v", i, result, err)
				}
			})
			group.Go(func() {
				e := pages[2*i+1].Clone()
				e.Title = "from main"
				if _, err := f.s.Commit(t.Context(), store.CommitRequest{Space: f.space, Put: put(e)}); err != nil {
					t.Errorf("edit %d: %v", i, err)
				}
			})
			group.Go(func() {
				if _, err := f.s.UpdateBranch(t.Context(), f.request(branches[(i+1)%requests])); err != nil {
					t.Errorf("update %d: %v", i, err)
				}
			})
		}
		group.Wait()
		check(t, f.head())
		for i := range requests {
			if a, b := f.entry(fmt.Sprintf("m%d", i)).Title,
				f.entry(fmt.Sprintf("n%d", i)).Title; a != "from the change request" || b != "from main" {
				t.Errorf("titles are %q and %q", a, b)
			}
		}
	})
}

// countdown is a context that ends after it has been asked some number of times: it breaks off an operation at every
// step in turn.
type countdown struct {
	context.Context
	mutex sync.Mutex
	left  int
	done  chan struct{}
}

func newCountdown(parent context.Context, steps int) *countdown {
	return &countdown{Context: parent, left: steps, done: make(chan struct{})}
}

func (c *countdown) tick() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.left < 0 {
		return true
	}
	if c.left--; c.left < 0 {
		close(c.done)
		return true
	}
	return false
}

func (c *countdown) Err() error {
	if c.tick() {
		return context.Canceled
	}
	return nil
}

func (c *countdown) Done() <-chan struct{} {
	c.tick()
	return c.done
}

// TestCancelledCommitLeavesNothing breaks a commit off at every step: the head has not moved unless the commit says so,
// and the next writer finds no open transaction in its way.
func TestCancelledCommitLeavesNothing(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""))})
		finished, broken := false, 0
		stride := 1
		if f.db.Dialect() == db.Postgres {
			stride = 4 // a cancelled statement costs a new connection there
		}
		for steps := 0; !finished; steps += stride {
			if steps > 5000 {
				t.Fatal("the commit never came to its end")
			}
			before := f.headID()
			fresh := storetest.NewService(t, f.db, store.Deps{})
			title := fmt.Sprintf("title %d", steps)
			e := f.edit("a", retitle(title))
			r, err := fresh.Commit(newCountdown(t.Context(), steps), store.CommitRequest{Space: f.space,
				Put: []store.Put{{Entry: e, Body: []byte(title)}}})
			after := f.headID()
			switch {
			case err == nil:
				finished = true
				if after != r.ID {
					t.Fatalf("acknowledged %s, the head is %s", r.ID, after)
				}
			case !errors.Is(err, context.Canceled):
				t.Fatalf("step %d: %v", steps, err)
			case after != before:
				t.Fatalf("step %d: the commit failed (%v), and the head has moved", steps, err)
			default:
				broken++
			}
			if steps%(10*stride) == 0 || finished {
				within, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				if _, err := f.s.Commit(within, store.CommitRequest{Space: f.space,
					Put: []store.Put{{Entry: f.entry("a"), Body: fmt.Appendf(nil, "next %d", steps)}}}); err != nil {
					t.Fatalf("step %d: the next writer: %v", steps, err)
				}
				cancel()
			}
		}
		if broken < 10 {
			t.Errorf("the commit was broken off at %d places only", broken)
		}
		t.Logf("broken off at %d places", broken)
		check(t, f.head())
	})
}

// TestFailureAfterWritingAheadLeavesOnlyGarbage fails a large commit at its last step.
func TestFailureAfterWritingAheadLeavesOnlyGarbage(t *testing.T) {
	refusal := errors.New("the last step fails")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		fail := false
		f := newFixtureWith(t, d, store.Deps{},
			store.Hooks{OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
				func(context.Context, db.Querier, store.HeadMoved) error {
					if fail {
						return refusal
					}
					return nil
				},
			}})
		f.commit(store.CommitRequest{Put: put(page("a", ""))})
		nodes, bodies := f.count("content_node"), f.count("content_body")
		fail = true
		_, err := storetest.Fill(t.Context(), f.s, f.space, 500)
		if !errors.Is(err, refusal) {
			t.Fatal(err)
		}
		if f.count("content_body") < bodies+500 {
			t.Error("nothing was written ahead, so the test shows nothing")
		}
		f.leads(map[string]string{"a": "a", "page-0": "-"})
		f.clock.ahead = 3 * store.DefaultGrace
		report, err := f.s.Collect(t.Context())
		if err != nil || report.Bodies < 500 {
			t.Errorf("collected %+v, %v", report, err)
		}
		if n, b := f.count("content_node"), f.count("content_body"); n > nodes || b != bodies {
			t.Errorf("%d nodes and %d bodies are left, before there were %d and %d", n, b, nodes, bodies)
		}
		fail = false
		if _, err := storetest.Fill(t.Context(), f.s, f.space, 500); err != nil {
			t.Fatal(err)
		}
		check(t, f.head())
	})
}

// count returns the number of rows of a table.
func (f *fixture) count(table string) int {
	f.Helper()
	var n int
	if err := f.db.Read().QueryRowContext(f.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n); err != nil {
		f.Fatal(err)
	}
	return n
}

// TestLargeCommitLetsOthersWrite measures how long small writers wait on SQLite while a large commit is under way: a
// small part of its time, because it writes in many transactions.
func TestLargeCommitLetsOthersWrite(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t), store.Deps{})
	stop, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		longest := time.Duration(0)
		for {
			select {
			case <-stop:
				worst <- longest
				return
			case <-time.After(time.Millisecond):
			}
			start := time.Now()
			err := f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				return f.s.DropSpace(ctx, q, "space_never", 1)
			})
			if err != nil {
				t.Errorf("small write: %v", err)
			}
			longest = max(longest, time.Since(start))
		}
	}()
	start := time.Now()
	_, err := storetest.Fill(t.Context(), f.s, f.space, 30_000)
	total := time.Since(start)
	close(stop)
	wait := <-worst
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the commit took %s, a small write at most %s", total, wait)
	if wait > total/2 {
		t.Errorf("a small write waited %s of the %s that the commit took", wait, total)
	}
}
