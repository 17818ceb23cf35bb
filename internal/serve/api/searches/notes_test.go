package searches_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestWhatIsSaidOfPagesFound holds what an answer says besides its pages: that none has all the words, what may have
// been meant, and, without a word, what is read most; in a space, an organization and on a site, and never of what who
// asks may not read.
func TestWhatIsSaidOfPagesFound(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Harbours", "public",
			`{"operation":"insert_page","title":"Harbour","document":{"markdown":"Ships wait for a pilot.\n"}},
			{"operation":"insert_page","title":"Tides","document":{"markdown":"They rise.\n"}},
			{"operation":"insert_page","title":"Piers","document":{"markdown":"A pier.\n"}}`)
		closed := s.Space("Closed")
		s.Call(http.MethodPost, "/v1/spaces/"+closed+"/content",
			`{"changes":[{"operation":"insert_page","title":"Kraken","document":{"markdown":"A kraken.\n"}}]}`,
			http.StatusOK, nil)
		s.Call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":null}`, http.StatusOK, nil)
		reader := s.Member(org.RoleRead, "reader@example.org")

		type page struct{ Title string }
		type answer struct {
			Items []struct {
				Title string
				Pages []page
			}
			Closest, Incomplete, Popular bool
			Suggestion                   string
		}
		titles := func(a answer) (all []string) {
			for _, each := range a.Items {
				if each.Pages == nil {
					all = append(all, each.Title)
				}
				for _, page := range each.Pages {
					all = append(all, page.Title)
				}
			}
			return all
		}
		ways := map[string]func(token, words string) answer{
			"space": func(token, words string) (a answer) {
				s.CallAs(token, http.MethodGet, "/v1/spaces/"+site.Space+"/search?query="+url.QueryEscape(words), nil,
					http.StatusOK, &a)
				return a
			},
			"organization": func(token, words string) (a answer) {
				s.CallAs(token, http.MethodGet, "/v1/orgs/"+s.Organization+"/search?query="+url.QueryEscape(words), nil,
					http.StatusOK, &a)
				return a
			},
			"site": func(token, words string) (a answer) {
				s.CallAs(token, http.MethodPost, site.Path+"/search",
					map[string]any{"query": words, "scope": map[string]any{"mode": "all"}}, http.StatusOK, &a)
				return a
			},
		}
		for range 3 {
			s.Raw(http.MethodGet, site.Home+"piers", "", nil)
		}
		s.Raw(http.MethodGet, site.Home+"tides", "", nil)
		for name, ask := range ways {
			if got := ask(reader, "harbour zeppelins"); !got.Closest || got.Suggestion != "" || len(titles(got)) != 1 {
				t.Errorf("%s: a word that is nowhere: %+v", name, got)
			}
			if got := ask(reader, "harbuor pilot"); got.Closest || got.Suggestion != "harbour pilot" {
				t.Errorf("%s: a misspelt word: %+v", name, got)
			}
			if got := ask(reader, "krakne"); got.Suggestion != "" || len(got.Items) > 0 {
				t.Errorf("%s: a misspelt word of a page that is closed: %+v", name, got)
			}
			got := ask(reader, "")
			shown := titles(got)
			if !got.Popular || len(shown) < 2 || shown[0] != "Piers" || shown[1] != "Tides" ||
				slices.Contains(shown, "Kraken") {
				t.Errorf("%s: popular are %q (%t)", name, shown, got.Popular)
			}
			if got := ask(reader, "pier"); got.Popular || !strings.Contains(strings.Join(titles(got), " "), "Piers") {
				t.Errorf("%s: %+v", name, got)
			}
		}
		// Who may read the closed space is told of it.
		if got := ways["organization"](s.Token, "krakne"); got.Suggestion != "kraken" {
			t.Errorf("an administrator gets %+v", got)
		}
	})
}

// TestSynonymsOfASite holds that a site's groups of words work where the site is searched, by members and by visitors,
// and nowhere else; and what is refused.
func TestSynonymsOfASite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Clusters", "public",
			`{"operation":"insert_page","title":"Kubernetes","document":{"markdown":"A cluster.\n"}}`)
		var look map[string]any
		s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, &look)
		for _, refused := range []any{"k8s", []any{"k"}, []any{3}, []any{strings.Repeat("a", 201)},
			slices.Repeat([]any{"a, b"}, 101)} {
			look["synonyms"] = refused
			s.Refused(http.MethodPut, site.Path+"/customization", look, http.StatusBadRequest, "synonyms")
		}
		look["synonyms"] = []any{"k8s, kubernetes"}
		s.Call(http.MethodPut, site.Path+"/customization", look, http.StatusOK, &look)
		if kept, _ := look["synonyms"].([]any); len(kept) != 1 || kept[0] != "k8s, kubernetes" {
			t.Errorf("kept are %v", look["synonyms"])
		}
		finds := func(token, path string, body any) bool {
			t.Helper()
			method := http.MethodGet
			if body != nil {
				method = http.MethodPost
			}
			answer := s.Raw(method, path, token, body)
			if answer.Status != http.StatusOK {
				t.Fatalf("%s: %d %s", path, answer.Status, answer.Body)
			}
			return strings.Contains(string(answer.Body), "Kubernetes")
		}
		all := map[string]any{"query": "k8s", "scope": map[string]any{"mode": "all"}}
		if !finds(s.Token, site.Path+"/search", all) {
			t.Error("a member does not find it on the site")
		}
		if !finds("", site.Home+"~/search?q=k8s", nil) {
			t.Error("a visitor does not find it")
		}
		var visit struct{ APIToken string }
		s.CallAs("", http.MethodPost, "/v1/urls/published", map[string]any{"url": site.Home,
			"visitor": map[string]any{"type": "human"}}, http.StatusOK, &visit)
		if !finds(visit.APIToken, site.Path+"/search", all) {
			t.Error("a program that shows the site to a visitor does not find it")
		}
		if finds(s.Token, "/v1/spaces/"+site.Space+"/search?query=k8s", nil) {
			t.Error("a group of a site works in the space")
		}
		proposed := site.Propose(`{"operation":"insert_page","title":"Kubernetes more","document":{"markdown":"B.\n"}}`)
		visitor := apptest.NewVisitor(t)
		visitor.Open(proposed.Preview)
		if found := visitor.Search(site.Home+proposed.Below, "k8s"); found.Total != 2 {
			t.Errorf("the preview finds %+v", found)
		}
	})
}
