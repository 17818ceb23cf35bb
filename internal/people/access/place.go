package access

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// MaxDepth is how deep collections nest: a collection at the top has the depth 1.
const MaxDepth = 16

// byRank is every role at its rank.
var byRank = [...]Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
	org.RoleAdmin}

// rankOf is the SQL of Role.Rank; null, which is no access, has the rank of a guest.
func rankOf(column string) string {
	return `CASE ` + column + ` WHEN 'read' THEN 1 WHEN 'comment' THEN 2 WHEN 'edit' THEN 3 WHEN 'review' THEN 4
		WHEN 'create' THEN 5 WHEN 'admin' THEN 6 ELSE 0 END`
}

// cappedRankOf is rankOf, but for ranks above a ceiling, which become the ceiling.
func cappedRankOf(column string, ceiling int) string {
	if ceiling == org.RoleAdmin.Rank() {
		return rankOf(column) // what every read asks; it is not worked out each time
	}
	var sql strings.Builder
	sql.WriteString(`CASE ` + column)
	for rank, role := range byRank {
		if role != org.RoleGuest {
			sql.WriteString(fmt.Sprintf(` WHEN '%s' THEN %d`, role, min(rank, ceiling)))
		}
	}
	return sql.String() + ` ELSE 0 END`
}

// grantsAt are two columns of a place: the rank of the grant to the user there, and the highest rank of those to the
// user's teams; null when there is none. column is the one of access_grant that names the place; place and person are
// the SQL of its id and of the user's.
func grantsAt(column, place, person string) string {
	return cappedGrantsAt(column, place, person, org.RoleAdmin.Rank())
}

// cappedGrantsAt is grantsAt with ranks that go no higher than a ceiling.
func cappedGrantsAt(column, place, person string, ceiling int) string {
	rank := cappedRankOf("g.role", ceiling)
	return `(SELECT ` + rank + ` FROM access_grant g WHERE g.` + column + ` = ` + place + ` AND g.user_id = ` + person +
		`),
		(SELECT MAX(` + rank +
		`) FROM access_grant g JOIN org_team_member tm ON tm.team_id = g.team_id AND tm.user_id = ` + person + `
			WHERE g.` + column + ` = ` + place + `)`
}

// placeRow is a place as it is read.
type placeRow struct {
	level        sql.Null[string]
	person, team sql.Null[int]
}

func (r *placeRow) fields() []any { return []any{&r.level, &r.person, &r.team} }

func (r *placeRow) place() Place {
	place := Place{Default: Level(r.level.V)}
	if r.person.Valid {
		place.Person = []Level{Level(byRank[r.person.V])}
	}
	if r.team.Valid {
		place.Teams = []Level{Level(byRank[r.team.V])}
	}
	return place
}

// loadRole reads all that decides about a space in one statement: for a space in no collection its row, otherwise that
// row and those of the collections above it, nearest first.
func loadRole(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space) (Space, error) {
	if caller.IsAgent() {
		return agentInSpace(ctx, q, caller.Agent, spaceID)
	}
	if !id.Valid("space", spaceID) {
		return Space{}, noSpace()
	}
	space := Space{ID: spaceID}
	own := false
	row :=
		`SELECT 0 AS depth, s.organization_id, m.role, s.edit_mode, s.deleted_at, b.head_revision_id, s.created_by, s.default_level,
			` + grantsAt("space_id", "s.id", "$2") + `
		FROM space s JOIN organization_member m ON m.organization_id = s.organization_id AND m.user_id = $2
		LEFT JOIN content_branch b ON b.space_id = s.id AND b.kind = 'main'
		WHERE s.id = $1`
	first := func(first firstRow) {
		space.Organization, space.Locked = first.organization.V, first.editMode.V == "locked"
		space.Trashed, space.Head = first.deletedAt.Valid, first.head.V
		own = first.madeBy(caller)
	}
	// Most spaces are in no collection, and every read asks this: without the walk it costs less than half.
	role, err := walkUp(ctx, q, row+` AND s.parent_id IS NULL`, []any{spaceID, caller.User.ID}, first)
	if err == nil && space.Organization == "" {
		role, err = walkUp(ctx, q, `
		WITH RECURSIVE up(id, parent_id, default_level, depth) AS (
			SELECT c.id, c.parent_id, c.default_level, 1 FROM space s JOIN collection c ON c.id = s.parent_id
			WHERE s.id = $1
			UNION ALL
			SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
		)
		`+row+`
		UNION ALL
		SELECT up.depth, NULL, NULL, NULL, NULL, NULL, NULL, up.default_level, `+
			grantsAt("collection_id", "up.id", "$2")+` FROM up
		ORDER BY depth`, []any{spaceID, caller.User.ID}, first)
	}
	if err != nil {
		return Space{}, fmt.Errorf("load role in space: %w", err)
	}
	if space.Organization == "" {
		return Space{}, noSpace()
	}
	space.Role, space.Permissions = role, PermissionsInSpace(role, own)
	if !caller.Reaches(space.Organization) {
		if !space.Permissions.View {
			return Space{}, noSpace()
		}
		return Space{}, caller.Unreached(space.Organization, noSpace())
	}
	return space, nil
}

// loadCollectionRole is loadRole for a collection.
func loadCollectionRole(ctx context.Context, q db.Querier, caller account.Caller,
	collectionID id.Collection) (Collection, error) {
	if !id.Valid("collection", collectionID) {
		return Collection{}, noCollection()
	}
	collection, own := Collection{ID: collectionID}, false
	role, err := walkUp(ctx, q, `
		WITH RECURSIVE up(id, parent_id, default_level, depth) AS (
			SELECT c.id, c.parent_id, c.default_level, 0 FROM collection c WHERE c.id = $1
			UNION ALL
			SELECT c.id, c.parent_id, c.default_level, up.depth + 1 FROM up JOIN collection c ON c.id = up.parent_id
		)
		SELECT up.depth, m.organization_id, m.role, NULL, NULL, NULL, c.created_by, up.default_level, `+
		grantsAt("collection_id", "up.id", "$2")+`
		FROM up JOIN collection c ON c.id = up.id
		JOIN organization_member m ON m.organization_id = c.organization_id AND m.user_id = $2
		ORDER BY up.depth`, []any{collectionID, caller.User.ID}, func(first firstRow) {
		collection.Organization, own = first.organization.V, first.madeBy(caller)
	})
	if err != nil {
		return Collection{}, fmt.Errorf("load role in collection: %w", err)
	}
	if collection.Organization == "" {
		return Collection{}, noCollection()
	}
	collection.Role, collection.Permissions = role, PermissionsInCollection(role, own)
	if !caller.Reaches(collection.Organization) {
		if !collection.Permissions.View {
			return Collection{}, noCollection()
		}
		return Collection{}, caller.Unreached(collection.Organization, noCollection())
	}
	return collection, nil
}

// firstRow is what the nearest place says besides its levels.
type firstRow struct {
	organization   sql.Null[id.Organization]
	role, editMode sql.Null[string]
	head           sql.Null[id.Revision]
	createdBy      sql.Null[id.User]
	deletedAt      sql.Null[int64]
}

// madeBy reports whether the caller made what the row is of.
func (r firstRow) madeBy(caller account.Caller) bool {
	return r.createdBy.Valid && r.createdBy.V == caller.User.ID
}

// walkUp reads the places from one up to the organization and resolves them. first gets the row of the nearest; it is
// not called when there is none.
func walkUp(ctx context.Context, q db.Querier, query string, args []any, first func(firstRow)) (Role, error) {
	var (
		organization Role
		places       []Place
		noMember     bool
	)
	err := db.Each(ctx, q, "", func(columns db.Scanner) error {
		var (
			depth int
			row   firstRow
			place placeRow
		)
		if err := columns.Scan(append([]any{&depth, &row.organization, &row.role, &row.editMode, &row.deletedAt,
			&row.head, &row.createdBy}, place.fields()...)...); err != nil {
			return err
		}
		if depth != len(places) {
			// Collections without the space: the user is no member of its organization.
			noMember = true
		}
		if noMember {
			return nil
		}
		if depth == 0 {
			organization = Role(row.role.V)
			first(row)
		}
		places = append(places, place.place())
		return nil
	}, query, args...)
	if err != nil || noMember {
		return org.RoleGuest, err
	}
	return Resolve(organization, places...), nil
}

// batch is how many ids one statement takes.
const batch = 1000

// RolesInSpaces returns the roles that the caller whom organization was loaded for has in spaces of it, as Resolve
// gives them; the trash is not its concern. A space that is not there has no entry, one without access has a guest's.
func RolesInSpaces(ctx context.Context, q db.Querier, organization Organization,
	spaceIDs []id.Space) (map[id.Space]Role, error) {
	return resolveAll(ctx, q, organization, spaceIDs, func(first, n int) string {
		wanted := db.Placeholders(first, n)
		return `
		WITH RECURSIVE up(id, parent_id) AS (
			SELECT c.id, c.parent_id FROM collection c WHERE c.id IN (SELECT s.parent_id FROM space s
			WHERE s.organization_id = $1 AND s.id IN (` + wanted + `))
			UNION
			SELECT c.id, c.parent_id FROM up JOIN collection c ON c.id = up.parent_id
		)
		SELECT s.id, s.parent_id, 1, s.default_level, ` + grantsAt("space_id", "s.id", "$2") + `
		FROM space s WHERE s.organization_id = $1 AND s.id IN (` + wanted + `)
		UNION ALL
		SELECT c.id, c.parent_id, 0, c.default_level, ` + grantsAt("collection_id", "c.id", "$2") + `
		FROM up JOIN collection c ON c.id = up.id`
	})
}

// RolesInCollections is RolesInSpaces for collections.
func RolesInCollections(ctx context.Context, q db.Querier, organization Organization,
	collectionIDs []id.Collection) (map[id.Collection]Role, error) {
	return resolveAll(ctx, q, organization, collectionIDs, func(first, n int) string {
		wanted := db.Placeholders(first, n)
		return `
		WITH RECURSIVE up(id, parent_id) AS (
			SELECT c.id, c.parent_id FROM collection c WHERE c.organization_id = $1 AND c.id IN (` + wanted + `)
			UNION
			SELECT c.id, c.parent_id FROM up JOIN collection c ON c.id = up.parent_id
		)
		SELECT c.id, c.parent_id, CASE WHEN c.id IN (` + wanted + `) THEN 1 ELSE 0 END, c.default_level, ` +
			grantsAt("collection_id", "c.id", "$2") + `
		FROM up JOIN collection c ON c.id = up.id`
	})
}

// node is a place with its id and that of the place above it.
type node struct {
	parent string
	place  Place
}

// resolveAll resolves the wanted ones among the places that a query reads: id, parent, whether it is wanted, and its
// levels.
func resolveAll[T ~string](ctx context.Context, q db.Querier, organization Organization, ids []T,
	query func(first, n int) string) (map[T]Role, error) {
	found := make(map[T]Role, len(ids))
	for len(ids) > 0 {
		n := min(len(ids), batch)
		args := []any{organization.ID, organization.User}
		for _, each := range ids[:n] {
			args = append(args, each)
		}
		nodes, wanted, err := loadNodes(ctx, q, query(3, n), args)
		if err != nil {
			return nil, fmt.Errorf("load roles: %w", err)
		}
		for _, each := range wanted {
			found[T(each)] = Resolve(organization.Role, chain(nodes, each)...)
		}
		ids = ids[n:]
	}
	return found, nil
}

// chain returns the places from one up to the organization.
func chain(nodes map[string]node, from string) []Place {
	var places []Place
	for at := from; at != ""; at = nodes[at].parent {
		places = append(places, nodes[at].place)
	}
	return places
}

func loadNodes(ctx context.Context, q db.Querier, query string,
	args []any) (nodes map[string]node, wanted []string, err error) {
	nodes = map[string]node{}
	err = db.Each(ctx, q, "", func(r db.Scanner) error {
		var (
			place    string
			parent   sql.Null[string]
			isWanted int
			row      placeRow
		)
		if err := r.Scan(append([]any{&place, &parent, &isWanted}, row.fields()...)...); err != nil {
			return err
		}
		nodes[place] = node{parent: parent.V, place: row.place()}
		if isWanted == 1 {
			wanted = append(wanted, place)
		}
		return nil
	}, query, args...)
	return nodes, wanted, err
}
