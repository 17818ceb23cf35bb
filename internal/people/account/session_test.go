package account_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// signedIn starts a session.
func signedIn(t *testing.T, s *account.Service, userID id.User) (string, account.Session) {
	t.Helper()
	secret, session, err := s.StartSession(t.Context(), userID, account.NewSession{Method: account.ByPassword,
		Address: "192.0.2.1", Agent: "Browser/1"})
	if err != nil {
		t.Fatal(err)
	}
	return secret, session
}

func TestSessions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{})
		ctx := t.Context()
		user := newUser(t, s, "ada@example.org")
		secret, session := signedIn(t, s, user.ID)
		caller, err := s.AuthenticateSession(ctx, secret)
		if err != nil || caller.User.ID != user.ID || caller.Session != session || caller.Token.ID != session.ID ||
			!caller.Token.Allows("org:write") {
			t.Fatalf("%+v, %v", caller, err)
		}
		var stored string
		if err := d.Read().QueryRowContext(ctx,
			`SELECT id || method || address || agent FROM account_session WHERE secret_hash IS NOT NULL`).
			Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(stored, secret[4:]) {
			t.Error("the secret is stored")
		}
		for _, bad := range []string{"", secret + "a", "rct_" + secret[4:], "rcs_" + strings.Repeat("a", 40)} {
			_, err := s.AuthenticateSession(ctx, bad)
			wantKind(t, err, errs.Unauthorized, "signed out")
		}
		// A session's secret is no token, and no token is a session.
		_, err = s.Authenticate(ctx, secret)
		wantKind(t, err, errs.Unauthorized, "")
		_, _, err = s.StartSession(ctx, "user_00000000000000000000000000",
			account.NewSession{Method: account.ByPassword})
		wantKind(t, err, errs.NotFound, "no such user")

		if !session.Fresh(clock.Now()) || session.Fresh(clock.Now().Add(30*time.Minute)) ||
			(account.Session{}).Fresh(clock.Now()) {
			t.Error("a session is fresh for half an hour")
		}
	})
}

func TestSessionsEndWhenTheSignInSaysSo(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{})
		user := newUser(t, s, "ada@example.org")
		usual, session := signedIn(t, s, user.ID)
		begin := func(until time.Time) (string, account.Session) {
			t.Helper()
			secret, made, err := s.StartSession(t.Context(), user.ID, account.NewSession{Method: account.BySAML,
				Until: until})
			if err != nil {
				t.Fatal(err)
			}
			return secret, made
		}
		short, made := begin(clock.Now().Add(8 * time.Hour))
		if !made.ExpiresAt.Equal(clock.Now().Add(8 * time.Hour)) {
			t.Errorf("it ends at %s", made.ExpiresAt)
		}
		if _, long := begin(clock.Now().AddDate(5, 0, 0)); !long.ExpiresAt.Equal(session.ExpiresAt) {
			t.Errorf("a session of five years ends at %s, others at %s", long.ExpiresAt, session.ExpiresAt)
		}
		clock.Move(8 * time.Hour)
		if _, err := s.AuthenticateSession(t.Context(), usual); err != nil {
			t.Error(err)
		}
		_, err := s.AuthenticateSession(t.Context(), short)
		wantKind(t, err, errs.Unauthorized, "signed out")
	})
}

func TestSessionsEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{})
		ctx := t.Context()
		user, other := newUser(t, s, "ada@example.org"), newUser(t, s, "bob@example.org")
		idle, _ := signedIn(t, s, user.ID)
		used, _ := signedIn(t, s, user.ID)
		day := 24 * time.Hour
		for days := 0; days < 89; days += 13 {
			if _, err := s.AuthenticateSession(ctx, used); err != nil {
				t.Fatalf("after %d days: %v", days, err)
			}
			clock.Move(13 * day)
		}
		for _, secret := range []string{idle, used} {
			_, err := s.AuthenticateSession(ctx, secret)
			wantKind(t, err, errs.Unauthorized, "signed out")
		}
		if sessions, err := s.ListSessions(ctx, account.Caller{User: user}, paging.Request{}); err != nil ||
			sessions.Count != 0 || len(sessions.Items) != 0 {
			t.Error("ended sessions are listed", sessions.Items, err)
		}

		first, firstSession := signedIn(t, s, user.ID)
		second, secondSession := signedIn(t, s, user.ID)
		third, _ := signedIn(t, s, user.ID)
		foreign, foreignSession := signedIn(t, s, other.ID)
		wantKind(t, s.EndSession(ctx, user.ID, foreignSession.ID), errs.NotFound, "no such session")
		if err := s.EndSession(ctx, user.ID, firstSession.ID); err != nil {
			t.Fatal(err)
		}
		_, err := s.AuthenticateSession(ctx, first)
		wantKind(t, err, errs.Unauthorized, "signed out")
		sessions, err := s.ListSessions(ctx, account.Caller{User: user}, paging.Request{Limit: 1})
		if err != nil || sessions.Count != 2 || len(sessions.Items) != 1 || sessions.Items[0].ID != secondSession.ID ||
			sessions.Next == nil {
			t.Error(sessions.Items, sessions.Count, sessions.Next, err)
		}
		if ended, err := s.EndSessionsBut(ctx, account.Caller{User: user, Session: secondSession}); err != nil ||
			ended != 3 {
			t.Error(ended, err) // the third, and the two that were over by themselves
		}
		_, err = s.AuthenticateSession(ctx, third)
		wantKind(t, err, errs.Unauthorized, "signed out")
		for _, secret := range []string{second, foreign} {
			if _, err := s.AuthenticateSession(ctx, secret); err != nil {
				t.Error(err)
			}
		}
	})
}

// renewed asks for a new secret of the session that a secret belongs to.
func renewed(t *testing.T, s *account.Service, secret string) string {
	t.Helper()
	caller, err := s.AuthenticateSession(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	next, err := s.RenewSession(t.Context(), caller.Session)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func TestSecretsOfSessionsChange(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{})
		ctx := t.Context()
		user := newUser(t, s, "ada@example.org")
		first, _ := signedIn(t, s, user.ID)
		clock.Move(time.Hour - time.Second)
		if next := renewed(t, s, first); next != "" {
			t.Error("a secret is replaced too soon")
		}
		clock.Move(time.Second)

		// Requests side by side get one new secret between them, and all of them go on.
		var wg sync.WaitGroup
		offers := make([]string, 6)
		for i := range offers {
			wg.Go(func() { offers[i] = renewed(t, s, first) })
		}
		wg.Wait()
		lost := strings.Join(offers, "")
		if strings.Count(lost, "rcs_") != 1 {
			t.Fatalf("%d secrets were offered", strings.Count(lost, "rcs_"))
		}
		// The answer with it is lost on its way; the old one works on, and another is offered later.
		clock.Move(time.Minute)
		if next := renewed(t, s, first); next != "" {
			t.Error("another secret is offered at once")
		}
		clock.Move(4 * time.Minute)
		second := renewed(t, s, first)
		if second == "" {
			t.Fatal("no other secret is offered")
		}
		_, err := s.AuthenticateSession(ctx, lost)
		wantKind(t, err, errs.Unauthorized, "")
		for range 2 {
			if _, err := s.AuthenticateSession(ctx, second); err != nil {
				t.Fatal(err)
			}
		}
		// What was on its way with the old secret still arrives; later it is a copy, and ends the session.
		clock.Move(time.Minute - time.Microsecond)
		if _, err := s.AuthenticateSession(ctx, first); err != nil {
			t.Error(err)
		}
		if next := renewed(t, s, second); next != "" {
			t.Error("a new secret is replaced at once")
		}
		clock.Move(time.Microsecond)
		_, err = s.AuthenticateSession(ctx, first)
		wantKind(t, err, errs.Unauthorized, "signed out")
		_, err = s.AuthenticateSession(ctx, second)
		wantKind(t, err, errs.Unauthorized, "signed out")
	})
}

// TestSessionsAreRecorded looks at the audit log of each organization of a user.
func TestSessionsAreRecorded(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		organizations := []id.Organization{"org_a", "org_b"}
		s := accounttest.NewService(account.Deps{DB: d}, account.Hooks{Organizations: func(context.Context, db.Querier,
			id.User) ([]id.Organization, error) {
			return organizations, nil
		}})

		insertOrganizations(t, d, organizations)
		user := newUser(t, s, "ada@example.org")
		_, session := signedIn(t, s, user.ID)
		if err := s.EndSession(ctx, user.ID, session.ID); err != nil {
			t.Fatal(err)
		}
		for _, organization := range organizations {
			if got := recorded(t, d, organization); got != "session.start session.end" {
				t.Errorf("%s has %s", organization, got)
			}
		}
	})
}

// insertOrganizations makes organizations for audit entries.
func insertOrganizations(t *testing.T, d *db.DB, ids []id.Organization) {
	t.Helper()
	for _, each := range ids {
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, `
				INSERT INTO organization (id, title, hostname, type, plan, email_domains, invite_links, created_at,
				updated_at)
				VALUES ($1, $1, $1, 'business', 'free', '[]', $2, 0, 0)`, each, false)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// recorded returns the actions in an organization's audit log, in order.
func recorded(t *testing.T, d *db.DB, organization id.Organization) string {
	t.Helper()
	rows, err := d.Read().QueryContext(t.Context(),
		`SELECT action FROM audit_entry WHERE organization_id = $1 ORDER BY id`, organization)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var actions []string
	for rows.Next() {
		var action string
		if err := rows.Scan(&action); err != nil {
			t.Fatal(err)
		}
		actions = append(actions, action)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(actions, " ")
}

func BenchmarkAuthenticateSession(b *testing.B) {
	s := accounttest.NewService(account.Deps{DB: dbtest.SQLite(b)}, account.Hooks{})
	user, err := s.CreateUser(b.Context(), account.NewUser{DisplayName: "Ada", Email: "ada@example.org"})
	if err != nil {
		b.Fatal(err)
	}
	secret, _, err := s.StartSession(b.Context(), user.ID, account.NewSession{Method: account.ByPassword})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.AuthenticateSession(b.Context(), secret); err != nil {
			b.Fatal(err)
		}
	}
}
