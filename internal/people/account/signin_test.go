package account_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

const adasPassword = "analytical engine"

// signing is a service with one user who has a password.
type signing struct {
	*account.Service
	t     *testing.T
	db    *db.DB
	clock *clock
	ada   account.User
}

func eachSigning(t *testing.T, test func(t *testing.T, s *signing)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &signing{t: t, db: d, clock: newClock()}
		s.Service = accounttest.NewService(account.Deps{
			DB: d, Now: s.clock.Now, Key: []byte("0123456789abcdef")},
			account.Hooks{Organizations: func(context.Context, db.Querier, id.User) ([]id.Organization, error) {
				return []id.Organization{"org_a"}, nil
			}})
		insertOrganizations(t, d, []id.Organization{"org_a"})
		s.ada = newUser(t, s.Service, "ada@example.org")
		if err := s.GivePassword(t.Context(), s.ada, adasPassword); err != nil {
			t.Fatal(err)
		}
		test(t, s)
	})
}

func (s *signing) try(email, password, address, browser string) error {
	s.t.Helper()
	user, err := s.SignInWithPassword(s.t.Context(), account.PasswordAttempt{Email: email, Password: password,
		Address: address, Browser: browser})
	if err == nil && user.ID != s.ada.ID {
		s.t.Errorf("signed in as %+v", user)
	}
	return err
}

// wait returns how long an error says to wait.
func wait(err error) time.Duration {
	if found, ok := errors.AsType[account.WaitError](err); ok && errs.Is(err, errs.TooMany) {
		return found.Wait
	}
	return 0
}

func TestSignInWithPassword(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		if err := s.try(" ADA@example.org ", adasPassword, "192.0.2.1", ""); err != nil {
			t.Error(err)
		}
		var said []string
		for i, test := range []struct{ email, password string }{
			{"ada@example.org", "wrong"}, {"ada@example.org", ""}, {"ada@example.org", strings.ToUpper(adasPassword)},
			{"nobody@example.org", adasPassword}, {"", adasPassword}, {"a\x00@example.org", adasPassword},
			{strings.Repeat("a", 9999), adasPassword},
		} {
			err := s.try(test.email, test.password, fmt.Sprint("198.51.100.", i), "")
			wantKind(t, err, errs.Unauthorized, "")
			said = append(said, err.Error())
		}
		for _, text := range said {
			if text != said[0] {
				t.Errorf("different failures say %q and %q", said[0], text)
			}
		}
		wantKind(t, s.try("ada@example.org", "wrong", "192.0.2.1", ""), errs.Unauthorized, "")
		if methods, err := s.MethodsOf(t.Context(), account.Caller{User: s.ada}); err != nil ||
			methods.PasswordChangedAt.IsZero() ||
			methods.Passkeys != 0 {
			t.Error(methods, err)
		}
	})
}

func TestFailuresHaveToWait(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		for _, email := range []string{"ada@example.org", "nobody@example.org"} {
			for i := range 5 {
				wantKind(t, s.try(email, "wrong", fmt.Sprint("192.0.2.", i), ""), errs.Unauthorized, "")
			}
			for step := range 10 {
				// Attempts that have to wait count nothing, whatever their password and wherever they come from.
				want := min(time.Second<<step, 15*time.Minute)
				for range 3 {
					if got := wait(s.try(email, adasPassword, "203.0.113.7", "")); got != want {
						t.Fatalf("%s has to wait %v in step %d, want %v", email, got, step, want)
					}
				}
				s.clock.Move(want)
				wantKind(t, s.try(email, "wrong", fmt.Sprint("192.0.2.", 100+step), ""), errs.Unauthorized, "")
			}
		}
		if got := recorded(t, s.db, "org_a"); got != "user.prove password.give signin.lock" {
			t.Errorf("recorded %q", got)
		}
		// Never for longer than a quarter of an hour, and then the password works.
		s.clock.Move(15 * time.Minute)
		if err := s.try("ada@example.org", adasPassword, "192.0.2.1", ""); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			wantKind(t, s.try("ada@example.org", "wrong", "192.0.2.1", ""), errs.Unauthorized, "")
		}
		if err := s.try("ada@example.org", adasPassword, "192.0.2.1", ""); err != nil {
			t.Error("a sign-in did not begin a new count:", err)
		}
	})
}

// TestStrangersDoNotLockOut holds that a browser in which somebody signed in is let in while others guess.
func TestStrangersDoNotLockOut(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		bob := newUser(t, s.Service, "bob@example.org")
		known, _ := s.BrowserTicket(s.ada.ID)
		foreign, _ := s.BrowserTicket(bob.ID)
		for i := range 5 {
			wantKind(t, s.try("ada@example.org", "wrong", "192.0.2.1", fmt.Sprint("made up ", i)), errs.Unauthorized,
				"")
		}
		for _, browser := range []string{"", "made up", foreign, known + "x"} {
			if wait(s.try("ada@example.org", adasPassword, "203.0.113.7", browser)) == 0 {
				t.Errorf("browser %q is known", browser)
			}
		}
		if err := s.try("ada@example.org", adasPassword, "203.0.113.7", known); err != nil {
			t.Error(err)
		}
		// A known browser is no way to guess for ever.
		for range 10 {
			wantKind(t, s.try("ada@example.org", "wrong", "203.0.113.7", known), errs.Unauthorized, "")
		}
		if wait(s.try("ada@example.org", adasPassword, "203.0.113.7", known)) == 0 {
			t.Error("a known browser guesses on")
		}
	})
}

func TestAddressesHaveToWait(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		for i := range 30 {
			wantKind(t, s.try(fmt.Sprint("nobody", i, "@example.org"), "wrong", "192.0.2.1", ""), errs.Unauthorized, "")
		}
		if wait(s.try("ada@example.org", adasPassword, "192.0.2.1", "")) == 0 {
			t.Error("the address guesses on")
		}
		if err := s.try("ada@example.org", adasPassword, "192.0.2.2", ""); err != nil {
			t.Error("another address has to wait:", err)
		}
		// Failures of an address are forgotten by the minute, and a sign-in does not clear the rest.
		s.clock.Move(10 * time.Minute)
		if err := s.try("ada@example.org", adasPassword, "192.0.2.1", ""); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			wantKind(t, s.try(fmt.Sprint("nobody", i, "@example.org"), "wrong", "192.0.2.1", ""), errs.Unauthorized, "")
		}
		if wait(s.try("ada@example.org", adasPassword, "192.0.2.1", "")) == 0 {
			t.Error("a sign-in cleared the count of its address")
		}
	})
}

// TestGuessingSideBySide holds that attempts at the same time get no further than one after the other.
func TestGuessingSideBySide(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		var wg sync.WaitGroup
		failures := make([]error, 24)
		for i := range failures {
			wg.Go(func() { failures[i] = s.try("ada@example.org", "wrong", fmt.Sprint("192.0.2.", i), "") })
		}
		wg.Wait()
		looked := 0
		for _, err := range failures {
			if errs.Is(err, errs.Unauthorized) {
				looked++
			} else if wait(err) == 0 {
				t.Error(err)
			}
		}
		if looked != 5 {
			t.Errorf("%d attempts were looked at", looked)
		}
	})
}

func TestSetPassword(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		ctx := t.Context()
		secret, _ := signedIn(t, s.Service, s.ada.ID)
		other, _ := signedIn(t, s.Service, s.ada.ID)
		caller, err := s.AuthenticateSession(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		wantKind(t, s.SetPassword(ctx, caller, adasPassword, "short"), errs.Invalid, "at least 8")
		const second, third = "difference engine", "bernoulli numbers"
		if err := s.SetPassword(ctx, caller, "", second); err != nil {
			t.Fatal("a fresh session needs no current password:", err)
		}
		_, err = s.AuthenticateSession(ctx, other)
		wantKind(t, err, errs.Unauthorized, "signed out")
		if caller, err = s.AuthenticateSession(ctx, secret); err != nil {
			t.Fatal("the session itself has ended:", err)
		}
		s.clock.Move(30 * time.Minute)
		wantKind(t, s.SetPassword(ctx, caller, "", third), errs.Invalid, "current")
		wantKind(t, s.SetPassword(ctx, caller, adasPassword, third), errs.Invalid, "current")
		if err := s.SetPassword(ctx, caller, second, third); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			wantKind(t, s.SetPassword(ctx, caller, "wrong", second), errs.Invalid, "current")
		}
		if wait(s.SetPassword(ctx, caller, third, second)) == 0 {
			t.Error("a session guesses on")
		}
		if err := s.try("ada@example.org", third, "", ""); err != nil {
			t.Error(err)
		}
		wantKind(t, s.try("ada@example.org", second, "", ""), errs.Unauthorized, "")

		bob := newUser(t, s.Service, "bob@example.org")
		secret, _ = signedIn(t, s.Service, bob.ID)
		if caller, err = s.AuthenticateSession(ctx, secret); err != nil {
			t.Fatal(err)
		}
		s.clock.Move(time.Hour)
		wantKind(t, s.SetPassword(ctx, caller, "", third), errs.Precondition, "Sign in again")
	})
}

// mailed asks for a link by mail and returns its secret; "" when there was no mail.
func (s *signing) mailed(email string) (secret string) {
	s.t.Helper()
	err := s.MailResetLink(s.t.Context(), email, func(_ context.Context, _ db.Querier,
		link account.PasswordLink) error {
		secret = link.Secret
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return secret
}

func TestPasswordLinks(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		ctx := t.Context()
		session, _ := signedIn(t, s.Service, s.ada.ID)
		link, err := s.CreatePasswordLink(ctx, s.ada)
		if err != nil {
			t.Fatal(err)
		}
		second := s.mailed("ADA@example.org")
		for _, nobody := range []string{"nobody@example.org", "\x00", ""} {
			if s.mailed(nobody) != "" {
				t.Errorf("%q gets a mail", nobody)
			}
		}
		for range 2 {
			if user, err := s.LinkUser(ctx, link.Secret); err != nil || user.ID != s.ada.ID {
				t.Fatal(user, err)
			}
		}
		end := "7"
		if strings.HasSuffix(link.Secret, end) {
			end = "6"
		}
		for _, bad := range []string{"", "rcl_", "rct_" + link.Secret[4:], link.Secret[:len(link.Secret)-1] + end} {
			_, err := s.LinkUser(ctx, bad)
			wantKind(t, err, errs.NotFound, "used already")
		}
		_, err = s.UsePasswordLink(ctx, link.Secret, "password1", false)
		wantKind(t, err, errs.Invalid, "many people")

		var wg sync.WaitGroup
		used := make([]error, 4)
		for i := range used {
			wg.Go(func() {
				_, used[i] = s.UsePasswordLink(ctx, link.Secret, fmt.Sprint("difference engine ", i), false)
			})
		}
		wg.Wait()
		worked := 0
		for _, err := range used {
			if err == nil {
				worked++
			} else {
				wantKind(t, err, errs.NotFound, "used already")
			}
		}
		if worked != 1 {
			t.Errorf("the link worked %d times", worked)
		}
		_, err = s.LinkUser(ctx, second)
		wantKind(t, err, errs.NotFound, "")
		_, err = s.AuthenticateSession(ctx, session)
		wantKind(t, err, errs.Unauthorized, "")

		if user, err := s.UserByID(ctx, s.ada.ID); err != nil || user.EmailVerifiedAt.IsZero() {
			t.Error("who hands over a link vouches for whom it is for", err)
		}
		if user, err := s.UsePasswordLink(ctx, s.mailed("ada@example.org"), "difference engine", false); err != nil ||
			user.EmailVerifiedAt.IsZero() {
			t.Error("a mailed link shows whose the address is", err)
		}
		late := s.mailed("ada@example.org")
		s.clock.Move(time.Hour)
		_, err = s.UsePasswordLink(ctx, late, "bernoulli numbers", false)
		wantKind(t, err, errs.NotFound, "")
		if err := s.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := s.db.Read().QueryRowContext(ctx, `SELECT count(*) FROM account_link`).Scan(&left); err != nil ||
			left != 0 {
			t.Error(left, err)
		}
		for i := range 4 {
			err = s.CountReset(ctx, "bob@example.org", "192.0.2.1")
			if (i == 3) != errs.Is(err, errs.TooMany) {
				t.Error(i, err)
			}
		}
	})
}

// BenchmarkSignIn is a whole sign-in: counting, the hash, and the session.
func BenchmarkSignIn(b *testing.B) {
	s := accounttest.NewService(account.Deps{DB: dbtest.SQLite(b), Key: []byte("0123456789abcdef")}, account.Hooks{})
	user, err := s.CreateUser(b.Context(), account.NewUser{DisplayName: "Ada", Email: "ada@example.org"})
	if err != nil {
		b.Fatal(err)
	}
	if err := s.GivePassword(b.Context(), user, adasPassword); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.SignInWithPassword(b.Context(), account.PasswordAttempt{Email: user.Email,
			Password: adasPassword, Address: "192.0.2.1"}); err != nil {
			b.Fatal(err)
		}
		if _, _, err := s.StartSession(b.Context(), user.ID,
			account.NewSession{Method: account.ByPassword}); err != nil {
			b.Fatal(err)
		}
	}
}
