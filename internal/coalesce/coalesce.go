// Package coalesce owns answering equal questions that are asked at the same time with one answer.
//
// It promises that nobody gets an answer that was looked for before they asked: what callers get is as new as if each
// had asked alone. So it may stand in front of reads that have to be current, such as who a token belongs to. The
// package imports the standard library only.
package coalesce

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Group holds the questions under way. Its zero value is ready; it is safe for use by many goroutines. While one call
// for a key runs, all who come share the next one.
type Group[K comparable, V any] struct {
	mu    sync.Mutex
	lines map[K]*line[V]
}

// line is the calls for one key: at most one runs, and next is the one that can still be joined.
type line[V any] struct {
	running bool
	next    *call[V]
}

type call[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// Do returns what ask returns for a key; callers share values, so they are read-only. ask gets a context that goes on
// when ctx ends, because others may wait for the same answer; Do itself returns then, with the context's error. A panic
// of ask becomes an error of all who share it.
func (g *Group[K, V]) Do(ctx context.Context, key K, ask func(context.Context, K) (V, error)) (V, error) {
	g.mu.Lock()
	if g.lines == nil {
		g.lines = map[K]*line[V]{}
	}
	l := g.lines[key]
	if l == nil {
		l = &line[V]{}
		g.lines[key] = l
	}
	if l.next == nil {
		l.next = &call[V]{done: make(chan struct{})}
	}
	c := l.next
	first := !l.running
	l.running = true
	g.mu.Unlock()
	shared := context.WithoutCancel(ctx)
	if first {
		g.run(shared, key, l, ask)
		return c.value, c.err
	}
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

// run makes the next call of a line, and hands the line on to those who came meanwhile.
func (g *Group[K, V]) run(ctx context.Context, key K, l *line[V], ask func(context.Context, K) (V, error)) {
	// Whoever is ready to ask gets the chance to before the call starts: under load, calls answer many that way, and
	// without it costs nothing.
	runtime.Gosched()
	g.mu.Lock()
	c := l.next
	l.next = nil
	g.mu.Unlock()
	defer func() {
		// Those behind must not wait for ever, and a panic in a goroutine of nobody's request would end the process.
		if cause := recover(); cause != nil {
			c.err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
		close(c.done)
		g.mu.Lock()
		defer g.mu.Unlock()
		if l.next != nil {
			go g.run(ctx, key, l, ask)
			return
		}
		delete(g.lines, key)
	}()
	c.value, c.err = ask(ctx, key)
}
