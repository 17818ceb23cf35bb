package api

import (
	"net/http"
	"slices"
)

// changeOperations are those on change requests.
func (a *API) changeOperations() []operation {
	const (
		tag  = "Change requests"
		list = "/v1/spaces/{spaceId}/change-requests"
		one  = list + "/{changeRequestId}"
	)
	operations := []operation{
		row("listChangeRequestsForSpace", get, list, tag, "List the change requests of a space", a.listChangeRequests,
			scoped("change-requests"),
			describe("The newest first, and only the open ones unless status says otherwise.")),
		row("createChangeRequest", post, list, tag, "Create a change request", a.createChangeRequest,
			scoped("change-requests"),
			status(http.StatusCreated), may(http.StatusConflict),
			describe("It begins as a draft with the current content of the space. It needs the role edit.")),
		row("getChangeRequestById", get, one, tag, "Get a change request", a.getChangeRequest,
			scoped("change-requests")),
	}
	return slices.Concat(operations, a.changeFlowOperations(), a.reviewOperations(), a.mergeRuleOperations())
}

// scoped names the resource that a limited token has to cover, where the tag is more than one word.
func scoped(resource string) option {
	return func(op *operation) {
		op.scope = resource + ":write"
		if op.Method == http.MethodGet {
			op.scope = resource + ":read"
		}
	}
}
