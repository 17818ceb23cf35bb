// Package gate owns what stands before everything that a site sends: it asks audience.Service.Admit who may see the
// site and what of it, and answers with the verdict in the language of HTTP, in cookies, redirects and refusals.
//
// Who is not let in gets no byte of the site, and what they get does not tell a site that is not for them from one that
// is not there. No cache shows one visitor what another one got.
package gate

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/agents"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/page"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
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

// Deps is what a Gate stands on.
type Deps struct {
	Audiences *audience.Service
	// Previews says who may see previews.
	Previews *preview.Service
	Agents   *agents.List
	Themes   *theme.Set
	Pages    *page.Pages
	// Inspect answers for a member who looks at the site as a visitor; done is false for everybody else.
	Inspect func(w http.ResponseWriter, r *http.Request, asked scope.Request) (done bool, err error)
}

// Gate admits visitors to sites. It is safe for use by many goroutines.
type Gate struct {
	deps Deps
}

// New returns a Gate. It panics without what it needs.
func New(deps Deps) *Gate {
	required.Must(deps)
	return &Gate{deps}
}

// VisitorOf is what a request brings of whoever sends it.
func (g *Gate) VisitorOf(r *http.Request, asked scope.Request) audience.Visitor {
	return g.visitor(r, asked, new(scope.Viewer))
}

// visitor is VisitorOf that keeps, for the viewer whom the request may become, which preview they were found to see.
func (g *Gate) visitor(r *http.Request, asked scope.Request, by *scope.Viewer) audience.Visitor {
	v := audience.Visitor{
		Path: asked.Path, Query: r.URL.RawQuery, Keys: cookieValues(r, shareCookie),
		Tokens: cookieValues(r, tokenCookie), Agent: g.excludes(r, asked),
		MayPreview: func(ctx context.Context, space site.ServedSpace, preview audience.Preview) (bool, error) {
			var err error
			by.Previewed, err = g.Preview(r.WithContext(ctx), space.Space, preview)
			return by.Previewed != nil, err
		},
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

// Admit stands before everything that a site sends, and says the verdict of audience.Service.Admit. Who is not let in
// gets no byte of the site, and what they get does not tell a site that is not for them from one that is not there,
// unless the site sends its visitors to sign in. done says that the request is answered. The writer that it returns
// keeps caches from showing one visitor what another one got, and the site is what is there of it for the viewer.
func (g *Gate) Admit(w http.ResponseWriter, r *http.Request,
	asked scope.Request) (_ http.ResponseWriter, shown *scope.Site, by scope.Viewer, done bool, err error) {
	of := asked.Site.Served.Site
	verdict, err := g.deps.Audiences.Admit(r.Context(), asked.Site.Served, g.visitor(r, asked, &by))
	if err != nil {
		return w, nil, by, false, err
	}
	a := &answer{gate: g, r: r, Request: asked, verdict: &verdict, now: time.Now()}
	if of.AgentsContext == site.AgentsExcluded && !strings.HasPrefix(asked.Path, "~/assets/") {
		w = response.Before(w, func(header http.Header) { response.VaryBy(header, "User-Agent, Signature-Agent") })
	}
	if verdict.Decision == audience.Excluded {
		serveExcluded(w, r)
		return w, nil, by, true, nil
	}
	if verdict.Key != "" {
		a.keepKey(w)
		return w, nil, by, true, nil
	}
	restricted := of.Visibility != site.VisibilityPublic && of.Visibility != site.VisibilityUnlisted
	if restricted || verdict.Adaptive {
		w = forOne(w, restricted, strings.HasPrefix(asked.Path, "~/assets/"))
	}
	if done := a.keepToken(w); done {
		return w, nil, by, true, nil
	}
	if done, err := g.deps.Inspect(w, r, asked); done || err != nil {
		return w, nil, by, done, err
	}
	if done := a.signInOrOut(w); done {
		return w, nil, by, true, nil
	}
	if verdict.Site == nil {
		return w, nil, by, true, a.refuse(w)
	}
	if verdict.Said {
		if text, ok := audience.WriteUnsigned(verdict.Unsigned); ok {
			SetCookie(w, a.Site, claimsCookie, text, time.Time{})
		}
	}
	by.Visitor, by.Adaptive, by.Admitted = visitor(&verdict), verdict.Adaptive, verdict.Decision == audience.Admitted
	return w, asked.Site.As(verdict.Site, verdict.State), by, false, nil
}

// visitor is who has the claims of a verdict. For those of whom no more is known than a token says it is the same one
// with each request.
func visitor(verdict *audience.Verdict) *edition.Visitor {
	if !verdict.Adaptive {
		return edition.Nobody
	}
	if verdict.Profile == nil {
		return edition.NewVisitor(verdict.Claims)
	}
	if kept, ok := verdict.Profile.Kept().(*edition.Visitor); ok {
		return kept
	}
	made := edition.NewVisitor(verdict.Claims)
	verdict.Profile.Keep(made)
	return made
}

// answer is one request at the gate.
type answer struct {
	scope.Request
	gate    *Gate
	r       *http.Request
	verdict *audience.Verdict
	now     time.Time
}

// keepKey answers the address of a share link with a cookie and the address without the secret, so that no log has it
// from here on.
func (a *answer) keepKey(w http.ResponseWriter) {
	if a.Site.Served.Site.Visibility == site.VisibilityShareLink {
		SetCookie(w, a.Site, shareCookie, a.verdict.Key, a.now.Add(shareLifetime))
	}
	DropSecret(w, a.Site.Root+a.verdict.Path, a.r.URL.Query())
}

// keepToken puts the token of an address into a cookie, and takes it out of the address. One that does not count is
// only taken out for those who are in without it: it may be one of another site, which no script of this one may read.
func (a *answer) keepToken(w http.ResponseWriter) (done bool) {
	counts := a.verdict.Rules != nil && a.verdict.Problem == nil
	if !a.verdict.Brought || !counts && a.verdict.Decision != audience.Admitted {
		return false
	}
	query := a.r.URL.Query()
	if counts {
		expires := a.verdict.Token.Expires
		if longest := a.now.Add(maxCookieLifetime); longest.Before(expires) {
			expires = longest
		}
		SetCookie(w, a.Site, tokenCookie, query.Get(audience.TokenParameter), expires)
	}
	query.Del(audience.TokenParameter)
	DropSecret(w, a.Site.Root+a.Path, query)
	return true
}

// signInOrOut answers the addresses for that. They are there for those who are in, and where visitors are sent to sign
// in.
func (a *answer) signInOrOut(w http.ResponseWriter) (done bool) {
	rules := a.verdict.Rules
	if a.Path != scope.SignInPath && a.Path != scope.SignOutPath || rules == nil ||
		a.verdict.Decision != audience.Admitted && a.verdict.Decision != audience.SignIn {
		return false
	}
	to := httpx.LocalLocation(a.Site.Root)
	if a.Path == scope.SignInPath {
		if rules.FallbackURL == "" {
			return false
		}
		to = httpx.ChosenLocation(audience.SignInAt(rules.FallbackURL,
			httpx.LocalLocation(a.r.URL.Query().Get("location")).String()))
	} else {
		for _, name := range []string{tokenCookie, claimsCookie, shareCookie} {
			SetCookie(w, a.Site, name, "", time.Unix(1, 0))
		}
		if rules.LogoutURL != "" {
			to = httpx.ChosenLocation(rules.LogoutURL)
		}
	}
	SeeOther(w, to)
	return true
}

// refuse answers somebody whom the site is not for.
func (a *answer) refuse(w http.ResponseWriter) error {
	if a.verdict.Decision != audience.SignIn {
		return site.NotServed()
	}
	page := strings.Contains(a.r.Header.Get("Accept"), "text/html")
	if a.verdict.Problem == nil && page {
		SeeOther(w, httpx.ChosenLocation(a.verdict.SignIn))
		return nil
	}
	// A token that does not count is not answered by asking for another one: the two would never end.
	first, _ := a.Site.Served.Default()
	return a.gate.deps.Pages.ServeRefusal(w, a.r, a.verdict.Problem, a.verdict.SignIn,
		a.gate.deps.Themes.Of(a.Site.Served, first).Words)
}

// SetCookie sets a cookie of the site; a zero time makes it one that ends with the browser.
func SetCookie(w http.ResponseWriter, on *scope.Site, name, value string, expires time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: on.Root, Expires: expires, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(on.Served.Site.PublishedURL, "https://"),
	})
}

// DropSecret sends the browser from an address with a secret to one without.
func DropSecret(w http.ResponseWriter, to string, query url.Values) {
	SeeOther(w, httpx.LocalLocation(to).WithQuery(query.Encode()))
}

// SeeOther answers with another address, which nobody keeps.
func SeeOther(w http.ResponseWriter, to httpx.Location) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	httpx.Redirect(w, http.StatusSeeOther, to)
}

// forOne makes an answer one that only its reader's own cache may keep, and asks about before it shows it again.
// restricted says that the site is not for everybody, asset that the answer is a static file of the program.
func forOne(w http.ResponseWriter, restricted, asset bool) http.ResponseWriter {
	return response.Before(w, func(header http.Header) {
		control := header.Get("Cache-Control")
		switch {
		case asset:
			response.Replace(header, "Cache-Control", strings.Replace(control, "public", "private", 1))
		case control != "no-store":
			response.Replace(header, "Cache-Control", "private, no-cache")
		}
		response.VaryBy(header, "Cookie")
		if restricted {
			header.Set("X-Robots-Tag", "noindex")
			header.Set("Referrer-Policy", "same-origin")
		}
	})
}
