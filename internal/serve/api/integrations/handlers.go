// Package integrations owns the operations on integrations and on where they are installed.
package integrations

import (
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/publish/computed"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on integrations. Every field is required.
type Handlers struct {
	Organizations *org.Service
	Spaces        *space.Service
	Sites         *site.Service
	Integrations  *integration.Service
	Dispatch      *dispatch.Service
	Computed      *computed.Service

	Lists       wire.Lists
	Wire        wire.Writer
	SpaceWriter wire.SpaceWriter
	RuleReader  wire.RuleReader
}
