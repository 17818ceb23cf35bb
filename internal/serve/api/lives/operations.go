package lives

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are those of live sessions.
func (h *Handlers) Operations() []operation.Operation {
	const (
		request = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}"
		page    = request + "/content/page/{pageId}/live"
		tag     = "Content"
	)
	return []operation.Operation{
		operation.New("openLivePage", http.MethodGet, page, tag, "Write a page together", h.open,
			operation.Writes(), operation.Status(http.StatusSwitchingProtocols),
			operation.May(http.StatusUpgradeRequired),
			operation.Describe(
				"A WebSocket for the body of a page of a change request. Each message is one JSON object, as in the "+
					"operation that exchanges the same messages by requests. The client says hello, gets the state of "+
					"the session or goes on with one that it knows, and sends and gets steps of "+
					"prosemirror-transform. "+
					"A batch is taken when its version is the number of steps that there are; its sender gets it back "+
					"when it is on disk. What is written becomes a revision of the change request after a pause, and "+
					"before anybody reads its content.")),
		operation.New("exchangeLivePage", http.MethodPost, page, tag, "Write a page together by requests", h.exchange,
			operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge),
			operation.Describe(
				"The messages of the WebSocket at this address, where WebSockets do not pass. The first message of a "+
					"client is hello. The answer has the messages for it; with wait it comes when there is one. A "+
					"client that makes no request for 40 seconds has left.")),
		operation.New("listLivePeople", http.MethodGet, request+"/live", tag, "List who writes in a change request",
			h.listPeople,
			operation.Describe("The people who have pages of the change request open to write them, by page.")),
	}
}
