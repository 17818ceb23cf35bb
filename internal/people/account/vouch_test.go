package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestCallersReach(t *testing.T) {
	user := account.User{ID: "user_1", EmailVerifiedAt: time.Unix(1, 0)}
	marked := account.Caller{User: user, Token: account.Token{VouchedBy: "org_a"}}
	for name, test := range map[string]struct {
		caller         account.Caller
		a, b, provenly bool
	}{
		"proven":                  {account.Caller{User: user}, true, true, true},
		"proven, no address":      {account.Caller{User: account.User{ID: "user_1"}}, true, true, false},
		"vouched for":             {marked, true, false, false},
		"work in an organization": {account.WorkIn(user, "org_a"), true, false, false},
		"vouched for by something": {account.Caller{User: user, Token: account.Token{VouchedBy: "unknown"}}, false,
			false, false},
	} {
		if a, b, proven := test.caller.Reaches("org_a"), test.caller.Reaches("org_b"),
			test.caller.HasProvenEmail(); a != test.a || b != test.b || proven != test.provenly {
			t.Errorf("%s: a %t, b %t, the address counts %t", name, a, b, proven)
		}
		if err := account.RequireProven(test.caller); errs.Is(err, errs.Forbidden) != (test.caller.VouchedBy() != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestVouchedSeeTheirOwn holds what somebody whom one organization vouches for sees and changes of the account: all
// while it is in no other organization, and what has the same mark from then on.
func TestVouchedSeeTheirOwn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := newClock()
		organizations := []id.Organization{"org_a"}
		for _, each := range []string{"org_a", "org_b"} {
			if _, err := d.Write().ExecContext(t.Context(), `
				INSERT INTO organization (id, title, hostname, type, plan, email_domains, invite_links, created_at,
				updated_at)
				VALUES ($1, $1, $1, 'business', 'free', '[]', $2, 0, 0)`, each, false); err != nil {
				t.Fatal(err)
			}
		}
		s := accounttest.NewService(account.Deps{
			DB: d, Now: clock.Now, Key: []byte("0123456789abcdef")},
			account.Hooks{Organizations: func(context.Context, db.Querier, id.User) ([]id.Organization,
				error) {
				return organizations, nil
			}})
		ctx := t.Context()
		ada := newUser(t, s, "ada@example.org")
		enter := func(vouchedBy id.Organization) account.Caller {
			t.Helper()
			secret, _, err := s.StartSession(ctx, ada.ID, account.NewSession{Method: account.BySAML,
				VouchedBy: vouchedBy})
			if err != nil {
				t.Fatal(err)
			}
			caller, err := s.AuthenticateSession(ctx, secret)
			if err != nil {
				t.Fatal(err)
			}
			return caller
		}
		own, marked, another := enter(""), enter("org_a"), enter("org_b")
		var tokens []account.Token
		for _, caller := range []account.Caller{own, marked, another} {
			_, token, err := s.CreateTokenAs(ctx, caller, account.NewToken{Name: "of " + string(caller.VouchedBy())})
			if err != nil || token.VouchedBy != caller.VouchedBy() {
				t.Fatal(token, err)
			}
			tokens = append(tokens, token)
		}
		sees := func(caller account.Caller, want int) {
			t.Helper()
			sessions, err := s.ListSessions(ctx, caller, paging.Request{})
			if err != nil || len(sessions.Items) != want || sessions.Count != want {
				t.Errorf("%q sees %d of %d sessions, want %d: %v", caller.VouchedBy(), len(sessions.Items),
					sessions.Count, want, err)
			}
			listed, err := s.ListTokens(ctx, caller, paging.Request{})
			if err != nil || len(listed.Items) != want || listed.Count != want {
				t.Errorf("%q sees %d of %d tokens, want %d: %v", caller.VouchedBy(), len(listed.Items), listed.Count,
					want, err)
			}
			for _, token := range tokens {
				_, err := s.TokenByID(ctx, caller, token.ID)
				if seen := err == nil; seen != (want > 1 || token.VouchedBy == caller.VouchedBy()) {
					t.Errorf("%q sees the token %s: %t", caller.VouchedBy(), token.Name, seen)
				}
			}
		}
		sees(own, 3)
		sees(marked, 3) // the account is in org_a alone
		sees(another, 1)
		if err := s.SetPassword(ctx, own, "", "analytical engine"); err != nil {
			t.Fatal(err)
		}
		marked = enter("org_a")
		enter("org_b")

		organizations = []id.Organization{"org_a", "org_b"}
		sees(marked, 1)
		sees(own, 3)
		rename := account.UserChange{DisplayName: optional.Of("Eve")}
		_, err := s.UpdateUser(ctx, marked, rename)
		wantKind(t, err, errs.Forbidden, "opens that organization only")
		wantKind(t, s.SetPassword(ctx, marked, "", "something else"), errs.Forbidden, "opens that organization only")
		if methods, err := s.MethodsOf(ctx, marked); err != nil || !methods.PasswordChangedAt.IsZero() {
			t.Errorf("%+v %v", methods, err)
		}
		wantKind(t, s.RevokeTokenAs(ctx, marked, tokens[0].ID), errs.NotFound, "no such token")
		wantKind(t, s.EndSessionAs(ctx, marked, own.Session.ID), errs.NotFound, "no such session")
		if ended, err := s.EndSessionsBut(ctx, marked); err != nil || ended != 0 {
			t.Error(ended, err)
		}
		link, err := s.CreatePasswordLink(ctx, ada)
		if err != nil {
			t.Fatal(err)
		}
		organizations = []id.Organization{"org_a"}
		if _, err := s.UpdateUser(ctx, marked, rename); err != nil {
			t.Error(err)
		}
		wantKind(t, s.SetPassword(ctx, marked, "", "something else"), errs.Forbidden, "opens that organization only")
		// A password in the place of none leaves the way to prove the address open.
		if _, err := d.Write().ExecContext(ctx, `DELETE FROM account_password`); err != nil {
			t.Fatal(err)
		}
		if err := s.SetPassword(ctx, marked, "", "something else"); err != nil {
			t.Error(err)
		}
		who, err := s.SignInWithPassword(ctx, account.PasswordAttempt{Email: ada.Email, Password: "something else"})
		if err != nil || who.VouchedBy != "org_a" {
			t.Error(who, err)
		}
		if _, err := s.UsePasswordLink(ctx, link.Secret, "difference engine", false); err != nil {
			t.Error(err)
		}
		if who, err = s.SignInWithPassword(ctx, account.PasswordAttempt{Email: ada.Email,
			Password: "difference engine"}); err != nil || who.VouchedBy != "" {
			t.Error(who, err)
		}
		if left, err := s.ListTokens(ctx, account.Caller{User: ada}, paging.Request{}); err != nil ||
			len(left.Items) != 3 ||
			!left.Items[0].RevokedAt.IsZero() || left.Items[1].RevokedAt.IsZero() || left.Items[2].RevokedAt.IsZero() {
			t.Errorf("after the proof there are %+v, %v", left.Items, err)
		}
	})
}
