// Package contents owns the operations that read the content of a space: revisions, pages, files and reusable
// contents, on main, in a revision or in a change request, and what differs between two revisions.
//
// An answer from a revision never changes while the revision, the specifications that it uses and the day are the same:
// it is kept, and has an entity tag. Every read asks first whether the caller may read the space.
package contents

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/coalesce"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// maxShownSpecs is for how many audiences is kept what they are shown of specifications.
const maxShownSpecs = 64

// Handlers answers the operations on content. Every field is required.
type Handlers struct {
	Access  *access.Service
	Content *store.Service
	Changes *change.Service
	Links   *link.Service
	Sites   *site.Service
	Blobs   blob.Store

	Lists               wire.Lists
	Wire                wire.Writer
	ChangeRequestWriter wire.ChangeRequestWriter
	UserReader          wire.UserReader
	ComputedPages       *wire.ComputedPages
	// Icon draws an icon by its name; see render.Options.
	Icon func(name string) string

	// Reads of one caller that come at the same time, or while nothing has changed, share what they may.
	readable coalesce.Group[readableKey, access.Space]
	shownAt  coalesce.Group[id.Space, site.Shown] // by space
	pages    pageCache
	// specsShown is what audiences are shown of specifications.
	specsShown cache.Cache[map[string]*oas.Shown]
}

// New completes handlers that have their exported fields. dataVersion is the state of the database, see
// db.DB.DataVersion; nil when it is never known.
func New(h *Handlers, dataVersion func() (version coalesce.Version, ok bool)) *Handlers {
	h.readable.Version, h.shownAt.Version = dataVersion, dataVersion
	h.pages, h.specsShown = newPageCache(), cache.Sized[map[string]*oas.Shown](maxShownSpecs)
	return h
}
