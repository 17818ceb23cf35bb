package identity

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Forget breaks the links between a user's account and the identity providers of an organization that they are in no
// more. Who left has all of them broken; of who was removed those stay that hold only while the account is in no other
// organization, so that a provider which still lets its person in brings them back. It runs in the caller's
// transaction.
func Forget(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User, left bool) error {
	_, err := q.ExecContext(ctx, `
		DELETE FROM identity_link WHERE user_id = $1 AND (confirmed OR $3)
		AND provider_id IN (SELECT p.id FROM identity_provider p WHERE p.organization_id = $2)`, userID, organizationID,
		left)
	return wrap("forget links", err)
}
