package app_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestShortTextsBecomeStale holds that a translated text of few words whose source changes is neither overwritten nor
// shown as current, in bodies and titles, and that a machine which is not asked for stale texts leaves it alone.
func TestShortTextsBecomeStale(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space, ids := s.documented("Guide",
			map[string]string{"Start": "Run it.\n\n| Do | Then |\n| --- | --- |\n| Save | Stop |\n"})
		page := ids["Start"]
		all := "/v1/orgs/" + s.organization + "/translations"
		var made translationSettings
		s.call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": space, "language": "en"},
			"languages": []string{"de"}}, http.StatusCreated, &made)
		at := all + "/" + made.ID + "/languages/de"
		s.followed(at)
		german := map[string]string{"Start": "Anfang", "Run it.": "Führe es aus.", "Do": "Tu", "Then": "Dann",
			"Save": "Sichern", "Stop": "Halt"}
		for _, one := range s.segments(at, "?pageId="+page) {
			s.call(http.MethodPut, at+"/segments/"+one.ID, map[string]any{"target": german[one.Source]}, http.StatusOK,
				nil)
		}
		now := s.followed(at)
		if now.Counts.Translated != len(german) || now.Counts.Stale+now.Counts.Missing != 0 {
			t.Fatalf("translated: %+v", now.Counts)
		}
		s.call(http.MethodPost, "/v1/spaces/"+now.Space+"/change-requests/"+now.ChangeRequest+"/merge", nil,
			http.StatusOK, nil)
		s.call(http.MethodPost, "/v1/spaces/"+space+"/content", map[string]any{"changes": []any{map[string]any{
			"operation": "update_page", "page": page, "title": "Begin",
			"document": map[string]any{"markdown": "Run it now.\n\n| Do | Then |\n| --- | --- |\n| Store | Stop |\n"},
		}}}, http.StatusOK, nil)
		now = s.followed(at)
		want := map[string][2]string{
			"Begin": {"stale", "Anfang"}, "Run it now.": {"stale", "Führe es aus."}, "Do": {"translated", "Tu"},
			"Then":  {"translated", "Dann"},
			"Store": {"stale", "Sichern"}, "Stop": {"translated", "Halt"},
		}
		for _, one := range s.segments(at, "?pageId="+page) {
			if got := [2]string{one.State, one.Target}; got != want[one.Source] {
				t.Errorf("%q is %v, want %v", one.Source, got, want[one.Source])
			}
		}
		if now.Counts.Stale != 3 || now.Counts.Missing != 0 {
			t.Errorf("counts: %+v", now.Counts)
		}
		shown := s.markdown("/v1/spaces/" + now.Space + "/content/page/" + page)
		for _, text := range []string{"# Anfang", "Führe es aus.", "Sichern"} {
			if !strings.Contains(shown, text) {
				t.Errorf("readers lost %q: %s", text, shown)
			}
		}
		if now.ChangeRequest != "" {
			if proposed := s.markdown("/v1/spaces/" + now.Space + "/change-requests/" + now.ChangeRequest +
				"/content/page/" + page); strings.Contains(proposed, "Run it now.") || !strings.Contains(proposed,
				"Führe es aus.") {
				t.Errorf("the change request overwrites a translation: %s", proposed)
			}
		}
	})
}

// TestSourcesKnowTheirLanguage holds that setting up a translation tells the source its language, so that its site
// offers the languages as such, to readers and to machines.
func TestSourcesKnowTheirLanguage(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space, _ := s.documented("Guide", map[string]string{"Start": "Welcome.\n"})
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		sites := "/v1/orgs/" + s.organization + "/sites"
		s.call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		s.call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		all := "/v1/orgs/" + s.organization + "/translations"
		var made translationSettings
		s.call(http.MethodPost, all, map[string]any{"title": "Later"}, http.StatusCreated, &made)
		settings := all + "/" + made.ID
		s.call(http.MethodPut, settings, map[string]any{"source": map[string]any{"space": space, "language": "en"},
			"languages": []string{"de", "fr"}}, http.StatusOK, &made)
		for _, code := range made.Languages {
			s.followed(settings + "/languages/" + code)
		}
		language := func() string {
			t.Helper()
			var one struct{ Language string }
			s.call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &one)
			return one.Language
		}
		if got := language(); got != "en" {
			t.Errorf("the source is in %q", got)
		}
		page := s.raw(http.MethodGet, site.URLs.Published, "", nil)
		for _, part := range []string{`<html lang="en"`, `hreflang="en"`, `hreflang="de"`, `hreflang="fr"`,
			`hreflang="x-default"`} {
			if !strings.Contains(string(page.body), part) {
				t.Errorf("the site lacks %s", part)
			}
		}
		s.call(http.MethodPut, settings, map[string]any{"source": map[string]any{"space": space, "language": "de"}},
			http.StatusBadRequest, nil)
		s.call(http.MethodPut, settings, map[string]any{"source": map[string]any{"space": space, "language": "es"}},
			http.StatusOK, nil)
		if got := language(); got != "es" {
			t.Errorf("the source is in %q after a correction", got)
		}
		other, _ := s.documented("Other", map[string]string{"Start": "Welcome.\n"})
		s.call(http.MethodPatch, "/v1/spaces/"+other, `{"language":"fr"}`, http.StatusOK, nil)
		s.call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": other, "language": "xx"}},
			http.StatusBadRequest, nil)
		var unchanged struct{ Language string }
		s.call(http.MethodGet, "/v1/spaces/"+other, nil, http.StatusOK, &unchanged)
		if unchanged.Language != "fr" {
			t.Errorf("a refused translation changed the language to %q", unchanged.Language)
		}
	})
}
