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
	// full says that one was turned away since.
	full bool
}

// recount is after what time a full queue is taken to have room again: what was counted may have been undone.
const recount = time.Minute

// add counts one more, and reports false when as many as most wait already. first says that this is the first one that
// is turned away since somebody has counted.
func (b *backlog) add(queue string, most int) (ok, first bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.queues[queue]
	if one.at.IsZero() {
		one.at = time.Now()
	}
	if one.count >= most {
		if time.Since(one.at) < recount {
			first, one.full = !one.full, true
			b.queues[queue] = one
			return false, first
		}
		one = waitingCount{at: time.Now()}
	}
	one.count++
	b.queues[queue] = one
	return true, false
}

// set says how many wait, as somebody has counted.
func (b *backlog) set(queue string, waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if waiting == 0 {
		delete(b.queues, queue)
		return
	}
	b.queues[queue] = waitingCount{count: waiting, at: time.Now(), full: b.queues[queue].full && waiting >= maxQueued}
}
