package web

import (
	"net/http"
)

// signInContent is what the sign-in page shows.
type signInContent struct {
	// Next is where the browser goes afterwards.
	Next    string
	Choices []Choice
}

// signInPage asks who somebody is. People who are signed in may sign in again, as themselves or as somebody else.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) error {
	return s.showSignIn(w, r, http.StatusOK, signInContent{Next: LocalPath(r.FormValue("next"))})
}

func (s *Server) showSignIn(w http.ResponseWriter, r *http.Request, status int, content signInContent) error {
	if s.Choices != nil {
		var err error
		if content.Choices, err = s.Choices(r.Context(), content.Next); err != nil {
			return err
		}
	}
	s.render(w, r, status, "signin", view{Title: "Sign in", Content: content})
	return nil
}

// signOutPage asks before it signs out: a link alone must not.
func (s *Server) signOutPage(w http.ResponseWriter, r *http.Request) error {
	_, ok, err := s.Sessions.Caller(w, r)
	if err != nil {
		return err
	}
	if !ok {
		redirect(w, r, "/signin")
		return nil
	}
	s.render(w, r, http.StatusOK, "signout", view{Title: "Sign out"})
	return nil
}

// signOut ends the session.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.Sessions.signOut(w, r); err != nil {
		return err
	}
	redirect(w, r, "/signin")
	return nil
}
