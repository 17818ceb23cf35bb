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
