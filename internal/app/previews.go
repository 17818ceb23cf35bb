package app

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// previewTickets are tickets for the previews of one space or site: what the API gives out and the sites take.
type previewTickets struct{ tickets httpx.Tickets }

func (p previewTickets) issue(caller account.Caller, subject string, lifetime time.Duration) string {
	return p.tickets.Issue(caller.TicketName(), "preview "+subject, lifetime)
}

// user returns the name of the caller whom a ticket is for, see account.Caller.TicketName.
func (p previewTickets) user(ticket, subject string) (string, time.Time, bool) {
	return p.tickets.User(ticket, "preview "+subject)
}

// previews is what the published sites need to know of change requests and of who may see them.
func (a *App) previews(tickets previewTickets) *scope.Previews {
	return &scope.Previews{
		Ticket:   tickets.user,
		Readable: a.audiences.Readable,
		Find: func(ctx context.Context, reader string, spaceID id.Space, kind audience.PreviewKind,
			name string) (scope.Preview, error) {
			caller, err := a.accounts.CallerByTicket(ctx, reader)
			if err != nil {
				return scope.Preview{}, err
			}
			_, found, err := a.previewed(ctx, caller, spaceID, kind, name)
			return found, err
		},
	}
}

// previewed returns what a preview shows to somebody, and which change request it is of, if it is of one.
func (a *App) previewed(ctx context.Context, caller account.Caller, spaceID id.Space, kind audience.PreviewKind,
	name string) (change.Request, scope.Preview, error) {
	if kind == audience.PreviewChange {
		found, err := a.changes.Get(ctx, caller, spaceID, id.ChangeRequest(name))
		return found, scope.Preview{Revision: found.Head, Label: changeLabel(found.Number, found.Subject)}, err
	}
	if _, err := a.permissions.RequireSpace(ctx, caller, spaceID, access.ViewSpace); err != nil {
		return change.Request{}, scope.Preview{}, err
	}
	revision, err := a.content.Revision(ctx, id.Revision(name))
	if err == nil && revision.Space != spaceID {
		err = errs.NotFoundf("There is no such revision.")
	}
	return change.Request{}, scope.Preview{Revision: revision.ID, Label: "Revision of " +
		revision.CreatedAt.UTC().Format("2 January 2006, 15:04 UTC")}, err
}

// previewedElsewhere is previewed for programs that show sites elsewhere, which have no part in what is archived.
func (a *App) previewedElsewhere(ctx context.Context, caller account.Caller, spaceID id.Space,
	kind audience.PreviewKind, name string) (audience.Previewed, error) {
	of, found, err := a.previewed(ctx, caller, spaceID, kind, name)
	if err == nil && of.Status == change.Archived {
		err = errs.NotFoundf("The change request is archived.")
	}
	return audience.Previewed{Revision: found.Revision, ChangeRequest: of.ID}, err
}

func changeLabel(number int, subject string) string {
	if subject == "" {
		return fmt.Sprintf("Change request #%d", number)
	}
	return fmt.Sprintf("Change request #%d: %s", number, subject)
}
