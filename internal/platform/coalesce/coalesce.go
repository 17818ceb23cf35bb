// Package coalesce owns answering equal questions that are asked at the same time, or while nothing has changed, with
// one answer.
//
// It promises that callers get what they would have got by asking alone: an answer that was looked for after they
// asked, or one that still holds because what it was read from has not changed since. So it may stand in front of reads
// that have to be current, such as who a token belongs to. The package imports the standard library only.
package coalesce

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// Version is the state of what is asked about: answers hold while it is the same.
type Version = [6]uint64

// Limits of answers that are kept.
const (
	// keepTime bounds how old an answer may be that also depends on the time.
	keepTime = time.Second
	keepMost = 4096 // answers; all are forgotten when there are more
)

// Group holds the questions under way. Its zero value is ready; it is safe for use by many goroutines. While one call
// for a key runs, all who come share the next one.
type Group[K comparable, V any] struct {
	// Version returns the state of what ask reads, quickly; ok is false when it is not known. With it answers are kept
	// for up to a second while the state is the same; nil keeps none. Set it before the first call.
	Version func() (version Version, ok bool)

	mu    sync.Mutex
	lines map[K]*line[V]

	keeping sync.RWMutex
	version Version // of all that are kept
	kept    map[K]answer[V]
}

// answer is what was said, and until when it may be said again.
type answer[V any] struct {
	value V
	until time.Time
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
// of ask becomes an error of all who share it. Errors are not kept.
func (g *Group[K, V]) Do(ctx context.Context, key K, ask func(context.Context, K) (V, error)) (V, error) {
	if g.Version == nil {
		return g.share(ctx, key, ask)
	}
	version, known := g.Version()
	if !known {
		return g.share(ctx, key, ask)
	}
	if value, ok := g.recall(key, version); ok {
		return value, nil
	}
	return g.share(ctx, key, func(ctx context.Context, key K) (V, error) {
		// The answer belongs to the version before it was looked for: it may be newer, never older.
		version, known := g.Version()
		value, err := ask(ctx, key)
		if err == nil && known {
			g.keep(key, version, value)
		}
		return value, err
	})
}

// recall returns the answer that is kept for a key, if it was given for this version.
func (g *Group[K, V]) recall(key K, version Version) (V, bool) {
	g.keeping.RLock()
	defer g.keeping.RUnlock()
	if kept, ok := g.kept[key]; ok && g.version == version && time.Now().Before(kept.until) {
		return kept.value, true
	}
	var none V
	return none, false
}

// keep remembers an answer, and forgets those of other versions.
func (g *Group[K, V]) keep(key K, version Version, value V) {
	g.keeping.Lock()
	defer g.keeping.Unlock()
	if g.kept == nil || g.version != version || len(g.kept) >= keepMost {
		g.version, g.kept = version, map[K]answer[V]{}
	}
	g.kept[key] = answer[V]{value, time.Now().Add(keepTime)}
}

// share joins the next call for a key or makes it.
func (g *Group[K, V]) share(ctx context.Context, key K, ask func(context.Context, K) (V, error)) (V, error) {
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
