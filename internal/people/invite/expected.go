package invite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Expected is what an admin has decided for somebody who was invited by e-mail and has not come yet.
type Expected struct {
	Role  org.Role
	Teams []org.TeamPlace
}

// ExpectedIn returns what waits for an address in an organization; found is false when nobody invited it.
func ExpectedIn(ctx context.Context, q db.Querier, organizationID id.Organization, email string,
	now time.Time) (expected Expected, found bool, err error) {
	var inviteID string
	var role sql.Null[string]
	err = q.QueryRowContext(ctx, `
		SELECT id, role FROM org_invite WHERE organization_id = $1 AND email_key = $2 AND declined_at IS NULL
		AND expires_at > $3`,
		organizationID, account.EmailKey(email), now.UnixMicro()).Scan(&inviteID, &role)
	if errors.Is(err, db.ErrNoRows) {
		return Expected{}, false, nil
	}
	if err != nil {
		return Expected{}, false, fmt.Errorf("look for an invite: %w", err)
	}
	expected.Role = org.Role(role.V)
	expected.Teams, err = db.All(ctx, q, "list teams of an invite", func(row db.Scanner) (org.TeamPlace, error) {
		var place org.TeamPlace
		err := row.Scan(&place.Team, &place.Role)
		return place, err
	}, `SELECT team_id, role FROM org_invite_team WHERE invite_id = $1 ORDER BY team_id`, inviteID)
	return expected, true, err
}
