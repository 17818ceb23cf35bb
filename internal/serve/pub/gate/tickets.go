package gate

import (
	"net/http"

	"github.com/rectodocs/recto/internal/base/id"
)

// Names of a ticket: in the address that a person is given, and in the cookie that replaces it.
const (
	TicketParameter = "ticket"
	TicketCookie    = "recto_preview"
)

// Previewer returns whom the ticket is for that a request keeps for the previews of a space.
func (g *Gate) Previewer(r *http.Request, spaceID id.Space) (reader string, ok bool) {
	cookie, err := r.Cookie(TicketCookie)
	if err != nil {
		return "", false
	}
	reader, _, ok = g.deps.Previews.Ticket(cookie.Value, string(spaceID))
	return reader, ok
}
