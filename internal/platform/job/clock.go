package job

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
)

// longestPause is longer than any pause between two attempts.
const longestPause = 24 * time.Hour

// late is the condition of the jobs that no clock that goes right would make wait for so long, and mended is when each
// is due instead: a periodic job one interval from now, a running one at the end of a lease, one that waits for another
// attempt now, and one that was enqueued in the future as long after now as it was meant to wait.
//
// $1 is now, $2 two leases from now, $3 the longest pause from now, $4 a lease from now.
const (
	late = `due_at > $1 AND (
		state = 'queued' AND repeat_every > 0 AND due_at > $1 + repeat_every
		OR state = 'running' AND due_at > $2
		OR state = 'queued' AND repeat_every = 0 AND attempt > 0 AND due_at > $3
		OR state = 'queued' AND repeat_every = 0 AND attempt = 0 AND created_at > $2)`
	mended = `CASE WHEN state = 'running' THEN $4
		WHEN repeat_every > 0 THEN $1 + repeat_every
		WHEN attempt > 0 THEN $1
		ELSE $1 + due_at - created_at END`
)

// mendClock puts right what a clock that jumped has left: jobs that would wait for the time that it showed. Leases and
// intervals are short, so a clock that is right never finds any. The first look goes through the readers, so that it
// keeps no writer waiting.
func (r *Runner) mendClock(ctx context.Context) error {
	now := r.now()
	times := []any{db.Micros(now), db.Micros(now.Add(2 * r.timing.lease)), db.Micros(now.Add(longestPause))}
	var count int
	err := r.database.Read().QueryRowContext(ctx, `SELECT COUNT(*) FROM job WHERE `+late, times...).Scan(&count)
	if err != nil || count == 0 {
		return wrapClock(err)
	}
	result, err := r.database.Write().ExecContext(ctx,
		`UPDATE job SET due_at = `+mended+`, created_at = CASE WHEN created_at > $1 THEN $1 ELSE created_at END WHERE `+
			late,
		append(times, db.Micros(now.Add(r.timing.lease)))...)
	if err != nil {
		return wrapClock(err)
	}
	changed, err := result.RowsAffected()
	if err == nil && changed > 0 {
		r.log.LogAttrs(ctx, slog.LevelWarn,
			"jobs waited for a time that is far ahead; the clock of a server must have jumped",
			slog.Int64("jobs", changed))
	}
	return wrapClock(err)
}

func wrapClock(err error) error {
	if err != nil {
		return fmt.Errorf("look for jobs of a clock that jumped: %w", err)
	}
	return nil
}
