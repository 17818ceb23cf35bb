// Package identities owns the operations on single sign-on: SAML and OpenID Connect providers, and the emergency code.
package identities

import (
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on single sign-on. Every field is required.
type Handlers struct {
	Accounts   *account.Service
	Identities *identity.Service

	Lists      wire.Lists
	Wire       wire.Writer
	TeamWriter wire.TeamWriter
}
