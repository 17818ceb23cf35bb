// Package users owns the operations on accounts: who somebody is, and the tokens, sessions and programs of
// the caller.
//
// A caller sees the people of their own organizations and changes their own account only.
package users

import (
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on users. Every field is required.
type Handlers struct {
	Accounts      *account.Service
	Organizations *org.Service
	OAuth         *oauth.Service

	Lists wire.Lists
	Wire  wire.Writer
}
