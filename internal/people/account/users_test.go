package account_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/account/accounttest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestUsersByIDs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		accounts := accounttest.NewService(account.Deps{DB: d}, account.Hooks{})
		var wanted []id.User
		for _, email := range []string{"ada@example.org", "grace@example.org"} {
			user, err := accounts.CreateUser(t.Context(), account.NewUser{DisplayName: email, Email: email})
			if err != nil {
				t.Fatal(err)
			}
			wanted = append(wanted, user.ID)
		}
		// More than one statement takes, most of them of nobody, one of them twice.
		asked := []id.User{wanted[0], wanted[0], ""}
		for range 1100 {
			asked = append(asked, id.User(id.New("user")))
		}
		found, err := accounts.UsersByIDs(t.Context(), append(asked, wanted[1]))
		if err != nil || len(found) != 2 || found[wanted[0]].Email != "ada@example.org" ||
			found[wanted[1]].DisplayName != "grace@example.org" {
			t.Errorf("%+v, %v", found, err)
		}
		if found, err := accounts.UsersByIDs(t.Context(), nil); err != nil || len(found) != 0 {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

func TestEmailKey(t *testing.T) {
	if a, b := account.EmailKey(" Ada@Example.ORG"), account.EmailKey("ada@example.org"); a != b {
		t.Errorf("%q and %q are two addresses", a, b)
	}
}
