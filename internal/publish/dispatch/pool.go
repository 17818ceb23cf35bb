package dispatch

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
)

// Bounds of engines.
const (
	// maxIdle is how many engines wait for work in one process, maxIdleEach how many of one installation, and
	// maxIdleBytes how much memory they take together, of which those of one organization take a quarter at most.
	maxIdle, maxIdleEach = 24, 2
	maxIdleBytes         = 192 << 20
	maxIdleBytesOfOne    = maxIdleBytes / 4
	// idleTime is how long one waits.
	idleTime = 2 * time.Minute
	// maxPrograms is how many compiled scripts are kept, and maxProgramBytes how much memory they take together.
	maxPrograms, maxProgramBytes = 64, 128 << 20
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

// engine is what a pool keeps: a script.Instance.
type engine interface {
	Broken() error
	Close()
	// Size is how many bytes of memory it has taken.
	Size() int64
}

// worker is an engine with the holder of what its script reaches now.
type worker struct {
	*script.Instance
	host *host
}

// idle is a worker that waits, since a time.
type idle[W engine] struct {
	worker       W
	key          key
	organization id.Organization
	at           time.Time
	size         int64
}

// pool keeps compiled scripts and engines that wait for work.
type pool[W engine] struct {
	mu       sync.Mutex
	programs map[string]*compiled
	idle     []idle[W] // the oldest first
	closed   bool
}

type compiled struct {
	once    sync.Once
	program *script.Program
	err     error
	used    time.Time
	// size is that of the program once it is there.
	size int
}

func newPool[W engine]() *pool[W] { return &pool[W]{programs: map[string]*compiled{}} }

// take returns an engine of a key that waits, and whether there is one.
func (p *pool[W]) take(k key) (w W, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := len(p.idle) - 1; n >= 0; n-- {
		if each := p.idle[n]; each.key == k {
			p.idle = slices.Delete(p.idle, n, n+1)
			return each.worker, true
		}
	}
	return w, false
}

// put gives an engine back; it is closed when it is broken, or too large to wait. Others that wait are closed when
// too many do, or take too much memory: the oldest one of its installation, of its organization, or of the
// organization whose engines take most. So nobody's heavy scripts cost others the engines that wait for them.
func (p *pool[W]) put(w W, k key, organization id.Organization) {
	size := w.Size()
	if w.Broken() != nil || size > maxIdleBytesOfOne {
		w.Close()
		return
	}
	now := time.Now()
	p.mu.Lock()
	p.idle = append(p.idle, idle[W]{w, k, organization, now, size})
	closing := p.drop(func(each idle[W]) bool { return p.closed || now.Sub(each.at) > idleTime })
	closing = append(closing, p.shrink(func(each idle[W]) bool { return each.key == k }, maxIdleEach, maxIdleBytes)...)
	closing = append(closing, p.shrink(func(each idle[W]) bool { return each.organization == organization }, maxIdle,
		maxIdleBytesOfOne)...)
	for count, bytes := p.taken(nil); count > maxIdle || bytes > maxIdleBytes; count, bytes = p.taken(nil) {
		most := p.largest()
		of := func(each idle[W]) bool { return each.organization == most }
		held, _ := p.taken(of)
		closing = append(closing, p.shrink(of, held-1, maxIdleBytes)...)
	}
	p.mu.Unlock()
	for _, each := range closing {
		each.Close()
	}
}

// taken is how many engines of some wait, and how much memory they take; nil is all.
func (p *pool[W]) taken(some func(idle[W]) bool) (count int, bytes int64) {
	for _, each := range p.idle {
		if some == nil || some(each) {
			count, bytes = count+1, bytes+each.size
		}
	}
	return count, bytes
}

// largest is the organization whose engines take most memory.
func (p *pool[W]) largest() (most id.Organization) {
	sizes := map[id.Organization]int64{}
	for _, each := range p.idle {
		sizes[each.organization] += max(each.size, 1)
		if sizes[each.organization] > sizes[most] {
			most = each.organization
		}
	}
	return most
}

// shrink takes the oldest of some engines out until they are few and small enough, and returns them.
func (p *pool[W]) shrink(some func(idle[W]) bool, most int, bytes int64) []W {
	count, size := p.taken(some)
	return p.drop(func(each idle[W]) bool {
		if !some(each) || count <= most && size <= bytes {
			return false
		}
		count, size = count-1, size-each.size
		return true
	})
}

// drop takes engines out and returns them. It asks for the oldest first.
func (p *pool[W]) drop(out func(idle[W]) bool) (dropped []W) {
	p.idle = slices.DeleteFunc(p.idle, func(each idle[W]) bool {
		is := out(each)
		if is {
			dropped = append(dropped, each.worker)
		}
		return is
	})
	return dropped
}

// sweep closes engines that have waited for too long.
func (p *pool[W]) sweep() {
	p.mu.Lock()
	closing := p.drop(func(each idle[W]) bool { return time.Since(each.at) > idleTime })
	p.mu.Unlock()
	for _, each := range closing {
		each.Close()
	}
}

func (p *pool[W]) close() {
	p.mu.Lock()
	p.closed = true
	closing := p.drop(func(idle[W]) bool { return true })
	p.mu.Unlock()
	for _, each := range closing {
		each.Close()
	}
}

// program returns a compiled script, which is compiled once however many ask.
func (p *pool[W]) program(name string, compile func() (*script.Program, error)) (*script.Program, error) {
	p.mu.Lock()
	one := p.programs[name]
	if one == nil {
		one = &compiled{}
		p.programs[name] = one
	}
	one.used = time.Now()
	p.mu.Unlock()
	one.once.Do(func() { one.program, one.err = compile() })
	p.mu.Lock()
	defer p.mu.Unlock()
	if one.err != nil {
		if p.programs[name] == one {
			delete(p.programs, name)
		}
		return nil, one.err
	}
	one.size = one.program.Size()
	p.forget(name)
	return one.program, nil
}

// forget lets compiled scripts go that were used longest ago, until the others are few and small enough. The one that
// is used now stays.
func (p *pool[W]) forget(now string) {
	bytes := 0
	for _, each := range p.programs {
		bytes += each.size
	}
	for len(p.programs) > 1 && (len(p.programs) > maxPrograms || bytes > maxProgramBytes) {
		oldest := ""
		for name, each := range p.programs {
			if name != now && (oldest == "" || each.used.Before(p.programs[oldest].used)) {
				oldest = name
			}
		}
		bytes -= p.programs[oldest].size
		delete(p.programs, oldest)
	}
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
