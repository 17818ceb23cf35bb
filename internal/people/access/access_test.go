package access

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/org"
)

var roles = []Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
	org.RoleAdmin}

var levels = []Level{NoAccess, Inherit, "read", "comment", "edit", "review", "create", "admin"}

func TestResolve(t *testing.T) {
	place := func(level Level) Place { return Place{Default: level} }
	tests := []struct {
		name         string
		organization Role
		places       []Place
		want         Role
	}{
		{"nothing is said: the organization role", org.RoleEdit, nil, org.RoleEdit},
		{"everything inherits", org.RoleEdit, []Place{place(Inherit), place(Inherit)}, org.RoleEdit},
		{"a guest has nothing", org.RoleGuest, []Place{place(Inherit)}, org.RoleGuest},
		{"the space's default lifts", org.RoleRead, []Place{place("edit")}, org.RoleEdit},
		{"the space's default lowers", org.RoleCreate, []Place{place("read")}, org.RoleRead},
		{"null takes access away", org.RoleCreate, []Place{place(NoAccess)}, org.RoleGuest},
		{"null takes nothing from an admin", org.RoleAdmin, []Place{{Person: []Level{NoAccess}, Default: NoAccess}},
			org.RoleAdmin},
		{"a default gives guests nothing", org.RoleGuest, []Place{place("comment")}, org.RoleGuest},
		{"nor does that of the collection", org.RoleGuest, []Place{place(Inherit), place("admin")}, org.RoleGuest},
		{"a guest has what was granted", org.RoleGuest, []Place{{Person: []Level{"edit"}, Default: "read"}},
			org.RoleEdit},
		{"a guest has what a team was granted", org.RoleGuest, []Place{{Teams: []Level{"comment"}, Default: "admin"}},
			org.RoleComment},
		{"a guest has what was granted on the collection", org.RoleGuest,
			[]Place{place(Inherit), {Person: []Level{"review"}}}, org.RoleReview},
		{"a default raises no guest of the collection", org.RoleGuest,
			[]Place{place("admin"), {Person: []Level{"comment"}}}, org.RoleComment},
		{"a default lowers a guest of the collection", org.RoleGuest, []Place{place("read"), {Person: []Level{"edit"}}},
			org.RoleRead},
		{"what is closed is closed for guests of the collection", org.RoleGuest,
			[]Place{place(NoAccess), {Person: []Level{"edit"}}}, org.RoleGuest},
		{"the space goes before its collection", org.RoleRead, []Place{place("comment"), place("admin")},
			org.RoleComment},
		{"the collection when the space inherits", org.RoleRead, []Place{place(Inherit), place("review")},
			org.RoleReview},
		{"the collection's parent when both inherit", org.RoleRead, []Place{place(Inherit), place(Inherit),
			place("create")}, org.RoleCreate},
		{"null of a collection reaches its spaces", org.RoleCreate, []Place{place(Inherit), place(NoAccess),
			place("admin")}, org.RoleGuest},
		{"a grant goes before the default", org.RoleRead, []Place{{Person: []Level{"edit"}, Default: "admin"}},
			org.RoleEdit},
		{"a grant of null goes before the default", org.RoleRead,
			[]Place{{Person: []Level{NoAccess}, Default: "admin"}}, org.RoleGuest},
		{"a grant to the person beats one to a team", org.RoleRead,
			[]Place{{Person: []Level{"read"}, Teams: []Level{"admin"}, Default: "edit"}}, org.RoleRead},
		{"a grant to the person that inherits leaves it to the teams", org.RoleRead,
			[]Place{{Person: []Level{Inherit}, Teams: []Level{"review"}, Default: "edit"}}, org.RoleReview},
		{"the highest team counts", org.RoleRead,
			[]Place{{Teams: []Level{"comment", "review", "edit"}, Default: NoAccess}}, org.RoleReview},
		{"a team without access is the lowest", org.RoleRead,
			[]Place{{Teams: []Level{NoAccess, "comment"}, Default: "admin"}}, org.RoleComment},
		{"teams that inherit say nothing", org.RoleRead, []Place{{Teams: []Level{Inherit, Inherit}, Default: "edit"}},
			org.RoleEdit},
		{"the space's default goes before a grant on the collection", org.RoleRead,
			[]Place{place("comment"), {Person: []Level{"admin"}}}, org.RoleComment},
		{"a grant on the collection counts when the space inherits", org.RoleRead,
			[]Place{place(Inherit), {Person: []Level{"create"}, Default: NoAccess}}, org.RoleCreate},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Resolve(test.organization, test.places...); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestResolveExhaustively compares Resolve with the rule read as one list of statements, nearest first, for every
// organization role and every combination of a grant to the person, grants to two teams, a default and a collection's
// default.
func TestResolveExhaustively(t *testing.T) {
	grants := [][]Level{nil}
	for _, level := range levels {
		grants = append(grants, []Level{level})
	}
	teams := slices.Clone(grants)
	for _, a := range levels {
		for _, b := range levels {
			teams = append(teams, []Level{a, b})
		}
	}
	cases := 0
	for _, organization := range roles {
		for _, person := range grants {
			for _, team := range teams {
				for _, space := range levels {
					for _, collection := range levels {
						want := model(organization, person, team, space, collection)
						got := Resolve(organization, Place{Person: person, Teams: team, Default: space},
							Place{Default: collection})
						if got != want {
							t.Fatalf("organization %q, person %q, teams %q, space %q, collection %q: got %q, want %q",
								organization, person, team, space, collection, got, want)
						}
						cases++
					}
				}
			}
		}
	}
	if cases != 7*9*73*8*8 {
		t.Errorf("%d cases", cases)
	}
}

// model is the rule read as one list of statements, nearest first: the first that says something decides. For a guest
// the grants alone are statements, and a default that was passed on the way to one is the most that it can give.
func model(organization Role, person, team []Level, space, collection Level) Role {
	says := func(l Level) bool { return l != Inherit }
	if organization == org.RoleAdmin {
		return org.RoleAdmin
	}
	grants := slices.DeleteFunc(append(slices.Clone(person), best(team)), func(l Level) bool { return !says(l) })
	if organization == org.RoleGuest {
		// The only grants of this test are on the space itself, so no default stands nearer.
		return Role(append(grants, NoAccess)[0])
	}
	statements := slices.DeleteFunc(append(grants, space, collection, Level(organization)), func(l Level) bool {
		return !says(l)
	})
	return Role(statements[0])
}

// TestGuestsHaveNoMoreThanMembers holds, for all places and grants on the way up, that a guest has no role without a
// grant, never more than the highest grant, and never more than a member of any role with the same grants.
func TestGuestsHaveNoMoreThanMembers(t *testing.T) {
	grants := [][]Level{nil}
	for _, level := range levels {
		grants = append(grants, []Level{level})
	}
	for _, near := range grants {
		for _, far := range grants {
			for _, space := range levels {
				for _, collection := range levels {
					places := []Place{{Person: near, Default: space}, {Teams: far, Default: collection}}
					guest := Resolve(org.RoleGuest, places...)
					most := org.RoleGuest
					for _, level := range slices.Concat(near, far) {
						if role, ok := level.says(); ok && role.Rank() > most.Rank() {
							most = role
						}
					}
					if guest.Rank() > most.Rank() {
						t.Fatalf("%+v: a guest has %q, and was granted %q", places, guest, most)
					}
					for _, organization := range roles[1:] {
						if member := Resolve(organization, places...); guest.Rank() > member.Rank() {
							t.Fatalf("%+v: a guest has %q, a member with %q %q", places, guest, organization, member)
						}
					}
				}
			}
		}
	}
}

// best returns what grants to teams say together: the level that stands last in the order of levels, Inherit aside.
func best(teams []Level) Level {
	order := []Level{NoAccess, "read", "comment", "edit", "review", "create", "admin"}
	for _, level := range slices.Backward(order) {
		if slices.Contains(teams, level) {
			return level
		}
	}
	return Inherit
}

func TestCheckLevel(t *testing.T) {
	for _, level := range levels {
		if err := CheckLevel("defaultLevel", level); err != nil {
			t.Errorf("%q: %v", level, err)
		}
	}
	for _, level := range []Level{"guest", "owner", "Admin", "null"} {
		if err := CheckLevel("defaultLevel", level); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", level, err)
		}
	}
}

// TestPermissions holds the whole table of what each role may do.
func TestPermissions(t *testing.T) {
	space := map[Role]SpacePermissions{
		org.RoleGuest:   {},
		org.RoleRead:    {View: true, Access: true},
		org.RoleComment: {View: true, Access: true, Comment: true},
		org.RoleEdit:    {View: true, Access: true, Comment: true, ListPeople: true, Edit: true},
		org.RoleReview: {View: true, Access: true, Comment: true, ListPeople: true, Edit: true, Review: true,
			Merge: true},
		org.RoleCreate: {
			View: true, Access: true, Comment: true, ListPeople: true, Edit: true, Review: true, Merge: true,
			Manage: true, ViewInviteLinks: true,
			TriggerGitSync: true, InstallIntegration: true,
		},
		org.RoleAdmin: {
			View: true, Access: true, Comment: true, ListPeople: true, Edit: true, Review: true, Merge: true,
			Manage: true, ViewInviteLinks: true,
			TriggerGitSync: true, Admin: true, InstallIntegration: true,
		},
		"owner": {},
	}
	reader := OrganizationPermissions{View: true, Access: true, ListMembers: true, ListTeams: true,
		ListIntegrations: true}
	creator := OrganizationPermissions{
		View: true, Access: true, ListMembers: true, ListTeams: true, ListIntegrations: true, CreateContent: true,
		CreateOpenAPISpec: true,
		ListInstallations: true,
	}
	organization := map[Role]OrganizationPermissions{
		org.RoleGuest: {View: true}, org.RoleRead: reader, org.RoleComment: reader, org.RoleEdit: reader,
		org.RoleReview: reader,
		org.RoleCreate: creator,
		org.RoleAdmin: {
			View: true, Access: true, Admin: true, OwnTeam: true, CreateContent: true, CreateOpenAPISpec: true,
			IngestConversations: true,
			ViewBilling:         true, ListMembers: true, ListTeams: true, ListIntegrations: true,
			ListInstallations:  true,
			InstallIntegration: true,
		},
		"owner": {},
	}
	visitor := SitePermissions{View: true, Access: true, ViewAdaptiveSchema: true}
	sites := map[Role]SitePermissions{
		org.RoleGuest: {}, org.RoleRead: visitor, org.RoleComment: visitor, org.RoleEdit: visitor,
		org.RoleReview: visitor,
		org.RoleCreate: {View: true, Access: true, ViewAdaptiveSchema: true, Edit: true, Create: true},
		org.RoleAdmin: {
			View: true, Access: true, ViewAdaptiveSchema: true, Edit: true, Create: true, EditAdaptiveSchema: true,
			Admin:              true,
			InstallIntegration: true,
		},
		"owner": {},
	}
	for _, role := range append(slices.Clone(roles), "owner") {
		t.Run(fmt.Sprintf("%q", role), func(t *testing.T) {
			if diff := cmp.Diff(space[role], PermissionsInSpace(role, false)); diff != "" {
				t.Error("space", diff)
			}
			own := space[role]
			own.Admin = own.Admin || role == org.RoleCreate
			if diff := cmp.Diff(own, PermissionsInSpace(role, true)); diff != "" {
				t.Error("own space", diff)
			}
			for _, made := range []bool{false, true} {
				want := CollectionPermissions{
					View: role.AtLeast(org.RoleRead), ListPeople: role.AtLeast(org.RoleEdit),
					Manage:          role.AtLeast(org.RoleCreate),
					ViewInviteLinks: role.AtLeast(org.RoleCreate), Create: role.AtLeast(org.RoleCreate),
					Admin: role == org.RoleAdmin || made && role == org.RoleCreate,
				}
				if diff := cmp.Diff(want, PermissionsInCollection(role, made)); diff != "" {
					t.Error("collection", made, diff)
				}
			}
			if diff := cmp.Diff(organization[role], PermissionsInOrganization(role)); diff != "" {
				t.Error("organization", diff)
			}
			if diff := cmp.Diff(sites[role], PermissionsInSite(role, false)); diff != "" {
				t.Error("sites", diff)
			}
			every := sites[role]
			if role == org.RoleCreate {
				every.Admin, every.InstallIntegration, every.EditAdaptiveSchema = true, true, true
			}
			if diff := cmp.Diff(every, PermissionsInSite(role, true)); diff != "" {
				t.Error("sites with spaces of one's own", diff)
			}
		})
	}
}

func TestUnknownActionsAreForAdmins(t *testing.T) {
	for _, role := range roles {
		open := SpaceAction(99).permitted(PermissionsInSpace(role, false)) ||
			CollectionAction(99).permitted(PermissionsInCollection(role, false)) ||
			OrganizationAction(99).permitted(PermissionsInOrganization(role)) ||
			SiteAction(99).permitted(PermissionsInSite(role, false))
		if open != (role == org.RoleAdmin) {
			t.Errorf("%q: an action without a rule is open: %v", role, open)
		}
	}
}

func TestSpaceRequire(t *testing.T) {
	tests := []struct {
		name   string
		space  Space
		action SpaceAction
		want   errs.Kind
		ok     bool
	}{
		{name: "enough", space: Space{Role: org.RoleEdit}, action: EditSpace, ok: true},
		{name: "too low", space: Space{Role: org.RoleComment}, action: EditSpace, want: errs.Forbidden},
		{name: "reading the trash", space: Space{Role: org.RoleAdmin, Trashed: true}, action: ViewSpace, ok: true},
		{name: "writing to the trash", space: Space{Role: org.RoleAdmin, Trashed: true}, action: EditSpace,
			want: errs.Conflict},
		{name: "too low and in the trash", space: Space{Role: org.RoleRead, Trashed: true}, action: EditSpace,
			want: errs.Forbidden},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.space.Permissions = PermissionsInSpace(test.space.Role, false)
			err := test.space.Require(test.action)
			if test.ok != (err == nil) || (err != nil && !errs.Is(err, test.want)) {
				t.Errorf("got %v", err)
			}
		})
	}
	with := func(role Role, locked bool) Space {
		return Space{Role: role, Locked: locked, Permissions: PermissionsInSpace(role, false)}
	}
	if err := with(org.RoleAdmin, true).RequireDirectWrite(); !errs.Is(err, errs.Conflict) {
		t.Errorf("a locked space takes a direct write: %v", err)
	}
	if err := with(org.RoleComment, true).RequireDirectWrite(); !errs.Is(err, errs.Forbidden) {
		t.Errorf("who may not write learns that the space is locked: %v", err)
	}
	if err := with(org.RoleEdit, false).RequireDirectWrite(); err != nil {
		t.Error(err)
	}
}
