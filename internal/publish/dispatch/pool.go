package dispatch

import (
	"context"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
)

// Bounds of engines.
const (
	// maxIdle is how many engines wait for work in one process, maxIdleEach how many of one installation.
	maxIdle, maxIdleEach = 24, 2
	// idleTime is how long one waits.
	idleTime = 2 * time.Minute
	// maxPrograms is how many compiled scripts are kept.
	maxPrograms = 64
	// maxAtOnce is how many calls run at once in one process, and maxOfOne how many of them are of one organization.
	maxAtOnce, maxOfOne = 16, 4
	// maxBehind is how many calls that were answered go on with what they gave to waitUntil, and maxBehindOfOne how
	// many of them are of one organization. What comes beyond goes on, too, but holds its turn until it ends.
	maxBehind, maxBehindOfOne = 32, 8
	// patience is how long a call waits for its turn.
	patience = 10 * time.Second
)

// key names who may share an engine: the calls of one installation, or of the integration itself, at one version.
type key struct {
	script, installation string
}

// worker is an engine with the holder of what its script reaches now.
type worker struct {
	*script.Instance
	host *host
	key  key
	at   time.Time
}

// pool keeps compiled scripts and engines that wait for work.
type pool struct {
	mu       sync.Mutex
	programs map[string]*compiled
	idle     []*worker // the oldest first
	closed   bool
}

type compiled struct {
	once    sync.Once
	program *script.Program
	err     error
	used    time.Time
}

func newPool() *pool { return &pool{programs: map[string]*compiled{}} }

// take returns an engine of a key that waits, or nil.
func (p *pool) take(k key) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := len(p.idle) - 1; n >= 0; n-- {
		if w := p.idle[n]; w.key == k {
			p.idle = append(p.idle[:n:n], p.idle[n+1:]...)
			return w
		}
	}
	return nil
}

// put gives an engine back; it is closed when it is broken or when too many wait.
func (p *pool) put(w *worker) {
	if w.Broken() != nil {
		w.Close()
		return
	}
	now := time.Now()
	w.at = now
	p.mu.Lock()
	var closing []*worker
	p.idle = append(p.idle, w)
	same, kept := 0, p.idle[:0:0]
	for n := len(p.idle) - 1; n >= 0; n-- {
		each := p.idle[n]
		if each.key == w.key {
			same++
		}
		if p.closed || now.Sub(each.at) > idleTime || len(kept) >= maxIdle || each.key == w.key && same > maxIdleEach {
			closing = append(closing, each)
			continue
		}
		kept = append(kept, each)
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	p.idle = kept
	p.mu.Unlock()
	for _, each := range closing {
		each.Close()
	}
}

// sweep closes engines that have waited for too long.
func (p *pool) sweep() {
	p.mu.Lock()
	var closing []*worker
	kept := p.idle[:0:0]
	for _, each := range p.idle {
		if time.Since(each.at) > idleTime {
			closing = append(closing, each)
		} else {
			kept = append(kept, each)
		}
	}
	p.idle = kept
	p.mu.Unlock()
	for _, each := range closing {
		each.Close()
	}
}

func (p *pool) close() {
	p.mu.Lock()
	closing := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, each := range closing {
		each.Close()
	}
}

// program returns a compiled script, which is compiled once however many ask.
func (p *pool) program(name string, compile func() (*script.Program, error)) (*script.Program, error) {
	p.mu.Lock()
	one := p.programs[name]
	if one == nil {
		one = &compiled{}
		for len(p.programs) >= maxPrograms {
			oldest, at := "", time.Now()
			for each, c := range p.programs {
				if oldest == "" || c.used.Before(at) {
					oldest, at = each, c.used
				}
			}
			delete(p.programs, oldest)
		}
		p.programs[name] = one
	}
	one.used = time.Now()
	p.mu.Unlock()
	one.once.Do(func() { one.program, one.err = compile() })
	if one.err != nil {
		p.mu.Lock()
		if p.programs[name] == one {
			delete(p.programs, name)
		}
		p.mu.Unlock()
	}
	return one.program, one.err
}

// turns bound how many calls run at once, in all and of one organization.
type turns struct {
	all  chan struct{}
	each int
	mu   sync.Mutex
	own  map[id.Organization]*share
}

// share is what an organization holds. waiting counts who holds or waits for some of it.
type share struct {
	places  chan struct{}
	waiting int
}

func newTurns(all, each int) *turns {
	return &turns{all: make(chan struct{}, all), each: each, own: map[id.Organization]*share{}}
}

// maxWaiting is how many calls of an organization may hold or wait for a turn: more are refused at once.
const maxWaiting = 200

// take waits for a turn, for so long at most, and returns what gives it back.
func (t *turns) take(ctx context.Context, organization id.Organization, wait time.Duration) (func(), error) {
	busy := errs.New(errs.TooMany, "Too many calls of integrations of this organization run at once. Try again later.")
	t.mu.Lock()
	one := t.own[organization]
	if one == nil {
		one = &share{places: make(chan struct{}, t.each)}
		t.own[organization] = one
	}
	if one.waiting >= maxWaiting {
		t.mu.Unlock()
		return nil, busy
	}
	one.waiting++
	t.mu.Unlock()
	leave := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if one.waiting--; one.waiting == 0 {
			delete(t.own, organization)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if !enter(ctx, one.places) {
		leave()
		return nil, busy
	}
	if !enter(ctx, t.all) {
		<-one.places
		leave()
		return nil, errs.New(errs.Unavailable, "Too many integrations run at once. Try again later.")
	}
	return func() { <-t.all; <-one.places; leave() }, nil
}

// enter takes a place: one that is free whatever the context says, or one that gets free before it ends.
func enter(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
	}
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}
