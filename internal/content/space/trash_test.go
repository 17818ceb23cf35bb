package space_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestTrash(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		h.add(t, "a")
		b := h.add(t, "b")
		h.add(t, "c")
		if err := h.Delete(ctx, h.Admin(), b.ID); err != nil {
			t.Fatal(err)
		}
		deletedAt := h.clock()
		if diff := cmp.Diff([]string{"a", "c"}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}
		h.wait(space.Retention - time.Microsecond)
		if err := h.Delete(ctx, h.Admin(), b.ID); err != nil {
			t.Error(err)
		}
		got, err := h.Get(ctx, h.Admin(), b.ID)
		if err != nil || !got.DeletedAt.Equal(deletedAt) {
			t.Error("deleting again moved the date", got.DeletedAt, err)
		}
		if n, err := h.Purge(ctx, h.clock()); n != 0 || err != nil {
			t.Errorf("purged %d too early, %v", n, err)
		}
		restored, err := h.Restore(ctx, h.Admin(), b.ID)
		if err != nil || !restored.DeletedAt.IsZero() {
			t.Fatal(restored, err)
		}
		got, err = h.Get(ctx, h.Members[org.RoleRead], b.ID)
		if err != nil || !got.DeletedAt.IsZero() {
			t.Error(got, err)
		}
		if diff := cmp.Diff([]string{"a", "b", "c"}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}

		if err := h.Delete(ctx, h.Admin(), b.ID); err != nil {
			t.Fatal(err)
		}
		d1 := h.add(t, "d")
		h.wait(space.Retention)
		_, err = h.Restore(ctx, h.Admin(), b.ID)
		wantKind(t, err, errs.NotFound, "more than seven days ago")
		if n, err := h.Purge(ctx, h.clock()); n != 1 || err != nil {
			t.Errorf("purged %d, %v", n, err)
		}
		if n, err := h.Purge(ctx, h.clock()); n != 0 || err != nil {
			t.Errorf("purged %d again, %v", n, err)
		}
		if !slices.Equal(h.dropped, []id.Space{b.ID}) {
			t.Errorf("content was dropped of %v", h.dropped)
		}
		_, err = h.Get(ctx, h.Admin(), b.ID)
		wantKind(t, err, errs.NotFound, "no such space")
		_, err = h.Restore(ctx, h.Admin(), b.ID)
		wantKind(t, err, errs.NotFound, "no such space")
		if diff := cmp.Diff([]string{"a", "c", d1.Title}, h.list(t, h.Admin())); diff != "" {
			t.Error(diff)
		}
	})
}

func TestPurgeFailsWholeAndGoesOnLater(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		const count = 230
		for i := range count {
			made := h.add(t, fmt.Sprint(i))
			if err := h.Delete(ctx, h.Admin(), made.ID); err != nil {
				t.Fatal(err)
			}
		}
		h.wait(space.Retention)
		h.failContent = errors.New("disk full")
		if n, err := h.Purge(ctx, h.clock()); n != 0 || !errors.Is(err, h.failContent) {
			t.Errorf("purged %d, %v", n, err)
		}
		var left int
		if err := d.Read().QueryRowContext(ctx, `SELECT count(*) FROM space`).Scan(&left); err != nil || left != count {
			t.Errorf("%d spaces are left, %v", left, err)
		}
		h.failContent = nil
		total := make([]int, 2)
		var wg sync.WaitGroup
		for i := range total {
			wg.Go(func() {
				n, err := h.Purge(ctx, h.clock())
				if err != nil {
					t.Error(err)
				}
				total[i] = n
			})
		}
		wg.Wait()
		if total[0]+total[1] != count {
			t.Errorf("two jobs purged %v of %d", total, count)
		}
	})
}

// TestRestoreWithoutItsCollection holds that a space whose collection, and the one above that, went while it was in the
// trash comes back in the nearest one that is left.
func TestRestoreWithoutItsCollection(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		left := h.collect(t, "left", "")
		upper := h.collect(t, "upper", left.ID)
		lower := h.collect(t, "lower", upper.ID)
		trashed := h.addIn(t, "b", lower.ID)
		h.addIn(t, "c", left.ID)
		if err := h.Delete(ctx, h.Admin(), trashed.ID); err != nil {
			t.Fatal(err)
		}
		for _, gone := range []id.Collection{upper.ID, lower.ID} {
			if err := h.DeleteCollection(ctx, h.Admin(), gone); err != nil {
				t.Fatal(err)
			}
		}
		restored, err := h.Restore(ctx, h.Admin(), trashed.ID)
		if err != nil || restored.Parent != left.ID {
			t.Errorf("%+v, %v", restored, err)
		}
		if diff := cmp.Diff([]string{"b", "c"}, h.in(t, h.Members[org.RoleRead], left.ID)); diff != "" {
			t.Error(diff)
		}
	})
}
