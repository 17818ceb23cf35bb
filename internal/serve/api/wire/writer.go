package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/coalesce"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/download"
)

// Writer turns objects of the domain into their wire form, as far as nothing has to be read for that.
type Writer struct {
	// BaseURL is the public address of the server without a trailing slash.
	BaseURL string
	// Downloads signs the addresses of files.
	Downloads download.Signer
}

// UserReader reads people whom answers name.
type UserReader struct {
	Accounts *account.Service
}

// RuleReader reads merge rules of organizations.
type RuleReader struct {
	Changes *change.Service
}

// SpaceWriter turns spaces into their wire form.
type SpaceWriter struct {
	Content  *store.Service
	Sites    *site.Service
	Changes  *change.Service
	Comments *comment.Service
	Wire     Writer
}

// TeamWriter turns teams into their wire form, as the caller of a request sees them.
type TeamWriter struct {
	Organizations *org.Service
	Access        *access.Service
	Wire          Writer
}

// ChangeRequestWriter turns change requests into their wire form, as the caller of a request sees them.
type ChangeRequestWriter struct {
	Sites      *site.Service
	Comments   *comment.Service
	Previews   *preview.Service
	UserReader UserReader
	Wire       Writer
}

// ComputedPages works out the pages that computed pages stand for.
type ComputedPages struct {
	Specs *spec.Service
	// states are shared by reads that come at the same time, or while nothing has changed; by space.
	states coalesce.Group[id.Space, string]
}

// NewComputedPages returns the computed pages of spaces. dataVersion is the state of the database, see
// db.DB.DataVersion; nil when it is never known.
func NewComputedPages(specs *spec.Service, dataVersion func() (version coalesce.Version, ok bool)) *ComputedPages {
	c := &ComputedPages{Specs: specs}
	c.states.Version = dataVersion
	return c
}
