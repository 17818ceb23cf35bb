package accounttest

import (
	"log/slog"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/people/account"
)

// Scopes are those that tokens may have in tests.
var Scopes = []string{"spaces:read", "spaces:write", "users:read", "users:write"}

// NewService returns a service for tests of what needs accounts: what it is not given besides the database does
// nothing, and passwords cost next to nothing.
func NewService(deps account.Deps, hooks account.Hooks) *account.Service {
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	if deps.Key == nil {
		deps.Key = []byte("0123456789abcdef")
	}
	if deps.Scopes == nil {
		deps.Scopes = Scopes
	}
	if deps.PasswordCost == (account.PasswordCost{}) {
		deps.PasswordCost = account.PasswordCost{Memory: 8, Passes: 1}
	}
	if hooks.Enforcement.Closed == nil {
		hooks.Enforcement.Concerns = "1 = 0" // nobody
	}
	return requiredtest.Wire(account.New(deps), hooks)
}
