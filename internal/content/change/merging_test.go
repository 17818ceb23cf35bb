package change_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/org"
)

// merge merges as the reviewer.
func (h *fixture) merge(r change.Request) (change.Outcome, error) {
	return h.Merge(h.Context(), h.Reviewer(), h.space, r.ID, "", false)
}

func (h *fixture) mustMerge(r change.Request) change.Outcome {
	h.Helper()
	outcome, err := h.merge(r)
	if err != nil || len(outcome.Conflicts) > 0 {
		h.Fatalf("merge: %+v, %v", outcome.Conflicts, err)
	}
	return outcome
}

func (h *fixture) set(r change.Request, status change.Status) error {
	_, err := h.Update(h.Context(), h.Editor(), h.space, r.ID, change.Edit{Status: optional.Of(status)})
	return err
}

// history returns the revisions of main, newest first.
func (h *fixture) history() []store.Revision {
	h.Helper()
	main, err := h.content.Branch(h.Context(), h.space, "")
	if err != nil {
		h.Fatal(err)
	}
	revisions, err := h.content.History(h.Context(), main.ID, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		h.Fatal(err)
	}
	return revisions.Items
}

func (h *fixture) counts() change.Counts {
	h.Helper()
	counts, err := h.Counts(h.Context(), []id.Space{h.space})
	if err != nil {
		h.Fatal(err)
	}
	return counts[h.space]
}

// TestStates holds the whole table of moves between statuses, with the counters after each.
func TestStates(t *testing.T) {
	all := []change.Status{change.Draft, change.Open, change.Archived, change.Merged}
	each(t, func(h *fixture) {
		for _, from := range all {
			for _, to := range all {
				before := h.counts()
				r := h.propose("A change")
				switch from {
				case change.Merged:
					h.mustMerge(r)
				default:
					if err := h.set(r, from); err != nil {
						h.Fatal(from, err)
					}
				}
				err := h.set(r, to)
				allowed := from == to || from != change.Merged && to != change.Merged
				if allowed != (err == nil) || err != nil && !errs.Is(err, errs.Conflict) {
					h.Errorf("%s to %s: %v", from, to, err)
				}
				want := from
				if allowed {
					want = to
				}
				if got := h.get(r.ID); got.Status != want {
					h.Errorf("%s to %s: now %s", from, to, got.Status)
				}
				after := before
				after.All++
				switch want {
				case change.Draft:
					after.Draft++
				case change.Open:
					after.Open++
				}
				if got := h.counts(); got != after {
					h.Errorf("%s to %s: counts %+v, want %+v", from, to, got, after)
				}
			}
		}
		r := h.propose("A change")
		wantKind(h.T, h.set(r, "done"), errs.Invalid, "status")
	})
}

func TestUpdateFields(t *testing.T) {
	each(t, func(h *fixture) {
		r := h.propose("Before")
		got, err := h.Update(h.Context(), h.Editor(), h.space, "1", change.Edit{Subject: optional.Of("After"),
			Description: optional.Of("Why.")})
		if err != nil || got.Subject != "After" || got.Description != "Why." || got.Status != change.Draft ||
			!got.UpdatedAt.After(r.UpdatedAt) || h.get("1") != got {
			h.Errorf("got %+v, %v", got, err)
		}
		same, err := h.Update(h.Context(), h.Editor(), h.space, "1", change.Edit{Subject: optional.Of("After")})
		if err != nil || same != got {
			h.Errorf("an edit of nothing: %+v, %v", same, err)
		}
		got, err = h.Update(h.Context(), h.Editor(), h.space, "1", change.Edit{Description: optional.Null[string]()})
		if err != nil || got.Description != "" || got.Subject != "After" {
			h.Errorf("got %+v, %v", got, err)
		}
		for name, edit := range map[string]change.Edit{
			"subject": {Subject: optional.Null[string]()}, "status": {Status: optional.Null[change.Status]()},
			"description": {Description: optional.Of("\xff")},
		} {
			_, err := h.Update(h.Context(), h.Editor(), h.space, "1", edit)
			if !errs.Is(err, errs.Invalid) || detail(err) != " "+name {
				h.Errorf("%s: %v", name, err)
			}
		}
		_, err = h.Update(h.Context(), h.Members[org.RoleComment], h.space, "1",
			change.Edit{Subject: optional.Of("No")})
		wantKind(h.T, err, errs.Forbidden, "edit")
		h.mustMerge(r)
		_, err = h.Update(h.Context(), h.Editor(), h.space, "1", change.Edit{Subject: optional.Of("Too late")})
		wantKind(h.T, err, errs.Conflict, "merged")
	})
}

func TestMerge(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A")
		r := h.propose("Better")
		h.write(r.Branch, "a", "A2", "b", "B")
		h.write("", "c", "C")
		dry, err := h.Merge(h.Context(), h.Reviewer(), h.space, r.ID, "", true)
		if err != nil || !dry.Changed || len(dry.Conflicts) > 0 || h.get(r.ID).Status != change.Draft ||
			len(h.history()) != 3 {
			h.Fatalf("dry run: %+v, %v", dry, err)
		}
		_, err = h.Merge(h.Context(), h.Editor(), h.space, r.ID, "", false)
		wantKind(h.T, err, errs.Forbidden, "review")
		outcome := h.mustMerge(r)
		if got, want := h.titles(""), map[string]string{"a": "A2", "b": "B", "c": "C"}; !maps.Equal(got, want) {
			h.Errorf("main has %v", got)
		}
		got := h.get(r.ID)
		revisions := h.history()
		if got.Status != change.Merged || got.Merged != outcome.Revision || got.MergedBy != h.Reviewer().User.ID ||
			got.Outdated || got.MergedAt.IsZero() ||
			revisions[0].ID != outcome.Revision || revisions[0].Type != store.TypeMerge ||
			revisions[0].Message != "Merge change request #1: Better" || len(revisions) != 4 {
			h.Errorf("merged: %+v\n%+v", got, revisions[0])
		}
		h.write("", "d", "D")
		if h.get(r.ID).Outdated {
			h.Error("a merged one is outdated")
		}
		_, err = h.merge(r)
		wantKind(h.T, err, errs.Conflict, "merged already")
		_, err = h.try(r.Branch, h.Editor(), put("a", "Too late")...)
		wantKind(h.T, err, errs.Conflict, "merged")
		_, err = h.Pull(h.Context(), h.Editor(), h.space, r.ID)
		wantKind(h.T, err, errs.Conflict, "merged")

		archived := h.propose("Archived")
		if err := h.set(archived, change.Archived); err != nil {
			h.Fatal(err)
		}
		_, err = h.merge(archived)
		wantKind(h.T, err, errs.Conflict, "archived")
		_, err = h.try(archived.Branch, h.Editor(), put("a", "No")...)
		wantKind(h.T, err, errs.Conflict, "archived")

		empty := h.propose("")
		before := len(h.history())
		if outcome := h.mustMerge(empty); outcome.Changed || h.get(empty.ID).Status != change.Merged ||
			len(h.history()) != before {
			h.Errorf("an empty one: %+v", outcome)
		}
	})
}

// TestMergeRace holds that of many mergers of one change request one merges, and the others learn why theirs did not.
func TestMergeRace(t *testing.T) {
	each(t, func(h *fixture) {
		for range 3 {
			r := h.propose("Race")
			h.write(r.Branch, fmt.Sprintf("race%d", r.Number), "Raced")
			before := len(h.history())
			merged := h.race(12, func(int) error {
				_, err := h.merge(r)
				return err
			})
			if merged != 1 || len(h.history()) != before+1 || h.counts().Draft != 0 {
				h.Errorf("%d merged, %d new revisions, %+v", merged, len(h.history())-before, h.counts())
			}
		}
	})
}

// TestMergeUnderEdits holds that merges of many change requests, edits in them until they are merged, and live edits of
// main lose nothing: every acknowledged page is in main, and every change request is merged once.
func TestMergeUnderEdits(t *testing.T) {
	each(t, func(h *fixture) {
		const requests, edits = 6, 8
		var mutex sync.Mutex
		want := map[string]string{}
		acknowledged := func(name string) {
			mutex.Lock()
			defer mutex.Unlock()
			want[name] = name
		}
		var group sync.WaitGroup
		group.Go(func() {
			for i := range requests * edits {
				name := fmt.Sprintf("live%d", i)
				if _, err := h.try("", h.Editor(), put(name, name)...); err != nil {
					h.Error(err)
					return
				}
				acknowledged(name)
			}
		})
		for range requests {
			r := h.propose("Busy")
			written := make(chan struct{})
			group.Go(func() {
				tell := sync.OnceFunc(func() { close(written) })
				defer tell()
				for i := range edits {
					name := fmt.Sprintf("change%dx%d", r.Number, i)
					_, err := h.try(r.Branch, h.Editor(), put(name, name)...)
					if errs.Is(err, errs.Conflict) {
						break // merged meanwhile: the edit was refused, not lost
					}
					if err != nil {
						h.Error(err)
						break
					}
					acknowledged(name)
					tell()
				}
			})
			group.Go(func() {
				<-written
				if outcome, err := h.merge(r); err != nil || len(outcome.Conflicts) > 0 {
					h.Errorf("merge of %d: %+v, %v", r.Number, outcome, err)
				}
			})
		}
		group.Wait()
		got := h.titles("")
		for name := range want {
			if got[name] != name {
				h.Errorf("%s is lost", name)
			}
			delete(got, name)
		}
		if len(got) > 0 {
			h.Errorf("pages that nobody was told of: %v", slices.Collect(maps.Keys(got)))
		}
		merges := 0
		for _, r := range h.history() {
			if r.Type == store.TypeMerge {
				merges++
			}
		}
		if merges != requests || h.counts() != (change.Counts{All: requests}) {
			h.Errorf("%d merges, counts %+v", merges, h.counts())
		}
	})
}

func TestUndo(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A", "b", "B")
		r := h.propose("Worse")
		h.write(r.Branch, "a", "A2", "c", "C")
		_, err := h.Undo(h.Context(), h.Editor(), h.space, r.ID, false)
		wantKind(h.T, err, errs.Conflict, "draft")
		h.mustMerge(r)
		h.write("", "b", "B3", "d", "D")

		outcome, err := h.Undo(h.Context(), h.Editor(), h.space, r.ID, false)
		if err != nil || len(outcome.Conflicts) > 0 || outcome.Request.Number != 2 ||
			outcome.Request.Subject != "Undo change request #1: Worse" || outcome.Request.Outdated {
			h.Fatalf("undo: %+v, %v", outcome, err)
		}
		undone := map[string]string{"a": "A", "b": "B3", "d": "D"}
		if got := h.titles(outcome.Request.Branch); !maps.Equal(got, undone) {
			h.Errorf("the inverse is %v", got)
		}
		if got := h.titles(""); got["a"] != "A2" {
			h.Errorf("main has changed: %v", got)
		}
		_, err = h.Undo(h.Context(), h.Editor(), h.space, r.ID, true)
		wantKind(h.T, err, errs.Forbidden, "review")
		direct, err := h.Undo(h.Context(), h.Reviewer(), h.space, r.ID, true)
		if err != nil || !direct.Changed || direct.Request.ID != r.ID || !maps.Equal(h.titles(""), undone) {
			h.Errorf("direct undo: %+v, %v: %v", direct, err, h.titles(""))
		}
		for _, directly := range []bool{false, true} {
			_, err = h.Undo(h.Context(), h.Reviewer(), h.space, r.ID, directly)
			wantKind(h.T, err, errs.Conflict, "nothing to undo")
		}
		empty := h.propose("")
		h.mustMerge(empty)
		_, err = h.Undo(h.Context(), h.Reviewer(), h.space, empty.ID, true)
		wantKind(h.T, err, errs.Conflict, "changed nothing")
	})
}

// TestUndoConflicts holds that an undo which later edits stand against changes nothing.
func TestUndoConflicts(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A")
		r := h.propose("Worse")
		h.write(r.Branch, "a", "A2")
		h.mustMerge(r)
		h.write("", "a", "A3")
		before, counts := h.history()[0].ID, h.counts()
		for _, direct := range []bool{false, true} {
			outcome, err := h.Undo(h.Context(), h.Reviewer(), h.space, r.ID, direct)
			if err != nil || len(outcome.Conflicts) != 1 {
				h.Fatalf("undo: %+v, %v", outcome, err)
			}
			c := outcome.Conflicts[0]
			if c.Field != "title" || c.Base != "A2" || c.Main != "A3" || c.Own != "A" || outcome.Revision != before {
				h.Errorf("conflict %+v", c)
			}
		}
		if h.history()[0].ID != before || h.counts() != counts {
			h.Error("an undo with conflicts has changed something")
		}
		h.lock()
		_, err := h.Undo(h.Context(), h.Admin(), h.space, r.ID, true)
		wantKind(h.T, err, errs.Conflict, "locked")
	})
}
