package scope

import (
	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
)

const (
	// How many pages' dependencies are kept, and how many indexes of pages that depend on the visitor.
	varianceCacheSize = 100_000
	ownCacheSize      = 256
)

// Services is what the scopes of all sites share. It is safe for use by many goroutines.
type Services struct {
	Content *store.Service
	// Specs describes APIs.
	Specs *spec.Service
	// Blocks shows blocks of integrations.
	Blocks   *blocks.Service
	Themes   *theme.Set
	Editions *edition.Store
	// BaseURL is the address of the server, SitesDomain the domain below which organizations have hosts, "" for none.
	BaseURL, SitesDomain string
	// Pages keeps what has been rendered, by what it depends on.
	Pages cache.Cache[*response.Response]

	variances cache.Cache[*variance] // by what a page depends on before it is looked at
	own       cache.Cache[*search.Own]
	preparing singleflight.Group
	rendering singleflight.Group
}

// NewServices returns Services that keep rendered pages of cacheSize bytes.
func NewServices(content *store.Service, specs *spec.Service, shows *blocks.Service, themes *theme.Set,
	cacheSize int) *Services {
	return &Services{
		Content: content, Specs: specs, Blocks: shows, Themes: themes, Editions: edition.NewStore(content, specs),
		Pages: cache.Weighted(cacheSize, func(_ string, r *response.Response) uint32 {
			return uint32(r.Size() + 512)
		}),
		variances: cache.Sized[*variance](varianceCacheSize),
		own:       cache.Sized[*search.Own](ownCacheSize),
	}
}
