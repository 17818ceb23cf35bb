package space

import (
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
)

// maxDescription is the greatest length of a collection's description, in characters.
const maxDescription = 100

// Collection is a group of spaces and collections, seen by one caller.
type Collection struct {
	// ID is "collection_…".
	ID           id.Collection
	Organization id.Organization
	// Parent is the id of the collection that this one is in; "" at the top.
	Parent id.Collection
	// Title has 1 to 50 characters.
	Title string
	// Description has up to 100 characters.
	Description string
	// DefaultLevel is what members may do with the content who have no grant.
	DefaultLevel access.Level
	// CreatedBy is a user's id; "" when they are gone.
	CreatedBy id.User
	CreatedAt time.Time
	UpdatedAt time.Time
	// Affected are the members who have less in the collection since UpdateCollection changed its default level; nil
	// otherwise.
	Affected *access.Affected
	// Role and Permissions are those of the caller whom the collection was loaded for.
	Role        access.Role
	Permissions access.CollectionPermissions

	position string
}

// NewCollection is the input of CreateCollection. Every field may be left at its zero value.
type NewCollection struct {
	// Title has up to 50 characters; "" becomes "Untitled".
	Title string
	// Description has up to 100 characters.
	Description string
	// Parent is the id of a collection; "" puts the new one at the top.
	Parent id.Collection
}

func (n NewCollection) check() (NewCollection, error) {
	var err error
	if n.Title, err = field.Text("title", n.Title, 0, maxTitle); err != nil {
		return n, err
	}
	n.Description, err = field.Text("description", n.Description, 0, maxDescription)
	if n.Title == "" {
		n.Title = untitled
	}
	return n, err
}

// CollectionChange is the input of UpdateCollection: what is absent stays as it is.
type CollectionChange struct {
	// Title may not be null.
	Title optional.Value[string]
	// Description is taken away by null.
	Description optional.Value[string]
	// DefaultLevel is a role or access.Inherit; null means no access.
	DefaultLevel optional.Value[access.Level]
}

// apply returns the collection as the change makes it, and whether that is another one.
func (c CollectionChange) apply(before Collection) (after Collection, changed bool, err error) {
	after = before
	if c.Title.IsNull() {
		return before, false, errs.Invalidf("title", "may not be null; leave it out to keep it as it is")
	}
	if title, ok := c.Title.Get(); ok {
		if after.Title, err = field.Text("title", title, 1, maxTitle); err != nil {
			return before, false, err
		}
	}
	if c.Description.IsSet() {
		if after.Description, err = field.Text("description", c.Description.Or(""), 0, maxDescription); err != nil {
			return before, false, err
		}
	}
	if after.DefaultLevel, err = applyLevel(c.DefaultLevel, before.DefaultLevel); err != nil {
		return before, false, err
	}
	return after, after != before, nil
}

// seenAs is Space.seenAs for a collection.
func (c Collection) seenAs(role access.Role, userID id.User) Collection {
	c.Role, c.Permissions = role, access.PermissionsInCollection(role, userID != "" && c.CreatedBy == userID)
	return c
}

func noCollection() error {
	return errs.NotFoundf("There is no such collection, or you may not see it.")
}
