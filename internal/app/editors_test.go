package app_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// Environment of a process that serves until it is killed, and of how much the editors work: how many edits have to be
// acknowledged, and for how many seconds they go on at least.
const (
	servedSettings = "RECTO_TEST_SERVE"
	editorEdits    = "RECTO_EDITOR_EDITS"
	editorSeconds  = "RECTO_EDITOR_SECONDS"
)

func TestMain(m *testing.M) {
	if settings := os.Getenv(servedSettings); settings != "" {
		if err := serveUntilKilled(context.Background(), settings); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serveUntilKilled(ctx context.Context, encoded string) error {
	var settings config.Serve
	if err := json.Unmarshal([]byte(encoded), &settings); err != nil {
		return err
	}
	return app.Serve(ctx, settings, "test", io.Discard,
		slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
}

const (
	editors = 64
	// editsPerKill is how many edits are acknowledged between two kills, on average.
	editsPerKill = 200
	// editingTakes is the longest that the edits may take before something hangs.
	editingTakes = 8 * time.Minute
)

// TestEditorsLoseNothing lets 64 people edit one space at once: every edit that was acknowledged is in the history
// once, none is there twice, and each page is as its last edit left it. Half of the tests kill the server over and over
// again. What they prove is a number of edits and of kills, whatever the machine; only how long it takes differs.
func TestEditorsLoseNothing(t *testing.T) {
	for _, kill := range []bool{false, true} {
		name := map[bool]string{false: "undisturbed", true: "killed"}[kill]
		t.Run("sqlite "+name, func(t *testing.T) {
			t.Parallel()
			letThemEdit(t, config.Storage{Data: t.TempDir()}, kill)
		})
		t.Run("postgres "+name, func(t *testing.T) {
			t.Parallel()
			letThemEdit(t, config.Storage{Data: t.TempDir(), DatabaseURL: dbtest.EmptyPostgresURL(t)}, kill)
		})
	}
}

// work is what the editors do before they stop.
type work struct {
	edits, kills int64
	// until is when they may stop, and latest when they must have done it.
	until, latest time.Time

	acknowledged, killed atomic.Int64
}

// newWork is RECTO_EDITOR_EDITS, or ten for each of the editors, and RECTO_EDITOR_SECONDS, or no time of its own.
func newWork(t *testing.T, kill bool) *work {
	number := func(name, fallback string) int64 {
		found, err := strconv.ParseInt(cmp.Or(os.Getenv(name), fallback), 10, 64)
		if err != nil || found < 0 {
			t.Fatalf("%s is %q, want a number", name, os.Getenv(name))
		}
		return found
	}
	w := &work{edits: max(number(editorEdits, strconv.Itoa(10*editors)), editors)}
	if kill {
		w.kills = max(w.edits/editsPerKill, 3)
	}
	w.until = time.Now().Add(time.Duration(number(editorSeconds, "0")) * time.Second)
	w.latest = w.until.Add(editingTakes)
	return w
}

// done is true once enough was acknowledged and killed; also when it takes too long, which the test then says.
func (w *work) done() bool {
	now := time.Now()
	enough := w.acknowledged.Load() >= w.edits && w.killed.Load() >= w.kills
	return enough && now.After(w.until) || now.After(w.latest)
}

// process is a server in a process of its own that can be killed and started again at the same address.
type process struct {
	t        *testing.T
	settings config.Serve
	token    string
	client   *http.Client
	running  *exec.Cmd
}

func (p *process) start() {
	encoded, err := json.Marshal(p.settings)
	if err != nil {
		p.t.Fatal(err)
	}
	p.running = exec.Command(os.Args[0])
	p.running.Env = append(os.Environ(), servedSettings+"="+string(encoded))
	p.running.Stderr = os.Stderr
	if err := p.running.Start(); err != nil {
		p.t.Fatal(err)
	}
	for until := time.Now().Add(time.Minute); ; {
		answer, err := p.client.Get(p.settings.BaseURL + "/readyz")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Now().After(until) {
			p.t.Fatalf("the server is not ready: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (p *process) kill() {
	if err := p.running.Process.Kill(); err != nil {
		p.t.Error(err)
	}
	_ = p.running.Wait() // it says that the process was killed
}

// call sends a request; ok is false when no whole answer came, so that nobody knows what became of it.
func (p *process) call(method, path, body string, into any) (status int, ok bool) {
	request, err := http.NewRequest(method, p.settings.BaseURL+path, bytes.NewReader([]byte(body)))
	if err != nil {
		p.t.Error(err)
		return 0, false
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := p.client.Do(request)
	if err != nil {
		return 0, false
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, false
	}
	if into != nil && answer.StatusCode < 300 {
		if err := json.Unmarshal(raw, into); err != nil {
			p.t.Errorf("%s %s: %v", method, path, err)
		}
	}
	if answer.StatusCode >= 300 {
		p.t.Logf("%s %s: %d %s", method, path, answer.StatusCode, raw)
	}
	return answer.StatusCode, true
}

// editor is one person with one page, and what they were told.
type editor struct {
	page         string
	acknowledged []int
	// sent is the number of the last edit that was sent; it may be written, unseen.
	sent int
}

func letThemEdit(t *testing.T, storage config.Storage, kill bool) {
	quiet := slog.New(slog.DiscardHandler)
	made, err := app.Init(t.Context(), storage, app.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"},
		quiet)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Defaults(storage.Data)
	settings.Storage, settings.RateLimit = storage, 0
	settings.Listen = listener.Addr().String()
	settings.BaseURL = "http://" + settings.Listen
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	p := &process{
		t: t, settings: settings, token: made.Secret,
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: editors}},
	}
	p.start()
	defer func() { p.kill() }()

	var space struct{ ID string }
	if status, _ := p.call(http.MethodPost, "/v1/orgs/"+string(made.Organization.ID)+"/spaces", `{"title":"Shared"}`,
		&space); status != http.StatusCreated {
		t.Fatalf("make the space: %d", status)
	}
	people := make([]*editor, editors)
	for i := range people {
		people[i] = &editor{page: insertPage(t, p, space.ID, i)}
	}
	todo := newWork(t, kill)
	began := time.Now()
	var working sync.WaitGroup
	for i, person := range people {
		working.Go(func() {
			for !todo.done() {
				person.sent++
				if !person.edit(p, space.ID, i, todo) {
					time.Sleep(20 * time.Millisecond)
				} else if !kill && len(person.acknowledged) != person.sent {
					t.Errorf("editor %d: edit %d was refused, and nobody else touches their page", i, person.sent)
					return
				}
			}
		})
	}
	for kill && !todo.done() {
		// Not at the same number each time, nor just when an edit was acknowledged.
		next := todo.acknowledged.Load() + rand.Int64N(2*editsPerKill)
		for todo.acknowledged.Load() < next && !todo.done() {
			time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond)
		}
		if todo.done() {
			break // the editors stopped before that number, and would not reach it
		}
		p.kill()
		todo.killed.Add(1)
		p.start()
	}
	working.Wait()
	took := time.Since(began)
	if todo.acknowledged.Load() < todo.edits || todo.killed.Load() < todo.kills {
		t.Errorf("only %d of %d edits and %d of %d kills in %s", todo.acknowledged.Load(), todo.edits,
			todo.killed.Load(), todo.kills, took)
	}
	inHistory := checkHistory(t, p, space.ID, people)
	t.Logf("%d editors in %.1f s: %d edits acknowledged, %d in the history, %d kills", editors, took.Seconds(),
		todo.acknowledged.Load(), inHistory, todo.killed.Load())
}

func insertPage(t *testing.T, p *process, space string, i int) string {
	t.Helper()
	var update struct {
		Changes []struct{ Page struct{ ID string } }
	}
	body := fmt.Sprintf(
		`{"changes":[{"operation":"insert_page","title":"Page of %d","document":{"markdown":"nothing yet\n"}}]}`, i)
	if status, _ := p.call(http.MethodPost, "/v1/spaces/"+space+"/content", body, &update); status != http.StatusOK ||
		len(update.Changes) != 1 {
		t.Fatalf("insert a page: %d", status)
	}
	return update.Changes[0].Page.ID
}

// edit sends the next edit; it is false when nobody knows what became of it.
func (e *editor) edit(p *process, space string, i int, todo *work) bool {
	body := fmt.Sprintf(
		`{"message":"%d.%d","changes":[{"operation":"update_page","page":"%s","document":{"markdown":"edit %d\n"}}]}`,
		i, e.sent, e.page, e.sent)
	status, ok := p.call(http.MethodPost, "/v1/spaces/"+space+"/content", body, nil)
	if ok && status == http.StatusOK {
		e.acknowledged = append(e.acknowledged, e.sent)
		todo.acknowledged.Add(1)
	}
	return ok
}

// checkHistory holds the history and the pages against what the editors were told, and returns how many edits the
// history has.
func checkHistory(t *testing.T, p *process, space string, people []*editor) int {
	t.Helper()
	seen := map[string]int{}
	for next := ""; ; {
		var list struct {
			Items []struct{ Message string }
			Next  struct{ Page string }
		}
		if status, _ := p.call(http.MethodGet, "/v1/spaces/"+space+"/revisions?limit=1000&page="+next, "",
			&list); status != http.StatusOK {
			t.Fatalf("list the history: %d", status)
		}
		for _, item := range list.Items {
			seen[item.Message]++
		}
		if next = list.Next.Page; next == "" {
			break
		}
	}
	delete(seen, "")
	for i, person := range people {
		last := 0
		for _, n := range person.acknowledged {
			if seen[fmt.Sprintf("%d.%d", i, n)] != 1 {
				t.Errorf("edit %d.%d was acknowledged and is %d times in the history", i, n,
					seen[fmt.Sprintf("%d.%d", i, n)])
			}
		}
		for n := 1; n <= person.sent; n++ {
			if seen[fmt.Sprintf("%d.%d", i, n)] > 0 {
				last = n
			}
		}
		var page struct{ Markdown string }
		if status, _ := p.call(http.MethodGet, "/v1/spaces/"+space+"/content/page/"+person.page+"?format=markdown", "",
			&page); status != http.StatusOK {
			t.Errorf("read the page of %d: %d", i, status)
		}
		if want := fmt.Sprintf("edit %d", last); last > 0 && !bytes.Contains([]byte(page.Markdown), []byte(want)) {
			t.Errorf("the page of %d is %q, want %q", i, page.Markdown, want)
		}
	}
	for message, times := range seen {
		if times != 1 {
			t.Errorf("edit %s is %d times in the history", message, times)
		}
	}
	return len(seen)
}
