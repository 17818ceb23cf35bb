package web

import (
	"net/http"
	"net/url"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/org"
	"github.com/rectodocs/recto/internal/paging"
)

// Landing is where somebody who enters an organization goes.
type Landing struct {
	// Title is what is there.
	Title string
	// URL is its address; "" for nothing that a browser could show.
	URL string
	// Path is the same below this server's own address; "" for an address elsewhere.
	Path string
}

// organizationsContent is what the page of the organizations shows.
type organizationsContent struct {
	Invites []org.WaitingInvite
	// Proven says that the address was proven, which invitations show only then.
	Proven      bool
	Memberships []org.Membership
}

// organizationsPage shows the invitations that wait for somebody, and the organizations that they belong to.
func (s *Server) organizationsPage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	content := organizationsContent{Proven: caller.HasProvenEmail()}
	var err error
	all := paging.Request{Limit: paging.MaxLimit}
	if content.Invites, _, _, err = s.Organizations.InvitesFor(r.Context(), caller, all); err != nil {
		return err
	}
	if content.Memberships, _, _, err = s.Organizations.ListForUser(r.Context(), caller, all); err != nil {
		return err
	}
	s.account(w, r, caller, http.StatusOK, "organizations", "Organizations", "", content)
	return nil
}

// acceptOwnInvite accepts an invitation that waits for whoever is signed in.
func (s *Server) acceptOwnInvite(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	target, err := s.Organizations.AcceptInvite(r.Context(), caller, r.PathValue("organization"), r.PathValue("invite"))
	if err != nil {
		return err
	}
	redirect(w, entrance(r.PathValue("organization"), target))
	return nil
}

// declineOwnInvite turns down an invitation that waits for whoever is signed in.
func (s *Server) declineOwnInvite(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := s.Organizations.DeclineInvite(r.Context(), caller, r.PathValue("organization"), r.PathValue("invite")); err != nil {
		return err
	}
	redirect(w, organizationsPath+"?done=declined")
	return nil
}

// organizationsPath is the page of the organizations.
const organizationsPath = "/account/organizations"

// entrance is the page that leads a member on into their organization, to a space or collection of it when one is named.
func entrance(organization string, target org.Target) string {
	query := url.Values{}
	if target.Space != "" {
		query.Set("space", target.Space)
	}
	if target.Collection != "" {
		query.Set("collection", target.Collection)
	}
	address := organizationsPath + "/" + url.PathEscape(organization)
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// enter leads a member on to what there is for them in an organization.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	membership, err := s.Organizations.Get(r.Context(), caller, r.PathValue("organization"))
	if err != nil {
		return err
	}
	var landing Landing
	if s.Landing != nil {
		target := org.Target{Space: r.FormValue("space"), Collection: r.FormValue("collection")}
		if landing, err = s.Landing(r.Context(), caller, membership.Organization, target); err != nil {
			return err
		}
	}
	switch {
	case landing.Path != "":
		redirect(w, landing.Path)
	case landing.URL != "":
		// The policy of forms lets no form lead to another origin, not by a detour either, so the page itself leads on.
		s.render(w, r, http.StatusOK, "enter", view{Title: membership.Organization.Title, Refresh: landing.URL, Content: landing})
	default:
		redirect(w, organizationsPath+"?done=entered")
	}
	return nil
}
