// Package dispatch runs the scripts of integrations: it sends them events and gives back what they answer. It owns the
// tables integration_event and integration_queue.
//
// A call is a request of multipart/form-data to the script with the event, the environment and, for a request from
// outside, its body. The environment holds exactly the level that is called: the integration, an installation, or an
// installation on one space or site. In development mode the same request goes to the author's address instead.
//
// What is promised, whatever a script does: it runs within the limits of package script and of this one, an
// organization holds no more than its share of what runs at once, and an engine serves one installation alone. What a
// script asks for is reached through the guarded fetcher, or, where it is this server's API, without the network and
// with no more rights than its token. Events are delivered at least once, in order for each installation, by a job, so
// that what caused one never waits for a script. What was called, with what came of it and what the script has logged,
// is kept for 30 days and shown to who has published the integration, as far as it is their own organization's.
package dispatch

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// Deps is what a Service stands on.
type Deps struct {
	DB           *db.DB
	Integrations *integration.Service
	// Open returns the bytes of a script by their hash.
	Open  func(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error)
	Jobs  *job.Runner
	Fetch *fetch.Client
	// BaseURL is the public address of the server without a slash at its end.
	BaseURL string
	// Secrets seals what an event says of a configuration.
	Secrets *seal.Box
	Log     *slog.Logger
	// SettleTime is how long the record of a call waits to be written with others; 0 means a second.
	SettleTime time.Duration `optional:"a second"`
}

// Hooks is what a Service asks of later packages.
type Hooks struct {
	// Serve answers requests of scripts to this server's own API and addresses of integrations.
	Serve func(w http.ResponseWriter, r *http.Request)
}

// Service runs scripts. It is safe for use by many goroutines.
type Service struct {
	deps  Deps
	hooks required.Hooks[Hooks]
	pool  *pool[*worker]
	turns *turns
	// behind bounds what goes on after an answer without its turn.
	behind  *turns
	backlog backlog
	notes   notes
	// unhandled has what versions of integrations have answered that they do not listen to.
	unhandled sync.Map
	// working are calls whose waitUntil goes on; stop ends them.
	working sync.WaitGroup
	stopped context.Context
	stop    context.CancelFunc
}

// Limits of calls beyond those of package script.
const (
	// shortTime is how long a call may take that somebody waits for to see a page, longTime any other call.
	shortTime = 10 * time.Second
	longTime  = 30 * time.Second
	// drainTime is how long calls may go on when the server ends.
	drainTime = 5 * time.Second
	// maxBody is the largest body of a request to a script.
	maxBody = 10 << 20
	// keptFor is how long events are kept.
	keptFor = 30 * 24 * time.Hour
)

// New returns a Service and registers its jobs. Close ends it.
func New(deps Deps) *Service {
	required.Must(deps)
	deps.SettleTime = cmp.Or(deps.SettleTime, settleTime)
	s := &Service{deps: deps, pool: newPool[*worker](), turns: newTurns(maxAtOnce, maxOfOne),
		behind:  newTurns(maxBehind, maxBehindOfOne),
		backlog: backlog{queues: map[string]waitingCount{}}}
	s.stopped, s.stop = context.WithCancel(context.Background())
	s.registerJobs()
	return s
}

// SetHooks gives the service what it asks of later packages.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// Close lets what runs come to its end for a moment, cuts what does not, and writes down what was called.
func (s *Service) Close() {
	done := make(chan struct{})
	go func() { s.working.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(drainTime):
		s.stop()
		<-done
	}
	s.stop()
	s.pool.close()
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	s.flush(ctx)
}

// Target is whom an event is for.
type Target struct {
	// Integration is the name of the integration.
	Integration string
	integration.Level
}

// Event is what a script is told: its type and its fields, without eventId.
type Event map[string]any

// kind returns the type of an event.
func (e Event) kind() string {
	kind, _ := e["type"].(string)
	return kind
}

// Answer is what a script answered.
type Answer struct {
	Status int
	Header [][2]string
	Body   []byte
	// Policy is the Content-Security-Policy of the integration, "" for none.
	Policy string
	// Version is that of the integration.
	Version int64
	// SignsIn says that the integration may let visitors in, so what it sets as cookies is kept.
	SignsIn bool
}

// Get returns the first value of a header of the answer, in any letter case.
func (a *Answer) Get(name string) string {
	for _, each := range a.Header {
		if http.CanonicalHeaderKey(each[0]) == http.CanonicalHeaderKey(name) {
			return each[1]
		}
	}
	return ""
}

// newEventID makes the id of an event.
func newEventID() string { return id.New("event") }
