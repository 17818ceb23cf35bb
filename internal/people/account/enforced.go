package account

import (
	"context"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// An organization that enforces single sign-on opens to what came in through its own provider, and to nothing else of
// its members. So sessions and tokens note through which organization's provider they came, and a caller carries the
// organizations of theirs that are closed to what they came in with. Nothing else of the account depends on that:
// signing in never does. docs/adr/0039 has the reasons.

// ThroughOperator is where tokens came through that the operator has made: they open whatever their user may enter.
const ThroughOperator = "operator"

// mind returns the caller with what is closed to them.
func (s *Service) mind(ctx context.Context, caller Caller, concerned bool) (Caller, error) {
	if !concerned {
		return caller, nil
	}
	closed, err := s.hooks.Get().Enforcement.Closed(ctx, s.db.Read(), caller)
	if err != nil {
		return Caller{}, err
	}
	caller.Closed = strings.Join(closed, " ")
	return caller, nil
}

// ShutOut reports whether the caller belongs to an organization that is closed to what they came in with.
func (c Caller) ShutOut(organizationID id.Organization) bool {
	return c.Closed != "" && slices.Contains(strings.Fields(c.Closed), string(organizationID))
}

// Unreached is the error for an organization that the caller does not reach: how to enter it when it is closed to them,
// and otherwise the error that says that it is not there.
func (c Caller) Unreached(organizationID id.Organization, otherwise error) error {
	if c.ShutOut(organizationID) {
		return errs.Forbiddenf("This organization opens through its single sign-on only. Enter it in a browser at "+
			"/account/organizations/%s; "+
			"tokens have to be made in a session that began there.", organizationID)
	}
	return otherwise
}

// Leaving returns the caller as one to whom nothing is closed, for what everybody may do who belongs to an
// organization: see how to enter it, and leave it.
func (c Caller) Leaving() Caller {
	c.Closed = ""
	return c
}

// Reach is what Reaches says, as a text for the SQL condition of ReachCondition.
func (c Caller) Reach() string {
	switch vouched := c.VouchedBy(); {
	case vouched != "" && c.ShutOut(vouched):
		return "+"
	case vouched != "":
		return "+" + string(vouched)
	case c.Closed != "":
		return "-" + c.Closed
	}
	return ""
}

// ReachCondition returns an SQL condition that holds for the organizations that a caller reaches: column has the id of
// an organization, and the argument of the placeholder is the caller's Reach.
func ReachCondition(column, placeholder string) string {
	return `(` + placeholder + ` = '' OR ` + placeholder + ` = '+' || ` + column + `
		OR ` + placeholder + ` LIKE '-%' AND ` + placeholder + ` NOT LIKE '%' || ` + column + ` || '%')`
}
