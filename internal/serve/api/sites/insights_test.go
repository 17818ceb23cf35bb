package sites_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestWhatReadersElsewhereDid(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Docs", "public", apptest.OnePage)
		var pages struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/content/pages", nil, http.StatusOK, &pages)
		page, hidden := pages.Pages[0].ID, s.Space("Hidden")
		event := func(kind, space, page, more string) string {
			return fmt.Sprintf(`{"type":%q,"session":{"visitorId":"v","sessionId":"s","cookies":{"a":"secret"},
				"userAgent":"x","language":null,"referrer":null},"location":{"url":"https://docs.example.org/",
				"siteSection":null,"siteSpace":null,"siteShareKey":null,"space":%s,"page":%s,"revision":null}%s}`,
				kind, space, page, more)
		}
		at, in := `"`+page+`"`, `"`+site.Space+`"`
		report := func(events ...string) {
			t.Helper()
			s.Call(http.MethodPost, site.Path+"/insights/events", `{"events":[`+strings.Join(events, ",")+`]}`,
				http.StatusNoContent, nil)
		}
		report(event("page_post_feedback", in, at, `,"feedback":{"rating":"good"}`)) // which the site has not asked for
		var look map[string]any
		s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, &look)
		look["feedback"] = map[string]any{"enabled": true}
		s.Call(http.MethodPut, site.Path+"/customization", look, http.StatusOK, nil)
		report()
		good := `,"feedback":{"rating":"good"}`
		report(event("page_view", in, at, ""), event("search_type_query", "null", "null", `,"query":"x"`),
			event("of_tomorrow", "null", "null", `,"more":{"a":[1]}`), event("page_post_feedback", in, at, good),
			event("page_post_feedback", in, at, `,"feedback":{"rating":"ok"}`),
			event("page_post_feedback", in, `"none"`, good), event("page_post_feedback", `"`+hidden+`"`, at, good),
			event("page_post_feedback", in, "null", good))
		report(event("page_post_feedback_comment", in, at, `,"feedback":{"rating":"good","comment":"Clear."}`),
			event("page_post_feedback_comment", in, at, `,"feedback":{"rating":"bad","comment":"Too short."}`))
		var counts struct {
			Items []struct{ Helpful, NotHelpful int }
		}
		s.Call(http.MethodGet, site.Path+"/feedback/pages", nil, http.StatusOK, &counts)
		if len(counts.Items) != 1 || counts.Items[0].Helpful != 1 || counts.Items[0].NotHelpful != 1 {
			t.Errorf("the counts are %+v", counts.Items)
		}
		var said struct{ Items []struct{ Comment string } }
		got := s.Call(http.MethodGet, site.Path+"/feedback?commented=true", nil, http.StatusOK, &said)
		if len(said.Items) != 2 || strings.Contains(string(got.Body), "secret") {
			t.Errorf("the comments are %s", got.Body)
		}
		s.Refused(http.MethodPost, site.Path+"/insights/events", `{"events":[{"type":"page_view"}]}`,
			http.StatusBadRequest, "session")
		s.Refused(http.MethodPost, site.Path+"/insights/events",
			`{"events":[`+event("page_post_feedback", in, at, `,"feedback":{"rating":"great"}`)+`]}`,
			http.StatusBadRequest, "rating")
	})
}

func TestQuestionsAreNotSetUp(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	site := s.NewSite("Docs", "public", apptest.OnePage)
	organization := "/v1/orgs/" + s.Organization + "/ask"
	ask := `{"question":"How?","scope":{"mode":"all"}}`
	for _, each := range []struct{ method, path, body, says string }{
		{http.MethodPost, site.Path + "/ask", ask, `data: {"type":"answer","answer":{"answer":{"document":{"object":"document"`},
		{http.MethodPost, site.Path + "/ask?format=markdown", ask, `{"markdown":"Questions are not answered here`},
		{http.MethodGet, site.Path + "/ask/questions", "", ""},
		{http.MethodPost, organization, `{"query":"How?"}`, `"sources":[]`},
		{http.MethodGet, organization + "/stream?query=How", "", "data: {"},
		{http.MethodGet, organization + "/questions", "", `{"questions":[]}`},
		{http.MethodGet, organization + "/questions/stream", "", ""},
	} {
		var body any
		if each.body != "" {
			body = each.body
		}
		got := s.Call(each.method, each.path, body, http.StatusOK, nil)
		if !strings.Contains(string(got.Body), each.says) || each.says == "" && len(got.Body) != 0 {
			t.Errorf("%s %s: %s", each.method, each.path, got.Body)
		}
	}
	var profile struct {
		Site           struct{ Ads struct{ Status string } }
		Customizations struct {
			Site struct{ Trademark struct{ Enabled bool } }
		}
	}
	s.Call(http.MethodGet, site.Path+"/published", nil, http.StatusOK, &profile)
	if profile.Site.Ads.Status != "disabled" || profile.Customizations.Site.Trademark.Enabled {
		t.Errorf("a reader would show advertisements: %+v", profile)
	}
}
