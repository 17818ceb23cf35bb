package users_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// TestPasswordsTakeTheirCost holds that the commands and the server keep passwords as OWASP asks for at least. Signing
// in makes a hash anew that was made at another cost than the server's.
func TestPasswordsTakeTheirCost(t *testing.T) {
	s := apptest.OnSQLite(t, func(settings *config.Serve) {
		settings.CheapPasswords = config.Defaults("").CheapPasswords // other tests take little
	})
	kept := func(by string) {
		t.Helper()
		var hash string
		if err := s.Database().Read().QueryRowContext(t.Context(), `SELECT hash FROM account_password`).
			Scan(&hash); err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("%s keeps %q (%v)", by, hash, err)
		}
	}
	if _, err := app.SetPassword(t.Context(), s.Storage, "ada@example.org", apptest.AdasPassword,
		slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	kept("the command")
	s.BrowserOf(apptest.AdasPassword)
	kept("the server")
}
