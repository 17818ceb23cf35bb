package previews_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// schema has a signed claim with choices, one of free text, and one that visitors say of themselves.
const schema = `{"jsonSchema":{"type":"object","additionalProperties":false,"properties":{
	"plan":{"type":"string","enum":["free","pro"],"description":"What they pay for."},
	"team":{"type":"string"},
	"unsigned":{"type":"object","additionalProperties":false,"properties":{"beta":{"type":"boolean"}}}}}}`

type claim struct {
	Path            []string
	Kind            string
	Choices, Values []string
	Used            bool
}

type preview struct {
	SiteSpace, Site, Title, URL string
	Adaptive                    bool
	Claims                      []claim
}

type visitorPreview struct {
	URL   string
	Shown bool
}

// adapt lets a site's content depend on the claims of schema.
func adapt(s *apptest.Server, site apptest.Site) {
	s.T.Helper()
	s.Call(http.MethodPut, site.Path+"/adaptive-schema", schema, http.StatusOK, nil)
	s.Call(http.MethodPatch, site.Path, `{"adaptiveContent":{"enabled":true}}`, http.StatusOK, nil)
}

func previewsOf(s *apptest.Server, token, space string) []preview {
	s.T.Helper()
	var list struct{ Items []preview }
	s.CallAs(token, http.MethodGet, "/v1/spaces/"+space+"/change-requests/1/previews", nil, http.StatusOK, &list)
	return list.Items
}

func asVisitor(s *apptest.Server, token, space, siteSpace string, claims any) visitorPreview {
	s.T.Helper()
	var made visitorPreview
	s.CallAs(token, http.MethodPost, "/v1/spaces/"+space+"/change-requests/1/previews",
		map[string]any{"siteSpace": siteSpace, "claims": claims}, http.StatusOK, &made)
	return made
}

func TestPreviewAsAVisitor(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "visitor-auth",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Live text.\n"}}`)
		adapt(s, site)
		site.Propose(`{"operation":"insert_page","title":"Plans","document":{"markdown":` +
			`"{% if visitor.claims.plan === \"pro\" %}\nOnly for pros.\n{% endif %}\n\n` +
			`{% if visitor.claims.team == \"blue\" && visitor.claims.unsigned.beta %}\nOnly for blue.\n{% endif %}\n"}}`)

		places := previewsOf(s, s.Token, site.Space)
		if len(places) != 1 || places[0].Title != "Guide" || !places[0].Adaptive {
			t.Fatalf("previews are %+v", places)
		}
		offered := map[string]claim{}
		for _, each := range places[0].Claims {
			offered[strings.Join(each.Path, ".")] = each
		}
		if plan := offered["plan"]; plan.Kind != "enum" || strings.Join(plan.Choices, " ") != "free pro" || !plan.Used {
			t.Errorf("plan is offered as %+v", plan)
		}
		if team := offered["team"]; strings.Join(team.Values, " ") != "blue" || !team.Used {
			t.Errorf("team is offered as %+v", team)
		}
		if beta := offered["unsigned.beta"]; beta.Kind != "boolean" || !beta.Used {
			t.Errorf("unsigned.beta is offered as %+v", beta)
		}

		looks := func(claims any) (string, string) {
			t.Helper()
			made := asVisitor(s, s.Token, site.Space, places[0].SiteSpace, claims)
			if !made.Shown {
				t.Errorf("the space is not shown for %v", claims)
			}
			reader := apptest.NewVisitor(t)
			status, _, answer := reader.Open(made.URL)
			if status != http.StatusOK || answer.Request.URL.RawQuery != "" ||
				answer.Header.Get("Cache-Control") != "private, no-cache" {
				t.Fatalf("%v: %d at %s with %v", claims, status, answer.Request.URL, answer.Header)
			}
			home := answer.Request.URL.String()
			_, body, _ := reader.Open(home + "plans")
			return body, home
		}
		pro, home := looks(map[string]any{"plan": "pro"})
		if !strings.Contains(pro, "Only for pros.") || strings.Contains(pro, "Only for blue.") {
			t.Errorf("a pro sees\n%s", pro)
		}
		if !strings.Contains(pro, "Change request #1: More") || !strings.Contains(pro, "plan = &#34;pro&#34;") {
			t.Errorf("the page does not say what it is\n%s", pro)
		}
		blue, _ := looks(map[string]any{"team": "blue", "unsigned": map[string]any{"beta": true}})
		if !strings.Contains(blue, "Only for blue.") || strings.Contains(blue, "Only for pros.") {
			t.Errorf("blue sees\n%s", blue)
		}
		if nobody, _ := looks(map[string]any{}); strings.Contains(nobody, "Only for") {
			t.Errorf("nobody sees\n%s", nobody)
		}

		// What was looked at reaches no real visitor: not by the address, not by claims, not from a cache.
		stranger := apptest.NewVisitor(t)
		for _, address := range []string{home, home + "plans", site.Home + "plans", site.Home} {
			status, body, _ := stranger.Open(address)
			if status != http.StatusNotFound || strings.Contains(body, "Only") {
				t.Errorf("a stranger at %s: %d", address, status)
			}
		}
		real := apptest.NewVisitor(t)
		real.Open(site.Home + "?jwt_token=" + apptest.SignClaims(t, site.Key(), map[string]any{"plan": "free"}))
		if status, body, _ := real.Open(site.Home); status != http.StatusOK || !strings.Contains(body, "Live text.") {
			t.Errorf("a real visitor: %d\n%s", status, body)
		}
		if status, _, _ := real.Open(home + "plans"); status != http.StatusNotFound {
			t.Errorf("a real visitor in the preview: %d", status)
		}
	})
}

func TestPreviewAsAVisitorShowsNothingElse(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "public",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Live text.\n"}}`)
		adapt(s, site)
		site.Propose(`{"operation":"insert_page","title":"Plans","document":{"markdown":"Proposed.\n"}}`)
		other := s.NewSite("Other", "public",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Other text.\n"}}`)
		adapt(s, other)
		other.Propose(`{"operation":"insert_page","title":"Hidden","document":{"markdown":"Other proposal.\n"}}`)
		place, elsewhere := previewsOf(s, s.Token, site.Space)[0], previewsOf(s, s.Token, other.Space)[0]
		made := asVisitor(s, s.Token, site.Space, place.SiteSpace, map[string]any{"plan": "pro"})

		tickets := func(address string) []string {
			t.Helper()
			parsed, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			return parsed.Query()["ticket"]
		}
		path := strings.SplitN(strings.TrimPrefix(made.URL, site.Home), "?", 2)[0]
		both := tickets(made.URL)
		if len(both) != 2 {
			t.Fatalf("the address is %s", made.URL)
		}
		// Neither ticket does without the other, and neither is good for another site or space.
		for name, address := range map[string]string{
			"the site's ticket alone":    made.URL[:strings.Index(made.URL, "?")] + "?ticket=" + both[0],
			"the space's ticket alone":   made.URL[:strings.Index(made.URL, "?")] + "?ticket=" + both[1],
			"on another site":            other.Home + path + "?ticket=" + both[0] + "&ticket=" + both[1],
			"as a plain preview there":   other.Home + "~/changes/1/?ticket=" + both[0] + "&ticket=" + both[1],
			"the plain one as a visitor": made.URL[:strings.Index(made.URL, "?")] + "?ticket=" + tickets(place.URL)[0],
		} {
			status, body, _ := apptest.NewVisitor(t).Open(address)
			if status != http.StatusNotFound || strings.Contains(body, "Proposed.") ||
				strings.Contains(body, "Other proposal.") {
				t.Errorf("%s: %d", name, status)
			}
		}
		if status, _, _ := apptest.NewVisitor(t).Open(made.URL); status != http.StatusOK {
			t.Errorf("with both tickets: %d", status)
		}

		post := "/v1/spaces/" + site.Space + "/change-requests/1/previews"
		asked := func(siteSpace, claims string) string {
			return `{"siteSpace":"` + siteSpace + `","claims":` + claims + `}`
		}
		for body, want := range map[string]int{
			asked(elsewhere.SiteSpace, `{}`):                                   http.StatusBadRequest,
			asked(place.SiteSpace, `{"nothing":"x"}`):                          http.StatusBadRequest,
			asked(place.SiteSpace, `{"plan":"gold"}`):                          http.StatusBadRequest,
			asked(place.SiteSpace, `{"unsigned":"x"}`):                         http.StatusBadRequest,
			asked(place.SiteSpace, `{"unsigned":{"plan":"pro"}}`):              http.StatusBadRequest,
			asked(place.SiteSpace, `{"team":"`+strings.Repeat("x", 3000)+`"}`): http.StatusBadRequest,
			`{"siteSpace":"` + place.SiteSpace + `"}`:                          http.StatusOK,
		} {
			s.Call(http.MethodPost, post, body, want, nil)
		}

		// A reader looks with what they may read, until they may not.
		member := s.Member(org.RoleRead, "grace@example.org")
		theirs := asVisitor(s, member, site.Space, place.SiteSpace, map[string]any{"plan": "pro"})
		reader := apptest.NewVisitor(t)
		status, _, answer := reader.Open(theirs.URL)
		if status != http.StatusOK {
			t.Fatalf("a reader: %d", status)
		}
		home := answer.Request.URL.String()
		s.Call(http.MethodPatch, "/v1/spaces/"+site.Space, `{"defaultLevel":null}`, http.StatusOK, nil)
		if status, body, _ := reader.Open(home + "plans"); status != http.StatusNotFound ||
			strings.Contains(body, "Proposed.") {
			t.Errorf("who may not read the space any more: %d", status)
		}
		s.CallAs(member, http.MethodGet, post, nil, http.StatusNotFound, nil)
		s.CallAs(member, http.MethodPost, post, `{"siteSpace":"`+place.SiteSpace+`"}`, http.StatusNotFound, nil)
	})
}

func TestPreviewOfASpaceThatAVisitorDoesNotGet(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "public",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Live text.\n"}}`)
		adapt(s, site)
		second := s.Space("Paid")
		s.Call(http.MethodPost, "/v1/spaces/"+second+"/content",
			`{"changes":[{"operation":"insert_page","title":"Paid"}]}`, http.StatusOK, nil)
		var placed struct{ ID string }
		s.Call(http.MethodPost, site.Path+"/site-spaces", `{"spaceId":"`+second+`"}`, http.StatusCreated, &placed)
		s.Call(http.MethodPatch, site.Path+"/site-spaces/"+placed.ID,
			`{"condition":"visitor.claims.plan === \"pro\""}`, http.StatusOK, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+second+"/change-requests", `{}`, http.StatusCreated, nil)
		free := asVisitor(s, s.Token, second, placed.ID, map[string]any{"plan": "free"})
		if free.Shown {
			t.Error("the space is said to be shown to those who do not pay")
		}
		if status, _, _ := apptest.NewVisitor(t).Open(free.URL); status != http.StatusNotFound {
			t.Errorf("its preview for them: %d", status)
		}
		pro := asVisitor(s, s.Token, second, placed.ID, map[string]any{"plan": "pro"})
		if status, body, _ := apptest.NewVisitor(t).Open(pro.URL); !pro.Shown || status != http.StatusOK ||
			!strings.Contains(body, "Paid") {
			t.Errorf("its preview for those who pay: %d", status)
		}
	})
}
