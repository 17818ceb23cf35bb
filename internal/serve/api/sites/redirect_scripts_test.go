package sites_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestRedirectSourcesInAnyScript: a source is taken as people write it, comes back percent-encoded, is taken in that
// form too, and works for what browsers ask for.
func TestRedirectSourcesInAnyScript(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Handbook", "public", apptest.OnePage)
		for _, source := range []string{
			"/größe", "/文档/安装", "/руководство", "/دليل/البداية", "/מדריך", "/ガイド-1", "/สวัสดี", "/हिन्दी", "/emoji-😀",
			"/a b", "/a,b;c=(d)!", "/cafe\u0301", "/пример/*",
		} {
			type redirect struct{ ID, Source string }
			var made redirect
			s.Call(http.MethodPost, site.Path+"/redirects", map[string]any{"source": source,
				"destination": map[string]any{"kind": "external", "url": "https://example.com/there"}},
				http.StatusCreated, &made)
			decoded, err := url.PathUnescape(made.Source)
			if err != nil || decoded == "" || decoded[len(decoded)-1] != '*' &&
				made.Source != (&url.URL{Path: decoded}).EscapedPath() && source != "/a,b;c=(d)!" {
				t.Errorf("%q comes back as %q", source, made.Source)
			}
			for _, c := range made.Source {
				if c > 0x7e || c <= ' ' {
					t.Errorf("%q comes back as %q, which is not encoded", source, made.Source)
				}
			}
			var again redirect
			s.Call(http.MethodPatch, site.Path+"/redirects/"+made.ID, map[string]any{"source": made.Source},
				http.StatusOK, &again)
			if again != made {
				t.Errorf("%q, sent back, becomes %q", made.Source, again.Source)
			}
			if got := s.Raw(http.MethodPost, site.Path+"/redirects", s.Token, map[string]any{"source": made.Source,
				"destination": map[string]any{"kind": "external",
					"url": "https://example.com/"}}); got.Status != http.StatusConflict {
				t.Errorf("%q twice: %d", made.Source, got.Status)
			}
			asked := made.Source[1:]
			if asked[len(asked)-1] == '*' {
				asked = asked[:len(asked)-1] + "%D1%82%D0%B5%D1%81%D1%82"
			}
			for _, path := range []string{asked, (&url.URL{Path: source[1:]}).EscapedPath()} {
				if got := s.Raw(http.MethodGet, site.Home+path, "", nil); got.Header.Get(
					"Location") != "https://example.com/there" {
					t.Errorf("%s answers %d and leads to %q", path, got.Status, got.Header.Get("Location"))
				}
			}
			var found struct{ Redirect redirect }
			s.Call(http.MethodGet, site.Path+"/redirect?source="+url.QueryEscape(source), nil, http.StatusOK, &found)
			if found.Redirect != made {
				t.Errorf("%q is found as %+v", source, found.Redirect)
			}
			part := string([]rune(decoded)[1:3])
			var list struct{ Items []redirect }
			s.Call(http.MethodGet, site.Path+"/redirects?search="+url.QueryEscape(part), nil, http.StatusOK, &list)
			if len(list.Items) == 0 {
				t.Errorf("searching for %q finds nothing", part)
			}
		}
		for _, source := range []string{"größe", "/", "/a?b", "/a#b", "/a*b", "/a//b", "/../b", "/a\\b", "/a\nb",
			"/a%0ab", "/%ff", "/a%zz", "/ ", "/a/ ", "/~/search"} {
			if got := s.Raw(http.MethodPost, site.Path+"/redirects", s.Token, map[string]any{"source": source,
				"destination": map[string]any{"kind": "external",
					"url": "https://example.com/"}}); got.Status != http.StatusBadRequest {
				t.Errorf("%q: %d %s", source, got.Status, got.Body)
			}
		}
	})
}
