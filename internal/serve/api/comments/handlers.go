// Package comments owns the operations on comments and replies, on spaces and on change requests.
package comments

import (
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on comments. Every field is required.
type Handlers struct {
	Access   *access.Service
	Spaces   *space.Service
	Comments *comment.Service

	Lists wire.Lists
	Wire  wire.Writer
}
