package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
)

// Why a run's context may end, besides its deadline and ErrCancelled.
var (
	errStopped = errors.New("the process is stopping")
	errLost    = errors.New("the job's lease was lost")
)

// settleLimit bounds how long the end of a run is tried to be written.
const settleLimit = 30 * time.Second

// run is a job that runs in this process.
type run struct {
	job    claimed
	cancel context.CancelCauseFunc

	mutex    sync.Mutex
	progress []byte // not yet stored
}

// runKey finds the run in a handler's context.
type runKey struct{}

// Report stores how far the job that ctx belongs to has come, as JSON, for Status.Progress. It costs the database one
// write a second at most. Outside a job it does nothing.
func Report(ctx context.Context, progress any) error {
	under, ok := ctx.Value(runKey{}).(*run)
	if !ok {
		return nil
	}
	encoded, err := json.Marshal(progress)
	if err != nil {
		return fmt.Errorf("report progress: %w", err)
	}
	under.mutex.Lock()
	defer under.mutex.Unlock()
	under.progress = encoded
	return nil
}

// takeProgress returns what Report was given since the last call, nil when nothing.
func (u *run) takeProgress() []byte {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	progress := u.progress
	u.progress = nil
	return progress
}

// putBack undoes takeProgress, unless Report has been called since.
func (u *run) putBack(progress []byte) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	if u.progress == nil {
		u.progress = progress
	}
}

// Start makes the periodic jobs known to the database and begins to work, until Stop is called or ctx ends. The values
// of ctx reach the handlers.
func (r *Runner) Start(ctx context.Context) error {
	r.mutex.Lock()
	if r.started {
		r.mutex.Unlock()
		panic("job: Start called twice")
	}
	r.started = true
	r.mutex.Unlock()

	if err := r.schedule(ctx); err != nil {
		return fmt.Errorf("start jobs: %w", err)
	}
	dispatching, stopping := context.WithCancel(ctx)
	working, abandon := context.WithCancelCause(context.WithoutCancel(ctx))
	r.stopping, r.abandon, r.finished = stopping, abandon, make(chan struct{})
	beating, stopBeating := context.WithCancel(context.WithoutCancel(ctx))
	var background sync.WaitGroup
	background.Go(func() {
		r.dispatch(dispatching, working)
		r.runs.Wait()
		stopBeating()
	})
	background.Go(func() { r.heartbeat(beating) })
	go func() {
		background.Wait()
		close(r.finished)
	}()
	return nil
}

// Stop takes no more jobs and waits for those that run. When ctx ends first, it cancels them and waits a little longer;
// what ends then is put back into the queue and does not count as an attempt. It returns an error when a handler does
// not end: its job will be taken up elsewhere when its lease has run out.
func (r *Runner) Stop(ctx context.Context) error {
	if r.finished == nil {
		return nil // never started
	}
	r.stopping()
	select {
	case <-r.finished:
		return nil
	case <-ctx.Done():
	}
	r.abandon(errStopped)
	select {
	case <-r.finished:
		return nil
	case <-time.After(r.timing.grace):
		r.mutex.Lock()
		defer r.mutex.Unlock()
		return fmt.Errorf("stop jobs: %d handlers did not end when asked to", len(r.running))
	}
}

// schedule makes or updates the rows of the periodic kinds.
func (r *Runner) schedule(ctx context.Context) error {
	for _, name := range r.names() {
		registered, _ := r.kind(name)
		if registered.every == 0 {
			continue
		}
		now := r.now()
		err := r.database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return schedule(ctx, q, row{
				id: "every_" + name, kind: name, args: "null", maxAttempts: registered.options.MaxAttempts,
				dueAt: now.Add(registered.every), createdAt: now, every: registered.every,
			})
		})
		// Another process that starts at the same moment has made the row.
		if err != nil && !db.IsUnique(err) {
			return fmt.Errorf("schedule %s: %w", name, err)
		}
	}
	return nil
}

// dispatch takes due jobs and runs them, as many at once as there are workers.
func (r *Runner) dispatch(ctx, working context.Context) {
	groups := r.groups()
	var looked time.Time
	for ctx.Err() == nil {
		pause := r.timing.poll
		if time.Since(looked) >= r.timing.clock { // on the monotonic clock, which does not jump
			looked = time.Now()
			if err := r.mendClock(ctx); err != nil && ctx.Err() == nil {
				r.log.LogAttrs(ctx, slog.LevelError, "look for jobs", slog.Any("error", err))
			}
		}
		for _, each := range groups {
			free := r.free(each)
			if free <= 0 {
				continue
			}
			next, err := r.take(ctx, working, each.kinds, free)
			if err == nil {
				pause = min(pause, next)
			} else if ctx.Err() == nil {
				r.log.LogAttrs(ctx, slog.LevelError, "look for jobs", slog.Any("error", err))
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-r.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// group is kinds of jobs that are taken together.
type group struct {
	kinds []string
	// atOnce is how many of them run at a time, 0 for as many as there are workers.
	atOnce int
}

// groups returns the kinds that have a bound of their own, each by itself, and all others.
func (r *Runner) groups() []group {
	var groups []group
	var others group
	for _, name := range r.names() {
		if registered, _ := r.kind(name); registered.options.AtOnce > 0 {
			groups = append(groups, group{[]string{name}, registered.options.AtOnce})
		} else {
			others.kinds = append(others.kinds, name)
		}
	}
	if len(others.kinds) > 0 {
		groups = append(groups, others)
	}
	return groups
}

// free returns how many more jobs of a group may start.
func (r *Runner) free(of group) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	free := r.Workers - len(r.running)
	if of.atOnce == 0 {
		return free
	}
	same := 0
	for _, each := range r.running {
		if each.job.kind == of.kinds[0] {
			same++
		}
	}
	return min(free, of.atOnce-same)
}

// take starts up to limit due jobs and returns how long it is to the next one.
func (r *Runner) take(ctx, working context.Context, names []string, limit int) (time.Duration, error) {
	// A look through the readers keeps idle workers off SQLite's writer.
	due, ok, err := nextDue(ctx, r.database.Read(), names)
	if err != nil || !ok {
		return r.timing.poll, err
	}
	if wait := due.Sub(r.now()); wait > 0 {
		return wait, nil
	}
	// A claim that was written but not read back would wait for the end of its lease; the end of ctx must not cut it.
	claiming, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	jobs, err := claim(claiming, r.database, r.holder, names, limit, r.now(), r.timing.lease)
	if err != nil {
		return r.timing.poll, fmt.Errorf("claim jobs: %w", err)
	}
	for _, job := range jobs {
		r.launch(working, job)
	}
	if len(jobs) == 0 {
		// Another process was faster, or holds the row right now.
		return r.timing.poll, nil
	}
	return 0, nil
}

// launch runs a job in a goroutine of its own.
func (r *Runner) launch(working context.Context, job claimed) {
	ctx, cancel := context.WithCancelCause(working)
	under := &run{job: job, cancel: cancel}
	r.mutex.Lock()
	r.running[job.id] = under
	r.mutex.Unlock()
	if job.cancelRequested {
		cancel(ErrCancelled)
	}
	r.runs.Go(func() {
		defer func() {
			cancel(nil)
			r.mutex.Lock()
			delete(r.running, job.id)
			r.mutex.Unlock()
			r.nudge()
		}()
		r.perform(ctx, under)
	})
}

// perform runs the handler and writes how it ended.
func (r *Runner) perform(ctx context.Context, under *run) {
	job := under.job
	registered, _ := r.kind(job.kind)
	start := time.Now()
	err := fmt.Errorf("%w, %d times", ErrAbandoned, job.attempt-1)
	if job.attempt <= job.maxAttempts {
		err = r.call(ctx, under, registered)
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, errLost) {
		r.log.LogAttrs(ctx, slog.LevelWarn, "job lost its lease", attributes(job, start, err)...)
		return
	}
	end := r.judge(job, registered, err, cause)
	end.progress = under.takeProgress()

	level, message := slog.LevelInfo, "job done"
	if err != nil {
		level, message = slog.LevelWarn, "job did not succeed"
	}
	r.log.LogAttrs(ctx, level, message, append(attributes(job, start, err), slog.String("state", string(end.state)))...)

	held, settleErr := r.settle(ctx, job, end, err)
	if settleErr != nil || !held {
		r.log.LogAttrs(ctx, slog.LevelError, "job's end was not written, it will run again",
			append(attributes(job, start, settleErr), slog.Bool("held", held))...)
	}
}

// settle writes how a run ended. It tries for a while, because a lost outcome means that the job runs again.
func (r *Runner) settle(ctx context.Context, job claimed, end outcome, failure error) (held bool, err error) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer stop()
	for pause := 50 * time.Millisecond; ; pause *= 2 {
		held, err = r.writeEnd(ctx, job, end, failure)
		if err == nil {
			return held, nil
		}
		select {
		case <-ctx.Done():
			return false, err
		case <-time.After(pause):
		}
	}
}

// writeEnd writes how a run ended once, together with what the kind's Ended writes when that was the end of the job.
func (r *Runner) writeEnd(ctx context.Context, job claimed, end outcome, failure error) (held bool, err error) {
	if registered, _ := r.kind(job.kind); registered.options.Ended == nil || !end.dueAt.IsZero() {
		// The statement carries its own condition, so it needs no transaction.
		return settle(ctx, r.database.Write(), job, r.holder, end, r.now())
	}
	err = r.database.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if held, err = settle(ctx, q, job, r.holder, end, r.now()); err != nil || !held {
			return err
		}
		return r.tellEnd(ctx, q, job, End{ID: job.id, State: end.state, Err: failure})
	})
	return held, err
}

// tellEnd calls what the kind of a job has for its end. A kind of another program's version has nothing here.
func (r *Runner) tellEnd(ctx context.Context, q db.Querier, job claimed, end End) error {
	registered, _ := r.kind(job.kind)
	if registered.options.Ended == nil {
		return nil
	}
	if err := registered.options.Ended(ctx, q, json.RawMessage(job.args), end); err != nil {
		return fmt.Errorf("end the record of a job of the kind %s: %w", job.kind, err)
	}
	return nil
}

func attributes(job claimed, start time.Time, err error) []slog.Attr {
	attributes := []slog.Attr{
		slog.String("job", job.id), slog.String("kind", job.kind), slog.Int("attempt", job.attempt),
		slog.Duration("duration", time.Since(start)),
	}
	if err != nil {
		attributes = append(attributes, slog.Any("error", err))
	}
	return attributes
}

// call runs the handler within its deadline and turns a panic into an error.
func (r *Runner) call(ctx context.Context, under *run, registered kind) (err error) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, runKey{}, under), registered.options.Timeout)
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
		}
	}()
	return registered.handler(ctx, json.RawMessage(under.job.args))
}

// judge decides what becomes of a job after a run.
func (r *Runner) judge(job claimed, registered kind, err, cause error) outcome {
	now := r.now()
	end := outcome{state: Done, attempt: job.attempt}
	if err != nil {
		end.text = err.Error()
		switch {
		case errors.Is(cause, ErrCancelled):
			end.state = Cancelled
		case errors.Is(cause, errStopped):
			return outcome{state: Queued, attempt: job.attempt - 1, dueAt: now, text: end.text}
		case job.attempt < job.maxAttempts && !final(err):
			return outcome{state: Queued, attempt: job.attempt, dueAt: now.Add(registered.options.Backoff(job.attempt)),
				text: end.text}
		default:
			end.state = Failed
		}
	}
	if job.every > 0 {
		// The next run is a new one with all its attempts.
		return outcome{state: Queued, dueAt: now.Add(job.every), text: end.text}
	}
	return end
}

// heartbeat looks after the running jobs: it renews their leases, stores their progress and sees who wants them
// cancelled.
func (r *Runner) heartbeat(ctx context.Context) {
	ticker := time.NewTicker(r.timing.heartbeat)
	defer ticker.Stop()
	renewed := map[string]time.Time{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		under := r.underWay()
		seen := make(map[string]time.Time, len(under))
		for _, each := range under {
			last, known := renewed[each.job.id]
			if !known {
				last = time.Now() // it was claimed since the last heartbeat
			}
			seen[each.job.id] = r.tend(ctx, each, last)
		}
		renewed = seen
	}
}

func (r *Runner) underWay() []*run {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	under := make([]*run, 0, len(r.running))
	for _, each := range r.running {
		under = append(under, each)
	}
	return under
}

// tend does for one running job what its heartbeat asks for and returns when its lease was last renewed.
func (r *Runner) tend(ctx context.Context, under *run, last time.Time) time.Time {
	job := under.job
	progress := under.takeProgress()
	if progress == nil && time.Since(last) < r.timing.lease/3 {
		wanted, err := wantsCancel(ctx, r.database.Read(), job.id)
		if err == nil && wanted {
			under.cancel(ErrCancelled)
		}
		return last
	}
	start := time.Now()
	held, wanted, err := renew(ctx, r.database.Write(), job, r.holder, r.now().Add(r.timing.lease), progress)
	if err != nil {
		under.putBack(progress)
	}
	switch {
	case err != nil && time.Since(last) > r.timing.lease:
		// Somebody else may have it by now: two of one job at a time would be worse than starting it again.
		under.cancel(errLost)
	case err != nil:
		if ctx.Err() == nil {
			r.log.LogAttrs(ctx, slog.LevelWarn, "renew the lease of a job", slog.String("job", job.id),
				slog.Any("error", err))
		}
	case !held:
		// It has ended this moment, or its lease ran out while the database could not be reached.
		under.cancel(errLost)
	default:
		if wanted {
			under.cancel(ErrCancelled)
		}
		return start
	}
	return last
}
