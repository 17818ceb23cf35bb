package orgs_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/mail/mailtest"
)

// masked is an answer without what is never the same twice.
func masked(body []byte, email string) string {
	text := strings.ReplaceAll(string(body), email, "ADDRESS")
	return regexp.MustCompile(`invite_\w+|org_\w+|\d{4}-\d\d-\d\dT[\d:.]+Z`).ReplaceAllString(text, "*")
}

// TestInvitesMakeNobodyAMember walks the story of somebody who wants another's account: an organization of their own,
// an invite to it, single sign-on alone. Who was invited notices an invitation that waits and nothing else.
func TestInvitesMakeNobodyAMember(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		var evil, team apptest.Identified
		victim := s.Member(org.RoleAdmin, "victim@example.org")
		mallory := s.Member(org.RoleAdmin, "mallory@example.net")
		s.CallAs(mallory, http.MethodPost, "/v1/orgs", `{"title":"Evil"}`, http.StatusCreated, &evil)
		organization := "/v1/orgs/" + evil.ID
		s.CallAs(mallory, http.MethodPut, organization+"/teams", `{"title":"Trap"}`, http.StatusCreated, &team)

		// The same answer whether or not the address has an account.
		var answers, lists []string
		for _, email := range []string{"victim@example.org", "nobody@example.org"} {
			body := map[string]any{"emails": []string{email}, "role": "edit", "sso": true}
			answers = append(answers, masked(s.CallAs(mallory, http.MethodPost, organization+"/invites", body,
				http.StatusOK, nil).Body, email))
			s.CallAs(mallory, http.MethodPut, organization+"/teams/"+team.ID+"/members",
				map[string]any{"add": []string{email}}, http.StatusNoContent, nil)
			var list struct{ Items []json.RawMessage }
			s.CallAs(mallory, http.MethodGet, organization+"/invites", nil, http.StatusOK, &list)
			lists = append(lists, masked(list.Items[len(list.Items)-1], email))
		}
		if answers[0] != answers[1] || lists[0] != lists[1] {
			t.Errorf("what is answered tells of accounts:\n%s\n%s\n%s\n%s", answers[0], answers[1], lists[0], lists[1])
		}
		var user apptest.Identified
		s.CallAs(victim, http.MethodGet, "/v1/user", nil, http.StatusOK, &user)
		for _, each := range []struct{ method, path, body string }{
			{http.MethodPost, organization + "/members/" + user.ID + "/sso", ""},
			{http.MethodPut, organization + "/teams/" + team.ID + "/members/" + user.ID, `{"role":"member"}`},
			{http.MethodPatch, organization + "/members/" + user.ID, `{"role":"read"}`},
		} {
			if got := s.Raw(each.method, each.path, mallory, each.body); got.Status != http.StatusNotFound {
				t.Errorf("%s %s answers %d %s", each.method, each.path, got.Status, got.Body)
			}
		}
		var members struct{ Count int }
		s.CallAs(mallory, http.MethodGet, organization+"/members", nil, http.StatusOK, &members)
		if members.Count != 1 {
			t.Errorf("there are %d members", members.Count)
		}
		if titles := s.OrganizationsOf(victim); len(titles) != 1 || titles[0] != "Example" {
			t.Errorf("the victim belongs to %v", titles)
		}
		// Signing in once more accepts nothing.
		b := s.BrowserWith("victim@example.org")
		if titles := s.OrganizationsOf(victim); len(titles) != 1 {
			t.Errorf("signing in has made the victim a member of %v", titles)
		}
		page := b.Send(http.MethodGet, "/account/organizations", "", nil)
		if page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Invitations for you") ||
			!strings.Contains(string(page.Body), "Evil") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		var waiting struct {
			Items []struct {
				ID           string
				Organization struct{ ID, Title string }
			}
		}
		s.CallAs(victim, http.MethodGet, "/v1/user/invites", nil, http.StatusOK, &waiting)
		if len(waiting.Items) != 1 || waiting.Items[0].Organization.Title != "Evil" {
			t.Fatalf("%+v", waiting)
		}
		// Nobody else accepts or declines in their name.
		one := organization + "/invites/" + waiting.Items[0].ID
		s.CallAs(mallory, http.MethodPost, one, nil, http.StatusNotFound, nil)
		s.CallAs(mallory, http.MethodPost, one+"/decline", nil, http.StatusNotFound, nil)
		s.CallAs(victim, http.MethodPost, one+"/decline", nil, http.StatusNoContent, nil)
		var declined apptest.Invite
		s.CallAs(mallory, http.MethodGet, one, nil, http.StatusOK, &declined)
		if declined.State != "declined" {
			t.Errorf("%+v", declined)
		}
		s.CallAs(victim, http.MethodPost, one, nil, http.StatusNotFound, nil)
	})
}

// TestInvitesThroughTheAPI lists, resends, withdraws and accepts invites on a server without a mail server.
func TestInvitesThroughTheAPI(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		organization := "/v1/orgs/" + s.Organization
		made := s.Invite(s.Organization, s.Token, "grace@example.net")
		if made.Object != "email-invite" || made.State != "pending" || made.Delivery != "none" ||
			made.ExpiresAt == "" || made.URLs.Location != s.Base+organization+"/invites/"+made.ID ||
			!strings.HasPrefix(made.URLs.Accept, s.Base+"/invites/"+s.Organization+"/invite_") {
			t.Fatalf("%+v", made)
		}
		second := s.Invite(s.Organization, s.Token, "joan@example.net")
		var list struct {
			Items []apptest.Invite
			Count int
			Next  *struct{ Page string }
		}
		s.Call(http.MethodGet, organization+"/invites?limit=1", nil, http.StatusOK, &list)
		if list.Count != 2 || len(list.Items) != 1 || list.Items[0].ID != made.ID || list.Items[0].URLs.Accept != "" ||
			list.Next == nil {
			t.Fatalf("%+v", list)
		}
		s.Call(http.MethodGet, organization+"/invites?limit=1&page="+list.Next.Page, nil, http.StatusOK, &list)
		if len(list.Items) != 1 || list.Items[0].ID != second.ID {
			t.Fatalf("%+v", list)
		}
		var again apptest.Invite
		one := organization + "/invites/" + made.ID
		s.Call(http.MethodPost, one+"/resend", nil, http.StatusOK, &again)
		if again.ID != made.ID || again.Delivery != "none" || again.URLs.Accept == "" ||
			again.URLs.Accept == made.URLs.Accept {
			t.Errorf("%+v", again)
		}
		if got := s.Raw(http.MethodGet, made.URLs.Accept, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("the link before works: %d", got.Status)
		}
		s.Call(http.MethodDelete, organization+"/invites/"+second.ID, nil, http.StatusNoContent, nil)
		s.Call(http.MethodDelete, organization+"/invites/"+second.ID, nil, http.StatusNotFound, nil)
		if got := s.Raw(http.MethodGet, second.URLs.Accept, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("a withdrawn link works: %d", got.Status)
		}

		// The link that was handed over makes an account, and proves no address.
		b := s.NewBrowser()
		linkPath := strings.TrimPrefix(again.URLs.Accept, s.Base)
		if page := b.Send(http.MethodGet, linkPath, "", nil); page.Status != http.StatusOK ||
			!strings.Contains(string(page.Body), "grace@example.net") {
			t.Fatalf("%d %s", page.Status, page.Body)
		}
		form := func(name, password string) string {
			return url.Values{"name": {name}, "password": {password}}.Encode()
		}
		if page := b.Send(http.MethodPost, linkPath, form("Grace", "grace"),
			apptest.FromPage); page.Status != http.StatusBadRequest || !strings.Contains(string(page.Body),
			"The password has 5") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		if page := b.Send(http.MethodPost, linkPath, form("Grace", apptest.SomebodysPassword),
			apptest.FromPage); page.Status != http.StatusOK || !strings.Contains(string(page.Body), "You are in") {
			t.Fatalf("%d %s", page.Status, page.Body)
		}
		if page := b.Send(http.MethodGet, "/account/organizations", "", nil); !strings.Contains(string(page.Body),
			"Example") || !strings.Contains(string(page.Body), "once your address is proven") {
			t.Errorf("%s", page.Body)
		}
		s.Call(http.MethodGet, one, nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, organization+"/invites", nil, http.StatusOK, &list)
		if list.Count != 0 {
			t.Errorf("%+v", list)
		}
		// Members get no invite.
		var done struct{ Invited int }
		s.Call(http.MethodPost, organization+"/invites", `{"emails":["grace@example.net"]}`, http.StatusOK, &done)
		if done.Invited != 0 {
			t.Errorf("%+v", done)
		}
		// An account with the address is not taken by a link.
		s.Member(org.RoleRead, "known@example.net")
		var other apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Other"}`, http.StatusCreated, &other)
		taken := strings.TrimPrefix(s.Invite(other.ID, s.Token, "known@example.net").URLs.Accept, s.Base)
		if page := s.NewBrowser().Send(http.MethodPost, taken, form("Eve", apptest.SomebodysPassword),
			apptest.FromPage); page.Status != http.StatusConflict || !strings.Contains(string(page.Body),
			"Sign in with it to accept") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		mine := s.BrowserWith("known@example.net")
		if page := mine.Send(http.MethodPost, taken+"/decline", "", apptest.FromPage); page.Status != http.StatusOK ||
			!strings.Contains(string(page.Body), "Declined") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
	})
}

// TestFailingMailShowsInTheList holds that an invite whose message nobody takes does not vanish.
func TestFailingMailShowsInTheList(t *testing.T) {
	away := func(settings *config.Serve) {
		settings.SMTPURL, settings.MailFrom = "smtp://127.0.0.1:1", "Recto <docs@example.org>"
	}
	apptest.OnBothWith(t, away, func(t *testing.T, s *apptest.Server) {
		made := s.Invite(s.Organization, s.Token, "grace@example.net")
		if made.State != "pending" || made.Delivery != "queued" || made.URLs.Accept != "" {
			t.Fatalf("%+v", made)
		}
		for deadline := time.Now().Add(20 * time.Second); made.Delivery == "queued" &&
			time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/invites/"+made.ID, nil, http.StatusOK, &made)
		}
		if made.State != "undelivered" || made.Delivery != "failing" {
			t.Errorf("%+v", made)
		}
		var list struct{ Items []apptest.Invite }
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/invites", nil, http.StatusOK, &list)
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
	apptest.OnBothWith(t, withMail, func(t *testing.T, s *apptest.Server) {
		address := path.Base(t.Name()) + "@resent.example"
		made := s.Invite(s.Organization, s.Token, address)
		var again apptest.Invite
		got := s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/invites/"+made.ID+"/resend", nil, http.StatusOK,
			&again)
		if again.URLs.Accept != "" || strings.Count(string(got.Body), "invite_") != 2 {
			t.Errorf("%s", got.Body)
		}
		secrets := map[string]bool{}
		for _, message := range post.To(t, address, 2) {
			text := strings.NewReplacer("=\r\n", "", "=\n", "", "=3D", "=").Replace(message.Data)
			secrets[regexp.MustCompile(`/invites/org_\w+/invite_[a-z2-7]+`).FindString(text)] = true
		}
		working := 0
		for secret := range secrets {
			if s.Raw(http.MethodGet, secret, "", nil).Status == http.StatusOK {
				working++
			}
		}
		if len(secrets) != 2 || working != 1 {
			t.Errorf("%d links were sent and %d work", len(secrets), working)
		}
		for deadline := time.Now().Add(20 * time.Second); again.Delivery == "queued" &&
			time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/invites/"+made.ID, nil, http.StatusOK, &again)
		}
		if again.Delivery != "sent" || again.State != "pending" {
			t.Errorf("%+v", again)
		}
	})
}

// TestWhoAcceptsLandsOnWhatWasShared follows people from an invitation to the page that was shared with them, in the
// browser.
func TestWhoAcceptsLandsOnWhatWasShared(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		organization := "/v1/orgs/" + s.Organization
		var collection apptest.Identified
		s.Call(http.MethodPost, organization+"/collections", `{"title":"Shelf"}`, http.StatusCreated, &collection)
		shared, other := s.Space("Shared"), s.Space("Other")
		var shelved apptest.Identified
		s.Call(http.MethodPost, organization+"/spaces", map[string]any{"title": "Shelved", "parent": collection.ID},
			http.StatusCreated, &shelved)
		sites := map[string]string{}
		for _, each := range []struct{ name, space, text string }{{"shared", shared, "This was shared."},
			{"first", other, "This comes first."}, {"shelved", shelved.ID, "This is on the shelf."}} {
			s.Upload(each.space, "a.md", []byte("# Start\n\n"+each.text+"\n"))
			var site apptest.Identified
			s.Call(http.MethodPost, organization+"/sites", map[string]any{"title": each.name, "visibility": "public",
				"spaces": []string{each.space}}, http.StatusCreated, &site)
			s.Call(http.MethodPost, organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
			sites[each.name] = site.ID
		}
		// A guest of somewhere else, with an account.
		var elsewhere apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &elsewhere)
		visitor := func(email string) apptest.Browser {
			memberOf(s, elsewhere.ID, email)
			return s.BrowserWith(email)
		}
		link := func(body map[string]any) string {
			var made apptest.Identified
			s.Call(http.MethodPost, organization+"/link-invites", body, http.StatusCreated, &made)
			return "/invites/" + s.Organization + "/" + made.ID
		}
		for _, each := range []struct{ email, path, want string }{
			{"a@else.example", link(map[string]any{"space": shared, "level": "read"}), "This was shared."},
			{"b@else.example", link(map[string]any{"collection": collection.ID, "level": "read"}),
				"This is on the shelf."},
			{"c@else.example", link(map[string]any{"role": "read"}), "Organizations"},
		} {
			b := visitor(each.email)
			if page := b.Send(http.MethodPost, each.path, "", apptest.FromPage); page.Status != http.StatusOK ||
				!strings.Contains(string(page.Body), each.want) {
				t.Errorf("%s lands on %d %s", each.email, page.Status, page.Body)
			}
		}
		s.Call(http.MethodPatch, organization, map[string]any{"defaultContent": map[string]any{"type": "site",
			"site": sites["first"]}}, http.StatusOK, nil)
		b := visitor("d@else.example")
		if page := b.Send(http.MethodPost, link(map[string]any{"role": "read"}), "",
			apptest.FromPage); !strings.Contains(
			string(page.Body), "This comes first.") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		// On a site that asks its visitors for something, the space shows to those whom it was shared with.
		for visibility, email := range map[string]string{"share-link": "g@else.example",
			"visitor-auth": "h@else.example"} {
			closed := s.Space("Closed " + visibility)
			s.Upload(closed, "a.md", []byte("# Start\n\nThis is for a few.\n"))
			var site apptest.Identified
			s.Call(http.MethodPost, organization+"/sites", map[string]any{"title": visibility, "visibility": visibility,
				"spaces": []string{closed}}, http.StatusCreated, &site)
			s.Call(http.MethodPost, organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
			if page := visitor(email).Send(http.MethodPost, link(map[string]any{"space": closed, "level": "read"}), "",
				apptest.FromPage); page.Status != http.StatusOK || !strings.Contains(string(page.Body),
				"This is for a few.") {
				t.Errorf("%s: %d %s", visibility, page.Status, page.Body)
			}
		}
		// From the page of one's own invitations, and by a new account.
		b = visitor("e@else.example")
		invited := s.Invite(s.Organization, s.Token, "e@else.example")
		if page := b.Send(http.MethodPost, "/account/organizations/"+s.Organization+"/invites/"+invited.ID+"/accept",
			"", apptest.FromPage); !strings.Contains(string(page.Body), "This comes first.") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		fresh := strings.TrimPrefix(s.Invite(s.Organization, s.Token, "f@else.example").URLs.Accept, s.Base)
		if page := s.NewBrowser().Send(http.MethodPost, fresh,
			url.Values{"name": {"F"}, "password": {apptest.SomebodysPassword}}.Encode(),
			apptest.FromPage); !strings.Contains(
			string(page.Body), "This comes first.") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		// Nobody is led to a space that they may not read, nor into an organization that they do not belong to.
		if page := b.Send(http.MethodGet, "/account/organizations/"+s.Organization+"?space="+strings.Repeat("x", 20),
			"", nil); !strings.Contains(string(page.Body), "This comes first.") {
			t.Errorf("%d %s", page.Status, page.Body)
		}
		if page := s.BrowserWith("c@else.example").Send(http.MethodGet, "/account/organizations/"+
			strings.Replace(s.Organization, "org_0", "org_1", 1), "", nil); page.Status != http.StatusNotFound {
			t.Errorf("%d", page.Status)
		}
	})
}

// TestLandingOnAnotherHost holds that the page itself leads on where a site has a host of its own.
func TestLandingOnAnotherHost(t *testing.T) {
	s := apptest.OnSQLite(t, func(settings *config.Serve) { settings.SitesDomain = "docs.example" })
	space := s.Space("Shared")
	s.Upload(space, "a.md", []byte("# Start\n\nThis was shared.\n"))
	var site, link apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", map[string]any{"title": "Shared",
		"visibility": "public", "spaces": []string{space}}, http.StatusCreated, &site)
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites/"+site.ID+"/publish", nil, http.StatusOK, nil)
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/link-invites", map[string]any{"space": space, "level": "read"},
		http.StatusCreated, &link)
	var elsewhere apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &elsewhere)
	memberOf(s, elsewhere.ID, "a@else.example")
	page := s.BrowserWith("a@else.example").Send(http.MethodPost, "/invites/"+s.Organization+"/"+link.ID, "",
		apptest.FromPage)
	if page.Status != http.StatusOK ||
		!regexp.MustCompile(`<meta http-equiv="refresh" content="0; url=https://[a-z0-9-]+\.docs\.example`).Match(
			page.Body) ||
		!strings.Contains(string(page.Body), `<a class="button primary" href="https://`) {
		t.Errorf("%d %s", page.Status, page.Body)
	}
}
