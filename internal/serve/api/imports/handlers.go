// Package imports owns the operations that bring content into a space from elsewhere, follow that work, and export a
// space.
package imports

import (
	"log/slog"

	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on imports and exports. Every field is required.
type Handlers struct {
	Access  *access.Service
	Content *store.Service
	Imports *importer.Service

	Lists wire.Lists
	Wire  wire.Writer
	Log   *slog.Logger
}
