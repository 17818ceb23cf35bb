package app_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// holder is somebody with the addresses that they were given in one session or by one token: opened in browsers of
// their own, and looked up by a program.
type holder struct {
	s    *apptest.Server
	site apptest.Site
	// preview, look and token are an address of a preview and of a look as a visitor, each with its ticket, and a token
	// about the member; read is what a program got for the preview, and inside where that token is asked for.
	preview, look, token, read string
	inside                     string
	browser                    *apptest.Visitor
}

// newHolder asks for all that has a ticket, by what get and ping send.
func newHolder(t *testing.T, s *apptest.Server, site, inside apptest.Site,
	get func(method, path string) []byte) *holder {
	t.Helper()
	h := &holder{s: s, site: site, inside: inside.Home, browser: apptest.NewVisitor(t)}
	var found struct{ URLs struct{ Preview string } }
	decode := func(raw []byte, into any) {
		t.Helper()
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
	}
	decode(get(http.MethodGet, "/v1/spaces/"+site.Space+"/change-requests/1"), &found)
	h.preview = found.URLs.Preview
	decode(get(http.MethodGet, site.Path), &found)
	h.look = found.URLs.Preview
	var member struct{ ServiceVisitorClaims string }
	decode(get(http.MethodPost, "/v1/orgs/"+s.Organization+"/ping"), &member)
	h.token = member.ServiceVisitorClaims
	_, answer := h.lookUp()
	h.read = answer.APIToken
	if h.read == "" || h.token == "" {
		t.Fatalf("a look-up gives %+v, a ping %q", answer, h.token)
	}
	for _, address := range []string{h.preview, h.look, h.inside + "?jwt_token=" + h.token} {
		if status, _, _ := h.browser.Open(address); status != http.StatusOK {
			t.Fatalf("%s: %d", address, status)
		}
	}
	return h
}

func (h *holder) lookUp() (status int, found foundPreview) {
	h.s.T.Helper()
	got := h.s.Raw(http.MethodPost, "/v1/urls/published", "", map[string]any{"url": h.preview,
		"visitor": map[string]any{"type": "human"}})
	_ = json.Unmarshal(got.Body, &found)
	return got.Status, found
}

// holds tries everything that the holder has: in the browser that went in before, in another one with the addresses
// that are known there, and as a program.
func (h *holder) holds(why string, want bool) {
	h.s.T.Helper()
	status := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[want]
	bare, _, _ := strings.Cut(h.preview, "?")
	look, _, _ := strings.Cut(h.look, "?")
	another := apptest.NewVisitor(h.s.T)
	for _, each := range []struct {
		name    string
		browser *apptest.Visitor
		address string
	}{
		{"the preview in the browser that had it open", h.browser, bare},
		{"the look as a visitor in that browser", h.browser, look},
		{"a preview below that look", h.browser, look + "e30/~/changes/1/"},
		{"the site for members in that browser", h.browser, h.inside},
		{"the preview in another browser", another, h.preview},
		{"the look as a visitor in another browser", another, h.look},
		{"the site for members in another browser", another, h.inside + "?jwt_token=" + h.token},
	} {
		got, body, _ := each.browser.Open(each.address)
		if got != status || !want && (strings.Contains(body, "Proposed words") || strings.Contains(body,
			"The whole text")) && !strings.Contains(each.address, "~/visitor") {
			h.s.T.Errorf("%s: %s: %d, want %d", why, each.name, got, status)
		}
	}
	if got, found := h.lookUp(); got != status || (found.APIToken != "") != want {
		h.s.T.Errorf("%s: a look-up: %d, want %d", why, got, status)
	}
	status = map[bool]int{true: http.StatusOK, false: http.StatusUnauthorized}[want]
	if got := h.s.Raw(http.MethodGet, "/v1/spaces/"+h.site.Space, h.read, nil).Status; got != status {
		h.s.T.Errorf("%s: the token of the look-up: %d, want %d", why, got, status)
	}
}

// TestTicketsEndWithWhatTheyCameFrom holds that whoever has an address with a ticket reads by it for as long as the
// session or the token counts that asked for it, and that no other session's end matters.
func TestTicketsEndWithWhatTheyCameFrom(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "share-link", apptest.OnePage)
		site.Propose(`{"operation":"insert_page","title":"New","document":{"markdown":"Proposed words.\n"}}`)
		inside := s.NewSite("Inside", "visitor-auth", apptest.OnePage)
		inside.Adapt(memberRoleSchema)
		inSession := func(b apptest.Browser) *holder {
			return newHolder(t, s, site, inside, func(method, path string) []byte {
				return b.Send(method, path, "", apptest.OwnPage).Body
			})
		}
		withToken := func(token string) *holder {
			return newHolder(t, s, site, inside, func(method, path string) []byte {
				return s.CallAs(token, method, path, nil, http.StatusOK, nil).Body
			})
		}
		first := s.SignedIn()
		second, third := s.BrowserOf(apptest.AdasPassword), s.BrowserOf(apptest.AdasPassword)
		left, other, ended := inSession(first), inSession(second), inSession(third)
		var made, list struct {
			ID, Token string
			Items     []struct {
				ID      string
				Current bool
			}
		}
		s.Call(http.MethodPost, "/v1/user/tokens", `{"name":"robot"}`, http.StatusCreated, &made)
		robot := withToken(made.Token)
		for _, each := range []*holder{left, other, ended, robot} {
			each.holds("before", true)
		}

		if got := first.Send(http.MethodPost, "/signout", "", apptest.FromPage); got.Status != http.StatusOK {
			t.Fatalf("signing out: %d", got.Status)
		}
		left.holds("who has signed out", false)
		// Signing in again is another session: it brings nothing back to who has a copy.
		again := s.BrowserOf(apptest.AdasPassword)
		left.holds("who has signed in again", false)
		other.holds("another session", true)

		if err := json.Unmarshal(third.Send(http.MethodGet, "/v1/user/sessions", "", apptest.OwnPage).Body,
			&list); err != nil {
			t.Fatal(err)
		}
		for _, session := range list.Items {
			if session.Current {
				if got := second.Send(http.MethodDelete, "/v1/user/sessions/"+session.ID, "",
					apptest.OwnPage); got.Status >= 300 {
					t.Fatalf("ending a session: %d %s", got.Status, got.Body)
				}
			}
		}
		ended.holds("a session that was ended from another one", false)

		s.Call(http.MethodDelete, "/v1/user/tokens/"+made.ID, nil, http.StatusNoContent, nil)
		robot.holds("a token that was revoked", false)
		other.holds("another session after that", true)

		// The operator's new password ends all sessions.
		last := inSession(again)
		if _, err := app.SetPassword(t.Context(), s.Storage, "ada@example.org", "another engine",
			slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		other.holds("sessions that the operator has ended", false)
		last.holds("sessions that the operator has ended", false)

		// Who is no member any more has a session, and nothing here.
		_, userID := s.Person(org.RoleRead, "bea@example.org")
		gone := inSession(s.BrowserWith("bea@example.org"))
		s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/members/"+userID, nil, http.StatusResetContent, nil)
		gone.holds("somebody who was removed", false)
	})
}

// TestTicketsThatOpenNothingShowNothingAround holds that the page which says that nothing is there has nothing of a
// space that only previews show: it is not there for whoever has lost them.
func TestTicketsThatOpenNothingShowNothingAround(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "public", apptest.OnePage)
		site.Adapt(`{"type":"object","properties":{"plan":{"type":"string","description":""}},` +
			`"additionalProperties":false}`)
		hidden := s.Space("Hidden")
		s.Call(http.MethodPost, "/v1/spaces/"+hidden+"/content", `{"changes":[{"operation":"insert_page",`+
			`"title":"Secret plans","document":{"markdown":"Not for all.\n"}}]}`, http.StatusOK, nil)
		var variant apptest.Identified
		s.Call(http.MethodPost, site.Path+"/site-spaces", map[string]any{"spaceId": hidden}, http.StatusCreated,
			&variant)
		s.Call(http.MethodPatch, site.Path+"/site-spaces/"+variant.ID,
			`{"path":"hidden","condition":"visitor.claims.plan == \"pro\""}`, http.StatusOK, nil)
		requests := "/v1/spaces/" + hidden + "/change-requests"
		s.Call(http.MethodPost, requests, `{"subject":"More"}`, http.StatusCreated, nil)
		member := s.Member(org.RoleRead, "bea@example.net")
		var change struct{ URLs struct{ Preview string } }
		s.CallAs(member, http.MethodGet, requests+"/1", nil, http.StatusOK, &change)
		browser := apptest.NewVisitor(t)
		if status, body, _ := browser.Open(change.URLs.Preview); status != http.StatusOK ||
			!strings.Contains(body, "Secret plans") {
			t.Fatalf("the preview: %d", status)
		}
		s.Call(http.MethodPatch, "/v1/spaces/"+hidden, `{"defaultLevel":null}`, http.StatusOK, nil)
		bare, _, _ := strings.Cut(change.URLs.Preview, "?")
		for name, address := range map[string]string{"the cookie": bare, "the address": change.URLs.Preview} {
			if status, body, _ := browser.Open(address); status != http.StatusNotFound ||
				strings.Contains(body, "Secret plans") || strings.Contains(body, "Hidden") {
				t.Errorf("%s of who may not read the space any more: %d\n%s", name, status, body)
			}
		}
	})
}

// memberRoleSchema asks for the role of members.
const memberRoleSchema = `{"type":"object","properties":{"member":{"type":"object","description":"",` +
	`"properties":{"role":{"type":"string","description":""}},"additionalProperties":false}},` +
	`"additionalProperties":false}`
