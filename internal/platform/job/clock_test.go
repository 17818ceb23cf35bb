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

// TestClockThatJumpedLeavesNothingFarAway lets a process work while its clock is a year ahead, then another one with
// the right clock, and wants everything to be done in its time: the periodic job, the one that is tried again, the one
// whose process was killed, and the one that was enqueued then. What is meant to wait for long still does.
func TestClockThatJumpedLeavesNothingFarAway(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel() // it waits most of the time
		var ahead atomic.Bool
		ahead.Store(true)
		const year = 365 * 24 * time.Hour
		clock := func() time.Time {
			if ahead.Load() {
				return time.Now().Add(year)
			}
			return time.Now()
		}
		ticked, failed := make(chan struct{}, 100), make(chan struct{}, 100)
		prepare := func() *Runner {
			r := newRunner(d)
			r.now = clock
			r.timing.clock = 20 * time.Millisecond
			r.Register("tick", func(context.Context, json.RawMessage) error { ticked <- struct{}{}; return nil },
				Options{})
			r.Every("tick", 200*time.Millisecond)
			r.Register("try", func(context.Context, json.RawMessage) error {
				if ahead.Load() {
					failed <- struct{}{}
					return errors.New("not yet")
				}
				return nil
			}, Options{Backoff: func(int) time.Duration { return time.Minute }})
			r.Register("work", func(context.Context, json.RawMessage) error { return nil }, Options{})
			return r
		}

		wrong := prepare()
		if err := wrong.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		receive(t, ticked)
		tried := enqueue(t, wrong, "try", nil)
		receive(t, failed)
		awaitThat(t, wrong, tried, "waiting for another try", func(s Status) bool {
			return s.State == Queued && s.Attempt == 1
		})
		if err := wrong.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		fresh, killed := enqueue(t, wrong, "work", nil), enqueue(t, wrong, "work", nil)
		_, err := d.Write().ExecContext(t.Context(),
			`UPDATE job SET state = 'running', attempt = 1, holder = 'gone' WHERE id = $1`, killed)
		if err != nil {
			t.Fatal(err)
		}

		ahead.Store(false)
		for len(ticked) > 0 {
			<-ticked
		}
		right := prepare()
		later := enqueue(t, right, "work", nil, At(time.Now().Add(year)))
		start(t, right)
		receive(t, ticked)
		for _, each := range []string{tried, fresh, killed} {
			await(t, right, each, Done)
		}
		if status, err := right.Get(t.Context(), later); err != nil || status.State != Queued {
			t.Errorf("what is to wait for a year: %+v, %v", status, err)
		}
	})
}
