package web

import (
	"net/http"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/org"
)

// inviteContent is what the page of an invitation shows.
type inviteContent struct {
	org.Offer
	// Caller is who is signed in; the zero User for nobody.
	Caller account.User
	// Fits says that the invitation is for whoever is signed in.
	Fits bool
	// SignIn is the sign-in page from which people come back here.
	SignIn string
	// Name is what was typed, Problem what is wrong with it.
	Name, Problem string
}

// Register says whether the page asks for a name and makes an account.
func (c inviteContent) Register() bool {
	return c.Caller.ID == "" && c.Email != "" && !c.Known && !c.SSO
}

// offerOf reads the invitation of a request's address.
func (s *Server) offerOf(w http.ResponseWriter, r *http.Request) (inviteContent, account.Caller, error) {
	content := inviteContent{SignIn: signInAddress(r.URL.Path)}
	var err error
	if content.Offer, err = s.Organizations.Offer(r.Context(), r.PathValue("organization"), r.PathValue("invite")); err != nil {
		return content, account.Caller{}, err
	}
	caller, ok, err := s.Sessions.Caller(w, r)
	if err != nil || !ok {
		return content, account.Caller{}, err
	}
	content.Caller = caller.User
	content.Fits = content.Email == "" || account.EmailKey(content.Email) == account.EmailKey(caller.User.Email)
	return content, caller, nil
}

// invitePage shows an invitation to whoever has its address.
func (s *Server) invitePage(w http.ResponseWriter, r *http.Request) error {
	content, _, err := s.offerOf(w, r)
	if err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "invite", view{Title: "Join " + content.Organization, Content: content})
	return nil
}

// acceptInvite lets in who is signed in, or makes an account for who is not and was invited by e-mail.
func (s *Server) acceptInvite(w http.ResponseWriter, r *http.Request) error {
	content, caller, err := s.offerOf(w, r)
	if err != nil {
		return err
	}
	organization, secret := r.PathValue("organization"), r.PathValue("invite")
	switch {
	case caller.User.ID != "":
		if err := s.Organizations.AcceptInvite(r.Context(), caller, organization, secret); err != nil {
			return err
		}
		redirect(w, afterSignIn)
		return nil
	case !content.Register():
		redirect(w, content.SignIn)
		return nil
	}
	user, err := s.Organizations.Register(r.Context(), organization, secret, r.PostFormValue("name"))
	if refusal, ok := asRefusal(err); ok && len(refusal.Details) > 0 {
		content.Name, content.Problem = r.PostFormValue("name"), "Your name "+refusal.Details[0].Message+"."
		s.render(w, r, http.StatusBadRequest, "invite", view{Title: "Join " + content.Organization, Content: content})
		return nil
	}
	if err != nil {
		return err
	}
	return s.Sessions.SignIn(w, r, account.Identified{User: user}, account.ByLink, afterSignIn)
}
