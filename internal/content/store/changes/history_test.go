package changes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestHistory changes a page, and those around it, in all ways.
func TestHistory(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := storetest.NewService(t, d, store.Deps{})
		storetest.NewSpace(t.Context(), t, s, d, space)
		var head *store.View
		commit := func(branch id.Branch, message string, change func(e *entity.Entry), id string) store.Revision {
			t.Helper()
			request := store.CommitRequest{Space: space, Branch: branch, Author: "user_test", Message: message}
			switch {
			case head == nil:
				for _, e := range []*entity.Entry{page("a", ""), page("b", "a"), page("c", "b"), page("z", "")} {
					request.Put = append(request.Put, store.Put{Entry: e, Body: []byte("Body.\n")})
				}
			case change == nil:
				request.Delete = []string{id}
			default:
				e, err := head.Entry(t.Context(), id)
				if err != nil {
					t.Fatal(err)
				}
				e = e.Clone()
				change(e)
				request.Put = []store.Put{{Entry: e}}
			}
			r, err := s.Commit(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			if head, err = s.View(t.Context(), r.ID); err != nil {
				t.Fatal(err)
			}
			return r
		}
		commit("", "made", nil, "")
		commit("", "titled", func(e *entity.Entry) { e.Title = "New" }, "page_b")
		commit("", "the page above is renamed", func(e *entity.Entry) { e.Slug = "other" }, "page_a")
		commit("", "the page below is edited", func(e *entity.Entry) { e.Title = "Other" }, "page_c")
		commit("", "moved", func(e *entity.Entry) { e.Parent, e.Position = "page_z", "" }, "page_b")
		commit("", "touched", func(e *entity.Entry) { e.UpdatedAt++ }, "page_b")
		commit("", "renamed", func(e *entity.Entry) { e.Slug = "see" }, "page_b")
		main, err := s.Branch(t.Context(), space, "")
		if err != nil {
			t.Fatal(err)
		}
		commit("", "deleted", nil, "page_b")

		list := func(limit int) (lines []string, calls int) {
			t.Helper()
			request := paging.Request{Limit: limit}
			for {
				found, err := changes.History(t.Context(), s, main.ID, "page_b", request)
				if err != nil {
					t.Fatal(err)
				}
				calls++
				for _, item := range found.Items {
					var line strings.Builder
					line.WriteString(item.Revision.Message + ":")
					for _, c := range item.Changes {
						line.WriteString(" " + string(c.Kind))
						for _, a := range c.Attributes {
							line.WriteString(" " + a.Name)
						}
					}
					lines = append(lines, line.String())
				}
				if found.Next == nil {
					return lines, calls
				}
				if len(found.Items) > limit {
					t.Fatalf("%d items for a limit of %d", len(found.Items), limit)
				}
				request.After = found.Next
			}
		}
		want := []string{"deleted: page_deleted", "renamed: page_edited slug", "moved: page_moved",
			"titled: page_edited title", "made: page_created"}
		for _, limit := range []int{1, 2, 5, 50} {
			if got, _ := list(limit); !slices.Equal(want, got) {
				t.Errorf("limit %d (-want +got):\n%s", limit, cmp.Diff(want, got))
			}
		}
		for _, cursor := range [][]string{{"x"}, {""}} {
			if _, err := changes.History(t.Context(), s, main.ID, "page_b", paging.Request{After: cursor}); err == nil {
				t.Errorf("takes the cursor %q", cursor)
			}
		}
		if found, err := changes.History(t.Context(), s, main.ID, "page_nobody", paging.Request{}); err != nil ||
			len(found.Items) != 0 || found.Next != nil {
			t.Errorf("a page that never was: %+v, %v", found, err)
		}
	})
}

// TestHistoryReadsLittle holds what a walk over many revisions in a large space costs: two nodes for each, in few
// round trips.
func TestHistoryReadsLittle(t *testing.T) {
	const revisions = 1100
	d := dbtest.SQLite(t)
	grown := storetest.NewService(t, d, store.Deps{})
	sized, err := storetest.NewSized(t.Context(), grown, d, 5000)
	if err != nil {
		t.Fatal(err)
	}
	main, err := grown.Branch(t.Context(), sized.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range revisions {
		head, err := grown.Head(t.Context(), sized.ID)
		if err != nil {
			t.Fatal(err)
		}
		e, err := head.Entry(t.Context(), storetest.PageID(2+i%1000))
		if err != nil {
			t.Fatal(err)
		}
		e = e.Clone()
		e.Title = fmt.Sprintf("Edit %d", i)
		if _, err := grown.Commit(t.Context(), store.CommitRequest{Space: sized.ID, Author: "user_test",
			Put: []store.Put{{Entry: e}}}); err != nil {
			t.Fatal(err)
		}
	}
	cold := storetest.NewService(t, d, store.Deps{})
	request, calls, items := paging.Request{Limit: 50}, 0, 0
	for {
		found, err := changes.History(t.Context(), cold, main.ID, storetest.PageID(1), request)
		if err != nil {
			t.Fatal(err)
		}
		calls, items = calls+1, items+len(found.Items)
		if found.Next == nil {
			break
		}
		request.After = found.Next
	}
	// One revision made all pages.
	if reads := cold.Reads().Nodes; items != 1 || calls != 3 || reads > 3*revisions {
		t.Errorf("%d items in %d calls that read %d nodes, of %d revisions", items, calls, reads, revisions)
	}
}
