package spaces

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those on collections, those that move spaces around, and those on who may do what.
func (h *Handlers) Operations() []operation.Operation {
	const (
		space      = "/v1/spaces/{spaceId}"
		collection = "/v1/collections/{collectionId}"
		users      = "/permissions/users"
		teams      = "/permissions/teams"
		direct     = "Only what they were given here itself; the aggregate has everybody with access."
		share      = "Nobody can give more than they have, nor take back what is above their own role."
	)
	empty := operation.Status(http.StatusNoContent)
	return []operation.Operation{
		operation.New("listSpacesInOrganizationById", http.MethodGet, "/v1/orgs/{organizationId}/spaces", "Spaces",
			"List spaces",
			h.listSpaces,
			operation.Describe("Only those that you may read, in the order of the organization.")),
		operation.New("createSpace", http.MethodPost, "/v1/orgs/{organizationId}/spaces", "Spaces", "Create a space",
			h.createSpace,
			operation.Status(http.StatusCreated)),
		operation.New("getSpaceById", http.MethodGet, "/v1/spaces/{spaceId}", "Spaces", "Get a space", h.getSpace,
			operation.Visited(h.visitSpace), operation.Previewed(),
			operation.Agents("space:metadata:read", "space:metadata:write", "space:content:read",
				"space:content:write")),
		operation.New("updateSpaceById", http.MethodPatch, "/v1/spaces/{spaceId}", "Spaces", "Change a space",
			h.updateSpace,
			operation.Describe(
				"Fields that the body leaves out stay as they are; null takes away what may be missing."),
			operation.May(http.StatusConflict)),
		operation.New("deleteSpaceById", http.MethodDelete, "/v1/spaces/{spaceId}", "Spaces", "Delete a space",
			h.deleteSpace,
			operation.Status(http.StatusNoContent), operation.Describe("It can be restored for seven days.")),
		operation.New("listTrash", http.MethodGet, "/v1/orgs/{organizationId}/trash", "Spaces", "List deleted spaces",
			h.listTrash,
			operation.Describe(
				"The spaces that you may restore, the last deleted first. They are there for seven days.")),
		operation.New("purgeSpace", http.MethodDelete, "/v1/orgs/{organizationId}/trash/{spaceId}", "Spaces",
			"Delete a space for good", h.purgeSpace,
			operation.Status(http.StatusNoContent), operation.May(http.StatusConflict),
			operation.Describe(
				"A deleted space, before its seven days are over. Nothing brings it back.")),
		operation.New("restoreSpace", http.MethodPost, "/v1/spaces/{spaceId}/restore", "Spaces",
			"Restore a deleted space", h.restoreSpace,
			operation.May(http.StatusConflict)),

		operation.New("duplicateSpace", http.MethodPost, space+"/duplicate", "Spaces", "Duplicate a space",
			h.duplicateSpace,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict),
			operation.Describe(
				"The copy is behind the space, has its current content with a history of its own, and is open "+
					"to the same people.")),
		operation.New("moveSpace", http.MethodPost, space+"/move", "Spaces", "Move a space", h.moveSpace,
			operation.May(http.StatusConflict)),
		operation.New("transferSpace", http.MethodPost, space+"/transfer", "Spaces", "Transfer a space",
			h.transferSpace,
			operation.May(http.StatusConflict, http.StatusPreconditionFailed),
			operation.Describe(
				"To another organization, to a collection there, or both. What people and teams were given in "+
					"it stays behind.")),

		operation.New("listCollectionsInOrganizationById", http.MethodGet, "/v1/orgs/{organizationId}/collections",
			"Collections",
			"List collections", h.listCollections,
			operation.Describe("Only those that you may see, in the order of the organization.")),
		operation.New("createCollection", http.MethodPost, "/v1/orgs/{organizationId}/collections", "Collections",
			"Create a collection",
			h.createCollection,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict)),
		operation.New("getCollectionById", http.MethodGet, collection, "Collections", "Get a collection",
			h.getCollection),
		operation.New("updateCollectionById", http.MethodPatch, collection, "Collections", "Change a collection",
			h.updateCollection,
			operation.Describe(
				"Fields that the body leaves out stay as they are; null takes away what may be missing.")),
		operation.New("deleteCollectionById", http.MethodDelete, collection, "Collections", "Delete a collection",
			h.deleteCollection,
			operation.Status(http.StatusResetContent),
			operation.Describe("What it holds takes its place one level up.")),
		operation.New("listSpacesInCollectionById", http.MethodGet, collection+"/spaces", "Collections",
			"List the spaces in a collection",
			h.listSpacesInCollection),
		operation.New("moveCollection", http.MethodPost, collection+"/move", "Collections", "Move a collection",
			h.moveCollection,
			operation.May(http.StatusConflict)),
		operation.New("transferCollection", http.MethodPost, collection+"/transfer", "Collections",
			"Transfer a collection",
			h.transferCollection,
			operation.May(http.StatusConflict, http.StatusPreconditionFailed),
			operation.Describe(
				"With all that it holds, to the top of another organization. What people and teams were given "+
					"in it stays behind.")),

		operation.New("inviteToSpace", http.MethodPost, space+"/permissions", "Spaces",
			"Invite people and teams to a space",
			h.inviteToSpace, empty, operation.Describe(share), operation.May(http.StatusConflict)),
		operation.New("listUserPermissionsInSpace", http.MethodGet, space+users, "Spaces",
			"List the people invited to a space",
			h.listUsersInSpace, operation.Describe(direct)),
		operation.New("updateUserPermissionInSpace", http.MethodPatch, space+users+"/{userId}", "Spaces",
			"Change a person's role in a space", h.setUserInSpace, empty, operation.Describe(share),
			operation.May(http.StatusConflict)),
		operation.New("removeUserFromSpace", http.MethodDelete, space+users+"/{userId}", "Spaces",
			"Remove a person from a space",
			h.removeUserFromSpace, empty, operation.Describe(share), operation.May(http.StatusConflict)),
		operation.New("listTeamPermissionsInSpace", http.MethodGet, space+teams, "Spaces",
			"List the teams invited to a space",
			h.listTeamsInSpace, operation.Describe(direct)),
		operation.New("updateTeamPermissionInSpace", http.MethodPatch, space+teams+"/{teamId}", "Spaces",
			"Change a team's role in a space",
			h.setTeamInSpace, empty, operation.Describe(share), operation.May(http.StatusConflict)),
		operation.New("removeTeamFromSpace", http.MethodDelete, space+teams+"/{teamId}", "Spaces",
			"Remove a team from a space",
			h.removeTeamFromSpace, empty, operation.Describe(share), operation.May(http.StatusConflict)),
		operation.New("listPermissionsAggregateInSpace", http.MethodGet, space+"/permissions/aggregate", "Spaces",
			"List everybody with access to a space", h.listEverybodyInSpace),

		operation.New("inviteToCollection", http.MethodPost, collection+"/permissions", "Collections",
			"Invite people and teams to a collection", h.inviteToCollection, empty, operation.Describe(share)),
		operation.New("listUserPermissionsInCollection", http.MethodGet, collection+users, "Collections",
			"List the people invited to a collection", h.listUsersInCollection, operation.Describe(direct)),
		operation.New("updateUserPermissionInCollection", http.MethodPatch, collection+users+"/{userId}", "Collections",
			"Change a person's role in a collection", h.setUserInCollection, empty, operation.Describe(share)),
		operation.New("removeUserFromCollection", http.MethodDelete, collection+users+"/{userId}", "Collections",
			"Remove a person from a collection", h.removeUserFromCollection, empty, operation.Describe(share)),
		operation.New("listTeamPermissionsInCollection", http.MethodGet, collection+teams, "Collections",
			"List the teams invited to a collection", h.listTeamsInCollection, operation.Describe(direct)),
		operation.New("updateTeamPermissionInCollection", http.MethodPatch, collection+teams+"/{teamId}", "Collections",
			"Change a team's role in a collection", h.setTeamInCollection, empty, operation.Describe(share)),
		operation.New("removeTeamFromCollection", http.MethodDelete, collection+teams+"/{teamId}", "Collections",
			"Remove a team from a collection", h.removeTeamFromCollection, empty, operation.Describe(share)),
		operation.New("listPermissionsAggregateInCollection", http.MethodGet, collection+"/permissions/aggregate",
			"Collections",
			"List everybody with access to a collection", h.listEverybodyInCollection),
	}
}
