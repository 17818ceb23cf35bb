package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// patience is a generous deadline for what takes milliseconds on an idle machine.
const patience = 30 * time.Second

// newRunner returns a Runner with short intervals.
func newRunner(d *db.DB) *Runner {
	r := New(d, slog.New(slog.DiscardHandler))
	r.timing.poll = 20 * time.Millisecond
	r.timing.lease = 2 * time.Second
	r.timing.heartbeat = 30 * time.Millisecond
	r.timing.grace = 5 * time.Second
	return r
}

func start(t *testing.T, r *Runner) {
	t.Helper()
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := r.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}

// each runs a test on both databases, beside other tests: most wait most of the time.
func each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		test(t, d)
	})
}

func enqueue(t *testing.T, r *Runner, kind string, args any, options ...EnqueueOption) (added string) {
	t.Helper()
	err := r.database.Tx(t.Context(), func(ctx context.Context, q db.Querier) (err error) {
		added, err = r.Enqueue(ctx, q, kind, args, options...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return added
}

// await polls until the job is in a state.
func await(t *testing.T, r *Runner, added string, want State) Status {
	t.Helper()
	return awaitThat(t, r, added, string(want), func(s Status) bool { return s.State == want })
}

func awaitThat(t *testing.T, r *Runner, added, what string, good func(Status) bool) Status {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		status, err := r.Get(t.Context(), added)
		if err != nil {
			t.Fatal(err)
		}
		if good(status) {
			return status
		}
		if time.Now().After(deadline) {
			t.Fatalf("the job is %+v, want it %s", status, what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func receive[T any](t *testing.T, channel <-chan T) T {
	t.Helper()
	select {
	case value := <-channel:
		return value
	case <-time.After(patience):
		t.Fatal("nothing happened")
		panic("unreachable")
	}
}

func TestEnqueueBelongsToTheTransaction(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		ran := make(chan string, 10)
		r.Register("greet", func(_ context.Context, args json.RawMessage) error {
			var name string
			if err := json.Unmarshal(args, &name); err != nil {
				return err
			}
			ran <- name
			return nil
		}, Options{})
		start(t, r)

		var undone string
		stop := errors.New("stop")
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) (err error) {
			if undone, err = r.Enqueue(ctx, q, "greet", "undone"); err != nil {
				return err
			}
			time.Sleep(3 * r.timing.poll) // workers look meanwhile
			return stop
		})
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		kept := enqueue(t, r, "greet", "kept")
		if got := receive(t, ran); got != "kept" {
			t.Errorf("%q ran, want the job that was committed", got)
		}
		status := await(t, r, kept, Done)
		if status.Attempt != 1 || status.LastError != "" || status.FinishedAt.IsZero() || status.Kind != "greet" {
			t.Errorf("status is %+v", status)
		}
		if _, err := r.Get(t.Context(), undone); !errs.Is(err, errs.NotFound) {
			t.Errorf("the job of a transaction that was undone: got %v, want not found", err)
		}
		if len(ran) != 0 {
			t.Errorf("%q ran too", <-ran)
		}
	})
}

func TestEnqueueRefuses(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		r.Register("greet", func(context.Context, json.RawMessage) error { return nil }, Options{})
		for kind, args := range map[string]any{"unknown": 1, "greet": make(chan int)} {
			err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := r.Enqueue(ctx, q, kind, args)
				return err
			})
			if err == nil {
				t.Errorf("kind %q with %T was enqueued", kind, args)
			}
		}
	})
}

// TestEachJobRunsOnce lets three processes' worth of workers compete.
func TestEachJobRunsOnce(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		const count = 120
		var mutex sync.Mutex
		runs := map[int]int{}
		var left sync.WaitGroup
		left.Add(count)
		var runners []*Runner
		for range 3 {
			r := newRunner(d)
			r.timing.lease = time.Minute
			r.Register("count", func(_ context.Context, args json.RawMessage) error {
				var number int
				if err := json.Unmarshal(args, &number); err != nil {
					return err
				}
				mutex.Lock()
				defer mutex.Unlock()
				if runs[number]++; runs[number] == 1 {
					left.Done()
				}
				return nil
			}, Options{})
			runners = append(runners, r)
			start(t, r)
		}
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			for number := range count {
				if _, err := runners[0].Enqueue(ctx, q, "count", number); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { left.Wait(); close(done) }()
		receive(t, done)
		mutex.Lock()
		defer mutex.Unlock()
		for number, times := range runs {
			if times != 1 {
				t.Errorf("job %d ran %d times", number, times)
			}
		}
	})
}

func TestRetryWithBackoffThenSuccess(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		var asked []int
		var starts []time.Time
		r.Register("flaky", func(context.Context, json.RawMessage) error {
			starts = append(starts, time.Now())
			switch len(starts) {
			case 1:
				return errors.New("no luck")
			case 2:
				panic("bad luck")
			}
			return nil
		}, Options{MaxAttempts: 4, Backoff: func(attempt int) time.Duration {
			asked = append(asked, attempt)
			return time.Duration(attempt) * 100 * time.Millisecond
		}})
		start(t, r)
		status := await(t, r, enqueue(t, r, "flaky", nil), Done)
		if status.Attempt != 3 || status.LastError != "" {
			t.Errorf("status is %+v, want success at the third attempt", status)
		}
		if diff := cmp.Diff([]int{1, 2}, asked); diff != "" {
			t.Errorf("backoff was asked for (-want +got):\n%s", diff)
		}
		for i, least := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond} {
			if pause := starts[i+1].Sub(starts[i]); pause < least {
				t.Errorf("attempt %d came after %v, want at least %v", i+2, pause, least)
			}
		}
	})
}

func TestFailsForGood(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		var runs atomic.Int64
		r.Register("hopeless", func(context.Context, json.RawMessage) error {
			runs.Add(1)
			return errors.New("no luck")
		}, Options{MaxAttempts: 3, Backoff: func(int) time.Duration { return 0 }})
		r.Register("refused", func(context.Context, json.RawMessage) error {
			return fmt.Errorf("import: %w", errs.Invalidf("url", "is not a URL"))
		}, Options{MaxAttempts: 3})
		start(t, r)
		hopeless, refused := enqueue(t, r, "hopeless", nil), enqueue(t, r, "refused", nil)
		if status := await(t, r, hopeless, Failed); status.Attempt != 3 || status.LastError != "no luck" ||
			runs.Load() != 3 {
			t.Errorf("after %d runs the status is %+v", runs.Load(), status)
		}
		if status := await(t, r, refused, Failed); status.Attempt != 1 {
			t.Errorf("a refusal was tried again: %+v", status)
		}
	})
}

func TestDeadline(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		r.Register("slow", func(ctx context.Context, _ json.RawMessage) error {
			<-ctx.Done()
			return ctx.Err()
		}, Options{Timeout: 50 * time.Millisecond, MaxAttempts: 1})
		start(t, r)
		status := await(t, r, enqueue(t, r, "slow", nil), Failed)
		if status.LastError != context.DeadlineExceeded.Error() {
			t.Errorf("the error is %q", status.LastError)
		}
	})
}

func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		worker, other := newRunner(d), newRunner(d) // other stands for another process
		started := make(chan struct{}, 10)
		block := func(ctx context.Context, _ json.RawMessage) error {
			started <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}
		for _, r := range []*Runner{worker, other} {
			r.Register("block", block, Options{})
		}
		start(t, worker)

		for name, canceller := range map[string]*Runner{"same process": worker, "another process": other} {
			added := enqueue(t, other, "block", nil)
			receive(t, started)
			if err := canceller.Cancel(t.Context(), added); err != nil {
				t.Fatal(err)
			}
			status := await(t, other, added, Cancelled)
			if status.Attempt != 1 {
				t.Errorf("%s: status is %+v", name, status)
			}
			if err := canceller.Cancel(t.Context(), added); err != nil {
				t.Errorf("%s: cancel again: %v", name, err)
			}
		}
		waiting := enqueue(t, other, "block", nil, At(time.Now().Add(time.Hour)))
		if err := other.Cancel(t.Context(), waiting); err != nil {
			t.Fatal(err)
		}
		if status, err := other.Get(t.Context(), waiting); err != nil || status.State != Cancelled ||
			status.FinishedAt.IsZero() {
			t.Errorf("a waiting job after Cancel is %+v, error %v", status, err)
		}
		if err := other.Cancel(t.Context(), "job_unknown"); !errs.Is(err, errs.NotFound) {
			t.Errorf("cancel of an unknown job: got %v", err)
		}
	})
}

func TestAtWaits(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		ran := make(chan time.Time, 1)
		r.Register("later", func(context.Context, json.RawMessage) error { ran <- time.Now(); return nil }, Options{})
		start(t, r)
		at := time.Now().Add(200 * time.Millisecond)
		enqueue(t, r, "later", nil, At(at))
		if got := receive(t, ran); got.Before(at) {
			t.Errorf("ran %v too early", at.Sub(got))
		}
	})
}

func TestPeriodicRunsOnceForAllProcesses(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		var active, most, runs atomic.Int64
		enough := make(chan struct{})
		for range 2 {
			r := newRunner(d)
			r.Register("tick", func(_ context.Context, args json.RawMessage) error {
				if string(args) != "null" {
					t.Errorf("arguments are %s", args)
				}
				most.Store(max(most.Load(), active.Add(1)))
				defer active.Add(-1)
				time.Sleep(20 * time.Millisecond)
				if runs.Add(1) == 5 {
					close(enough)
				}
				return errors.New("a failure does not end the period")
			}, Options{MaxAttempts: 1})
			r.Every("tick", 50*time.Millisecond)
			start(t, r)
		}
		begin := time.Now()
		receive(t, enough)
		if taken := time.Since(begin); taken < 200*time.Millisecond {
			t.Errorf("five runs took %v", taken)
		}
		if most.Load() != 1 {
			t.Errorf("%d ran at once", most.Load())
		}
	})
}

func TestPeriodTakesANewInterval(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		ran := make(chan struct{}, 100)
		for _, interval := range []time.Duration{time.Hour, 30 * time.Millisecond} {
			r := newRunner(d)
			r.Register("tick", func(context.Context, json.RawMessage) error { ran <- struct{}{}; return nil },
				Options{})
			r.Every("tick", interval)
			start(t, r)
		}
		receive(t, ran)
	})
}

func TestProgress(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		resume := make(chan struct{})
		r.Register("import", func(ctx context.Context, _ json.RawMessage) error {
			if err := Report(ctx, map[string]int{"pages": 3}); err != nil {
				return err
			}
			<-resume
			return Report(ctx, map[string]int{"pages": 7})
		}, Options{})
		start(t, r)
		added := enqueue(t, r, "import", nil)
		status := awaitThat(t, r, added, "with progress", func(s Status) bool { return s.Progress != nil })
		if string(status.Progress) != `{"pages":3}` || status.State != Running {
			t.Errorf("under way: %+v", status)
		}
		close(resume)
		if status := await(t, r, added, Done); string(status.Progress) != `{"pages":7}` {
			t.Errorf("at the end: %s", status.Progress)
		}
		if err := Report(t.Context(), 1); err != nil {
			t.Errorf("outside a job: %v", err)
		}
	})
}

// TestLongJobKeepsItsLease: a run of several leases is not taken up by another process.
func TestLongJobKeepsItsLease(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		var runs atomic.Int64
		var runners []*Runner
		for range 2 {
			r := newRunner(d)
			r.Register("long", func(context.Context, json.RawMessage) error {
				runs.Add(1)
				time.Sleep(r.timing.lease * 8 / 5)
				return nil
			}, Options{})
			runners = append(runners, r)
			start(t, r)
		}
		await(t, runners[0], enqueue(t, runners[0], "long", nil), Done)
		if runs.Load() != 1 {
			t.Errorf("it ran %d times", runs.Load())
		}
	})
}

func TestStopWaitsForRuns(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		started := make(chan struct{})
		r.Register("short", func(context.Context, json.RawMessage) error {
			close(started)
			time.Sleep(200 * time.Millisecond)
			return nil
		}, Options{})
		start(t, r)
		added := enqueue(t, r, "short", nil)
		receive(t, started)
		if err := r.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if status, err := r.Get(t.Context(), added); err != nil || status.State != Done {
			t.Errorf("after Stop the job is %+v, error %v", status, err)
		}
		late := enqueue(t, r, "short", nil)
		time.Sleep(5 * r.timing.poll)
		if status, err := r.Get(t.Context(), late); err != nil || status.State != Queued {
			t.Errorf("a job enqueued after Stop is %+v, error %v", status, err)
		}
	})
}

func TestStopPutsCancelledRunsBack(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		started := make(chan struct{}, 10)
		r.Register("long", func(ctx context.Context, _ json.RawMessage) error {
			started <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}, Options{MaxAttempts: 1})
		start(t, r)
		added := enqueue(t, r, "long", nil)
		receive(t, started)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := r.Stop(ctx); err != nil {
			t.Fatal(err)
		}
		status, err := r.Get(t.Context(), added)
		if err != nil || status.State != Queued || status.Attempt != 0 {
			t.Errorf("after Stop the job is %+v, error %v; want it queued as if it had not run", status, err)
		}
		// Another process takes it up at once.
		next := newRunner(d)
		next.Register("long", func(context.Context, json.RawMessage) error { return nil }, Options{MaxAttempts: 1})
		start(t, next)
		await(t, next, added, Done)
	})
}

func TestStopNamesHandlersThatDoNotEnd(t *testing.T) {
	d := dbtest.SQLite(t)
	r := newRunner(d)
	r.timing.grace = 50 * time.Millisecond
	started, release := make(chan struct{}), make(chan struct{})
	r.Register("deaf", func(context.Context, json.RawMessage) error { close(started); <-release; return nil },
		Options{})
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	enqueue(t, r, "deaf", nil)
	receive(t, started)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Stop(ctx); err == nil {
		t.Error("Stop says nothing about a handler that does not end")
	}
	close(release)
	if err := r.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUnknownKindsAreLeftAlone(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		newer, older := newRunner(d), newRunner(d)
		newer.Register("new", func(context.Context, json.RawMessage) error { return nil }, Options{})
		older.Register("old", func(context.Context, json.RawMessage) error { return nil }, Options{})
		start(t, older)
		unknown := enqueue(t, newer, "new", nil)
		await(t, older, enqueue(t, older, "old", nil), Done)
		if status, err := older.Get(t.Context(), unknown); err != nil || status.State != Queued || status.Attempt != 0 {
			t.Errorf("a job of a kind that the process does not know is %+v, error %v", status, err)
		}
	})
}

func TestPurge(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		r.Register("short", func(context.Context, json.RawMessage) error { return nil }, Options{})
		start(t, r)
		added := enqueue(t, r, "short", nil)
		waiting := enqueue(t, r, "short", nil, At(time.Now().Add(time.Hour)))
		await(t, r, added, Done)
		if err := r.purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Get(t.Context(), added); err != nil {
			t.Errorf("a fresh job was deleted: %v", err)
		}
		later := newRunner(d)
		later.now = func() time.Time { return time.Now().Add(later.timing.retain + time.Minute) }
		if err := later.purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Get(t.Context(), added); !errs.Is(err, errs.NotFound) {
			t.Errorf("an old job is still there: %v", err)
		}
		if _, err := r.Get(t.Context(), waiting); err != nil {
			t.Errorf("a waiting job was deleted: %v", err)
		}
	})
}

// TestIdleWorkersOnlyRead holds SQLite's one writer and shows that idle workers do not ask for it.
func TestIdleWorkersOnlyRead(t *testing.T) {
	d := dbtest.SQLite(t)
	r := newRunner(d)
	r.Register("short", func(context.Context, json.RawMessage) error { return nil }, Options{})
	start(t, r)
	time.Sleep(5 * r.timing.poll)
	before := d.Writer().Stats()
	time.Sleep(20 * r.timing.poll)
	after := d.Writer().Stats()
	if after.WaitCount != before.WaitCount || after.InUse != 0 {
		t.Errorf("idle workers used the writer: %+v, then %+v", before, after)
	}
	var changes int
	writer, err := d.Writer().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	count := func() (total int) {
		if err := writer.QueryRowContext(t.Context(), `SELECT total_changes()`).Scan(&total); err != nil {
			t.Fatal(err)
		}
		return total
	}
	changes = count()
	time.Sleep(20 * r.timing.poll) // the writer is held all that time
	if got := count(); got != changes || d.Writer().Stats().WaitCount != after.WaitCount {
		t.Errorf("idle workers waited for the writer or changed something")
	}
}

// TestSurvivesAKilledProcess runs a job in a process of its own, kills that, and sees the job taken up here.
func TestSurvivesAKilledProcess(t *testing.T) {
	for dialect, address := range map[string]func(testing.TB) string{"sqlite": dbtest.SQLiteURL,
		"postgres": dbtest.PostgresURL} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel() // it waits most of the time
			url := address(t)
			d, err := db.Open(t.Context(), db.Config{URL: url})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			r := newRunner(d)
			ran := make(chan struct{}, 10)
			r.Register("fatal", func(context.Context, json.RawMessage) error { ran <- struct{}{}; return nil },
				Options{})
			added := enqueue(t, r, "fatal", nil)

			command := exec.CommandContext(t.Context(), os.Args[0])
			command.Env = append(os.Environ(), crashVariable+"="+url)
			output, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			command.Stderr = os.Stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := output.Read(make([]byte, 1)); err != nil {
				t.Fatalf("the other process did not start the job: %v", err)
			}
			if status, err := r.Get(t.Context(), added); err != nil || status.State != Running {
				t.Errorf("the job is %+v, error %v", status, err)
			}
			if err := command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = command.Wait() // it says that the process was killed

			start(t, r)
			receive(t, ran)
			if status := await(t, r, added, Done); status.Attempt != 2 {
				t.Errorf("status is %+v, want the second attempt", status)
			}
		})
	}
}

// TestJobThatKillsItsProcessFailsInTheEnd: attempts that end with the process count.
func TestJobThatKillsItsProcessFailsInTheEnd(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(d)
		r.Register("fatal", func(context.Context, json.RawMessage) error { t.Error("it ran again"); return nil },
			Options{MaxAttempts: 2})
		added := enqueue(t, r, "fatal", nil)
		for range 2 {
			jobs, err := claim(t.Context(), d, "dead", []string{"fatal"}, 10, time.Now(), -time.Second)
			if err != nil || len(jobs) != 1 {
				t.Fatalf("claimed %v, error %v", jobs, err)
			}
		}
		start(t, r)
		if status := await(t, r, added, Failed); status.LastError == "" {
			t.Errorf("status is %+v", status)
		}
	})
}

const crashVariable = "RECTO_TEST_JOB_CRASH"

func TestMain(m *testing.M) {
	url := os.Getenv(crashVariable)
	if url == "" {
		os.Exit(m.Run())
	}
	// The process that TestSurvivesAKilledProcess kills.
	d, err := db.Open(context.Background(), db.Config{URL: url})
	if err == nil {
		r := newRunner(d)
		r.Register("fatal", func(context.Context, json.RawMessage) error {
			fmt.Println("running")
			select {}
		}, Options{})
		if err = r.Start(context.Background()); err == nil {
			time.Sleep(time.Minute)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestDoubling(t *testing.T) {
	var middle []time.Duration
	for _, attempt := range []int{1, 2, 5, 10, 11, 1000} {
		var pauses []time.Duration
		for range 200 {
			pauses = append(pauses, doubling(attempt))
		}
		low, high := slices.Min(pauses), slices.Max(pauses)
		if low == high {
			t.Errorf("attempt %d: always %v", attempt, low)
		}
		middle = append(middle, (low+high).Round(time.Second)/2)
	}
	for i, want := range []time.Duration{time.Second, 2 * time.Second, 16 * time.Second, 10 * time.Minute,
		10 * time.Minute, 10 * time.Minute} {
		if middle[i] < want*9/10 || middle[i] > want*11/10 {
			t.Errorf("pauses are about %v, want %v", middle, want)
		}
	}
}
