package access_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// tree is a random organization: collections in collections, spaces in them, teams, and grants all over it, both in the
// database and here, so that Resolve can be asked without the database.
type tree struct {
	fixture
	random      *rand.Rand
	callers     []account.Caller
	roles       map[id.User]org.Role  // of callers, by user id
	teams       map[id.User][]id.Team // of users, by user id
	teamIDs     []string
	collections []id.Collection
	spaces      []id.Space
	parent      map[string]id.Collection
	level       map[string]access.Level
	person      map[grantedAt]access.Level    // by place and user
	team        map[string]map[id.Team]string // place -> team -> level
}

// grantedAt names the grant of a user at a space or collection.
type grantedAt struct {
	place string
	user  id.User
}

var (
	everyLevel = []access.Level{access.NoAccess, access.Inherit, access.Inherit, access.Inherit, "read", "comment",
		"edit", "review", "create", "admin"}
	everyGrant = []access.Level{access.NoAccess, "read", "comment", "edit", "review", "create", "admin"}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func growTree(t *testing.T, d *db.DB, h fixture, seed uint64) *tree {
	t.Helper()
	w := &tree{
		fixture: h, random: rand.New(rand.NewPCG(seed, 1)), roles: map[id.User]org.Role{},
		teams:  map[id.User][]id.Team{},
		parent: map[string]id.Collection{}, level: map[string]access.Level{}, person: map[grantedAt]access.Level{},
		team: map[string]map[id.Team]string{},
	}
	for role, caller := range h.Members {
		w.callers = append(w.callers, caller)
		w.roles[caller.User.ID] = role
	}
	slices.SortFunc(w.callers, func(a, b account.Caller) int {
		return w.roles[a.User.ID].Rank() - w.roles[b.User.ID].Rank()
	})
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		exec := func(query string, args ...any) {
			t.Helper()
			if _, err := q.ExecContext(ctx, query, args...); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			teamID := id.New("team")
			exec(`INSERT INTO org_team (id, organization_id, title, created_at, updated_at) VALUES ($1, $2, 'T', 1, 1)`,
				teamID, h.Organization)
			w.teamIDs = append(w.teamIDs, teamID)
			for _, caller := range w.callers {
				if w.random.IntN(2) == 0 {
					exec(`INSERT INTO org_team_member (team_id, organization_id, user_id) VALUES ($1, $2, $3)`, teamID,
						h.Organization, caller.User.ID)
					w.teams[caller.User.ID] = append(w.teams[caller.User.ID], id.Team(teamID))
				}
			}
		}
		for range 8 {
			collectionID := id.New("collection")
			if len(w.collections) > 0 && w.random.IntN(4) > 0 {
				w.parent[collectionID] = pick(w.random, w.collections)
			}
			w.level[collectionID] = pick(w.random, everyLevel)
			exec(
				`INSERT INTO collection (id, organization_id, parent_id, position, title, description, default_level,
					created_at, updated_at)
				VALUES ($1, $2, $3, 'a0', 'C', '', $4, 1, 1)`, collectionID, h.Organization,
				orNull(string(w.parent[collectionID])), orNull(string(w.level[collectionID])))
			w.collections = append(w.collections, id.Collection(collectionID))
		}
		for range 14 {
			spaceID := id.New("space")
			if w.random.IntN(5) > 0 {
				w.parent[spaceID] = pick(w.random, w.collections)
			}
			w.level[spaceID] = pick(w.random, everyLevel)
			exec(
				`INSERT INTO space (id, organization_id, parent_id, position, title, emoji, icon, visibility, edit_mode,
					language, default_level, created_at, updated_at)
				VALUES ($1, $2, $3, 'a0', 'S', '', '', 'private', 'live', '', $4, 1, 1)`, spaceID, h.Organization,
				orNull(string(w.parent[spaceID])), orNull(string(w.level[spaceID])))
			w.spaces = append(w.spaces, id.Space(spaceID))
		}
		for _, place := range slices.Concat(id.Texts(w.collections), id.Texts(w.spaces)) {
			column := "collection_id"
			if slices.Contains(w.spaces, id.Space(place)) {
				column = "space_id"
			}
			for _, caller := range w.callers {
				if w.random.IntN(6) > 0 {
					continue
				}
				level := pick(w.random, everyGrant)
				w.person[grantedAt{place, caller.User.ID}] = level
				exec(`INSERT INTO access_grant (organization_id, `+column+
					`, user_id, role, created_at, updated_at) VALUES ($1, $2, $3, $4, 1, 1)`,
					h.Organization, place, caller.User.ID, orNull(string(level)))
			}
			for _, teamID := range w.teamIDs {
				if w.random.IntN(6) > 0 {
					continue
				}
				level := pick(w.random, everyGrant)
				if w.team[place] == nil {
					w.team[place] = map[id.Team]string{}
				}
				w.team[place][id.Team(teamID)] = string(level)
				exec(`INSERT INTO access_grant (organization_id, `+column+
					`, team_id, role, created_at, updated_at) VALUES ($1, $2, $3, $4, 1, 1)`,
					h.Organization, place, teamID, orNull(string(level)))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// want is what Resolve says of a user in a place.
func (w *tree) want(userID id.User, place string) org.Role {
	var places []access.Place
	for at := place; at != ""; at = string(w.parent[at]) {
		step := access.Place{Default: w.level[at]}
		if level, ok := w.person[grantedAt{at, userID}]; ok {
			step.Person = []access.Level{level}
		}
		for _, teamID := range w.teams[userID] {
			if level, ok := w.team[at][teamID]; ok {
				step.Teams = append(step.Teams, access.Level(level))
			}
		}
		places = append(places, step)
	}
	return access.Resolve(w.roles[userID], places...)
}

// TestEveryWayAgreesWithResolve holds, on random trees, that the roles in one space and in many, the conditions for
// lists, and the list of everybody all say what Resolve says.
func TestEveryWayAgreesWithResolve(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		service := access.New(d)
		h := newFixture(t, d)
		for seed := range uint64(12) {
			w := growTree(t, d, h, seed)
			for _, caller := range w.callers {
				organization, err := service.Organization(ctx, caller, w.Organization)
				if err != nil {
					t.Fatal(err)
				}
				inSpaces, err := access.RolesInSpaces(ctx, d.Read(), organization, w.spaces)
				if err != nil {
					t.Fatal(err)
				}
				inCollections, err := access.RolesInCollections(ctx, d.Read(), organization, w.collections)
				if err != nil {
					t.Fatal(err)
				}
				args := db.Args{w.Organization}
				readable := access.ReadableSpaces(organization, &args)
				spaces := ids(t, d, `SELECT s.id FROM space s WHERE s.organization_id = $1 AND `+readable, args...)
				args = db.Args{w.Organization}
				readable = access.ReadableCollections(organization, &args)
				collections := ids(t, d, `SELECT c.id FROM collection c WHERE c.organization_id = $1 AND `+readable,
					args...)
				for _, spaceID := range w.spaces {
					want := w.want(caller.User.ID, string(spaceID))
					name := fmt.Sprintf("seed %d, role %q, space %s, want %q", seed, organization.Role, spaceID, want)
					got, err := service.Space(ctx, caller, spaceID)
					if (want == org.RoleGuest) != errs.Is(err, errs.NotFound) || (err == nil && got.Role != want) {
						t.Errorf("%s: loaded %q, %v", name, got.Role, err)
					}
					if inSpaces[spaceID] != want {
						t.Errorf("%s: among many %q", name, inSpaces[spaceID])
					}
					if spaces[string(spaceID)] != (want != org.RoleGuest) {
						t.Errorf("%s: listed %v", name, spaces[string(spaceID)])
					}
				}
				for _, collectionID := range w.collections {
					want := w.want(caller.User.ID, string(collectionID))
					name := fmt.Sprintf("seed %d, role %q, collection %s, want %q", seed, organization.Role,
						collectionID, want)
					got, err := access.LoadCollection(ctx, d.Read(), caller, collectionID)
					if (want == org.RoleGuest) != errs.Is(err, errs.NotFound) ||
						(err == nil && (got.Role != want || got.Organization != w.Organization)) {
						t.Errorf("%s: loaded %q, %v", name, got.Role, err)
					}
					if inCollections[collectionID] != want {
						t.Errorf("%s: among many %q", name, inCollections[collectionID])
					}
					if collections[string(collectionID)] != (want != org.RoleGuest) {
						t.Errorf("%s: listed %v", name, collections[string(collectionID)])
					}
				}
			}
			w.checkEverybody(t, service)
		}
	})
}

// checkEverybody compares the list of everybody with Resolve, in a space and a collection, page by page and by role.
func (w *tree) checkEverybody(t *testing.T, service *access.Service) {
	t.Helper()
	admin := w.Members[org.RoleAdmin]
	for object, place := range map[access.Object]string{
		access.SpaceObject(w.spaces[0]): string(w.spaces[0]), access.SpaceObject(w.spaces[1]): string(w.spaces[1]),
		access.CollectionObject(w.collections[7]): string(w.collections[7]),
	} {
		for _, filter := range []org.Role{org.RoleGuest, org.RoleRead, org.RoleAdmin} {
			want := map[id.User]org.Role{}
			for _, caller := range w.callers {
				if role := w.want(caller.User.ID, place); role != org.RoleGuest &&
					(filter == org.RoleGuest || filter == role) {
					want[caller.User.ID] = role
				}
			}
			got, page := 0, paging.Request{Limit: 2}
			for {
				grants, err := service.Everybody(t.Context(), admin, object, filter, page)
				if err != nil || grants.Count != len(want) || len(grants.Items) > 2 {
					t.Fatalf("everybody in %s: %d of %d, %v", place, grants.Count, len(want), err)
				}
				for _, grant := range grants.Items {
					got++
					if want[grant.User] != grant.Role {
						t.Errorf("everybody in %s: %s is %q, want %q", place, grant.User, grant.Role, want[grant.User])
					}
					w.checkReason(t, place, grant)
				}
				if grants.Next == nil {
					break
				}
				page.After = grants.Next
			}
			if got != len(want) {
				t.Errorf("everybody in %s with %q: %d, want %d", place, filter, got, len(want))
			}
		}
	}
}

// checkReason holds that the reason for somebody's access is one: it was said where it says, nothing nearer decides,
// and what was said, lowered for guests by what stands nearer, is the role.
func (w *tree) checkReason(t *testing.T, place string, grant access.Grant) {
	t.Helper()
	reason, role := grant.Reason, w.roles[grant.User]
	if reason == nil {
		t.Fatalf("%s: no reason", grant.User)
	}
	says := func(at string) (said access.Said, level access.Level, any bool) {
		if level, ok := w.person[grantedAt{at, grant.User}]; ok {
			return access.ByPerson, level, true
		}
		best := access.Level("none")
		for _, teamID := range w.teams[grant.User] {
			level, ok := w.team[at][teamID]
			if ok && (best == "none" || org.Role(level).Rank() > org.Role(best).Rank()) {
				best = access.Level(level)
			}
		}
		if best != "none" {
			return access.ByTeam, best, true
		}
		return access.ByDefault, w.level[at], w.level[at] != access.Inherit && role != org.RoleGuest
	}
	said, level, where := access.ByOrganization, access.Level(role), ""
	least, limit := org.RoleAdmin, ""
	if role == org.RoleAdmin {
		said = access.ByAdministration
	} else {
		for at := place; at != ""; at = string(w.parent[at]) {
			if by, here, any := says(at); any {
				said, level, where = by, here, at
				break
			}
			if role == org.RoleGuest && w.level[at] != access.Inherit && org.Role(w.level[at]).Rank() < least.Rank() {
				least, limit = org.Role(w.level[at]), at
			}
		}
	}
	at, by := "", ""
	if reason.Object != nil {
		at = reason.Object.ID()
	}
	if reason.LimitedBy != nil {
		by = reason.LimitedBy.ID()
	}
	if org.Role(level).Rank() <= least.Rank() {
		limit = ""
	}
	if reason.Said != said || reason.Role != org.Role(level) || at != where || by != limit {
		t.Errorf("%s in %s: %+v at %q limited by %q, want %d %q at %q limited by %q", grant.User, place, reason, at, by,
			said, level, where, limit)
	}
	if said == access.ByTeam && (!slices.Contains(w.teams[grant.User], reason.Team) ||
		w.team[where][reason.Team] != string(level) || reason.TeamTitle != "T") {
		t.Errorf("%s in %s: the team %s %q", grant.User, place, reason.Team, reason.TeamTitle)
	}
}

func ids(t *testing.T, d *db.DB, query string, args ...any) map[string]bool {
	t.Helper()
	rows, err := d.Read().QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		var each string
		if err := rows.Scan(&each); err != nil {
			t.Fatal(err)
		}
		found[each] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}
