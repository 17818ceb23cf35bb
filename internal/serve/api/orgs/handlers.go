// Package orgs owns the operations on organizations: their settings and domains, who belongs to them, their teams, and
// the invites and links by which people come in.
package orgs

import (
	"time"

	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on organizations. Every field is required.
type Handlers struct {
	Organizations *org.Service
	Invites       *invite.Service
	Access        *access.Service
	Spaces        *space.Service
	Changes       *change.Service
	Specs         *spec.Service
	Audiences     *audience.Service

	Lists       wire.Lists
	Wire        wire.Writer
	SpaceWriter wire.SpaceWriter
	TeamWriter  wire.TeamWriter
	RuleReader  wire.RuleReader
	Now         func() time.Time
}
