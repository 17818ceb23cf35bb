package wire

import (
	"github.com/rectodocs/recto/internal/people/access"
)

// ChangeRequestPath names a change request in a path.
type ChangeRequestPath struct {
	Space         string `path:"spaceId"`
	ChangeRequest string `path:"changeRequestId" doc:"The id, or the number in the space."`
}

// SpacePath names a space, CollectionPath a collection.
type (
	SpacePath struct {
		Space string `path:"spaceId"`
	}
	CollectionPath struct {
		Collection string `path:"collectionId"`
	}
)

// Object is the space, as permissions name it.
func (p SpacePath) Object() access.Object { return access.SpaceObject(p.Space) }

// Object is the collection, as permissions name it.
func (p CollectionPath) Object() access.Object { return access.CollectionObject(p.Collection) }

// UserPath names a person, TeamPath a team.
type (
	UserPath struct {
		User string `path:"userId"`
	}
	TeamPath struct {
		Team string `path:"teamId"`
	}
)

// SiteParams name a site.
type SiteParams struct {
	Organization string `path:"organizationId"`
	Site         string `path:"siteId"`
}

// OrganizationPath names an organization.
type OrganizationPath struct {
	Organization string `path:"organizationId"`
}
