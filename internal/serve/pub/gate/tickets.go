package gate

import "net/http"

// Names of a ticket: in the address that a person is given, and in the cookie that replaces it.
const (
	TicketParameter = "ticket"
	TicketCookie    = "recto_preview"
)

// Previewer returns whom the ticket is for that a request keeps for the previews of a space.
func (g *Gate) Previewer(r *http.Request, spaceID string) (userID string, ok bool) {
	cookie, err := r.Cookie(TicketCookie)
	if err != nil {
		return "", false
	}
	userID, _, ok = g.deps.Previews.Ticket(cookie.Value, spaceID)
	return userID, ok
}
