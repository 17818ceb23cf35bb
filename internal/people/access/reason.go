package access

import (
	"context"
	"database/sql"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Reason is why somebody has the role that they have in an object.
type Reason struct {
	// Said is what decided.
	Said Said
	// Object is where it was said: the object itself or a collection around it. Nil for what the organization says.
	Object *Object
	// Role is what was said.
	Role Role
	// Team is the team whose grant decided; its id and title.
	Team      id.Team
	TeamTitle string
	// LimitedBy is the object whose default level lowered, for a guest, what was said further up; nil for none.
	LimitedBy *Object
}

// IsSpace reports whether the object is a space; otherwise it is a collection.
func (o Object) IsSpace() bool { return o.kind == spaceObject }

// ID is the id of the space or collection.
func (o Object) ID() string { return o.id }

// addReasons says of each grant in a list of everybody why the person has it. The rule is asked again with what
// decided, so that the reason is the rule's own.
func addReasons(ctx context.Context, q db.Querier, object Object, grants []Grant) error {
	if len(grants) == 0 {
		return nil
	}
	above, organizationID, err := placesAbove(ctx, q, object)
	if err != nil {
		return err
	}
	users := make([]any, len(grants))
	for i, grant := range grants {
		users[i] = grant.User
	}
	roles, err := rolesOf(ctx, q, organizationID, users)
	if err != nil {
		return err
	}
	said, err := grantsOn(ctx, q, above, users)
	if err != nil {
		return err
	}
	for i := range grants {
		_, reason := reasonOf(roles[grants[i].User], above, said[grants[i].User])
		grants[i].Reason = &reason
	}
	return nil
}

// reasonOf returns the role that somebody with a role in the organization has at the first of some places, and why,
// where here is what reaches them at each.
func reasonOf(organization Role, above []placeAbove, here map[string][]grantHere) (Role, Reason) {
	places := make([]Place, len(above))
	for at, place := range above {
		places[at] = Place{Default: place.level}
		for _, grant := range here[place.object.id] {
			if grant.team == "" {
				places[at].Person = append(places[at].Person, Level(grant.role))
			} else {
				places[at].Teams = append(places[at].Teams, Level(grant.role))
			}
		}
	}
	role, decided := explain(organization, places)
	reason := Reason{Said: decided.said, Role: decided.role}
	if decided.place >= 0 {
		reason.Object = &above[decided.place].object
	}
	if decided.limit >= 0 {
		reason.LimitedBy = &above[decided.limit].object
	}
	if decided.said == ByTeam {
		for _, grant := range here[reason.Object.id] { // the first of those that say it
			if grant.team != "" && grant.role == decided.role {
				reason.Team, reason.TeamTitle = grant.team, grant.title
				break
			}
		}
	}
	return role, reason
}

// ReasonsInSpaces returns, for spaces of an organization in which its loaded member has a role, why they have it.
func ReasonsInSpaces(ctx context.Context, q db.Querier, organization Organization,
	spaceIDs []id.Space) (map[id.Space]Reason, error) {
	reasons := make(map[id.Space]Reason, len(spaceIDs))
	if len(spaceIDs) == 0 {
		return reasons, nil
	}
	said, err := grantsOfMember(ctx, q, organization)
	if err != nil {
		return nil, err
	}
	collections, err := levelsBelow(ctx, q, `SELECT c.id, c.parent_id, c.default_level FROM collection c
		WHERE c.organization_id = $1`, organization.ID)
	if err != nil {
		return nil, err
	}
	for chunk := range slices.Chunk(spaceIDs, batch) {
		args := []any{organization.ID}
		for _, each := range chunk {
			args = append(args, each)
		}
		spaces, err := levelsBelow(ctx, q, `SELECT s.id, s.parent_id, s.default_level FROM space s
			WHERE s.organization_id = $1 AND s.id IN (`+db.Placeholders(2, len(chunk))+`)`, args...)
		if err != nil {
			return nil, err
		}
		for spaceID, space := range spaces {
			above := []placeAbove{{SpaceObject(id.Space(spaceID)), space.level}}
			for at := space.parent; at != ""; at = collections[at].parent {
				above = append(above, placeAbove{CollectionObject(id.Collection(at)), collections[at].level})
			}
			_, reasons[id.Space(spaceID)] = reasonOf(organization.Role, above, said)
		}
	}
	return reasons, nil
}

// levelBelow is the default level of something, with the collection that it is in.
type levelBelow struct {
	parent string
	level  Level
}

// levelsBelow reads ids, parents and default levels, by id.
func levelsBelow(ctx context.Context, q db.Querier, query string, args ...any) (map[string]levelBelow, error) {
	found := map[string]levelBelow{}
	err := db.Each(ctx, q, "load default levels", func(row db.Scanner) error {
		var (
			at            string
			parent, level sql.Null[string]
		)
		if err := row.Scan(&at, &parent, &level); err != nil {
			return err
		}
		found[at] = levelBelow{parent.V, Level(level.V)}
		return nil
	}, query, args...)
	return found, err
}

// rolesOf returns the roles of members in their organization.
func rolesOf(ctx context.Context, q db.Querier, organizationID id.Organization, users []any) (map[id.User]Role, error) {
	roles := map[id.User]Role{}
	err := db.Each(ctx, q, "load roles of members", func(row db.Scanner) error {
		var (
			user id.User
			role sql.Null[string]
		)
		if err := row.Scan(&user, &role); err != nil {
			return err
		}
		roles[user] = Role(role.V)
		return nil
	}, `
		SELECT m.user_id, m.role FROM organization_member m WHERE m.organization_id = $1
			AND m.user_id IN (`+db.Placeholders(2, len(users))+`)`,
		append([]any{organizationID}, users...)...)
	return roles, err
}

// grantHere is a grant that reaches somebody: their own when team is empty.
type grantHere struct {
	team  id.Team
	title string
	role  Role
}

// grantsOfMember returns what reaches the member whom an organization was loaded for anywhere in it, by place, teams in
// the order of their ids.
func grantsOfMember(ctx context.Context, q db.Querier, organization Organization) (map[string][]grantHere, error) {
	found := map[string][]grantHere{}
	err := db.Each(ctx, q, "load grants of a member", func(row db.Scanner) error {
		var (
			place string
			grant grantHere
			role  sql.Null[string]
		)
		if err := row.Scan(&place, &grant.team, &grant.title, &role); err != nil {
			return err
		}
		grant.role = Role(role.V)
		found[place] = append(found[place], grant)
		return nil
	}, `
		SELECT COALESCE(g.space_id, g.collection_id), '' AS team, '', g.role FROM access_grant g
			WHERE g.organization_id = $1 AND g.user_id = $2
		UNION ALL
		SELECT COALESCE(g.space_id, g.collection_id), t.id, t.title, g.role
		FROM access_grant g JOIN org_team t ON t.id = g.team_id JOIN org_team_member tm ON tm.team_id = t.id
		WHERE g.organization_id = $1 AND tm.user_id = $2
		ORDER BY 2`, organization.ID, organization.User)
	return found, err
}

// grantsOn returns what reaches some users at some places, by user and place, teams in the order of their ids.
func grantsOn(ctx context.Context, q db.Querier, places []placeAbove,
	users []any) (map[id.User]map[string][]grantHere, error) {
	args := make([]any, 0, len(places)+len(users))
	for _, place := range places {
		args = append(args, place.object.id)
	}
	args = append(args, users...)
	at, of := db.Placeholders(1, len(places)), db.Placeholders(len(places)+1, len(users))
	here := `(g.space_id IN (` + at + `) OR g.collection_id IN (` + at + `))`
	found := map[id.User]map[string][]grantHere{}
	err := db.Each(ctx, q, "load grants of members", func(row db.Scanner) error {
		var (
			place string
			user  id.User
			grant grantHere
			role  sql.Null[string]
		)
		if err := row.Scan(&place, &user, &grant.team, &grant.title, &role); err != nil {
			return err
		}
		grant.role = Role(role.V)
		if found[user] == nil {
			found[user] = map[string][]grantHere{}
		}
		found[user][place] = append(found[user][place], grant)
		return nil
	}, `
		SELECT COALESCE(g.space_id, g.collection_id), g.user_id, '' AS team, '', g.role FROM access_grant g
			WHERE `+here+` AND g.user_id IN (`+of+`)
		UNION ALL
		SELECT COALESCE(g.space_id, g.collection_id), tm.user_id, t.id, t.title, g.role
		FROM access_grant g JOIN org_team t ON t.id = g.team_id JOIN org_team_member tm ON tm.team_id = t.id
		WHERE `+here+` AND tm.user_id IN (`+of+`)
		ORDER BY 3`, args...)
	return found, err
}
