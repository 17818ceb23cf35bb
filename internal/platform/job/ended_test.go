package job

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestEndedIsWrittenWithTheJob holds that what a kind writes about the end of a job is there exactly when the job has
// ended, whichever way it did. The record is the name of another job's row, because this package has no other table.
func TestEndedIsWrittenWithTheJob(t *testing.T) {
	fault := errors.New("fault")
	tests := []struct {
		name string
		// run is the handler; it may wait for its context.
		run func(ctx context.Context) error
		// cancel says whether the job is cancelled: before it runs, or while it runs.
		cancelWaiting, cancelRunning bool
		// attempts is how often the process has died with the job before.
		attempts int
		want     State
		wantErr  error
		wantRuns int32
	}{
		{name: "done", run: func(context.Context) error { return nil }, want: Done, wantRuns: 1},
		{name: "failed each time", run: func(context.Context) error { return fault }, want: Failed, wantErr: fault,
			wantRuns: 3},
		{name: "failed for good", run: func(context.Context) error { return Permanent(fault) }, want: Failed,
			wantErr: fault, wantRuns: 1},
		{name: "cancelled while it waits", run: func(context.Context) error { return nil }, cancelWaiting: true,
			want: Cancelled, wantErr: ErrCancelled},
		{name: "cancelled while it runs", run: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			cancelRunning: true,
			want:          Cancelled, wantErr: context.Canceled, wantRuns: 1},
		{name: "abandoned", run: func(context.Context) error { return nil }, attempts: 3, want: Failed,
			wantErr: ErrAbandoned},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				r := newRunner(d)
				var runs, told atomic.Int32
				started, ends := make(chan struct{}, 10), make(chan End, 10)
				r.Register("work", func(ctx context.Context, _ json.RawMessage) error {
					runs.Add(1)
					started <- struct{}{}
					return test.run(ctx)
				}, Options{
					MaxAttempts: 3,
					Backoff:     func(int) time.Duration { return time.Millisecond },
					Ended: func(ctx context.Context, q db.Querier, args json.RawMessage, end End) error {
						if string(args) != `{"record":7}` {
							t.Errorf("args: %s", args)
						}
						if told.Add(1) == 1 {
							// A fault of the first try takes the end of the job back with it.
							_, err := q.ExecContext(ctx, `INSERT INTO no_such_table (id) VALUES (1)`)
							return err
						}
						ends <- end
						_, err := q.ExecContext(ctx,
							`UPDATE job SET last_error = 'told' WHERE kind = 'work' AND state = $1`, string(end.State))
						return err
					},
				})
				added := enqueue(t, r, "work", map[string]int{"record": 7}, At(time.Now().Add(-time.Second)))
				if test.attempts > 0 {
					if _, err := d.Write().ExecContext(t.Context(), `UPDATE job SET attempt = $2 WHERE id = $1`, added,
						test.attempts); err != nil {
						t.Fatal(err)
					}
				}
				if test.cancelWaiting {
					if err := r.Cancel(t.Context(), added); err == nil {
						t.Fatal("the fault of Ended is not told")
					}
					if status, err := r.Get(t.Context(), added); err != nil || status.State != Queued {
						t.Fatalf("the job has ended without its record: %+v %v", status, err)
					}
					if err := r.Cancel(t.Context(), added); err != nil {
						t.Fatal(err)
					}
				}
				start(t, r)
				if test.cancelRunning {
					receive(t, started)
					if err := r.Cancel(t.Context(), added); err != nil {
						t.Fatal(err)
					}
				}
				status := await(t, r, added, test.want)
				if status.LastError != "told" {
					t.Errorf("the job has ended without what Ended wrote: %+v", status)
				}
				end := receive(t, ends)
				if end.ID != added || end.State != test.want || !errors.Is(end.Err, test.wantErr) ||
					(end.Err == nil) != (test.wantErr == nil) {
					t.Errorf("told %+v, want %s with %v", end, test.want, test.wantErr)
				}
				if runs.Load() != test.wantRuns || told.Load() != 2 {
					t.Errorf("%d runs, told %d times; want %d and 2", runs.Load(), told.Load(), test.wantRuns)
				}
			})
		}
	})
}
