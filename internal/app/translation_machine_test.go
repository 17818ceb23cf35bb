package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/config"
)

// model is an endpoint of chat completions that translates by pseudo.
type model struct {
	mutex    sync.Mutex
	requests []struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	// busy is how many requests are answered with 429 first; spoil takes the placeholders out of texts with this word;
	// wait holds every answer back until it is closed.
	// answer takes the place of everything else when it is not nil.
	busy   int
	spoil  string
	wait   chan struct{}
	answer http.HandlerFunc
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mutex.Lock()
	if m.answer != nil {
		defer m.mutex.Unlock()
		m.answer(w, r)
		return
	}
	if m.busy > 0 {
		m.busy--
		m.mutex.Unlock()
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	err := json.NewDecoder(r.Body).Decode(&asked)
	m.requests = append(m.requests, asked)
	wait := m.wait
	m.mutex.Unlock()
	if wait != nil {
		select {
		case <-wait:
		case <-r.Context().Done():
		}
	}
	if err != nil || r.Header.Get("Authorization") != "Bearer sesame" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var texts struct{ Texts []struct{ Text string } }
	if err := json.Unmarshal([]byte(asked.Messages[1].Content), &texts); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var answer struct {
		Translations []string `json:"translations"`
	}
	for _, text := range texts.Texts {
		translation := pseudo(text.Text)
		if m.spoil != "" && strings.Contains(text.Text, m.spoil) {
			translation = "Spoilt"
		}
		answer.Translations = append(answer.Translations, translation)
	}
	said, _ := json.Marshal(answer)
	_ = json.NewEncoder(w).Encode(
		map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant",
			"content": "```json\n" + string(said) + "\n```"}}}})
}

// connected starts a model and returns what connects a server with it.
func connected(t *testing.T, m *model) func(*config.Serve) {
	t.Helper()
	endpoint := httptest.NewServer(m)
	t.Cleanup(endpoint.Close)
	return func(settings *config.Serve) {
		settings.TranslateURL, settings.TranslateModel, settings.TranslateKey = endpoint.URL+"/v1/chat/completions",
			"small", "sesame"
		settings.FetchAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
}

// translating starts a server with a model and a translation to German of a few pages.
func translating(t *testing.T, m *model) (s *server, at, translation string) {
	t.Helper()
	s = onSQLite(t, connected(t, m))
	at, translation = s.translating()
	return s, at, translation
}

// translating makes a translation to German of a few pages.
func (s *server) translating() (at, translation string) {
	s.t.Helper()
	space, _ := s.documented("Machine", map[string]string{
		"Start": "Welcome to it.\n\nRun `make` and [read on](https://example.com/).\n\n* One thing\n* Another thing\n",
		"More":  "More of *this* here.\n",
	})
	all := "/v1/orgs/" + s.organization + "/translations"
	var made translationSettings
	s.call(http.MethodPost, all, map[string]any{
		"source": map[string]any{"space": space, "language": "en"}, "languages": []string{"de"},
		"instructions": map[string]any{"object": "document", "data": map[string]any{}, "nodes": []any{map[string]any{
			"object": "block", "type": "paragraph", "isVoid": false, "data": map[string]any{},
			"nodes": []any{map[string]any{
				"object": "text", "leaves": []any{map[string]any{"object": "leaf", "text": "Say du.",
					"marks": []any{}}},
			}},
		}}},
		"glossary": []any{map[string]any{"term": "thing", "translations": map[string]any{"de": "Ding"}},
			map[string]any{"term": "Recto"}},
	}, http.StatusCreated, &made)
	at = all + "/" + made.ID + "/languages/de"
	s.followed(at)
	return at, all + "/" + made.ID
}

func TestMachineTranslation(t *testing.T) {
	m := &model{busy: 1, spoil: "Run"}
	s, at, settings := translating(t, m)
	// What a person has written is left alone.
	mine := s.segments(at, "")[0]
	s.call(http.MethodPut, at+"/segments/"+mine.ID, `{"target":"Von Hand"}`, http.StatusOK, nil)
	s.followed(at)
	s.call(http.MethodPost, at+"/machine", `{}`, http.StatusAccepted, nil)
	done := s.followed(at)
	if done.Machine.Status != "completed" || done.Machine.Failed != 1 || done.Machine.Done != done.Machine.Total ||
		done.Machine.Total != 6 {
		t.Fatalf("done: %+v", done)
	}
	if done.Counts.Machine != 5 || done.Counts.Translated != 6 || done.Counts.Missing != 1 {
		t.Errorf("counts: %+v", done.Counts)
	}
	for _, one := range s.segments(at, "") {
		switch {
		case one.ID == mine.ID:
			if one.Target != "Von Hand" || one.Origin != "human" {
				t.Errorf("by hand: %+v", one)
			}
		case strings.Contains(one.Source, "Run"):
			if one.State != "missing" {
				t.Errorf("spoilt: %+v", one)
			}
		case one.Target != pseudo(one.Source) || one.Origin != "machine":
			t.Errorf("by machine: %+v", one)
		}
	}
	said := m.requests[0].Messages[0].Content
	for _, want := range []string{"German", "Say du.", "thing: Ding", "Recto: Recto"} {
		if !strings.Contains(said, want) {
			t.Errorf("the briefing lacks %q:\n%s", want, said)
		}
	}
	var stats struct {
		Stats struct{ Runs, TotalWords, LatestPages int }
	}
	s.call(http.MethodGet, settings, nil, http.StatusOK, &stats)
	if stats.Stats.Runs != 1 || stats.Stats.TotalWords == 0 || stats.Stats.LatestPages != 2 {
		t.Errorf("stats: %+v", stats)
	}
	// A person confirms one: it is no machine's any more.
	for _, one := range s.segments(at, "?state=translated") {
		if one.Origin == "machine" {
			var after translatedSegment
			s.call(http.MethodPut, at+"/segments/"+one.ID, map[string]any{"target": one.Target}, http.StatusOK, &after)
			if after.Origin != "human" {
				t.Errorf("confirmed: %+v", after)
			}
			break
		}
	}
	if after := s.followed(at); after.Counts.Machine != 4 {
		t.Errorf("after: %+v", after.Counts)
	}
}

func TestMachineTranslationIsBoundedAndCancelled(t *testing.T) {
	for name, in := range map[string]func(*testing.T) config.Storage{"sqlite": inSQLite, "postgres": inPostgres} {
		t.Run(name, func(t *testing.T) {
			m := &model{}
			start(t, in(t), connected(t, m)).boundedAndCancelled(t, m)
		})
	}
}

func (s *server) boundedAndCancelled(t *testing.T, m *model) {
	at, _ := s.translating()
	s.call(http.MethodPost, at+"/machine", `{"maxWords":3}`, http.StatusAccepted, nil)
	if done := s.followed(at); done.Machine.Total == 0 || done.Machine.Total > 3 {
		t.Errorf("bounded: %+v", done.Machine)
	}
	s.call(http.MethodPost, at+"/machine", `{"states":["translated"]}`, http.StatusBadRequest, nil)

	m.mutex.Lock()
	m.wait = make(chan struct{})
	m.mutex.Unlock()
	// Whatever a run has come to when it is cancelled, that is what it says, and it leaves the next one alone.
	for range 10 {
		var ended translatedLanguage
		asked := m.asked()
		s.call(http.MethodPost, at+"/machine", `{}`, http.StatusAccepted, nil)
		s.call(http.MethodPost, at+"/machine", `{}`, http.StatusConflict, nil)
		for deadline := time.Now().Add(20 * time.Second); m.asked() == asked && time.Now().Before(deadline); time.Sleep(
			time.Millisecond) {
		}
		s.call(http.MethodDelete, at+"/machine", nil, http.StatusOK, &ended)
		if ended.Machine.Status != "failed" || ended.Machine.Error != "Cancelled." {
			t.Fatalf("cancelled: %+v", ended.Machine)
		}
		s.call(http.MethodDelete, at+"/machine", nil, http.StatusConflict, nil)
	}
	s.call(http.MethodPost, at+"/machine", `{}`, http.StatusAccepted, nil)
	close(m.wait)
	if done := s.followed(at); done.Machine.Status != "completed" || done.Counts.Missing != 0 {
		t.Errorf("the run after those that were cancelled: %+v", done)
	}
}

// asked is how often it was asked.
func (m *model) asked() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return len(m.requests)
}

// TestMachineTranslationSaysWhyItFailed holds that a run ends with a reason that an editor can do something with, and
// that nothing of the endpoint is in it.
func TestMachineTranslationSaysWhyItFailed(t *testing.T) {
	m := &model{}
	s, at, _ := translating(t, m)
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
	for name, test := range map[string]struct {
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
	} {
		t.Run(name, func(t *testing.T) {
			m.mutex.Lock()
			m.answer = test.answer
			m.mutex.Unlock()
			s.t = t
			if got := s.raw(http.MethodPost, at+"/machine", s.token, nil); got.status != http.StatusAccepted {
				t.Fatalf("%d %s", got.status, got.body)
			}
			done := s.followed(at)
			if done.Machine.Status != "failed" || !strings.Contains(done.Machine.Error, test.says) ||
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

func TestMachineTranslationIsOffByDefault(t *testing.T) {
	s := onSQLite(t, nil)
	space, _ := s.documented("Off", map[string]string{"Start": "Words.\n"})
	all := "/v1/orgs/" + s.organization + "/translations"
	var made translationSettings
	s.call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": space, "language": "en"},
		"languages": []string{"de"}}, http.StatusCreated, &made)
	at := all + "/" + made.ID + "/languages/de"
	s.followed(at)
	s.call(http.MethodPost, at+"/machine", `{}`, http.StatusPreconditionFailed, nil)
}
