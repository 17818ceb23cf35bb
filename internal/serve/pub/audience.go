package pub

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
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
	// maxTried bounds how many cookies of one name are looked at: those of paths above may be somebody else's.
	maxTried = 4
)

// request is what is asked of a site: rest is the percent-encoded path below its root, slash says that the root was
// asked for with its slash.
type request struct {
	mount mount
	found *resolved
	rest  string
	slash bool
}

// sight is what the gate has found out about who asks.
type sight struct {
	visitor *edition.Visitor
	// adaptive says that what they get may depend on their claims.
	adaptive bool
	// admitted says that the site is for them. It is false for those who may only see a preview.
	admitted bool
	// opened are conditions that do not count, for a member who sees a preview.
	opened []string
	// only are the spaces of the site that there are, for somebody who is not admitted, and for a member whom their
	// membership lets in; nil for all.
	only map[string]bool
	// inspection is set for a member who looks at the site as a visitor.
	inspection *inspection
}

// rules loads what a site goes by when it meets a visitor; nil for a site that asks nothing about them.
func (s *Server) rules(ctx context.Context, of site.Site) (*audience.Rules, error) {
	if s.deps.Audiences == nil || of.Visibility != site.VisibilityVisitorAuth && !of.AdaptiveContent {
		return nil, nil
	}
	return s.deps.Audiences.Rules(ctx, of)
}

// gate stands before everything that a site sends. Who is not let in gets no byte of it, and what they get does not
// tell a site that is not for them from one that is not there, unless the site sends its visitors to sign in. done says
// that the request is answered. The writer that it returns keeps caches from showing one visitor what another one got.
func (s *Server) gate(w http.ResponseWriter, r *http.Request,
	asked request) (_ http.ResponseWriter, seen sight, done bool, err error) {
	served := asked.found.site.Site
	g := &gate{server: s, r: r, request: asked, now: time.Now()}
	seen = sight{visitor: edition.Nobody}
	excluded := s.excludes(r, asked)
	restricted := served.Visibility != site.VisibilityPublic && served.Visibility != site.VisibilityUnlisted
	if served.AgentsContext == site.AgentsExcluded && !strings.HasPrefix(asked.rest, "~/assets/") {
		w = response.Before(w, func(header http.Header) { header.Add("Vary", "User-Agent, Signature-Agent") })
	}
	if excluded && !restricted {
		serveExcluded(w, r)
		return w, seen, true, nil
	}
	if s.deps.Audiences != nil {
		if done, err := g.openLink(w); done || err != nil {
			return w, seen, done, err
		}
	}
	rules := asked.found.rules
	seen.adaptive = rules != nil && served.AdaptiveContent && rules.Schema != nil
	if restricted || seen.adaptive {
		w = &audienceWriter{ResponseWriter: w, restricted: restricted, asset: strings.HasPrefix(asked.rest,
			"~/assets/")}
	}
	if err := g.readToken(); err != nil {
		return w, seen, false, err
	}
	if seen.admitted, err = g.admits(); err != nil {
		return w, seen, false, err
	}
	if excluded && seen.admitted {
		serveExcluded(w, r)
		return w, seen, true, nil
	}
	if excluded {
		return w, seen, true, g.refuse(w) // who is not let in does not learn what else there is
	}
	if done := g.takeToken(w, seen.admitted); done {
		return w, seen, true, nil
	}
	if done, err := s.serveInspection(w, r, asked); done || err != nil {
		return w, seen, done, err
	}
	if done := g.signInOrOut(w, seen.admitted); done {
		return w, seen, true, nil
	}
	space, conditions, previews := s.mayPreview(r, asked)
	if !seen.admitted && !previews {
		return w, seen, true, g.refuse(w)
	}
	if served.Visibility == site.VisibilityVisitorAuth {
		seen.only = g.readable
	}
	if previews {
		seen.opened = conditions
		if !seen.admitted {
			seen.only = map[string]bool{space: true}
		}
	}
	if seen.adaptive {
		switch unsigned := g.unsigned(w); {
		case unsigned != nil:
			seen.visitor = edition.NewVisitor(rules.Schema.Visitor(g.token, unsigned))
		case g.known != nil:
			seen.visitor = g.known.visitor()
		default:
			seen.visitor = edition.NewVisitor(rules.Schema.Visitor(audience.Token{}, nil))
		}
	}
	return w, seen, false, nil
}

// gate is one request at the gate.
type gate struct {
	request
	server *Server
	r      *http.Request
	now    time.Time

	// token is the visitor's, if signed is true; problem is what is wrong with the one in the address.
	token   audience.Token
	signed  bool
	problem error
	// readable are the spaces that a member may read whose token it is; nil for other visitors.
	readable map[string]bool
	// known is what the token has been found to say; nil without one.
	known *knownToken
}

// knownToken is a token that counts until it expires or the site changes, so that it is not read again with each
// request.
type knownToken struct {
	token audience.Token
	// visitor is who has it, if they say nothing of themselves.
	visitor func() *edition.Visitor
}

// openLink answers the address of a share link with a cookie and the address without the secret. Anything else that
// looks like one is left to the site.
func (g *gate) openLink(w http.ResponseWriter) (done bool, err error) {
	secret, below, _ := strings.Cut(g.rest, "/")
	if !audience.IsToken(secret) {
		return false, nil
	}
	// From here on no log has it, whether it opens anything or not.
	in, err := g.server.deps.Audiences.Admit(g.r.Context(), g.found.site.Site.ID, secret)
	if !in || err != nil {
		return false, err
	}
	if g.found.site.Site.Visibility == site.VisibilityShareLink {
		g.setCookie(w, shareCookie, secret, g.now.Add(shareLifetime))
	}
	g.leave(w, g.found.root+below, g.r.URL.Query())
	return true, nil
}

// takeToken puts the token of an address into a cookie, and takes it out of the address. One that does not count is
// only taken out for those who are in without it.
func (g *gate) takeToken(w http.ResponseWriter, admitted bool) (done bool) {
	if g.found.rules == nil || g.r.URL.RawQuery == "" {
		return false
	}
	query := g.r.URL.Query()
	if !query.Has(audience.TokenParameter) {
		return false
	}
	text := query.Get(audience.TokenParameter)
	token, err := g.found.rules.Verify(text, g.now)
	if err != nil && !admitted {
		g.problem = err
		return false
	}
	if err == nil {
		g.setCookie(w, tokenCookie, text, earlier(token.Expires, g.now.Add(maxCookieLifetime)))
	}
	query.Del(audience.TokenParameter)
	g.leave(w, g.found.root+g.rest, query)
	return true
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// readToken finds the visitor's token among the cookies. Whether a member still is one is asked each time.
func (g *gate) readToken() error {
	if g.found.rules == nil {
		return nil
	}
	for i, cookie := range g.r.CookiesNamed(tokenCookie) {
		if i == maxTried {
			return nil
		}
		known := g.know(cookie.Value)
		if known == nil {
			continue
		}
		readable, err := g.server.deps.Audiences.Readable(g.r.Context(), known.token, g.found.site)
		if errs.Is(err, errs.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		g.known, g.token, g.signed, g.readable = known, known.token, true, readable
		return nil
	}
	return nil
}

// know checks a token, nil for one that does not count.
func (g *gate) know(text string) *knownToken {
	if len(text) > audience.MaxToken {
		return nil
	}
	served := g.found.site.Site
	key := served.ID + strconv.FormatInt(served.UpdatedAt.UnixMicro(), 36) + " " + text
	if kept, ok := g.server.tokens.Get(key); ok && g.now.Before(kept.token.Expires) {
		return kept
	}
	token, err := g.found.rules.Verify(text, g.now)
	if err != nil {
		return nil
	}
	schema := g.found.rules.Schema
	made := &knownToken{token: token, visitor: sync.OnceValue(func() *edition.Visitor {
		return edition.NewVisitor(schema.Visitor(token, nil))
	})}
	g.server.tokens.Set(key, made)
	return made
}

// admits reports whether the site is for whoever asks. Nobody is let in by anything that is not named here.
func (g *gate) admits() (bool, error) {
	switch g.found.site.Site.Visibility {
	case site.VisibilityPublic, site.VisibilityUnlisted:
		return true, nil
	case site.VisibilityVisitorAuth:
		return g.signed, nil
	case site.VisibilityShareLink:
		if g.server.deps.Audiences == nil {
			return false, nil
		}
		for i, cookie := range g.r.CookiesNamed(shareCookie) {
			if i == maxTried {
				break
			}
			if in, err := g.server.deps.Audiences.Admit(g.r.Context(), g.found.site.Site.ID, cookie.Value); in ||
				err != nil {
				return in, err
			}
		}
	}
	return false, nil
}

// unsigned are the claims that the visitor makes up: those of the cookie, and over them those of the address, which the
// cookie then has too.
func (g *gate) unsigned(w http.ResponseWriter) map[string]any {
	var claims map[string]any
	if cookie, err := g.r.Cookie(claimsCookie); err == nil {
		claims = audience.ReadUnsigned(cookie.Value)
	}
	if g.r.URL.RawQuery == "" {
		return claims
	}
	said, found := g.found.rules.Schema.QueryClaims(g.r.URL.Query())
	if !found || len(said) == 0 {
		return claims
	}
	claims = audience.Merge(claims, said)
	if text, ok := audience.WriteUnsigned(claims); ok {
		g.setCookie(w, claimsCookie, text, time.Time{})
	}
	return claims
}

// Paths, below the site's root, at which visitors sign in and out.
const (
	signInPath  = "~/auth/login"
	signOutPath = "~/auth/logout"
)

// signInOrOut answers the addresses for that. They are there for those who are in, and where visitors are sent to sign
// in.
func (g *gate) signInOrOut(w http.ResponseWriter, admitted bool) (done bool) {
	if g.rest != signInPath && g.rest != signOutPath || g.found.rules == nil || !admitted &&
		g.found.rules.FallbackURL == "" {
		return false
	}
	rules := g.found.rules
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
	rules := g.found.rules
	if g.found.site.Site.Visibility != site.VisibilityVisitorAuth || rules == nil || rules.FallbackURL == "" {
		return site.NotServed()
	}
	query := g.r.URL.Query()
	query.Del(audience.TokenParameter)
	to := audience.SignInAt(rules.FallbackURL, httpx.LocalLocation(g.rest).WithQuery(query.Encode()).String())
	page := strings.Contains(g.r.Header.Get("Accept"), "text/html")
	if g.problem == nil && page {
		g.see(w, httpx.ChosenLocation(to))
		return nil
	}
	// A token that does not count is not answered by asking for another one: the two would never end.
	first, _ := g.found.site.Default()
	return g.server.serveRefusal(w, g.r, g.problem, to, g.server.themes.Of(g.found.site, first).Words)
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

// narrow returns a site as the visitor sees it: without the sections and variants whose conditions do not hold. What is
// left is part of the state, so that those who see the same structure share pages.
// Opened conditions count as met.
func (found *resolved) narrow(visitor *edition.Visitor, opened []string) *resolved {
	var outcomes strings.Builder
	asked := map[string]bool{}
	visible := found.site.Visible(func(condition string) bool {
		holds, known := asked[condition]
		if !known {
			holds = slices.Contains(opened, condition) || visitor.Meets(condition)
			asked[condition] = holds
			outcomes.WriteString(strconv.FormatBool(holds) + condition + "\x00")
		}
		return holds
	})
	if outcomes.Len() == 0 {
		return found
	}
	narrowed := *found
	narrowed.site, narrowed.state = visible, found.state+" for "+edition.ShortKey(outcomes.String())
	return &narrowed
}
