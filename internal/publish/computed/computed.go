// Package computed owns what sources of content of integrations make: the pages that stand in the place of computed
// pages whose source is an integration's. It owns the table computed_source.
//
// A computed page names a source, properties, and what it depends on. The script of the integration says which pages
// these make (content_compute_revision) and what stands on each (content_compute_document). It is asked by a job and
// never while somebody reads: what it gave last is shown until it gives something else, and a reader of what was never
// made, or could not be, sees a plain message. A result is kept by the space, the installation, the source, its
// properties and its dependencies. It is asked for anew when the version of the integration, its configuration or a
// dependency has changed, and every few hours; after a failure, later and later.
//
// A result is as untrusted as anything from outside. It is held to bounds as a whole, and what pages say becomes what a
// writer could have written: Markdown of the dialect, without blocks that show what the integration may not see, such
// as API specifications, reusable contents and blocks of others.
package computed

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/renderer"
)

// Deps is what a Service stands on.
type Deps struct {
	DB           *db.DB
	Content      *store.Service
	Specs        *spec.Service
	Integrations *integration.Service
	Dispatch     *dispatch.Service
	Renderer     *renderer.Service
	// Jobs has not started yet.
	Jobs *job.Runner
	Log  *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Bounds of what is asked for and kept.
const (
	// maxOfSpace is how many results a space has; the ones that nobody has read for long make room.
	maxOfSpace = 100
	unusedTime = 30 * 24 * time.Hour
	// refreshAfter is after what time a source is asked anew, retryAfter after what time one that failed is, which
	// doubles with each failure up to that of one that did not.
	refreshAfter = 6 * time.Hour
	retryAfter   = 10 * time.Minute
	// readLately is for how long a result that nobody reads is asked for anew.
	readLately = 7 * 24 * time.Hour
	// makeTime is how long a job may take for one result; then what it has is kept. askedTime is when a job that has
	// not ended is taken for lost.
	makeTime  = 2 * time.Minute
	askedTime = 5 * time.Minute
	// sweepEvery is how often is looked for what is due.
	sweepEvery = 10 * time.Minute
	// maxAsking is how many requests of readers wait to be written down.
	maxAsking = 200
	keptBytes = 32 << 20
)

// Kinds of jobs.
const (
	makeKind  = "computed.make"
	sweepKind = "computed.sweep"
)

// Service keeps what sources make. It is safe for use by many goroutines.
type Service struct {
	deps Deps
	// kept are results as pages, by the id of the row and its last change.
	kept cache.Cache[*read]

	mu     sync.Mutex
	asking map[string]wanted
	busy   bool
	closed bool
	work   sync.WaitGroup
}

// New returns a Service and registers its jobs. Close ends it.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Service{deps: deps, asking: map[string]wanted{}}
	s.kept = cache.Weighted(keptBytes, func(key string, one *read) uint32 { return uint32(len(key) + one.size + 256) })
	deps.Jobs.Register(makeKind, s.makeJob, job.Options{Timeout: makeTime + time.Minute, AtOnce: 3, MaxAttempts: 1})
	deps.Jobs.Register(sweepKind, s.sweepJob, job.Options{})
	deps.Jobs.Every(sweepKind, sweepEvery)
	return s
}

// Close writes down what readers have asked for.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.work.Wait()
}

// ask notes that a result is wanted, and lets a job make it. It does not wait: readers do not write.
func (s *Service) ask(want wanted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.asking) >= maxAsking {
		return // the next reader asks again
	}
	s.asking[want.name()] = want
	if s.busy {
		return
	}
	s.busy = true
	s.work.Add(1)
	go s.writeAsked()
}

// writeAsked writes down what was asked for until there is nothing more.
func (s *Service) writeAsked() {
	defer s.work.Done()
	for {
		s.mu.Lock()
		list := s.asking
		if len(list) == 0 {
			s.busy = false
			s.mu.Unlock()
			return
		}
		s.asking = map[string]wanted{}
		s.mu.Unlock()
		for _, want := range list {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			if err := s.request(ctx, want); err != nil {
				s.deps.Log.WarnContext(ctx, "ask for computed pages", slog.String("space", string(want.space)),
					slog.Any("error", err))
			}
			cancel()
		}
	}
}

// wanted is a result that is asked for.
type wanted struct {
	organization id.Organization
	space        id.Space
	installation string
	key          string
	// source is what the computed page names, as JSON.
	source string
	// from are the spaces that the result is made from, each once.
	from []id.Space
}

func (w wanted) name() string { return string(w.space) + " " + w.installation + " " + w.key }
