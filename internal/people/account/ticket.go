package account

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// A ticket of httpx.Tickets lets somebody in where neither a token nor the cookie of a session comes. It names the
// session or the token that its caller came in with, and is worth what that is worth at the moment: it reaches no
// further, and ends with it. docs/adr/0072 has the reasons.

// TicketName names in a ticket what a caller came in with. Integrations have nothing that a ticket could name.
func (c Caller) TicketName() string { return c.Token.ID }

// CallerByTicket returns, in one indexed read, the caller whom TicketName named, as they are now; errs.NotFound when
// the session or the token does not count any more. They are in no session: a ticket is no proof of who holds it.
func (s *Service) CallerByTicket(ctx context.Context, name string) (Caller, error) {
	var named Caller
	switch {
	case id.Valid("session", name):
		named.Session.ID = name
	case id.Valid("token", name):
		named.Token.ID = name
	default:
		return Caller{}, noTicket()
	}
	now, err := s.Again(ctx, named)
	if errs.Is(err, errs.Unauthorized) {
		return Caller{}, noTicket()
	}
	now.Session = Session{}
	return now, err
}

func noTicket() error {
	return errs.NotFoundf("What you came in with does not count any more; ask for a new address.")
}

// Until returns a time, or when the session or token that the caller came in with ends if that is sooner.
func (c Caller) Until(end time.Time) time.Time {
	for _, each := range []time.Time{c.Token.ExpiresAt, c.Session.ExpiresAt} {
		if !each.IsZero() && each.Before(end) {
			end = each
		}
	}
	return end
}
