package access_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// granted returns the users with a grant in an object and their roles, in the order of the list.
func granted(t *testing.T, s *access.Service, caller account.Caller, object access.Object) []string {
	t.Helper()
	grants, err := s.UserGrants(t.Context(), caller, object, paging.Request{})
	if err != nil || grants.Count != len(grants.Items) || grants.Next != nil {
		t.Fatal(grants.Items, grants.Count, grants.Next, err)
	}
	found := []string{}
	for _, grant := range grants.Items {
		found = append(found, string(grant.User)+" "+string(grant.Role))
	}
	return found
}

func TestGrants(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		s := access.New(d)
		orgs := orgtest.NewService(t,
			org.Deps{DB: d, Accounts: accounttest.NewService(account.Deps{DB: d}, account.Hooks{})}, org.Hooks{})
		admin, guest, reader := h.Members[org.RoleAdmin], h.Members[org.RoleGuest], h.Members[org.RoleRead]
		spaceID := h.spaces[access.Inherit]
		object := access.SpaceObject(spaceID)
		role := func(caller account.Caller) org.Role {
			t.Helper()
			space, err := s.Space(ctx, caller, spaceID)
			if err != nil && !errs.Is(err, errs.NotFound) {
				t.Fatal(err)
			}
			return space.Role
		}
		want := func(caller account.Caller, wanted org.Role) {
			t.Helper()
			if got := role(caller); got != wanted {
				t.Errorf("the role is %q, want %q", got, wanted)
			}
		}

		// By id and by address in any case, twice in one call.
		if err := s.Invite(ctx, admin, object,
			access.Invitation{Users: []string{string(guest.User.ID), strings.ToUpper(reader.User.Email),
				string(guest.User.ID)},
				Role: "edit"}); err != nil {
			t.Fatal(err)
		}
		want(guest, "edit")
		want(reader, "edit")
		if diff := cmp.Diff([]string{string(guest.User.ID) + " edit", string(reader.User.ID) + " edit"},
			granted(t, s, admin, object)); diff != "" {
			t.Error(diff)
		}
		if err := s.SetUser(ctx, admin, object, guest.User.ID, optional.Value[org.Role]{}); err != nil {
			t.Error(err)
		}
		want(guest, "edit")
		if err := s.SetUser(ctx, admin, object, reader.User.ID, optional.Of(org.RoleGuest)); err != nil {
			t.Error(err)
		}
		want(reader, "")
		if diff := cmp.Diff([]string{string(guest.User.ID) + " edit"}, granted(t, s, admin, object)); diff != "" {
			t.Error(diff)
		}
		if err := s.RemoveUser(ctx, admin, object, reader.User.ID); err != nil {
			t.Error(err)
		}
		want(reader, "read")
		if err := s.RemoveUser(ctx, admin, object, reader.User.ID); !errs.Is(err, errs.NotFound) {
			t.Error(err)
		}
		if err := s.SetUser(ctx, admin, object, reader.User.ID, optional.Of(org.RoleEdit)); !errs.Is(err,
			errs.NotFound) {
			t.Error(err)
		}

		// Of teams the highest counts, and the person's own grant goes before them.
		low, err := orgs.CreateTeam(ctx, admin, h.Organization, "Low")
		if err != nil {
			t.Fatal(err)
		}
		high, err := orgs.CreateTeam(ctx, admin, h.Organization, "High")
		if err != nil {
			t.Fatal(err)
		}
		for _, team := range []org.Team{low, high} {
			if err := orgs.ChangeTeamMembers(ctx, admin, h.Organization, team.ID,
				org.TeamChange{Add: []id.User{guest.User.ID, reader.User.ID}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Invite(ctx, admin, object, access.Invitation{Teams: []id.Team{low.ID},
			Role: "comment"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Invite(ctx, admin, object, access.Invitation{Teams: []id.Team{high.ID},
			Role: "review"}); err != nil {
			t.Fatal(err)
		}
		want(reader, "review")
		want(guest, "edit")
		teams, err := s.TeamGrants(ctx, admin, object, paging.Request{})
		if err != nil || teams.Count != 2 || len(teams.Items) != 2 || teams.Items[0].Team.Title != "Low" ||
			teams.Items[0].Role != "comment" ||
			teams.Items[1].Role != "review" || teams.Items[1].Team.Members != 2 || teams.Items[1].Team.Spaces != 1 {
			t.Errorf("%+v %d %v", teams.Items, teams.Count, err)
		}
		if err := s.RemoveTeam(ctx, admin, object, high.ID); err != nil {
			t.Error(err)
		}
		want(reader, "comment")
		if err := s.SetTeam(ctx, admin, object, low.ID, optional.Of(org.RoleGuest)); err != nil {
			t.Error(err)
		}
		want(reader, "")
		// The last way in.
		if err := s.Invite(ctx, admin, object, access.Invitation{Users: []string{string(admin.User.ID)},
			Role: org.RoleGuest}); err != nil {
			t.Error(err)
		}
		want(admin, "admin")
	})
}

// TestNobodyGivesMoreThanTheyHave holds that a creator cannot make anybody an admin, in whatever way.
func TestNobodyGivesMoreThanTheyHave(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		s := access.New(d)
		admin, creator, reader := h.Members[org.RoleAdmin], h.Members[org.RoleCreate], h.Members[org.RoleRead]
		object := access.SpaceObject(h.spaces[access.Inherit])
		give := func(caller account.Caller, object access.Object, to account.Caller, role org.Role) error {
			return s.Invite(ctx, caller, object, access.Invitation{Users: []string{string(to.User.ID)}, Role: role})
		}
		if err := give(creator, object, reader, "create"); err != nil {
			t.Error(err)
		}
		for name, err := range map[string]error{
			"themselves": give(creator, object, creator, "admin"),
			"others":     give(creator, object, reader, "admin"),
			"by a change": func() error {
				return s.SetUser(ctx, creator, object, reader.User.ID, optional.Of(org.RoleAdmin))
			}(),
		} {
			if !errs.Is(err, errs.Forbidden) {
				t.Errorf("%s: %v", name, err)
			}
		}
		// Nor take back what is above them.
		if err := give(admin, object, reader, "admin"); err != nil {
			t.Fatal(err)
		}
		if err := s.RemoveUser(ctx, creator, object, reader.User.ID); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		if err := give(creator, object, reader, "read"); !errs.Is(err, errs.Forbidden) {
			t.Error(err)
		}
		// Nor get rid of the grant that holds them down.
		open := access.SpaceObject(h.spaces["admin"])
		if err := give(admin, open, creator, "create"); err != nil {
			t.Fatal(err)
		}
		if err := s.RemoveUser(ctx, creator, open, creator.User.ID); !errs.Is(err, errs.Forbidden) ||
			!strings.Contains(err.Error(), "raise your own role") {
			t.Error(err)
		}
		if space, err := s.Space(ctx, creator, h.spaces["admin"]); err != nil || space.Role != "create" {
			t.Error(space, err)
		}
	})
}

func TestInvitationsAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		s := access.New(d)
		admin := h.Members[org.RoleAdmin]
		object := access.SpaceObject(h.spaces[access.Inherit])
		for _, test := range []struct {
			name   string
			object access.Object
			caller account.Caller
			in     access.Invitation
			want   errs.Kind
			says   string
		}{
			{"nobody", object, admin, access.Invitation{Role: "read"}, errs.Invalid, "names nobody"},
			{"too many", object, admin, access.Invitation{Users: make([]string, 101), Role: "read"}, errs.Invalid,
				"up to 100"},
			{"an unknown address", object, admin, access.Invitation{Users: []string{"nobody@example.org"},
				Role: "read"}, errs.Invalid, "nobody@example.org"},
			{"an address of somebody else's", object, admin, access.Invitation{Users: []string{h.Stranger.User.Email},
				Role: "read"}, errs.Invalid, "no member"},
			{"an address that no database takes", object, admin, access.Invitation{Users: []string{"a\x00@example.org"},
				Role: "read"}, errs.Invalid, "no member"},
			{"an unknown user", object, admin, access.Invitation{Users: []string{id.New("user")}, Role: "read"},
				errs.NotFound, "no member"},
			{"an outsider", object, admin, access.Invitation{Users: []string{string(h.Stranger.User.ID)}, Role: "read"},
				errs.NotFound, "no member"},
			{"no id", object, admin, access.Invitation{Users: []string{"somebody"}, Role: "read"}, errs.NotFound,
				"somebody"},
			{"an unknown team", object, admin,
				access.Invitation{Teams: []id.Team{id.Team(id.New("team"))}, Role: "read"},
				errs.NotFound, "no team"},
			{"no role", object, admin, access.Invitation{Users: []string{string(admin.User.ID)}, Role: "owner"},
				errs.Invalid,
				"role"},
			{"no team", object, admin, access.Invitation{Teams: []id.Team{"team"}, Role: "read"}, errs.NotFound,
				"no team"},
			{"an unknown space", access.SpaceObject(id.Space(id.New("space"))), admin,
				access.Invitation{Users: []string{string(admin.User.ID)}, Role: "read"}, errs.NotFound,
				"no such space"},
			{"an unknown collection", access.CollectionObject(id.Collection(id.New("collection"))), admin,
				access.Invitation{Users: []string{string(admin.User.ID)}, Role: "read"}, errs.NotFound,
				"no such collection"},
			{"no collection", access.CollectionObject("x"), admin,
				access.Invitation{Users: []string{string(admin.User.ID)},
					Role: "read"}, errs.NotFound, "no such collection"},
			{"by a reviewer", object, h.Members[org.RoleReview],
				access.Invitation{Users: []string{string(admin.User.ID)},
					Role: "read"}, errs.Forbidden, "review"},
			{"by an outsider", object, h.Stranger,
				access.Invitation{Users: []string{string(admin.User.ID)}, Role: "read"},
				errs.NotFound, "no such space"},
		} {
			err := s.Invite(t.Context(), test.caller, test.object, test.in)
			if !errs.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		if got := granted(t, s, admin, object); len(got) != 0 {
			t.Errorf("there is %v", got)
		}
		for role, caller := range h.Members {
			_, err := s.UserGrants(t.Context(), caller, object, paging.Request{})
			want := errs.Forbidden
			if role == org.RoleGuest {
				want = errs.NotFound
			}
			if may := role.AtLeast(org.RoleEdit); may != (err == nil) || (!may && !errs.Is(err, want)) {
				t.Errorf("%q lists: %v", role, err)
			}
		}
		if _, err := s.UserGrants(t.Context(), admin, object,
			paging.Request{After: []string{"a", "b"}}); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
	})
}
