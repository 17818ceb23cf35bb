package account

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Anybody may set up an identity provider for an organization of their own, which then says that somebody is whoever it
// likes. So each credential (a session, a token, a password, a passkey) records who vouches for the way in that it came
// from: its person, who has proved that the account's address is theirs, or the operator, written ""; or one
// organization, by its id. What is made with a credential has its mark, and a marked credential opens the organization
// that vouches for it and nothing else. When the address is proven, all that is marked ends. docs/adr/0038 has the
// reasons.

// Identified is who has proved who they are, and who vouches for the way in which they did.
type Identified struct {
	User
	// VouchedBy is the id of the organization that alone vouches for it; "" when it is proven.
	VouchedBy id.Organization
	// Through is the id of the organization through whose identity provider they came, "" for another way.
	Through string
}

// Reaches reports whether what the caller came in with opens an organization at all. What the caller may do there is
// asked after that. Whatever looks up where a caller belongs asks this first.
func (c Caller) Reaches(organizationID id.Organization) bool {
	return (c.Token.VouchedBy == "" || c.Token.VouchedBy == organizationID) && !c.ShutOut(organizationID)
}

// HasProvenEmail reports whether the caller has shown that the address of the account is theirs, and did not come in by
// an organization's word alone: only then does the address open anything.
func (c Caller) HasProvenEmail() bool {
	return !c.User.EmailVerifiedAt.IsZero() && c.Token.VouchedBy == ""
}

// WorkIn returns the caller for work that the server does later in the name of a user who asked for it in an
// organization: it reaches that organization alone, whatever the user came in with.
func WorkIn(user User, organizationID id.Organization) Caller {
	return Caller{User: user, Token: Token{User: user.ID, VouchedBy: organizationID}}
}

// reachOf returns which credentials of the caller's account the caller sees and ends: "" for all, or those with a mark.
// Who came in by an organization's word alone has a say over all while the account is in no other organization.
func (s *Service) reachOf(ctx context.Context, q db.Querier, caller Caller) (id.Organization, error) {
	mark := caller.VouchedBy()
	if mark == "" {
		return mark, nil
	}
	organizations, err := s.hooks.Get().Organizations(ctx, q, caller.User.ID)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(organizations, func(each id.Organization) bool { return each != mark }) {
		return mark, nil
	}
	return "", nil
}

// onlyVouched is the errs.Forbidden of what needs a way in that is proven.
func onlyVouched() error {
	return errs.Forbiddenf("One organization alone vouches for how you came in, which opens that organization only; " +
		"this concerns your whole account. " +
		"Set a password by mail at /signin/forgot, or ask the operator for a link, and try again.")
}

// RequireProven refuses, with an errs.Forbidden, a caller who came in by an organization's word alone. It guards what
// reaches beyond that organization.
func RequireProven(caller Caller) error {
	if caller.VouchedBy() != "" {
		return onlyVouched()
	}
	return nil
}
