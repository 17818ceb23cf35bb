package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// Sessions puts people's sessions into their browsers.
type Sessions struct {
	Accounts *account.Service
	Cookie   httpx.SessionCookie
}

// Caller returns who is signed in; ok is false when nobody is. It hands the browser a new secret when it is time for
// one.
func (s *Sessions) Caller(w http.ResponseWriter, r *http.Request) (caller account.Caller, ok bool, err error) {
	secret := s.Cookie.Read(r)
	if secret == "" {
		return account.Caller{}, false, nil
	}
	caller, err = s.Accounts.AuthenticateSession(r.Context(), secret)
	if errs.Is(err, errs.Unauthorized) {
		s.Cookie.Clear(w)
		return account.Caller{}, false, nil
	}
	if err != nil {
		return account.Caller{}, false, err
	}
	httpx.ProveBody(r.Context())
	renewed, err := s.Accounts.RenewSession(r.Context(), caller.Session)
	if err != nil {
		return account.Caller{}, false, err
	}
	if renewed != "" {
		s.Cookie.Set(w, renewed, caller.Session.ExpiresAt)
	}
	return caller, true, nil
}

// SignIn signs in who has proved who they are, and sends the browser on to the local path next. A session that the
// browser had ends: who signs in gets a new secret in any case.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request, who account.Identified, method account.Method,
	next string) error {
	return s.SignInUntil(w, r, who, method, time.Time{}, next)
}

// SignInUntil is SignIn for a session that ends at a time, if it would not have ended by then; zero for no such bound.
func (s *Sessions) SignInUntil(w http.ResponseWriter, r *http.Request, who account.Identified, method account.Method,
	until time.Time, next string) error {
	if err := s.start(w, r, who, account.NewSession{Method: method, Until: until}); err != nil {
		return err
	}
	redirect(w, LocalPath(next))
	return nil
}

// start is SignIn without the redirect; it adds to the session who vouches for it, and what the request says of the
// browser.
func (s *Sessions) start(w http.ResponseWriter, r *http.Request, who account.Identified, in account.NewSession) error {
	before := s.Cookie.Read(r)
	in.VouchedBy, in.Through = who.VouchedBy, who.Through
	in.Agent = r.UserAgent()
	if address := httpx.ClientAddress(r.Context()); address.IsValid() {
		in.Address = address.String()
	}
	secret, session, err := s.Accounts.StartSession(r.Context(), who.ID, in)
	if err != nil {
		return err
	}
	s.Cookie.Set(w, secret, session.ExpiresAt)
	_, err = s.end(r, before)
	return err
}

// end ends the session of a secret, if there is one, and returns what it was.
func (s *Sessions) end(r *http.Request, secret string) (account.Session, error) {
	if secret == "" {
		return account.Session{}, nil
	}
	caller, err := s.Accounts.AuthenticateSession(r.Context(), secret)
	if err == nil {
		err = s.Accounts.EndSessionAs(r.Context(), caller, caller.Session.ID)
	}
	if errs.Is(err, errs.Unauthorized) || errs.Is(err, errs.NotFound) {
		return account.Session{}, nil // it is over already
	}
	return caller.Session, err
}

// signOut ends the session of the request's cookie and takes the cookie away.
func (s *Sessions) signOut(w http.ResponseWriter, r *http.Request) (account.Session, error) {
	s.Cookie.Clear(w)
	return s.end(r, s.Cookie.Read(r))
}

// afterSignIn is where people go who wanted nothing else.
const afterSignIn = "/app"

// LocalPath returns a path of this server with its query that a browser may be sent to, and the app for
// everything that could lead elsewhere.
func LocalPath(next string) string {
	// Browsers take a backslash for a slash, and drop control characters before they read an address.
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || len(next) > 2000 || strings.ContainsFunc(next,
		func(c rune) bool { return c < ' ' || c == '\\' || c == 0x7f }) {
		return afterSignIn
	}
	address, err := url.Parse(next)
	if err != nil || address.Scheme != "" || address.Host != "" || address.User != nil ||
		strings.HasPrefix(address.Path, "//") {
		return afterSignIn
	}
	// Signing in must not end in signing out, nor on the page that it began on.
	if first, _, _ := strings.Cut(strings.TrimPrefix(address.Path, "/"), "/"); first == "signin" || first == "signout" {
		return afterSignIn
	}
	return address.String()
}

// signInAddress is the sign-in page from which people come back to a local path.
func signInAddress(next string) string {
	if next = LocalPath(next); next == afterSignIn {
		return "/signin"
	}
	return "/signin?next=" + url.QueryEscape(next)
}

func asRefusal(err error) (*errs.Error, bool) { return errors.AsType[*errs.Error](err) }
