package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
)

// ChangeRequestPath names a change request in a path.
type ChangeRequestPath struct {
	Space         id.Space         `path:"spaceId"`
	ChangeRequest id.ChangeRequest `path:"changeRequestId" doc:"The id, or the number in the space."`
}

// SpacePath names a space, CollectionPath a collection.
type (
	SpacePath struct {
		Space id.Space `path:"spaceId"`
	}
	CollectionPath struct {
		Collection id.Collection `path:"collectionId"`
	}
)

// Object is the space, as permissions name it.
func (p SpacePath) Object() access.Object { return access.SpaceObject(p.Space) }

// Object is the collection, as permissions name it.
func (p CollectionPath) Object() access.Object { return access.CollectionObject(p.Collection) }

// UserPath names a person, TeamPath a team.
type (
	UserPath struct {
		User id.User `path:"userId"`
	}
	TeamPath struct {
		Team id.Team `path:"teamId"`
	}
)

// SiteParams name a site.
type SiteParams struct {
	Organization id.Organization `path:"organizationId"`
	Site         id.Site         `path:"siteId"`
}

// OrganizationPath names an organization.
type OrganizationPath struct {
	Organization id.Organization `path:"organizationId"`
}
