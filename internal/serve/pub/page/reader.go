package page

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// GrantedCookie is the cookie in which a reader's answer is kept to whether scripts may set cookies: yes or no. Scripts
// of integrations know it by this name.
const GrantedCookie = "__gitbook_cookie_granted"

// Opened notes that somebody read the page at a path of a space. The integrations of the site are told of it, where one
// wants that, later.
func (p *Pages) Opened(r *http.Request, s *scope.Scope, path, pageID string) {
	if s.Preview == nil && s.Inspection == nil {
		p.deps.Search.Opened(pageID, string(s.Space.ID), string(s.Space.Space))
	}
	if !s.Served.Watched || r.Method != http.MethodGet || s.Preview != nil || s.Inspection != nil ||
		strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch") || r.Header.Get("Purpose") == "prefetch" {
		return
	}
	p.deps.Visits.Viewed(visit.Page{Site: s.Served.Site.ID, SiteSpace: s.Space.ID, Space: s.Space.Space, Page: pageID},
		readerOf(r, s, here(r, s)))
}

// readerOf is what a request says of who reads a page at an address.
func readerOf(r *http.Request, s *scope.Scope, address string) visit.Reader {
	reader := visit.Reader{Address: httpx.ClientAddress(r.Context()), UserAgent: r.UserAgent(), URL: address,
		Referrer: r.Referer(), Cookies: map[string]string{}}
	reader.Language, _, _ = strings.Cut(r.Header.Get("Accept-Language"), ",")
	reader.Language, _, _ = strings.Cut(reader.Language, ";")
	// Global Privacy Control is an answer to what nobody has asked yet.
	granted, err := r.Cookie(GrantedCookie)
	reader.Granted = err == nil && granted.Value == "yes" && r.Header.Get("Sec-GPC") != "1"
	if strings.HasPrefix(s.Root, "/sites/") {
		return reader // sites of others are on the same host
	}
	for _, cookie := range r.Cookies() {
		reader.Cookies[cookie.Name] = cookie.Value
	}
	return reader
}

// here is the whole address that a request asks for, without what lets somebody in.
func here(r *http.Request, s *scope.Scope) string {
	query := r.URL.Query()
	for _, secret := range []string{audience.TokenParameter, "ticket"} {
		query.Del(secret)
	}
	address := s.Absolute(r.URL.EscapedPath())
	if encoded := query.Encode(); encoded != "" {
		address += "?" + encoded
	}
	return address
}

// thence is the page that a form was sent from, and that it came from, as far as it is one of this site.
func thence(r *http.Request, s *scope.Scope) string {
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host == "" {
		return s.Address
	}
	return s.Absolute(from.EscapedPath())
}
