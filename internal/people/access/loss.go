package access

import (
	"cmp"
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Loss is somebody whose role in an object became lower.
type Loss struct {
	// User is an id.
	User id.User
	// From and To are their roles before and after; a guest's is no access.
	From, To Role
}

// Affected are those who lost something by a change of a default level, those who lost most first.
type Affected struct{ Losses []Loss }

// RolesOfEverybody returns the role of each member with access to an object, by user id. It checks no access and runs
// in the caller's transaction.
func RolesOfEverybody(ctx context.Context, q db.Querier, object Object) (map[id.User]Role, error) {
	places, organizationID, err := placesAbove(ctx, q, object)
	if err != nil {
		return nil, err
	}
	args := []any{organizationID}
	rank := everybodyRank(places, &args)
	roles := map[id.User]Role{}
	err = db.Each(ctx, q, "load roles of everybody", func(row db.Scanner) error {
		var (
			user id.User
			rank int
		)
		if err := row.Scan(&user, &rank); err != nil {
			return err
		}
		roles[user] = byRank[rank]
		return nil
	}, `
		SELECT x.user_id, x.rank FROM (SELECT m.user_id, `+rank+
		` AS rank FROM organization_member m WHERE m.organization_id = $1) x WHERE x.rank > 0`, args...)
	return roles, err
}

// Losses returns who has less than before, those who lose most first.
func Losses(before, after map[id.User]Role) []Loss {
	var losses []Loss
	for user, from := range before {
		if to := after[user]; to.Rank() < from.Rank() {
			losses = append(losses, Loss{user, from, to})
		}
	}
	slices.SortFunc(losses, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(b.From.Rank()-b.To.Rank(), a.From.Rank()-a.To.Rank()), cmp.Compare(a.User, b.User))
	})
	return losses
}
