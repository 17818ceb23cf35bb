package app_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// siteParts is a site with two sections, a group and a redirect.
type siteParts struct {
	site                                                       string
	space, section, other, siteSpace, variant, group, redirect string
}

func (s *server) siteParts() siteParts {
	s.t.Helper()
	made := func(path string, body any) string {
		var one identified
		s.call(http.MethodPost, path, body, http.StatusCreated, &one)
		return one.ID
	}
	var p siteParts
	p.space = s.space("Guide")
	p.site = "/v1/orgs/" + s.organization + "/sites/" + made("/v1/orgs/"+s.organization+"/sites",
		map[string]any{"title": "Docs", "spaces": []string{p.space}})
	p.section = made(p.site+"/sections", map[string]any{"spaceId": p.space})
	p.other = made(p.site+"/sections", map[string]any{"spaceId": p.space, "title": "Other"})
	p.group = made(p.site+"/section-groups", map[string]any{"title": "Group"})
	p.variant = made(p.site+"/site-spaces", map[string]any{"spaceId": p.space})
	p.redirect = made(p.site+"/redirects", map[string]any{"source": "/old",
		"destination": map[string]any{"kind": "site-section", "siteSectionId": p.section}})
	var spaces struct{ Items []identified }
	s.call(http.MethodGet, p.site+"/site-spaces", nil, http.StatusOK, &spaces)
	p.siteSpace = spaces.Items[0].ID
	return p
}

// TestWhoMayChangeStructure goes through the operations on a site's structure with every role: members read, and those
// who may make content change.
func TestWhoMayChangeStructure(t *testing.T) {
	onBothWith(t, everyoneCreates, func(t *testing.T, s *server) {
		p := s.siteParts()
		var site struct{ URLs struct{ Published string } }
		s.call(http.MethodPost, p.site+"/publish", nil, http.StatusOK, &site)
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.member(role, "structure-"+string(role)+"@example.org")
		}
		stranger := s.member(org.RoleGuest, "structure-stranger@example.net")
		var elsewhere identified
		s.callAs(stranger, http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &elsewhere)

		destination := `"destination":{"kind":"site-section","siteSectionId":"` + p.section + `"}`
		for _, test := range []struct {
			method, path, body string
			least              org.Role
			ok, below          int
		}{
			{http.MethodGet, "/structure", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/site-spaces", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/sections", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/section-groups", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/redirects", "", org.RoleRead, 200, 404},
			{http.MethodGet, "/redirect?source=/old", "", org.RoleRead, 200, 404},
			{http.MethodPost, "/search", `{"query":"x","scope":{"mode":"all"}}`, org.RoleRead, 200, 404},
			{http.MethodPatch, "/structure/sort", `{"item":{"type":"site-section","id":"` + p.section +
				`"},"position":{}}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/site-spaces", `{"spaceId":"` + p.space + `"}`, org.RoleCreate, 201, 403},
			{http.MethodPatch, "/site-spaces/" + p.variant, `{"condition":null}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/site-spaces/" + p.variant + "/move", `{}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/sections", `{"spaceId":"` + p.space + `","title":"More"}`, org.RoleCreate, 201, 403},
			{http.MethodPatch, "/sections/" + p.section, `{"title":"Guide"}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/sections/" + p.section + "/move", `{}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/section-groups", `{"title":"More"}`, org.RoleCreate, 201, 403},
			{http.MethodPatch, "/section-groups/" + p.group, `{"title":"Group"}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/section-groups/" + p.group + "/sections", `{"sectionId":"` + p.other + `"}`,
				org.RoleCreate, 201, 403},
			{http.MethodPost, "/section-groups/" + p.group + "/move", `{}`, org.RoleCreate, 200, 403},
			{http.MethodPatch, "/redirects/" + p.redirect, `{"draft":false}`, org.RoleCreate, 200, 403},
			{http.MethodPost, "/redirects", `{"source":"/ROLE",` + destination + `}`, org.RoleCreate, 201, 403},
			{http.MethodPost, "/unpublish", "", org.RoleCreate, 200, 403},
			{http.MethodPatch, "", `{"proxy":null,"hostname":null}`, org.RoleCreate, 200, 403},
			{http.MethodDelete, "/redirects/" + p.redirect, "", org.RoleAdmin, 204, 403},
			{http.MethodDelete, "/section-groups/" + p.group + "/sections/" + p.other, "", org.RoleAdmin, 205, 403},
			{http.MethodDelete, "/section-groups/" + p.group, "", org.RoleAdmin, 205, 403},
			{http.MethodDelete, "/site-spaces/" + p.variant, "", org.RoleAdmin, 205, 403},
			{http.MethodDelete, "/sections/" + p.other, "", org.RoleAdmin, 204, 403},
			{http.MethodDelete, "", "", org.RoleAdmin, 204, 403},
		} {
			may := false
			for _, role := range roles {
				may = may || role == test.least
				if test.method == http.MethodDelete && role == org.RoleCreate {
					continue // may too, but then there would be nothing left for the admin
				}
				want := test.below
				switch {
				case may:
					want = test.ok
				case role == org.RoleGuest:
					want = http.StatusNotFound
				}
				var body any
				if test.body != "" {
					body = strings.ReplaceAll(test.body, "ROLE", "as-"+string(role))
				}
				if role == org.RoleAdmin {
					// Ids of another organization are never there.
					foreign := strings.Replace(p.site, s.organization, elsewhere.ID, 1)
					for _, at := range []string{p.site, foreign} {
						if got := s.raw(test.method, at+test.path, stranger, body); got.status != http.StatusNotFound {
							t.Errorf("%s %s from elsewhere: %d", test.method, test.path, got.status)
						}
					}
				}
				got := s.raw(test.method, p.site+test.path, tokens[role], body)
				if got.status != want {
					t.Errorf("%s %s as %q: %d, want %d: %.300s", test.method, test.path, role, got.status, want,
						got.body)
				}
				s.check(test.method, p.site+test.path, got)
			}
		}
	})
}

// TestStructureOfClosedSpaces holds that people see nothing of a space on a site that they may not read.
func TestStructureOfClosedSpaces(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		p := s.siteParts()
		closed := s.space("Closed")
		var added identified
		s.call(http.MethodPost, p.site+"/site-spaces", map[string]any{"spaceId": closed, "sectionId": p.other},
			http.StatusCreated, &added)
		s.call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":null}`, http.StatusOK, nil)
		s.call(http.MethodPost, p.site+"/publish", nil, http.StatusOK, nil)
		creator := s.member(org.RoleCreate, "creator@example.org")
		for _, path := range []string{"/structure", "/sections", "/site-spaces", "/published"} {
			if got := s.raw(http.MethodGet, p.site+path, creator, nil); got.status != http.StatusOK ||
				strings.Contains(string(got.body), closed) || strings.Contains(string(got.body), added.ID) {
				t.Errorf("%s tells of a closed space: %d", path, got.status)
			}
		}
		for method, path := range map[string]string{http.MethodPatch: "", http.MethodDelete: "",
			http.MethodPost: "/move"} {
			if got := s.raw(method, p.site+"/site-spaces/"+added.ID+path, creator,
				`{}`); got.status != http.StatusNotFound {
				t.Errorf("%s: %d %s", method, got.status, got.body)
			}
		}
		if got := s.raw(http.MethodPost, p.site+"/search", creator,
			`{"query":"x","scope":{"mode":"specific","siteSpaceIds":["`+added.ID+
				`"]}}`); got.status != http.StatusBadRequest {
			t.Errorf("search: %d", got.status)
		}
	})
}

// TestLookUpAddresses holds what the lookups say of addresses that lead elsewhere, and whom they tell of closed sites.
func TestLookUpAddresses(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		p := s.siteParts()
		s.upload(p.space, "page.md", []byte("# Page\n\nText.\n"))
		var site struct{ URLs struct{ Published string } }
		s.call(http.MethodPost, p.site+"/publish", nil, http.StatusOK, &site)
		home := site.URLs.Published
		type answer struct {
			Target, Redirect, Space, Pathname, BasePath, SiteBasePath, CanonicalURL string
			Complete                                                                bool
		}
		look := func(url string) (found answer) {
			t.Helper()
			s.call(http.MethodPost, "/v1/urls/published", map[string]any{"url": url}, http.StatusOK, &found)
			return found
		}
		base := strings.TrimPrefix(home, s.base)
		if got := look(home + "other/page?x=1#y"); got.Space != p.space || got.Pathname != "page" ||
			got.BasePath != base+"other/" || got.SiteBasePath != base || got.CanonicalURL != home+"other/page" ||
			!got.Complete {
			t.Errorf("%+v", got)
		}
		if got := look(home); got.Pathname != "" || got.Complete {
			t.Errorf("%+v", got)
		}
		if got := look(home + "old"); got.Target != "content" || got.Redirect != home {
			t.Errorf("%+v", got)
		}
		s.call(http.MethodPatch, p.site+"/redirects/"+p.redirect,
			`{"destination":{"kind":"external","url":"https://example.net/"}}`, http.StatusOK, nil)
		if got := look(home + "old"); got.Target != "external" || got.Redirect != "https://example.net/" {
			t.Errorf("%+v", got)
		}
		s.call(http.MethodPatch, p.site, `{"visibility":"visitor-auth","basename":"manual"}`, http.StatusOK, nil)
		moved := strings.Replace(home, "/docs/", "/manual/", 1)
		if got := look(moved + "page"); got.Space != p.space {
			t.Errorf("%+v", got)
		}
		stranger := s.member(org.RoleGuest, "stranger@example.net")
		for _, url := range []string{moved, "https://nowhere.example.com/", s.base + "/sites/none/docs/",
			s.base + "/v1/user"} {
			if got := s.raw(http.MethodPost, "/v1/urls/published", stranger,
				map[string]any{"url": url}); got.status != http.StatusNotFound {
				t.Errorf("%s: %d %s", url, got.status, got.body)
			}
			if got := s.raw(http.MethodGet, "/v1/urls/content?url="+url, stranger,
				nil); got.status != http.StatusNotFound {
				t.Errorf("content of %s: %d %s", url, got.status, got.body)
			}
		}
	})
}

// TestSiteSearchForClients holds the fields that clients tell results apart and order them by.
func TestSiteSearchForClients(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		found := s.audienceSite("Found", "public",
			`{"operation":"insert_page","ref":"a","title":"Above","document":{"markdown":"Nothing.\n"}},
			{"operation":"insert_page","into":"a","title":"Needles","description":"About them","document":{"markdown":"A needle.\n"}},
			{"operation":"insert_page","title":"Hay","document":{"markdown":"No needle but hay, and straw, and more of both.\n"}}`)
		type answer struct {
			Items []struct {
				Type  string
				Score float64
				Pages []struct {
					Title, Description, ResultType string
					Score                          float64
					Rank                           int
					Ancestors                      []struct{ Title string }
					Sections                       []struct {
						ResultType string
						Score      float64
					}
				}
			}
			Next struct{ Page string }
		}
		const all = `{"query":"needle","scope":{"mode":"all"}}`
		var first, second answer
		s.call(http.MethodPost, found.path+"/search?limit=1", all, http.StatusOK, &first)
		s.call(http.MethodPost, found.path+"/search?limit=1&page="+url.QueryEscape(first.Next.Page), all, http.StatusOK,
			&second)
		space := first.Items[0]
		page := space.Pages[0]
		if space.Type != "space" || space.Score <= 0 || page.Title != "Needles" || page.Description != "About them" ||
			page.ResultType != "page" ||
			page.Score != space.Score || page.Rank != 1 || len(page.Ancestors) != 1 ||
			page.Ancestors[0].Title != "Above" {
			t.Errorf("%+v", space)
		}
		if section := page.Sections[0]; section.ResultType != "section" || section.Score != page.Score {
			t.Errorf("%+v", section)
		}
		if page := second.Items[0].Pages[0]; page.Rank != 2 || page.Ancestors == nil || page.Score > space.Score {
			t.Errorf("%+v", page)
		}
		s.call(http.MethodPost, found.path+"/search",
			`{"query":"needle","scope":{"mode":"default","restrictTo":"otherSiteSpaces"}}`, http.StatusBadRequest, nil)
	})
}

// TestLookUpForVisitors holds what the lookup of an address tells on behalf of a visitor.
func TestLookUpForVisitors(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		type answer struct {
			Target, Redirect, Site, Space, Pathname, BasePath, SiteBasePath, ShareKey, CanonicalURL, ContextID,
			APIToken string
		}
		guest := s.member(org.RoleGuest, "guest@example.net")
		look := func(caller string, body map[string]any, status int) (found answer) {
			t.Helper()
			s.callAs(caller, http.MethodPost, "/v1/urls/published", body, status, &found)
			return found
		}

		shared := s.audienceSite("Shared", "share-link", onePage)
		id, address := shared.link("Customers")
		key := strings.TrimSuffix(strings.TrimPrefix(address, shared.home), "/")
		base := strings.TrimPrefix(shared.home, s.base)
		if got := look(guest, map[string]any{"url": address + "start"}, 200); got.Space != shared.space ||
			got.ShareKey != key || got.Pathname != "start" || got.SiteBasePath != base+key+"/" ||
			got.CanonicalURL != shared.home+"start" {
			t.Errorf("with the key: %+v", got)
		}
		look(guest, map[string]any{"url": shared.home}, 404)
		for _, nowhere := range []string{"https://elsewhere.example/", s.base + "/sites/none/none/"} {
			got := s.raw(http.MethodPost, "/v1/urls/published", s.token, map[string]any{"url": nowhere})
			if got.status != 404 || strings.Contains(string(got.body), "organization") {
				t.Errorf("%s: %d %s", nowhere, got.status, got.body)
			}
		}
		look(guest, map[string]any{"url": shared.home + strings.Repeat("a", 32) + "/"}, 404)
		s.call(http.MethodPatch, shared.path+"/share-links/"+id, `{"active":false}`, 200, nil)
		look(guest, map[string]any{"url": address}, 404)

		closed := s.audienceSite("Closed", "visitor-auth", onePage)
		member := func(claims map[string]any) map[string]any {
			return map[string]any{"jwtToken": sign(t, closed.key(), claims)}
		}
		look(guest, map[string]any{"url": closed.home}, 404)
		s.call(http.MethodPatch, closed.path+"/publishing/auth",
			`{"backend":"custom","fallbackURL":"https://example.com/login?from=docs"}`, 200, nil)
		signIn := "https://example.com/login?from=docs&location=%2Fstart%3Fx%3D1"
		if got := look(guest, map[string]any{"url": closed.home + "start?x=1"}, 200); got.Target != "external" ||
			got.Redirect != signIn || !strings.HasSuffix(closed.path, "/"+got.Site) {
			t.Errorf("without a token: %+v", got)
		}
		expired := map[string]any{"url": closed.home + "start?x=1", "visitor": member(map[string]any{"exp": 1})}
		look("", expired, 401)
		look(guest, expired, 404)
		s.call(http.MethodPost, "/v1/urls/published", expired, 404, nil) // who names a visitor is not asked as a member
		expired["redirectOnError"] = true
		if got := look(guest, expired, 200); got.Redirect != signIn {
			t.Errorf("with one that has expired: %+v", got)
		}
		if got := look(guest, map[string]any{"url": closed.home, "visitor": member(nil)},
			200); got.Space != closed.space {
			t.Errorf("with a token: %+v", got)
		}
		// A token in the address itself counts as on the site; one that does not count is not made up for by who asks.
		inAddress := look(guest, map[string]any{"url": closed.home + "start?jwt_token=" + sign(t, closed.key(), nil)},
			200)
		if inAddress.Space != closed.space || inAddress.ContextID == "" || inAddress.APIToken != "" ||
			strings.Contains(inAddress.CanonicalURL, "jwt_token") {
			t.Errorf("with a token in the address: %+v", inAddress)
		}
		s.call(http.MethodPost, "/v1/urls/published", map[string]any{"url": closed.home + "?jwt_token=" + sign(t, "x",
			nil)}, 404, nil)
		var deprecated answer
		s.callAs(guest, http.MethodGet, "/v1/urls/published?url="+closed.home+"&visitorAuthToken="+sign(t, closed.key(),
			nil), nil, 200, &deprecated)
		if deprecated.Space != closed.space {
			t.Errorf("the deprecated form: %+v", deprecated)
		}

		agent := map[string]any{"url": closed.home, "visitor": map[string]any{"type": "agent",
			"jwtToken": sign(t, closed.key(), nil)}}
		look(guest, agent, 200)
		s.call(http.MethodPatch, closed.path, `{"agentsContext":"excluded"}`, 200, nil)
		look(guest, agent, 404)

		second := s.space("Second")
		s.call(http.MethodPost, closed.path+"/sections", map[string]any{"spaceId": second, "title": "More"}, 201, nil)
		var sections struct{ Items []identified }
		s.call(http.MethodGet, closed.path+"/sections", nil, 200, &sections)
		closed.adapt(`{"type":"object","properties":{"plan":{"type":"string"}},"additionalProperties":false}`)
		s.call(http.MethodPatch, closed.path+"/sections/"+sections.Items[1].ID,
			`{"condition":"visitor.claims.plan == \"pro\""}`, 200, nil)
		s.call(http.MethodPost, closed.path+"/redirects",
			`{"source":"/old","destination":{"kind":"site-section","siteSectionId":"`+sections.Items[1].ID+`"}}`, 201,
			nil)
		contexts := map[string]bool{}
		for plan, want := range map[string]string{"pro": second, "free": closed.space} {
			visitor := member(map[string]any{"plan": plan})
			inAddress := func() answer {
				token := sign(t, closed.key(), map[string]any{"plan": plan, "nonce": strconv.Itoa(len(contexts))})
				return look(guest, map[string]any{"url": closed.home + "more/?jwt_token=" + token}, 200)
			}
			// What the site does not know of them makes no other context.
			if first, second := inAddress(), inAddress(); first.Space != want || first.ContextID != second.ContextID ||
				contexts[first.ContextID] {
				t.Errorf("%s in the address: %+v, then %+v", plan, first, second)
			} else {
				contexts[first.ContextID] = true
			}
			if got := look(guest, map[string]any{"url": closed.home + "more/", "visitor": visitor},
				200); got.Space != want {
				t.Errorf("%s: the section has the space %q", plan, got.Space)
			}
			if got := look(guest, map[string]any{"url": closed.home + "old", "visitor": visitor},
				200); (got.Redirect == closed.home+"more/") != (plan == "pro") {
				t.Errorf("%s: the redirect leads to %q", plan, got.Redirect)
			}
		}
		if got := look(s.token, map[string]any{"url": closed.home + "more/"}, 200); got.Space != second {
			t.Errorf("a member who asks for nobody else gets %+v", got)
		}
	})
}
