package space_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestListShowsWhatMayBeRead compares the list of every role with the spaces that Get gives it, over all default
// levels.
func TestListShowsWhatMayBeRead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		var all []space.Space
		for _, level := range []optional.Value[access.Level]{
			optional.Null[access.Level](), optional.Of(access.Inherit), optional.Of(access.Level("read")),
			optional.Of(access.Level("edit")), optional.Of(access.Level("admin")),
		} {
			made := h.add(t, fmt.Sprintf("level %q", level.Or("null")))
			if _, err := h.Update(ctx, h.Admin(), made.ID, space.Change{DefaultLevel: level}); err != nil {
				t.Fatal(err)
			}
			all = append(all, made)
		}
		trashed := h.add(t, "trashed")
		if err := h.Delete(ctx, h.Admin(), trashed.ID); err != nil {
			t.Fatal(err)
		}
		for role, caller := range h.Members {
			var want []string
			for _, s := range all {
				if _, err := h.Get(ctx, caller, s.ID); err == nil {
					want = append(want, s.Title)
				}
			}
			if diff := cmp.Diff(want, h.list(t, caller)); diff != "" {
				t.Errorf("%q: %s", role, diff)
			}
			readable, err := h.Readable(ctx, caller, h.Organization)
			if diff := cmp.Diff(want, titles(readable)); err != nil || diff != "" {
				t.Errorf("%q: %v %s", role, err, diff)
			}
		}
		if n := len(h.list(t, h.Admin())); n != 5 {
			t.Errorf("the admin sees %d", n)
		}
		if n := len(h.list(t, h.Members[org.RoleGuest])); n != 0 {
			t.Errorf("the guest sees %d: default levels are for members", n)
		}
	})
}

func TestListPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		const count = 1103
		var want []string
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			want = nil
			for i := range count {
				made, err := h.CreateIn(ctx, q, h.Admin(), h.Organization, space.NewSpace{Title: fmt.Sprint(i)})
				if err != nil {
					return err
				}
				want = append(want, made.Title)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{7, 1000} {
			var got []string
			page := paging.Request{Limit: limit}
			for {
				spaces, err := h.List(ctx, h.Admin(), h.Organization, page)
				if err != nil || spaces.Count != count || len(spaces.Items) > limit {
					t.Fatal(spaces.Count, len(spaces.Items), err)
				}
				got = append(got, titles(spaces.Items)...)
				if spaces.Next == nil {
					break
				}
				page.After = spaces.Next
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(limit, diff)
			}
		}
		_, err = h.List(ctx, h.Admin(), h.Organization, paging.Request{After: []string{"x"}})
		wantKind(t, err, errs.Invalid, "cursor")
	})
}

// TestListWhileItChanges walks a list while spaces come and go: what stays appears once, in order.
func TestListWhileItChanges(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		var stay, gone []space.Space
		for i := range 20 {
			made := h.add(t, fmt.Sprint(i))
			if i%2 == 0 {
				stay = append(stay, made)
			} else {
				gone = append(gone, made)
			}
		}
		var got []string
		page := paging.Request{Limit: 3}
		for n := 0; ; n++ {
			spaces, err := h.List(ctx, h.Admin(), h.Organization, page)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, titles(spaces.Items)...)
			if spaces.Next == nil {
				break
			}
			if n < len(gone) {
				if err := h.Delete(ctx, h.Admin(), gone[n].ID); err != nil {
					t.Fatal(err)
				}
			}
			page.After = spaces.Next
		}
		for _, s := range stay {
			if n := len(slices.DeleteFunc(slices.Clone(got), func(title string) bool {
				return title != s.Title
			})); n != 1 {
				t.Errorf("%s appears %d times in %v", s.Title, n, got)
			}
		}
	})
}

func TestPositionsUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				if _, err := h.Create(t.Context(), h.Admin(), h.Organization,
					space.NewSpace{Title: fmt.Sprint(i)}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		var distinct int
		err := d.Read().QueryRowContext(t.Context(), `SELECT count(DISTINCT position) FROM space`).Scan(&distinct)
		if err != nil || distinct != 40 {
			t.Errorf("40 spaces have %d positions, %v", distinct, err)
		}
	})
}
