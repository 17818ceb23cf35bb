package store

import (
	"context"
	"sync"
)

// lanes lets the writers of one branch in this process go one after the other, so that they do not lose races against
// each other. It only saves work: the compare-and-swap of the head is what keeps them apart, also between processes.
type lanes struct {
	mutex sync.Mutex
	open  map[string]*lane
}

type lane struct {
	gate  chan struct{} // holds one token while somebody is in
	users int           // in or waiting
}

// enter waits for a lane. The caller calls leave when err is nil.
func (l *lanes) enter(ctx context.Context, key string) (leave func(), err error) {
	l.mutex.Lock()
	if l.open == nil {
		l.open = map[string]*lane{}
	}
	mine := l.open[key]
	if mine == nil {
		mine = &lane{gate: make(chan struct{}, 1)}
		l.open[key] = mine
	}
	mine.users++
	l.mutex.Unlock()

	done := func() {
		l.mutex.Lock()
		defer l.mutex.Unlock()
		if mine.users--; mine.users == 0 {
			delete(l.open, key)
		}
	}
	select {
	case mine.gate <- struct{}{}:
		return func() { <-mine.gate; done() }, nil
	case <-ctx.Done():
		done()
		return nil, ctx.Err()
	}
}
