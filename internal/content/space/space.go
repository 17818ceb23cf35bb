// Package space owns spaces and the collections that hold them: the tables space and collection, the trash of spaces,
// and the one order that all spaces and collections of an organization share.
//
// It promises that a list holds exactly what its caller may read, in an order that stays and that moves follow; that
// collections never hold themselves, whatever moves at the same time; that a deleted space can be brought back for
// seven days as it was, with its place; that deleting a collection deletes nothing else; and that every change is
// checked by package access. What a space contains is no matter of this package: making, copying and removing a space
// call function values that package content fills in, in the same transaction.
package space

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/db"
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
	ID           id.Space
	Organization id.Organization
	// Parent is the id of the collection that the space is in; "" at the top.
	Parent id.Collection
	// Title has 1 to 50 characters.
	Title string
	// Emoji is the character itself; "" for none.
	Emoji string
	// Icon is an http address; "" for none. A space has an emoji or an icon, not both.
	Icon string
	// Visibility is VisibilityInCollection for a private space in a collection.
	Visibility Visibility
	EditMode   EditMode
	// Language is the code of a language, such as "en" or "pt-br"; "" for none.
	Language string
	// DefaultLevel is what members may do who have no grant.
	DefaultLevel access.Level
	// CreatedBy is a user's id; "" when they are gone.
	CreatedBy id.User
	CreatedAt time.Time
	UpdatedAt time.Time
	// DeletedAt is when the space went to the trash; zero when it did not.
	DeletedAt time.Time
	// DeletedBy is the id of who moved it there; "" when they are gone.
	DeletedBy id.User
	// Affected are the members who have less in the space since Update changed its default level; nil otherwise.
	Affected *access.Affected
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
	// Icon is an http address; a space has an emoji or an icon, not both.
	Icon string
	// Parent is the id of a collection; "" puts the space at the top.
	Parent   id.Collection
	Language string
	// EditMode is EditModeLive when empty.
	EditMode EditMode
}

// Change is the input of Update: what is absent stays as it is.
type Change struct {
	// Title may not be null.
	Title optional.Value[string]
	// Emoji is a character or its code points in hexadecimal; null and "" take it away. Setting it takes the icon away.
	Emoji optional.Value[string]
	// Icon is an http address; null and "" take it away. Setting it takes the emoji away.
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
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// InitContent gives a new space its first revision, in the transaction that makes the space.
	InitContent func(ctx context.Context, q db.Querier, spaceID id.Space, userID id.User, nowMicros int64) error
	// DropContent gives up the content of a space, in the transaction that removes the space for good.
	DropContent func(ctx context.Context, q db.Querier, spaceID id.Space) error
	// CopyContent gives a new space the content of a revision, in the transaction that makes the space.
	CopyContent func(ctx context.Context, q db.Querier, fromRevision id.Revision, toSpace id.Space, userID id.User,
		nowMicros int64) error
	// OnSite returns the id of one of the spaces that a site shows, "" when none is.
	OnSite func(ctx context.Context, q db.Querier, spaceIDs []id.Space) (id.Space, error)
	// Transferred lets what else belongs to a space follow it to another organization, in the transaction that moves
	// it.
	Transferred func(ctx context.Context, q db.Querier, spaceID id.Space, organizationID id.Organization) error
	// Came is called when a space has come to an organization, in the transaction that makes or copies it or moves it
	// from another one.
	Came func(ctx context.Context, q db.Querier, spaceID id.Space) error
	// Leaves is called before a space leaves its organization, for another one or for good, in the transaction that
	// moves or removes it.
	Leaves func(ctx context.Context, q db.Querier, spaceID id.Space) error
	// Seen is called when other people come to see a space, or fewer, in the transaction that moves it.
	Seen func(ctx context.Context, q db.Querier, spaceID id.Space, before, after Visibility) error
	// Changed is called in the transaction that changes a space itself, such as its title, puts it into the trash or
	// takes it out.
	Changed func(ctx context.Context, q db.Querier, spaceID id.Space) error `optional:"nobody is told"`
}

// Service keeps spaces and collections.
type Service struct {
	db    *db.DB
	deps  Deps
	hooks required.Hooks[Hooks]
}

// New returns a Service, which needs its Hooks before it is used.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{db: deps.DB, deps: deps}
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// changed tells that a space has changed.
func (s *Service) changed(ctx context.Context, q db.Querier, spaceID id.Space) error {
	if tell := s.hooks.Get().Changed; tell != nil {
		return tell(ctx, q, spaceID)
	}
	return nil
}

func (s *Service) clock() time.Time { return s.deps.Now().Truncate(time.Microsecond).UTC() }
