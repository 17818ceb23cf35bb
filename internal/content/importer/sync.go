package importer

import (
	"context"
	"log/slog"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Sync is an import of a commit of a Git repository into the main content of a space, from the moment at which the
// commit is known.
type Sync struct {
	Space id.Space
	// Revision is the head of the space: what was there before, and at a successful end what has become of it.
	Revision id.Revision
	Commit   string
	// State says where it stands.
	State SyncState
}

// SyncState is where a Sync stands.
type SyncState string

// States of a Sync.
const (
	SyncStarted   SyncState = "started"
	SyncSucceeded SyncState = "success"
	SyncFailed    SyncState = "failure"
)

// syncing returns the Sync that an import is, nil for what is none: an attempt, and what goes into a change request.
func syncing(record Import, to target, work *assembly) *Sync {
	from := work.origin()
	if from == nil || record.DryRun || to.branch != "" {
		return nil
	}
	return &Sync{Space: to.space, Revision: work.view.Revision().ID, Commit: from.Commit, State: SyncStarted}
}

// syncStarted tells that a Sync begins; nil is none.
func (s *Service) syncStarted(ctx context.Context, sync *Sync) error {
	if sync == nil || s.hooks.Get().Sync == nil {
		return nil
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return s.hooks.Get().Sync(ctx, q, *sync)
	})
}

// syncSucceeded tells, in the transaction of the import, that a Sync has led to a revision.
func (s *Service) syncSucceeded(ctx context.Context, q db.Querier, sync *Sync, revision id.Revision) error {
	if sync == nil || s.hooks.Get().Sync == nil {
		return nil
	}
	ended := *sync
	ended.Revision, ended.State = revision, SyncSucceeded
	return s.hooks.Get().Sync(ctx, q, ended)
}

// syncFailed tells that a Sync has changed nothing, also when the context of the import has ended.
func (s *Service) syncFailed(ctx context.Context, sync *Sync) {
	if sync == nil || s.hooks.Get().Sync == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endLimit)
	defer cancel()
	ended := *sync
	ended.State = SyncFailed
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error { return s.hooks.Get().Sync(ctx, q, ended) })
	if err != nil {
		s.deps.Log.WarnContext(ctx, "tell that an import has failed", slog.String("space", string(sync.Space)),
			slog.Any("error", err))
	}
}
