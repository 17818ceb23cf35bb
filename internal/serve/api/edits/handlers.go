// Package edits owns the operations that write the content of a space: changes of pages, files, reusable contents and
// variables, uploads and rollbacks, in the main content and in change requests.
package edits

import (
	"log/slog"

	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations that write content. Every field is required.
type Handlers struct {
	Content *store.Service
	Links   *link.Service
	Edits   *edit.Service

	Wire                wire.Writer
	ChangeRequestWriter wire.ChangeRequestWriter
	ComputedPages       *wire.ComputedPages
	Log                 *slog.Logger
}
