package web

import (
	"net/http"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
)

// securityContent is what the page about signing in shows.
type securityContent struct {
	account.Methods
	// Password says that there is one.
	Password bool
	// Fresh says that somebody signed in so lately that they may change all of it.
	Fresh, PasskeysWork bool
	Passkeys            []shownPasskey
	// Suggestion is a name for a new passkey.
	Suggestion string
	// Problem is what was wrong with a password.
	Problem string
	// Emergencies are the organizations that let the caller in by an emergency code.
	Emergencies []shownEmergency

	madeFor id.Organization
	made    string // the organization whose emergency code was just made, and the code
}

type shownPasskey struct {
	account.Passkey
	Used string
}

// securityPage shows how somebody signs in.
func (s *Server) securityPage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	return s.showSecurity(w, r, caller, http.StatusOK, securityContent{})
}

// showSecurity shows the page with what content says already.
func (s *Server) showSecurity(w http.ResponseWriter, r *http.Request, caller account.Caller, status int,
	content securityContent) error {
	var err error
	if content.Methods, err = s.Accounts.MethodsOf(r.Context(), caller); err != nil {
		return err
	}
	content.Password = !content.PasswordChangedAt.IsZero()
	passkeys, err := s.Accounts.ListPasskeys(r.Context(), caller)
	if err != nil {
		return err
	}
	content.Fresh, content.PasskeysWork, content.Suggestion = caller.Session.Fresh(s.Now()), s.Accounts.PasskeysWork(),
		device(r.UserAgent())
	for _, each := range passkeys {
		content.Passkeys = append(content.Passkeys, shownPasskey{Passkey: each, Used: used(s.Now(), each.LastUsedAt)})
	}
	if content.Emergencies, err = s.emergencies(r, caller, content.madeFor, content.made); err != nil {
		return err
	}
	s.account(w, r, caller, status, "security", "Password and passkeys", "passkey.js", content)
	return nil
}

// again sends somebody to sign in again who did so too long ago, and passes other errors on.
func again(w http.ResponseWriter, r *http.Request, page string, err error) error {
	if errs.Is(err, errs.Precondition) {
		redirect(w, signInAddress(page))
		return nil
	}
	return err
}

// changePassword sets the caller's password.
func (s *Server) changePassword(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	err := s.Accounts.SetPassword(r.Context(), caller, r.PostFormValue("current"), r.PostFormValue("password"))
	switch errs.KindOf(err) {
	case errs.Invalid:
		return s.showSecurity(w, r, caller, http.StatusBadRequest, securityContent{Problem: problem(err)})
	case errs.TooMany:
		setRetryAfter(w, err)
		return s.showSecurity(w, r, caller, http.StatusTooManyRequests, securityContent{Problem: message(err)})
	}
	if err != nil {
		return again(w, r, "/account/security", err)
	}
	redirect(w, "/account/security?done=password")
	return nil
}

// beginPasskey answers with what the browser needs to make a passkey.
func (s *Server) beginPasskey(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	challenge, err := s.Accounts.BeginPasskey(r.Context(), caller)
	s.answer(w, r, challenge, err)
	return nil
}

// finishPasskey keeps a passkey that the browser has made.
func (s *Server) finishPasskey(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	var in passkeyAnswer
	err := decode(r, &in)
	if err == nil {
		_, err = s.Accounts.AddPasskey(r.Context(), caller, in.Name, in.State, in.Answer)
	}
	s.answer(w, r, goOn{"/account/security?done=passkey"}, err)
	return nil
}

// renamePasskey gives a passkey another name.
func (s *Server) renamePasskey(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := s.Accounts.RenamePasskey(r.Context(), caller, r.PathValue("passkey"),
		r.PostFormValue("name")); err != nil {
		return err
	}
	redirect(w, "/account/security?done=renamed")
	return nil
}

// removePasskey removes a passkey.
func (s *Server) removePasskey(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := s.Accounts.RemovePasskey(r.Context(), caller, r.PathValue("passkey")); err != nil {
		return again(w, r, "/account/security", err)
	}
	redirect(w, "/account/security?done=removed")
	return nil
}
