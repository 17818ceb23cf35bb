package link_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestHostileBodies holds that bodies made to cost much are answered about all the same, within seconds.
func TestHostileBodies(t *testing.T) {
	d := dbtest.SQLite(t)
	h := newFixture(t, d)
	// About as much as the limit on the nodes of a document lets through; what is over it has no links.
	repeat := func(format string) string {
		var b bytes.Buffer
		for i := 0; i < 12_000 && b.Len() < store.MaxBodySize-len(format)-20; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for i, test := range []struct{ name, body string }{
		{"different paths", repeat("[a](b%d.md)\n\n")},
		{"different pages", repeat("[a](/pages/p%d#x)\n\n")},
		{"one destination", repeat("[%d](/pages/page_x)\n\n")},
		{"headings", repeat("# h%d\n\n")},
		{"one heading", strings.Repeat("# h\n", 30_000)},
		{"includes", repeat("{%% include \"/reusable-content/content_%d\" %%}\n\n")},
		{"a long destination", "[a](" + strings.Repeat("x", 1<<20-10) + ")"},
		{"many segments", "[a](" + strings.Repeat("a/", 2000) + ") [b](" + strings.Repeat("../", 1300) + "x)"},
		{"odd characters", "[a](\x01\x02) [b](%00) [c](/pages/%00) [d](/pages/\u202e) [e](<a\tb>) [f](%zz#%zz) " +
			"[g](#%zz) [h](http://[::1) [i](https://)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			space := h.space(id.Space(fmt.Sprintf("space_%d", i)))
			h.commit(space, "", nil, page("page_a", "a", "", test.body))
			start := time.Now()
			list, err := h.links.Space(t.Context(), h.scope(space, ""), "", paging.Request{})
			if err != nil {
				t.Fatal(err)
			}
			first := time.Since(start)
			start = time.Now()
			if _, err := h.links.Page(t.Context(), h.scope(space, ""), "page_a", link.Broken,
				paging.Request{}); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d links, %s, then %s", list.Stats.Total, first.Round(time.Millisecond),
				time.Since(start).Round(time.Millisecond))
			if first > 30*time.Second {
				t.Errorf("indexing took %s", first)
			}
			// Every one of many links names an anchor of the hostile page.
			h.commit(space, "", nil, page("page_x", "x", "", repeat("[a](/pages/page_a#b%d)\n\n")[:100_000]))
			holds(t.Context(), t, h.links, h.scope(space, "").View)
		})
	}
}
