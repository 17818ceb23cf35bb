// Package turns owns letting only some queries be worked on at once, and work in the background leave processors to
// them.
package turns

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Most bounds how many queries wait for their turn.
const Most = 64

// Turns lets some queries be worked on at once, and some wait. Each takes a processor as long as it runs: half of them
// are left to those who read.
type Turns struct {
	free    chan struct{}
	waiting *atomic.Int64
}

// New returns the turns for a number of processors.
func New(processors int) Turns {
	return Turns{free: make(chan struct{}, max(1, processors/2)), waiting: new(atomic.Int64)}
}

// Take waits for a turn and returns what ends it. It returns an errs.Unavailable error when too many wait or when the
// turn does not come in time.
func (t Turns) Take(ctx context.Context, patience time.Duration) (done func(), err error) {
	done = func() { <-t.free }
	select {
	case t.free <- struct{}{}:
		return done, nil
	default:
	}
	if t.waiting.Add(1) > Most {
		t.waiting.Add(-1)
		return nil, busy()
	}
	defer t.waiting.Add(-1)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case t.free <- struct{}{}:
		return done, nil
	case <-timer.C:
		return nil, busy()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func busy() error {
	return errs.New(errs.Unavailable, "Many people search at this moment. Try again in a moment.")
}
