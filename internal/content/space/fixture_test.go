package space_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
)

// fixture is an organization with one member per role, another organization with an admin, and the service under test.
type fixture struct {
	made *account.Caller
	*space.Service
	*orgtest.Fixture
	db *db.DB

	mutex       sync.Mutex
	now         time.Time
	started     []id.Space // spaces whose content was started
	dropped     []id.Space // spaces whose content was dropped
	failContent error
	copied      [][2]string // revisions and the spaces that they were copied to
	onSite      map[id.Space]bool
	transferred []id.Space
}

// by lets somebody make what the test makes next.
func (h *fixture) by(maker account.Caller) { h.made = &maker }

// maker is who makes what a test needs: an admin, unless it said otherwise.
func (h *fixture) maker() account.Caller {
	if h.made != nil {
		return *h.made
	}
	return h.Admin()
}

func (h *fixture) clock() time.Time {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.now
}

func (h *fixture) wait(d time.Duration) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.now = h.now.Add(d)
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	h := &fixture{Fixture: orgtest.New(t, d), db: d, now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)}
	h.onSite = map[id.Space]bool{}
	h.Service = requiredtest.Wire(space.New(space.Deps{DB: d, Now: h.clock}),
		space.Hooks{CopyContent: func(_ context.Context, _ db.Querier, from id.Revision, to id.Space, _ id.User,
			_ int64) error {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.copied = append(h.copied, [2]string{string(from), string(to)})
			return h.failContent
		}, OnSite: func(_ context.Context, _ db.Querier, spaceIDs []id.Space) (id.Space, error) {
			for _, spaceID := range spaceIDs {
				if h.onSite[spaceID] {
					return spaceID, nil
				}
			}
			return "", nil
		}, Transferred: func(_ context.Context, _ db.Querier, spaceID id.Space, _ id.Organization) error {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.transferred = append(h.transferred, spaceID)
			return nil
		}, InitContent: func(_ context.Context, _ db.Querier, spaceID id.Space, userID id.User, _ int64) error {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.started = append(h.started, spaceID)
			return h.failContent
		}, DropContent: func(_ context.Context, _ db.Querier, spaceID id.Space) error {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.dropped = append(h.dropped, spaceID)
			return h.failContent
		}})
	return h
}

func (h *fixture) add(t *testing.T, title string) space.Space {
	t.Helper()
	made, err := h.Create(t.Context(), h.maker(), h.Organization, space.NewSpace{Title: title})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v, want one of kind %d with %q", err, kind, text)
	}
}

func titles(spaces []space.Space) []string {
	var list []string
	for _, s := range spaces {
		list = append(list, s.Title)
	}
	return list
}

// list returns the titles that a caller sees, and fails the test when the count is another.
func (h *fixture) list(t *testing.T, caller account.Caller) []string {
	t.Helper()
	spaces, err := h.List(t.Context(), caller, h.Organization, paging.Request{Limit: 1000})
	if err != nil || spaces.Count != len(spaces.Items) || spaces.Next != nil {
		t.Fatal(spaces.Count, len(spaces.Items), spaces.Next, err)
	}
	return titles(spaces.Items)
}
