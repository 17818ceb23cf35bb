package app_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/engine/steps"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

const (
	typists = 8
	// liveSeconds is for how many seconds they type at least.
	liveSeconds = "RECTO_LIVE_SECONDS"
	// keysPerKill is how many keystrokes are acknowledged between two kills, on average.
	keysPerKill = 150
	// typingTakes is the longest that it may take before something hangs.
	typingTakes = 4 * time.Minute
)

// TestTypistsLoseNothing lets eight people type in one page at once while processes are killed and connections drop:
// all end with one text, which is that of the page, and every keystroke that was acknowledged is in it once. On
// PostgreSQL two processes serve them.
func TestTypistsLoseNothing(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		letThemType(t, config.Storage{Data: t.TempDir()}, 1)
	})
	t.Run("postgres", func(t *testing.T) {
		letThemType(t, config.Storage{Data: t.TempDir(), DatabaseURL: dbtest.EmptyPostgresURL(t)}, 2)
	})
}

// hall is where the typists are.
type hall struct {
	*testing.T
	processes []*process
	// path is that of the change request, page that of the page in it.
	path, page, schema string

	until, latest  time.Time
	keys           int64 // to be acknowledged
	kills, killed  atomic.Int64
	stopped        atomic.Bool
	next           atomic.Int64 // the next character
	pressed        atomic.Int64
	acknowledged   atomic.Int64
	batches        atomic.Int64
	behind, resent atomic.Int64
	dropped        atomic.Int64
	mutex          sync.Mutex
	waited         []time.Duration
}

// character is one that no other keystroke has.
func (h *hall) character() rune {
	n := rune(h.next.Add(1) - 1)
	for _, block := range []struct{ first, count rune }{{0x4e00, 20_000}, {0xac00, 11_000}, {0x3400, 6_500}} {
		if n < block.count {
			return block.first + n
		}
		n -= block.count
	}
	h.stopped.Store(true) // there are no more
	return 'x'
}

func (h *hall) done() bool {
	now := time.Now()
	return h.stopped.Load() || now.After(h.latest) ||
		h.acknowledged.Load() >= h.keys && h.killed.Load() >= h.kills.Load() && now.After(h.until)
}

func letThemType(t *testing.T, storage config.Storage, processes int) {
	h := openHall(t, storage, processes)
	everybody := make([]*typist, typists)
	var typing, disturbing sync.WaitGroup
	began := time.Now()
	for i := range everybody {
		everybody[i] = &typist{hall: h, name: fmt.Sprintf("typist%d", i), at: i, text: []rune(beginning)}
		typing.Go(everybody[i].work)
	}
	over := make(chan struct{})
	disturbing.Go(func() { h.read(over) })
	for !h.done() {
		next := h.acknowledged.Load() + 1 + rand.Int64N(2*keysPerKill)
		// Who has waited while nothing ran types that many at once; all are to work on for a while first.
		up := time.Now().Add(time.Duration(500+rand.IntN(2500)) * time.Millisecond)
		for (h.acknowledged.Load() < next || time.Now().Before(up)) && !h.done() {
			time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond)
		}
		if h.done() {
			break
		}
		p := h.processes[rand.IntN(len(h.processes))]
		p.kill()
		h.killed.Add(1)
		p.start()
	}
	typing.Wait()
	close(over)
	disturbing.Wait()
	took := time.Since(began)
	if t.Failed() {
		return
	}
	if h.acknowledged.Load() < h.keys || h.killed.Load() < h.kills.Load() {
		t.Errorf("only %d of %d keystrokes and %d of %d kills in %s", h.acknowledged.Load(), h.keys, h.killed.Load(),
			h.kills.Load(), took)
	}
	h.compare(everybody)
	h.report(everybody, took)
}

// beginning is what the page has before anybody types.
const beginning = "begin"

// openHall starts processes on a storage, and makes a page in a change request.
func openHall(t *testing.T, storage config.Storage, processes int) *hall {
	made, err := app.Init(t.Context(), storage, app.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	seconds, err := strconv.Atoi(cmp.Or(os.Getenv(liveSeconds), "8"))
	if err != nil {
		t.Fatalf("%s is %q, want a number", liveSeconds, os.Getenv(liveSeconds))
	}
	h := &hall{T: t, keys: typists * 30, until: time.Now().Add(time.Duration(seconds) * time.Second)}
	h.kills.Store(2)
	h.latest = h.until.Add(typingTakes)
	engine, err := steps.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.schema = engine.Schema()
	engine.Close()
	for i := range processes {
		h.processes = append(h.processes, h.process(storage, i, made.Secret))
	}
	first := h.processes[0]
	var space, request struct{ ID string }
	first.call(http.MethodPost, "/v1/orgs/"+string(made.Organization.ID)+"/spaces", `{"title":"Shared"}`, &space)
	first.call(http.MethodPost, "/v1/spaces/"+space.ID+"/change-requests", `{}`, &request)
	h.path = "/v1/spaces/" + space.ID + "/change-requests/" + request.ID
	var update struct {
		Changes []struct{ Page struct{ ID string } }
	}
	if status, _ := first.call(http.MethodPost, h.path+"/content?compat=false", `{"changes":[{"operation":"insert_page",
		"title":"Page","document":{"markdown":"`+beginning+`\n"}}]}`, &update); status != http.StatusOK {
		t.Fatalf("insert a page: %d", status)
	}
	h.page = h.path + "/content/page/" + update.Changes[0].Page.ID
	return h
}

// process starts one of the processes, each with a folder of its own.
func (h *hall) process(storage config.Storage, number int, token string) *process {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.Fatal(err)
	}
	if number > 0 {
		key, err := os.ReadFile(filepath.Join(storage.Data, "secret.key"))
		storage.Data = h.TempDir()
		if err == nil {
			err = os.WriteFile(filepath.Join(storage.Data, "secret.key"), key, 0o600)
		}
		if err != nil {
			h.Fatal(err)
		}
	}
	settings := config.Defaults(storage.Data)
	settings.Storage, settings.RateLimit = storage, 0
	settings.Listen = listener.Addr().String()
	settings.BaseURL = "http://" + settings.Listen
	if err := listener.Close(); err != nil {
		h.Fatal(err)
	}
	p := &process{t: h.T, settings: settings, token: token, client: &http.Client{Timeout: 30 * time.Second}}
	p.start()
	h.Cleanup(p.kill)
	return p
}

// read reads the page and changes its title, as others do meanwhile: the first writes what is there, the second moves
// the head.
func (h *hall) read(over chan struct{}) {
	quiet := &http.Client{Timeout: 30 * time.Second}
	for i := 0; ; i++ {
		select {
		case <-over:
			return
		case <-time.After(time.Duration(200+rand.IntN(800)) * time.Millisecond):
		}
		p := h.processes[rand.IntN(len(h.processes))]
		method, path, body := http.MethodGet, h.page+"?format=markdown", ""
		if i%4 == 3 {
			method, path = http.MethodPost, h.path+"/content"
			body = fmt.Sprintf(`{"changes":[{"operation":"update_page","page":%q,"title":"Title %d"}]}`,
				h.page[strings.LastIndex(h.page, "/")+1:], i)
		}
		request, err := http.NewRequest(method, p.settings.BaseURL+path, strings.NewReader(body))
		if err != nil {
			h.Error(err)
			return
		}
		request.Header.Set("Authorization", "Bearer "+p.token)
		request.Header.Set("Content-Type", "application/json")
		answer, err := quiet.Do(request)
		if err != nil {
			continue // it was killed
		}
		said, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode >= 400 && answer.StatusCode != http.StatusServiceUnavailable {
			h.Errorf("%s %s: %d %s", method, path, answer.StatusCode, said)
		}
	}
}

// compare holds that all have one text, which is that of the page, with every keystroke in it once.
func (h *hall) compare(everybody []*typist) {
	var page struct{ Markdown string }
	if status, _ := h.processes[0].call(http.MethodGet, h.page+"?format=markdown", "", &page); status != http.StatusOK {
		h.Fatalf("read the page: %d", status)
	}
	_, body, _ := strings.Cut(page.Markdown, "\n")
	body = strings.TrimSpace(body)
	counts := map[rune]int{}
	for _, c := range body {
		counts[c]++
	}
	for _, who := range everybody {
		if string(who.text) != body {
			h.Errorf("%s has %d characters, the page has %d, and they differ", who.name, len(who.text),
				len([]rune(body)))
		}
		for _, c := range who.sure {
			if counts[c] != 1 {
				h.Errorf("%s: a keystroke that was acknowledged is there %d times", who.name, counts[c])
			}
		}
	}
	if want := len([]rune(beginning)) + int(h.acknowledged.Load()); len([]rune(body)) != want {
		h.Errorf("the page has %d characters, want %d", len([]rune(body)), want)
	}
}

// report writes the figures down.
func (h *hall) report(everybody []*typist, took time.Duration) {
	slices.Sort(h.waited)
	least, most := 1<<30, 0
	for _, who := range everybody {
		least, most = min(least, len(who.sure)), max(most, len(who.sure))
	}
	at := func(part float64) time.Duration {
		if len(h.waited) == 0 {
			return 0
		}
		return h.waited[int(part*float64(len(h.waited)-1))].Round(time.Millisecond)
	}
	h.Logf("%d typists, %d processes, %.0f s: %d keystrokes in %d batches, %d refused as behind, %d sent again, "+
		"%d kills, %d connections dropped; %d to %d keystrokes each; a batch takes %s (median), %s (95 of 100), "+
		"%s at most",
		typists, len(h.processes), took.Seconds(), h.acknowledged.Load(), h.batches.Load(), h.behind.Load(),
		h.resent.Load(), h.killed.Load(), h.dropped.Load(), least, most, at(0.5), at(0.95), at(1))
}

// place is where a character of a typist is going to be.
type place struct {
	at   int
	char rune
}

// encode makes the steps of characters that are typed one after the other.
func encode(pending []place) []json.RawMessage {
	var all []json.RawMessage
	for _, p := range pending {
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"stepType":"replace","from":%d,"to":%d,"slice":{"content":[{"type":"text","text":%q}]}}`,
			p.at+1, p.at+1, string(p.char))
		all = append(all, b.Bytes())
	}
	return all
}
