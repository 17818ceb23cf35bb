package org_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func services(t *testing.T, d *db.DB) (*account.Service, *org.Service) {
	t.Helper()
	accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
	return accounts, orgtest.NewService(t, org.Deps{DB: d, Accounts: accounts}, org.Hooks{})
}

func newCaller(t *testing.T, accounts *account.Service, email string) account.Caller {
	t.Helper()
	user, err := accounts.CreateUser(t.Context(), account.NewUser{DisplayName: "U", Email: email, EmailVerified: true})
	if err != nil {
		t.Fatal(err)
	}
	return account.Caller{User: user}
}

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v, want one of kind %d with %q", err, kind, text)
	}
}

// counts returns the number of rows in the tables that setting up fills.
func counts(t *testing.T, d *db.DB) [5]int {
	t.Helper()
	var n [5]int
	for i, table := range []string{"account_user", "account_token", "organization", "organization_member",
		"installation"} {
		if err := d.Read().QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n[i]); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestInit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ctx := t.Context()
		for _, bad := range []org.Setup{{Title: "A", Email: "ada@example.org"}, {Title: "Acme", Email: "ada"}, {}} {
			_, err := orgs.Init(ctx, bad)
			wantKind(t, err, errs.Invalid, "")
		}
		if n := counts(t, d); n != [5]int{} {
			t.Errorf("a failed call left rows: %v", n)
		}
		made, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "ada@example.org", Name: "Ada"})
		if err != nil {
			t.Fatal(err)
		}
		if made.Organization.Hostname != "acme" || made.Role != org.RoleAdmin || made.User.DisplayName != "Ada" {
			t.Errorf("made %+v", made)
		}
		caller, err := accounts.Authenticate(ctx, made.Secret)
		if err != nil || caller.User != made.User {
			t.Fatal(caller, err)
		}
		membership, err := orgs.Get(ctx, caller, made.Organization.ID)
		if diff := cmp.Diff(made.Organization, membership.Organization); err != nil || diff != "" ||
			membership.Role != org.RoleAdmin {
			t.Error(err, diff)
		}
		before := counts(t, d)
		if before != [5]int{1, 1, 1, 1, 1} {
			t.Errorf("made %v rows", before)
		}
		_, err = orgs.Init(ctx, org.Setup{Title: "Other", Email: "bob@example.org"})
		wantKind(t, err, errs.Conflict, "set up already")
		if after := counts(t, d); after != before {
			t.Errorf("the second call changed rows: %v, then %v", before, after)
		}
	})
}

func TestInitRefusesADatabaseWithAnyUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		newCaller(t, accounts, "ada@example.org")
		_, err := orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: "bob@example.org"})
		wantKind(t, err, errs.Conflict, "set up already")
		if n := counts(t, d); n != [5]int{1, 0, 0, 0, 0} {
			t.Errorf("rows: %v", n)
		}
	})
}

func TestInitUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		_, orgs := services(t, d)
		failures := make([]error, 6)
		var wg sync.WaitGroup
		for i := range failures {
			wg.Go(func() {
				_, failures[i] = orgs.Init(t.Context(), org.Setup{Title: "Acme", Email: fmt.Sprintf("u%d@example.org",
					i)})
			})
		}
		wg.Wait()
		made := 0
		for _, err := range failures {
			if err == nil {
				made++
			} else {
				wantKind(t, err, errs.Conflict, "set up already")
			}
		}
		if n := counts(t, d); made != 1 || n != [5]int{1, 1, 1, 1, 1} {
			t.Errorf("%d calls succeeded and made %v rows", made, n)
		}
	})
}

func TestCreateAndGet(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ctx := t.Context()
		ada, bob := newCaller(t, accounts, "ada@example.org"), newCaller(t, accounts, "bob@example.org")
		made, err := orgs.Create(ctx, ada, org.NewOrganization{Title: " Acme ", EmailDomains: []string{"Example.org"},
			UseCase: org.UseNotes})
		if err != nil {
			t.Fatal(err)
		}
		want := org.Organization{
			ID: made.Organization.ID, Title: "Acme", Hostname: "acme", Type: org.TypeBusiness, UseCase: org.UseNotes,
			Plan:         "enterprise_2024",
			EmailDomains: []string{"example.org"}, DefaultRole: org.RoleRead, InviteLinks: true,
			CreatedAt: made.Organization.CreatedAt, UpdatedAt: made.Organization.CreatedAt,
		}
		if diff := cmp.Diff(want, made.Organization); diff != "" || made.Role != org.RoleAdmin {
			t.Error(diff)
		}
		got, err := orgs.Get(ctx, ada, want.ID)
		if diff := cmp.Diff(made, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		byHost, err := orgs.ByHostname(ctx, "acme")
		if diff := cmp.Diff(want, byHost); err != nil || diff != "" {
			t.Error(err, diff)
		}
		byID, err := orgs.ByID(ctx, want.ID)
		if diff := cmp.Diff(want, byID); err != nil || diff != "" {
			t.Error(err, diff)
		}
		_, err = orgs.Get(ctx, bob, want.ID)
		wantKind(t, err, errs.NotFound, "not a member")
		for _, unknown := range []id.Organization{"", "acme", id.Organization(id.New("org")), "org_\x00", "\xff"} {
			_, err = orgs.Get(ctx, ada, unknown)
			wantKind(t, err, errs.NotFound, "no such organization")
			_, err = orgs.ByID(ctx, unknown)
			wantKind(t, err, errs.NotFound, "no such organization")
		}
		for _, unknown := range []id.Organization{"", "acm", want.ID, "acme\x00", "ACME"} {
			_, err = orgs.ByHostname(ctx, string(unknown))
			wantKind(t, err, errs.NotFound, "no such organization")
		}
		_, err = orgs.Create(ctx, bob, org.NewOrganization{Title: "Acme", Hostname: "acme"})
		wantKind(t, err, errs.Conflict, "hostname acme belongs to another")
		guestless, err := orgs.Create(ctx, bob, org.NewOrganization{Title: "Bobs", Hostname: "bobs-place"})
		if err != nil || guestless.Organization.Hostname != "bobs-place" || guestless.Organization.EmailDomains == nil {
			t.Error(guestless, err)
		}
	})
}

func TestHostnamesUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ada := newCaller(t, accounts, "ada@example.org")
		made := make([]org.Membership, 8)
		failures := make([]error, len(made))
		var wg sync.WaitGroup
		for i := range made {
			wg.Go(func() { made[i], failures[i] = orgs.Create(t.Context(), ada, org.NewOrganization{Title: "Acme"}) })
		}
		wg.Wait()
		seen := map[string]bool{}
		for i, m := range made {
			if failures[i] != nil || seen[m.Organization.Hostname] {
				t.Errorf("%q, %v", m.Organization.Hostname, failures[i])
			}
			seen[m.Organization.Hostname] = true
		}
		for i := range made {
			want := "acme"
			if i > 0 {
				want = fmt.Sprintf("acme-%d", i+1)
			}
			if !seen[want] {
				t.Errorf("nobody got %s: %v", want, seen)
			}
		}

		failures = make([]error, 4)
		for i := range failures {
			wg.Go(func() {
				_, failures[i] = orgs.Create(t.Context(), ada, org.NewOrganization{Title: "Other", Hostname: "chosen"})
			})
		}
		wg.Wait()
		won := 0
		for _, err := range failures {
			if err == nil {
				won++
			} else {
				wantKind(t, err, errs.Conflict, "belongs to another")
			}
		}
		if won != 1 {
			t.Errorf("%d organizations got one hostname", won)
		}
	})
}

func TestListForUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ctx := t.Context()
		ada, bob := newCaller(t, accounts, "ada@example.org"), newCaller(t, accounts, "bob@example.org")
		const count = 1007
		want, err := org.CreateMany(ctx, orgs, ada, count)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := orgs.AddMember(ctx, want[5], bob.User.ID, org.RoleGuest); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int{0, 1000} {
			var got []id.Organization
			page := paging.Request{Limit: limit}
			for {
				memberships, err := orgs.ListForUser(ctx, ada, page)
				if err != nil || memberships.Count != count || len(memberships.Items) > page.Size() {
					t.Fatal(memberships.Count, len(memberships.Items), err)
				}
				for _, m := range memberships.Items {
					got = append(got, m.Organization.ID)
				}
				if memberships.Next == nil {
					break
				}
				page.After = memberships.Next
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		}
		memberships, err := orgs.ListForUser(ctx, bob, paging.Request{})
		if err != nil || memberships.Count != 1 || memberships.Next != nil ||
			memberships.Items[0].Organization.ID != want[5] ||
			memberships.Items[0].Role != org.RoleGuest {
			t.Error(memberships.Items, memberships.Count, memberships.Next, err)
		}
		nobody := newCaller(t, accounts, "carol@example.org")
		memberships, err = orgs.ListForUser(ctx, nobody, paging.Request{})
		if err != nil || memberships.Count != 0 || memberships.Next != nil || len(memberships.Items) != 0 {
			t.Error(memberships.Items, memberships.Count, memberships.Next, err)
		}
		_, err = orgs.ListForUser(ctx, ada, paging.Request{After: []string{"x"}})
		wantKind(t, err, errs.Invalid, "cursor")
	})
}

func TestMembers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ctx := t.Context()
		ada, bob := newCaller(t, accounts, "ada@example.org"), newCaller(t, accounts, "bob@example.org")
		made, err := orgs.Create(ctx, ada, org.NewOrganization{Title: "Acme"})
		if err != nil {
			t.Fatal(err)
		}
		organization := made.Organization.ID
		_, err = orgs.Membership(ctx, organization, bob.User.ID)
		wantKind(t, err, errs.NotFound, "no such member")
		for _, role := range []org.Role{org.RoleGuest, org.RoleEdit, org.RoleEdit, org.RoleAdmin, org.RoleRead} {
			added, err := orgs.AddMember(ctx, organization, bob.User.ID, role)
			if err != nil || added.Role != role {
				t.Fatal(added, err)
			}
			got, err := orgs.Membership(ctx, organization, bob.User.ID)
			if diff := cmp.Diff(added, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		}
		_, err = orgs.AddMember(ctx, organization, ada.User.ID, org.RoleCreate)
		wantKind(t, err, errs.Conflict, "only admin")
		_, err = orgs.AddMember(ctx, organization, bob.User.ID, "owner")
		wantKind(t, err, errs.Invalid, "one of admin")
		_, err = orgs.AddMember(ctx, organization, id.User(id.New("user")), org.RoleRead)
		wantKind(t, err, errs.NotFound, "no such user")
		_, err = orgs.AddMember(ctx, id.Organization(id.New("org")), bob.User.ID, org.RoleRead)
		wantKind(t, err, errs.NotFound, "no such")
		_, err = orgs.Membership(ctx, "x\x00", bob.User.ID)
		wantKind(t, err, errs.NotFound, "no such member")
	})
}

// TestOneAdminStaysUnderRace lets two admins take the role from each other at the same time.
func TestOneAdminStaysUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ctx := t.Context()
		ada, bob := newCaller(t, accounts, "ada@example.org"), newCaller(t, accounts, "bob@example.org")
		for range 5 {
			made, err := orgs.Create(ctx, ada, org.NewOrganization{Title: "Acme"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := orgs.AddMember(ctx, made.Organization.ID, bob.User.ID, org.RoleAdmin); err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup
			failures := make([]error, 2)
			for i, user := range []id.User{ada.User.ID, bob.User.ID} {
				wg.Go(func() { _, failures[i] = orgs.AddMember(ctx, made.Organization.ID, user, org.RoleEdit) })
			}
			wg.Wait()
			if (failures[0] == nil) == (failures[1] == nil) {
				t.Errorf("both or neither lost the role: %v", failures)
			}
		}
	})
}

func TestAddUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts, orgs := services(t, d)
		ctx := t.Context()
		made, err := orgs.Init(ctx, org.Setup{Title: "Acme", Email: "ada@example.org"})
		if err != nil {
			t.Fatal(err)
		}
		first, err := orgs.AddUser(ctx, org.NewMember{Email: "Bob@example.org", Name: "Bob",
			Organization: made.Organization.ID, Role: org.RoleEdit})
		if err != nil || first.User.DisplayName != "Bob" || first.Role != org.RoleEdit {
			t.Fatal(first, err)
		}
		again, err := orgs.AddUser(ctx, org.NewMember{Email: "bob@EXAMPLE.org", Name: "Robert", Organization: "acme",
			Role: org.RoleReview})
		if err != nil || again.User != first.User || again.Role != org.RoleReview || again.Secret == first.Secret {
			t.Fatal(again, err)
		}
		for _, secret := range []string{first.Secret, again.Secret} {
			if caller, err := accounts.Authenticate(ctx, secret); err != nil || caller.User != first.User {
				t.Error(caller, err)
			}
		}
		member, err := orgs.Membership(ctx, made.Organization.ID, first.User.ID)
		if err != nil || member.Role != org.RoleReview {
			t.Error(member, err)
		}
		guest, err := orgs.AddUser(ctx, org.NewMember{Email: "carol@example.org", Organization: "acme"})
		if err != nil || guest.User.DisplayName != "carol" || guest.Role != org.RoleGuest {
			t.Error(guest, err)
		}

		before := counts(t, d)
		for _, bad := range []struct {
			in   org.NewMember
			kind errs.Kind
			text string
		}{
			{org.NewMember{Email: "d@example.org", Organization: "nowhere", Role: org.RoleRead}, errs.NotFound,
				`hostname "nowhere"`},
			{org.NewMember{Email: "d@example.org", Organization: id.Organization(id.New("org")), Role: org.RoleRead},
				errs.NotFound,
				"no organization with the id"},
			{org.NewMember{Email: "d@example.org", Organization: "\x00", Role: org.RoleRead}, errs.NotFound,
				"no organization"},
			{org.NewMember{Email: "d", Organization: "acme", Role: org.RoleRead}, errs.Invalid, "email"},
			{org.NewMember{Email: "d@example.org", Organization: "acme", Role: "owner"}, errs.Invalid, "role"},
			{org.NewMember{Email: "ada@example.org", Organization: "acme", Role: org.RoleRead}, errs.Conflict,
				"only admin"},
		} {
			_, err := orgs.AddUser(ctx, bad.in)
			wantKind(t, err, bad.kind, bad.text)
		}
		if after := counts(t, d); after != before {
			t.Errorf("failed calls changed rows: %v, then %v", before, after)
		}
	})
}
