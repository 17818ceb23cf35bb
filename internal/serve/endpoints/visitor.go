package endpoints

import (
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
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
	if out && (answer.Status == http.StatusNotAcceptable || answer.Status == http.StatusNotFound ||
		s.signsIn(r, answer)) {
		answer = &dispatch.Answer{Status: http.StatusOK, Body: []byte("You are signed out.\n")}
	}
	if s.refused(w, r, to, answer) {
		return
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

// leads returns where an answer sends a browser; nil is nowhere. It is read as a browser does, which is not as package
// net/url does.
func (s *Server) leads(r *http.Request, answer *dispatch.Answer) *whatwg.Url {
	location := ""
	for _, each := range answer.Header {
		if strings.EqualFold(each[0], "location") {
			location = each[1] // the last one counts, see write
		}
	}
	if location == "" {
		return nil
	}
	to, err := whatwg.ParseRef(s.deps.BaseURL+r.URL.EscapedPath(), httpx.ChosenLocation(location).String())
	if err != nil {
		return nil
	}
	return to
}

// signsIn reports whether an answer begins or ends a sign-in, with a request of OAuth (RFC 6749, 4.1.1) or a token.
// Many scripts know no other answer, and would sign in again who signs out.
func (s *Server) signsIn(r *http.Request, answer *dispatch.Answer) bool {
	to := s.leads(r, answer)
	return to != nil && (to.SearchParams().Has("response_type") || to.SearchParams().Has(audience.TokenParameter))
}

// refused answers in the place of a script that sends a visitor's token elsewhere: to an address on the hosts of this
// server and of the site that is not the site's. Scripts put what a request says behind the address of the site, and
// dots in it lead to whoever has another site here, or an integration.
func (s *Server) refused(w http.ResponseWriter, r *http.Request, to dispatch.Target, answer *dispatch.Answer) bool {
	leads := s.leads(r, answer)
	if leads == nil || to.Site == "" || !leads.SearchParams().Has(audience.TokenParameter) {
		return false
	}
	homes, err := s.deps.Homes(r.Context(), to.Site)
	if err != nil && !errs.Is(err, errs.NotFound) {
		s.fail(w, r, err)
		return true
	}
	foreign := false
	for _, home := range append([]string{s.deps.BaseURL + "/"}, homes...) {
		at, err := whatwg.Parse(home)
		if err != nil || at.Protocol() != leads.Protocol() || at.Host() != leads.Host() {
			continue
		}
		of := slices.Contains(homes, home)
		for _, path := range []string{leads.Pathname(), pathOf(leads.Pathname())} {
			of = of && strings.HasPrefix(path+"/", at.Pathname())
		}
		if of {
			return false
		}
		foreign = true
	}
	if foreign {
		refuse(w, errs.New(errs.Unreachable, "%s sends the token of a visitor to an address that is not of this site. "+
			"Go back to the site and try again.", to.Integration), http.StatusBadGateway)
	}
	return foreign
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
