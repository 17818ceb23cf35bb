package wire

import "github.com/rectodocs/recto/internal/base/id"

// OrganizationMember is a person in an organization.
type OrganizationMember struct {
	Object string  `json:"object" enum:"member"`
	ID     id.User `json:"id"`
	// Role is null for guests.
	Role     RoleOrNull `json:"role"`
	User     User       `json:"user"`
	Disabled bool       `json:"disabled" doc:"Always false: who is not to come in any more is removed."`
	JoinedAt string     `json:"joinedAt" format:"date-time"`
	// LastSeenAt is absent for somebody who never was.
	LastSeenAt string `json:"lastSeenAt,omitempty" format:"date-time"`
	SSO        bool   `json:"sso"`
	Spaces     int    `json:"spaces" doc:"Number of spaces that the member may read."`
	Teams      int    `json:"teams"`
	Sites      int    `json:"sites" doc:"Number of sites that the member may read."`
}
