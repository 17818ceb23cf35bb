package turns_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rectodocs/recto/internal/content/search/turns"
)

// steps runs that many steps at once, each for a tenth of a second, and returns how many ran at the same time at most.
func steps(background *turns.Background, count int) int64 {
	var busy, most atomic.Int64
	var all sync.WaitGroup
	for range count {
		all.Go(func() {
			defer background.Step(nil)()
			now := busy.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			time.Sleep(time.Second / 10)
			busy.Add(-1)
		})
	}
	all.Wait()
	return most.Load()
}

// TestBackgroundLeavesProcessors holds that work in the background takes half of the processors while somebody
// searches and for a second behind, and as many as it likes otherwise.
func TestBackgroundLeavesProcessors(t *testing.T) {
	for processors, half := range map[int]int64{1: 1, 2: 1, 3: 1, 8: 4} {
		synctest.Test(t, func(t *testing.T) {
			background := turns.NewBackground(processors)
			if most := steps(background, 8); most != 8 {
				t.Errorf("%d processors, nobody searches: %d steps of 8 at once", processors, most)
			}
			first, second := background.Searching(), background.Searching()
			first()
			time.Sleep(time.Minute)
			if most := steps(background, 8); most != half {
				t.Errorf("%d processors, somebody searches: %d steps at once, not %d", processors, most, half)
			}
			second()
			if most := steps(background, 4); most != half {
				t.Errorf("%d processors, somebody has just searched: %d steps at once, not %d", processors, most, half)
			}
			time.Sleep(2 * time.Second)
			if most := steps(background, 8); most != 8 {
				t.Errorf("%d processors, nobody searches any more: %d steps of 8 at once", processors, most)
			}
		})
	}
}

// TestBackgroundIsNeverStopped holds that a step waits a second at most, whoever searches and however long another one
// takes, that none waits when its work is to stop, and that the turns are counted right afterwards.
func TestBackgroundIsNeverStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		background := turns.NewBackground(2)
		defer background.Searching()()
		long := background.Step(nil)
		began := time.Now()
		late := background.Step(nil)
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("a step beside a long one waited %s", waited)
		}
		stop := make(chan struct{})
		close(stop)
		began = time.Now()
		stopped := background.Step(stop)
		if waited := time.Since(began); waited != 0 {
			t.Errorf("a step of work that is to stop waited %s", waited)
		}
		for _, end := range []func(){long, late, stopped} {
			end()
		}
		if most := steps(background, 5); most != 1 {
			t.Errorf("%d steps at once when the others have ended", most)
		}
	})
}

// TestBackgroundIsFair holds that steps have their turns in the order in which they came.
func TestBackgroundIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		background := turns.NewBackground(2)
		defer background.Searching()()
		first := background.Step(nil)
		var order []int
		var all sync.WaitGroup
		for number := range 5 {
			all.Go(func() {
				end := background.Step(nil)
				order = append(order, number) // one at a time, which the race detector would tell
				end()
			})
			synctest.Wait()
		}
		first()
		all.Wait()
		for at, number := range order {
			if at != number {
				t.Fatalf("the order is %v", order)
			}
		}
		if len(order) != 5 {
			t.Errorf("%d steps of 5 had a turn", len(order))
		}
	})
}
