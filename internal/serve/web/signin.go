package web

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// signInContent is what the sign-in page shows.
type signInContent struct {
	// Next is where the browser goes afterwards; Email is what was typed.
	Next, Email string
	// Problem says why it did not work.
	Problem string
	// Again is whom somebody is signed in as who has to sign in again.
	Again    string
	Passkeys bool
	Choices  []Choice
	// Elsewhere says that somebody has just signed out whom an identity provider may still know.
	Elsewhere bool
}

// signedOutOfSSO is the page where sign-out ends for those whom an identity provider has signed in.
const signedOutOfSSO = "/signin?out=sso"

// signInPage asks who somebody is. People who are signed in may sign in again, as themselves or as somebody else.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) error {
	if begun, err := s.isSetUp(r); err != nil {
		return err
	} else if !begun {
		redirect(w, "/setup")
		return nil
	}
	content := signInContent{Next: LocalPath(r.FormValue("next")), Elsewhere: r.FormValue("out") == "sso"}
	caller, ok, err := s.Sessions.Caller(w, r)
	if err != nil {
		return err
	}
	if ok {
		content.Again, content.Email = caller.User.DisplayName, caller.User.Email
	}
	return s.showSignIn(w, r, http.StatusOK, content)
}

func (s *Server) showSignIn(w http.ResponseWriter, r *http.Request, status int, content signInContent) error {
	content.Passkeys = s.Accounts.PasskeysWork()
	var err error
	if content.Choices, err = s.Choices(r.Context(), content.Next); err != nil {
		return err
	}
	s.render(w, r, status, "signin", view{Title: "Sign in", Script: "passkey.js", Content: content})
	return nil
}

// signIn takes an address and a password.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return errs.Wrap(err, errs.Invalid, "The form is not readable or too large.")
	}
	content := signInContent{Next: LocalPath(r.PostForm.Get("next")), Email: strings.TrimSpace(r.PostForm.Get("email"))}
	user, err := s.Accounts.SignInWithPassword(r.Context(), account.PasswordAttempt{
		Email: content.Email, Password: r.PostForm.Get("password"), Address: requester(r),
		Browser: s.Sessions.browser(r),
	})
	switch errs.KindOf(err) {
	case errs.Unauthorized, errs.Forbidden, errs.TooMany, errs.Unavailable:
		content.Problem = message(err)
		setRetryAfter(w, err)
		status := map[errs.Kind]int{errs.Unauthorized: http.StatusUnauthorized, errs.Forbidden: http.StatusForbidden,
			errs.TooMany: http.StatusTooManyRequests, errs.Unavailable: http.StatusServiceUnavailable}
		return s.showSignIn(w, r, status[errs.KindOf(err)], content)
	}
	if err != nil {
		return err
	}
	s.Sessions.remember(w, user)
	return s.Sessions.SignIn(w, r, user, account.ByPassword, content.Next)
}

// requester is where a request comes from, for counting.
func requester(r *http.Request) string {
	if address := httpx.ClientAddress(r.Context()); address.IsValid() {
		return httpx.AddressKey(address)
	}
	return ""
}

// setRetryAfter tells programs how long to wait.
func setRetryAfter(w http.ResponseWriter, err error) {
	if wait, ok := errors.AsType[account.WaitError](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Wait.Seconds()))))
	}
}

// beginPasskeySignIn answers with what the browser's passkeys are asked.
func (s *Server) beginPasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	challenge, err := s.Accounts.BeginPasskeySignIn()
	s.answer(w, r, challenge, err)
	return nil
}

// passkeyAnswer is what a page's script sends: the challenge's state and what the browser answered to it.
type passkeyAnswer struct {
	State  string          `json:"state"`
	Answer json.RawMessage `json:"answer"`
	Next   string          `json:"next"`
	Name   string          `json:"name"`
}

// goOn tells a page's script where to go.
type goOn struct {
	Next string `json:"next"`
}

// finishPasskeySignIn signs in whose passkey it was.
func (s *Server) finishPasskeySignIn(w http.ResponseWriter, r *http.Request) error {
	var in passkeyAnswer
	err := decode(r, &in)
	var user account.Identified
	if err == nil {
		user, err = s.Accounts.SignInWithPasskey(r.Context(), in.State, in.Answer)
	}
	if err == nil {
		s.Sessions.remember(w, user)
		err = s.Sessions.start(w, r, user, account.NewSession{Method: account.ByPasskey})
	}
	s.answer(w, r, goOn{LocalPath(in.Next)}, err)
	return nil
}

// decode reads the JSON that a page's script sends.
func decode(r *http.Request, into any) error {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		return errs.Wrap(err, errs.Invalid, "The request is not readable or too large.")
	}
	return nil
}

// answer sends a page's script its answer or what is wrong.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, value any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		text := "The server could not do this. Try again in a moment."
		status := http.StatusBadRequest
		if errs.KindOf(err) == errs.Internal {
			status = http.StatusInternalServerError
			s.logFailure(r, err)
		} else {
			text = message(err)
		}
		w.WriteHeader(status)
		value = map[string]string{"problem": text}
	}
	_ = json.NewEncoder(w).Encode(value) // the client went away
}

// signOutPage asks before it signs out: a link alone must not.
func (s *Server) signOutPage(w http.ResponseWriter, r *http.Request) error {
	_, ok, err := s.Sessions.Caller(w, r)
	if err != nil {
		return err
	}
	if !ok {
		redirect(w, "/signin")
		return nil
	}
	s.render(w, r, http.StatusOK, "signout", view{Title: "Sign out"})
	return nil
}

// signOut ends the session. That of an identity provider goes on, which people have to know: it lets them in again
// without asking for anything.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	ended, err := s.Sessions.signOut(w, r)
	if err != nil {
		return err
	}
	if ended.Method == account.BySAML || ended.Method == account.ByOIDC {
		redirect(w, signedOutOfSSO)
		return nil
	}
	redirect(w, "/signin")
	return nil
}

// browserName is the cookie by which a browser is known as one in which somebody signed in.
func (s *Sessions) browserName() string {
	if s.Cookie.Secure {
		return "__Host-recto_browser"
	}
	return "recto_browser"
}

// browser returns what a browser is known by.
func (s *Sessions) browser(r *http.Request) string {
	cookie, err := r.Cookie(s.browserName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

// remember lets a browser be known as one in which a user signed in, so that strangers who guess do not keep the user
// out. Whom an organization alone vouches for may be such a stranger.
func (s *Sessions) remember(w http.ResponseWriter, who account.Identified) {
	if who.VouchedBy != "" {
		return
	}
	ticket, lifetime := s.Accounts.BrowserTicket(who.ID)
	http.SetCookie(w, &http.Cookie{
		Name: s.browserName(), Value: ticket, Path: "/", MaxAge: int(lifetime / time.Second), Secure: s.Cookie.Secure,
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// PasswordLinkAddress is where a one-time link with a secret leads on the server at an address.
func PasswordLinkAddress(baseURL, secret string) string {
	return strings.TrimRight(baseURL, "/") + "/signin/password?link=" + url.QueryEscape(secret)
}
