package account_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// clock is a clock that a test moves.
type clock struct {
	mutex sync.Mutex
	now   time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

func (c *clock) Move(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}

func newUser(t *testing.T, s *account.Service, email string) account.User {
	t.Helper()
	user, err := s.CreateUser(t.Context(), account.NewUser{DisplayName: "Ada", Email: email})
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func wantKind(t *testing.T, err error, kind errs.Kind, text string) {
	t.Helper()
	if !errs.Is(err, kind) || !strings.Contains(err.Error(), text) {
		t.Errorf("got error %v, want one of kind %d with %q", err, kind, text)
	}
}

func TestUsers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := accounttest.NewService(account.Deps{DB: d, Now: newClock().Now}, account.Hooks{})
		ctx := t.Context()
		user, err := s.CreateUser(ctx, account.NewUser{DisplayName: " Ada L ", Email: "Ada@Example.org",
			PhotoURL: "https://example.org/a.png"})
		if err != nil {
			t.Fatal(err)
		}
		if user.DisplayName != "Ada L" || user.Email != "Ada@Example.org" ||
			!strings.HasPrefix(string(user.ID), "user_") {
			t.Errorf("made %+v", user)
		}
		byID, err := s.UserByID(ctx, user.ID)
		if diff := cmp.Diff(user, byID); err != nil || diff != "" {
			t.Error(err, diff)
		}
		byEmail, err := s.UserByEmail(ctx, " aDa@eXample.ORG")
		if diff := cmp.Diff(user, byEmail); err != nil || diff != "" {
			t.Error(err, diff)
		}
		_, err = s.CreateUser(ctx, account.NewUser{DisplayName: "Other", Email: "ADA@example.org"})
		wantKind(t, err, errs.Conflict, "is here already")
		for _, unknown := range []id.User{"", "user_", "user_00000000000000000000000000",
			"org_01jd3k00000000000000000000", "x\x00"} {
			_, err = s.UserByID(ctx, unknown)
			wantKind(t, err, errs.NotFound, "no such user")
			_, err = s.UserByEmail(ctx, string(unknown))
			wantKind(t, err, errs.NotFound, "no such user")
		}
		_, err = s.CreateUser(ctx, account.NewUser{DisplayName: "", Email: "b@example.org"})
		wantKind(t, err, errs.Invalid, "displayName")
	})
}

func TestOneUserPerEmailUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
		var wg sync.WaitGroup
		failures := make([]error, 8)
		for i := range failures {
			wg.Go(func() {
				email := "ada@example.org"
				if i%2 == 0 {
					email = "ADA@example.org"
				}
				_, failures[i] = s.CreateUser(t.Context(), account.NewUser{DisplayName: "Ada", Email: email})
			})
		}
		wg.Wait()
		made := 0
		for _, err := range failures {
			if err == nil {
				made++
			} else {
				wantKind(t, err, errs.Conflict, "already")
			}
		}
		if made != 1 {
			t.Errorf("%d users were made", made)
		}
	})
}

func TestAuthenticate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{})
		ctx := t.Context()
		user := newUser(t, s, "ada@example.org")
		secret, token, err := s.CreateToken(ctx, account.NewToken{User: user.ID, Name: "laptop",
			Scopes: []string{"spaces:read"}})
		if err != nil {
			t.Fatal(err)
		}
		if token.Hint != secret[40:] || token.Name != "laptop" {
			t.Errorf("made %+v", token)
		}
		caller, err := s.Authenticate(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(account.Caller{User: user, Token: token}, caller); diff != "" {
			t.Error(diff)
		}

		for _, bad := range []string{"", "Bearer " + secret, "rct_" + strings.Repeat("a", 40), strings.ToUpper(secret),
			secret[:43], "\x00"} {
			_, err := s.Authenticate(ctx, bad)
			wantKind(t, err, errs.Unauthorized, "")
		}

		expiring, _, err := s.CreateToken(ctx, account.NewToken{User: user.ID, Name: "ci",
			ExpiresAt: clock.Now().Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		clock.Move(time.Hour - time.Microsecond)
		if _, err := s.Authenticate(ctx, expiring); err != nil {
			t.Error(err)
		}
		clock.Move(time.Microsecond)
		_, err = s.Authenticate(ctx, expiring)
		wantKind(t, err, errs.Unauthorized, "expired at 2026-11-01T13:00:00Z")

		if err := s.RevokeToken(ctx, user.ID, token.ID); err != nil {
			t.Fatal(err)
		}
		_, err = s.Authenticate(ctx, secret)
		wantKind(t, err, errs.Unauthorized, "revoked")
	})
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		s := accounttest.NewService(account.Deps{DB: d, Now: clock.Now}, account.Hooks{})
		ctx := t.Context()
		user := newUser(t, s, "ada@example.org")
		secret, _, err := s.CreateToken(ctx, account.NewToken{User: user.ID, Name: "laptop"})
		if err != nil {
			t.Fatal(err)
		}
		start := clock.Now()
		for _, step := range []struct{ wait, want time.Duration }{
			{0, 0}, {59 * time.Second, 0}, {time.Second, time.Minute}, {59 * time.Second, time.Minute},
			{time.Hour, time.Hour + 119*time.Second},
		} {
			clock.Move(step.wait)
			if _, err := s.Authenticate(ctx, secret); err != nil {
				t.Fatal(err)
			}
			tokens, err := s.ListTokens(ctx, account.Caller{User: user}, paging.Request{})
			if err != nil {
				t.Fatal(err)
			}
			if got := tokens.Items[0].LastUsedAt.Sub(start); got != step.want {
				t.Errorf("%v after the start the last use is at %v, want %v", clock.Now().Sub(start), got, step.want)
			}
		}
	})
}

func TestTokensAreKeptAsHashes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
		ctx := t.Context()
		user := newUser(t, s, "ada@example.org")
		secret, token, err := s.CreateToken(ctx, account.NewToken{User: user.ID, Name: "laptop"})
		if err != nil {
			t.Fatal(err)
		}
		var stored []byte
		var columns string
		err = d.Read().QueryRowContext(ctx,
			`SELECT secret_hash, name || hint || scopes FROM account_token WHERE id = $1`, token.ID).Scan(&stored,
			&columns)
		if err != nil {
			t.Fatal(err)
		}
		if len(stored) != 32 || strings.Contains(string(stored)+columns, secret[4:39]) {
			t.Error("the secret is stored")
		}
	})
}

func TestListAndRevokeTokens(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
		ctx := t.Context()
		ada, bob := newUser(t, s, "ada@example.org"), newUser(t, s, "bob@example.org")
		const count = 1003
		var want []string
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			want = nil
			for i := range count {
				_, token, err := s.CreateTokenIn(ctx, q, account.NewToken{User: ada.ID, Name: fmt.Sprint("token ", i)})
				if err != nil {
					return err
				}
				want = append(want, token.ID)
			}
			_, _, err := s.CreateTokenIn(ctx, q, account.NewToken{User: bob.ID, Name: "other"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		page := paging.Request{Limit: 100}
		for pages := 1; ; pages++ {
			tokens, err := s.ListTokens(ctx, account.Caller{User: ada}, page)
			if err != nil || tokens.Count != count {
				t.Fatal(tokens.Count, err)
			}
			for _, token := range tokens.Items {
				got = append(got, token.ID)
			}
			if tokens.Next == nil {
				if pages != 11 {
					t.Errorf("%d pages", pages)
				}
				break
			}
			page.After = tokens.Next
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}

		wantKind(t, s.RevokeToken(ctx, bob.ID, want[0]), errs.NotFound, "no such token")
		wantKind(t, s.RevokeToken(ctx, ada.ID, "token_x"), errs.NotFound, "no such token")
		for range 2 {
			if err := s.RevokeToken(ctx, ada.ID, want[0]); err != nil {
				t.Error(err)
			}
		}
		tokens, err := s.ListTokens(ctx, account.Caller{User: ada}, paging.Request{Limit: 2})
		if err != nil || tokens.Items[0].RevokedAt.IsZero() || !tokens.Items[1].RevokedAt.IsZero() {
			t.Error("revocation is not in the list", err)
		}
		_, _, err = s.CreateToken(ctx, account.NewToken{User: "user_00000000000000000000000000", Name: "n"})
		wantKind(t, err, errs.NotFound, "no such user")
		_, err = s.ListTokens(ctx, account.Caller{User: account.User{ID: "nobody"}}, paging.Request{})
		wantKind(t, err, errs.NotFound, "no such user")
	})
}

func BenchmarkAuthenticate(b *testing.B) {
	d := dbtest.SQLite(b)
	s := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
	user, err := s.CreateUser(b.Context(), account.NewUser{DisplayName: "Ada", Email: "ada@example.org"})
	if err != nil {
		b.Fatal(err)
	}
	secret, _, err := s.CreateToken(b.Context(), account.NewToken{User: user.ID, Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Authenticate(b.Context(), secret); err != nil {
			b.Fatal(err)
		}
	}
}
