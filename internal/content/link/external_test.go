package link_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// web is a server of addresses with a status each, that counts what it is asked.
type web struct {
	mutex  sync.Mutex
	status map[string]int
	asked  []string
}

func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.asked = append(w.asked, r.Method+" "+r.URL.Path)
	status := w.status[r.URL.Path]
	if status == http.StatusMethodNotAllowed && r.Method == http.MethodGet {
		status = http.StatusOK
	}
	out.WriteHeader(status)
}

func (w *web) took() []string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	asked := w.asked
	w.asked = nil
	return asked
}

func TestCheckExternal(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		w := &web{status: map[string]int{"/fine": 200, "/get": 405, "/gone": 404, "/private": 403, "/trouble": 503}}
		server := httptest.NewServer(w)
		defer server.Close()
		h.links = requiredtest.Wire(link.New(link.Deps{
			DB: d, Content: h.content, Now: func() time.Time { return h.clock }, CheckPause: time.Microsecond,
			Fetch: fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}),
		}), link.Hooks{})
		docs := h.realSpace()
		at := server.URL
		h.commit(docs, "", nil, page("page_a", "a", "", fmt.Sprintf(
			"[1](%[1]s/fine) [2](%[1]s/get#part) [3](%[1]s/gone#a) [4](%[1]s/gone#b) [5](%[1]s/private) "+
				"[6](%[1]s/trouble) [7](http://10.0.0.1/x) [8](mailto:a@example.org)\n", at)))
		check := func(step string, asked int, want ...string) {
			t.Helper()
			report, err := h.links.CheckExternal(t.Context())
			if err != nil || report.Asked != asked {
				t.Fatalf("%s: %+v, %v", step, report, err)
			}
			list, err := h.links.Space(t.Context(), h.scope(docs, ""), link.Broken, paging.Request{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, each := range list.Items {
				got = append(got, each.Written[len(at):]+" "+each.Reason)
			}
			if diff := cmp.Diff(want, got); diff != "" || list.Count != len(want) || list.Stats.Broken != len(want) ||
				list.Stats.Total != 8 {
				t.Errorf("%s: count %d, stats %+v (-want +got):\n%s", step, list.Count, list.Stats, diff)
			}
			fine, err := h.links.Space(t.Context(), h.scope(docs, ""), link.OK, paging.Request{})
			if err != nil || fine.Count != 8-len(want) || len(fine.Items) != fine.Count {
				t.Errorf("%s: %d ok of %d, %v", step, len(fine.Items), fine.Count, err)
			}
		}
		// Each address is asked once, whatever its fragments; HEAD is trusted when it says that all is fine.
		check("first", 6, "/gone#a address-gone", "/gone#b address-gone")
		if got := len(w.took()); got != 1+4*2 {
			t.Errorf("%d requests", got)
		}
		check("at once again", 0, "/gone#a address-gone", "/gone#b address-gone")
		if got := w.took(); len(got) != 0 {
			t.Errorf("asked again at once: %q", got)
		}
		for i := range 2 {
			h.clock = h.clock.Add(3 * time.Hour)
			if i == 0 {
				check("later", 1, "/gone#a address-gone", "/gone#b address-gone")
			} else {
				check("third time", 1, "/gone#a address-gone", "/gone#b address-gone", "/trouble no-answer")
			}
		}
		w.mutex.Lock()
		w.status["/gone"], w.status["/trouble"] = 200, 200
		w.mutex.Unlock()
		h.clock = h.clock.Add(30 * time.Hour)
		check("all is well", 2)
		// What is not linked any more is not asked.
		h.commit(docs, "", nil, page("page_a", "a", "", "[1](/pages/page_a)\n"))
		h.clock = h.clock.Add(365 * 24 * time.Hour)
		if report, err := h.links.CheckExternal(t.Context()); err != nil || report.Asked != 0 {
			t.Errorf("without links: %+v, %v", report, err)
		}
		// Without checks every address is ok.
		off := requiredtest.Wire(link.New(link.Deps{DB: d, Content: h.content}), link.Hooks{})
		if report, err := off.CheckExternal(t.Context()); err != nil || report != (link.CheckReport{}) {
			t.Errorf("off: %+v, %v", report, err)
		}
	})
}

// realSpace makes a space with its row, which tells whether it is in the trash.
func (h *fixture) realSpace() id.Space {
	h.t.Helper()
	accounts := accounttest.NewService(account.Deps{DB: h.db, Log: slog.New(slog.DiscardHandler)}, account.Hooks{})
	made, err := orgtest.NewService(h.t, org.Deps{DB: h.db, Accounts: accounts}, org.Hooks{}).Init(h.t.Context(),
		org.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"})
	if err != nil {
		h.t.Fatal(err)
	}
	spaces := requiredtest.Wire(space.New(space.Deps{DB: h.db}),
		space.Hooks{InitContent: h.content.Init, DropContent: func(context.Context, db.Querier,
			id.Space) error {
			return nil
		}})

	created, err := spaces.Create(h.t.Context(), account.Caller{User: made.User}, made.Organization.ID,
		space.NewSpace{Title: "Space"})
	if err != nil {
		h.t.Fatal(err)
	}
	return created.ID
}
