package web

import (
	"net/http"
	"net/url"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
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
	Invites []invite.WaitingInvite
	// Proven says that the address was proven, which invitations show only then.
	Proven      bool
	Memberships []org.Membership
}

// organizationsPage shows the invitations that wait for somebody, and the organizations that they belong to.
func (s *Server) organizationsPage(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	content := organizationsContent{Proven: caller.HasProvenEmail()}
	all := paging.Request{Limit: paging.MaxLimit}
	invites, err := s.Invites.Waiting(r.Context(), caller, all)
	if err != nil {
		return err
	}
	memberships, err := s.Organizations.ListForUser(r.Context(), caller, all)
	if err != nil {
		return err
	}
	content.Invites, content.Memberships = invites.Items, memberships.Items
	s.account(w, r, caller, http.StatusOK, "organizations", "Organizations", "", content)
	return nil
}

// acceptOwnInvite accepts an invitation that waits for whoever is signed in.
func (s *Server) acceptOwnInvite(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	target,
		err := s.Invites.Accept(r.Context(), caller, id.Organization(r.PathValue("organization")),
		r.PathValue("invite"))
	if err != nil {
		return err
	}
	redirect(w, entrance(id.Organization(r.PathValue("organization")), target))
	return nil
}

// declineOwnInvite turns down an invitation that waits for whoever is signed in.
func (s *Server) declineOwnInvite(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	if err := s.Invites.Decline(r.Context(), caller, id.Organization(r.PathValue("organization")),
		r.PathValue("invite")); err != nil {
		return err
	}
	redirect(w, organizationsPath+"?done=declined")
	return nil
}

// organizationsPath is the page of the organizations.
const organizationsPath = "/account/organizations"

// entrance is the page that leads a member on into their organization, to a space or collection of it when one is
// named.
func entrance(organization id.Organization, target invite.Target) string {
	query := url.Values{}
	if target.Space != "" {
		query.Set("space", string(target.Space))
	}
	if target.Collection != "" {
		query.Set("collection", string(target.Collection))
	}
	address := organizationsPath + "/" + url.PathEscape(string(organization))
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// enforcedContent is what the page shows on which a member enters an organization that enforces single sign-on.
type enforcedContent struct {
	org.Entrance
	// Path is where the form goes, SSOPage that of the organization's single sign-on.
	Path, SSOPage string
}

// enter leads a member on to what there is for them in an organization. One that enforces single sign-on asks for it
// first.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	entered, err := s.Organizations.EntranceOf(r.Context(), caller, id.Organization(r.PathValue("organization")))
	if err != nil {
		return err
	}
	organization, target := entered.Organization, invite.Target{Space: id.Space(r.FormValue("space")),
		Collection: id.Collection(r.FormValue("collection"))}
	if entered.Closed {
		own := entrance(organization.ID, target)
		s.render(w, r, http.StatusOK, "enforced", view{Title: organization.Title, Content: enforcedContent{
			Entrance: entered, Path: own, SSOPage: ssoAddress(organization.Hostname, own),
		}})
		return nil
	}
	landing, err := s.Landing(r.Context(), caller, organization, target)
	if err != nil {
		return err
	}
	switch {
	case landing.Path != "":
		redirect(w, landing.Path)
	case landing.URL != "":
		// The policy of forms lets no form lead to another origin, not by a detour either, so the page itself leads on.
		s.render(w, r, http.StatusOK, "enter", view{Title: organization.Title, Refresh: landing.URL, Content: landing})
	default:
		redirect(w, organizationsPath+"?done=entered")
	}
	return nil
}

// acceptEnforced notes that a member accepts enforced single sign-on, and leads them on to it.
func (s *Server) acceptEnforced(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	entered, err := s.Organizations.EntranceOf(r.Context(), caller, id.Organization(r.PathValue("organization")))
	if err != nil {
		return err
	}
	if err := s.Organizations.AcceptSSO(r.Context(), caller, entered.Organization.ID); err != nil {
		return err
	}
	own := entrance(entered.Organization.ID, invite.Target{Space: id.Space(r.FormValue("space")),
		Collection: id.Collection(r.FormValue("collection"))})
	redirect(w, ssoAddress(entered.Organization.Hostname, own))
	return nil
}
