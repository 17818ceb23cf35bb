// Package spaces owns the operations on spaces and collections, and on who may do what in them.
package spaces

import (
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on spaces and collections. Every field is required.
type Handlers struct {
	Accounts  *account.Service
	Access    *access.Service
	Spaces    *space.Service
	Changes   *change.Service
	Audiences *audience.Service

	Lists       wire.Lists
	Wire        wire.Writer
	SpaceWriter wire.SpaceWriter
	TeamWriter  wire.TeamWriter
}
