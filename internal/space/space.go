// Package space owns spaces: the table space, its trash and the order of an organization's spaces.
//
// It promises that a list holds exactly the spaces that its caller may read, in an order that stays; that a deleted space
// can be brought back for seven days as it was, with its place; and that every change is checked by package access. What
// a space contains is no matter of this package: making a space and removing one for good call function values that
// package content fills in, in the same transaction.
package space

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/optional"
)

// Retention is how long a deleted space can be restored.
const Retention = 7 * 24 * time.Hour

// Visibility says who may read a space besides those whom access names.
type Visibility string

// Visibilities of a space.
const (
	VisibilityPublic       Visibility = "public"
	VisibilityUnlisted     Visibility = "unlisted"
	VisibilityShareLink    Visibility = "share-link"
	VisibilityVisitorAuth  Visibility = "visitor-auth"
	VisibilityInCollection Visibility = "in-collection"
	VisibilityPrivate      Visibility = "private"
)

// EditMode says whether the main content takes direct writes.
type EditMode string

// Edit modes.
const (
	EditModeLive   EditMode = "live"
	EditModeLocked EditMode = "locked"
)

// Space is a tree of pages with a history, seen by one caller.
type Space struct {
	// ID is "space_…".
	ID           string
	Organization string
	// Title has 1 to 50 characters.
	Title string
	// Emoji is the character itself; "" for none.
	Emoji string
	// Icon is an http address; "" for none. A space has an emoji or an icon, not both.
	Icon       string
	Visibility Visibility
	EditMode   EditMode
	// Language is the code of a language, such as "en" or "pt-br"; "" for none.
	Language string
	// DefaultLevel is what members may do who have no grant.
	DefaultLevel access.Level
	// CreatedBy is a user's id; "" when they are gone.
	CreatedBy string
	CreatedAt time.Time
	UpdatedAt time.Time
	// DeletedAt is when the space went to the trash; zero when it did not.
	DeletedAt time.Time
	// Role and Permissions are those of the caller whom the space was loaded for.
	Role        access.Role
	Permissions access.SpacePermissions

	position string
}

// NewSpace is the input of Create. Every field may be left at its zero value.
type NewSpace struct {
	// Title has up to 50 characters; "" becomes "Untitled".
	Title string
	// Emoji is a character or its code points in hexadecimal.
	Emoji string
	// Parent is the id of a collection.
	Parent   string
	Language string
	// EditMode is EditModeLive when empty.
	EditMode EditMode
}

// Change is the input of Update: what is absent stays as it is.
type Change struct {
	// Title may not be null.
	Title optional.Value[string]
	// Emoji is a character or its code points in hexadecimal; null takes it away. Setting it takes the icon away.
	Emoji optional.Value[string]
	// Icon is an http address; null takes it away. Setting it takes the emoji away.
	Icon optional.Value[string]
	// EditMode may not be null.
	EditMode optional.Value[EditMode]
	// DefaultLevel is a role or access.Inherit; null means no access.
	DefaultLevel optional.Value[access.Level]
	// Language is a code; null takes it away.
	Language optional.Value[string]
}

// Deps is what the service stands on.
type Deps struct {
	DB *db.DB
	// InitContent gives a new space its first revision, in the transaction that makes the space. Required.
	InitContent func(ctx context.Context, q db.Querier, spaceID, userID string, nowMicros int64) error
	// DropContent gives up the content of a space, in the transaction that removes the space for good. Required.
	DropContent func(ctx context.Context, q db.Querier, spaceID string) error
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Service keeps spaces.
type Service struct {
	db          *db.DB
	initContent func(ctx context.Context, q db.Querier, spaceID, userID string, nowMicros int64) error
	dropContent func(ctx context.Context, q db.Querier, spaceID string) error
	now         func() time.Time
}

// New returns a Service.
func New(deps Deps) *Service {
	s := &Service{db: deps.DB, initContent: deps.InitContent, dropContent: deps.DropContent, now: deps.Now}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

func (s *Service) clock() time.Time { return s.now().Truncate(time.Microsecond).UTC() }
