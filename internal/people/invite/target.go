package invite

import (
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
)

// Target is a space or a collection that a link is to; the zero Target is the organization itself.
type Target struct {
	Space      id.Space
	Collection id.Collection
}

// IsZero reports whether the target is the organization itself.
func (t Target) IsZero() bool { return t == Target{} }

// Link lets in whoever has its secret.
type Link struct {
	// ID is that of the row; what people see as the id of a link is its secret.
	ID           string
	Organization id.Organization
	Secret       string
	Target       Target
	// Role is what it gives in the target; a guest's is a place without a role, or no access.
	Role org.Role
	// Redundant says that the caller has as much already.
	Redundant bool
	CreatedBy id.User
	CreatedAt time.Time
	UpdatedAt time.Time
	sealed    string
}

func linkTarget(l Link) audit.Target { return audit.Target{Kind: "invite-link", ID: l.ID} }
