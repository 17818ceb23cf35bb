package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// branch makes a change request from the head.
func (f *fixture) branch() store.Branch {
	f.Helper()
	var b store.Branch
	head := f.headID()
	err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
		var err error
		b, err = f.s.CreateBranch(ctx, q, f.space, head, f.clock.now().UnixMicro())
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return b
}

// on commits a page, changed, to a branch.
func (f *fixture) on(b store.Branch, name string, change func(e *entity.Entry)) {
	f.Helper()
	v := f.tip(b)
	e := entry(f.T, v, name).Clone()
	change(e)
	f.commit(store.CommitRequest{Branch: b.ID, Put: put(e)})
	check(f.T, f.tip(b))
}

func (f *fixture) tip(b store.Branch) *store.View {
	f.Helper()
	v, err := f.s.BranchHead(f.Context(), f.space, b.ID)
	if err != nil {
		f.Fatal(err)
	}
	return v
}

func (f *fixture) state(b store.Branch) store.Branch {
	f.Helper()
	now, err := f.s.Branch(f.Context(), f.space, b.ID)
	if err != nil {
		f.Fatal(err)
	}
	return now
}

func (f *fixture) request(b store.Branch) store.MergeRequest {
	return store.MergeRequest{Space: f.space, Branch: b.ID, Author: "user_test"}
}

// merged merges a branch into main.
func (f *fixture) merged(request store.MergeRequest) store.MergeResult {
	f.Helper()
	result, err := f.s.MergeBranch(f.Context(), request)
	if err != nil {
		f.Fatal(err)
	}
	check(f.T, f.head())
	return result
}

func retitle(title string) func(*entity.Entry) { return func(e *entity.Entry) { e.Title = title } }

func TestMergeBranchFastForward(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""))})
		b := f.branch()
		if b.Head != f.headID() || b.Initial != b.Head || b.Base != b.Head || b.Kind != store.ChangeRequest {
			t.Errorf("branch is %+v", b)
		}
		f.on(b, "a", rename("aa"))
		f.leads(map[string]string{"a": "a"})
		before := f.headID()
		dry := f.request(b)
		dry.DryRun = true
		if result := f.merged(dry); !result.Changed || f.headID() != before {
			t.Errorf("dry run: %+v", result)
		}
		tip := f.tip(b).Revision()
		result := f.merged(f.request(b))
		r := result.Revision
		if !result.Changed || r.ID != f.headID() || r.Type != store.TypeMerge || r.MergedFrom != b.ID ||
			r.Root != tip.Root ||
			len(r.Parents) != 2 || r.Parents[0] != before || r.Parents[1] != tip.ID {
			t.Errorf("merge made %+v", r)
		}
		f.leads(map[string]string{"a": ">a", "aa": "a"})
		if again := f.merged(f.request(b)); again.Changed || again.Revision.ID != r.ID {
			t.Errorf("a second merge: %+v", again)
		}
	})
}

func TestMergeBranchThreeWays(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), page("c", ""))})
		b := f.branch()
		f.on(b, "a", rename("aa"))
		f.on(b, "b", retitle("B on the branch"))
		f.change("b", moveTo("c"))
		f.change("a", retitle("A on main"))
		result := f.merged(f.request(b))
		if !result.Changed || len(result.Conflicts) != 0 {
			t.Fatalf("merge: %+v", result)
		}
		if a := f.entry("a"); a.Title != "A on main" || a.Slug != "aa" {
			t.Errorf("a is %+v", a)
		}
		f.leads(map[string]string{"a": ">a", "aa": "a", "c/b": "b", "a/b": ">b", "aa/b": ">b"})
		// Edits after a merge, and a second merge.
		f.on(b, "c", retitle("C on the branch"))
		if again := f.merged(f.request(b)); !again.Changed || f.entry("c").Title != "C on the branch" {
			t.Errorf("second merge: %+v", again)
		}
	})
}

func TestMergeBranchWithConflictsChangesNothing(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""))})
		b := f.branch()
		f.on(b, "a", retitle("branch"))
		f.on(b, "b", retitle("B on the branch"))
		f.change("a", retitle("main"))
		before := f.headID()
		result := f.merged(f.request(b))
		if result.Changed || len(result.Conflicts) != 1 || f.headID() != before || result.Revision.ID != before {
			t.Fatalf("merge: %+v", result)
		}
		c := result.Conflicts[0]
		if c.Type != merge.FieldConflict || c.Field != "title" || c.Ours != "main" || c.Theirs != "branch" {
			t.Errorf("conflict: %+v", c)
		}
		if _, err := f.s.MergeBranch(t.Context(), store.MergeRequest{Space: f.space, Branch: b.ID,
			KeepOurs: true}); !errs.Is(err, errs.Invalid) {
			t.Errorf("a merge that drops edits: %v", err)
		}
		settled := f.request(b)
		settled.Choices = map[string]merge.Choice{c.ID: {Take: merge.Theirs}}
		if result = f.merged(settled); !result.Changed || f.entry("a").Title != "branch" ||
			f.entry("b").Title != "B on the branch" {
			t.Errorf("settled merge: %+v", result)
		}
	})
}

func TestUpdateBranch(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""))})
		b := f.branch()
		update := func(request store.MergeRequest) store.MergeResult {
			t.Helper()
			result, err := f.s.UpdateBranch(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			check(t, f.tip(b))
			return result
		}
		if result := update(f.request(b)); result.Changed {
			t.Errorf("update of a new branch: %+v", result)
		}
		f.on(b, "a", retitle("branch"))
		f.change("b", retitle("main"))
		result := update(f.request(b))
		if !result.Changed || result.Revision.Type != store.TypeUpdate || f.state(b).Base != f.headID() ||
			f.state(b).Head != result.Revision.ID {
			t.Errorf("update: %+v", result)
		}
		if tip := f.tip(b); entry(t, tip, "a").Title != "branch" || entry(t, tip, "b").Title != "main" {
			t.Error("an edit is lost")
		}
		if base, ok, err := f.s.MergeBase(t.Context(), f.headID(), f.state(b).Head); err != nil || !ok ||
			base.ID != f.state(b).Base {
			t.Errorf("merge base is %s, the branch says %s: %v", base.ID, f.state(b).Base, err)
		}
		f.change("a", retitle("main, too"))
		before := f.state(b)
		if result = update(f.request(b)); result.Changed || len(result.Conflicts) != 1 || f.state(b) != before {
			t.Errorf("update with a conflict: %+v", result)
		}
		partly := f.request(b)
		partly.KeepOurs = true
		f.change("b", retitle("main again"))
		if result = update(partly); !result.Changed || len(result.Conflicts) != 1 {
			t.Errorf("update that keeps ours: %+v", result)
		}
		if tip := f.tip(b); entry(t, tip, "a").Title != "branch" || entry(t, tip, "b").Title != "main again" {
			t.Error("an edit is lost")
		}
		if _, err := f.s.UpdateBranch(t.Context(), store.MergeRequest{Space: f.space}); !errs.Is(err, errs.Invalid) {
			t.Errorf("update of main: %v", err)
		}
	})
}

func TestMergeDoesNotLeaveAnEditBehind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, store.Deps{})
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""))})
		b := f.branch()
		f.on(b, "a", retitle("early"))
		// A second process merges. Between reading the branch and moving the head it looks at its clock; just then an
		// edit comes to the branch.
		raced := false
		other := storetest.NewService(t, d, store.Deps{Now: func() time.Time {
			if !raced {
				raced = true
				f.on(b, "b", retitle("late"))
			}
			return time.Now()
		}})
		request, runs := f.request(b), 0
		request.Also = func(context.Context, db.Querier, store.Revision) error { runs++; return nil }
		result, err := other.MergeBranch(t.Context(), request)
		if err != nil || !result.Changed || runs != 1 {
			t.Fatalf("merge: %+v, %v, %d runs", result, err, runs)
		}
		if f.entry("a").Title != "early" || f.entry("b").Title != "late" {
			t.Error("an edit is left behind")
		}
	})
}

func TestRollback(t *testing.T) {
	each(t, func(f *fixture) {
		first := f.commit(store.CommitRequest{Put: put(page("a", ""))})
		f.change("a", rename("b"))
		f.commit(store.CommitRequest{Put: put(page("c", "a"))})
		r, err := f.s.Rollback(t.Context(), store.RollbackRequest{Space: f.space, To: first.ID, Author: "user_test"})
		if err != nil || r.Type != store.TypeRollback || r.Root != first.Root || r.Paths != first.Paths ||
			r.Generation != 5 {
			t.Fatalf("rollback made %+v, %v", r, err)
		}
		f.leads(map[string]string{"a": "a", "b": "-", "a/c": "-"})
		again, err := f.s.Rollback(t.Context(), store.RollbackRequest{Space: f.space, To: first.ID})
		if err != nil || again.ID != r.ID {
			t.Errorf("a second rollback made %s, %v", again.ID, err)
		}
		if _, err := f.s.Rollback(t.Context(), store.RollbackRequest{Space: "space_other", To: first.ID}); !errs.Is(err,
			errs.NotFound) {
			t.Errorf("rollback to a revision of another space: %v", err)
		}
		items, err := f.s.History(t.Context(), r.Branch, paging.Request{Limit: 3})
		if err != nil || items.Count != 5 || len(items.Items) != 3 || items.Items[0].ID != r.ID || items.Next == nil {
			t.Fatalf("history: %d of %d, %v, %v", len(items.Items), items.Count, items.Next, err)
		}
		rest, err := f.s.History(t.Context(), r.Branch, paging.Request{Limit: 3, After: items.Next})
		if err != nil || len(rest.Items) != 2 || rest.Items[0].ID != first.ID || rest.Next != nil {
			t.Errorf("rest of history: %v, %v, %v", rest.Items, rest.Next, err)
		}
	})
}

func TestRevertKeepsLaterEdits(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""))})
		b := f.branch()
		f.on(b, "a", retitle("merged"))
		f.on(b, "b", rename("bb"))
		undo := f.merged(f.request(b)).Revision
		f.change("a", func(e *entity.Entry) { e.Icon = "star" })
		result, err := f.s.Revert(t.Context(), store.RevertRequest{Space: f.space, Revision: undo.ID})
		if err != nil || !result.Changed || len(result.Revision.Parents) != 1 {
			t.Fatalf("revert: %+v, %v", result, err)
		}
		if a := f.entry("a"); a.Title != "A" || a.Icon != "star" {
			t.Errorf("a is %+v", a)
		}
		f.leads(map[string]string{"b": "b", "bb": ">b"})
		check(t, f.head())
		f.change("a", retitle("later"))
		change := f.head().Revision()
		f.change("a", retitle("even later"))
		result, err = f.s.Revert(t.Context(), store.RevertRequest{Space: f.space, Revision: change.ID})
		if err != nil || result.Changed || len(result.Conflicts) != 1 {
			t.Errorf("revert of what was changed again: %+v, %v", result, err)
		}
	})
}

func TestDuplicateSharesEverythingButHistory(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: []store.Put{{Entry: page("a", ""), Body: []byte("text")}}})
		from := f.head().Revision()
		err := f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return f.s.Duplicate(ctx, q, from.ID, "space_copy", "user_test", f.clock.now().UnixMicro())
		})
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.s.Head(t.Context(), "space_copy")
		if err != nil || v.Revision().Root != from.Root || len(v.Revision().Parents) != 0 {
			t.Fatalf("the copy is %+v, %v", v.Revision(), err)
		}
		f.commit(store.CommitRequest{Space: "space_copy", Put: put(page("b", ""))})
		f.leads(map[string]string{"a": "a", "b": "-"})
		heads, err := f.s.Heads(t.Context(), []id.Space{f.space, "space_copy", "space_none"})
		if err != nil || len(heads) != 2 || heads[f.space] != from.ID || heads["space_copy"] == "" {
			t.Errorf("heads are %v, %v", heads, err)
		}
		err = f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return f.s.Init(ctx, q, "space_copy", "user_test", 1)
		})
		if !errs.Is(err, errs.Conflict) {
			t.Errorf("a second main branch: %v", err)
		}
	})
}

func TestOnHeadRunsInTheTransaction(t *testing.T) {
	refusal := errors.New("refused by the hook")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var seen []string
		refuse := false
		f := newFixtureWith(t, d, store.Deps{},
			store.Hooks{OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
				func(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
					if moved.Before == nil {
						return nil
					}
					for c, err := range moved.Before.Diff(ctx, moved.After) {
						if err != nil {
							return err
						}
						seen = append(seen, string(moved.Branch.Kind)+" "+c.ID)
					}
					var head id.Revision
					if err := q.QueryRowContext(ctx, `SELECT head_revision_id FROM content_branch WHERE id = $1`,
						moved.Branch.ID).Scan(&head); err != nil {
						return err
					}
					if head != moved.After.Revision().ID || moved.Branch.Head != head {
						return errors.New("the head has not moved yet")
					}
					if refuse {
						return refusal
					}
					return nil
				},
			}})
		f.commit(store.CommitRequest{Put: put(page("a", ""))})
		refuse = true
		before := f.headID()
		if _, err := f.try(store.CommitRequest{Put: put(page("b", ""))}); !errors.Is(err, refusal) ||
			f.headID() != before {
			t.Errorf("a hook that refuses: %v", err)
		}
		if len(seen) != 2 || seen[0] != "main page_a" || seen[1] != "main page_b" {
			t.Errorf("the hook saw %v", seen)
		}
	})
}

func TestAlsoRunsWithTheRevision(t *testing.T) {
	each(t, func(f *fixture) {
		var told []id.Revision
		also := func(_ context.Context, _ db.Querier, r store.Revision) error {
			told = append(told, r.ID)
			return nil
		}
		made := f.commit(store.CommitRequest{Put: put(page("a", "")), Also: also})
		f.commit(store.CommitRequest{Also: also})
		if len(told) != 2 || told[0] != made.ID || told[1] != made.ID {
			t.Errorf("told %v, the revision is %s", told, made.ID)
		}
		refusal := errors.New("refused")
		_, err := f.try(store.CommitRequest{Put: put(page("b", "")), Also: func(context.Context, db.Querier,
			store.Revision) error {
			return refusal
		}})
		if !errors.Is(err, refusal) || f.headID() != made.ID {
			t.Errorf("a refusal: %v", err)
		}
	})
}

func TestCreateBranchRefusesForeignRevisions(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""))})
		b := f.branch()
		f.on(b, "a", retitle("branch"))
		storetest.NewSpace(t.Context(), t, f.s, f.db, "space_other")
		other, err := f.s.HeadID(t.Context(), "space_other")
		if err != nil {
			t.Fatal(err)
		}
		for _, refused := range []struct {
			space id.Space
			from  id.Revision
			kind  errs.Kind
		}{
			{f.space, other, errs.NotFound},
			{f.space, "revision_none", errs.NotFound},
			{f.space, f.tip(b).Revision().ID, errs.Invalid},
			{"space_none", f.headID(), errs.NotFound},
		} {
			err := f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := f.s.CreateBranch(ctx, q, refused.space, refused.from, 1)
				return err
			})
			if !errs.Is(err, refused.kind) {
				t.Errorf("branch in %s from %s: %v", refused.space, refused.from, err)
			}
		}
	})
}

func TestMergeBase(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""))})
		first := f.branch()
		f.change("a", retitle("one"))
		second := f.branch()
		f.on(first, "b", retitle("two"))
		f.on(second, "b", func(e *entity.Entry) { e.Icon = "star" })
		base := func(a, b id.Revision) id.Revision {
			t.Helper()
			there, ok, err := f.s.MergeBase(t.Context(), a, b)
			if err != nil || !ok {
				t.Fatalf("merge base of %s and %s: %v, %v", a, b, ok, err)
			}
			back, _, err := f.s.MergeBase(t.Context(), b, a)
			if err != nil || back.ID != there.ID {
				t.Errorf("merge base is %s one way, %s the other: %v", there.ID, back.ID, err)
			}
			return there.ID
		}
		one, two := f.state(first), f.state(second)
		if got := base(one.Head, two.Head); got != one.Initial {
			t.Errorf("merge base of both is %s, want %s", got, one.Initial)
		}
		if got := base(two.Head, f.headID()); got != two.Initial {
			t.Errorf("merge base with main is %s, want %s", got, two.Initial)
		}
		if got := base(two.Head, two.Initial); got != two.Initial {
			t.Errorf("merge base with an ancestor is %s, want %s", got, two.Initial)
		}
		f.merged(f.request(first))
		if got := base(f.headID(), one.Head); got != one.Head {
			t.Errorf("merge base after the merge is %s, want %s", got, one.Head)
		}
		storetest.NewSpace(t.Context(), t, f.s, f.db, "space_other")
		other, err := f.s.HeadID(t.Context(), "space_other")
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := f.s.MergeBase(t.Context(), other, one.Head); ok || err != nil {
			t.Errorf("spaces with nothing in common have a merge base: %v", err)
		}
	})
}
