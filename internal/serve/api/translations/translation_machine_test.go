package translations_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// translating starts a server with a model and a translation to German of a few pages.
func translating(t *testing.T, m *apptest.TranslationModel) (s *apptest.Server, at, translation string) {
	t.Helper()
	s = apptest.OnSQLite(t, apptest.WithModel(t, m))
	at, translation = s.Translating()
	return s, at, translation
}

func TestMachineTranslation(t *testing.T) {
	waited := make(chan struct{})
	m := &apptest.TranslationModel{Spoil: "Run", Wait: waited}
	s, at, settings := translating(t, m)
	// What a person has written is left alone.
	mine := s.Segments(at, "")[0]
	s.Call(http.MethodPut, at+"/segments/"+mine.ID, `{"target":"Von Hand"}`, http.StatusOK, nil)
	s.Followed(at)
	// A run is cancelled, and leaves the next one alone.
	s.Call(http.MethodPost, at+"/machine", `{}`, http.StatusAccepted, nil)
	<-waited
	m.Mutex.Lock()
	m.Wait = nil
	m.Mutex.Unlock()
	var cancelled apptest.TranslatedLanguage
	s.Call(http.MethodDelete, at+"/machine", nil, http.StatusOK, &cancelled)
	if cancelled.Machine.Status != "failed" || cancelled.Machine.Error != "Cancelled." {
		t.Fatalf("cancelled: %+v", cancelled.Machine)
	}
	s.Call(http.MethodPost, at+"/machine", `{}`, http.StatusAccepted, nil)
	done := s.Followed(at)
	if done.Machine.Status != "completed" || done.Machine.Failed != 1 || done.Machine.Done != done.Machine.Total ||
		done.Machine.Total != 6 {
		t.Fatalf("done: %+v", done)
	}
	if done.Counts.Machine != 5 || done.Counts.Translated != 6 || done.Counts.Missing != 1 {
		t.Errorf("counts: %+v", done.Counts)
	}
	for _, one := range s.Segments(at, "") {
		switch {
		case one.ID == mine.ID:
			if one.Target != "Von Hand" || one.Origin != "human" {
				t.Errorf("by hand: %+v", one)
			}
		case strings.Contains(one.Source, "Run"):
			if one.State != "missing" {
				t.Errorf("spoilt: %+v", one)
			}
		case one.Target != apptest.Pseudo(one.Source) || one.Origin != "machine":
			t.Errorf("by machine: %+v", one)
		}
	}
	said := m.Requests[0].Messages[0].Content
	for _, want := range []string{"German", "Say du.", "thing: Ding", "Recto: Recto"} {
		if !strings.Contains(said, want) {
			t.Errorf("the briefing lacks %q:\n%s", want, said)
		}
	}
	var stats struct {
		Stats struct{ Runs, TotalWords, LatestPages int }
	}
	s.Call(http.MethodGet, settings, nil, http.StatusOK, &stats)
	if stats.Stats.Runs != 1 || stats.Stats.TotalWords == 0 || stats.Stats.LatestPages != 2 {
		t.Errorf("stats: %+v", stats)
	}
	// A person confirms one: it is no machine's any more.
	for _, one := range s.Segments(at, "?state=translated") {
		if one.Origin == "machine" {
			var after apptest.TranslatedSegment
			s.Call(http.MethodPut, at+"/segments/"+one.ID, map[string]any{"target": one.Target}, http.StatusOK, &after)
			if after.Origin != "human" {
				t.Errorf("confirmed: %+v", after)
			}
			break
		}
	}
	if after := s.Followed(at); after.Counts.Machine != 4 {
		t.Errorf("after: %+v", after.Counts)
	}
}
