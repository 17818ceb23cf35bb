// Package job owns work that leaves the process or takes long: a queue in the database, its workers, retries and
// periodic jobs.
//
// A job is enqueued in the caller's transaction: it runs exactly when that transaction commits. It runs at least once:
// after a crash, or when a worker was cut off from the database, it is taken up again when its lease has run out, so a
// handler must stand being run again from the start. A failed run is tried again with growing pauses up to a number of
// attempts; each run has a deadline. Any number of processes may work on one database; a job runs in one of them at a
// time.
//
// A clock that jumps ahead and back makes nothing wait until the time that it showed: a periodic job is never further
// than one interval away, a lease never longer than one.
//
// The package owns the table job. Idle workers only read, so they leave SQLite's one writer alone.
package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// State is where a job is in its life.
type State string

// The states of a job. Done, Failed and Cancelled are final, but a periodic job goes back to Queued.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Handler does the work of one kind of job. It ends soon after ctx does, which is at its deadline, when the job is
// cancelled and when the process stops. An error is tried again, unless it is Permanent or an *errs.Error of a kind
// that a second try cannot change (invalid input, not found, forbidden and the like).
type Handler func(ctx context.Context, args json.RawMessage) error

// Options say how one kind of job runs. The zero value takes the defaults.
type Options struct {
	// Timeout is the longest that one run may take; 0 means ten minutes.
	Timeout time.Duration
	// MaxAttempts is how often a job is run before it has failed; 0 means 5.
	MaxAttempts int
	// Backoff returns the pause after the attempt with that number (from 1) has failed; nil doubles from one second to
	// ten minutes, with a random part.
	Backoff func(attempt int) time.Duration
	// AtOnce is how many jobs of the kind one process runs at a time; 0 leaves it to Runner.Workers. It keeps long work
	// from holding up all other.
	AtOnce int
	// Ended is called in the transaction that ends a job: when it is done, has failed for good, or is cancelled, also
	// when no run of it ever returned because each process that ran it died. The transaction is tried until it commits.
	// So a record that Ended ends never disagrees with its job. It may run more than once, as db.Tx says; it is not
	// called for periodic jobs. nil does nothing.
	Ended func(ctx context.Context, q db.Querier, args json.RawMessage, end End) error
}

// End is how a job ended.
type End struct {
	// ID is that of the job.
	ID string
	// State is Done, Failed or Cancelled.
	State State
	// Err is what the last run returned, nil for Done. It is ErrCancelled when the job was cancelled while it waited,
	// and ErrAbandoned when the process ended in each of its runs.
	Err error
}

// Why a job ended, when no run of its handler says so.
var (
	ErrCancelled = errors.New("the job was cancelled")
	ErrAbandoned = errors.New("the process ended each time while the job ran")
)

// Permanent marks an error that another try would meet again: the job has failed with it. nil stays nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanent{err}
}

type permanent struct{ error }

// Unwrap returns the error that was marked.
func (p permanent) Unwrap() error { return p.error }

// Status is what is known about a job.
type Status struct {
	ID, Kind string
	State    State
	// Attempt is the number of the run under way, or of the last one; 0 when there was none yet.
	Attempt int
	// Progress is the last value given to Report, as JSON; nil when there was none.
	Progress json.RawMessage
	// LastError is the text of the last run's error. It is for operators: it may name internals.
	LastError  string
	CreatedAt  time.Time
	FinishedAt time.Time // zero until the job has ended
}

// Runner enqueues jobs and, between Start and Stop, works on them.
type Runner struct {
	// Workers is how many jobs run at once; it must not change after Start. New sets it to 4.
	Workers int

	database *db.DB
	log      *slog.Logger
	timing   timing
	holder   string
	now      func() time.Time

	mutex   sync.Mutex
	kinds   map[string]kind
	started bool
	running map[string]*run

	wake chan struct{}
	// stopping ends when no more jobs are taken; finished when the dispatcher has ended.
	stopping context.CancelFunc
	finished chan struct{}
	// abandon ends the contexts of all runs.
	abandon context.CancelCauseFunc
	runs    sync.WaitGroup
}

// kind is what was registered under a name.
type kind struct {
	handler Handler
	options Options
	every   time.Duration
}

// timing holds the intervals of a Runner; tests shorten them.
type timing struct {
	poll      time.Duration // how often idle workers look for jobs of other processes
	lease     time.Duration // how long a job stays with a process that does not renew its lease
	heartbeat time.Duration // how often a process looks after its running jobs
	grace     time.Duration // how long Stop waits for runs that it has cancelled
	retain    time.Duration // how long ended jobs can be looked up
	cleanup   time.Duration // how often those past that are deleted
	clock     time.Duration // how often a process looks for what a clock that jumped has left
}

// purgeKind is the package's own periodic job.
const purgeKind = "job.purge"

// New returns a Runner on a database. It does nothing by itself: Enqueue works at once, jobs run after Start.
func New(d *db.DB, log *slog.Logger) *Runner {
	r := &Runner{
		Workers:  4,
		database: d,
		log:      log,
		timing: timing{
			poll: time.Second, lease: 30 * time.Second, heartbeat: time.Second, grace: 2 * time.Second,
			retain: 7 * 24 * time.Hour, cleanup: time.Hour, clock: time.Minute,
		},
		holder:  id.New("runner"),
		now:     time.Now,
		kinds:   map[string]kind{},
		running: map[string]*run{},
		wake:    make(chan struct{}, 1),
	}
	r.Register(purgeKind, func(ctx context.Context, _ json.RawMessage) error {
		return r.purge(ctx)
	}, Options{MaxAttempts: 1})
	r.Every(purgeKind, r.timing.cleanup)
	return r
}

// Register says how jobs of a kind are done. It is called before Start, once for each kind; a second time is a defect
// in the program and panics.
func (r *Runner) Register(name string, handler Handler, options Options) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if _, twice := r.kinds[name]; twice || r.started {
		panic(fmt.Sprintf("job: Register(%q) twice or after Start", name))
	}
	if options.Timeout <= 0 {
		options.Timeout = 10 * time.Minute
	}
	if options.MaxAttempts <= 0 {
		options.MaxAttempts = 5
	}
	if options.Backoff == nil {
		options.Backoff = doubling
	}
	r.kinds[name] = kind{handler: handler, options: options}
}

// Every makes a registered kind run periodically, with null as its arguments: one run at a time on all processes
// together, the first one interval after the kind was first seen by the database, each next one an interval after the
// end of the one before. It is called before Start.
func (r *Runner) Every(name string, interval time.Duration) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	registered, ok := r.kinds[name]
	if !ok || r.started || interval <= 0 {
		panic(fmt.Sprintf("job: Every(%q, %v) without Register, after Start or without an interval", name, interval))
	}
	registered.every = interval
	r.kinds[name] = registered
}

// EnqueueOption changes how one job is enqueued.
type EnqueueOption func(*enqueueSettings)

type enqueueSettings struct{ at time.Time }

// At makes a job wait until a time.
func At(at time.Time) EnqueueOption { return func(s *enqueueSettings) { s.at = at } }

// Enqueue adds a job within the transaction behind q and returns its id. The kind must be registered in this process,
// which need not be one that works. The arguments are stored as JSON.
func (r *Runner) Enqueue(ctx context.Context, q db.Querier, name string, args any,
	options ...EnqueueOption) (string, error) {
	registered, ok := r.kind(name)
	if !ok {
		return "", fmt.Errorf("enqueue job: kind %q is not registered", name)
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("enqueue job %s: %w", name, err)
	}
	now := r.now()
	settings := enqueueSettings{at: now}
	for _, option := range options {
		option(&settings)
	}
	added := id.New("job")
	if err := insert(ctx, q, row{
		id: added, kind: name, args: string(encoded), maxAttempts: registered.options.MaxAttempts,
		dueAt: settings.at, createdAt: now,
	}); err != nil {
		return "", fmt.Errorf("enqueue job %s: %w", name, err)
	}
	db.AfterCommit(q, r.nudge)
	return added, nil
}

// Get returns what is known about a job: an errs.NotFound error for one that never was, or that ended over a week ago.
func (r *Runner) Get(ctx context.Context, jobID string) (Status, error) {
	status, err := find(ctx, r.database.Read(), jobID)
	if err != nil {
		return Status{}, fmt.Errorf("get job: %w", err)
	}
	return status, nil
}

// Cancel ends a job: at once when it waits, and soon, through the handler's context, when it runs in any process. A job
// that has ended stays as it is; a periodic job only has its current run cancelled. An unknown id is an errs.NotFound
// error.
func (r *Runner) Cancel(ctx context.Context, jobID string) error {
	err := r.database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		waiting, err := requestCancel(ctx, q, jobID, r.now())
		if err != nil || waiting == nil {
			return err
		}
		return r.tellEnd(ctx, q, *waiting, End{ID: jobID, State: Cancelled, Err: ErrCancelled})
	})
	if err != nil {
		return fmt.Errorf("cancel job: %w", err)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if under, ok := r.running[jobID]; ok {
		under.cancel(ErrCancelled)
	}
	return nil
}

func (r *Runner) kind(name string) (kind, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	registered, ok := r.kinds[name]
	return registered, ok
}

// names returns the registered kinds: a process takes only jobs that it knows, so that an older program beside a newer
// one leaves the newer one's jobs alone.
func (r *Runner) names() []string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Sorted(maps.Keys(r.kinds))
}

// nudge makes the dispatcher look for jobs now.
func (r *Runner) nudge() {
	select {
	case r.wake <- struct{}{}:
	default: // it is already going to
	}
}

// final reports whether another try of the same job would fail the same way.
func final(err error) bool {
	if _, ok := errors.AsType[permanent](err); ok {
		return true
	}
	switch errs.KindOf(err) {
	case errs.Invalid, errs.Unauthorized, errs.Forbidden, errs.NotFound, errs.Precondition, errs.TooLarge,
		errs.Unsupported:
		return true
	default:
		return false
	}
}

// doubling is the default of Options.Backoff: 1 s, 2 s, 4 s … 10 min, each between 75 % and 125 % of that.
func doubling(attempt int) time.Duration {
	pause := 10 * time.Minute
	if attempt < 10 {
		pause = min(pause, time.Second<<max(attempt-1, 0))
	}
	return pause*3/4 + rand.N(pause/2)
}
