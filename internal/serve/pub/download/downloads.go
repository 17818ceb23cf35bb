// Package download owns the files of sites: files of the content, descriptions of APIs, and PDFs that are made of
// pages.
//
// A file is sent to those who see a page that shows it, and to all who may read the site where no page uses it.
package download

import (
	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/page"
)

const (
	fileUserCacheSize = 200_000  // pages that use files, of all files
	printedCacheSize  = 32 << 20 // bytes, for whom which PDF is
)

// pdfRate is how often an address may have a PDF made, and all together.
var pdfRate = httpx.LimiterConfig{PerSecond: 1.0 / 10, Burst: 12}

// Deps is what Downloads stand on.
type Deps struct {
	Blobs blob.Store
	// Links knows which pages use a file.
	Links *link.Service
	// Prints makes PDFs.
	Prints *print.Service
	// Pages answers where there is nothing to send.
	Pages *page.Pages
}

// Downloads sends files. It is safe for use by many goroutines.
type Downloads struct {
	deps      Deps
	fileUsers cache.Cache[[]fileUser] // by file and the revisions of all spaces of the site
	printed   cache.Cache[string]     // audiences of PDFs, by what is printed and the visitor's claims
	pdfs      cache.Cache[string]     // ids of PDFs by what they show
	preparing singleflight.Group
	pdfLimit  *httpx.Limiter
}

// New returns Downloads. It panics without what they need.
func New(deps Deps) *Downloads {
	required.Must(deps)
	return &Downloads{
		deps: deps,
		fileUsers: cache.Weighted(fileUserCacheSize, func(_ string, users []fileUser) uint32 {
			return uint32(len(users)) + 1
		}),
		printed: cache.Weighted(printedCacheSize, func(key string, _ string) uint32 {
			return uint32(len(key) + 256)
		}),
		pdfs:     cache.Sized[string](maxPDFsKnown),
		pdfLimit: httpx.NewLimiter(pdfRate),
	}
}
