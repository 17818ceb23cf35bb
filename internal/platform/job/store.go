package job

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mask"
)

// row is what is written for a new job.
type row struct {
	id, kind, args   string
	maxAttempts      int
	dueAt, createdAt time.Time
	every            time.Duration
}

// claimed is a job that this process has taken.
type claimed struct {
	id, kind, args       string
	attempt, maxAttempts int
	every                time.Duration
	cancelRequested      bool
}

func insert(ctx context.Context, q db.Querier, job row) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO job (id, kind, args, state, attempt, max_attempts, due_at, repeat_every, holder, cancel_requested,
		last_error, created_at)
		VALUES ($1, $2, $3, 'queued', 0, $4, $5, $6, '', $7, '', $8)`,
		job.id, job.kind, job.args, job.maxAttempts, db.Micros(job.dueAt), job.every.Microseconds(), false,
		db.Micros(job.createdAt))
	return err
}

// schedule makes the one row of a periodic kind, or gives it another interval.
func schedule(ctx context.Context, q db.Querier, job row) error {
	var every int64
	err := q.QueryRowContext(ctx, `SELECT repeat_every FROM job WHERE id = $1`, job.id).Scan(&every)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return insert(ctx, q, job)
	case err != nil:
		return err
	case every == job.every.Microseconds():
		return nil
	}
	// A shorter interval counts from now; a run under way keeps its lease.
	_, err = q.ExecContext(ctx, `
		UPDATE job SET repeat_every = $2, max_attempts = $3,
			due_at = CASE WHEN state = 'queued' AND due_at > $4 THEN $4 ELSE due_at END
		WHERE id = $1`,
		job.id, job.every.Microseconds(), job.maxAttempts, db.Micros(job.dueAt))
	return err
}

// nextDue returns when the first job of these kinds is due; false when there is none.
func nextDue(ctx context.Context, q db.Querier, kinds []string) (time.Time, bool, error) {
	args := make([]any, len(kinds))
	for i, name := range kinds {
		args[i] = name
	}
	var micros int64
	err := q.QueryRowContext(ctx,
		`SELECT due_at FROM job WHERE due_at IS NOT NULL AND kind IN (`+db.Placeholders(1, len(kinds))+
			`) ORDER BY due_at LIMIT 1`, args...).Scan(&micros)
	if errors.Is(err, db.ErrNoRows) {
		return time.Time{}, false, nil
	}
	return db.Time(micros), err == nil, err
}

// claim takes up to limit due jobs for a holder until the end of the lease.
func claim(ctx context.Context, d *db.DB, holder string, kinds []string, limit int, now time.Time,
	lease time.Duration) ([]claimed, error) {
	// Claims of other processes hold the rows they are about to take; waiting for those would only find them taken.
	skip := ""
	if d.Dialect() == db.Postgres {
		skip = ` FOR UPDATE SKIP LOCKED`
	}
	args := []any{holder, db.Micros(now), db.Micros(now.Add(lease)), limit}
	for _, name := range kinds {
		args = append(args, name)
	}
	return db.All(ctx, d.Write(), "", func(row db.Scanner) (claimed, error) {
		var (
			job   claimed
			every int64
		)
		err := row.Scan(&job.id, &job.kind, &job.args, &job.attempt, &job.maxAttempts, &every, &job.cancelRequested)
		job.every = time.Duration(every) * time.Microsecond
		return job, err
	}, `
		UPDATE job SET state = 'running', holder = $1, attempt = attempt + 1, started_at = $2, due_at = $3
		WHERE id IN (
			SELECT id FROM job WHERE due_at <= $2 AND kind IN (`+db.Placeholders(5, len(kinds))+`)
			ORDER BY due_at, id LIMIT $4`+skip+`)
		RETURNING id, kind, args, attempt, max_attempts, repeat_every, cancel_requested`, args...)
}

// renew keeps a running job until the end of another lease and stores its progress when there is some. It reports
// whether the job is still the holder's, and whether somebody wants it cancelled.
func renew(ctx context.Context, q db.Querier, job claimed, holder string, until time.Time,
	progress []byte) (held, cancelRequested bool, err error) {
	result, err := q.ExecContext(ctx, `
		UPDATE job SET due_at = $4, progress = COALESCE($5, progress)
		WHERE id = $1 AND holder = $2 AND attempt = $3 AND state = 'running'`,
		job.id, holder, job.attempt, db.Micros(until), nullText(progress))
	if err != nil {
		return false, false, err
	}
	changed, err := result.RowsAffected()
	if err != nil || changed == 0 {
		return false, false, err
	}
	cancelRequested, err = wantsCancel(ctx, q, job.id)
	return true, cancelRequested, err
}

func wantsCancel(ctx context.Context, q db.Querier, jobID string) (wanted bool, err error) {
	err = q.QueryRowContext(ctx, `SELECT cancel_requested FROM job WHERE id = $1`, jobID).Scan(&wanted)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	return wanted, err
}

// outcome is how a run ended, and when the job is due again; a zero dueAt ends the job.
type outcome struct {
	state    State
	attempt  int
	dueAt    time.Time
	text     string // of the error
	progress []byte
}

// settle writes the outcome of a run. It reports whether the job was still the holder's.
func settle(ctx context.Context, q db.Querier, job claimed, holder string, end outcome,
	now time.Time) (held bool, err error) {
	var dueAt, finishedAt sql.NullInt64
	if end.dueAt.IsZero() {
		finishedAt = sql.NullInt64{Int64: db.Micros(now), Valid: true}
	} else {
		dueAt = sql.NullInt64{Int64: db.Micros(end.dueAt), Valid: true}
	}
	result, err := q.ExecContext(ctx, `
		UPDATE job SET state = $4, attempt = $5, due_at = $6, finished_at = $7, last_error = $8, progress = COALESCE($9,
		progress),
			holder = '', cancel_requested = $10
		WHERE id = $1 AND holder = $2 AND attempt = $3 AND state = 'running'`,
		job.id, holder, job.attempt, string(end.state), end.attempt, dueAt, finishedAt, mask.Text(end.text),
		nullText(end.progress), false)
	if err != nil {
		return false, err
	}
	changed, err := result.RowsAffected()
	return changed == 1, err
}

// requestCancel cancels a job that waits, and returns it, or notes that one that runs is to be cancelled.
func requestCancel(ctx context.Context, q db.Querier, jobID string, now time.Time) (waiting *claimed, err error) {
	var (
		state string
		every int64
		job   = claimed{id: jobID}
	)
	err = q.QueryRowContext(ctx, `SELECT state, repeat_every, kind, args FROM job WHERE id = $1`, jobID).Scan(&state,
		&every, &job.kind, &job.args)
	switch {
	case errors.Is(err, db.ErrNoRows):
		return nil, notFound(jobID)
	case err != nil:
		return nil, err
	case State(state) == Running:
		_, err = q.ExecContext(ctx, `UPDATE job SET cancel_requested = $2 WHERE id = $1`, jobID, true)
	case State(state) == Queued && every == 0:
		_, err = q.ExecContext(ctx, `UPDATE job SET state = 'cancelled', due_at = NULL, finished_at = $2 WHERE id = $1`,
			jobID, db.Micros(now))
		waiting = &job
	}
	return waiting, err
}

func find(ctx context.Context, q db.Querier, jobID string) (Status, error) {
	var (
		status     Status
		state      string
		progress   sql.NullString
		createdAt  int64
		finishedAt sql.NullInt64
	)
	err := q.QueryRowContext(ctx,
		`SELECT id, kind, state, attempt, progress, last_error, created_at, finished_at FROM job WHERE id = $1`, jobID).
		Scan(&status.ID, &status.Kind, &state, &status.Attempt, &progress, &status.LastError, &createdAt, &finishedAt)
	if errors.Is(err, db.ErrNoRows) {
		return Status{}, notFound(jobID)
	}
	if err != nil {
		return Status{}, err
	}
	status.State = State(state)
	status.CreatedAt = db.Time(createdAt)
	if progress.Valid {
		status.Progress = json.RawMessage(progress.String)
	}
	if finishedAt.Valid {
		status.FinishedAt = db.Time(finishedAt.Int64)
	}
	return status, nil
}

// purge deletes the jobs that ended before a time, a few at once so that no other writer waits long.
func purge(ctx context.Context, q db.Querier, before time.Time) (deleted int64, err error) {
	for {
		result, err := q.ExecContext(ctx,
			`DELETE FROM job WHERE id IN (SELECT id FROM job WHERE finished_at < $1 ORDER BY finished_at LIMIT 500)`,
			db.Micros(before))
		if err != nil {
			return deleted, err
		}
		count, err := result.RowsAffected()
		if err != nil || count == 0 {
			return deleted, err
		}
		deleted += count
	}
}

func notFound(jobID string) error {
	return errs.NotFoundf("There is no job %q; it may have ended over a week ago.", jobID)
}

// nullText passes nothing as NULL.
func nullText(text []byte) sql.NullString {
	return sql.NullString{String: string(text), Valid: text != nil}
}

func (r *Runner) purge(ctx context.Context) error {
	deleted, err := purge(ctx, r.database.Write(), r.now().Add(-r.timing.retain))
	if err != nil {
		return fmt.Errorf("delete old jobs: %w", err)
	}
	if deleted > 0 {
		r.log.Info("deleted old jobs", "count", deleted)
	}
	return nil
}
