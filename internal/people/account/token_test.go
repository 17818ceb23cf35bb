package account_test

import (
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
)

func TestTokensOfPeople(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		ctx := t.Context()
		bob := newUser(t, s.Service, "bob@example.org")
		secret, _ := signedIn(t, s.Service, s.ada.ID)
		caller, err := s.AuthenticateSession(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = s.CreateTokenAs(ctx, caller, account.NewToken{Name: ""})
		wantKind(t, err, errs.Invalid, "name")
		// Whoever is named as its user, it is the caller's.
		week := s.clock.Now().Add(7 * 24 * time.Hour)
		limited, token, err := s.CreateTokenAs(ctx, caller, account.NewToken{User: bob.ID, Name: "laptop",
			Scopes: []string{"users:write", "spaces:read"}, ExpiresAt: week})
		if err != nil || token.User != s.ada.ID {
			t.Fatal(token, err)
		}
		as, err := s.Authenticate(ctx, limited)
		if err != nil {
			t.Fatal(err)
		}
		for _, more := range []account.NewToken{
			{Name: "n", ExpiresAt: week}, {Name: "n", Scopes: []string{"spaces:write"}, ExpiresAt: week},
			{Name: "n", Scopes: []string{"spaces:read"}}, {Name: "n", Scopes: []string{"spaces:read"},
				ExpiresAt: week.Add(time.Second)},
		} {
			_, _, err := s.CreateTokenAs(ctx, as, more)
			wantKind(t, err, errs.Forbidden, "")
		}
		_, less, err := s.CreateTokenAs(ctx, as, account.NewToken{Name: "n", Scopes: []string{"spaces:read"},
			ExpiresAt: week})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := s.TokenByID(ctx, account.Caller{User: s.ada}, less.ID); err != nil || found.Name != "n" {
			t.Error(found, err)
		}
		for _, unknown := range []string{"", "token_x", "token_00000000000000000000000000"} {
			_, err := s.TokenByID(ctx, account.Caller{User: s.ada}, unknown)
			wantKind(t, err, errs.NotFound, "no such token")
		}
		_, err = s.TokenByID(ctx, account.Caller{User: bob}, less.ID)
		wantKind(t, err, errs.NotFound, "no such token")
		wantKind(t, s.RevokeTokenAs(ctx, account.Caller{User: bob}, less.ID), errs.NotFound, "no such token")
		for range 2 {
			if err := s.RevokeTokenAs(ctx, caller, token.ID); err != nil {
				t.Fatal(err)
			}
		}
		_, err = s.Authenticate(ctx, limited)
		wantKind(t, err, errs.Unauthorized, "revoked")
		s.clock.Move(time.Hour)
		_, _, err = s.CreateTokenAs(ctx, caller, account.NewToken{Name: "n"})
		wantKind(t, err, errs.Precondition, "Sign in again")
		if got := recorded(t, s.db,
			"org_a"); got != "user.prove password.give session.start token.create token.create token.revoke" {
			t.Errorf("recorded %q", got)
		}
	})
}

func TestScopesOfTheServer(t *testing.T) {
	eachSigning(t, func(t *testing.T, s *signing) {
		limited := accounttest.NewService(account.Deps{DB: s.db, Scopes: []string{"spaces:read", "users:read"}},
			account.Hooks{})
		_, _, err := limited.CreateToken(t.Context(), account.NewToken{User: s.ada.ID, Name: "n",
			Scopes: []string{"spaces:write"}})
		wantKind(t, err, errs.Invalid, "spaces:write is not a scope of this server")
		if _, _, err := limited.CreateToken(t.Context(), account.NewToken{User: s.ada.ID, Name: "n",
			Scopes: []string{"users:read"}}); err != nil {
			t.Error(err)
		}
	})
}
