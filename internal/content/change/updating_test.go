package change_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/people/org"
)

func (h *fixture) pull(r change.Request) change.Outcome {
	h.Helper()
	outcome, err := h.Pull(h.Context(), h.Editor(), h.space, r.ID)
	if err != nil {
		h.Fatal(err)
	}
	return outcome
}

func (h *fixture) settle(r change.Request, c change.Conflict, how change.Settlement) change.Request {
	h.Helper()
	settled, after, err := h.Settle(h.Context(), h.Editor(), h.space, r.ID, c.ID, how)
	if err != nil {
		h.Fatal(err)
	}
	if settled.Settled == nil || !reflect.DeepEqual(*settled.Settled, how) || settled.SettledBy != h.Editor().User.ID {
		h.Errorf("settled: %+v", settled)
	}
	return after
}

// open lists the open conflicts of a change request.
func (h *fixture) open(r change.Request) []change.Conflict {
	h.Helper()
	conflicts, err := h.Conflicts(h.Context(), h.Members[org.RoleRead], h.space, r.ID,
		change.OpenConflicts, paging.Request{})
	if err != nil || conflicts.Count != len(conflicts.Items) || conflicts.Next != nil {
		h.Fatal(conflicts.Count, conflicts.Next, err)
	}
	return conflicts.Items
}

// writeBody gives pages bodies, as names and texts.
func (h *fixture) writeBody(branch id.Branch, pairs ...string) store.Revision {
	h.Helper()
	var puts []store.Put
	for i := 0; i < len(pairs); i += 2 {
		puts = append(puts, store.Put{Entry: page(pairs[i], pairs[i]), Body: []byte(pairs[i+1])})
	}
	r, err := h.try(branch, h.Editor(), puts...)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

func (h *fixture) body(branch id.Branch, name string) string {
	h.Helper()
	view, err := h.content.BranchHead(h.Context(), h.space, branch)
	if err != nil {
		h.Fatal(err)
	}
	e, err := view.Entry(h.Context(), pageID(name))
	if err != nil {
		h.Fatal(err)
	}
	text, err := view.Body(h.Context(), e)
	if err != nil {
		h.Fatal(err)
	}
	return string(text)
}

func (h *fixture) delete(branch id.Branch, name string) {
	h.Helper()
	_, err := h.content.Commit(h.Context(), store.CommitRequest{Space: h.space, Branch: branch,
		Author: h.Editor().User.ID, Delete: []string{pageID(name)}})
	if err != nil {
		h.Fatal(err)
	}
}

func TestPullWithoutConflicts(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A")
		r := h.propose("Change")
		if outcome := h.pull(r); outcome.Changed {
			h.Errorf("an update of what is up to date: %+v", outcome)
		}
		h.write(r.Branch, "b", "B")
		main := h.write("", "a", "A2")
		if !h.get(r.ID).Outdated {
			h.Error("not outdated")
		}
		outcome := h.pull(r)
		if !outcome.Changed || len(outcome.Conflicts) > 0 || outcome.Request.Outdated ||
			outcome.Request.MergedAncestor != main.ID ||
			outcome.Revision != outcome.Request.Head || !maps.Equal(h.titles(r.Branch),
			map[string]string{"a": "A2", "b": "B"}) {
			h.Errorf("update: %+v", outcome)
		}
		contributors, err := h.Contributors(h.Context(), h.Admin(), h.space, r.ID, paging.Request{})
		if err != nil || len(contributors.Items) != 1 || contributors.Items[0].Revisions != 1 {
			h.Errorf("an update counts as a contribution: %+v, %v", contributors.Items, err)
		}
		_, err = h.Pull(h.Context(), h.Members[org.RoleComment], h.space, r.ID)
		wantKind(h.T, err, errs.Forbidden, "edit")
	})
}

// TestConflictsLife holds the life of conflicts: met by an update, kept, settled in every way, and gone.
func TestConflictsLife(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A", "b", "B", "c", "C", "d", "D", "e", "E")
		r := h.propose("Change")
		h.write(r.Branch, "a", "A-mine", "b", "B-mine", "c", "C-mine", "d", "D-mine")
		h.delete(r.Branch, "e")
		h.write("", "a", "A-main", "b", "B-main", "c", "C-main", "e", "E-main", "f", "F-main")
		h.delete("", "d")
		mainBefore := h.history()[0].ID

		refused, err := h.merge(r)
		if err != nil || len(refused.Conflicts) != 5 || refused.Revision != mainBefore ||
			h.history()[0].ID != mainBefore || h.get(r.ID).Status != change.Draft || len(h.open(r)) != 5 {
			h.Fatalf("merge: %d conflicts, %v", len(refused.Conflicts), err)
		}
		outcome := h.pull(r)
		if len(outcome.Conflicts) != 5 || !outcome.Request.Outdated || outcome.Request.Conflicts != 5 {
			h.Fatalf("update: %+v", outcome)
		}
		mine := map[string]string{"a": "A-mine", "b": "B-mine", "c": "C-mine", "d": "D-mine", "f": "F-main"}
		if got := h.titles(r.Branch); !maps.Equal(got, mine) {
			h.Errorf("after the update: %v", got)
		}
		byPage := map[string]change.Conflict{}
		for _, c := range h.open(r) {
			byPage[c.Entries[0]] = c
		}
		if c := byPage[pageID("a")]; c.Kind != merge.FieldConflict || c.Field != "title" || c.Base != "A" ||
			c.Main != "A-main" || c.Own != "A-mine" {
			h.Errorf("conflict of a: %+v", c)
		}
		if c := byPage[pageID("d")]; c.Kind != merge.EditDelete || c.Main != nil ||
			c.Own.(map[string]any)["title"] != "D-mine" {
			h.Errorf("conflict of d: %+v", c)
		}
		// Merging is not possible before all are settled, although the branch contains main.
		stopped, err := h.merge(r)
		if err != nil || len(stopped.Conflicts) != 5 || h.get(r.ID).Status != change.Draft ||
			h.history()[0].ID != mainBefore {
			h.Errorf("merge with open conflicts: %+v, %v", stopped, err)
		}

		h.write(r.Branch, "g", "G") // an edit in between stays
		h.settle(r, byPage[pageID("a")], change.Settlement{Keep: change.KeepMain})
		_, _, err = h.Settle(h.Context(), h.Editor(), h.space, r.ID, byPage[pageID("a")].ID,
			change.Settlement{Keep: change.KeepMine})
		wantKind(h.T, err, errs.Conflict, "settled already")
		h.write(r.Branch, "a", "A-later") // an edit after the settlement stays, too
		h.settle(r, byPage[pageID("b")], change.Settlement{Keep: change.KeepMine})
		h.settle(r, byPage[pageID("c")], change.Settlement{Value: "C-both"})
		h.settle(r, byPage[pageID("d")], change.Settlement{Keep: change.KeepMain})
		if !h.get(r.ID).Outdated {
			h.Error("up to date with an open conflict")
		}
		after := h.settle(r, byPage[pageID("e")], change.Settlement{Keep: change.KeepMain})
		if after.Outdated || after.Conflicts != 0 || len(h.open(r)) != 0 {
			h.Errorf("after the last: %+v", after)
		}
		want := map[string]string{"a": "A-later", "b": "B-mine", "c": "C-both", "e": "E-main", "f": "F-main", "g": "G"}
		if got := h.titles(r.Branch); !maps.Equal(got, want) {
			h.Errorf("after settling: %v", got)
		}
		settled, err := h.Conflicts(h.Context(), h.Editor(), h.space, r.ID, change.SettledConflicts,
			paging.Request{})
		if err != nil || settled.Count != 5 || len(settled.Items) != 5 {
			h.Errorf("settled: %d of %d, %v", len(settled.Items), settled.Count, err)
		}
		h.mustMerge(r)
		if got := h.titles(""); !maps.Equal(got, want) {
			h.Errorf("main: %v", got)
		}
	})
}

// TestSettledStays holds that a settled conflict which comes up again just so stays settled, and that a conflict which
// a later update replaces is listed once.
func TestSettledStays(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A0")
		r := h.propose("Change")
		h.write(r.Branch, "a", "Mine")
		h.write("", "a", "A1")
		h.pull(r)
		first := h.open(r)
		h.settle(r, first[0], change.Settlement{Keep: change.KeepMine})
		h.write("", "a", "A0")
		h.pull(r)
		second := h.open(r)
		if len(second) != 1 || second[0].Base != "A1" || second[0].Main != "A0" {
			h.Fatalf("the second: %+v", second)
		}
		h.settle(r, second[0], change.Settlement{Keep: change.KeepMine})
		h.write("", "a", "A1") // again what the first was about
		if outcome := h.pull(r); len(outcome.Conflicts) > 0 || outcome.Request.Outdated ||
			h.titles(r.Branch)["a"] != "Mine" {
			h.Errorf("came up again: %+v", outcome.Conflicts)
		}
		h.write("", "a", "A2")
		h.pull(r)
		h.write("", "a", "A3")
		h.pull(r)
		if open := h.open(r); len(open) != 1 || open[0].Main != "A3" || open[0].Base != "A2" {
			h.Errorf("replaced: %+v", open)
		}
		h.settle(r, h.open(r)[0], change.Settlement{Keep: change.KeepMain})
		if h.titles(r.Branch)["a"] != "A3" || h.get(r.ID).Outdated {
			h.Errorf("settled: %v", h.titles(r.Branch))
		}
	})
}

// TestConflictsAhead holds that conflicts are listed before an update meets them, each once and in one order with those
// that wait, and that settling one of them updates the change request.
func TestConflictsAhead(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A0", "b", "B0", "c", "C0", "d", "D0")
		r := h.propose("Change")
		h.write(r.Branch, "a", "A", "b", "B", "c", "C")
		h.write("", "a", "A1", "b", "B1", "d", "D1")
		h.pull(r)
		h.write("", "a", "A2", "c", "C2")
		var ids, mains []string
		for page := (paging.Request{Limit: 1}); ; {
			conflicts, err := h.Conflicts(h.Context(), h.Editor(), h.space, r.ID, change.OpenConflicts,
				page)
			if err != nil || conflicts.Count != 3 || len(conflicts.Items) != 1 {
				h.Fatalf("%d of %d, %v", len(conflicts.Items), conflicts.Count, err)
			}
			ids, mains = append(ids, conflicts.Items[0].ID), append(mains, conflicts.Items[0].Main.(string))
			if conflicts.Next == nil {
				break
			}
			page.After = conflicts.Next
		}
		if want := []string{"B1", "A2", "C2"}; !slices.Equal(mains, want) && !slices.Equal(mains,
			[]string{"B1", "C2", "A2"}) {
			h.Fatalf("listed: %v, want %v", mains, want)
		}
		at := slices.Index(mains, "C2")
		if _, _, err := h.Settle(h.Context(), h.Editor(), h.space, r.ID, ids[at],
			change.Settlement{Keep: change.KeepBoth}); err == nil || h.get(r.ID).Conflicts != 2 {
			h.Errorf("a settlement that cannot be: %v", err)
		}
		// Main moves on, but not where the conflict is: it is still the one that was listed.
		h.write("", "e", "E")
		if after := h.settle(r, change.Conflict{ID: ids[at]},
			change.Settlement{Keep: change.KeepMain}); after.Conflicts != 2 || !after.Outdated {
			h.Errorf("after settling: %+v", after)
		}
		if got := h.titles(r.Branch); got["c"] != "C2" || got["a"] != "A" || got["e"] != "E" {
			h.Errorf("after settling: %v", got)
		}
		// A conflict that main has made another meanwhile is not settled unseen.
		h.write("", "b", "B3")
		ahead := h.open(r)
		h.write("", "b", "B4")
		for _, c := range ahead {
			if c.Ahead {
				_, _, err := h.Settle(h.Context(), h.Editor(), h.space, r.ID, c.ID,
					change.Settlement{Keep: change.KeepMain})
				wantKind(h.T, err, errs.NotFound, "List the conflicts again")
			}
		}
		for _, c := range h.open(r) {
			h.settle(r, c, change.Settlement{Keep: change.KeepMine})
		}
		h.mustMerge(r)
		if got := h.titles(""); got["a"] != "A" || got["b"] != "B" || got["c"] != "C2" {
			h.Errorf("main: %v", got)
		}
	})
}

func TestBodyConflicts(t *testing.T) {
	each(t, func(h *fixture) {
		h.writeBody("", "a", "one\n\ntwo\n\nthree\n\nfour\n")
		tests := []struct {
			name string
			how  change.Settlement
			want string
		}{
			{"main", change.Settlement{Keep: change.KeepMain}, "one\n\ntwo main\n\nthree mine\n\nfour later\n"},
			{"mine", change.Settlement{Keep: change.KeepMine}, "one\n\ntwo mine\n\nthree mine\n\nfour later\n"},
			{"both", change.Settlement{Keep: change.KeepBoth},
				"one\n\ntwo mine\n\ntwo main\n\nthree mine\n\nfour later\n"},
			{"a text", change.Settlement{Value: "one\n\ntwo of all\n\nthree mine\n\nfour\n"},
				"one\n\ntwo of all\n\nthree mine\n\nfour later\n"},
		}
		requests := make([]change.Request, len(tests))
		for i := range tests {
			requests[i] = h.propose("Change")
			h.writeBody(requests[i].Branch, "a", "one\n\ntwo mine\n\nthree mine\n\nfour\n")
		}
		h.writeBody("", "a", "one\n\ntwo main\n\nthree\n\nfour\n")
		for i, test := range tests {
			r := requests[i]
			h.pull(r)
			open := h.open(r)
			if len(open) != 1 || open[0].Kind != merge.BodyConflicts || len(open[0].Hunks) != 1 ||
				open[0].Main != "one\n\ntwo main\n\nthree\n\nfour\n" ||
				open[0].Hunks[0].Own != "two mine\n\nthree mine\n" && open[0].Hunks[0].Own != "two mine\n" {
				h.Fatalf("%s: %+v", test.name, open)
			}
			h.writeBody(r.Branch, "a", "one\n\ntwo mine\n\nthree mine\n\nfour later\n")
			h.settle(r, open[0], test.how)
			if got := h.body(r.Branch, "a"); got != test.want {
				h.Errorf("%s: %q, want %q", test.name, got, test.want)
			}
			if h.get(r.ID).Outdated {
				h.Errorf("%s: outdated", test.name)
			}
		}
	})
}

// TestSettlePlaces settles conflicts about the tree: moves to different parents, one slug, a deleted parent.
func TestSettlePlaces(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "x", "X", "y", "Y", "p", "P")
		under := func(branch id.Branch, name, parent, slug string) {
			h.Helper()
			e := page(name, name)
			e.Parent, e.Slug = pageID(parent), slug
			if parent == "" {
				e.Parent = ""
			}
			if _, err := h.try(branch, h.Editor(), store.Put{Entry: e}); err != nil {
				h.Fatal(err)
			}
		}
		for _, keep := range []change.Keep{change.KeepMain, change.KeepMine} {
			under("", "m", "", "m")
			r := h.propose("Change")
			under(r.Branch, "m", "x", "m")
			under(r.Branch, "n", "p", "n")
			under(r.Branch, "s1", "", "same")
			under("", "m", "y", "m")
			under("", "s2", "", "same")
			h.delete("", "p")
			h.pull(r)
			kinds := map[merge.ConflictType]int{}
			for len(h.open(r)) > 0 {
				c := h.open(r)[0]
				kinds[c.Kind]++
				h.settle(r, c, change.Settlement{Keep: keep})
			}
			if kinds[merge.FieldConflict] != 1 || kinds[merge.ParentDeleted] != 1 || kinds[merge.SlugConflict] != 1 {
				h.Errorf("%s: conflicts %v", keep, kinds)
			}
			view, err := h.content.BranchHead(h.Context(), h.space, r.Branch)
			if err != nil {
				h.Fatal(err)
			}
			tree, err := view.Pages(h.Context())
			if err != nil {
				h.Fatal(err)
			}
			parent, slug := pageID("y"), "s2"
			if keep == change.KeepMine {
				parent, slug = pageID("x"), "s1"
			}
			if got := tree.ByID[pageID("m")].Entry.Parent; got != parent {
				h.Errorf("%s: m is below %s", keep, got)
			}
			if _, there := tree.ByID[pageID("n")]; there != (keep == change.KeepMine) {
				h.Errorf("%s: the page below the deleted one is there: %v", keep, there)
			}
			if got := tree.ByID[pageID(slug)].Entry.Slug; got != "same" {
				h.Errorf("%s: the slug of %s is %s", keep, slug, got)
			}
			h.mustMerge(r)
			for _, name := range []string{"m", "s1", "s2"} {
				h.delete("", name)
			}
			if _, err := h.try("", h.Editor(), store.Put{Entry: page("p", "P")}); err != nil {
				h.Fatal(err)
			}
		}
	})
}

// TestSettleASlugWithAnother gives the page of the change request another slug: the address that main has stays.
func TestSettleASlugWithAnother(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A", "b", "B")
		r := h.propose("Rename")
		slugged := func(branch id.Branch, name, slug string) {
			h.Helper()
			e := page(name, strings.ToUpper(name))
			e.Slug = slug
			if _, err := h.try(branch, h.Editor(), store.Put{Entry: e}); err != nil {
				h.Fatal(err)
			}
		}
		slugged(r.Branch, "a", "same")
		slugged("", "b", "same")
		list, err := h.Conflicts(h.Context(), h.Editor(), h.space, r.ID, change.OpenConflicts, paging.Request{})
		if err != nil || len(list.Items) != 1 {
			t.Fatalf("%d conflicts: %v", len(list.Items), err)
		}
		if _, _, err := h.Settle(h.Context(), h.Editor(), h.space, r.ID, list.Items[0].ID,
			change.Settlement{Value: "mine"}); err != nil {
			t.Fatal(err)
		}
		view, err := h.content.BranchHead(h.Context(), h.space, r.Branch)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := view.Pages(h.Context())
		if err != nil {
			t.Fatal(err)
		}
		if mine, theirs := tree.ByID[pageID("a")].Entry.Slug, tree.ByID[pageID("b")].Entry.Slug; mine != "mine" ||
			theirs != "same" {
			t.Errorf("the page of the change request is at %s, that of main at %s", mine, theirs)
		}
	})
}

func TestSettleRefuses(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A")
		r := h.propose("Change")
		h.write(r.Branch, "a", "Mine")
		h.write("", "a", "Main")
		h.pull(r)
		c := h.open(r)[0]
		head := h.get(r.ID).Head
		tests := []struct {
			name string
			how  change.Settlement
			kind errs.Kind
		}{
			{"both of a field", change.Settlement{Keep: change.KeepBoth}, errs.Invalid},
			{"a value of another type", change.Settlement{Value: 7.0}, errs.Invalid},
			{"an invalid value", change.Settlement{Value: "a\x00b"}, errs.Invalid},
		}
		for _, test := range tests {
			if _, _, err := h.Settle(h.Context(), h.Editor(), h.space, r.ID, c.ID, test.how); !errs.Is(err, test.kind) {
				h.Errorf("%s: %v", test.name, err)
			}
		}
		_, _, err := h.Settle(h.Context(), h.Editor(), h.space, r.ID, "nothing",
			change.Settlement{Keep: change.KeepMain})
		wantKind(h.T, err, errs.NotFound, "conflict")
		_, _, err = h.Settle(h.Context(), h.Members[org.RoleComment], h.space, r.ID, c.ID,
			change.Settlement{Keep: change.KeepMain})
		wantKind(h.T, err, errs.Forbidden, "edit")
		if h.get(r.ID).Head != head || len(h.open(r)) != 1 {
			h.Error("a refused settlement has changed something")
		}
		if err := h.set(r, change.Archived); err != nil {
			h.Fatal(err)
		}
		_, _, err = h.Settle(h.Context(), h.Editor(), h.space, r.ID, c.ID, change.Settlement{Keep: change.KeepMain})
		wantKind(h.T, err, errs.Conflict, "archived")
	})
}

// TestSettleRace holds that of many who settle one conflict one wins, and that settling many at once loses nothing.
func TestSettleRace(t *testing.T) {
	each(t, func(h *fixture) {
		names := []string{"a", "b", "c", "d", "e", "f"}
		for _, name := range names {
			h.write("", name, "0")
		}
		r := h.propose("Change")
		for _, name := range names {
			h.write(r.Branch, name, "mine")
			h.write("", name, "main")
		}
		h.pull(r)
		won := h.race(2*len(names), func(i int) error {
			// Others settle meanwhile: the count may be of another moment than the list.
			c, err := h.Conflicts(h.Context(), h.Editor(), h.space, r.ID, change.OpenConflicts, paging.Request{})
			if err != nil || len(c.Items) == 0 {
				return err
			}
			_, _, err = h.Settle(h.Context(), h.Editor(), h.space, r.ID, c.Items[i%len(c.Items)].ID,
				change.Settlement{Keep: change.KeepMain})
			return err
		})
		for _, c := range h.open(r) {
			h.settle(r, c, change.Settlement{Keep: change.KeepMain})
		}
		if won == 0 || h.get(r.ID).Outdated {
			h.Errorf("%d won; %+v", won, h.get(r.ID))
		}
		for name, title := range h.titles(r.Branch) {
			if title != "main" {
				h.Errorf("%s is %s", name, title)
			}
		}
	})
}
