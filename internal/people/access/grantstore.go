package access

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// putGrant adds a grant, or gives the one that is there another role.
func putGrant(ctx context.Context, q db.Querier, organizationID id.Organization, object Object, who holder, role Role,
	now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO access_grant (organization_id, `+object.column()+`, `+who.column+`, role, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $5)
		ON CONFLICT (`+object.column()+`, `+who.column+
		`) DO UPDATE SET role = excluded.role, updated_at = excluded.updated_at`,
		organizationID, object.id, who.id, db.NullText(role),
		now.UnixMicro())
	if err != nil {
		return fmt.Errorf("put grant: %w", err)
	}
	return nil
}

func deleteGrant(ctx context.Context, q db.Querier, object Object, who holder) error {
	_, err := q.ExecContext(ctx, `DELETE FROM access_grant WHERE `+object.column()+` = $1 AND `+who.column+` = $2`,
		object.id, who.id)
	if err != nil {
		return fmt.Errorf("delete grant: %w", err)
	}
	return nil
}

// grantOf returns the role of a grant; db.ErrNoRows when there is none.
func grantOf(ctx context.Context, q db.Querier, object Object, who holder) (Role, error) {
	var role sql.Null[string]
	err := q.QueryRowContext(ctx, `SELECT role FROM access_grant WHERE `+object.column()+` = $1 AND `+who.column+
		` = $2`,
		object.id, who.id).Scan(&role)
	if err != nil {
		return org.RoleGuest, fmt.Errorf("select grant: %w", err)
	}
	return Role(role.V), nil
}

// memberByEmail returns the id of the member with an address in any letter case; db.ErrNoRows when there is none.
func memberByEmail(ctx context.Context, q db.Querier, organizationID id.Organization, email string) (id.User, error) {
	var userID id.User
	err := q.QueryRowContext(ctx, `
		SELECT m.user_id FROM account_user u JOIN organization_member m ON m.user_id = u.id
		WHERE u.email_key = $1 AND m.organization_id = $2`, account.EmailKey(email), organizationID).Scan(&userID)
	if err != nil {
		return "", fmt.Errorf("select member by e-mail: %w", err)
	}
	return userID, nil
}

// CopyGrants gives what people and teams were given in one object in another one of the same organization, too.
func CopyGrants(ctx context.Context, q db.Querier, from, to Object, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO access_grant (organization_id, `+to.column()+`, user_id, team_id, role, created_at, updated_at)
		SELECT g.organization_id, CAST($2 AS TEXT), g.user_id, g.team_id, g.role, CAST($3 AS BIGINT),
		CAST($3 AS BIGINT) FROM access_grant g WHERE g.`+from.column()+` = $1`,
		from.id, to.id, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("copy grants: %w", err)
	}
	return nil
}

// DropGrants takes back all that people and teams were given in an object, and the invite links to it: for one that
// leaves its organization.
func DropGrants(ctx context.Context, q db.Querier, object Object) error {
	target := invite.Target{Space: id.Space(object.id)}
	if object.kind == collectionObject {
		target = invite.Target{Collection: id.Collection(object.id)}
	}
	if err := invite.DropLinks(ctx, q, target); err != nil {
		return err
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM access_grant WHERE `+object.column()+` = $1`, object.id); err != nil {
		return fmt.Errorf("drop grants: %w", err)
	}
	return nil
}

// listUserGrants returns up to one more than a page of grants to people, and how many there are in all.
func listUserGrants(ctx context.Context, q db.Querier, object Object, page paging.Request) ([]Grant, int, error) {
	condition := `g.` + object.column() + ` = $1 AND g.user_id IS NOT NULL AND g.role IS NOT NULL`
	return queryGrants(ctx, q, page,
		`SELECT count(*) FROM access_grant g WHERE `+condition,
		`SELECT g.role, g.user_id FROM access_grant g WHERE `+condition+
			` AND g.user_id > $2 ORDER BY g.user_id LIMIT $3`,
		[]any{object.id}, func(row db.Scanner) (Grant, error) {
			var g Grant
			err := row.Scan(&g.Role, &g.User)
			return g, err
		})
}

// listTeamGrants is listUserGrants for teams.
func listTeamGrants(ctx context.Context, q db.Querier, object Object, page paging.Request) ([]Grant, int, error) {
	condition := `g.` + object.column() + ` = $1 AND g.team_id IS NOT NULL AND g.role IS NOT NULL`
	return queryGrants(ctx, q, page,
		`SELECT count(*) FROM access_grant g WHERE `+condition, `
		SELECT g.role, t.id, t.organization_id, t.title, t.created_at, t.updated_at,
			(SELECT count(*) FROM org_team_member tm WHERE tm.team_id = t.id),
			(SELECT count(*) FROM access_grant o JOIN space s ON s.id = o.space_id
				WHERE o.organization_id = t.organization_id AND o.team_id = t.id AND o.role IS NOT NULL
				AND s.deleted_at IS NULL)
		FROM access_grant g JOIN org_team t ON t.id = g.team_id
		WHERE `+condition+` AND g.team_id > $2 ORDER BY g.team_id LIMIT $3`,
		[]any{object.id}, func(row db.Scanner) (Grant, error) {
			g := Grant{Team: &GrantedTeam{}}
			var createdAt, updatedAt int64
			err := row.Scan(&g.Role, &g.Team.ID, &g.Team.Organization, &g.Team.Title, &createdAt, &updatedAt,
				&g.Team.Members, &g.Team.Spaces)
			g.Team.CreatedAt, g.Team.UpdatedAt = time.UnixMicro(createdAt).UTC(), time.UnixMicro(updatedAt).UTC()
			return g, err
		})
}

// listEverybody is listUserGrants for all who have access, whatever gives it to them. It is the rule of Resolve the
// other way round: one object, all members.
func listEverybody(ctx context.Context, q db.Querier, object Object, role Role,
	page paging.Request) ([]Grant, int, error) {
	places, organizationID, err := placesAbove(ctx, q, object)
	if err != nil {
		return nil, 0, err
	}
	args := []any{organizationID}
	rank := everybodyRank(places, &args)
	wanted := `x.rank > 0`
	if role != org.RoleGuest {
		args = append(args, role.Rank())
		wanted = fmt.Sprintf(`x.rank = $%d`, len(args))
	}
	from := `FROM (SELECT m.user_id, ` + rank +
		` AS rank FROM organization_member m WHERE m.organization_id = $1) x WHERE ` + wanted
	return queryGrants(ctx, q, page,
		`SELECT count(*) `+from,
		fmt.Sprintf(`SELECT x.rank, x.user_id `+from+` AND x.user_id > $%d ORDER BY x.user_id LIMIT $%d`, len(args)+1,
			len(args)+2),
		args, func(row db.Scanner) (Grant, error) {
			var (
				g    Grant
				rank int
			)
			err := row.Scan(&rank, &g.User)
			if err == nil {
				g.Role = byRank[rank]
			}
			return g, err
		})
}

// everybodyRank is the SQL of Resolve for a member m at the end of known places, nearest first.
func everybodyRank(places []placeAbove, args *[]any) string {
	var members, guests []string
	decided, ceiling := false, org.RoleAdmin.Rank()
	for _, place := range places {
		*args = append(*args, place.object.id)
		here := fmt.Sprintf("$%d", len(*args))
		if !decided {
			members = append(members, grantsAt(place.object.column(), here, "m.user_id"))
		}
		guests = append(guests, cappedGrantsAt(place.object.column(), here, "m.user_id", ceiling))
		if role, ok := place.level.says(); ok {
			if !decided {
				members = append(members, fmt.Sprint(role.Rank()))
			}
			decided, ceiling = true, min(ceiling, role.Rank()) // what is further up counts for guests alone
		}
	}
	if !decided {
		members = append(members, rankOf("m.role"))
	}
	return `CASE WHEN m.role = 'admin' THEN 6 WHEN m.role IS NULL THEN COALESCE(` + strings.Join(append(guests, "0"),
		",\n") + `)
		ELSE COALESCE(` + strings.Join(members, ",\n") + `) END`
}

type placeAbove struct {
	object Object
	level  Level
}

// placesAbove returns an object and the collections above it, nearest first, and their organization.
func placesAbove(ctx context.Context, q db.Querier,
	object Object) (places []placeAbove, organizationID id.Organization, err error) {
	start := `SELECT c.id, c.organization_id, c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = $1`
	if object.kind == spaceObject {
		start = `SELECT s.id, s.organization_id, s.parent_id, s.default_level, 0 FROM space s WHERE s.id = $1`
	}
	err = db.Each(ctx, q, "load places", func(row db.Scanner) error {
		var (
			place string
			level sql.Null[string]
		)
		if err := row.Scan(&place, &organizationID, &level); err != nil {
			return err
		}
		above := placeAbove{CollectionObject(id.Collection(place)), Level(level.V)}
		if len(places) == 0 {
			above.object = object
		}
		places = append(places, above)
		return nil
	}, `
		WITH RECURSIVE up(id, organization_id, parent_id, default_level, depth) AS (`+start+`
			UNION ALL
			SELECT c.id, c.organization_id, c.parent_id, c.default_level, up.depth + 1 FROM up
			JOIN collection c ON c.id = up.parent_id
		) SELECT up.id, up.organization_id, up.default_level FROM up ORDER BY up.depth`, object.id)
	return places, organizationID, err
}

// queryGrants counts, and reads a page of one more than its size after its key.
func queryGrants(ctx context.Context, q db.Querier, page paging.Request, count, list string, args []any,
	scan func(db.Scanner) (Grant, error)) ([]Grant, int, error) {
	var total int
	if err := q.QueryRowContext(ctx, count, args...).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count grants: %w", err)
	}
	after := ""
	if page.After != nil {
		after = page.After[0]
	}
	grants, err := db.All(ctx, q, "list grants", scan, list, append(args, after, page.Size()+1)...)
	if err != nil {
		return nil, 0, err
	}
	return grants, total, nil
}
