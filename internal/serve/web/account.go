package web

import (
	"net/http"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
)

// done are the messages that a page shows after a form worked, by what its address says.
var done = map[string]string{
	"session":  "That session is signed out.",
	"sessions": "All other sessions are signed out.",
	"profile":  "Your name is changed.",
	"password": "Your password is set. All other sessions are signed out.",
	"passkey":  "The passkey is added.",
	"renamed":  "The passkey has its new name.",
	"removed":  "The passkey is removed.",
	"token":    "The token is revoked.",
	"program":  "The program is signed out.",
	"declined": "The invitation is declined.",
	"entered":  "You are in. There is nothing published to show yet.",
}

// account shows one of the account pages.
func (s *Server) account(w http.ResponseWriter, r *http.Request, caller account.Caller, status int,
	page, title, script string, content any) {
	s.render(w, r, status, page, view{
		Title: title, Caller: &caller, Tab: page, Done: done[r.URL.Query().Get("done")], Script: script,
		Content: content,
	})
}

// profileContent is what the profile page shows.
type profileContent struct{ Name, Problem string }

// profilePage shows who is signed in.
func (s *Server) profilePage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	s.account(w, r, caller, http.StatusOK, "profile", "Profile", "", profileContent{Name: caller.User.DisplayName})
	return nil
}

// changeProfile changes the caller's name.
func (s *Server) changeProfile(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	name := r.PostFormValue("name")
	_, err := s.Accounts.UpdateUser(r.Context(), caller, account.UserChange{DisplayName: optional.Of(name)})
	if errs.Is(err, errs.Invalid) {
		s.account(w, r, caller, http.StatusBadRequest, "profile", "Profile", "",
			profileContent{Name: name, Problem: problem(err)})
		return nil
	}
	if err != nil {
		return err
	}
	redirect(w, "/account?done=profile")
	return nil
}

// shownSession is a session in the list.
type shownSession struct {
	account.Session
	// Device is what the browser calls itself in short; Current is the session that asks.
	Device  string
	Current bool
	// Only is the title of the one organization that it opens; "" for all.
	Only   string
	Seen   string
	Method string
}

// methodNames say how somebody signed in.
var methodNames = map[account.Method]string{
	account.ByPassword: "password", account.ByPasskey: "passkey", account.ByLink: "one-time link",
	account.BySAML: "single sign-on", account.ByOIDC: "single sign-on",
}

// sessionsPage lists where somebody is signed in, the newest first.
func (s *Server) sessionsPage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	sessions, err := s.Accounts.ListSessions(r.Context(), caller, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return err
	}
	content := struct {
		Sessions []shownSession
		Others   int
	}{Others: sessions.Count - 1}
	for _, each := range slices.Backward(sessions.Items) {
		only, err := s.onlyOpens(r.Context(), each.VouchedBy)
		if err != nil {
			return err
		}
		content.Sessions = append(content.Sessions, shownSession{
			Session: each, Only: only, Device: device(each.Agent), Current: each.ID == caller.Session.ID,
			Seen: ago(s.Now(), each.SeenAt), Method: methodNames[each.Method],
		})
	}
	// The one in hand is the one that people look for.
	slices.SortStableFunc(content.Sessions, func(a, b shownSession) int {
		switch {
		case a.Current:
			return -1
		case b.Current:
			return 1
		default:
			return 0
		}
	})
	s.account(w, r, caller, http.StatusOK, "sessions", "Sessions", "", content)
	return nil
}

// endSession signs out one session of the caller's.
func (s *Server) endSession(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	session := r.PathValue("session")
	if err := s.Accounts.EndSessionAs(r.Context(), caller, session); err != nil {
		return err
	}
	if session == caller.Session.ID {
		s.Sessions.Cookie.Clear(w)
		redirect(w, "/signin")
		return nil
	}
	redirect(w, "/account/sessions?done=session")
	return nil
}

// endOtherSessions signs out all sessions but the one that asks.
func (s *Server) endOtherSessions(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if _, err := s.Accounts.EndSessionsBut(r.Context(), caller); err != nil {
		return err
	}
	redirect(w, "/account/sessions?done=sessions")
	return nil
}
