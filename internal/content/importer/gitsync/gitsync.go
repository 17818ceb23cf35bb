// Package gitsync owns what is told of imports from Git repositories: that a commit begins to be brought into the main
// content of a space, and how that ended.
package gitsync

import (
	"context"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Sync is an import of a commit into the main content of a space, from the moment at which the commit is known.
type Sync struct {
	Space id.Space
	// Revision is the head of the space: what was there before, and at a successful end what has become of it.
	Revision id.Revision
	Commit   string
	// State says where it stands.
	State State
}

// State is where a Sync stands.
type State string

// States of a Sync.
const (
	Started   State = "started"
	Succeeded State = "success"
	Failed    State = "failure"
)

// Tell tells of a Sync in a transaction.
type Tell func(ctx context.Context, q db.Querier, sync Sync) error

// failLimit is how long telling of a failure may take.
const failLimit = 10 * time.Second

// Telling tells of one import. The zero value tells nothing, which is for imports of no commit and for who has nobody
// to tell.
type Telling struct {
	tell Tell
	sync Sync
}

// New returns what tells of a Sync; nil for tell is nobody.
func New(tell Tell, sync Sync) Telling { return Telling{tell, sync} }

func (t Telling) as(ctx context.Context, q db.Querier, state State, revision id.Revision) error {
	sync := t.sync
	sync.State, sync.Revision = state, revision
	return t.tell(ctx, q, sync)
}

// Started tells that the import begins.
func (t Telling) Started(ctx context.Context, d *db.DB) error {
	if t.tell == nil {
		return nil
	}
	return d.Tx(ctx, func(ctx context.Context, q db.Querier) error { return t.as(ctx, q, Started, t.sync.Revision) })
}

// Succeeded tells, in the transaction of the import, that it has led to a revision.
func (t Telling) Succeeded(ctx context.Context, q db.Querier, revision id.Revision) error {
	if t.tell == nil {
		return nil
	}
	return t.as(ctx, q, Succeeded, revision)
}

// Failed tells that the import has changed nothing, also when its context has ended. What goes wrong with that is
// logged.
func (t Telling) Failed(ctx context.Context, d *db.DB, log *slog.Logger) {
	if t.tell == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failLimit)
	defer cancel()
	err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error { return t.as(ctx, q, Failed, t.sync.Revision) })
	if err != nil {
		log.WarnContext(ctx, "tell that an import has failed", slog.String("space", string(t.sync.Space)),
			slog.Any("error", err))
	}
}
