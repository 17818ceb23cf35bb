package changes

import (
	"net/http"
	"slices"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those on change requests.
func (h *Handlers) Operations() []operation.Operation {
	const (
		tag  = "Change requests"
		list = "/v1/spaces/{spaceId}/change-requests"
		one  = list + "/{changeRequestId}"
	)
	operations := []operation.Operation{
		operation.New("listChangeRequestsForSpace", http.MethodGet, list, tag, "List the change requests of a space",
			h.listChangeRequests,
			operation.Scoped("change-requests"),
			operation.Describe("The newest first, and only the open ones unless status says otherwise.")),
		operation.New("createChangeRequest", http.MethodPost, list, tag, "Create a change request",
			h.createChangeRequest,
			operation.Scoped("change-requests"),
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict),
			operation.Describe("It begins as a draft with the current content of the space. It needs the role edit.")),
		operation.New("getChangeRequestById", http.MethodGet, one, tag, "Get a change request", h.getChangeRequest,
			operation.Scoped("change-requests"), operation.Visited(h.visitChangeRequest), operation.Previewed()),
	}
	return slices.Concat(operations, h.changeFlowOperations(), h.reviewOperations(), h.mergeRuleOperations())
}
