// Package changes owns the operations on change requests: their life, reviews, conflicts and merge rules.
//
// What a change request has as content is read by package contents and written by package edits.
package changes

import (
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on change requests. Every field is required.
type Handlers struct {
	Access   *access.Service
	Changes  *change.Service
	Comments *comment.Service
	Sites    *site.Service

	Lists               wire.Lists
	Wire                wire.Writer
	ChangeRequestWriter wire.ChangeRequestWriter
	UserReader          wire.UserReader
}
