package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/platform/config"
)

// model is an endpoint of chat completions that translates by pseudo.
type model struct {
	mutex    sync.Mutex
	requests []struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	// spoil takes the placeholders out of texts with this word. While wait is not nil, each request is told to it, and
	// answered when its sender has gone.
	spoil string
	wait  chan struct{}
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mutex.Lock()
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	err := json.NewDecoder(r.Body).Decode(&asked)
	m.requests = append(m.requests, asked)
	wait := m.wait
	m.mutex.Unlock()
	if wait != nil {
		wait <- struct{}{}
		<-r.Context().Done()
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
	waited := make(chan struct{})
	m := &model{spoil: "Run", wait: waited}
	s, at, settings := translating(t, m)
	// What a person has written is left alone.
	mine := s.segments(at, "")[0]
	s.call(http.MethodPut, at+"/segments/"+mine.ID, `{"target":"Von Hand"}`, http.StatusOK, nil)
	s.followed(at)
	// A run is cancelled, and leaves the next one alone.
	s.call(http.MethodPost, at+"/machine", `{}`, http.StatusAccepted, nil)
	<-waited
	m.mutex.Lock()
	m.wait = nil
	m.mutex.Unlock()
	var cancelled translatedLanguage
	s.call(http.MethodDelete, at+"/machine", nil, http.StatusOK, &cancelled)
	if cancelled.Machine.Status != "failed" || cancelled.Machine.Error != "Cancelled." {
		t.Fatalf("cancelled: %+v", cancelled.Machine)
	}
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
