package pub_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestShareLinkSite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Shared", "share-link",
			apptest.OnePage+`,{"operation":"insert_page","title":"Next","document":{"markdown":"More.\n"}}`)
		id, address := site.Link("Customers")
		_, other := site.Link("Partners")
		stranger := apptest.NewVisitor(t)
		// Somebody without a link cannot tell the site from one that is not there.
		nothing := s.Raw(http.MethodGet, strings.Replace(site.Home, "/shared/", "/nothing/", 1), "", nil)
		for _, at := range []string{"", "next", "~/assets/x.css", "~/search?q=text", strings.Repeat("a", 32) + "/"} {
			got := s.Raw(http.MethodGet, site.Home+at, "", nil)
			if got.Status != http.StatusNotFound || string(got.Body) != string(nothing.Body) {
				t.Errorf("a stranger at %q: %d %s", at, got.Status, got.Body)
			}
			for name := range nothing.Header {
				if name != "X-Request-Id" && name != "Date" && got.Header.Get(name) != nothing.Header.Get(name) {
					t.Errorf("a stranger at %q: %s is %q, not %q", at, name, got.Header.Get(name),
						nothing.Header.Get(name))
				}
			}
			if len(got.Header) != len(nothing.Header) {
				t.Errorf("a stranger at %q: %v", at, got.Header)
			}
		}
		reader := apptest.NewVisitor(t)
		status, body, answer := reader.Open(address + "next?x=1")
		if status != http.StatusOK || !strings.Contains(body, "More.") || answer.Request.URL.String() != site.Home+
			"next?x=1" {
			t.Fatalf("through the link: %d at %s", status, answer.Request.URL)
		}
		if answer.Header.Get("Cache-Control") != "private, no-cache" ||
			!strings.Contains(strings.Join(answer.Header.Values("Vary"), ","), "Cookie") ||
			answer.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("headers: %v", answer.Header)
		}
		first := s.Raw(http.MethodGet, address, "", nil)
		cookie := first.Header.Get("Set-Cookie")
		if first.Status != http.StatusSeeOther || first.Header.Get("Cache-Control") != "no-store" ||
			!strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") ||
			!strings.Contains(cookie, "Path="+strings.TrimPrefix(site.Home, s.Base)+";") {
			t.Errorf("the link answers %d with %v", first.Status, first.Header)
		}
		if status, _, _ := stranger.Open(site.Home); status != http.StatusNotFound {
			t.Errorf("a stranger later: %d", status)
		}
		tag := answer.Header.Get("ETag")
		conditional := func(v *apptest.Visitor) int {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.Home+"next", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("If-None-Match", tag)
			answer, err := v.Client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return answer.StatusCode
		}
		if mine, theirs := conditional(reader), conditional(stranger); mine != http.StatusNotModified ||
			theirs != http.StatusNotFound {
			t.Errorf("304s: %d for a reader, %d for a stranger", mine, theirs)
		}

		partner := apptest.NewVisitor(t)
		partner.Open(other)
		s.Call(http.MethodPatch, site.Path+"/share-links/"+id, `{"active":false}`, http.StatusOK, nil)
		if status, body, _ := reader.Open(site.Home); status != http.StatusNotFound || strings.Contains(body,
			"The whole") {
			t.Errorf("an open session of an inactive link: %d", status)
		}
		if got := conditional(reader); got != http.StatusNotFound {
			t.Errorf("its 304: %d", got)
		}
		if status, _, _ := apptest.NewVisitor(t).Open(address); status != http.StatusNotFound {
			t.Errorf("an inactive link: %d", status)
		}
		if status, _, _ := partner.Open(site.Home); status != http.StatusOK {
			t.Errorf("the other link: %d", status)
		}
		s.Call(http.MethodPatch, site.Path+"/share-links/"+id, `{"active":true}`, http.StatusOK, nil)
		if status, _, _ := reader.Open(site.Home); status != http.StatusOK {
			t.Errorf("active again: %d", status)
		}
		s.Call(http.MethodDelete, site.Path+"/share-links/"+id, nil, http.StatusResetContent, nil)
		if status, _, _ := reader.Open(site.Home); status != http.StatusNotFound {
			t.Errorf("a deleted link: %d", status)
		}

		key := strings.TrimSuffix(strings.TrimPrefix(other, site.Home), "/")
		var profile struct {
			Site      struct{ URLs struct{ Published string } }
			Structure struct {
				Structure []struct{ URLs struct{ Published string } }
			}
		}
		s.Call(http.MethodGet, site.Path+"/published?shareKey="+key, nil, http.StatusOK, &profile)
		if profile.Site.URLs.Published != other || profile.Structure.Structure[0].URLs.Published != other {
			t.Errorf("with the share key: %+v", profile)
		}
		s.Call(http.MethodGet, site.Path+"/published?shareKey="+strings.Repeat("a", 32), nil, http.StatusNotFound, nil)
		var space struct{ URLs struct{ Published string } }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"?shareKey="+key, nil, http.StatusOK, &space)
		if space.URLs.Published != other {
			t.Errorf("the space with the share key: %+v", space)
		}
		type place struct{ URLs struct{ Published string } }
		var structure struct{ Structure []place }
		var spaces, sections struct{ Items []place }
		s.Call(http.MethodGet, site.Path+"/structure?shareKey="+key, nil, http.StatusOK, &structure)
		s.Call(http.MethodGet, site.Path+"/site-spaces?shareKey="+key, nil, http.StatusOK, &spaces)
		if len(structure.Structure) != 1 || structure.Structure[0].URLs.Published != other || len(spaces.Items) != 1 ||
			spaces.Items[0].URLs.Published != other {
			t.Errorf("with the share key, the structure has %+v and the spaces %+v", structure, spaces)
		}
		second := s.Space("Second")
		s.Call(http.MethodPost, site.Path+"/sections", map[string]any{"spaceId": second, "title": "More"},
			http.StatusCreated, nil)
		s.Call(http.MethodGet, site.Path+"/sections?shareKey="+key, nil, http.StatusOK, &sections)
		if len(sections.Items) != 2 || sections.Items[0].URLs.Published != other ||
			sections.Items[1].URLs.Published != other+"more/" {
			t.Errorf("with the share key, the sections have %+v", sections)
		}
		for source, destination := range map[string]string{"/inside": `{"kind":"path","spaceId":"` + site.Space +
			`","path":"/next"}`, "/outside": `{"kind":"external","url":"https://example.com/there"}`} {
			s.Call(http.MethodPost, site.Path+"/redirects", `{"source":"`+source+`","destination":`+destination+`}`,
				http.StatusCreated, nil)
		}
		var inside, outside struct{ Target string }
		s.Call(http.MethodGet, site.Path+"/redirect?source=/inside&shareKey="+key, nil, http.StatusOK, &inside)
		s.Call(http.MethodGet, site.Path+"/redirect?source=/outside&shareKey="+key, nil, http.StatusOK, &outside)
		if inside.Target != other+"next" || outside.Target != "https://example.com/there" {
			t.Errorf("with the share key, redirects lead to %q and %q", inside.Target, outside.Target)
		}
		elsewhere := s.NewSite("Elsewhere", "share-link", apptest.OnePage)
		_, foreign := elsewhere.Link("Another")
		foreign = strings.TrimSuffix(strings.TrimPrefix(foreign, elsewhere.Home), "/")
		for _, wrong := range []string{strings.Repeat("a", 32), foreign, "x", "%20"} {
			for _, operation := range []string{"/structure?", "/site-spaces?", "/sections?",
				"/redirect?source=/inside&"} {
				s.Call(http.MethodGet, site.Path+operation+"shareKey="+wrong, nil, http.StatusNotFound, nil)
			}
		}
	})
}

func TestVisitorAuthSite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Members", "visitor-auth", apptest.OnePage)
		key := site.Key()
		if got := s.Raw(http.MethodGet, site.Home, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("without a fallback: %d", got.Status)
		}
		if got := s.Raw(http.MethodGet, site.Home+"~/auth/logout", "", nil); got.Status != http.StatusNotFound {
			t.Errorf("log-out without a fallback: %d", got.Status)
		}
		s.Call(http.MethodPatch, site.Path+"/publishing/auth",
			`{"backend":"custom","fallbackURL":"https://example.com/login?from=docs","logoutURL":"https://example.com/bye"}`, http.StatusOK, nil)
		ask := func(v *apptest.Visitor, path, accept string) *http.Response {
			t.Helper()
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.Home+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Accept", accept)
			client := *v.Client
			client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			answer, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			return answer
		}
		stranger := apptest.NewVisitor(t)
		answer := ask(stranger, "a%20page?x=1", "text/html")
		if answer.StatusCode != http.StatusSeeOther ||
			answer.Header.Get("Location") != "https://example.com/login?from=docs&location="+
				url.QueryEscape("/a%20page?x=1") || answer.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("sent to sign in: %d %v", answer.StatusCode, answer.Header)
		}
		if answer := ask(stranger, "feed.xml", "*/*"); answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("a feed without a token: %d", answer.StatusCode)
		}
		for name, token := range map[string]string{
			"garbage": "x.y.z", "another key": apptest.SignClaims(t, "another key", nil),
			"expired": apptest.SignClaims(t, key, map[string]any{"exp": 1}),
			"none":    "eyJhbGciOiJub25lIn0.eyJleHAiOjk5OTk5OTk5OTl9.",
			"huge":    apptest.SignClaims(t, key, map[string]any{"x": strings.Repeat("x", 4000)}),
		} {
			if answer := ask(stranger, "?jwt_token="+token,
				"text/html"); answer.StatusCode != http.StatusUnauthorized || answer.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: %d %v", name, answer.StatusCode, answer.Header)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.Home, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Cookie", "recto_visitor="+token)
			if got := s.Send(request); got.Status != http.StatusUnauthorized {
				t.Errorf("%s in the cookie: %d", name, got.Status)
			}
		}
		reader := apptest.NewVisitor(t)
		token := apptest.SignClaims(t, key, map[string]any{"exp": time.Now().Add(time.Minute).Unix()})
		answer = ask(reader, "start?a=b&jwt_token="+token, "text/html")
		if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != strings.TrimPrefix(site.Home,
			s.Base)+"start?a=b" {
			t.Errorf("a token: %d %v", answer.StatusCode, answer.Header)
		}
		for _, cookie := range answer.Cookies() {
			if cookie.Name != "recto_visitor" || !cookie.HttpOnly || time.Until(cookie.Expires) > time.Minute ||
				cookie.Path != strings.TrimPrefix(site.Home, s.Base) {
				t.Errorf("the cookie: %v", cookie)
			}
		}
		if status, body, answer := reader.Open(site.Home); status != http.StatusOK || !strings.Contains(body,
			"The whole text.") || answer.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("signed in: %d", status)
		}
		// A new key: tokens of the old one still count, and new ones do.
		s.Call(http.MethodPost, site.Path+"/publishing/auth/regenerate", nil, http.StatusOK, nil)
		if status, _, _ := reader.Open(site.Home); status != http.StatusOK {
			t.Errorf("after a new key: %d", status)
		}
		if fresh := site.Key(); fresh == key {
			t.Error("the key is the old one")
		} else if status, _, _ := apptest.NewVisitor(t).Open(site.Home + "?jwt_token=" + apptest.SignClaims(t, fresh,
			nil)); status != http.StatusOK {
			t.Errorf("with the new key: %d", status)
		}
		if answer := ask(reader, "~/auth/logout", "text/html"); answer.StatusCode != http.StatusSeeOther ||
			answer.Header.Get("Location") != "https://example.com/bye" {
			t.Errorf("log-out: %d %v", answer.StatusCode, answer.Header)
		}
		if answer := ask(reader, "", "text/html"); answer.StatusCode != http.StatusSeeOther {
			t.Errorf("after log-out: %d", answer.StatusCode)
		}
		if answer := ask(stranger, "~/auth/login?location=//evil.example/", "text/html"); answer.Header.Get(
			"Location") != "https://example.com/login?from=docs&location=%2Fevil.example%2F" {
			t.Errorf("sign-in: %v", answer.Header)
		}
		s.Call(http.MethodPost, site.Path+"/publishing/auth/regenerate", nil, http.StatusOK, nil)
		again := apptest.NewVisitor(t)
		if status, _, _ := again.Open(site.Home + "?jwt_token=" + token); status != http.StatusUnauthorized {
			t.Errorf("a token of the key before the last one: %d", status)
		}
	})
}
