package spec_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// clock is a time that tests move.
type clock struct {
	mutex sync.Mutex
	at    time.Time
}

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(time.Microsecond) // times differ, as those of a real clock do
	return c.at
}

func (c *clock) advance(by time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(by)
}

// web is what the fake fetcher finds, by address.
type web struct {
	mutex   sync.Mutex
	pages   map[string]func(ctx context.Context) (int, string, error)
	fetched map[string]int
}

func (w *web) set(address string, answer func(ctx context.Context) (int, string, error)) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.pages[address] = answer
}

func (w *web) text(address, text string) {
	w.set(address, func(context.Context) (int, string, error) { return http.StatusOK, text, nil })
}

func (w *web) count(address string) int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.fetched[address]
}

func (w *web) get(ctx context.Context, address string, limits fetch.Limits) (*fetch.Response, []byte, error) {
	w.mutex.Lock()
	w.fetched[address]++
	answer := w.pages[address]
	w.mutex.Unlock()
	if answer == nil {
		return nil, nil, errors.New("no route to host")
	}
	status, text, err := answer(ctx)
	if err != nil {
		return nil, nil, err
	}
	if int64(len(text)) > limits.Bytes {
		return nil, nil, errors.New("larger than the limit that was asked for")
	}
	at, err := url.Parse(address)
	return &fetch.Response{URL: at, Status: status}, []byte(text), err
}

// fixture is an organization with people of several roles.
type fixture struct {
	*spec.Service
	db           *db.DB
	jobs         *job.Runner
	content      *store.Service
	clock        *clock
	web          *web
	orgs         *org.Service
	organization id.Organization
	admin        account.Caller
}

func newFixture(t testing.TB, d *db.DB) *fixture {
	t.Helper()
	blobs, err := blob.OpenStore("dir:" + t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &fixture{
		db: d, clock: &clock{at: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)},
		web: &web{pages: map[string]func(context.Context) (int, string, error){}, fetched: map[string]int{}},
	}
	h.content = requiredtest.Wire(store.New(store.Deps{DB: d, Blobs: blobs, Grace: time.Nanosecond}),
		store.Hooks{BlobInUse: spec.BlobInUse})
	h.orgs = orgtest.NewService(t,
		org.Deps{DB: d, Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{})}, org.Hooks{})
	made, err := h.orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: "admin@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	h.organization, h.admin = made.Organization.ID, account.Caller{User: made.User}
	h.jobs = job.New(d, slog.New(slog.DiscardHandler))
	h.Service = spec.New(spec.Deps{
		DB: d, Content: h.content, Jobs: h.jobs, Fetch: h.web.get, Now: h.clock.now, FetchTime: 50 * time.Millisecond,
		Log: slog.New(slog.DiscardHandler),
	})
	h.Service.SetHooks(spec.Hooks{})
	return h
}

func (h *fixture) member(t testing.TB, role org.Role) account.Caller {
	t.Helper()
	added, err := h.orgs.AddUser(t.Context(), org.NewMember{Email: "role-" + string(role) + "@example.org",
		Organization: h.organization, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	return account.Caller{User: added.User}
}

// get reads a specification as the admin.
func (h *fixture) get(t testing.TB, slug string) spec.Spec {
	t.Helper()
	found, err := h.Get(t.Context(), h.admin, h.organization, slug)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// put puts a source and returns the specification, which waits.
func (h *fixture) put(t testing.TB, slug string, source spec.Source) spec.Spec {
	t.Helper()
	if _, _, err := h.Upsert(t.Context(), h.admin, h.organization, slug, source); err != nil {
		t.Fatal(err)
	}
	return h.get(t, slug)
}

// run processes the newest request of a specification and returns what came of it.
func (h *fixture) run(t testing.TB, slug string) spec.Spec {
	t.Helper()
	current := h.get(t, slug)
	if err := h.Process(t.Context(), current.ID, current.Generation()); err != nil {
		t.Fatal(err)
	}
	return h.get(t, slug)
}

func text(s string) spec.Source    { return spec.Source{Text: &s} }
func address(s string) spec.Source { return spec.Source{URL: &s} }

const pets = `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      summary: List pets
      tags: [pets]
      responses:
        "200": {description: All of them}
`
