package web

import (
	"net/http"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/errs"
)

// securityContent is what the page about signing in shows.
type securityContent struct {
	account.Methods
	// Fresh says that somebody signed in so lately that they may change all of it.
	Fresh, PasskeysWork bool
	Passkeys            []shownPasskey
	// Suggestion is a name for a new passkey.
	Suggestion string
	// Problem is what was wrong with a password.
	Problem string
}

type shownPasskey struct {
	account.Passkey
	Used string
}

// securityPage shows how somebody signs in.
func (s *Server) securityPage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	return s.showSecurity(w, r, caller, http.StatusOK, "")
}

func (s *Server) showSecurity(w http.ResponseWriter, r *http.Request, caller account.Caller, status int, problem string) error {
	methods, err := s.Accounts.MethodsOf(r.Context(), caller)
	if err != nil {
		return err
	}
	passkeys, err := s.Accounts.ListPasskeys(r.Context(), caller)
	if err != nil {
		return err
	}
	content := securityContent{
		Methods: methods, Fresh: caller.Session.Fresh(s.Now()), PasskeysWork: s.Accounts.PasskeysWork(), Suggestion: device(r.UserAgent()), Problem: problem,
	}
	for _, each := range passkeys {
		shown := shownPasskey{Passkey: each}
		if !each.LastUsedAt.IsZero() {
			shown.Used = ago(s.Now(), each.LastUsedAt)
		}
		content.Passkeys = append(content.Passkeys, shown)
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
		return s.showSecurity(w, r, caller, http.StatusBadRequest, problem(err))
	case errs.TooMany:
		setRetryAfter(w, err)
		return s.showSecurity(w, r, caller, http.StatusTooManyRequests, message(err))
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
	if err := s.Accounts.RenamePasskey(r.Context(), caller, r.PathValue("passkey"), r.PostFormValue("name")); err != nil {
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
