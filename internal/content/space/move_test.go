package space_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func before(s space.Space) space.Position { return space.Position{Before: &space.Pointer{Space: s.ID}} }
func after(s space.Space) space.Position  { return space.Position{After: &space.Pointer{Space: s.ID}} }

func TestMoveKeepsTheOrderAskedFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		creator := h.Members[org.RoleCreate]
		a, b, c := h.add(t, "a"), h.add(t, "b"), h.add(t, "c")
		box := h.collect(t, "Box", "")
		x, y := h.addIn(t, "x", box.ID), h.addIn(t, "y", box.ID)
		into := optional.Of(box.ID)
		for _, step := range []struct {
			name  string
			move  space.Space
			to    space.Destination
			list  []string
			inBox []string
		}{
			{"nothing", a, space.Destination{}, []string{"a", "b", "c", "x", "y"}, []string{"x", "y"}},
			{"where it is", a, space.Destination{Parent: optional.Null[id.Collection]()},
				[]string{"a", "b", "c", "x", "y"},
				[]string{"x", "y"}},
			{"before", c, space.Destination{Position: before(a)}, []string{"c", "a", "b", "x", "y"},
				[]string{"x", "y"}},
			{"before again", c, space.Destination{Position: before(a)}, []string{"c", "a", "b", "x", "y"},
				[]string{"x", "y"}},
			{"after", c, space.Destination{Position: after(a)}, []string{"a", "c", "b", "x", "y"}, []string{"x", "y"}},
			{"between", b, space.Destination{Position: space.Position{After: after(a).After, Before: before(c).Before}},
				[]string{"a", "b", "c", "x", "y"}, []string{"x", "y"}},
			{"into a collection", a, space.Destination{Parent: into}, []string{"b", "c", "x", "y", "a"},
				[]string{"x", "y", "a"}},
			{"into a collection, before", b, space.Destination{Parent: into, Position: before(y)},
				[]string{"c", "x", "b", "y", "a"}, []string{"x", "b", "y", "a"}},
			{"within a collection", a, space.Destination{Position: before(x)}, []string{"c", "a", "x", "b", "y"},
				[]string{"a", "x", "b", "y"}},
			{"out of it", x, space.Destination{Parent: optional.Null[id.Collection](), Position: before(c)},
				[]string{"x", "c", "a", "b", "y"}, []string{"a", "b", "y"}},
			{"after a collection", x,
				space.Destination{Position: space.Position{After: &space.Pointer{Collection: box.ID}}},
				[]string{"c", "x", "a", "b", "y"}, []string{"a", "b", "y"}},
		} {
			moved, err := h.Move(ctx, creator, step.move.ID, step.to)
			if err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
			if wanted, ok := step.to.Parent.Get(); ok &&
				(moved.Parent != wanted || moved.Visibility != space.VisibilityInCollection) {
				t.Errorf("%s: %+v", step.name, moved)
			}
			if diff := cmp.Diff(step.list, h.list(t, creator)); diff != "" {
				t.Errorf("%s: %s", step.name, diff)
			}
			if diff := cmp.Diff(step.inBox, h.in(t, creator, box.ID)); diff != "" {
				t.Errorf("%s, in the collection: %s", step.name, diff)
			}
		}
	})
}

func TestMovesAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a, b, trashed := h.add(t, "a"), h.add(t, "b"), h.add(t, "trashed")
		box := h.collect(t, "Box", "")
		x := h.addIn(t, "x", box.ID)
		closed := h.collect(t, "Closed", "")
		if _, err := h.UpdateCollection(ctx, h.Admin(), closed.ID,
			space.CollectionChange{DefaultLevel: optional.Of(access.Level("edit"))}); err != nil {
			t.Fatal(err)
		}
		if err := h.Delete(ctx, h.Admin(), trashed.ID); err != nil {
			t.Fatal(err)
		}
		theirs, err := h.CreateCollection(ctx, h.Stranger, h.Other, space.NewCollection{})
		if err != nil {
			t.Fatal(err)
		}
		creator := h.Members[org.RoleCreate]
		for name, test := range map[string]struct {
			to   space.Destination
			want errs.Kind
			says string
		}{
			"to an unknown collection": {space.Destination{Parent: optional.Of(id.Collection(id.New("collection")))},
				errs.NotFound, "no such collection"},
			"to no collection": {space.Destination{Parent: optional.Of(id.Collection("x"))}, errs.NotFound,
				"no such collection"},
			"to an empty name": {space.Destination{Parent: optional.Of(id.Collection(""))}, errs.Invalid, "parent"},
			"to another organization": {space.Destination{Parent: optional.Of(theirs.ID)}, errs.NotFound,
				"no such collection"},
			"to a collection not theirs": {space.Destination{Parent: optional.Of(closed.ID)}, errs.Forbidden,
				"needs create"},
			"before itself":             {space.Destination{Position: before(a)}, errs.Invalid, "position.before"},
			"after something elsewhere": {space.Destination{Position: after(x)}, errs.Invalid, "position.after"},
			"after something in the trash": {space.Destination{Position: after(trashed)}, errs.NotFound,
				"no such space"},
			"after something unknown": {
				space.Destination{Position: space.Position{After: &space.Pointer{Space: id.Space(id.New("space"))}}},
				errs.NotFound, "no such space"},
			"after nothing": {space.Destination{Position: space.Position{After: &space.Pointer{}}},
				errs.Invalid, "position.after"},
			"after two things": {
				space.Destination{Position: space.Position{After: &space.Pointer{Space: b.ID, Collection: box.ID}}},
				errs.Invalid, "position.after"},
			"before what comes before that": {space.Destination{Position: space.Position{Before: before(b).Before,
				After: &space.Pointer{Collection: box.ID}}}, errs.Invalid, "exchange"},
		} {
			if _, err := h.Move(ctx, creator, a.ID, test.to); !errs.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			} else {
				wantKind(t, err, test.want, test.says)
			}
		}
		_, err = h.Move(ctx, h.Members[org.RoleReview], a.ID, space.Destination{})
		wantKind(t, err, errs.Forbidden, "needs create")
		_, err = h.Move(ctx, h.Admin(), trashed.ID, space.Destination{Parent: optional.Of(box.ID)})
		wantKind(t, err, errs.Conflict, "trash")
		_, err = h.Move(ctx, h.Admin(), a.ID, space.Destination{Position: after(trashed)})
		wantKind(t, err, errs.Invalid, "in the trash")
		if diff := cmp.Diff([]string{"a", "b", "x"}, h.list(t, h.Admin())); diff != "" {
			t.Errorf("a refusal changed the order: %s", diff)
		}
	})
}

func TestCollectionsNeverHoldThemselves(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a := h.collect(t, "a", "")
		b := h.collect(t, "b", a.ID)
		c := h.collect(t, "c", b.ID)
		for _, parent := range []id.Collection{a.ID, b.ID, c.ID} {
			_, err := h.MoveCollection(ctx, h.Admin(), a.ID, space.Destination{Parent: optional.Of(parent)})
			wantKind(t, err, errs.Conflict, "inside itself")
		}
		moved, err := h.MoveCollection(ctx, h.Admin(), b.ID, space.Destination{Parent: optional.Null[id.Collection](),
			Position: space.Position{Before: &space.Pointer{Collection: a.ID}}})
		if err != nil || moved.Parent != "" {
			t.Error(moved, err)
		}
		if diff := cmp.Diff([]string{"b", "a"}, h.collections(t, h.Admin(), false)); diff != "" {
			t.Error(diff)
		}
		if _, err := h.MoveCollection(ctx, h.Admin(), a.ID, space.Destination{Parent: optional.Of(c.ID)}); err != nil {
			t.Error(err)
		}

		// As deep as it goes, and no deeper: neither by making nor by moving.
		deep := a.ID
		for range access.MaxDepth - 3 {
			deep = h.collect(t, "deep", deep).ID
		}
		_, err = h.CreateCollection(ctx, h.Admin(), h.Organization, space.NewCollection{Parent: deep})
		wantKind(t, err, errs.Conflict, "nest up to")
		pair := h.collect(t, "pair", "")
		h.collect(t, "inner", pair.ID)
		above, err := h.Collection(ctx, h.Admin(), deep)
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.MoveCollection(ctx, h.Admin(), pair.ID, space.Destination{Parent: optional.Of(above.Parent)})
		wantKind(t, err, errs.Conflict, "nest up to")
	})
}

// TestMovesAtOnceMakeNoCycle moves two collections into each other at the same time, again and again: one of them
// stays.
func TestMovesAtOnceMakeNoCycle(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		for round := range 12 {
			pair := []space.Collection{h.collect(t, "a", ""), h.collect(t, "b", "")}
			failures := make([]error, 2)
			var wg sync.WaitGroup
			for i := range pair {
				wg.Go(func() {
					_, failures[i] = h.MoveCollection(ctx, h.Admin(), pair[i].ID,
						space.Destination{Parent: optional.Of(pair[1-i].ID)})
				})
			}
			wg.Wait()
			lost := slices.IndexFunc(failures, func(err error) bool { return err != nil })
			if lost < 0 || failures[1-lost] != nil {
				t.Fatalf("round %d: %v", round, failures)
			}
			wantKind(t, failures[lost], errs.Conflict, "inside itself")
			if got, err := h.Collection(ctx, h.Admin(), pair[lost].ID); err != nil || got.Parent != "" {
				t.Errorf("round %d: %+v, %v", round, got, err)
			}
		}
	})
}

// TestMovesAtOnceKeepOneOrder moves many spaces to one place at the same time: each is there once, and no two share a
// position, so that the order is the same for everybody.
func TestMovesAtOnceKeepOneOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		box := h.collect(t, "Box", "")
		anchor := h.addIn(t, "anchor", box.ID)
		var spaces []space.Space
		for i := range 24 {
			spaces = append(spaces, h.add(t, fmt.Sprint(i)))
		}
		var wg sync.WaitGroup
		for i, s := range spaces {
			wg.Go(func() {
				to := space.Destination{Parent: optional.Of(box.ID), Position: before(anchor)}
				if i%2 == 0 {
					to.Position = after(anchor)
				}
				if _, err := h.Move(ctx, h.Admin(), s.ID, to); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		list := h.in(t, h.Admin(), box.ID)
		if len(list) != 25 || list[12] != "anchor" {
			t.Errorf("%v", list)
		}
		var distinct int
		if err := d.Read().QueryRowContext(ctx, `SELECT count(DISTINCT position) FROM space`).
			Scan(&distinct); err != nil || distinct != 25 {
			t.Errorf("25 spaces have %d positions, %v", distinct, err)
		}
	})
}

// TestPositionsStayShort moves to one place until the order is numbered anew.
func TestPositionsStayShort(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a, b, c := h.add(t, "a"), h.add(t, "b"), h.add(t, "c")
		// A neighbour with a position as long as a thousand moves make it.
		long := "a0" + strings.Repeat("z", 240) + "V"
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, `UPDATE space SET position = $2 WHERE id = $1`, a.ID, long)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Move(ctx, h.Admin(), c.ID, space.Destination{Position: after(a)}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"a", "c", "b"}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}
		var longest int
		if err := d.Read().QueryRowContext(ctx, `SELECT MAX(length(position)) FROM space`).Scan(&longest); err != nil ||
			longest > 10 {
			t.Errorf("a position of %s or %s has %d bytes, %v", a.ID, b.ID, longest, err)
		}
	})
}
