// Package urls owns the operations that say what is at an address: of the application, of the API, or of a published
// site, for the caller or for a visitor on whose behalf they ask.
package urls

import (
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on addresses. Every field is required.
type Handlers struct {
	Spaces    *space.Service
	Content   *store.Service
	Changes   *change.Service
	Sites     *site.Service
	Audiences *audience.Service
	Specs     *spec.Service
	Previews  *preview.Service

	Wire                wire.Writer
	SpaceWriter         wire.SpaceWriter
	ChangeRequestWriter wire.ChangeRequestWriter
	ComputedPages       *wire.ComputedPages
}
