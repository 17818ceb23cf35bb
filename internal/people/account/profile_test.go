package account_test

import (
	"context"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestUpdateUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
		made, err := accounts.CreateUser(t.Context(), account.NewUser{DisplayName: "Ada", Email: "Ada@Example.org"})
		if err != nil {
			t.Fatal(err)
		}
		changed, err := accounts.UpdateUser(t.Context(), account.Caller{User: made},
			account.UserChange{DisplayName: optional.Of(" Ada L. "),
				PhotoURL: optional.Of("https://example.org/a.png")})
		if err != nil || changed.DisplayName != "Ada L." || changed.PhotoURL != "https://example.org/a.png" {
			t.Error(changed, err)
		}
		if changed, err = accounts.UpdateUser(t.Context(), account.Caller{User: made},
			account.UserChange{PhotoURL: optional.Null[string]()}); err != nil || changed.PhotoURL != "" ||
			changed.DisplayName != "Ada L." {
			t.Error(changed, err)
		}
		for name, test := range map[string]struct {
			user   id.User
			change account.UserChange
			want   errs.Kind
		}{
			"no name":    {made.ID, account.UserChange{DisplayName: optional.Of(" ")}, errs.Invalid},
			"no picture": {made.ID, account.UserChange{PhotoURL: optional.Of("javascript:alert(1)")}, errs.Invalid},
			"nobody":     {"user_none", account.UserChange{DisplayName: optional.Of("Eve")}, errs.NotFound},
		} {
			if _, err := accounts.UpdateUser(t.Context(), account.Caller{User: account.User{ID: test.user}},
				test.change); !errs.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		err = d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			verified, err := accounts.Prove(ctx, q, made.ID, "")
			if err == nil && verified.EmailVerifiedAt.IsZero() {
				t.Error("the address is not verified")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := accounts.UserByEmail(t.Context(), "ada@EXAMPLE.org"); err != nil ||
			found.EmailVerifiedAt.IsZero() || !found.UpdatedAt.After(made.UpdatedAt) {
			t.Error(found, err)
		}
		if domain := account.EmailDomain("a@b@Example.ORG"); domain != "example.org" {
			t.Error(domain)
		}
	})
}
