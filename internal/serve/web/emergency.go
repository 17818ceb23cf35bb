package web

import (
	"net/http"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
)

// shownEmergency is an organization with single sign-on whose admin somebody is, and who has its emergency code.
type shownEmergency struct {
	// ID and Title are those of the organization.
	ID    id.Organization
	Title string
	// Code is what is known of the code; the zero EmergencyCode for none. Own says that it is that of whoever asks.
	Code identity.EmergencyCode
	Own  bool
	// Secret is a code that was just made.
	Secret string
}

// emergencies lists the organizations with identity providers of which the caller is an admin. made is the one whose
// code was just made, with the secret.
func (s *Server) emergencies(r *http.Request, caller account.Caller, made id.Organization,
	secret string) ([]shownEmergency, error) {
	memberships, err := s.Organizations.ListForUser(r.Context(), caller, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return nil, err
	}
	var shown []shownEmergency
	for _, each := range memberships.Items {
		if each.Role != org.RoleAdmin {
			continue
		}
		one := shownEmergency{ID: each.Organization.ID, Title: each.Organization.Title}
		logins, err := s.Identities.Logins(r.Context(), caller, one.ID)
		if err != nil {
			return nil, err
		}
		one.Code, err = s.Identities.FindEmergencyCode(r.Context(), caller, one.ID)
		if errs.Is(err, errs.NotFound) && len(logins) == 0 {
			continue
		}
		if err != nil && !errs.Is(err, errs.NotFound) {
			return nil, err
		}
		one.Own = one.Code.User == caller.User.ID
		if made == one.ID {
			one.Secret = secret
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// makeEmergencyCode makes an emergency code and shows it, once.
func (s *Server) makeEmergencyCode(w http.ResponseWriter, r *http.Request, caller account.Caller) error {
	organization := r.PathValue("organization")
	secret, _, err := s.Identities.MakeEmergencyCode(r.Context(), caller, id.Organization(organization))
	if err != nil {
		return again(w, r, "/account/security", err)
	}
	return s.showSecurity(w, r, caller, http.StatusOK,
		securityContent{madeFor: id.Organization(organization), made: secret})
}
