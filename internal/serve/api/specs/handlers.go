// Package specs owns the operations on OpenAPI specifications of an organization and their versions.
package specs

import (
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on specifications. Every field is required.
type Handlers struct {
	Specs *spec.Service

	Lists wire.Lists
	Wire  wire.Writer
}
