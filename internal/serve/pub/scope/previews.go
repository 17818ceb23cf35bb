package scope

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Preview is what a preview shows instead of a space's live content.
type Preview struct {
	// Revision is the id of the revision.
	Revision string
	// Label tells the reader what they see, such as "Change request #3: Say more".
	Label string
}

// Previews lets people who may read a space see it on its site as it would be.
type Previews struct {
	// Ticket returns whom a ticket for previews of a space is for and when it ends; ok is false when it is no good.
	Ticket func(ticket, spaceID string) (userID string, until time.Time, ok bool)
	// Find returns a preview of a space by the number or id in its path; errs.NotFound when there is none, or the user
	// may not read the space.
	Find func(ctx context.Context, userID, spaceID string, kind audience.PreviewKind, name string) (Preview, error)
	// Readable returns which spaces of a site a user may read, by their ids, to look at it as a visitor; errs.NotFound
	// when they may not see the site. Ticket takes the id of a site in the place of a space's for this.
	Readable func(ctx context.Context, userID string, served *site.Served) (map[string]bool, error)
}
