package renderer_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/publish/renderer"
)

const secret = "correct horse battery"

// fixture is a service with a renderer on loopback.
type fixture struct {
	*testing.T
	*renderer.Service
	db  *db.DB
	log *lines
	// ahead is what is added to the clock.
	ahead atomic.Int64
	// answer is what the renderer does after it was told; nil answers 200.
	answer atomic.Pointer[http.HandlerFunc]

	mu    sync.Mutex
	calls [][]string
	raw   []string // the bodies and signatures
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// settled is how long changes wait for others in tests that are not about that.
const settled = 20 * time.Millisecond

// each runs a test on both databases, beside others: they wait for some of their time.
func each(t *testing.T, test func(f *fixture)) {
	t.Helper()
	within(t, renderer.Deps{SettleTime: settled}, test)
}

// within is each with the times of deps.
func within(t *testing.T, deps renderer.Deps, test func(f *fixture)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		f := &fixture{T: t, db: d, log: &lines{}}
		server := httptest.NewServer(http.HandlerFunc(f.told))
		t.Cleanup(server.Close)
		f.start(server.URL+"/docs/", deps)
		test(f)
		if text := f.log.String(); strings.Contains(text, secret) {
			t.Errorf("the log has the secret:\n%s", text)
		}
	})
}

// start starts a service with the times of deps for a renderer at an address.
func (f *fixture) start(address string, deps renderer.Deps) {
	log := slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	jobs := job.New(f.db, log)
	deps.DB, deps.Jobs, deps.Log, deps.URL, deps.Secret = f.db, jobs, log, address, secret
	deps.Now = func() time.Time { return time.Now().Add(time.Duration(f.ahead.Load())) }
	f.Service = renderer.New(deps)
	if err := jobs.Start(context.WithoutCancel(f.Context())); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // what hangs is cut
		if err := jobs.Stop(ctx); err != nil {
			f.Error(err)
		}
	})
}

// told is the renderer.
func (f *fixture) told(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.Error(err)
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	if got := r.Header.Get("x-gitbook-signature"); got != hex.EncodeToString(mac.Sum(nil)) {
		f.Errorf("the signature of %s is %s", body, got)
	}
	if r.Method != http.MethodPost || r.URL.Path != "/docs/~gitbook/revalidate" ||
		r.Header.Get("Content-Type") != "application/json" {
		f.Errorf("%s %s with %v", r.Method, r.URL, r.Header)
	}
	var said struct{ Tags []string }
	if err := json.Unmarshal(body, &said); err != nil {
		f.Error(err)
	}
	f.mu.Lock()
	f.calls = append(f.calls, said.Tags)
	f.raw = append(f.raw, string(body)+" "+r.Header.Get("x-gitbook-signature"))
	f.mu.Unlock()
	if answer := f.answer.Load(); answer != nil {
		(*answer)(w, r)
	}
}

// answers makes the renderer do something after it was told.
func (f *fixture) answers(answer http.HandlerFunc) { f.answer.Store(&answer) }

// change notes that spaces have changed, in one transaction.
func (f *fixture) change(spaces ...id.Space) {
	f.Helper()
	err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
		for _, space := range spaces {
			if err := f.SpaceChanged(ctx, q, space); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		f.Error(err)
	}
}

// count counts rows.
func (f *fixture) count(query string) (count int) {
	f.Helper()
	if err := f.db.Read().QueryRowContext(f.Context(), query).Scan(&count); err != nil {
		f.Fatal(err)
	}
	return count
}

// called waits for a number of calls and returns what they said.
func (f *fixture) called(count int) [][]string {
	f.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		f.mu.Lock()
		calls := slices.Clone(f.calls)
		f.mu.Unlock()
		if len(calls) >= count {
			return calls
		}
		if time.Now().After(deadline) {
			f.Fatalf("%d calls, want %d: %q\n%s", len(calls), count, calls, f.log)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// quiet waits until nothing is left to tell.
func (f *fixture) quiet() {
	f.Helper()
	deadline := time.Now().Add(time.Minute)
	for f.count(`SELECT count(*) FROM renderer_tag`)+f.count(`SELECT count(*) FROM renderer_job`)+
		f.count(`SELECT count(*) FROM job WHERE kind = 'renderer.tell' AND state IN ('queued', 'running')`) > 0 {
		if time.Now().After(deadline) {
			f.Fatalf("there is always something to tell:\n%s", f.log)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestManyChangesAreOneCall changes much within a moment, from several sides, of which one is undone.
func TestManyChangesAreOneCall(t *testing.T) {
	// What is told when nothing is set: a busy machine is not done with the changes in less.
	within(t, renderer.Deps{}, func(f *fixture) {
		err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
			return errors.Join(f.SiteChanged(ctx, q, "site_a"), f.SpaceChanged(ctx, q, "space_a"),
				f.SpecificationChanged(ctx, q, "org_a", "pets"), f.IntegrationChanged(ctx, q, "hooks.v2"))
		})
		if err != nil {
			f.Fatal(err)
		}
		undone := errors.New("undone")
		err = f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
			return errors.Join(f.SpaceChanged(ctx, q, "space_undone"), undone)
		})
		if !errors.Is(err, undone) {
			f.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { f.change("space_a", "space_b") })
		}
		all.Wait()
		f.quiet()
		calls := f.called(1)
		for _, tags := range calls {
			slices.Sort(tags)
		}
		want := [][]string{{"integration:hooks.v2", "organization:org_a:openapi:pets", "site:site_a", "space:space_a",
			"space:space_b"}}
		if fmt.Sprint(calls) != fmt.Sprint(want) {
			f.Errorf("told %q, want %q", calls, want)
		}
		f.change("space_c")
		f.quiet()
		if calls := f.called(2); len(calls) != 2 || !slices.Equal(calls[1], []string{"space:space_c"}) {
			f.Errorf("told %q", calls)
		}
	})
}

// TestExactCall holds what a renderer gets against what "openssl dgst -sha256 -hmac" makes of the same bytes.
func TestExactCall(t *testing.T) {
	each(t, func(f *fixture) {
		f.change("space_a")
		f.called(1)
		f.mu.Lock()
		defer f.mu.Unlock()
		const want = `{"tags":["space:space_a"]} 03da09dfc13125a840837d947bfb0ff5ebcca4036d399cc403b134da14e0cade`
		if f.raw[0] != want {
			f.Errorf("got %s, want %s", f.raw[0], want)
		}
	})
}

// TestCallsAreBounded tells of more than one call holds.
func TestCallsAreBounded(t *testing.T) {
	each(t, func(f *fixture) {
		spaces := make([]id.Space, 1050)
		for i := range spaces {
			spaces[i] = id.Space(fmt.Sprintf("space_%04d", i))
		}
		f.change(spaces...)
		f.quiet()
		told := map[string]bool{}
		for _, tags := range f.called(11) {
			if len(tags) > 100 {
				f.Errorf("a call has %d tags", len(tags))
			}
			for _, tag := range tags {
				if told[tag] {
					f.Errorf("%s was told twice", tag)
				}
				told[tag] = true
			}
		}
		if len(told) != len(spaces) {
			f.Errorf("%d of %d were told", len(told), len(spaces))
		}
	})
}

// TestAChangeWhileTheRendererIsTold comes between what was read and what is let go.
func TestAChangeWhileTheRendererIsTold(t *testing.T) {
	each(t, func(f *fixture) {
		var once sync.Once
		f.answers(func(http.ResponseWriter, *http.Request) { once.Do(func() { f.change("space_a") }) })
		f.change("space_a")
		f.quiet()
		if calls := f.called(2); len(calls) != 2 || !slices.Equal(calls[1], []string{"space:space_a"}) {
			f.Errorf("told %q", calls)
		}
	})
}

// TestTheRendererFails tells it again of all that it did not take, in one call, and of nothing twice that it took.
func TestTheRendererFails(t *testing.T) {
	each(t, func(f *fixture) {
		var failures atomic.Int32
		f.answers(func(w http.ResponseWriter, _ *http.Request) {
			switch failures.Add(1) {
			case 1:
				f.change("space_b")
				w.WriteHeader(http.StatusInternalServerError)
			case 2:
				w.WriteHeader(http.StatusUnauthorized)
			}
		})
		f.change("space_a")
		f.quiet()
		calls := f.called(3)
		for _, tags := range calls {
			slices.Sort(tags)
		}
		want := [][]string{{"space:space_a"}, {"space:space_a", "space:space_b"}, {"space:space_a", "space:space_b"}}
		if fmt.Sprint(calls) != fmt.Sprint(want) {
			f.Errorf("told %q, want %q", calls, want)
		}
		for _, says := range []string{"The renderer answers 500", "renderer-secret has to be"} {
			if !strings.Contains(f.log.String(), says) {
				f.Errorf("the log does not say %q:\n%s", says, f.log)
			}
		}
	})
}

// TestHostileRenderer answers with what could lead the server elsewhere, fill it, or hold it up.
func TestHostileRenderer(t *testing.T) {
	t.Run("redirect", func(t *testing.T) {
		each(t, func(f *fixture) {
			elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				f.Errorf("%s %s was asked, with the signature %q", r.Method, r.URL, r.Header.Get("x-gitbook-signature"))
			}))
			f.Cleanup(elsewhere.Close)
			var calls atomic.Int32
			f.answers(func(w http.ResponseWriter, r *http.Request) {
				if calls.Add(1) == 1 {
					http.Redirect(w, r, elsewhere.URL, http.StatusPermanentRedirect)
				}
			})
			f.change("space_a")
			f.quiet()
			if calls := f.called(2); len(calls) != 2 || !strings.Contains(f.log.String(), "renderer-url has to be") {
				f.Errorf("%q\n%s", calls, f.log)
			}
		})
	})
	t.Run("endless", func(t *testing.T) {
		each(t, func(f *fixture) {
			ended := make(chan struct{})
			f.answers(func(w http.ResponseWriter, r *http.Request) {
				defer close(ended)
				for r.Context().Err() == nil {
					if _, err := w.Write(make([]byte, 64<<10)); err != nil {
						return
					}
				}
			})
			f.change("space_a")
			f.quiet()
			<-ended
			if calls := f.called(1); len(calls) != 1 {
				f.Errorf("told %q", calls)
			}
		})
	})
	t.Run("huge", func(t *testing.T) {
		each(t, func(f *fixture) {
			f.answers(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "9000000000000")
			})
			f.change("space_a")
			f.quiet()
			if calls := f.called(1); len(calls) != 1 {
				f.Errorf("told %q", calls)
			}
		})
	})
	t.Run("hangs", func(t *testing.T) {
		within(t, renderer.Deps{AnswerTime: time.Second, SettleTime: settled}, func(f *fixture) {
			var calls atomic.Int32
			f.answers(func(_ http.ResponseWriter, r *http.Request) {
				if calls.Add(1) == 1 {
					<-r.Context().Done()
				}
			})
			f.change("space_a")
			f.called(2)
			f.quiet()
		})
	})
}

// TestGivesUp leaves a renderer alone that does not take changes for a day.
func TestGivesUp(t *testing.T) {
	each(t, func(f *fixture) {
		var down atomic.Bool
		down.Store(true)
		f.answers(func(w http.ResponseWriter, _ *http.Request) {
			if down.Load() {
				w.WriteHeader(http.StatusBadGateway)
			}
		})
		f.ahead.Store(int64(-25 * time.Hour))
		f.change("space_old")
		f.ahead.Store(0)
		f.change("space_new")
		deadline := time.Now().Add(time.Minute)
		for f.count(`SELECT count(*) FROM renderer_tag`) > 1 && time.Now().Before(deadline) {
			time.Sleep(5 * time.Millisecond)
		}
		if !strings.Contains(f.log.String(), "was not told of changes") || !strings.Contains(f.log.String(), "tags=1") {
			f.Errorf("the log does not say that it gave up:\n%s", f.log)
		}
		down.Store(false)
		f.quiet()
		calls := f.called(2)
		if last := calls[len(calls)-1]; !slices.Equal(last, []string{"space:space_new"}) {
			f.Errorf("told %q", calls)
		}
	})
}

// TestJobsOfOtherTurns ends jobs that a crash has left beside another one.
func TestJobsOfOtherTurns(t *testing.T) {
	each(t, func(f *fixture) {
		err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
			if err := f.SpaceChanged(ctx, q, "space_a"); err != nil {
				return err
			}
			_, err := q.ExecContext(ctx, `UPDATE renderer_job SET turn = 'another'`)
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
		deadline := time.Now().Add(time.Minute)
		for f.count(`SELECT count(*) FROM job WHERE kind = 'renderer.tell' AND state = 'done'`) == 0 {
			if time.Now().After(deadline) {
				f.Fatal("the job does not end")
			}
			time.Sleep(5 * time.Millisecond)
		}
		if tags, calls := f.count(`SELECT count(*) FROM renderer_tag`), len(f.called(0)); tags != 1 || calls != 0 {
			f.Errorf("%d tags, %d calls", tags, calls)
		}
	})
}

// TestWithoutARenderer writes nothing.
func TestWithoutARenderer(t *testing.T) {
	each(t, func(f *fixture) {
		jobs := job.New(f.db, slog.New(slog.DiscardHandler))
		f.Service = renderer.New(renderer.Deps{DB: f.db, Jobs: jobs, Log: slog.New(slog.DiscardHandler)})
		f.change("space_a")
		for _, table := range []string{"renderer_tag", "renderer_job", "job WHERE kind = 'renderer.tell'"} {
			if count := f.count(`SELECT count(*) FROM ` + table); count != 0 {
				f.Errorf("%d rows in %s", count, table)
			}
		}
	})
}
