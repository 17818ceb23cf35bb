package gate

import (
	"net/http"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/preview"
)

// Names of a ticket: in the address that a person is given, and in the cookie that replaces it.
const (
	TicketParameter = "ticket"
	TicketCookie    = "recto_preview"
)

// Preview returns what a preview of a space shows to whoever sends a request, by the ticket in its address or else the
// one that it keeps; nil when it is not there for them.
func (g *Gate) Preview(r *http.Request, spaceID id.Space, asked audience.Preview) (*preview.Found, error) {
	tickets := []string{r.URL.Query().Get(TicketParameter)}
	if cookie, err := r.Cookie(TicketCookie); err == nil {
		tickets = append(tickets, cookie.Value)
	}
	for _, ticket := range tickets {
		holder, ok, err := g.deps.Previews.Holder(r.Context(), ticket, string(spaceID))
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		found, ok, err := g.deps.Previews.Look(r.Context(), holder.Caller, spaceID, asked)
		if !ok || err != nil {
			return nil, err
		}
		return &found, nil
	}
	return nil, nil
}
