package access

import (
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// ReadableSpaces returns an SQL condition on the table space, under the alias s, that holds for exactly the spaces in
// which Resolve gives the caller whom organization was loaded for a role; the trash is not its concern. The spaces have
// to be those of the organization. The condition's arguments are added to those of the statement so far.
func ReadableSpaces(organization Organization, args *db.Args) string {
	if organization.Role == org.RoleAdmin {
		return `1 = 1`
	}
	c := newReadable(organization, args)
	return `(` + c.says("space_id", "s", `CASE WHEN s.parent_id IS NULL THEN `+c.otherwise+`
		WHEN s.parent_id IN (`+c.collections()+`) THEN 1 ELSE 0 END`) + `) = 1`
}

// ReadableCollections is ReadableSpaces for the table collection under the alias c.
func ReadableCollections(organization Organization, args *db.Args) string {
	if organization.Role == org.RoleAdmin {
		return `1 = 1`
	}
	c := newReadable(organization, args)
	return `c.id IN (` + c.collections() + `)`
}

// readable builds a condition. None of its parts refers to a row but by the columns id, parent_id and default_level, so
// that a database works each subquery out once, whatever the number of rows.
type readable struct {
	organization, user string // placeholders
	// otherwise is 1 or 0: what holds where no place says anything.
	otherwise string
	// guest says that defaults give nothing; they take all the same.
	guest bool
}

func newReadable(organization Organization, args *db.Args) readable {
	c := readable{organization: args.Add(organization.ID), user: args.Add(organization.User), otherwise: "0"}
	if c.guest = !organization.Role.AtLeast(org.RoleRead); !c.guest {
		c.otherwise = "1"
	}
	return c
}

// granted is a subquery for the places with a grant to the person, and yes asks for those that give a role.
func (c readable) granted(column, yes string) string {
	return `SELECT g.` + column + ` FROM access_grant g WHERE g.organization_id = ` + c.organization +
		` AND g.user_id = ` + c.user + `
		AND g.` + column + ` IS NOT NULL` + yes
}

// teamGranted is granted for the person's teams.
func (c readable) teamGranted(column, yes string) string {
	return `SELECT g.` + column +
		` FROM org_team_member tm JOIN access_grant g ON g.organization_id = tm.organization_id
			AND g.team_id = tm.team_id
		WHERE tm.organization_id = ` + c.organization + ` AND tm.user_id = ` + c.user + ` AND g.` + column +
		` IS NOT NULL` + yes
}

// says is 1 or 0: whether a place gives the person a role, and above where it says nothing.
func (c readable) says(column, alias, above string) string {
	const yes = ` AND g.role IS NOT NULL`
	gives := `
		WHEN ` + alias + `.default_level <> 'inherit' THEN 1`
	if c.guest {
		gives = ``
	}
	return `CASE WHEN ` + alias + `.id IN (` + c.granted(column, yes) + `) THEN 1
		WHEN ` + alias + `.id IN (` + c.granted(column, "") + `) THEN 0
		WHEN ` + alias + `.id IN (` + c.teamGranted(column, yes) + `) THEN 1
		WHEN ` + alias + `.id IN (` + c.teamGranted(column, "") + `) THEN 0
		WHEN ` + alias + `.default_level IS NULL THEN 0` + gives + `
		ELSE ` + above + ` END`
}

// collections is a subquery for the readable collections: from the top down, each takes what the one above it has where
// it says nothing itself.
func (c readable) collections() string {
	return `WITH RECURSIVE reach(id, may) AS (
			SELECT k.id, ` + c.says("collection_id", "k", c.otherwise) + ` FROM collection k
			WHERE k.organization_id = ` + c.organization + ` AND k.parent_id IS NULL
			UNION ALL
			SELECT k.id, ` + c.says("collection_id", "k", "reach.may") +
		` FROM reach JOIN collection k ON k.parent_id = reach.id
		) SELECT reach.id FROM reach WHERE reach.may = 1`
}
