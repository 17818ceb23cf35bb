package api

import "net/http"

// spacesOperations are those on collections, those that move spaces around, and those on who may do what.
func (a *API) spacesOperations() []operation {
	const (
		space      = "/v1/spaces/{spaceId}"
		collection = "/v1/collections/{collectionId}"
		users      = "/permissions/users"
		teams      = "/permissions/teams"
		direct     = "Only what they were given here itself; the aggregate has everybody with access."
		share      = "Nobody can give more than they have, nor take back what is above their own role."
	)
	empty := status(http.StatusNoContent)
	return []operation{
		row("duplicateSpace", post, space+"/duplicate", "Spaces", "Duplicate a space", a.duplicateSpace,
			status(http.StatusCreated), may(http.StatusConflict),
			describe("The copy is behind the space, has its current content with a history of its own, and is open "+
				"to the same people.")),
		row("moveSpace", post, space+"/move", "Spaces", "Move a space", a.moveSpace, may(http.StatusConflict)),
		row("transferSpace", post, space+"/transfer", "Spaces", "Transfer a space", a.transferSpace,
			may(http.StatusConflict, http.StatusPreconditionFailed),
			describe("To another organization, to a collection there, or both. What people and teams were given in "+
				"it stays behind.")),

		row("listCollectionsInOrganizationById", get, "/v1/orgs/{organizationId}/collections", "Collections",
			"List collections", a.listCollections,
			describe("Only those that you may see, in the order of the organization.")),
		row("createCollection", post, "/v1/orgs/{organizationId}/collections", "Collections", "Create a collection",
			a.createCollection,
			status(http.StatusCreated), may(http.StatusConflict)),
		row("getCollectionById", get, collection, "Collections", "Get a collection", a.getCollection),
		row("updateCollectionById", patch, collection, "Collections", "Change a collection", a.updateCollection,
			describe("Fields that the body leaves out stay as they are; null takes away what may be missing.")),
		row("deleteCollectionById", remove, collection, "Collections", "Delete a collection", a.deleteCollection,
			status(http.StatusResetContent),
			describe("What it holds takes its place one level up.")),
		row("listSpacesInCollectionById", get, collection+"/spaces", "Collections", "List the spaces in a collection",
			a.listSpacesInCollection),
		row("moveCollection", post, collection+"/move", "Collections", "Move a collection", a.moveCollection,
			may(http.StatusConflict)),
		row("transferCollection", post, collection+"/transfer", "Collections", "Transfer a collection",
			a.transferCollection,
			may(http.StatusConflict, http.StatusPreconditionFailed),
			describe("With all that it holds, to the top of another organization. What people and teams were given "+
				"in it stays behind.")),

		row("inviteToSpace", post, space+"/permissions", "Spaces", "Invite people and teams to a space",
			a.inviteToSpace, empty, describe(share), may(http.StatusConflict)),
		row("listUserPermissionsInSpace", get, space+users, "Spaces", "List the people invited to a space",
			a.listUsersInSpace, describe(direct)),
		row("updateUserPermissionInSpace", patch, space+users+"/{userId}", "Spaces",
			"Change a person's role in a space", a.setUserInSpace, empty, describe(share), may(http.StatusConflict)),
		row("removeUserFromSpace", remove, space+users+"/{userId}", "Spaces", "Remove a person from a space",
			a.removeUserFromSpace, empty, describe(share), may(http.StatusConflict)),
		row("listTeamPermissionsInSpace", get, space+teams, "Spaces", "List the teams invited to a space",
			a.listTeamsInSpace, describe(direct)),
		row("updateTeamPermissionInSpace", patch, space+teams+"/{teamId}", "Spaces", "Change a team's role in a space",
			a.setTeamInSpace, empty, describe(share), may(http.StatusConflict)),
		row("removeTeamFromSpace", remove, space+teams+"/{teamId}", "Spaces", "Remove a team from a space",
			a.removeTeamFromSpace, empty, describe(share), may(http.StatusConflict)),
		row("listPermissionsAggregateInSpace", get, space+"/permissions/aggregate", "Spaces",
			"List everybody with access to a space", a.listEverybodyInSpace),

		row("inviteToCollection", post, collection+"/permissions", "Collections",
			"Invite people and teams to a collection", a.inviteToCollection, empty, describe(share)),
		row("listUserPermissionsInCollection", get, collection+users, "Collections",
			"List the people invited to a collection", a.listUsersInCollection, describe(direct)),
		row("updateUserPermissionInCollection", patch, collection+users+"/{userId}", "Collections",
			"Change a person's role in a collection", a.setUserInCollection, empty, describe(share)),
		row("removeUserFromCollection", remove, collection+users+"/{userId}", "Collections",
			"Remove a person from a collection", a.removeUserFromCollection, empty, describe(share)),
		row("listTeamPermissionsInCollection", get, collection+teams, "Collections",
			"List the teams invited to a collection", a.listTeamsInCollection, describe(direct)),
		row("updateTeamPermissionInCollection", patch, collection+teams+"/{teamId}", "Collections",
			"Change a team's role in a collection", a.setTeamInCollection, empty, describe(share)),
		row("removeTeamFromCollection", remove, collection+teams+"/{teamId}", "Collections",
			"Remove a team from a collection", a.removeTeamFromCollection, empty, describe(share)),
		row("listPermissionsAggregateInCollection", get, collection+"/permissions/aggregate", "Collections",
			"List everybody with access to a collection", a.listEverybodyInCollection),
	}
}
