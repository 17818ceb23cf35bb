// Package searches owns the operations that find pages: in a space, in an organization, on a site.
//
// Only spaces that the caller may read are searched.
package searches

import (
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on searches. Every field is required.
type Handlers struct {
	Access  *access.Service
	Spaces  *space.Service
	Search  *search.Service
	Sites   *site.Service
	Content *store.Service

	Lists         wire.Lists
	Wire          wire.Writer
	ComputedPages *wire.ComputedPages
}
