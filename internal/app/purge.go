package app

import (
	"context"
	"log/slog"
	"time"
)

// sweepInterval is how often a process looks whether it has search indexes of spaces that are gone.
const sweepInterval = 10 * time.Minute

// schedulePurge registers the work that removes for good what was deleted, and what has no use any more.
func (a *App) schedulePurge() {
	a.every("space.purge", time.Hour, func(ctx context.Context) error {
		now := time.Now()
		if _, err := a.comments.PurgeExpired(ctx, now); err != nil {
			return err
		}
		purged, err := a.spaces.Purge(ctx, now)
		if err != nil {
			return err
		}
		if purged == 0 {
			return nil
		}
		a.log.InfoContext(ctx, "removed deleted spaces for good", slog.Int("spaces", purged))
		a.sweepIndexes(ctx)
		return a.db.TruncateLog(ctx)
	})
	a.every("content.collect", 6*time.Hour, func(ctx context.Context) error {
		report, err := a.content.Collect(ctx)
		if err != nil {
			return err
		}
		a.log.InfoContext(ctx, "collected garbage", slog.Any("report", report))
		if err := a.translations.Collect(ctx); err != nil {
			return err
		}
		return a.db.TruncateLog(ctx)
	})
}

// keepSweeping removes the search indexes of spaces that are gone, which other processes may have removed, until ctx
// ends.
func (a *App) keepSweeping(ctx context.Context) {
	for {
		a.sweepIndexes(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
	}
}

// sweepIndexes removes the search indexes of spaces that are gone from this process's disk. What fails is tried again
// with the next sweep.
func (a *App) sweepIndexes(ctx context.Context) {
	removed, err := a.search.Sweep(ctx)
	if err != nil && ctx.Err() == nil {
		a.log.ErrorContext(ctx, "remove the search indexes of spaces that are gone", slog.Any("error", err))
	}
	if removed > 0 {
		a.log.InfoContext(ctx, "removed search indexes of spaces that are gone", slog.Int("spaces", removed))
	}
}
