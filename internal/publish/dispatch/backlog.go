package dispatch

import (
	"sync"
	"time"
)

// backlog knows nearly how many events wait in each queue that is worked on, so that nobody counts them in the
// transaction of what has happened: two that count and add would collide.
type backlog struct {
	mu     sync.Mutex
	queues map[string]waitingCount
}

type waitingCount struct {
	count int
	// at is when somebody has counted last.
	at time.Time
}

// recount is after what time a full queue is taken to have room again: what was counted may have been undone.
const recount = time.Minute

// add counts one more, and reports false when too many wait already.
func (b *backlog) add(queue string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.queues[queue]
	if one.at.IsZero() {
		one.at = time.Now()
	}
	if one.count >= maxQueued {
		if time.Since(one.at) < recount {
			return false
		}
		one = waitingCount{at: time.Now()}
	}
	one.count++
	b.queues[queue] = one
	return true
}

// set says how many wait, as somebody has counted.
func (b *backlog) set(queue string, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if waiting == 0 {
		delete(b.queues, queue)
		return
	}
	b.queues[queue] = waitingCount{waiting, time.Now()}
}
