package app_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// apiInvite is an invite by e-mail in answers.
type apiInvite struct {
	Object, ID, Email, State, Delivery, ExpiresAt string
	Role                                          *string
	URLs                                          struct{ Location, Accept string }
}

// somebodysPassword is that of people in these tests.
const somebodysPassword = "difference engine"

// browserWith returns a browser in which somebody with an address has signed in by password.
func (s *server) browserWith(email string) browser {
	s.t.Helper()
	if _, err := app.SetPassword(s.t.Context(), s.storage, email, somebodysPassword,
		slog.New(slog.DiscardHandler)); err != nil {
		s.t.Fatal(err)
	}
	b := s.newBrowser()
	page := b.send(http.MethodPost, "/signin", url.Values{"email": {email}, "password": {somebodysPassword}}.Encode(),
		fromPage)
	if page.status != http.StatusOK || !strings.Contains(string(page.body), email) {
		s.t.Fatalf("signing in: %d %s", page.status, page.body)
	}
	return b
}

// withEmailInvite makes the sample of an invite one by e-mail.
func withEmailInvite(s *server, samples map[string]string) {
	samples["inviteId"] = s.invite(s.organization, s.token, strings.ToLower("invited-"+samples["spaceId"])+
		"@example.net").ID
}

// invite invites an address and returns the invite.
func (s *server) invite(organization, token, email string) apiInvite {
	s.t.Helper()
	var made struct{ Invites []apiInvite }
	s.callAs(token, http.MethodPost, "/v1/orgs/"+organization+"/invites", map[string]any{"emails": []string{email}},
		http.StatusOK, &made)
	if len(made.Invites) != 1 {
		s.t.Fatalf("%s was not invited", email)
	}
	return made.Invites[0]
}

// organizationsOf are the titles of the organizations that a token's person belongs to.
func (s *server) organizationsOf(token string) (titles []string) {
	s.t.Helper()
	var list struct{ Items []struct{ Title string } }
	s.callAs(token, http.MethodGet, "/v1/orgs", nil, http.StatusOK, &list)
	for _, each := range list.Items {
		titles = append(titles, each.Title)
	}
	return titles
}

// masked is an answer without what is never the same twice.
func masked(body []byte, email string) string {
	text := strings.ReplaceAll(string(body), email, "ADDRESS")
	return regexp.MustCompile(`invite_\w+|org_\w+|\d{4}-\d\d-\d\dT[\d:.]+Z`).ReplaceAllString(text, "*")
}

// TestInvitesMakeNobodyAMember walks the story of somebody who wants another's account: an organization of their own,
// an invite to it, single sign-on alone. Who was invited notices an invitation that waits and nothing else.
func TestInvitesMakeNobodyAMember(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		var evil, team identified
		victim := s.member(org.RoleAdmin, "victim@example.org")
		mallory := s.member(org.RoleAdmin, "mallory@example.net")
		s.callAs(mallory, http.MethodPost, "/v1/orgs", `{"title":"Evil"}`, http.StatusCreated, &evil)
		organization := "/v1/orgs/" + evil.ID
		s.callAs(mallory, http.MethodPut, organization+"/teams", `{"title":"Trap"}`, http.StatusCreated, &team)

		// The same answer whether or not the address has an account.
		var answers, lists []string
		for _, email := range []string{"victim@example.org", "nobody@example.org"} {
			body := map[string]any{"emails": []string{email}, "role": "edit", "sso": true}
			answers = append(answers, masked(s.callAs(mallory, http.MethodPost, organization+"/invites", body,
				http.StatusOK, nil).body, email))
			s.callAs(mallory, http.MethodPut, organization+"/teams/"+team.ID+"/members",
				map[string]any{"add": []string{email}}, http.StatusNoContent, nil)
			var list struct{ Items []json.RawMessage }
			s.callAs(mallory, http.MethodGet, organization+"/invites", nil, http.StatusOK, &list)
			lists = append(lists, masked(list.Items[len(list.Items)-1], email))
		}
		if answers[0] != answers[1] || lists[0] != lists[1] {
			t.Errorf("what is answered tells of accounts:\n%s\n%s\n%s\n%s", answers[0], answers[1], lists[0], lists[1])
		}
		var user identified
		s.callAs(victim, http.MethodGet, "/v1/user", nil, http.StatusOK, &user)
		for _, each := range []struct{ method, path, body string }{
			{http.MethodPost, organization + "/members/" + user.ID + "/sso", ""},
			{http.MethodPut, organization + "/teams/" + team.ID + "/members/" + user.ID, `{"role":"member"}`},
			{http.MethodPatch, organization + "/members/" + user.ID, `{"role":"read"}`},
		} {
			if got := s.raw(each.method, each.path, mallory, each.body); got.status != http.StatusNotFound {
				t.Errorf("%s %s answers %d %s", each.method, each.path, got.status, got.body)
			}
		}
		var members struct{ Count int }
		s.callAs(mallory, http.MethodGet, organization+"/members", nil, http.StatusOK, &members)
		if members.Count != 1 {
			t.Errorf("there are %d members", members.Count)
		}
		if titles := s.organizationsOf(victim); len(titles) != 1 || titles[0] != "Example" {
			t.Errorf("the victim belongs to %v", titles)
		}
		// Signing in once more accepts nothing.
		b := s.browserWith("victim@example.org")
		if titles := s.organizationsOf(victim); len(titles) != 1 {
			t.Errorf("signing in has made the victim a member of %v", titles)
		}
		page := b.send(http.MethodGet, "/account/organizations", "", nil)
		if page.status != http.StatusOK || !strings.Contains(string(page.body), "Invitations for you") ||
			!strings.Contains(string(page.body), "Evil") {
			t.Errorf("%d %s", page.status, page.body)
		}
		var waiting struct {
			Items []struct {
				ID           string
				Organization struct{ ID, Title string }
			}
		}
		s.callAs(victim, http.MethodGet, "/v1/user/invites", nil, http.StatusOK, &waiting)
		if len(waiting.Items) != 1 || waiting.Items[0].Organization.Title != "Evil" {
			t.Fatalf("%+v", waiting)
		}
		// Nobody else accepts or declines in their name.
		one := organization + "/invites/" + waiting.Items[0].ID
		s.callAs(mallory, http.MethodPost, one, nil, http.StatusNotFound, nil)
		s.callAs(mallory, http.MethodPost, one+"/decline", nil, http.StatusNotFound, nil)
		s.callAs(victim, http.MethodPost, one+"/decline", nil, http.StatusNoContent, nil)
		var declined apiInvite
		s.callAs(mallory, http.MethodGet, one, nil, http.StatusOK, &declined)
		if declined.State != "declined" {
			t.Errorf("%+v", declined)
		}
		s.callAs(victim, http.MethodPost, one, nil, http.StatusNotFound, nil)
	})
}

// TestInvitesThroughTheAPI lists, resends, withdraws and accepts invites on a server without a mail server.
func TestInvitesThroughTheAPI(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		organization := "/v1/orgs/" + s.organization
		made := s.invite(s.organization, s.token, "grace@example.net")
		if made.Object != "email-invite" || made.State != "pending" || made.Delivery != "none" ||
			made.ExpiresAt == "" || made.URLs.Location != s.base+organization+"/invites/"+made.ID ||
			!strings.HasPrefix(made.URLs.Accept, s.base+"/invites/"+s.organization+"/invite_") {
			t.Fatalf("%+v", made)
		}
		second := s.invite(s.organization, s.token, "joan@example.net")
		var list struct {
			Items []apiInvite
			Count int
			Next  *struct{ Page string }
		}
		s.call(http.MethodGet, organization+"/invites?limit=1", nil, http.StatusOK, &list)
		if list.Count != 2 || len(list.Items) != 1 || list.Items[0].ID != made.ID || list.Items[0].URLs.Accept != "" ||
			list.Next == nil {
			t.Fatalf("%+v", list)
		}
		s.call(http.MethodGet, organization+"/invites?limit=1&page="+list.Next.Page, nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].ID != second.ID {
			t.Fatalf("%+v", list)
		}
		var again apiInvite
		one := organization + "/invites/" + made.ID
		s.call(http.MethodPost, one+"/resend", nil, http.StatusOK, &again)
		if again.ID != made.ID || again.Delivery != "none" || again.URLs.Accept == "" ||
			again.URLs.Accept == made.URLs.Accept {
			t.Errorf("%+v", again)
		}
		if got := s.raw(http.MethodGet, made.URLs.Accept, "", nil); got.status != http.StatusNotFound {
			t.Errorf("the link before works: %d", got.status)
		}
		s.call(http.MethodDelete, organization+"/invites/"+second.ID, nil, http.StatusNoContent, nil)
		s.call(http.MethodDelete, organization+"/invites/"+second.ID, nil, http.StatusNotFound, nil)
		if got := s.raw(http.MethodGet, second.URLs.Accept, "", nil); got.status != http.StatusNotFound {
			t.Errorf("a withdrawn link works: %d", got.status)
		}

		// The link that was handed over makes an account, and proves no address.
		b := s.newBrowser()
		linkPath := strings.TrimPrefix(again.URLs.Accept, s.base)
		if page := b.send(http.MethodGet, linkPath, "", nil); page.status != http.StatusOK ||
			!strings.Contains(string(page.body), "grace@example.net") {
			t.Fatalf("%d %s", page.status, page.body)
		}
		form := func(name, password string) string {
			return url.Values{"name": {name}, "password": {password}}.Encode()
		}
		if page := b.send(http.MethodPost, linkPath, form("Grace", "grace"),
			fromPage); page.status != http.StatusBadRequest || !strings.Contains(string(page.body),
			"The password has 5") {
			t.Errorf("%d %s", page.status, page.body)
		}
		if page := b.send(http.MethodPost, linkPath, form("Grace", somebodysPassword),
			fromPage); page.status != http.StatusOK || !strings.Contains(string(page.body), "You are in") {
			t.Fatalf("%d %s", page.status, page.body)
		}
		if page := b.send(http.MethodGet, "/account/organizations", "", nil); !strings.Contains(string(page.body),
			"Example") || !strings.Contains(string(page.body), "once your address is proven") {
			t.Errorf("%s", page.body)
		}
		s.call(http.MethodGet, one, nil, http.StatusNotFound, nil)
		s.call(http.MethodGet, organization+"/invites", nil, http.StatusOK, &list)
		if list.Count != 0 {
			t.Errorf("%+v", list)
		}
		// Members get no invite.
		var done struct{ Invited int }
		s.call(http.MethodPost, organization+"/invites", `{"emails":["grace@example.net"]}`, http.StatusOK, &done)
		if done.Invited != 0 {
			t.Errorf("%+v", done)
		}
		// An account with the address is not taken by a link.
		s.member(org.RoleRead, "known@example.net")
		var other identified
		s.call(http.MethodPost, "/v1/orgs", `{"title":"Other"}`, http.StatusCreated, &other)
		taken := strings.TrimPrefix(s.invite(other.ID, s.token, "known@example.net").URLs.Accept, s.base)
		if page := s.newBrowser().send(http.MethodPost, taken, form("Eve", somebodysPassword),
			fromPage); page.status != http.StatusConflict || !strings.Contains(string(page.body),
			"Sign in with it to accept") {
			t.Errorf("%d %s", page.status, page.body)
		}
		mine := s.browserWith("known@example.net")
		if page := mine.send(http.MethodPost, taken+"/decline", "", fromPage); page.status != http.StatusOK ||
			!strings.Contains(string(page.body), "Declined") {
			t.Errorf("%d %s", page.status, page.body)
		}
	})
}

// TestFailingMailShowsInTheList holds that an invite whose message nobody takes does not vanish.
func TestFailingMailShowsInTheList(t *testing.T) {
	away := func(settings *config.Serve) {
		settings.SMTPURL, settings.MailFrom = "smtp://127.0.0.1:1", "Recto <docs@example.org>"
	}
	onBothWith(t, away, func(t *testing.T, s *server) {
		made := s.invite(s.organization, s.token, "grace@example.net")
		if made.State != "pending" || made.Delivery != "queued" || made.URLs.Accept != "" {
			t.Fatalf("%+v", made)
		}
		for deadline := time.Now().Add(20 * time.Second); made.Delivery == "queued" &&
			time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/invites/"+made.ID, nil, http.StatusOK, &made)
		}
		if made.State != "undelivered" || made.Delivery != "failing" {
			t.Errorf("%+v", made)
		}
		var list struct{ Items []apiInvite }
		s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/invites", nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].State != "undelivered" {
			t.Errorf("%+v", list)
		}
	})
}

// TestResentMail holds that a mail server gets the new link, and the answer does not.
func TestResentMail(t *testing.T) {
	post := mailtest.NewServer(t)
	withMail := func(settings *config.Serve) {
		settings.SMTPURL, settings.MailFrom = post.URL, "Recto <docs@example.org>"
	}
	onBothWith(t, withMail, func(t *testing.T, s *server) {
		address := path.Base(t.Name()) + "@resent.example"
		made := s.invite(s.organization, s.token, address)
		var again apiInvite
		got := s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/invites/"+made.ID+"/resend", nil, http.StatusOK,
			&again)
		if again.URLs.Accept != "" || strings.Count(string(got.body), "invite_") != 2 {
			t.Errorf("%s", got.body)
		}
		secrets := map[string]bool{}
		for _, message := range post.To(t, address, 2) {
			text := strings.NewReplacer("=\r\n", "", "=\n", "", "=3D", "=").Replace(message.Data)
			secrets[regexp.MustCompile(`/invites/org_\w+/invite_[a-z2-7]+`).FindString(text)] = true
		}
		working := 0
		for secret := range secrets {
			if s.raw(http.MethodGet, secret, "", nil).status == http.StatusOK {
				working++
			}
		}
		if len(secrets) != 2 || working != 1 {
			t.Errorf("%d links were sent and %d work", len(secrets), working)
		}
		for deadline := time.Now().Add(20 * time.Second); again.Delivery == "queued" &&
			time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			s.call(http.MethodGet, "/v1/orgs/"+s.organization+"/invites/"+made.ID, nil, http.StatusOK, &again)
		}
		if again.Delivery != "sent" || again.State != "pending" {
			t.Errorf("%+v", again)
		}
	})
}

// TestWhoAcceptsLandsOnWhatWasShared follows people from an invitation to the page that was shared with them, in the
// browser.
func TestWhoAcceptsLandsOnWhatWasShared(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		organization := "/v1/orgs/" + s.organization
		var collection identified
		s.call(http.MethodPost, organization+"/collections", `{"title":"Shelf"}`, http.StatusCreated, &collection)
		shared, other := s.space("Shared"), s.space("Other")
		var shelved identified
		s.call(http.MethodPost, organization+"/spaces", map[string]any{"title": "Shelved", "parent": collection.ID},
			http.StatusCreated, &shelved)
		sites := map[string]string{}
		for _, each := range []struct{ name, space, text string }{{"shared", shared, "This was shared."},
			{"first", other, "This comes first."}, {"shelved", shelved.ID, "This is on the shelf."}} {
			s.upload(each.space, "a.md", []byte("# Start\n\n"+each.text+"\n"))
			var site identified
			s.call(http.MethodPost, organization+"/sites", map[string]any{"title": each.name, "visibility": "public",
				"spaces": []string{each.space}}, http.StatusCreated, &site)
			s.call(http.MethodPost, organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
			sites[each.name] = site.ID
		}
		// A guest of somewhere else, with an account.
		var elsewhere identified
		s.call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &elsewhere)
		visitor := func(email string) browser {
			s.memberOf(elsewhere.ID, email)
			return s.browserWith(email)
		}
		link := func(body map[string]any) string {
			var made identified
			s.call(http.MethodPost, organization+"/link-invites", body, http.StatusCreated, &made)
			return "/invites/" + s.organization + "/" + made.ID
		}
		for _, each := range []struct{ email, path, want string }{
			{"a@else.example", link(map[string]any{"space": shared, "level": "read"}), "This was shared."},
			{"b@else.example", link(map[string]any{"collection": collection.ID, "level": "read"}),
				"This is on the shelf."},
			{"c@else.example", link(map[string]any{"role": "read"}), "Organizations"},
		} {
			b := visitor(each.email)
			if page := b.send(http.MethodPost, each.path, "", fromPage); page.status != http.StatusOK ||
				!strings.Contains(string(page.body), each.want) {
				t.Errorf("%s lands on %d %s", each.email, page.status, page.body)
			}
		}
		s.call(http.MethodPatch, organization, map[string]any{"defaultContent": map[string]any{"type": "site",
			"site": sites["first"]}}, http.StatusOK, nil)
		b := visitor("d@else.example")
		if page := b.send(http.MethodPost, link(map[string]any{"role": "read"}), "", fromPage); !strings.Contains(
			string(page.body), "This comes first.") {
			t.Errorf("%d %s", page.status, page.body)
		}
		// On a site that asks its visitors for something, the space shows to those whom it was shared with.
		for visibility, email := range map[string]string{"share-link": "g@else.example",
			"visitor-auth": "h@else.example"} {
			closed := s.space("Closed " + visibility)
			s.upload(closed, "a.md", []byte("# Start\n\nThis is for a few.\n"))
			var site identified
			s.call(http.MethodPost, organization+"/sites", map[string]any{"title": visibility, "visibility": visibility,
				"spaces": []string{closed}}, http.StatusCreated, &site)
			s.call(http.MethodPost, organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
			if page := visitor(email).send(http.MethodPost, link(map[string]any{"space": closed, "level": "read"}), "",
				fromPage); page.status != http.StatusOK || !strings.Contains(string(page.body), "This is for a few.") {
				t.Errorf("%s: %d %s", visibility, page.status, page.body)
			}
		}
		// From the page of one's own invitations, and by a new account.
		b = visitor("e@else.example")
		invited := s.invite(s.organization, s.token, "e@else.example")
		if page := b.send(http.MethodPost, "/account/organizations/"+s.organization+"/invites/"+invited.ID+"/accept",
			"", fromPage); !strings.Contains(string(page.body), "This comes first.") {
			t.Errorf("%d %s", page.status, page.body)
		}
		fresh := strings.TrimPrefix(s.invite(s.organization, s.token, "f@else.example").URLs.Accept, s.base)
		if page := s.newBrowser().send(http.MethodPost, fresh,
			url.Values{"name": {"F"}, "password": {somebodysPassword}}.Encode(), fromPage); !strings.Contains(
			string(page.body), "This comes first.") {
			t.Errorf("%d %s", page.status, page.body)
		}
		// Nobody is led to a space that they may not read, nor into an organization that they do not belong to.
		if page := b.send(http.MethodGet, "/account/organizations/"+s.organization+"?space="+strings.Repeat("x", 20),
			"", nil); !strings.Contains(string(page.body), "This comes first.") {
			t.Errorf("%d %s", page.status, page.body)
		}
		if page := s.browserWith("c@else.example").send(http.MethodGet, "/account/organizations/"+
			strings.Replace(s.organization, "org_0", "org_1", 1), "", nil); page.status != http.StatusNotFound {
			t.Errorf("%d", page.status)
		}
	})
}

// TestLandingOnAnotherHost holds that the page itself leads on where a site has a host of its own.
func TestLandingOnAnotherHost(t *testing.T) {
	s := onSQLite(t, func(settings *config.Serve) { settings.SitesDomain = "docs.example" })
	space := s.space("Shared")
	s.upload(space, "a.md", []byte("# Start\n\nThis was shared.\n"))
	var site, link identified
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites", map[string]any{"title": "Shared",
		"visibility": "public", "spaces": []string{space}}, http.StatusCreated, &site)
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/link-invites", map[string]any{"space": space, "level": "read"},
		http.StatusCreated, &link)
	var elsewhere identified
	s.call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &elsewhere)
	s.memberOf(elsewhere.ID, "a@else.example")
	page := s.browserWith("a@else.example").send(http.MethodPost, "/invites/"+s.organization+"/"+link.ID, "", fromPage)
	if page.status != http.StatusOK ||
		!regexp.MustCompile(`<meta http-equiv="refresh" content="0; url=https://[a-z0-9-]+\.docs\.example`).Match(
			page.body) ||
		!strings.Contains(string(page.body), `<a class="button primary" href="https://`) {
		t.Errorf("%d %s", page.status, page.body)
	}
}
