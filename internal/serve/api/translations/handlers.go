// Package translations owns the operations on translations of spaces: their languages, segments and exchange files.
package translations

import (
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on translations. Every field is required.
type Handlers struct {
	Translations *translation.Service

	Lists wire.Lists
	Wire  wire.Writer
}
