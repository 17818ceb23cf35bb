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
	Model() string
	Embed(ctx context.Context, purpose embedding.Purpose, texts []string, within time.Duration) ([][]float32, error)
}

// Deps is what a Service stands on.
type Deps struct {
	Embedder Embedder
	// Dir is the folder of the indexes.
	Dir string
	Log *slog.Logger
	// Wait is how long a query waits for its vector, Pause how long none does after a failure; 0 means 250 ms and 30 s.
	Wait, Pause time.Duration
}

// Service keeps the vectors of this process and asks for those of queries. It is safe for concurrent use.
type Service struct {
	deps    Deps
	queries cache.Cache[Query]
	asking  singleflight.Group
	free    chan struct{}
	limit   *rate.Limiter

	stop    context.Context
	stopNow context.CancelFunc
	working sync.WaitGroup

	mu     sync.Mutex
	paused time.Time // until then no query waits, and no passage is sent
	slow   time.Time // until then no query waits
	closed bool
	// failure is what the endpoint has failed by since it answered last; nil while it answers.
	failure *Failure
	// retries is how often Retry was called.
	retries int
	// progress is how far each space is embedded, by its name.
	progress map[string]progress
	// references are the vectors of what is near to no query; nil before they are known.
	references []Vector
	// queue are the spaces that have work to do, in order, rounds what does it.
	queue  []string
	rounds map[string]func(context.Context) bool
	runs   bool
}

// New returns a service, which is to be closed.
func New(deps Deps) *Service {
	required.Must(deps)
	deps.Wait, deps.Pause = cmp.Or(deps.Wait, 250*time.Millisecond), cmp.Or(deps.Pause, 30*time.Second)
	s := &Service{deps: deps, queries: cache.Sized[Query](keptQueries), free: make(chan struct{}, queriesAtOnce),
		limit: rate.NewLimiter(queriesEachSecond, queriesInARow), rounds: map[string]func(context.Context) bool{},
		progress: map[string]progress{}}
	s.stop, s.stopNow = context.WithCancel(context.Background())
	return s
}

// Close ends what is done in the background.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stopNow()
	s.working.Wait()
}

// Query is what is looked for.
type Query struct {
	vector Vector
	// Near is what the similarity of a passage has to be above for it to have anything to do with the query.
	Near float32
}

// Query returns the vector of a query; ok is false where words are to answer alone: it is too short, too many ask, or
// the endpoint is away or slow. It takes no longer than it may wait.
func (s *Service) Query(ctx context.Context, text string) (query Query, ok bool) {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) < shortestQuery {
		return Query{}, false
	}
	if known, ok := s.queries.Get(text); ok {
		return known, true
	}
	if !s.mayAsk() {
		return Query{}, false
	}
	asked := s.asking.DoChan(text, func() (any, error) { return s.ask(text) })
	timer := time.NewTimer(s.deps.Wait)
	defer timer.Stop()
	select {
	case answer := <-asked:
		query, ok = answer.Val.(Query)
		return query, ok && answer.Err == nil
	case <-timer.C:
		s.isSlow()
	case <-ctx.Done():
	}
	return Query{}, false
}

// ask has a query embedded, if not too many are.
func (s *Service) ask(text string) (any, error) {
	select {
	case s.free <- struct{}{}:
		defer func() { <-s.free }()
	default:
		return nil, nil
	}
	if !s.limit.Allow() || !s.enter() {
		return nil, nil
	}
	defer s.working.Done()
	vectors, err := s.deps.Embedder.Embed(s.stop, embedding.Query, []string{text}, queryTime)
	if err != nil {
		s.failed(err)
		return nil, err
	}
	made, err := s.query(quantised(vectors[0]))
	if err != nil {
		return nil, err
	}
	s.answered()
	s.queries.Set(text, made)
	return made, nil
}

// enter counts something that Close waits for; it reports false once that was called.
func (s *Service) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.working.Add(1)
	}
	return !s.closed
}

// mayAsk reports whether a query may wait for the endpoint.
func (s *Service) mayAsk() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	return !s.closed && s.references != nil && now.After(s.paused) && now.After(s.slow)
}

// maySend reports whether passages may be sent.
func (s *Service) maySend() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed && time.Now().After(s.paused)
}

// failed notes that the endpoint has failed, and says so the first time.
func (s *Service) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop.Err() != nil {
		return
	}
	s.paused = time.Now().Add(s.deps.Pause)
	if s.noteFailure(reasonOf(err), messageOf(err)) {
		s.deps.Log.Warn("the endpoint of embeddings fails: search answers by words alone", slog.Any("error", err))
	}
}

// isSlow notes that a query has waited in vain.
func (s *Service) isSlow() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = time.Now().Add(s.deps.Pause)
	if s.failure == nil {
		s.noteFailure(Slow, "a query has waited for its vector in vain")
		s.deps.Log.Warn("the endpoint of embeddings is slow: search answers by words alone",
			slog.Duration("waited", s.deps.Wait))
	}
}

// answered notes that the endpoint has answered.
func (s *Service) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failure != nil && time.Now().After(s.slow) {
		s.failure = nil
		s.deps.Log.Info("the endpoint of embeddings answers again")
	}
}

// Enqueue has work done in the background: round is called until it reports that there is no more, in turn with those
// of other names.
func (s *Service) Enqueue(name string, round func(context.Context) (more bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.rounds[name] != nil {
		return
	}
	s.rounds[name] = round
	s.queue = append(s.queue, name)
	if !s.runs {
		s.runs = true
		s.working.Go(s.run)
	}
}

// run works on the queue until it is empty.
func (s *Service) run() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 || s.closed {
			s.runs = false
			s.mu.Unlock()
			return
		}
		name := s.queue[0]
		round := s.rounds[name]
		s.queue = s.queue[1:]
		delete(s.rounds, name) // who enqueues it from now on means another round
		s.mu.Unlock()
		if round(s.stop) {
			s.Enqueue(name, round)
		}
	}
}

// path is where the vectors of a space are.
func (s *Service) path(space string) string { return filepath.Join(s.deps.Dir, Folder, space) }

// Drop removes the vectors of a space that is gone.
func (s *Service) Drop(space string) error {
	s.mu.Lock()
	delete(s.progress, space)
	s.mu.Unlock()
	return errors.Join(os.RemoveAll(s.path(space)), os.RemoveAll(s.path(space)+NewFile))
}
