package vectors

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/embedding"
)

// Folder is where vectors are, below the folder of the indexes: in a file for each space, which is called like it.
// NewFile is behind the name of one that is to take its place.
const (
	Folder  = "vectors"
	NewFile = ".new"
)

// Bounds of asking for the vectors of queries.
const (
	// queryTime is how long the endpoint may take in the background, for the next who asks the same.
	queryTime = 10 * time.Second
	// keptQueries is how many vectors of queries are kept, shortestQuery how many letters a query has that is sent.
	keptQueries   = 2000
	shortestQuery = 3
	// queriesAtOnce and queriesEachSecond bound what is sent, and queriesInARow how many come at once after a rest.
	queriesAtOnce     = 4
	queriesEachSecond = 10
	queriesInARow     = 30
)

// Embedder asks for the vectors of texts, as a client of package embedding does.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, purpose embedding.Purpose, texts []string, within time.Duration) ([][]float32, error)
}

// Deps is what a Keeper stands on.
type Deps struct {
	Embedder Embedder
	// Dir is the folder of the indexes.
	Dir string
	Log *slog.Logger
	// Wait is how long a query waits for its vector, Pause how long none does after a failure; 0 means 250 ms and 30 s.
	Wait, Pause time.Duration
}

// Keeper keeps the vectors of this process and asks for those of queries. It is safe for concurrent use.
type Keeper struct {
	deps    Deps
	queries cache.Cache[Query]
	asking  singleflight.Group
	free    chan struct{}
	limit   *rate.Limiter

	stop    context.Context
	stopNow context.CancelFunc
	working sync.WaitGroup

	mu      sync.Mutex
	paused  time.Time // until then no query waits, and no passage is sent
	slow    time.Time // until then no query waits
	failing bool
	closed  bool
	// references are the vectors of what is near to no query; nil before they are known.
	references []Vector
	// queue are the spaces that have work to do, in order, rounds what does it.
	queue  []string
	rounds map[string]func(context.Context) bool
	runs   bool
}

// New returns a keeper, which is to be closed.
func New(deps Deps) *Keeper {
	required.Must(deps)
	deps.Wait, deps.Pause = cmp.Or(deps.Wait, 250*time.Millisecond), cmp.Or(deps.Pause, 30*time.Second)
	k := &Keeper{deps: deps, queries: cache.Sized[Query](keptQueries), free: make(chan struct{}, queriesAtOnce),
		limit: rate.NewLimiter(queriesEachSecond, queriesInARow), rounds: map[string]func(context.Context) bool{}}
	k.stop, k.stopNow = context.WithCancel(context.Background())
	return k
}

// Close ends what is done in the background.
func (k *Keeper) Close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	k.stopNow()
	k.working.Wait()
}

// Query is what is looked for.
type Query struct {
	vector Vector
	// Near is what the similarity of a passage has to be above for it to have anything to do with the query.
	Near float32
}

// Query returns the vector of a query; ok is false where words are to answer alone: it is too short, too many ask, or
// the endpoint is away or slow. It takes no longer than it may wait.
func (k *Keeper) Query(ctx context.Context, text string) (query Query, ok bool) {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) < shortestQuery {
		return Query{}, false
	}
	if known, ok := k.queries.Get(text); ok {
		return known, true
	}
	if !k.mayAsk() {
		return Query{}, false
	}
	asked := k.asking.DoChan(text, func() (any, error) { return k.ask(text) })
	timer := time.NewTimer(k.deps.Wait)
	defer timer.Stop()
	select {
	case answer := <-asked:
		query, ok = answer.Val.(Query)
		return query, ok && answer.Err == nil
	case <-timer.C:
		k.isSlow()
	case <-ctx.Done():
	}
	return Query{}, false
}

// ask has a query embedded, if not too many are.
func (k *Keeper) ask(text string) (any, error) {
	select {
	case k.free <- struct{}{}:
		defer func() { <-k.free }()
	default:
		return nil, nil
	}
	if !k.limit.Allow() || !k.enter() {
		return nil, nil
	}
	defer k.working.Done()
	vectors, err := k.deps.Embedder.Embed(k.stop, embedding.Query, []string{text}, queryTime)
	if err != nil {
		k.failed(err)
		return nil, err
	}
	made, err := k.query(quantised(vectors[0]))
	if err != nil {
		return nil, err
	}
	k.answered()
	k.queries.Set(text, made)
	return made, nil
}

// enter counts something that Close waits for; it reports false once that was called.
func (k *Keeper) enter() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.closed {
		k.working.Add(1)
	}
	return !k.closed
}

// mayAsk reports whether a query may wait for the endpoint.
func (k *Keeper) mayAsk() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	return !k.closed && k.references != nil && now.After(k.paused) && now.After(k.slow)
}

// maySend reports whether passages may be sent.
func (k *Keeper) maySend() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.closed && time.Now().After(k.paused)
}

// failed notes that the endpoint has failed, and says so the first time.
func (k *Keeper) failed(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.stop.Err() != nil {
		return
	}
	k.paused = time.Now().Add(k.deps.Pause)
	if !k.failing {
		k.failing = true
		k.deps.Log.Warn("the endpoint of embeddings fails: search answers by words alone", slog.Any("error", err))
	}
}

// isSlow notes that a query has waited in vain.
func (k *Keeper) isSlow() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.slow = time.Now().Add(k.deps.Pause)
	if !k.failing {
		k.failing = true
		k.deps.Log.Warn("the endpoint of embeddings is slow: search answers by words alone",
			slog.Duration("waited", k.deps.Wait))
	}
}

// answered notes that the endpoint has answered.
func (k *Keeper) answered() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failing && time.Now().After(k.slow) {
		k.failing = false
		k.deps.Log.Info("the endpoint of embeddings answers again")
	}
}

// Enqueue has work done in the background: round is called until it reports that there is no more, in turn with those
// of other names.
func (k *Keeper) Enqueue(name string, round func(context.Context) (more bool)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed || k.rounds[name] != nil {
		return
	}
	k.rounds[name] = round
	k.queue = append(k.queue, name)
	if !k.runs {
		k.runs = true
		k.working.Go(k.run)
	}
}

// run works on the queue until it is empty.
func (k *Keeper) run() {
	for {
		k.mu.Lock()
		if len(k.queue) == 0 || k.closed {
			k.runs = false
			k.mu.Unlock()
			return
		}
		name := k.queue[0]
		round := k.rounds[name]
		k.queue = k.queue[1:]
		delete(k.rounds, name) // who enqueues it from now on means another round
		k.mu.Unlock()
		if round(k.stop) {
			k.Enqueue(name, round)
		}
	}
}

// path is where the vectors of a space are.
func (k *Keeper) path(space string) string { return filepath.Join(k.deps.Dir, Folder, space) }

// Drop removes the vectors of a space that is gone.
func (k *Keeper) Drop(space string) error {
	return errors.Join(os.RemoveAll(k.path(space)), os.RemoveAll(k.path(space)+NewFile))
}
