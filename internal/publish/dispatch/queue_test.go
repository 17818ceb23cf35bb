package dispatch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
)

// fixture is a service that delivers events to scripts of an organization.
type fixture struct {
	*testing.T
	*orgtest.Fixture
	*dispatch.Service
	db           *db.DB
	integrations *integration.Service
	opened       atomic.Int32 // how many scripts were read to be compiled
	stop         func()
}

// each runs a test on both databases.
func each(t *testing.T, test func(f *fixture)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		f := &fixture{T: t, Fixture: orgtest.New(t, d), db: d}
		log := slog.New(slog.NewTextHandler(t.Output(), nil))
		box, err := seal.NewBox(make([]byte, seal.KeySize))
		if err != nil {
			t.Fatal(err)
		}
		content := storetest.NewService(t, d, store.Deps{})
		f.integrations = integration.New(requiredtest.Fill(integration.Deps{DB: d, Organizations: f.Organizations,
			Content: content, Sites: new(site.Service), Secrets: box, Key: make([]byte, 32),
			BaseURL: "http://localhost:8080"}))
		jobs := job.New(d, log)
		f.Service = dispatch.New(dispatch.Deps{DB: d, Integrations: f.integrations, Jobs: jobs,
			Open: func(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
				f.opened.Add(1)
				return content.OpenFile(ctx, hash)
			},
			Fetch:   fetch.New(fetch.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}),
			BaseURL: "http://localhost:8080", Secrets: box, Log: log})
		f.SetHooks(dispatch.Hooks{Serve: func(http.ResponseWriter, *http.Request) {}})
		f.integrations.SetHooks(integration.Hooks{Tell: f.Happened, Compiled: f.Compiled})
		if err := jobs.Start(context.WithoutCancel(t.Context())); err != nil {
			t.Fatal(err)
		}
		f.stop = sync.OnceFunc(func() {
			if err := jobs.Stop(context.Background()); err != nil {
				t.Error(err)
			}
			f.Close()
		})
		t.Cleanup(f.stop)
		test(f)
	})
}

// installed publishes a script and installs it.
func (f *fixture) installed(name, script string) dispatch.Telling {
	f.Helper()
	made, err := f.integrations.Publish(f.Context(), f.Admin(), name, integration.Publication{
		Organization: f.Organization, Title: "Ear", Script: script, Runtime: integration.RuntimeV2,
		Visibility: integration.Public})
	if err != nil {
		f.Fatal(err)
	}
	one, err := f.integrations.Install(f.Context(), f.Admin(), name, f.Organization)
	if err != nil {
		f.Fatal(err)
	}
	return dispatch.Telling{IntegrationID: made.ID, Organization: f.Organization, Queue: one.ID,
		Level: integration.Level{Installation: one.ID}}
}

// tell tells count tasks, numbered from 0, in one transaction.
func (f *fixture) tell(to dispatch.Telling, count int) {
	f.Helper()
	err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
		for n := range count {
			one := to
			one.Event = dispatch.Event{"type": "task", "task": map[string]any{"n": n}}
			if err := f.Tell(ctx, q, one); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
}

// rest waits until nobody works on the queue of an installation.
func (f *fixture) rest(to dispatch.Telling) {
	f.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var works bool
		if err := f.db.Read().QueryRowContext(f.Context(),
			`SELECT count(*) > 0 FROM integration_queue WHERE queue = $1`, to.Queue).Scan(&works); err != nil {
			f.Fatal(err)
		}
		if !works {
			return
		}
	}
	f.Fatal("the queue is still worked on")
}

// afterFourAttempts makes four of the attempts to deliver the first event that waits, the next one in some time. It
// waits until none is under way, which would write its own number and time over these: after one there is a pause.
func (f *fixture) afterFourAttempts(to dispatch.Telling, next time.Duration) {
	f.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		now := time.Now()
		result, err := f.db.Write().ExecContext(f.Context(), `UPDATE integration_event SET attempts = 4, due_at = $1
			WHERE queue = $2 AND attempts > 0 AND status = 'queued' AND due_at > $3`, now.Add(next).UnixMicro(),
			to.Queue, now.Add(time.Second).UnixMicro())
		if err != nil {
			f.Fatal(err)
		}
		if count, err := result.RowsAffected(); err != nil {
			f.Fatal(err)
		} else if count > 0 {
			return
		}
	}
	f.Fatal("the event is always under way")
}

// record is what is kept of an event.
type record struct {
	status   string
	attempts int
	logs     []dispatch.LogLine
	due      int64
}

// records are those of an installation of one kind, the oldest first.
func (f *fixture) records(to dispatch.Telling, kind string) []record {
	f.Helper()
	list, err := db.All(f.Context(), f.db.Read(), "list events", func(row db.Scanner) (record, error) {
		var one record
		var logs string
		if err := row.Scan(&one.status, &one.attempts, &logs, &one.due); err != nil {
			return record{}, err
		}
		return one, json.Unmarshal([]byte(logs), &one.logs)
	}, `SELECT status, attempts, logs, due_at FROM integration_event
		WHERE queue = $1 AND kind = $2 ORDER BY id`, to.Queue, kind)
	if err != nil {
		f.Fatal(err)
	}
	return list
}

// await waits until the records of an installation are as they should be.
func (f *fixture) await(to dispatch.Telling, what string, good func([]record) bool) []record {
	f.Helper()
	var list []record
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if list = f.records(to, "task"); good(list) {
			return list
		}
	}
	f.Fatalf("%s: %d records, the first %+v", what, len(list), list[:min(len(list), 3)])
	return nil
}

func all(status string) func([]record) bool {
	return func(list []record) bool {
		return len(list) > 0 && !slices.ContainsFunc(list, func(one record) bool { return one.status != status })
	}
}

const ear = `export default { async fetch(request) {
	const event = JSON.parse((await request.formData()).get("event"));
	if (event.type !== "task") return new Response("not mine", {status: 406});
	console.log(event.task.n);
	return new Response("heard");
} };`

// TestEventsComeInOrder holds that an installation gets its events one after the other.
func TestEventsComeInOrder(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", ear)
		f.tell(to, 60)
		list := f.await(to, "all are heard", all("success"))
		for n, one := range list {
			if len(one.logs) != 1 || one.logs[0].Message != fmt.Sprint(n) || one.attempts != 1 {
				t.Fatalf("event %d: %+v", n, one)
			}
			if n > 0 && one.logs[0].At.Before(list[n-1].logs[0].At) {
				t.Errorf("event %d came before the one ahead of it", n)
			}
		}
	})
}

// TestManyEventsAreBounded holds that no more than so many events wait, and that who has them holds up nobody else.
func TestManyEventsAreBounded(t *testing.T) {
	each(t, func(f *fixture) {
		flooded, other := f.installed("ear", ear), f.installed("other", ear)
		f.rest(flooded)
		// In one transaction: none of them is delivered before all are told.
		f.tell(flooded, 12_000)
		f.tell(other, 1)
		f.await(other, "the other one is heard", all("success"))
		waiting := 0
		for _, one := range f.records(flooded, "task") {
			if one.status == "queued" {
				waiting++
			}
		}
		if waiting == 0 || waiting > 10_000 {
			t.Errorf("%d events wait", waiting)
		}
		// The author sees that some are not told; what happens to the installation itself is.
		seen, err := f.Events(f.Context(), f.Admin(), "ear", dispatch.Filter{Status: "failed"}, paging.Request{})
		if err != nil || len(seen.Items) != 1 ||
			!strings.Contains(fmt.Sprint(seen.Items[0].Logs), "was not told") {
			t.Errorf("the author sees %d events that failed: %+v, %v", len(seen.Items), seen.Items, err)
		}
		before := len(f.records(flooded, "installation_setup"))
		err = f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
			flooded.Event = dispatch.Event{"type": "installation_setup"}
			return f.Tell(ctx, q, flooded)
		})
		if after := len(f.records(flooded, "installation_setup")); err != nil || after != before+1 {
			t.Errorf("%d events on the installation wait, want %d: %v", after, before+1, err)
		}
	})
}

// TestFailuresAreTriedAgain holds that an event is delivered again after a pause, before the ones behind it, and given
// up in the end.
func TestFailuresAreTriedAgain(t *testing.T) {
	each(t, func(f *fixture) {
		// The engine of a script may be another one at each attempt, so what fails once is outside of it.
		var asked atomic.Int32
		outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if asked.Add(1) == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		}))
		f.Cleanup(outside.Close)
		to := f.installed("ear", `export default { async fetch(request) {
			const event = JSON.parse((await request.formData()).get("event"));
			if (event.type !== "task") return new Response(null, {status: 406});
			console.log(event.task.n);
			if (event.task.n === 0 && !(await fetch("`+outside.URL+`")).ok) throw new Error("not yet");
			return new Response(null, {status: event.task.n === 1 ? 503 : 200});
		} };`)
		began := time.Now()
		f.tell(to, 3)
		list := f.await(to, "the first is heard", func(list []record) bool {
			return list[0].status == "success" && list[1].attempts > 0
		})
		if list[0].attempts != 2 || time.Since(began) < 2*time.Second {
			t.Errorf("heard after %d attempts in %v", list[0].attempts, time.Since(began))
		}
		if list[1].status != "queued" || list[2].attempts != 0 {
			t.Errorf("the second is %s, the third was tried %d times", list[1].status, list[2].attempts)
		}
		// The last attempt, without its pause.
		f.afterFourAttempts(to, 0)
		list = f.await(to, "the third is heard", func(list []record) bool { return list[2].status == "success" })
		if list[1].status != "failed" || list[1].attempts != 5 ||
			!strings.Contains(fmt.Sprint(list[1].logs), "answered 503") {
			t.Errorf("the second is %+v", list[1])
		}
	})
}

// TestAMendedScriptIsToldAtOnce holds that an author sees what has failed while it is still tried, and that a version
// which mends it gets the event before its pause is over, with those that wait behind it.
func TestAMendedScriptIsToldAtOnce(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", strings.Replace(ear, "console.log(event.task.n);", "absent(event);", 1))
		f.tell(to, 2)
		f.await(to, "the first has failed", func(list []record) bool { return list[0].attempts > 0 })
		seen, err := f.Events(f.Context(), f.Admin(), "ear", dispatch.Filter{Kind: "task", Status: "failed"},
			paging.Request{})
		if err != nil || len(seen.Items) != 1 || !strings.Contains(fmt.Sprint(seen.Items[0].Logs), "absent") {
			t.Errorf("the author sees %+v, %v", seen.Items, err)
		}
		// As after some attempts: the next one would be in four minutes.
		f.afterFourAttempts(to, 240*time.Second)
		began := time.Now()
		if _, err := f.integrations.Publish(f.Context(), f.Admin(), "ear", integration.Publication{
			Organization: f.Organization, Title: "Ear", Script: ear, Runtime: integration.RuntimeV2,
			Visibility: integration.Public}); err != nil {
			t.Fatal(err)
		}
		f.await(to, "both are heard", all("success"))
		if took := time.Since(began); took > time.Minute {
			t.Errorf("they wait for %v", took)
		}
	})
}

// TestNewerSetupsEndOlderOnes holds that a script which fails without what is configured later is told of that at once,
// and not when the attempts to tell it of the state before are over; events on other content are tried on.
func TestNewerSetupsEndOlderOnes(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", `export default { async fetch(request) {
			const event = JSON.parse((await request.formData()).get("event"));
			if (event.fails) throw new Error("no key is configured");
			return new Response(null, {status: event.type === "space_installation_setup" ? 500 : 200});
		} };`)
		tell := func(event dispatch.Event) {
			err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
				one := to
				one.Event = event
				return f.Tell(ctx, q, one)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		setups := func(what string, done func([]record) bool) []record {
			t.Helper()
			for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
				list := f.records(to, "installation_setup")
				if done(list) {
					return list
				}
				if time.Now().After(end) {
					t.Fatalf("waiting until %s: %+v", what, list)
				}
			}
		}
		tell(dispatch.Event{"type": "installation_setup", "fails": true})
		setups("it has failed", func(list []record) bool { return len(list) == 2 && list[1].attempts > 0 })
		// As after some attempts: the next one would be in four minutes.
		if _, err := f.db.Write().ExecContext(t.Context(), `UPDATE integration_event SET attempts = 4, due_at = $1
			WHERE queue = $2 AND attempts > 0 AND status = 'queued'`, time.Now().Add(260*time.Second).UnixMicro(),
			to.Queue); err != nil {
			t.Fatal(err)
		}
		tell(dispatch.Event{"type": "space_installation_setup"})
		tell(dispatch.Event{"type": "installation_setup"})
		list := setups("the newer one is tried", func(list []record) bool { return list[1].status != "queued" })
		if list[1].status != "failed" || list[1].attempts != 4 {
			t.Errorf("the older one is %+v", list[1])
		}
		setups("it is heard", func(list []record) bool {
			other := f.records(to, "space_installation_setup")
			return other[0].attempts > 1 && other[0].status == "queued" && list[2].status == "queued"
		})
	})
}

// TestEndLetsCallsEnd holds that the end of the server lets a call and what it gave to waitUntil come to their end, and
// that what was not delivered waits.
func TestEndLetsCallsEnd(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", `export default { async fetch(request, env, ctx) {
			const event = JSON.parse((await request.formData()).get("event"));
			if (event.type !== "task") return new Response(null, {status: 406});
			ctx.waitUntil(new Promise((done) => setTimeout(() => { console.log("behind"); done(); }, 800)));
			return new Response("heard");
		} };`)
		f.tell(to, 1)
		f.await(to, "it is heard", all("success"))
		f.stop()
		list := f.records(to, "task")
		if len(list[0].logs) != 1 || list[0].logs[0].Message != "behind" {
			t.Errorf("the log is %+v", list[0].logs)
		}
		f.tell(to, 1)
		if list = f.records(to, "task"); len(list) != 2 || list[1].status != "queued" {
			t.Errorf("%+v", list)
		}
	})
}

// TestWaitUntilHoldsNoTurn holds that what goes on behind answers keeps no further call waiting.
func TestWaitUntilHoldsNoTurn(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", `export default { fetch(request, env, ctx) {
			ctx.waitUntil(new Promise((done) => setTimeout(done, 3000)));
			return new Response("heard");
		} };`)
		began := time.Now()
		for range 8 { // twice as many as an organization has turns
			if _, err := f.Send(t.Context(), dispatch.Target{Integration: "ear", Level: to.Level},
				dispatch.Event{"type": "fetch"}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took > 2500*time.Millisecond {
			t.Errorf("8 calls took %v", took)
		}
	})
}

// TestTasksAreBounded holds that an integration cannot fill the table with tasks for later.
func TestTasksAreBounded(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", ear)
		caller, err := f.integrations.Authenticate(t.Context(), f.integrations.InstallationToken(to.Queue))
		if err != nil {
			t.Fatal(err)
		}
		queue := func() error {
			return f.QueueTask(t.Context(), caller, "ear", json.RawMessage(`{"n":1}`), time.Hour)
		}
		err = f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			later := to
			later.After, later.Event = time.Hour, dispatch.Event{"type": "task", "task": map[string]any{}}
			for range 999 {
				if err := f.Tell(ctx, q, later); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := queue(); err != nil {
			t.Error(err)
		}
		if err := queue(); !errs.Is(err, errs.TooMany) {
			t.Errorf("one too many: %v", err)
		}
	})
}

// TestOldEventsAreRemoved holds that events are kept for 30 days.
func TestOldEventsAreRemoved(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", ear)
		f.tell(to, 2)
		f.await(to, "all are heard", all("success"))
		old := time.Now().Add(-31 * 24 * time.Hour).UnixMicro()
		if _, err := f.db.Write().ExecContext(t.Context(), `UPDATE integration_event SET created_at = $1 WHERE id =
			(SELECT min(id) FROM integration_event WHERE queue = $2 AND kind = 'task')`, old, to.Queue); err != nil {
			t.Fatal(err)
		}
		if err := f.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list := f.records(to, "task"); len(list) != 1 || list[0].logs[0].Message != "1" {
			t.Errorf("%d are left: %+v", len(list), list)
		}
	})
}

// TestTasksWait holds that a task with a time waits for it and holds up nothing else.
func TestTasksWait(t *testing.T) {
	each(t, func(f *fixture) {
		to := f.installed("ear", ear)
		err := f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			later := to
			later.After, later.Event = time.Hour, dispatch.Event{"type": "task", "task": map[string]any{"n": "later"}}
			return f.Tell(ctx, q, later)
		})
		if err != nil {
			t.Fatal(err)
		}
		f.tell(to, 1)
		f.await(to, "the one without a time is heard", all("success"))
		var status, queue string
		if err := f.db.Read().QueryRowContext(t.Context(), `SELECT status, queue FROM integration_event
			WHERE queue LIKE $1`, to.Queue+"/%").Scan(&status, &queue); err != nil || status != "queued" {
			t.Fatal(status, err)
		}
		// Its hour is over.
		for _, statement := range []string{`UPDATE integration_event SET due_at = 1 WHERE queue = $1`,
			`UPDATE job SET due_at = 1 WHERE state = 'queued' AND $1 <> ''`} {
			if _, err := f.db.Write().ExecContext(t.Context(), statement, queue); err != nil {
				t.Fatal(err)
			}
		}
		late := to
		late.Queue = queue
		list := f.await(late, "the task is heard", all("success"))
		if list[0].logs[0].Message != "later" {
			t.Errorf("%+v", list)
		}
	})
}
