package app_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// enforce has the other organization let its members in through single sign-on only.
func (f *federated) enforce() {
	f.t.Helper()
	f.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/sso/emergency-code", nil, http.StatusCreated, nil)
	f.callAs(f.token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":true}`, http.StatusOK, nil)
}

// TestNobodyIsTakenHostage walks the story of somebody who wants to lock another out: an organization of their own, an
// invite, single sign-on alone. The victim signs in as ever, and where they work nothing changes: not before they
// accept, and not after it either.
func TestNobodyIsTakenHostage(t *testing.T) {
	onBothWith(t, fetching, func(t *testing.T, s *server) {
		f := withProviders(s)
		const email = "v@example.org"
		token := s.member(org.RoleAdmin, email)
		space := s.space("Theirs")
		open := func(when string) browser {
			t.Helper()
			b := s.browserWith(email)
			for _, path := range []string{"/v1/orgs/" + s.organization, "/v1/spaces/" + space, "/v1/user", "/v1/orgs"} {
				if got := b.send(http.MethodGet, path, "", ownPage); got.status != http.StatusOK {
					t.Errorf("%s: %s answers a session %d %s", when, path, got.status, got.body)
				}
				if got := s.raw(http.MethodGet, path, token, nil); got.status != http.StatusOK {
					t.Errorf("%s: %s answers a token %d %s", when, path, got.status, got.body)
				}
			}
			return b
		}
		open("before")
		f.invite(email, "admin")
		f.enforce()
		b := open("invited")
		if titles := s.organizationsOf(token); !slices.Equal(titles, []string{"Example"}) {
			t.Errorf("the victim belongs to %v", titles)
		}
		// Their provider says that somebody is the victim, and gets nowhere.
		if page := f.bySAML(s.newBrowser(), email); !strings.Contains(string(page.body),
			"only once its owner says so") {
			t.Errorf("%d %s", page.status, page.body)
		}
		if titles := s.organizationsOf(token); !slices.Equal(titles, []string{"Example"}) {
			t.Errorf("the victim belongs to %v", titles)
		}
		// The page says what accepting means.
		page := b.send(http.MethodGet, "/account/organizations", "", nil)
		if !strings.Contains(string(page.body), "accepting accepts that") {
			t.Errorf("%s", page.body)
		}
		var waiting struct{ Items []identified }
		s.callAs(token, http.MethodGet, "/v1/user/invites", nil, http.StatusOK, &waiting)
		s.callAs(token, http.MethodPost, "/v1/orgs/"+f.evil+"/invites/"+waiting.Items[0].ID, nil, http.StatusOK, nil)
		b = open("a member of both")
		if b.reaches(f.evil) {
			t.Error("an organization that enforces single sign-on opens to a password")
		}
		if page := b.send(http.MethodGet, "/account/organizations/"+f.evil, "", nil); page.status != http.StatusOK ||
			!strings.Contains(string(page.body), "opens through its single sign-on only") {
			t.Errorf("%d %s", page.status, page.body)
		}
		// Whoever is shut out may leave.
		s.callAs(token, http.MethodDelete, "/v1/orgs/"+f.evil+"/members/"+s.userOf(token), nil, http.StatusResetContent,
			nil)
		open("gone again")
	})
}

// TestEnteringAnEnforcedOrganization holds what opens an organization that enforces single sign-on, and that members
// who were there before are asked.
func TestEnteringAnEnforcedOrganization(t *testing.T) {
	onBothWith(t, fetching, func(t *testing.T, s *server) {
		f := withProviders(s)
		const email = "m@evil.example"
		operators := s.operatorAdds(email, f.evil, "create")
		b := s.browserWith(email)
		var space identified
		f.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/spaces", `{"title":"Inside"}`, http.StatusCreated,
			&space)
		var collection identified
		f.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/collections", `{"title":"Inside"}`, http.StatusCreated,
			&collection)
		before := b.newToken("before")
		if !b.reaches(f.evil) || !s.tokenReaches(before, f.evil) {
			t.Fatal("the organization is closed before it enforces anything")
		}
		f.enforce()
		things := []string{"", "/spaces", "/members", "/teams", "/invites", "/sites", "/audit"}
		closed := func(when string, ask func(path string) answer) {
			t.Helper()
			for _, thing := range things {
				if got := ask("/v1/orgs/" + f.evil + thing); got.status != http.StatusForbidden ||
					!strings.Contains(string(got.body), "/account/organizations/"+f.evil) {
					t.Errorf("%s: %s answers %d %s", when, thing, got.status, got.body)
				}
			}
			for _, path := range []string{"/v1/spaces/" + space.ID, "/v1/spaces/" + space.ID + "/content",
				"/v1/collections/" + collection.ID} {
				if got := ask(path); got.status != http.StatusForbidden {
					t.Errorf("%s: %s answers %d %s", when, path, got.status, got.body)
				}
			}
		}
		inSession := func(b browser) func(string) answer {
			return func(path string) answer { return b.send(http.MethodGet, path, "", ownPage) }
		}
		withToken := func(token string) func(string) answer {
			return func(path string) answer { return s.raw(http.MethodGet, path, token, nil) }
		}
		closed("a session", inSession(b))
		closed("a token", withToken(before))
		if !s.tokenReaches(operators, f.evil) {
			t.Error("the token that the operator made is closed out")
		}
		if !s.tokenReaches(f.token, f.evil) {
			t.Error("who turned it on is closed out")
		}
		// Their own things go on, and the organization is in their list.
		if titles := s.organizationsOf(before); !slices.Equal(titles, []string{"Evil"}) {
			t.Errorf("%v", titles)
		}
		page := b.send(http.MethodGet, "/account/organizations/"+f.evil, "", nil)
		if !strings.Contains(string(page.body), "Accept and continue") || !strings.Contains(string(page.body),
			"Your account and your other organizations stay as they are") {
			t.Errorf("%d %s", page.status, page.body)
		}
		page = b.form("/account/organizations/"+f.evil, url.Values{})
		if page.status != http.StatusOK || !strings.Contains(string(page.body), "Continue with Login") {
			t.Fatalf("%d %s", page.status, page.body)
		}
		// Tokens from before go on then; a session that did not come through the provider stays out, and so does what
		// is made in it.
		if !s.tokenReaches(before, f.evil) {
			t.Error("the token from before the acceptance is closed out")
		}
		closed("a session of a password", inSession(b))
		closed("a token of that session", withToken(b.newToken("after")))
		f.signedInAs(f.bySAML(b, email), email)
		if !b.reaches(f.evil) || !s.tokenReaches(b.newToken("inside"), f.evil) {
			t.Error("what came through the provider is closed out")
		}
		if got := b.send(http.MethodGet, "/v1/spaces/"+space.ID, "", ownPage); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
		// What came through another organization's provider is none of this one's.
		var code struct{ Code string }
		f.callAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/sso/emergency-code", nil, http.StatusCreated, &code)
		emergency := s.newBrowser()
		emergency.form("/signin/sso/emergency", url.Values{"code": {code.Code}})
		if !emergency.reaches(f.evil) {
			t.Error("the emergency code opens nothing")
		}
		f.callAs(f.token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":false}`, http.StatusOK, nil)
		if !s.browserWith(email).reaches(f.evil) {
			t.Error("the organization stays closed when it enforces nothing any more")
		}
	})
}

// TestInvitesIntoEnforcedOrganizations follows people without and with an account from an invite to the single sign-on.
func TestInvitesIntoEnforcedOrganizations(t *testing.T) {
	onBothWith(t, fetching, func(t *testing.T, s *server) {
		f := withProviders(s)
		f.enforce()
		link := local(s.base, s.invite(f.evil, f.token, "new@else.example").URLs.Accept)
		b := s.newBrowser()
		page := b.send(http.MethodGet, link, "", nil)
		if !strings.Contains(string(page.body), "Continue with single sign-on") || strings.Contains(string(page.body),
			`name="password"`) {
			t.Errorf("%d %s", page.status, page.body)
		}
		b.form(link, url.Values{"name": {"New"}, "password": {somebodysPassword}})
		if _, ok := s.byPassword("new@else.example", somebodysPassword); ok {
			t.Error("the link has made an account that single sign-on should have made")
		}
		f.signedInAs(f.bySAML(b, "new@else.example"), "new@else.example")
		if !b.reaches(f.evil) {
			t.Error("who was invited does not get in by single sign-on")
		}

		token := s.member(org.RoleRead, "known@example.org")
		known := s.browserWith("known@example.org")
		link = local(s.base, s.invite(f.evil, f.token, "known@example.org").URLs.Accept)
		if page := known.send(http.MethodGet, link, "", nil); !strings.Contains(string(page.body),
			"Joining accepts that") {
			t.Errorf("%d %s", page.status, page.body)
		}
		page = known.form(link, url.Values{})
		if page.status != http.StatusOK || !strings.Contains(string(page.body), "Continue with single sign-on") ||
			strings.Contains(string(page.body), "Accept and continue") {
			t.Errorf("%d %s", page.status, page.body)
		}
		if known.reaches(f.evil) || !known.reaches(s.organization) || !s.tokenReaches(token, s.organization) {
			t.Error("joining has opened or closed what it should not")
		}
		if page := f.bySAML(known, "known@example.org"); !strings.Contains(string(page.body), "Connect your account?") {
			t.Errorf("%d %s", page.status, page.body)
		} else {
			known.form("/signin/sso/finish", url.Values{"ticket": {ticketIn(page)}, "yes": {"connect"}})
		}
		if !known.reaches(f.evil) || !known.reaches(s.organization) {
			t.Error("a connected session does not open both")
		}
	})
}
