// Package web owns the pages of the product itself that people open in a browser: the start page, signing in and out,
// and their account.
//
// It promises that every page works without JavaScript (but what browsers only give to scripts), that no form of
// another site changes anything (http.CrossOriginProtection), that nothing of it is kept by caches or shown in frames,
// and that nothing leads to another site but links, the page on which a member enters an organization, to what that has
// published, and the one on which a person lets a program in, to that program on their own computer. What may be done
// is decided by the domain packages; pages of other areas that sign people in are mounted through Deps.Federation.
//
// A server that has nobody yet is set up by whoever sees what it prints: the page for that asks for the code which
// stands there, is the same for every process, and closes for good once there is an organization or anybody.
//
// A session link (see Server.SessionLink) signs in whoever has it, once, so it is made by nobody but the program that
// serves, for whoever started it and may do everything with its data anyway: no operation and no page makes one. It is
// kept by its hash, in memory alone, and works until it is used, for a day, and never after the program has ended.
// Following it changes nothing: what looks at links before people do, such as a browser that loads ahead or a program
// that checks mails, does not use it up. The page says who one is about to be and asks for one press of a button, whose
// form is refused when it comes from another site; so nobody is signed in as somebody else without seeing it.
package web

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Paths are the patterns below which Server answers, for http.ServeMux.
var Paths = []string{"GET /{$}", "/setup", "/signin", "/signin/", "/signout", "/account", "/account/", "/invites/",
	"/-/", "/app", "/app/", "/oauth/authorize"}

// Deps is what the pages stand on.
type Deps struct {
	Accounts *account.Service
	Sessions *Sessions
	// Choices are further ways to sign in, such as an organization's single sign-on, for a page after which the browser
	// goes to the local path next.
	Choices func(ctx context.Context, next string) ([]Choice, error)
	// Federation makes the handler below /signin/saml/, /signin/oidc/ and /signin/sso. Requests that other sites make
	// reach it, since identity providers send people back with forms, so it has to tell for itself whether it asked for
	// what comes. It signs people in with Sessions.SignIn and refuses with Server.Refuse.
	Federation func(*Server) http.Handler
	// Organizations is what Invites are to.
	Organizations *org.Service
	Invites       *invite.Service
	// Landing says where a member of an organization goes who enters it, with the space or collection that they came
	// for when there is one.
	Landing func(ctx context.Context, caller account.Caller, organization org.Organization,
		target invite.Target) (Landing, error)
	// Identities makes emergency codes for the page about signing in.
	Identities *identity.Service
	// OAuth keeps the programs that people let in.
	OAuth *oauth.Service
	// Issuer is the public address of the server, by which programs know it.
	Issuer string
	// MailReset sends a link to whoever has an address, in the background; nil when the server sends no mail.
	MailReset func(ctx context.Context, email string) error `optional:"no mail server"`
	// Scopes are those that a token may have.
	Scopes []string
	// App has the files of the app that people work in: index.html, and those below assets, of which texts are
	// compressed with gzip and end in .gz.
	App fs.FS
	// Fonts has the files of the font Inter.
	Fonts fs.FS
	// SetupCode is what somebody has to know who sets up a server that has nobody yet; see SetupCode.
	SetupCode string
	// Host is that of the server's public address, with the port that stands there.
	Host string
	// Sites lists the published sites that a visitor may open, who may be signed in or not. Other hosts that lead here,
	// such as one whose owner has not proven it, are told of none.
	Sites func(ctx context.Context, caller account.Caller) (SiteList, error)
	// Drawing sends the files that draw formulas and diagrams on published sites, by their names.
	Drawing func(w http.ResponseWriter, r *http.Request, file string)
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	Log *slog.Logger
}

// Choice is a link on the sign-in page.
type Choice struct {
	// Title is what it says: "Continue with Example SSO".
	Title string
	// URL is the local path that it leads to.
	URL string
}

// Server serves the pages.
type Server struct {
	Deps
	pages   pages
	assets  assets
	links   sessionLinks
	begun   atomic.Bool // the server is set up
	handler http.Handler
}

// New prepares the pages.
func New(deps Deps) (*Server, error) {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Server{Deps: deps}
	var err error
	if s.assets, err = loadAssets(deps.Fonts); err != nil {
		return nil, err
	}
	if s.pages, err = loadPages(s.assets.address); err != nil {
		return nil, err
	}
	s.handler = s.routes()
	return s, nil
}

// routes is every address of the package.
func (s *Server) routes() http.Handler {
	own := http.NewServeMux()
	own.HandleFunc("GET /app/assets/{file}", s.serveAppFile)
	own.HandleFunc("GET /app", s.person(s.appPage))
	own.HandleFunc("GET /app/", s.person(s.appPage))
	own.HandleFunc("GET /-/{file}", s.serveAsset)
	own.HandleFunc("GET /-/drawing/{file}", s.serveDrawing)
	own.HandleFunc("GET /{$}", s.page(s.startPage))
	own.HandleFunc("GET /setup", s.page(s.setupPage))
	own.HandleFunc("POST /setup", s.page(s.setUp))
	own.HandleFunc("GET /signin", s.page(s.signInPage))
	own.HandleFunc("POST /signin", s.page(s.signIn))
	own.HandleFunc("POST /signin/passkey/begin", s.page(s.beginPasskeySignIn))
	own.HandleFunc("POST /signin/passkey/finish", s.page(s.finishPasskeySignIn))
	own.HandleFunc("GET /signin/forgot", s.page(s.forgotPage))
	own.HandleFunc("POST /signin/forgot", s.page(s.forgot))
	own.HandleFunc("GET /signin/link", s.page(s.sessionLinkPage))
	own.HandleFunc("POST /signin/link", s.page(s.useSessionLink))
	own.HandleFunc("GET /signin/password", s.page(s.linkPage))
	own.HandleFunc("POST /signin/password", s.page(s.useLink))
	own.HandleFunc("GET /signout", s.page(s.signOutPage))
	own.HandleFunc("POST /signout", s.page(s.signOut))
	own.HandleFunc("GET /account", s.person(s.profilePage))
	own.HandleFunc("POST /account", s.person(s.changeProfile))
	own.HandleFunc("GET /account/security", s.person(s.securityPage))
	own.HandleFunc("POST /account/emergency-codes/{organization}", s.person(s.makeEmergencyCode))
	own.HandleFunc("POST /account/password", s.person(s.changePassword))
	own.HandleFunc("POST /account/passkeys/begin", s.person(s.beginPasskey))
	own.HandleFunc("POST /account/passkeys/finish", s.person(s.finishPasskey))
	own.HandleFunc("POST /account/passkeys/{passkey}/rename", s.person(s.renamePasskey))
	own.HandleFunc("POST /account/passkeys/{passkey}/remove", s.person(s.removePasskey))
	own.HandleFunc("GET /account/tokens", s.person(s.tokensPage))
	own.HandleFunc("POST /account/tokens", s.person(s.createToken))
	own.HandleFunc("POST /account/tokens/{token}/revoke", s.person(s.revokeToken))
	own.HandleFunc("POST /account/programs/{authorization}/end", s.person(s.endProgram))
	own.HandleFunc("GET /oauth/authorize", s.person(s.authorizePage))
	own.HandleFunc("POST /oauth/authorize", s.person(s.authorize))
	own.HandleFunc("GET /account/sessions", s.person(s.sessionsPage))
	own.HandleFunc("POST /account/sessions/{session}/end", s.person(s.endSession))
	own.HandleFunc("POST /account/sessions/end-others", s.person(s.endOtherSessions))
	own.HandleFunc("GET /invites/{organization}/{invite}", s.page(s.invitePage))
	own.HandleFunc("POST /invites/{organization}/{invite}", s.page(s.acceptInvite))
	own.HandleFunc("POST /invites/{organization}/{invite}/decline", s.page(s.declineInvite))
	own.HandleFunc("GET /account/organizations", s.person(s.organizationsPage))
	own.HandleFunc("GET /account/organizations/{organization}", s.person(s.enter))
	own.HandleFunc("POST /account/organizations/{organization}", s.person(s.acceptEnforced))
	own.HandleFunc("POST /account/organizations/{organization}/invites/{invite}/accept",
		s.person(s.acceptOwnInvite))
	own.HandleFunc("POST /account/organizations/{organization}/invites/{invite}/decline",
		s.person(s.declineOwnInvite))
	own.HandleFunc("/", s.page(func(http.ResponseWriter, *http.Request) error {
		return errs.NotFoundf("There is no page at this address.")
	}))
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Refuse(w, r, errs.Forbiddenf(
			"The form came from another site, so nothing was done. Open the page here and try again."))
	}))
	protected := protection.Handler(own)
	federation := s.Federation(s)
	all := http.NewServeMux()
	for _, path := range []string{"/signin/saml/", "/signin/oidc/", "/signin/sso", "/signin/sso/"} {
		all.Handle(path, federation)
	}
	all.Handle("/", protected)
	return all
}

// ServeHTTP answers every request below Paths.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	httpx.SecurityHeaders{ContentSecurityPolicy: policy, HSTS: s.Sessions.Cookie.Secure}.Set(header)
	// Addresses of one-time links must not leak to where a page leads.
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	s.handler.ServeHTTP(w, r)
}

// policy is the Content-Security-Policy of all pages.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// action answers a request or says why not.
type action func(w http.ResponseWriter, r *http.Request) error

// maxForm bounds the body of a form.
const maxForm = 64 << 10

// page makes a handler of an action that anybody may ask for.
func (s *Server) page(do action) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := do(w, r); err != nil {
			s.Refuse(w, r, err)
		}
	}
}

// person makes a handler of an action for whoever is signed in; others are sent to sign in first.
func (s *Server) person(do func(w http.ResponseWriter, r *http.Request, caller account.Caller) error) http.HandlerFunc {
	return s.page(func(w http.ResponseWriter, r *http.Request) error {
		caller, ok, err := s.Sessions.Caller(w, r)
		if err != nil {
			return err
		}
		if !ok {
			next := afterSignIn
			if r.Method == http.MethodGet {
				next = r.URL.RequestURI()
			}
			redirect(w, signInAddress(next))
			return nil
		}
		return do(w, r, caller)
	})
}

// redirect sends the browser to a local path after a form or a page that it may not see.
func redirect(w http.ResponseWriter, path string) {
	httpx.Redirect(w, http.StatusSeeOther, httpx.LocalLocation(path))
}

// refusal is what the page of an error shows.
type refusal struct {
	Title, Text string
}

// Refuse answers with a page that says what is wrong. Errors that are none of errs are logged and not shown.
func (s *Server) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, shown := http.StatusInternalServerError, refusal{Title: "Something went wrong",
		Text: "The server could not do this. Try again in a moment; its log says more."}
	switch errs.KindOf(err) {
	case errs.Internal:
		if r.Context().Err() != nil {
			return // the client went away
		}
		s.logFailure(r, err)
	case errs.NotFound:
		status, shown = http.StatusNotFound, refusal{Title: "Nothing here", Text: message(err)}
	case errs.Forbidden, errs.Unauthorized:
		status, shown = http.StatusForbidden, refusal{Title: "That is not possible", Text: message(err)}
	case errs.Precondition:
		status, shown = http.StatusForbidden, refusal{Title: "Sign in again", Text: message(err)}
	case errs.TooMany:
		setRetryAfter(w, err)
		status, shown = http.StatusTooManyRequests, refusal{Title: "Too many attempts", Text: message(err)}
	case errs.Unavailable:
		s.logFailure(r, err)
		w.Header().Set("Retry-After", "2")
		status, shown = http.StatusServiceUnavailable, refusal{Title: "Try again in a moment", Text: message(err)}
	default:
		status, shown = http.StatusBadRequest, refusal{Title: "That did not work", Text: message(err)}
	}
	s.render(w, r, status, "refusal", view{Title: shown.Title, Content: shown})
}

// logFailure logs what went wrong with a request and is not shown.
func (s *Server) logFailure(r *http.Request, err error) {
	s.Log.ErrorContext(r.Context(), "page failed", slog.String("path", r.URL.Path),
		slog.String("requestId", httpx.RequestID(r.Context())), slog.Any("error", err))
}

// message returns what an error says to people, without the path of the field that it is about.
func message(err error) string {
	text := err.Error()
	if refused, ok := asRefusal(err); ok {
		text = refused.Message
		if len(refused.Details) > 0 {
			text = strings.TrimPrefix(text, refused.Details[0].Path+": ")
		}
	}
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
