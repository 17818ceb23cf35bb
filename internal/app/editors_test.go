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
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// Environment of a process that serves until it is killed, and of how long the editors work.
const (
	servedSettings = "RECTO_TEST_SERVE"
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
	return app.Serve(ctx, settings, "test",
		slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
}

const editors = 64

// TestEditorsLoseNothing lets 64 people edit one space at once: every edit that was acknowledged is in the history
// once, none is there twice, and each page is as its last edit left it. Half of the tests kill the server about every
// second.
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

// editing is how long the editors work: RECTO_EDITOR_SECONDS, or three seconds.
func editing(t *testing.T) time.Duration {
	seconds, err := strconv.Atoi(cmp.Or(os.Getenv(editorSeconds), "3"))
	if err != nil || seconds < 1 {
		t.Fatalf("%s is %q, want a number of seconds", editorSeconds, os.Getenv(editorSeconds))
	}
	return time.Duration(seconds) * time.Second
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
	// sent is the number of the last edit that was sent; it may have landed unseen.
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
	until := time.Now().Add(editing(t))
	var working sync.WaitGroup
	for i, person := range people {
		working.Go(func() {
			for time.Now().Before(until) {
				person.sent++
				if !person.edit(p, space.ID, i) {
					time.Sleep(20 * time.Millisecond)
				} else if !kill && len(person.acknowledged) != person.sent {
					t.Errorf("editor %d: edit %d was refused, and nobody else touches their page", i, person.sent)
					return
				}
			}
		})
	}
	for kill && time.Now().Before(until) {
		time.Sleep(time.Duration(500+rand.IntN(1000)) * time.Millisecond)
		p.kill()
		p.start()
	}
	working.Wait()
	checkHistory(t, p, space.ID, people)
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
func (e *editor) edit(p *process, space string, i int) bool {
	body := fmt.Sprintf(
		`{"message":"%d.%d","changes":[{"operation":"update_page","page":"%s","document":{"markdown":"edit %d\n"}}]}`,
		i, e.sent, e.page, e.sent)
	status, ok := p.call(http.MethodPost, "/v1/spaces/"+space+"/content", body, nil)
	if ok && status == http.StatusOK {
		e.acknowledged = append(e.acknowledged, e.sent)
	}
	return ok
}

func checkHistory(t *testing.T, p *process, space string, people []*editor) {
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
	acknowledged := 0
	for i, person := range people {
		acknowledged += len(person.acknowledged)
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
	if acknowledged < editors {
		t.Errorf("only %d edits were acknowledged", acknowledged)
	}
	t.Logf("%d edits acknowledged, %d in the history", acknowledged, len(seen))
}
