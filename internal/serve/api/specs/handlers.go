// Package specs owns the operations on OpenAPI specifications of an organization and their versions.
package specs

import (
	"context"

	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on specifications. Every field is required.
type Handlers struct {
	Specs *spec.Service
	// Shown returns what the pages that a visitor of a site gets show of specifications, by slug or id.
	Shown func(ctx context.Context, visit *audience.Visit) (map[string]*oas.Shown, error)

	Lists wire.Lists
	Wire  wire.Writer
}
