package job

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestAtOnceLeavesWorkersToOthers holds that a kind with a bound never runs more often at a time, that all of it runs
// in the end, and that other kinds run meanwhile.
func TestAtOnceLeavesWorkersToOthers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		var running, most, done atomic.Int32
		release, other := make(chan struct{}), make(chan struct{}, 1)
		r.Register("long", func(context.Context, json.RawMessage) error {
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			<-release
			running.Add(-1)
			done.Add(1)
			return nil
		}, Options{AtOnce: 2})
		r.Register("short", func(context.Context, json.RawMessage) error { other <- struct{}{}; return nil }, Options{})
		for range 6 {
			enqueue(t, r, "long", nil)
		}
		start(t, r)
		for deadline := time.Now().Add(patience); running.Load() < 2; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("two do not run")
			}
		}
		enqueue(t, r, "short", nil)
		receive(t, other)
		close(release)
		for deadline := time.Now().Add(patience); done.Load() < 6; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d of 6 have run", done.Load())
			}
		}
		if most.Load() != 2 {
			t.Errorf("%d ran at a time, want 2", most.Load())
		}
	})
}
