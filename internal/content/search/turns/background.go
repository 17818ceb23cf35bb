package turns

import (
	"slices"
	"sync"
	"time"
)

const (
	// lately is how long somebody is taken to search after a query: who types asks several times a second.
	lately = time.Second
	// patience bounds how long a step of work in the background waits for its turn.
	patience = time.Second
)

// Background lets work that nobody waits for, such as adding many pages, take half of the processors at most while
// somebody searches, and as many as it likes when nobody does. The work is divided into steps, none of which waits
// for its turn longer than a second: searches slow it, and never stop it.
type Background struct {
	most int

	mu       sync.Mutex
	busy     int             // steps that run
	waiting  []chan struct{} // of steps, who came first is first
	searches int             // queries that are worked on
	until    time.Time       // how long somebody is taken to search besides
}

// NewBackground returns the background of a number of processors.
func NewBackground(processors int) *Background { return &Background{most: max(1, processors/2)} }

// Searching says that a query is being worked on until what it returns is called.
func (b *Background) Searching() (done func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.searches++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.searches--
		b.until = time.Now().Add(lately)
	}
}

// Step waits for the turn of a step of work and returns what ends it. It does not wait when stop is closed, nil for
// never.
func (b *Background) Step(stop <-chan struct{}) (done func()) {
	b.mu.Lock()
	if b.busy < b.most || b.searches == 0 && time.Now().After(b.until) {
		b.busy++
		b.mu.Unlock()
		return b.end
	}
	turn := make(chan struct{})
	b.waiting = append(b.waiting, turn)
	b.mu.Unlock()

	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-turn:
		return b.end
	case <-timer.C:
	case <-stop:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if at := slices.Index(b.waiting, turn); at >= 0 { // else its turn has come at this moment
		b.waiting = slices.Delete(b.waiting, at, at+1)
		b.busy++
	}
	return b.end
}

// end ends a step and gives its turn to the one that waits longest.
func (b *Background) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busy--
	for len(b.waiting) > 0 && b.busy < b.most {
		close(b.waiting[0])
		b.waiting = b.waiting[1:]
		b.busy++
	}
}
