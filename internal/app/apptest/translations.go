package apptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/rectodocs/recto/internal/platform/config"
)

var placeholderPattern = regexp.MustCompile(`</?\d+/?>|&\w+;`)

// Pseudo is a reversible translation: ASCII letters change their case, placeholders stay.
func Pseudo(text string) string {
	var b strings.Builder
	swap := func(r rune) rune {
		switch {
		case r < unicode.MaxASCII && unicode.IsUpper(r):
			return unicode.ToLower(r)
		case r < unicode.MaxASCII:
			return unicode.ToUpper(r)
		}
		return r
	}
	for {
		at := placeholderPattern.FindStringIndex(text)
		if at == nil {
			b.WriteString(strings.Map(swap, text))
			return b.String()
		}
		b.WriteString(strings.Map(swap, text[:at[0]]) + text[at[0]:at[1]])
		text = text[at[1]:]
	}
}

// TranslationModel is an endpoint of chat completions that translates by Pseudo.
type TranslationModel struct {
	Mutex    sync.Mutex
	Requests []struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	// Spoil takes the placeholders out of texts with this word. While Wait is not nil, each request is told to it, and
	// answered when its sender has gone.
	Spoil string
	Wait  chan struct{}
}

// ServeHTTP answers a request for a completion.
func (m *TranslationModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.Mutex.Lock()
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	err := json.NewDecoder(r.Body).Decode(&asked)
	m.Requests = append(m.Requests, asked)
	wait := m.Wait
	m.Mutex.Unlock()
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
		translation := Pseudo(text.Text)
		if m.Spoil != "" && strings.Contains(text.Text, m.Spoil) {
			translation = "Spoilt"
		}
		answer.Translations = append(answer.Translations, translation)
	}
	said, _ := json.Marshal(answer)
	_ = json.NewEncoder(w).Encode(
		map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant",
			"content": "```json\n" + string(said) + "\n```"}}}})
}

// WithModel starts a model and returns what connects a server with it.
func WithModel(t *testing.T, m *TranslationModel) func(*config.Serve) {
	t.Helper()
	endpoint := httptest.NewServer(m)
	t.Cleanup(endpoint.Close)
	return func(settings *config.Serve) {
		settings.TranslateURL, settings.TranslateModel, settings.TranslateKey = endpoint.URL+"/v1/chat/completions",
			"small", "sesame"
		settings.FetchAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
}

// Translating makes a translation to German of a few pages.
func (s *Server) Translating() (at, translation string) {
	s.T.Helper()
	space, _ := s.Documented("Machine", map[string]string{
		"Start": "Welcome to it.\n\nRun `make` and [read on](https://example.com/).\n\n* One thing\n* Another thing\n",
		"More":  "More of *this* here.\n",
	})
	all := "/v1/orgs/" + s.Organization + "/translations"
	var made TranslationSettings
	s.Call(http.MethodPost, all, map[string]any{
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
	s.Followed(at)
	return at, all + "/" + made.ID
}

// TranslatedLanguage is what the tests look at of a language of a translation.
type TranslatedLanguage struct {
	Language, Space, Status, Error, ChangeRequest, SourceRevision string
	Counts                                                        struct {
		Pages, Translated, Stale, Missing, Machine, Words int
	}
	Machine struct {
		Status              string
		Done, Total, Failed int
		Error               string
	}
}

// TranslatedSegment is a segment in answers.
type TranslatedSegment struct{ ID, Page, Kind, Source, Target, State, Origin, ChangeRequest string }

// TranslationSettings is what the tests look at of a translation.
type TranslationSettings struct {
	Object, ID, Title, Status, Language string
	Languages                           []string
	Source                              *struct{ Space, Language string }
	Result                              *struct{ Space, Revision string }
	Permissions                         struct{ View, Edit bool }
	URLs                                struct{ Location string }
}

// Followed waits until a variant has followed its source.
func (s *Server) Followed(at string) TranslatedLanguage {
	s.T.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var l TranslatedLanguage
		s.Call(http.MethodGet, at, nil, http.StatusOK, &l)
		if l.Status == "completed" && l.Machine.Status != "pending" && l.Machine.Status != "running" {
			return l
		}
		if l.Status == "failed" || time.Now().After(deadline) {
			s.T.Fatalf("%s is %s: %s", at, l.Status, l.Error)
		}
	}
}

// Segments returns the segments of a language of a translation.
func (s *Server) Segments(at, query string) []TranslatedSegment {
	s.T.Helper()
	var list struct{ Items []TranslatedSegment }
	s.Call(http.MethodGet, at+"/segments"+query, nil, http.StatusOK, &list)
	return list.Items
}

// Documented makes a space with pages.
func (s *Server) Documented(title string, pages map[string]string) (space string, ids map[string]string) {
	s.T.Helper()
	space, ids = s.Space(title), map[string]string{}
	for name, markdown := range pages {
		var made struct {
			Changes []struct{ Page struct{ ID string } }
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "insert_page", "title": name, "document": map[string]any{"markdown": markdown},
		}}}, http.StatusOK, &made)
		ids[name] = made.Changes[0].Page.ID
	}
	return space, ids
}
