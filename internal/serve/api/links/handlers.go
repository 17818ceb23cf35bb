// Package links owns the operations on links and backlinks of pages, files and reusable contents.
//
// What the caller may not see is told as it is written in the source, without what is behind it.
package links

import (
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on links. Every field is required.
type Handlers struct {
	Organizations *org.Service
	Access        *access.Service
	Spaces        *space.Service
	Content       *store.Service
	Changes       *change.Service
	Specs         *spec.Service
	Links         *link.Service

	Lists               wire.Lists
	Wire                wire.Writer
	SpaceWriter         wire.SpaceWriter
	ChangeRequestWriter wire.ChangeRequestWriter
	UserReader          wire.UserReader
	ComputedPages       *wire.ComputedPages
}
