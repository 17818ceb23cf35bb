package endpoints

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/dispatch"
)

// Paths below the address of an installation on a site at which its integration signs visitors in and out. The sites
// send them there.
const (
	SignInPath  = "~/visitor"
	SignOutPath = "~/visitor/logout"
)

// visitor lets an integration sign a visitor in or out: mostly by sending them elsewhere, in the end back to the site
// with a token.
func (s *Server) visitor(w http.ResponseWriter, r *http.Request, to dispatch.Target, out bool) {
	wanted := httpx.LocalLocation(r.URL.Query().Get("location")).String()
	location, query, _ := strings.Cut(wanted, "?")
	location = pathOf(location)
	event := dispatch.Event{"type": "fetch_visitor_authentication", "installationId": to.Installation,
		"siteId": to.Site, "location": location}
	if values, err := url.ParseQuery(query); err == nil && len(values) > 0 {
		parameters := map[string]string{}
		for name := range values {
			parameters[name] = values.Get(name)
		}
		event["searchParams"] = parameters
	}
	if out {
		event["action"] = "logout"
	}
	kept := s.cookies(r)
	if len(kept) > 0 {
		event["cookies"] = values(kept)
	}
	answer, err := s.deps.Send(r.Context(), to, event, nil)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if out && (answer.Status == http.StatusNotAcceptable || answer.Status == http.StatusNotFound) {
		answer = &dispatch.Answer{Status: http.StatusOK, Body: []byte("You are signed out.\n")}
	}
	s.keep(w, to, kept, answer)
	// The address may have a token.
	answer.Header = slices.DeleteFunc(answer.Header, func(each [2]string) bool {
		return strings.EqualFold(each[0], "cache-control") || strings.EqualFold(each[0], "referrer-policy")
	})
	answer.Header = append(answer.Header, [2]string{"cache-control", "no-store"},
		[2]string{"referrer-policy", "no-referrer"})
	write(w, r, answer)
}

// pathOf makes a path of a site that a script may put behind the address of the site: it begins with a slash, so that
// it names no other server, and has no dots that lead to another site, nor any that a browser would read as such.
func pathOf(location string) string {
	plain, err := url.PathUnescape(location)
	if err != nil {
		return "/"
	}
	return (&url.URL{Path: path.Clean("/" + strings.ReplaceAll(plain, `\`, "/"))}).EscapedPath()
}
