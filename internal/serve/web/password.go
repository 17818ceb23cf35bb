package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// forgotContent is what the page for people without their password shows.
type forgotContent struct {
	Mails, Sent    bool
	Email, Problem string
}

// forgotPage asks for an address, or says whom to ask when the server sends no mail.
func (s *Server) forgotPage(w http.ResponseWriter, r *http.Request) error {
	s.showForgot(w, r, http.StatusOK, forgotContent{})
	return nil
}

func (s *Server) showForgot(w http.ResponseWriter, r *http.Request, status int, content forgotContent) {
	content.Mails = s.MailReset != nil
	s.render(w, r, status, "forgot", view{Title: "Set a new password", Content: content})
}

// forgot mails a link. The answer is the same whether somebody has the address or not.
func (s *Server) forgot(w http.ResponseWriter, r *http.Request) error {
	if s.MailReset == nil {
		return errs.NotFoundf("This server sends no mail.")
	}
	email, err := account.CheckEmail("email", r.PostFormValue("email"))
	if err == nil {
		err = s.Accounts.CountReset(r.Context(), email, requester(r))
	}
	content := forgotContent{Email: strings.TrimSpace(r.PostFormValue("email"))}
	if errs.Is(err, errs.Invalid) || errs.Is(err, errs.TooMany) {
		status := http.StatusBadRequest
		if errs.Is(err, errs.TooMany) {
			status = http.StatusTooManyRequests
			setRetryAfter(w, err)
		}
		content.Problem = problem(err)
		s.showForgot(w, r, status, content)
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.MailReset(r.Context(), email); err != nil {
		return err
	}
	content.Sent = true
	s.showForgot(w, r, http.StatusOK, content)
	return nil
}

// problem is message for a form with one field: "Your password has 5 characters; at least 8 are needed."
func problem(err error) string {
	refused, ok := asRefusal(err)
	if !ok || len(refused.Details) == 0 {
		return message(err)
	}
	names := map[string]string{"password": "The password", "current": "What you typed", "email": "What you typed",
		"name": "The name", "displayName": "The name", "expiresAt": "The expiry", "scopes": "The list of scopes"}
	name, ok := names[refused.Details[0].Path]
	if !ok {
		return message(err)
	}
	return name + " " + refused.Details[0].Message + "."
}

// linkContent is what the page of a one-time link shows.
type linkContent struct {
	Link, Name, Email, Problem string
	// Tokens and Passkeys are what lets somebody in beside the password, and stays unless EndRest is ticked.
	Tokens   []shownToken
	Passkeys []shownPasskey
	EndRest  bool
}

// linkPage asks whom a one-time link is for to set a password. It leaves the link as it is.
func (s *Server) linkPage(w http.ResponseWriter, r *http.Request) error {
	return s.showLink(w, r, http.StatusOK, linkContent{Link: r.FormValue("link")})
}

func (s *Server) showLink(w http.ResponseWriter, r *http.Request, status int, content linkContent) error {
	user, err := s.Accounts.LinkUser(r.Context(), content.Link)
	if err != nil {
		return err
	}
	rest, err := s.Accounts.RestOf(r.Context(), user)
	if err != nil {
		return err
	}
	content.Name, content.Email = user.DisplayName, user.Email
	for _, each := range rest.Tokens {
		content.Tokens = append(content.Tokens, shownToken{Token: each, Used: used(s.Now(), each.LastUsedAt)})
	}
	for _, each := range rest.Passkeys {
		content.Passkeys = append(content.Passkeys, shownPasskey{Passkey: each, Used: used(s.Now(), each.LastUsedAt)})
	}
	s.render(w, r, status, "link", view{Title: "Set your password", Content: content})
	return nil
}

// used says when something was last used.
func used(now, at time.Time) string {
	if at.IsZero() {
		return "never used"
	}
	return "used " + ago(now, at)
}

// useLink sets the password of a link's user and signs them in.
func (s *Server) useLink(w http.ResponseWriter, r *http.Request) error {
	content := linkContent{Link: r.PostFormValue("link"), EndRest: r.PostFormValue("end") != ""}
	user, err := s.Accounts.UsePasswordLink(r.Context(), content.Link, r.PostFormValue("password"), content.EndRest)
	if errs.Is(err, errs.Invalid) {
		content.Problem = problem(err)
		return s.showLink(w, r, http.StatusBadRequest, content)
	}
	if err != nil {
		return err
	}
	s.Sessions.remember(w, account.Identified{User: user})
	return s.Sessions.SignIn(w, r, account.Identified{User: user}, account.ByLink, afterSignIn)
}

// ResetMail is the message to somebody who has forgotten their password at the server at an address.
func ResetMail(baseURL string, link account.PasswordLink) mail.Message {
	return mail.Message{
		To:      link.User.Email,
		Subject: "Set a new password for Recto",
		Text: fmt.Sprintf(`Hello %s,

somebody asked to set a new password for you at %s. If it was you, follow this link until %s:

%s

It works once. If it was not you, there is nothing to do: your password stays as it is.
`, link.User.DisplayName, baseURL, link.ExpiresAt.UTC().Format("15:04 UTC on "+dateFormat),
			PasswordLinkAddress(baseURL, link.Secret)),
	}
}

// dateFormat is how days are written.
const dateFormat = "2 January 2006"

// date writes a day for people.
func date(t time.Time) string { return t.UTC().Format(dateFormat) }
