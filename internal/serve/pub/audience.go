package pub

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
)

// Names of the cookies that a visitor brings: with the secret of a share link, the token and the claims that nobody
// signed.
const (
	shareCookie  = "recto_share"
	tokenCookie  = "recto_visitor"
	claimsCookie = "recto_visitor_public"
)

const (
	// shareLifetime is how long a browser keeps the secret of a share link. The link itself is looked at with every
	// request.
	shareLifetime = 30 * 24 * time.Hour
	// maxCookieLifetime is the longest that browsers keep any cookie.
	maxCookieLifetime = 400 * 24 * time.Hour
)

// request is what is asked of a site: rest is the percent-encoded path below its root, slash says that the root was
// asked for with its slash.
type request struct {
	mount mount
	found *resolved
	rest  string
	slash bool
}

// viewer is who reads a site that they may see.
type viewer struct {
	visitor *edition.Visitor
	// adaptive says that what they get may depend on their claims.
	adaptive bool
	// admitted says that the site is for them. It is false for those who may only see a preview.
	admitted bool
	// inspection is set for a member who looks at the site as a visitor.
	inspection *inspection
}

// visitorOf is what a request brings of whoever sends it.
func (s *Server) visitorOf(r *http.Request, asked request) audience.Visitor {
	v := audience.Visitor{
		Path: asked.rest, Query: r.URL.RawQuery, Keys: cookieValues(r, shareCookie),
		Tokens: cookieValues(r, tokenCookie), Agent: s.excludes(r, asked),
		MayPreview: s.mayPreview(r),
	}
	if cookie, err := r.Cookie(claimsCookie); err == nil {
		v.Unsigned = audience.ReadUnsigned(cookie.Value)
	}
	return v
}

func cookieValues(r *http.Request, name string) []string {
	var values []string
	for _, cookie := range r.CookiesNamed(name) {
		values = append(values, cookie.Value)
	}
	return values
}

// mayPreview returns what tells whether a request has a ticket for the previews of a space; nil where there are none.
func (s *Server) mayPreview(r *http.Request) func(context.Context, site.ServedSpace, audience.Preview) (bool, error) {
	previews := s.deps.Previews
	if previews == nil {
		return nil
	}
	return func(_ context.Context, space site.ServedSpace, _ audience.Preview) (bool, error) {
		_, _, ok := previews.Ticket(r.URL.Query().Get(ticketParameter), space.Space)
		if !ok {
			_, ok = s.previewer(r, space.Space)
		}
		return ok, nil
	}
}

// gate stands before everything that a site sends, and says the verdict of audience.Service.Admit. Who is not let in
// gets no byte of the site, and what they get does not tell a site that is not for them from one that is not there,
// unless the site sends its visitors to sign in. done says that the request is answered. The writer that it returns
// keeps caches from showing one visitor what another one got, and the site is what is there of it for the viewer.
func (s *Server) gate(w http.ResponseWriter, r *http.Request,
	asked request) (_ http.ResponseWriter, shown *resolved, by viewer, done bool, err error) {
	of := asked.found.site.Site
	verdict, err := s.deps.Audiences.Admit(r.Context(), asked.found.site, s.visitorOf(r, asked))
	if err != nil {
		return w, nil, by, false, err
	}
	g := &gate{server: s, r: r, request: asked, verdict: &verdict, now: time.Now()}
	if of.AgentsContext == site.AgentsExcluded && !strings.HasPrefix(asked.rest, "~/assets/") {
		w = response.Before(w, func(header http.Header) { header.Add("Vary", "User-Agent, Signature-Agent") })
	}
	if verdict.Decision == audience.Excluded {
		serveExcluded(w, r)
		return w, nil, by, true, nil
	}
	if verdict.Key != "" {
		g.keepKey(w)
		return w, nil, by, true, nil
	}
	restricted := of.Visibility != site.VisibilityPublic && of.Visibility != site.VisibilityUnlisted
	if restricted || verdict.Adaptive {
		w = &audienceWriter{ResponseWriter: w, restricted: restricted, asset: strings.HasPrefix(asked.rest,
			"~/assets/")}
	}
	if done := g.keepToken(w); done {
		return w, nil, by, true, nil
	}
	if done, err := s.serveInspection(w, r, asked); done || err != nil {
		return w, nil, by, done, err
	}
	if done := g.signInOrOut(w); done {
		return w, nil, by, true, nil
	}
	if verdict.Site == nil {
		return w, nil, by, true, g.refuse(w)
	}
	if verdict.Said {
		if text, ok := audience.WriteUnsigned(verdict.Unsigned); ok {
			g.setCookie(w, claimsCookie, text, time.Time{})
		}
	}
	by = viewer{visitor: s.visitor(&verdict), adaptive: verdict.Adaptive,
		admitted: verdict.Decision == audience.Admitted}
	return w, asked.found.as(verdict.Site, verdict.State), by, false, nil
}

// as returns a site of which only a part is there; the state names it.
func (found *resolved) as(left *site.Served, state string) *resolved {
	if state == "" {
		return found
	}
	part := *found
	part.site, part.state = left, found.state+" part "+state
	return &part
}

// visitor is who has the claims of a verdict. For those of whom no more is known than a token says it is the same one
// with each request.
func (s *Server) visitor(verdict *audience.Verdict) *edition.Visitor {
	if !verdict.Adaptive {
		return edition.Nobody
	}
	if verdict.Identity == "" {
		return edition.NewVisitor(verdict.Claims)
	}
	if kept, ok := s.visitors.Get(verdict.Identity); ok {
		return kept
	}
	made := edition.NewVisitor(verdict.Claims)
	s.visitors.Set(verdict.Identity, made)
	return made
}

// gate is one request at the gate.
type gate struct {
	request
	server  *Server
	r       *http.Request
	verdict *audience.Verdict
	now     time.Time
}

// keepKey answers the address of a share link with a cookie and the address without the secret, so that no log has it
// from here on.
func (g *gate) keepKey(w http.ResponseWriter) {
	if g.found.site.Site.Visibility == site.VisibilityShareLink {
		g.setCookie(w, shareCookie, g.verdict.Key, g.now.Add(shareLifetime))
	}
	g.leave(w, g.found.root+g.verdict.Path, g.r.URL.Query())
}

// keepToken puts the token of an address into a cookie, and takes it out of the address. One that does not count is
// only taken out for those who are in without it.
func (g *gate) keepToken(w http.ResponseWriter) (done bool) {
	if !g.verdict.Brought || g.verdict.Rules == nil ||
		g.verdict.Problem != nil && g.verdict.Decision != audience.Admitted {
		return false
	}
	query := g.r.URL.Query()
	if g.verdict.Problem == nil {
		expires := g.verdict.Token.Expires
		if longest := g.now.Add(maxCookieLifetime); longest.Before(expires) {
			expires = longest
		}
		g.setCookie(w, tokenCookie, query.Get(audience.TokenParameter), expires)
	}
	query.Del(audience.TokenParameter)
	g.leave(w, g.found.root+g.rest, query)
	return true
}

// Paths, below the site's root, at which visitors sign in and out.
const (
	signInPath  = "~/auth/login"
	signOutPath = "~/auth/logout"
)

// signInOrOut answers the addresses for that. They are there for those who are in, and where visitors are sent to sign
// in.
func (g *gate) signInOrOut(w http.ResponseWriter) (done bool) {
	rules := g.verdict.Rules
	if g.rest != signInPath && g.rest != signOutPath || rules == nil ||
		g.verdict.Decision != audience.Admitted && g.verdict.Decision != audience.SignIn {
		return false
	}
	to := httpx.LocalLocation(g.found.root)
	if g.rest == signInPath {
		if rules.FallbackURL == "" {
			return false
		}
		to = httpx.ChosenLocation(audience.SignInAt(rules.FallbackURL,
			httpx.LocalLocation(g.r.URL.Query().Get("location")).String()))
	} else {
		for _, name := range []string{tokenCookie, claimsCookie, shareCookie} {
			g.setCookie(w, name, "", time.Unix(1, 0))
		}
		if rules.LogoutURL != "" {
			to = httpx.ChosenLocation(rules.LogoutURL)
		}
	}
	g.see(w, to)
	return true
}

// refuse answers somebody whom the site is not for.
func (g *gate) refuse(w http.ResponseWriter) error {
	if g.verdict.Decision != audience.SignIn {
		return site.NotServed()
	}
	page := strings.Contains(g.r.Header.Get("Accept"), "text/html")
	if g.verdict.Problem == nil && page {
		g.see(w, httpx.ChosenLocation(g.verdict.SignIn))
		return nil
	}
	// A token that does not count is not answered by asking for another one: the two would never end.
	first, _ := g.found.site.Default()
	return g.server.serveRefusal(w, g.r, g.verdict.Problem, g.verdict.SignIn,
		g.server.themes.Of(g.found.site, first).Words)
}

// setCookie sets a cookie of the site; a zero time makes it one that ends with the browser.
func (g *gate) setCookie(w http.ResponseWriter, name, value string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: g.found.root, Expires: expires, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(g.found.site.Site.PublishedURL, "https://"),
	})
}

// leave sends the browser from an address with a secret to one without.
func (g *gate) leave(w http.ResponseWriter, to string, query url.Values) {
	g.see(w, httpx.LocalLocation(to).WithQuery(query.Encode()))
}

// see answers with another address, which nobody keeps.
func (g *gate) see(w http.ResponseWriter, to httpx.Location) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	httpx.Redirect(w, http.StatusSeeOther, to)
}

// audienceWriter makes an answer one that only its reader's own cache may keep, and asks about before it shows it
// again.
type audienceWriter struct {
	http.ResponseWriter
	// restricted says that the site is not for everybody, asset that the answer is a static file of the program.
	restricted, asset bool
	wrote             bool
}

// WriteHeader sends the header.
func (w *audienceWriter) WriteHeader(status int) {
	if !w.wrote {
		w.wrote = true
		header := w.Header()
		control := header.Get("Cache-Control")
		switch {
		case w.asset:
			header.Set("Cache-Control", strings.Replace(control, "public", "private", 1))
		case control != "no-store":
			header.Set("Cache-Control", "private, no-cache")
		}
		header.Add("Vary", "Cookie")
		if w.restricted {
			header.Set("X-Robots-Tag", "noindex")
			header.Set("Referrer-Policy", "same-origin")
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part of the body.
func (w *audienceWriter) Write(p []byte) (int, error) {
	if !w.wrote {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the writer below, for http.ResponseController.
func (w *audienceWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
