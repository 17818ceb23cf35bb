package urls_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// whereShown is what a space or a revision says of where it is to be read.
type whereShown struct {
	ID, Revision string
	VisitorAuth  *struct{ Backend string }
	URLs         struct{ App, Published, Public string }
}

// TestRevisionsSayWhereTheyAreShown: the live revision of a space has the address of the site that shows it, as its
// space has, and loses it with the next one, with the site and with the site's visibility, also for who has its entity
// tag.
func TestRevisionsSayWhereTheyAreShown(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Handbook", "public", apptest.OnePage)
		content := "/v1/spaces/" + site.Space
		read := func(path string) (is whereShown) {
			t.Helper()
			s.Call(http.MethodGet, path, nil, http.StatusOK, &is)
			return is
		}
		expect := func(when, path, published, public string) {
			t.Helper()
			if is := read(path); is.URLs.Published != published || is.URLs.Public != public || is.URLs.App == "" {
				t.Errorf("%s, %s is at %+v, want %q and %q", when, path, is.URLs, published, public)
			}
		}
		tagged := func(path string) string { return s.Raw(http.MethodGet, path, s.Token, nil).Header.Get("ETag") }
		first := read(content + "/content").ID
		for _, path := range []string{content, content + "/content", content + "/revisions/" + first} {
			expect("published", path, site.Home, site.Home)
		}
		before := tagged(content + "/content")
		s.Call(http.MethodPost, content+"/content",
			`{"changes":[{"operation":"insert_page","title":"More","document":{"markdown":"More.\n"}}]}`, http.StatusOK,
			nil)
		expect("with a newer one", content+"/revisions/"+first, "", "")
		expect("the newer one", content+"/content", site.Home, site.Home)
		var history struct{ Items []whereShown }
		s.Call(http.MethodGet, content+"/revisions", nil, http.StatusOK, &history)
		if len(history.Items) < 2 || history.Items[0].URLs.Published != site.Home ||
			history.Items[0].URLs.Public != site.Home || history.Items[1].URLs.Published != "" {
			t.Errorf("the history says %+v", history.Items)
		}
		s.Call(http.MethodPost, content+"/change-requests", `{"subject":"Change"}`, http.StatusCreated, nil)
		s.Call(http.MethodPost, content+"/change-requests/1/content",
			`{"changes":[{"operation":"insert_page","title":"Proposed","document":{"markdown":"Text.\n"}}]}`,
			http.StatusOK, nil)
		expect("a proposal", content+"/change-requests/1/content", "", "")

		if is := read(content); is.VisitorAuth != nil {
			t.Errorf("a public space asks visitors for %+v", is.VisitorAuth)
		}
		s.Call(http.MethodPatch, site.Path, `{"visibility":"visitor-auth"}`, http.StatusOK, nil)
		expect("for those who sign in", content+"/content", site.Home, "")
		expect("for those who sign in", content, site.Home, "")
		if is := read(content); is.VisitorAuth == nil || is.VisitorAuth.Backend != "custom" {
			t.Errorf("a space for those who sign in asks visitors for %+v", is.VisitorAuth)
		}
		if now := tagged(content + "/content"); now == before || now == "" {
			t.Errorf("the tag stays %s", now)
		}
		s.Call(http.MethodPost, site.Path+"/unpublish", nil, http.StatusOK, nil)
		expect("unpublished", content+"/content", "", "")
		if is := read(content); is.VisitorAuth != nil || is.URLs.Published != "" {
			t.Errorf("a space on no published site says %+v", is)
		}
		// Of two sites the older one counts; who needs no account is led to the one that is for everybody.
		s.Call(http.MethodPost, site.Path+"/publish", nil, http.StatusOK, nil)
		var second struct {
			ID   string
			URLs struct{ Published string }
		}
		sites := "/v1/orgs/" + s.Organization + "/sites"
		s.Call(http.MethodPost, sites, map[string]any{"title": "Second", "visibility": "unlisted",
			"spaces": []string{site.Space}}, http.StatusCreated, &second)
		s.Call(http.MethodPost, sites+"/"+second.ID+"/publish", nil, http.StatusOK, &second)
		expect("on two sites", content+"/content", site.Home, second.URLs.Published)
		expect("on two sites", content, site.Home, second.URLs.Published)
	})
}

// TestProfileOfAnUnpublishedSite: what is published of a site is there while it is published, for who may see the site.
func TestProfileOfAnUnpublishedSite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		var site apptest.Identified
		sites := "/v1/orgs/" + s.Organization + "/sites"
		s.Call(http.MethodPost, sites, map[string]any{"title": "Docs", "visibility": "public",
			"spaces": []string{space}}, http.StatusCreated, &site)
		one := sites + "/" + site.ID
		got := s.Call(http.MethodGet, one+"/published", nil, http.StatusNotFound, nil)
		if !strings.Contains(string(got.Body), "not published") {
			t.Errorf("a site that never was published: %s", got.Body)
		}
		s.Call(http.MethodPost, one+"/publish", nil, http.StatusOK, nil)
		s.Call(http.MethodGet, one+"/published", nil, http.StatusOK, nil)
		s.Call(http.MethodPost, one+"/unpublish", nil, http.StatusOK, nil)
		s.Call(http.MethodGet, one+"/published", nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, one+"/structure", nil, http.StatusOK, nil)
		s.Call(http.MethodGet, one+"/customization", nil, http.StatusOK, nil)
	})
}
