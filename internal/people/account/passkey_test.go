package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestPasskeys needs the clock of the machine, since the library has no other.
func TestPasskeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		now := time.Now()
		s := accounttest.NewService(account.Deps{
			DB: d, Key: []byte("0123456789abcdef"), BaseURL: "https://docs.example.org", Now: func() time.Time {
				return now
			},
		}, account.Hooks{})
		ada, bob := newUser(t, s, "ada@example.org"), newUser(t, s, "bob@example.org")
		as := func(user account.User) account.Caller {
			secret, _ := signedIn(t, s, user.ID)
			caller, err := s.AuthenticateSession(ctx, secret)
			if err != nil {
				t.Fatal(err)
			}
			return caller
		}
		caller, device := as(ada), accounttest.NewAuthenticator(t, "https://docs.example.org", "docs.example.org")
		begin := func() account.Challenge {
			challenge, err := s.BeginPasskey(ctx, caller)
			if err != nil {
				t.Fatal(err)
			}
			return challenge
		}

		// What makes no passkey.
		challenge := begin()
		_, err := s.AddPasskey(ctx, as(bob), "laptop", challenge.State, device.Register(challenge))
		wantKind(t, err, errs.Invalid, "took too long")
		_, err = s.AddPasskey(ctx, caller, "laptop", challenge.State, []byte(`{}`))
		wantKind(t, err, errs.Invalid, "not a passkey")
		_, err = s.AddPasskey(ctx, caller, "", challenge.State, device.Register(challenge))
		wantKind(t, err, errs.Invalid, "name")
		for name, spoil := range map[string]func(*accounttest.Authenticator){
			"another site":   func(a *accounttest.Authenticator) { a.Origin = "https://docs.example.org.evil.example" },
			"another host":   func(a *accounttest.Authenticator) { a.Host = "evil.example" },
			"not verified":   func(a *accounttest.Authenticator) { a.Flags = 0x01 },
			"nobody present": func(a *accounttest.Authenticator) { a.Flags = 0x04 },
		} {
			bad := *device
			spoil(&bad)
			_, err := s.AddPasskey(ctx, caller, "laptop", challenge.State, bad.Register(challenge))
			wantKind(t, err, errs.Invalid, "not accepted")
			if err == nil {
				t.Error(name)
			}
		}
		answer := device.Register(challenge)
		passkey, err := s.AddPasskey(ctx, caller, " Laptop ", challenge.State, answer)
		if err != nil || passkey.Name != "Laptop" {
			t.Fatal(passkey, err)
		}
		_, err = s.AddPasskey(ctx, caller, "again", challenge.State, answer)
		wantKind(t, err, errs.Invalid, "used already")
		challenge = begin()
		if !strings.Contains(string(challenge.Options), accounttest.Encode(device.ID)) {
			t.Error("the passkey is not excluded")
		}
		_, err = s.AddPasskey(ctx, caller, "again", challenge.State, device.Register(challenge))
		wantKind(t, err, errs.Conflict, "here already")

		// Signing in.
		ask := func() account.Challenge {
			challenge, err := s.BeginPasskeySignIn()
			if err != nil {
				t.Fatal(err)
			}
			return challenge
		}
		challenge = ask()
		answer = device.Sign(challenge)
		user, err := s.SignInWithPasskey(ctx, challenge.State, answer)
		if err != nil || user.ID != ada.ID {
			t.Fatal(user, err)
		}
		_, err = s.SignInWithPasskey(ctx, challenge.State, answer)
		wantKind(t, err, errs.Unauthorized, "")
		_, err = s.SignInWithPasskey(ctx, ask().State, answer)
		wantKind(t, err, errs.Unauthorized, "not known")
		_, err = s.SignInWithPasskey(ctx, begin().State, answer)
		wantKind(t, err, errs.Invalid, "took too long")
		for name, spoil := range map[string]func(*accounttest.Authenticator){
			"another site":   func(a *accounttest.Authenticator) { a.Origin = "https://evil.example" },
			"another host":   func(a *accounttest.Authenticator) { a.Host = "evil.example" },
			"not verified":   func(a *accounttest.Authenticator) { a.Flags = 0x01 },
			"another person": func(a *accounttest.Authenticator) { a.User = []byte(bob.ID) },
			"nobody":         func(a *accounttest.Authenticator) { a.User = []byte("user_x") },
			"another key": func(a *accounttest.Authenticator) {
				a.Key = accounttest.NewAuthenticator(t, "https://docs.example.org", "docs.example.org").Key
			},
			"a copy": func(a *accounttest.Authenticator) { a.Counter = 0 },
		} {
			bad := *device
			spoil(&bad)
			challenge := ask()
			if _, err := s.SignInWithPasskey(ctx, challenge.State, bad.Sign(challenge)); !errs.Is(err,
				errs.Unauthorized) {
				t.Errorf("%s: %v", name, err)
			}
		}

		// What is there.
		if methods, err := s.MethodsOf(ctx, account.Caller{User: ada}); err != nil ||
			!methods.PasswordChangedAt.IsZero() ||
			methods.Passkeys != 1 {
			t.Error(methods, err)
		}
		if err := s.RenamePasskey(ctx, caller, passkey.ID, "Key"); err != nil {
			t.Error(err)
		}
		wantKind(t, s.RenamePasskey(ctx, as(bob), passkey.ID, "Mine"), errs.NotFound, "no such passkey")
		wantKind(t, s.RemovePasskey(ctx, as(bob), passkey.ID), errs.NotFound, "no such passkey")
		passkeys, err := s.ListPasskeys(ctx, account.Caller{User: ada})
		if err != nil || len(passkeys) != 1 || passkeys[0].Name != "Key" || passkeys[0].LastUsedAt.IsZero() {
			t.Error(passkeys, err)
		}
		now = now.Add(time.Hour)
		wantKind(t, s.RemovePasskey(ctx, caller, passkey.ID), errs.Precondition, "Sign in again")
		_, err = s.BeginPasskey(ctx, caller)
		wantKind(t, err, errs.Precondition, "Sign in again")
		if err := s.RemovePasskey(ctx, as(ada), passkey.ID); err != nil {
			t.Fatal(err)
		}
		challenge = ask()
		_, err = s.SignInWithPasskey(ctx, challenge.State, device.Sign(challenge))
		wantKind(t, err, errs.Unauthorized, "not known")
	})
}

func TestPasskeysNeedAName(t *testing.T) {
	d := dbtest.SQLite(t)
	for base, want := range map[string]bool{"https://docs.example.org": true, "http://localhost:8080": true,
		"http://127.0.0.1:8080": false, "http://[::1]:8080": false, "": false} {
		s := accounttest.NewService(account.Deps{DB: d, BaseURL: base}, account.Hooks{})
		if s.PasskeysWork() != want {
			t.Errorf("%s: %v", base, !want)
		}
		if !want {
			_, err := s.BeginPasskeySignIn()
			wantKind(t, err, errs.Precondition, "IP address")
		}
	}
}
