package access

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// maxInvited is how many people and teams one call invites.
const maxInvited = 100

// Object is what a grant is about: a space or a collection. Make one with SpaceObject or CollectionObject.
type Object struct {
	id   string
	kind objectKind
}

type objectKind int

const (
	spaceObject objectKind = iota
	collectionObject
)

// SpaceObject names a space.
func SpaceObject(spaceID id.Space) Object { return Object{string(spaceID), spaceObject} }

// CollectionObject names a collection.
func CollectionObject(collectionID id.Collection) Object {
	return Object{string(collectionID), collectionObject}
}

// column is the one of access_grant that names the object.
func (o Object) column() string {
	if o.kind == collectionObject {
		return "collection_id"
	}
	return "space_id"
}

// Invitation is the input of Invite.
type Invitation struct {
	// Users are ids or e-mail addresses of members of the organization, Teams are ids; 1 to 100 of both together.
	Users []string
	Teams []id.Team
	// Role is what they get; a guest's takes access away from those who would have it otherwise.
	Role Role
}

// Grant is what a person or a team was given in an object.
type Grant struct {
	Role Role
	// User is the id of the person; "" when Team is set.
	User id.User
	// Team is the team; nil when User is set.
	Team *GrantedTeam
	// Reason is why they have the role; only Everybody tells it.
	Reason *Reason
}

// GrantedTeam is a team with access to something.
type GrantedTeam struct {
	org.Team
	// Spaces is how many spaces the team was given access to.
	Spaces int
}

// holder is the person or the team that a grant is for.
type holder struct {
	column, id string
}

func person(userID id.User) holder { return holder{"user_id", string(userID)} }
func team(teamID id.Team) holder   { return holder{"team_id", string(teamID)} }

// Invite gives people and teams a role in a space or collection, in place of what they were given there before. It
// needs the role create there. Nobody can give more than they have, nor change what was given above their own role:
// both are an errs.Forbidden. An address that no member has is an errs.Invalid, an id that none has an errs.NotFound.
func (s *Service) Invite(ctx context.Context, caller account.Caller, object Object, in Invitation) error {
	if n := len(in.Users) + len(in.Teams); n == 0 {
		return errs.Invalidf("users", "names nobody; send ids or e-mail addresses in users, or ids in teams")
	} else if n > maxInvited {
		return errs.Invalidf("users", "and teams name %d; up to %d are accepted in one call", n, maxInvited)
	}
	return s.change(ctx, caller, object, func(ctx context.Context, q db.Querier, own target) error {
		holders := make([]holder, 0, len(in.Users)+len(in.Teams))
		for _, name := range in.Users {
			userID, err := memberNamed(ctx, q, own.organization, name)
			if err != nil {
				return err
			}
			holders = append(holders, person(userID))
		}
		for _, teamID := range in.Teams {
			if err := requireTeam(ctx, q, own.organization, teamID); err != nil {
				return err
			}
			holders = append(holders, team(teamID))
		}
		for _, each := range slices.Compact(holders) {
			if _, err := own.mayReplace(ctx, q, object, each, in.Role); err != nil {
				return err
			}
			if err := putGrant(ctx, q, own.organization, object, each, in.Role, clock()); err != nil {
				return err
			}
			if err := record(ctx, q, caller, own.organization, object, each, "grant",
				map[string]any{"role": levelWord(Level(in.Role))}); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetUser changes the role that a person was given in a space or collection; a guest's is no access, and nothing
// changes when it is absent. It is an errs.NotFound when they were given none, and otherwise works as Invite does.
func (s *Service) SetUser(ctx context.Context, caller account.Caller, object Object, userID id.User,
	role optional.Value[Role]) error {
	return s.set(ctx, caller, object, person(userID), role)
}

// SetTeam is SetUser for a team.
func (s *Service) SetTeam(ctx context.Context, caller account.Caller, object Object, teamID id.Team,
	role optional.Value[Role]) error {
	return s.set(ctx, caller, object, team(teamID), role)
}

// RemoveUser takes back what a person was given in a space or collection: what their teams and the levels say counts
// from then on. It is an errs.NotFound when they were given nothing.
func (s *Service) RemoveUser(ctx context.Context, caller account.Caller, object Object, userID id.User) error {
	return s.remove(ctx, caller, object, person(userID))
}

// RemoveTeam is RemoveUser for a team.
func (s *Service) RemoveTeam(ctx context.Context, caller account.Caller, object Object, teamID id.Team) error {
	return s.remove(ctx, caller, object, team(teamID))
}

func (s *Service) set(ctx context.Context, caller account.Caller, object Object, who holder,
	wanted optional.Value[Role]) error {
	return s.change(ctx, caller, object, func(ctx context.Context, q db.Querier, own target) error {
		role := wanted.Or(org.RoleGuest)
		there, err := own.mayReplace(ctx, q, object, who, role)
		if err != nil {
			return err
		}
		if !there {
			return noGrant()
		}
		if !wanted.IsSet() {
			return nil
		}
		if err := putGrant(ctx, q, own.organization, object, who, role, clock()); err != nil {
			return err
		}
		return record(ctx, q, caller, own.organization, object, who, "grant",
			map[string]any{"role": levelWord(Level(role))})
	})
}

func (s *Service) remove(ctx context.Context, caller account.Caller, object Object, who holder) error {
	return s.change(ctx, caller, object, func(ctx context.Context, q db.Querier, own target) error {
		there, err := own.mayReplace(ctx, q, object, who, org.RoleGuest)
		if err != nil {
			return err
		}
		if !there {
			return noGrant()
		}
		if err := deleteGrant(ctx, q, object, who); err != nil {
			return err
		}
		return record(ctx, q, caller, own.organization, object, who, "revoke", map[string]any{})
	})
}

// target is an object as the caller finds it.
type target struct {
	organization id.Organization
	role         Role
}

// change runs fn in a transaction when the caller may share the object, and undoes it when it raised the caller's own
// role.
func (s *Service) change(ctx context.Context, caller account.Caller, object Object,
	fn func(ctx context.Context, q db.Querier, own target) error) error {
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		own, err := require(ctx, q, caller, object, InviteToSpace, InviteToCollection)
		if err != nil {
			return err
		}
		if err := fn(ctx, q, own); err != nil {
			return err
		}
		return NoHigher(ctx, q, caller, object, own.role)
	})
	if db.IsForeignKey(err) {
		// Somebody left or a team went while this ran.
		return errs.NotFoundf("The organization has no such member or team.")
	}
	return err
}

// NoHigher returns an errs.Forbidden error when the caller's role in the object is higher than it was: for the end of a
// transaction that changed levels or grants, so that nobody gives themselves more than they were given.
func NoHigher(ctx context.Context, q db.Querier, caller account.Caller, object Object, before Role) error {
	after, err := roleIn(ctx, q, caller, object)
	if err != nil {
		return err
	}
	if after.Rank() > before.Rank() {
		return errs.Forbiddenf("This would raise your own role from %s to %s; somebody with that role has to do it.",
			before, after)
	}
	return nil
}

// MayGive returns an errs.Forbidden error when a role is higher than the giver's own, and an errs.Invalid one for a
// word that is no role. A guest's is no access, which everybody may give who may give at all.
func MayGive(own, role Role) error {
	if role.Rank() < 0 {
		_, err := org.ParseRole("role", string(role))
		return err
	}
	if role.Rank() > own.Rank() {
		return errs.Forbiddenf("Your own role here is %s; you cannot give the role %s.", own, role)
	}
	return nil
}

// require checks one of two actions, and returns what the caller has in the object.
func require(ctx context.Context, q db.Querier, caller account.Caller, object Object, space SpaceAction,
	collection CollectionAction) (target, error) {
	if object.kind == collectionObject {
		found, err := RequireCollection(ctx, q, caller, id.Collection(object.id), collection)
		return target{found.Organization, found.Role}, err
	}
	found, err := RequireSpace(ctx, q, caller, id.Space(object.id), space)
	return target{found.Organization, found.Role}, err
}

// roleIn returns the caller's role in an object that is there, be it none.
func roleIn(ctx context.Context, q db.Querier, caller account.Caller, object Object) (Role, error) {
	if object.kind == collectionObject {
		found, err := loadCollectionRole(ctx, q, caller, id.Collection(object.id))
		return found.Role, err
	}
	found, err := loadRole(ctx, q, caller, id.Space(object.id))
	return found.Role, err
}

// mayReplace returns an error unless somebody with the role of t may put role in place of what who has in the object,
// and reports whether they have something there.
func (t target) mayReplace(ctx context.Context, q db.Querier, object Object, who holder, role Role) (bool, error) {
	if err := MayGive(t.role, role); err != nil {
		return false, err
	}
	before, err := grantOf(ctx, q, object, who)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	if err == nil && before.Rank() > t.role.Rank() {
		err = errs.Forbiddenf(
			"They were given the role %s here; yours is %s, and you cannot take back more than you have.", before,
			t.role)
	}
	return true, err
}

// memberNamed returns the id of the member with an id or an e-mail address.
func memberNamed(ctx context.Context, q db.Querier, organizationID id.Organization, name string) (id.User, error) {
	if strings.Contains(name, "@") {
		userID, err := id.User(""), db.ErrNoRows
		if field.Storable(name) {
			userID, err = memberByEmail(ctx, q, organizationID, name)
		}
		if errors.Is(err, db.ErrNoRows) {
			return "", errs.Invalidf("users", "has %.80q, and no member of the organization has that address; an "+
				"admin can add the person to the organization first", name)
		}
		return userID, err
	}
	if !id.Valid("user", name) {
		return "", errs.NotFoundf("The organization has no member %.80q; send ids or e-mail addresses of members.",
			name)
	}
	var userID id.User
	err := q.QueryRowContext(ctx, `SELECT user_id FROM organization_member WHERE organization_id = $1 AND user_id = $2`,
		organizationID, name).Scan(&userID)
	if errors.Is(err, db.ErrNoRows) {
		return "", errs.NotFoundf("The organization has no member %s.", name)
	}
	return userID, err
}

func requireTeam(ctx context.Context, q db.Querier, organizationID id.Organization, teamID id.Team) error {
	found := false
	if id.Valid("team", teamID) {
		err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM org_team WHERE organization_id = $1 AND id = $2)`,
			organizationID, teamID).Scan(&found)
		if err != nil {
			return err
		}
	}
	if !found {
		return errs.NotFoundf("The organization has no team %.80q.", teamID)
	}
	return nil
}

// UserGrants returns a page of what people were given in a space or collection itself, the oldest users first, with the
// number of all and the keys of the next page (nil on the last). Those who were denied access are not in it. It needs
// the role edit there.
func (s *Service) UserGrants(ctx context.Context, caller account.Caller, object Object,
	page paging.Request) (grants paging.Page[Grant], err error) {
	return s.grants(ctx, caller, object, page, listUserGrants,
		func(g Grant) []string { return []string{string(g.User)} })
}

// TeamGrants is UserGrants for teams.
func (s *Service) TeamGrants(ctx context.Context, caller account.Caller, object Object,
	page paging.Request) (grants paging.Page[Grant], err error) {
	return s.grants(ctx, caller, object, page, listTeamGrants,
		func(g Grant) []string { return []string{string(g.Team.ID)} })
}

// Everybody returns a page of the people who have access to a space or collection by whatever way, each with the role
// that Resolve gives them and why they have it, as UserGrants does. role limits it to those with exactly that role; a
// guest's stands for all.
func (s *Service) Everybody(ctx context.Context, caller account.Caller, object Object, role Role,
	page paging.Request) (grants paging.Page[Grant], err error) {
	list := func(ctx context.Context, q db.Querier, object Object, page paging.Request) ([]Grant, int, error) {
		grants, count, err := listEverybody(ctx, q, object, role, page)
		if err != nil {
			return nil, 0, err
		}
		return grants, count, addReasons(ctx, q, object, grants)
	}
	return s.grants(ctx, caller, object, page, list, func(g Grant) []string { return []string{string(g.User)} })
}

// grants lists grants of one kind, all statements at one moment.
func (s *Service) grants(ctx context.Context, caller account.Caller, object Object, page paging.Request,
	list func(context.Context, db.Querier, Object, paging.Request) ([]Grant, int, error), keys func(Grant) []string,
) (grants paging.Page[Grant], err error) {
	if page.After != nil && len(page.After) != 1 {
		return paging.Page[Grant]{}, errs.Invalidf("query.page",
			"is not a cursor of this list; leave it out to start from the beginning")
	}
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := require(ctx, q, caller, object, ListPeopleInSpace, ListPeopleInCollection); err != nil {
			return err
		}
		grants.Items, grants.Count, err = list(ctx, q, object, page)
		return err
	})
	if err != nil {
		return paging.Page[Grant]{}, err
	}
	grants.Cut(page.Size(), keys)
	return grants, nil
}

func clock() time.Time { return time.Now().Truncate(time.Microsecond).UTC() }

func noGrant() error {
	return errs.NotFoundf("They were given nothing here itself; an invitation gives them a role.")
}
