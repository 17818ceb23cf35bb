package scope

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Preview is what a preview shows instead of a space's live content.
type Preview struct {
	// Revision is the id of the revision.
	Revision id.Revision
	// Label tells the reader what they see, such as "Change request #3: Say more".
	Label string
}

// Previews lets people who may read a space see it on its site as it would be.
type Previews struct {
	// Ticket returns whom a ticket for previews of a subject, the id of a space or site, is for and when it ends; ok is
	// false when it is no good. What it returns of the reader is for the other two functions.
	Ticket func(ticket, subject string) (reader string, until time.Time, ok bool)
	// Find returns a preview of a space by the number or id in its path; errs.NotFound when there is none, or the
	// reader may not read the space.
	Find func(ctx context.Context, reader string, spaceID id.Space, kind audience.PreviewKind,
		name string) (Preview, error)
	// Readable returns which spaces of a site a reader may read, by their ids, to look at it as a visitor;
	// errs.NotFound when they may not see the site.
	Readable func(ctx context.Context, reader string, served *site.Served) (map[id.Space]bool, error)
}
