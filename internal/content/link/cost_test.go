package link_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestCostOfOneEdit holds what an edit of one page in a large space makes the index read, with nothing in memory.
func TestCostOfOneEdit(t *testing.T) {
	const pages = 10_000
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	space := h.space("space_large")
	puts := storetest.Pages(pages)
	for i := range puts {
		// Links of every sort, some broken; every page links to the first.
		puts[i].Body = fmt.Appendf(nil, "## Part\n\n[a](/pages/%s#part) [b](/pages/%s) [c](/page-0/page-%d.md) "+
			"[d](/pages/none#x) [e](https://example.org/%d)\n",
			storetest.PageID(0), storetest.PageID(i/2), i%40, i)
	}
	if _, err := h.content.Commit(t.Context(), store.CommitRequest{Space: space, Author: "user_test",
		Put: puts}); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	first, err := h.links.Space(t.Context(), h.scope(space, ""), "", paging.Request{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d links indexed from nothing in %s", first.Stats.Total, time.Since(start).Round(time.Millisecond))

	for _, test := range []struct {
		name   string
		change func(*entity.Entry) []byte
		// broken is how many more links are broken then.
		broken, nodes, bodies int
	}{
		{"a body", func(*entity.Entry) []byte {
			return []byte("## Part\n\n[a](/pages/page_none) [b](/page-0/page-7.md)\n")
		}, 0, 120, 2},
		{"a title", func(e *entity.Entry) []byte { e.Title = "Another"; return nil }, 0, 30, 0},
		{"a body again", func(*entity.Entry) []byte { return []byte("[x](/pages/page_none)\n") }, 0, 120, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			h.links = requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content,
				BaseURL: "https://docs.example/base"}), link.Hooks{})
			view := h.scope(space, "").View
			e, err := view.Entry(t.Context(), storetest.PageID(777))
			if err != nil {
				t.Fatal(err)
			}
			e = e.Clone()
			put := store.Put{Entry: e, Body: test.change(e)}
			if _, err := h.content.Commit(t.Context(), store.CommitRequest{Space: space, Author: "user_test",
				Put: []store.Put{put}}); err != nil {
				t.Fatal(err)
			}
			// A process that begins: no node, no body and no index in memory.
			content := storetest.NewService(t, d, store.Deps{})
			links := requiredtest.Wire(link.New(link.Deps{DB: d, Content: content,
				BaseURL: "https://docs.example/base"}), link.Hooks{})
			after, err := content.Head(t.Context(), space)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			if err := links.Prepare(t.Context(), after); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			own, under := links.Reads(), content.Reads()
			t.Logf("%d nodes of the index, %d of the content, %d bodies, %s", own.Nodes, under.Nodes, own.Bodies,
				took.Round(time.Microsecond))
			if int(own.Nodes+under.Nodes) > test.nodes || int(own.Bodies) > test.bodies {
				t.Errorf("read %d nodes and %d bodies, at most %d and %d are allowed", own.Nodes+under.Nodes,
					own.Bodies, test.nodes, test.bodies)
			}
		})
	}
	holds(t.Context(), t, h.links, h.scope(space, "").View)

	// The last page of the list costs what the first one does.
	scope := h.scope(space, "")
	whole, err := h.links.Space(t.Context(), scope, "", paging.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range [][]string{nil, {"u", storetest.PageID(9_000), "4", "z"}} {
		cold := requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content, BaseURL: "https://docs.example/base"}),
			link.Hooks{})
		list, err := cold.Space(t.Context(), scope, "", paging.Request{After: after})
		if err != nil || list.Stats != whole.Stats || len(list.Items) == 0 {
			t.Fatalf("after %q: %d items, %+v, %v", after, len(list.Items), list.Stats, err)
		}
		if reads := cold.Reads(); reads.Nodes > 400 {
			t.Errorf("a page of the list after %q reads %d nodes", after, reads.Nodes)
		} else {
			t.Logf("a page of the list after %q reads %d nodes", after, reads.Nodes)
		}
	}
}
