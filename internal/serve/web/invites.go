package web

import (
	"net/http"
	"net/url"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
)

// inviteContent is what the page of an invitation shows.
type inviteContent struct {
	invite.Offer
	// Caller is who is signed in; the zero User for nobody.
	Caller account.User
	// Fits says that the invitation is for whoever is signed in.
	Fits bool
	// Path is the page's own; SignIn is the sign-in page from which people come back here, SSO that of the
	// organization's single sign-on.
	Path, SignIn, SSOPage string
	// Name is what was typed, Problem what is wrong with it or with the password.
	Name, Problem string
}

// Register says whether the page asks for a name and makes an account.
func (c inviteContent) Register() bool {
	return c.Caller.ID == "" && c.Email != "" && !c.Known && !c.SSO
}

// offerOf reads the invitation of a request's address.
func (s *Server) offerOf(w http.ResponseWriter, r *http.Request) (inviteContent, account.Caller, error) {
	path := "/invites/" + url.PathEscape(r.PathValue("organization")) + "/" + url.PathEscape(r.PathValue("invite"))
	content := inviteContent{Path: path, SignIn: signInAddress(path)}
	var err error
	if content.Offer, err = s.Invites.Offer(r.Context(), id.Organization(r.PathValue("organization")),
		r.PathValue("invite")); err != nil {
		return content, account.Caller{}, err
	}
	content.SSOPage = ssoAddress(content.Hostname, path)
	caller, ok, err := s.Sessions.Caller(w, r)
	if err != nil || !ok {
		return content, account.Caller{}, err
	}
	content.Caller = caller.User
	content.Fits = content.Email == "" || account.EmailKey(content.Email) == account.EmailKey(caller.User.Email)
	return content, caller, nil
}

// ssoAddress is the page of an organization's single sign-on from which people come back to a local path.
func ssoAddress(hostname, next string) string {
	return "/signin/sso?" + url.Values{"organization": {hostname}, "next": {next}}.Encode()
}

func (s *Server) showInvite(w http.ResponseWriter, r *http.Request, status int, content inviteContent) {
	s.render(w, r, status, "invite", view{Title: "Join " + content.Organization, Content: content})
}

// invitePage shows an invitation to whoever has its address.
func (s *Server) invitePage(w http.ResponseWriter, r *http.Request) error {
	content, _, err := s.offerOf(w, r)
	if err != nil {
		return err
	}
	s.showInvite(w, r, http.StatusOK, content)
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
		target, err := s.Invites.Accept(r.Context(), caller, id.Organization(organization), secret)
		if err != nil {
			return err
		}
		redirect(w, entrance(id.Organization(organization), target))
		return nil
	case !content.Register():
		redirect(w, content.SignIn)
		return nil
	}
	content.Name = r.PostFormValue("name")
	made,
		err := s.Invites.Register(r.Context(), id.Organization(organization), secret,
		invite.Registration{Name: content.Name,
			Password: r.PostFormValue("password")})
	switch errs.KindOf(err) {
	case errs.Invalid:
		content.Problem = problem(err)
		s.showInvite(w, r, http.StatusBadRequest, content)
		return nil
	case errs.Conflict:
		content.Problem = message(err)
		s.showInvite(w, r, http.StatusConflict, content)
		return nil
	}
	if err != nil {
		return err
	}
	s.Sessions.remember(w, made)
	return s.Sessions.SignIn(w, r, account.Identified{User: made.User, VouchedBy: made.VouchedBy}, account.ByLink,
		entrance(id.Organization(organization), invite.Target{}))
}

// declineInvite turns down an invitation by e-mail for whoever has its address.
func (s *Server) declineInvite(w http.ResponseWriter, r *http.Request) error {
	content, _, err := s.offerOf(w, r)
	if err != nil {
		return err
	}
	if err := s.Invites.DeclineOffer(r.Context(), id.Organization(r.PathValue("organization")),
		r.PathValue("invite")); err != nil {
		return err
	}
	s.render(w, r, http.StatusOK, "declined", view{Title: "Declined", Content: content})
	return nil
}
