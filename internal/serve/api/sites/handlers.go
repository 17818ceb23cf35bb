// Package sites owns the operations on sites: what is on them and in which order, where they redirect, how they look,
// who reads them, and what readers answered.
package sites

import (
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on sites. Every field is required.
type Handlers struct {
	Sites     *site.Service
	Feedback  *feedback.Service
	Visits    *visit.Service
	Content   *store.Service
	Audiences *audience.Service
	Previews  *preview.Service

	Lists       wire.Lists
	Wire        wire.Writer
	SpaceWriter wire.SpaceWriter
}
