package translation_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/engine/segment"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// shouter translates to capitals. asked hears of each batch; wait, when it is not nil, holds every answer back until it
// is closed.
type shouter struct {
	asked chan struct{}
	mutex sync.Mutex
	wait  chan struct{}
}

func (s *shouter) Translate(ctx context.Context, batch translation.Batch) ([]string, error) {
	s.mutex.Lock()
	wait := s.wait
	s.mutex.Unlock()
	if wait != nil {
		select {
		case s.asked <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	answers := make([]string, len(batch.Texts))
	for i, text := range batch.Texts {
		answers[i] = strings.ToUpper(text.Text)
	}
	return answers, nil
}

const machinePage = "Welcome to it.\n\nRun `make` and [read on](https://example.com/).\n\n" +
	"* One thing\n* Another thing\n"

func (v variant) start(in translation.MachineRequest) error {
	_, err := v.StartMachine(v.Context(), v.Admin(), v.Organization, v.id, v.code, in)
	return err
}

func TestMachineTranslationIsBoundedAndCancelled(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		t.Parallel()
		machine := &shouter{asked: make(chan struct{})}
		f := newFixture(t, d, machine)
		v := f.translate(f.document("Start", machinePage, "More", "More of *this* here.\n"))
		if err := v.start(translation.MachineRequest{MaxWords: 3}); err != nil {
			t.Fatal(err)
		}
		if done := v.followed(); done.Machine.Total == 0 || done.Machine.Total > 3 {
			t.Errorf("bounded: %+v", done.Machine)
		}
		wantKind(t, v.start(translation.MachineRequest{States: []segment.State{segment.Translated}}), errs.Invalid,
			"states[0]")
		wantKind(t, v.start(translation.MachineRequest{MaxWords: -1}), errs.Invalid, "maxWords")
		wait := make(chan struct{})
		machine.mutex.Lock()
		machine.wait = wait
		machine.mutex.Unlock()
		// Whatever a run has come to when it is cancelled, that is what it says, and it leaves the next one alone.
		for range 10 {
			if err := v.start(translation.MachineRequest{}); err != nil {
				t.Fatal(err)
			}
			wantKind(t, v.start(translation.MachineRequest{}), errs.Conflict, "translating already")
			<-machine.asked
			ended, err := v.CancelMachine(t.Context(), f.Admin(), f.Organization, v.id, v.code)
			if err != nil || ended.Machine.State != translation.Failed || ended.Machine.Error != "Cancelled." {
				t.Fatalf("cancelled: %+v %v", ended.Machine, err)
			}
			_, err = v.CancelMachine(t.Context(), f.Admin(), f.Organization, v.id, v.code)
			wantKind(t, err, errs.Conflict, "No machine")
		}
		if err := v.start(translation.MachineRequest{}); err != nil {
			t.Fatal(err)
		}
		<-machine.asked
		machine.mutex.Lock()
		machine.wait = nil
		machine.mutex.Unlock()
		close(wait)
		if done := v.followed(); done.Machine.State != translation.Completed || done.Counts.Missing != 0 {
			t.Errorf("the run after those that were cancelled: %+v", done)
		}
	})
}

func TestMachineTranslationIsOffWithoutAProvider(t *testing.T) {
	each(t, func(f *fixture) {
		v := f.translate(f.document("Start", "Words.\n"))
		wantKind(f.T, v.start(translation.MachineRequest{}), errs.Precondition, "--translate-url")
	})
}

// TestMachineTranslationSaysWhyItFailed holds that a run ends with a reason that an editor can do something with, and
// that nothing of the endpoint is in it.
func TestMachineTranslationSaysWhyItFailed(t *testing.T) {
	says := func(content string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(
				map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant",
					"content": content}}}})
		}
	}
	fails := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("the endpoint's own words"))
		}
	}
	tests := map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"a refused key":    {fails(http.StatusUnauthorized), "refuses the key"},
		"no such endpoint": {fails(http.StatusNotFound), "check --translate-url and --translate-model"},
		"a redirect":       {fails(http.StatusFound), "cannot be asked"},
		"a page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
			"another form"},
		"prose": {says("Sure! Here it is."), "No answer of the machine could be used"},
		"control characters": {
			says(`{"translations":["a\u0007","a\u0007","a\u0007","a\u0007","a\u0007","a\u0007","a\u0007"]}`),
			"No answer of the machine could be used"},
		"an answer that is endless": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(make([]byte, 5<<20))
		}, "cannot be asked"},
	}
	var current atomic.Pointer[http.HandlerFunc]
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sesame" {
			t.Errorf("asked without the key: %v", r.Header)
		}
		(*current.Load())(w, r)
	}
	endpoint := httptest.NewServer(http.HandlerFunc(answer))
	t.Cleanup(endpoint.Close)
	provider := translation.NewCompletions(endpoint.URL, "small", "sesame")
	f := newFixture(t, dbtest.SQLite(t), provider)
	v := f.translate(f.document("Start", machinePage, "More", "More of *this* here.\n"))
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			current.Store(&test.answer)
			if err := v.start(translation.MachineRequest{}); err != nil {
				t.Fatal(err)
			}
			done := v.followed()
			if done.Machine.State != translation.Failed || !strings.Contains(done.Machine.Error, test.says) ||
				done.Counts.Missing != 7 {
				t.Errorf("%+v, want %q", done, test.says)
			}
			for _, secret := range []string{"127.0.0.1", "own words", "sesame"} {
				if strings.Contains(done.Machine.Error, secret) {
					t.Errorf("%q says %q", done.Machine.Error, secret)
				}
			}
		})
	}
}
