// Package changetest makes spaces whose content has change requests, for the tests of packages that stand on them.
package changetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Options are what tests give the services besides the database. Its zero value is enough.
type Options struct {
	Store store.Deps
	// Heads are more hooks of the store: those of OnHead run after that of change requests.
	Heads   store.Hooks
	Changes change.Hooks
	// Now is the clock of spaces; nil is that of the machine.
	Now func() time.Time
}

// New returns the services of content, change requests and spaces, each with what it asks of the others.
func New(t testing.TB, d *db.DB, with Options) (*store.Service, *change.Service, *space.Service) {
	t.Helper()
	if with.Now == nil {
		with.Now = time.Now
	}
	var changes *change.Service
	with.Heads.OnHead = slices.Insert(with.Heads.OnHead, 0,
		func(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
			return changes.OnHead(ctx, q, moved)
		})
	content := storetest.NewServiceWith(t, d, with.Store, with.Heads)
	changes = requiredtest.Wire(change.NewService(change.Deps{DB: d, Content: content}), with.Changes)
	spaces := requiredtest.Wire(space.New(space.Deps{DB: d, Now: with.Now}), space.Hooks{
		InitContent: content.Init, CopyContent: content.Duplicate,
		DropContent: func(ctx context.Context, q db.Querier, spaceID id.Space) error {
			return content.DropSpace(ctx, q, spaceID, with.Now().UnixMicro())
		}})
	return content, changes, spaces
}
