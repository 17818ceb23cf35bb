package access

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Collection is what a caller may do with one collection.
type Collection struct {
	// ID is that of the collection, Organization that of its organization.
	ID           id.Collection
	Organization id.Organization
	// Role is the one that the caller has in the collection, never a guest's.
	Role Role
	// Permissions follow from the role, and from who made the collection.
	Permissions CollectionPermissions
}

// Require returns an errs.Forbidden error when the caller may not do the action.
func (c Collection) Require(action CollectionAction) error {
	switch {
	case action.permitted(c.Permissions):
		return nil
	case action == AdministerCollection && c.Role == org.RoleCreate:
		return errs.Forbiddenf(
			"Your role in this collection is %s; that is enough in collections that you made yourself, others need %s.",
			c.Role, org.RoleAdmin)
	}
	return errs.Forbiddenf("Your role in this collection is %s; this needs %s or higher.", c.Role, action.role())
}

// LoadCollection returns what the caller may do with a collection; errs.NotFound when there is none, or the caller is
// not a member of its organization or has no role in it.
func LoadCollection(ctx context.Context, q db.Querier, caller account.Caller,
	collectionID id.Collection) (Collection, error) {
	collection, err := loadCollectionRole(ctx, q, caller, collectionID)
	if err != nil {
		return Collection{}, err
	}
	if !collection.Permissions.View {
		return Collection{}, noCollection()
	}
	return collection, nil
}

// RequireCollection is LoadCollection followed by Collection.Require.
func RequireCollection(ctx context.Context, q db.Querier, caller account.Caller, collectionID id.Collection,
	action CollectionAction) (Collection, error) {
	collection, err := LoadCollection(ctx, q, caller, collectionID)
	if err == nil {
		err = collection.Require(action)
	}
	return collection, err
}

func noCollection() error {
	return errs.NotFoundf("There is no such collection, or you may not see it.")
}
