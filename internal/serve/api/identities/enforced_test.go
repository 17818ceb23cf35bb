package identities_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// enforce has the other organization let its members in through single sign-on only.
func (f *federated) enforce() {
	f.T.Helper()
	f.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/sso/emergency-code", nil, http.StatusCreated, nil)
	f.CallAs(f.token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":true}`, http.StatusOK, nil)
}

// TestNobodyIsTakenHostage walks the story of somebody who wants to lock another out: an organization of their own, an
// invite, single sign-on alone. The victim signs in as ever, and where they work nothing changes: not before they
// accept, and not after it either.
func TestNobodyIsTakenHostage(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		const email = "v@example.org"
		token := s.Member(org.RoleAdmin, email)
		space := s.Space("Theirs")
		open := func(when string) apptest.Browser {
			t.Helper()
			b := s.BrowserWith(email)
			for _, path := range []string{"/v1/orgs/" + s.Organization, "/v1/spaces/" + space, "/v1/user", "/v1/orgs"} {
				if got := b.Send(http.MethodGet, path, "", apptest.OwnPage); got.Status != http.StatusOK {
					t.Errorf("%s: %s answers a session %d %s", when, path, got.Status, got.Body)
				}
				if got := s.Raw(http.MethodGet, path, token, nil); got.Status != http.StatusOK {
					t.Errorf("%s: %s answers a token %d %s", when, path, got.Status, got.Body)
				}
			}
			return b
		}
		open("before")
		f.invite(email, "admin")
		f.enforce()
		b := open("invited")
		if titles := s.OrganizationsOf(token); !slices.Equal(titles, []string{"Example"}) {
			t.Errorf("the victim belongs to %v", titles)
		}
		// Their provider says that somebody is the victim, and gets nowhere.
		if page := f.bySAML(s.NewBrowser(), email); !strings.Contains(string(page.Body),
			"only once its owner says so") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		if titles := s.OrganizationsOf(token); !slices.Equal(titles, []string{"Example"}) {
			t.Errorf("the victim belongs to %v", titles)
		}
		// The page says what accepting means.
		page := b.Send(http.MethodGet, "/account/organizations", "", nil)
		if !strings.Contains(string(page.Body), "accepting accepts that") {
			t.Errorf("%s", page.Body)
		}
		var waiting struct{ Items []apptest.Identified }
		s.CallAs(token, http.MethodGet, "/v1/user/invites", nil, http.StatusOK, &waiting)
		s.CallAs(token, http.MethodPost, "/v1/orgs/"+f.evil+"/invites/"+waiting.Items[0].ID, nil, http.StatusOK, nil)
		b = open("a member of both")
		if reaches(b, f.evil) {
			t.Error("an organization that enforces single sign-on opens to a password")
		}
		if page := b.Send(http.MethodGet, "/account/organizations/"+f.evil, "", nil); page.Status != http.StatusOK ||
			!strings.Contains(string(page.Body), "opens through its single sign-on only") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		// Whoever is shut out may leave.
		s.CallAs(token, http.MethodDelete, "/v1/orgs/"+f.evil+"/members/"+s.UserOf(token), nil, http.StatusResetContent,
			nil)
		open("gone again")
	})
}

// TestEnteringAnEnforcedOrganization holds what opens an organization that enforces single sign-on, and that members
// who were there before are asked.
func TestEnteringAnEnforcedOrganization(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		const email = "m@evil.example"
		operators := s.OperatorAdds(email, f.evil, "create")
		b := s.BrowserWith(email)
		var space apptest.Identified
		f.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/spaces", `{"title":"Inside"}`, http.StatusCreated,
			&space)
		var collection apptest.Identified
		f.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/collections", `{"title":"Inside"}`, http.StatusCreated,
			&collection)
		before := newToken(b, "before")
		if !reaches(b, f.evil) || !tokenReaches(s, before, f.evil) {
			t.Fatal("the organization is closed before it enforces anything")
		}
		f.enforce()
		things := []string{"", "/spaces", "/members", "/teams", "/invites", "/sites", "/audit"}
		closed := func(when string, ask func(path string) apptest.Answer) {
			t.Helper()
			for _, thing := range things {
				if got := ask("/v1/orgs/" + f.evil + thing); got.Status != http.StatusForbidden ||
					!strings.Contains(string(got.Body), "/account/organizations/"+f.evil) {
					t.Errorf("%s: %s answers %d %s", when, thing, got.Status, got.Body)
				}
			}
			for _, path := range []string{"/v1/spaces/" + space.ID, "/v1/spaces/" + space.ID + "/content",
				"/v1/collections/" + collection.ID} {
				if got := ask(path); got.Status != http.StatusForbidden {
					t.Errorf("%s: %s answers %d %s", when, path, got.Status, got.Body)
				}
			}
		}
		inSession := func(b apptest.Browser) func(string) apptest.Answer {
			return func(path string) apptest.Answer { return b.Send(http.MethodGet, path, "", apptest.OwnPage) }
		}
		withToken := func(token string) func(string) apptest.Answer {
			return func(path string) apptest.Answer { return s.Raw(http.MethodGet, path, token, nil) }
		}
		closed("a session", inSession(b))
		closed("a token", withToken(before))
		if !tokenReaches(s, operators, f.evil) {
			t.Error("the token that the operator made is closed out")
		}
		if !tokenReaches(s, f.token, f.evil) {
			t.Error("who turned it on is closed out")
		}
		// Their own things go on, and the organization is in their list.
		if titles := s.OrganizationsOf(before); !slices.Equal(titles, []string{"Evil"}) {
			t.Errorf("%v", titles)
		}
		page := b.Send(http.MethodGet, "/account/organizations/"+f.evil, "", nil)
		if !strings.Contains(string(page.Body), "Accept and continue") || !strings.Contains(string(page.Body),
			"Your account and your other organizations stay as they are") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		page = form(b, "/account/organizations/"+f.evil, url.Values{})
		if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Continue with Login") {
			t.Fatalf("%d %s", page.Status, page.Body)
		}
		// Tokens from before go on then; a session that did not come through the provider stays out, and so does what
		// is made in it.
		if !tokenReaches(s, before, f.evil) {
			t.Error("the token from before the acceptance is closed out")
		}
		closed("a session of a password", inSession(b))
		closed("a token of that session", withToken(newToken(b, "after")))
		signedInAs(f.Server, f.bySAML(b, email), email)
		if !reaches(b, f.evil) || !tokenReaches(s, newToken(b, "inside"), f.evil) {
			t.Error("what came through the provider is closed out")
		}
		if got := b.Send(http.MethodGet, "/v1/spaces/"+space.ID, "", apptest.OwnPage); got.Status != http.StatusOK {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		// What came through another organization's provider is none of this one's.
		var code struct{ Code string }
		f.CallAs(f.token, http.MethodPost, "/v1/orgs/"+f.evil+"/sso/emergency-code", nil, http.StatusCreated, &code)
		emergency := s.NewBrowser()
		form(emergency, "/signin/sso/emergency", url.Values{"code": {code.Code}})
		if !reaches(emergency, f.evil) {
			t.Error("the emergency code opens nothing")
		}
		f.CallAs(f.token, http.MethodPatch, "/v1/orgs/"+f.evil, `{"sso":false}`, http.StatusOK, nil)
		if !reaches(s.BrowserWith(email), f.evil) {
			t.Error("the organization stays closed when it enforces nothing any more")
		}
	})
}

// TestInvitesIntoEnforcedOrganizations follows people without and with an account from an invite to the single sign-on.
func TestInvitesIntoEnforcedOrganizations(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		f := withProviders(s)
		f.enforce()
		link := local(s.Base, s.Invite(f.evil, f.token, "new@else.example").URLs.Accept)
		b := s.NewBrowser()
		page := b.Send(http.MethodGet, link, "", nil)
		if !strings.Contains(string(page.Body), "Continue with single sign-on") || strings.Contains(string(page.Body),
			`name="password"`) {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		form(b, link, url.Values{"name": {"New"}, "password": {apptest.SomebodysPassword}})
		if _, ok := byPassword(s, "new@else.example", apptest.SomebodysPassword); ok {
			t.Error("the link has made an account that single sign-on should have made")
		}
		signedInAs(f.Server, f.bySAML(b, "new@else.example"), "new@else.example")
		if !reaches(b, f.evil) {
			t.Error("who was invited does not get in by single sign-on")
		}

		token := s.Member(org.RoleRead, "known@example.org")
		known := s.BrowserWith("known@example.org")
		link = local(s.Base, s.Invite(f.evil, f.token, "known@example.org").URLs.Accept)
		if page := known.Send(http.MethodGet, link, "", nil); !strings.Contains(string(page.Body),
			"Joining accepts that") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		page = form(known, link, url.Values{})
		if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Continue with single sign-on") ||
			strings.Contains(string(page.Body), "Accept and continue") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		if reaches(known, f.evil) || !reaches(known, s.Organization) || !tokenReaches(s, token, s.Organization) {
			t.Error("joining has opened or closed what it should not")
		}
		if page := f.bySAML(known, "known@example.org"); !strings.Contains(string(page.Body), "Connect your account?") {
			t.Errorf("%d %s", page.Status, page.Body)
		} else {
			form(known, "/signin/sso/finish", url.Values{"ticket": {ticketIn(page)}, "yes": {"connect"}})
		}
		if !reaches(known, f.evil) || !reaches(known, s.Organization) {
			t.Error("a connected session does not open both")
		}
	})
}
