package turns_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/search/turns"
)

// TestTurns holds that half of the processors search at most, that a bounded number waits, and that whoever comes then
// is told at once.
func TestTurns(t *testing.T) {
	each := turns.New(8)
	var active, most, served, refused atomic.Int64
	release := make(chan struct{})
	var all sync.WaitGroup
	for range 4 + turns.Most + 10 {
		all.Go(func() {
			done, err := each.Take(context.Background(), time.Minute)
			if errs.Is(err, errs.Unavailable) {
				refused.Add(1)
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			now := active.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			<-release
			active.Add(-1)
			served.Add(1)
			done()
		})
	}
	for deadline := time.Now().Add(time.Minute); refused.Load() < 10 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	close(release)
	all.Wait()
	if most.Load() != 4 || served.Load() != 4+turns.Most || refused.Load() != 10 {
		t.Errorf("%d at once, %d served, %d refused", most.Load(), served.Load(), refused.Load())
	}
	done, err := turns.New(1).Take(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	done()
}
