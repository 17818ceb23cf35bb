package identity

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// MayEnforce refuses to enforce single sign-on where that could lock people out: in an organization without a provider
// that is active, and for a caller of whom it is not known that they get in then. Who gets in has signed in by a
// provider of the organization that would open their account again, or has the organization's emergency code. It runs
// in the caller's transaction; the refusals are errs.Conflict.
func (s *Service) MayEnforce(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) error {
	logins, err := s.logins(ctx, q, organizationID)
	if err != nil {
		return err
	}
	if len(logins) == 0 {
		return errs.Conflictf("Nobody could sign in: the organization has no identity provider that is active. Set " +
			"one up and sign in with it first.")
	}
	has, err := s.getsIn(ctx, q, caller, organizationID, logins)
	if err == nil && !has {
		err = errs.Conflictf("You could lock yourself out: you have not signed in by an identity provider of the "+
			"organization that is active and may open your account. "+
			"Sign in once at %s, or make an emergency code with createOrganizationEmergencyCode (POST "+
			"/v1/orgs/%s/sso/emergency-code). Then enforce single sign-on.",
			logins[0].StartURL, organizationID)
	}
	return err
}

// getsIn reports whether the caller gets into an organization by one of its providers, or by an emergency code.
func (s *Service) getsIn(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	logins []Login) (bool, error) {
	var code bool
	err := q.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM identity_emergency_code WHERE organization_id = $1 AND user_id = $2)`,
		organizationID, caller.User.ID).Scan(&code)
	if err != nil || code {
		return code, wrap("look for an emergency code", err)
	}
	// A link that its owner did not confirm opens the account only while it is in no other organization.
	organizations, err := org.OrganizationsOf(ctx, q, caller.User.ID)
	if err != nil {
		return false, err
	}
	elsewhere := slices.ContainsFunc(organizations, func(each id.Organization) bool { return each != organizationID })
	args := []any{caller.User.ID, elsewhere}
	for _, login := range logins {
		args = append(args, login.ID)
	}
	var linked bool
	err = q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM identity_link WHERE user_id = $1 AND (confirmed OR NOT $2)
			AND provider_id IN (`+db.Placeholders(3, len(logins))+`))`,
		args...).Scan(&linked)
	return linked, wrap("look for a sign-in by a provider", err)
}
