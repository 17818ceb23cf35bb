package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// publishedSite makes a public site with one space, publishes it, and returns it with the space and the site space.
func (s *server) publishedSite(title, space string) (site, siteSpace string) {
	s.t.Helper()
	organization := "/v1/orgs/" + s.organization
	var made identified
	s.call(http.MethodPost, organization+"/sites", `{"title":"`+title+`","visibility":"public","spaces":["`+space+`"]}`,
		http.StatusCreated, &made)
	s.call(http.MethodPost, organization+"/sites/"+made.ID+"/publish", nil, http.StatusOK, nil)
	var siteSpaces struct{ Items []identified }
	s.call(http.MethodGet, organization+"/sites/"+made.ID+"/site-spaces", nil, http.StatusOK, &siteSpaces)
	return made.ID, siteSpaces.Items[0].ID
}

// TestLookByRole holds the operations of how sites look against every role: who may see a site may read, who may make
// sites may change.
func TestLookByRole(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site, siteSpace := s.publishedSite("Docs", s.space("Guide"))
		one := "/v1/orgs/" + s.organization + "/sites/" + site
		var whole map[string]any
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &whole)
		reads := []string{"/customization", "/site-spaces/" + siteSpace + "/customization", "/integration-scripts",
			"/feedback", "/feedback/pages"}
		// A guest sees the sites of no organization; roles below create change none.
		for role, want := range map[org.Role]struct{ read, write, clear int }{
			"":        {404, 404, 404},
			"read":    {200, 403, 403},
			"comment": {200, 403, 403},
			"edit":    {200, 403, 403},
			"review":  {200, 403, 403},
			"create":  {200, 200, 205},
			"admin":   {200, 200, 205},
		} {
			token := s.member(role, fmt.Sprintf("m%s@example.org", role))
			for _, path := range reads {
				if got := s.raw(http.MethodGet, one+path, token, nil); got.status != want.read {
					t.Errorf("%s: GET %s answers %d, want %d", role, path, got.status, want.read)
				}
			}
			if got := s.raw(http.MethodPut, one+"/customization", token, whole); got.status != want.write {
				t.Errorf("%s: PUT answers %d, want %d: %s", role, got.status, want.write, got.body)
			}
			own := one + "/site-spaces/" + siteSpace + "/customization"
			if got := s.raw(http.MethodPatch, own, token, `{"title":"Own"}`); got.status != want.write {
				t.Errorf("%s: PATCH answers %d, want %d: %s", role, got.status, want.write, got.body)
			}
			if got := s.raw(http.MethodDelete, own, token, nil); got.status != want.clear {
				t.Errorf("%s: DELETE answers %d, want %d: %s", role, got.status, want.clear, got.body)
			}
		}
	})
}

// TestLookInvalid holds that bad input is named and changes nothing.
func TestLookInvalid(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site, siteSpace := s.publishedSite("Docs", s.space("Guide"))
		one := "/v1/orgs/" + s.organization + "/sites/" + site
		var before, after map[string]any
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &before)
		before["styling"].(map[string]any)["theme"] = "neon"
		for _, test := range []struct {
			method, path string
			body         any
			want         string
		}{
			{http.MethodPut, "/customization", before, "styling.theme"},
			{http.MethodPut, "/customization", `{}`, "styling"},
			{http.MethodPut, "/customization", `[]`, "body"},
			{http.MethodPatch, "/site-spaces/" + siteSpace + "/customization",
				`{"privacyPolicy":{"url":"javascript:1"}}`, "privacyPolicy.url"},
		} {
			got := s.raw(test.method, one+test.path, s.token, test.body)
			var refusal struct {
				Error struct{ Details []struct{ Path string } }
			}
			if err := json.Unmarshal(got.body, &refusal); err != nil {
				t.Fatal(err)
			}
			if got.status != http.StatusBadRequest || len(refusal.Error.Details) == 0 ||
				refusal.Error.Details[0].Path != test.want {
				t.Errorf("%s %v: %d %s", test.method, test.body, got.status, got.body)
			}
		}
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &after)
		if after["styling"].(map[string]any)["theme"] != "clean" {
			t.Error("refused input was kept")
		}
	})
}

// TestPublishedPDF holds that readers get PDFs of what is published where the site offers them, and of nothing else.
func TestPublishedPDF(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		var written struct {
			Changes []struct{ Page struct{ ID string } }
		}
		s.call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[
			{"operation":"insert_page","title":"Start","document":{"markdown":"Hello.\n"}},{"operation":"insert_page","title":"Next","document":{"markdown":"Bye.\n"}}]}`, http.StatusOK, &written)
		site, _ := s.publishedSite("Docs", space)
		one := "/v1/orgs/" + s.organization + "/sites/" + site
		var found struct{ URLs struct{ Published string } }
		s.call(http.MethodGet, one, nil, http.StatusOK, &found)
		home := strings.TrimPrefix(found.URLs.Published, s.base)

		if got := s.raw(http.MethodGet, home+"~/pdf", "", nil); got.status != http.StatusNotFound {
			t.Errorf("a site that offers none answers %d", got.status)
		}
		var whole map[string]any
		s.call(http.MethodGet, one+"/customization", nil, http.StatusOK, &whole)
		whole["pdf"] = map[string]any{"enabled": true}
		s.call(http.MethodPut, one+"/customization", whole, http.StatusOK, nil)

		// pdf asks until the file is there, as the page that waits for it does.
		pdf := func(query string) answer {
			t.Helper()
			for range 200 {
				got := s.raw(http.MethodGet, home+"~/pdf"+query, "", nil)
				if got.status != http.StatusAccepted {
					return got
				}
				if !bytes.Contains(got.body, []byte(`http-equiv="refresh"`)) ||
					got.header.Get("Cache-Control") != "no-store" {
					t.Errorf("the page that waits: %v %s", got.header, got.body)
				}
			}
			t.Fatal("the PDF is never done")
			return answer{}
		}
		all := pdf("")
		if all.status != http.StatusOK || !bytes.HasPrefix(all.body, []byte("%PDF-")) ||
			all.header.Get("Content-Type") != "application/pdf" || all.header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("the PDF of all pages: %d %v", all.status, all.header)
		}
		page := pdf("?page=" + written.Changes[1].Page.ID)
		if page.status != http.StatusOK || !bytes.HasPrefix(page.body, []byte("%PDF-")) ||
			len(page.body) >= len(all.body)+1000 {
			t.Errorf("the PDF of a page: %d %v, %d bytes", page.status, page.header, len(page.body))
		}
		if again := pdf(""); again.header.Get("ETag") != all.header.Get("ETag") {
			t.Error("the PDF is made again")
		}
		if got := pdf("?page=page_none"); got.status != http.StatusNotFound {
			t.Errorf("no such page: %d", got.status)
		}
		if got := s.raw(http.MethodGet, home, "", nil); !bytes.Contains(got.body, []byte("~/pdf?page=")) {
			t.Error("pages do not offer it")
		}
		// Another title makes another cover: every change of it is a PDF to be made, and there is a limit to these.
		limited := false
		for i := range 15 {
			whole["title"] = fmt.Sprintf("Docs %d", i)
			s.call(http.MethodPut, one+"/customization", whole, http.StatusOK, nil)
			got := s.raw(http.MethodGet, home+"~/pdf", "", nil)
			limited = limited || got.status == http.StatusTooManyRequests && got.header.Get("Retry-After") != ""
		}
		if !limited {
			t.Error("one address may have PDFs made without end")
		}
	})
}

// TestIconOfASite holds that a site tells its icon wherever it is read.
func TestIconOfASite(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Iconic", "public", onePage)
		type icon struct {
			Icon  *struct{ Light, Dark string }
			Emoji string
		}
		read := func() *icon {
			t.Helper()
			var one struct{ Icon *icon }
			s.call(http.MethodGet, site.path, nil, http.StatusOK, &one)
			var all struct{ Items []struct{ Icon *icon } }
			s.call(http.MethodGet, site.path[:strings.LastIndex(site.path, "/")], nil, http.StatusOK, &all)
			var profile struct{ Site struct{ Icon *icon } }
			s.call(http.MethodGet, site.path+"/published", nil, http.StatusOK, &profile)
			if len(all.Items) != 1 || !reflect.DeepEqual(all.Items[0].Icon, one.Icon) ||
				!reflect.DeepEqual(profile.Site.Icon, one.Icon) {
				t.Errorf("%+v, in the list %+v, in the profile %+v", one.Icon, all.Items, profile.Site.Icon)
			}
			return one.Icon
		}
		if got := read(); got != nil {
			t.Errorf("without one: %+v", got)
		}
		var whole map[string]any
		s.call(http.MethodGet, site.path+"/customization", nil, http.StatusOK, &whole)
		whole["favicon"] = map[string]any{"icon": map[string]any{"light": "https://example.org/light.png",
			"dark": "https://example.org/dark.png"}}
		s.call(http.MethodPut, site.path+"/customization", whole, http.StatusOK, nil)
		if got := read(); got == nil || got.Icon == nil || got.Icon.Light != "https://example.org/light.png" ||
			got.Icon.Dark != "https://example.org/dark.png" {
			t.Errorf("an icon: %+v", got)
		}
		whole["favicon"] = map[string]any{"emoji": "1f4d8"}
		s.call(http.MethodPut, site.path+"/customization", whole, http.StatusOK, nil)
		if got := read(); got == nil || got.Icon != nil || got.Emoji != "1f4d8" {
			t.Errorf("an emoji: %+v", got)
		}
		whole["favicon"] = map[string]any{}
		s.call(http.MethodPut, site.path+"/customization", whole, http.StatusOK, nil)
		if got := read(); got != nil {
			t.Errorf("none any more: %+v", got)
		}
	})
}
