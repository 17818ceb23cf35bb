package urls

import (
	"context"
	"net/url"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// This file looks up previews: for the caller, or for whom a ticket in the address is for (ADR 71).

// previewAt takes what names a preview off the path in a space, and returns what that shows to the caller; nil for what
// is live.
func (h *Handlers) previewAt(ctx context.Context, location site.Location,
	caller account.Caller) (pathname string, shown *preview.Found, err error) {
	asked, ok := audience.ReadPreview(location.Rest)
	if !ok {
		return location.Rest, nil, nil
	}
	if caller.User.ID == "" {
		return "", nil, noContent() // what is not live is for people
	}
	found, err := h.Previews.Find(ctx, caller, location.Space.Space, asked)
	return asked.Rest, &found, err
}

// namesOf returns what an answer names a preview by: its revision or its change request.
func namesOf(shown *preview.Found) (revision id.Revision, request id.ChangeRequest) {
	switch {
	case shown == nil:
		return "", ""
	case shown.Change.ID != "":
		return "", shown.Change.ID
	}
	return shown.Revision, ""
}

// looker is who looks at a preview: whom the ticket in an address came from, or else the caller, of whom nothing but
// Caller is set.
type looker = preview.Holder

// looker returns who looks at previews of a space with some tickets, of which the first that is good for it counts.
func (h *Handlers) looker(ctx context.Context, spaceID id.Space, tickets []string) (looker, error) {
	for _, ticket := range tickets {
		if holder, ok, err := h.Previews.Holder(ctx, ticket, string(spaceID)); ok || err != nil {
			return holder, err
		}
	}
	return looker{Caller: operation.Caller(ctx)}, nil
}

// maxTickets is how many tickets of an address are looked at: addresses that this server makes have two at most.
const maxTickets = 4

// ticketsIn are the tickets for previews in an address.
func ticketsIn(address string) []string {
	query, err := url.ParseQuery(queryOf(address))
	if err != nil {
		return nil
	}
	tickets := query["ticket"]
	return tickets[:min(len(tickets), maxTickets)]
}

// mayPreview reports whether the caller may see a preview. What is wrong with its name does not matter here: it must
// not tell that there is a site.
func (h *Handlers) mayPreview(ctx context.Context, space site.ServedSpace, asked audience.Preview, tickets []string,
	named bool) (bool, error) {
	by, err := h.looker(ctx, space.Space, tickets)
	if err != nil || named && by.Name == "" || by.Caller.User.ID == "" {
		return false, err
	}
	_, ok, err := h.Previews.Look(ctx, by.Caller, space.Space, asked)
	return ok, err
}

// visitToken returns the token that reads what was found for a visitor: what is live, or the preview if a ticket for it
// is in the address.
func (h *Handlers) visitToken(ctx context.Context, found lookup, space site.ServedSpace, visitor lookupVisitor,
	address string, by looker, shown *preview.Found) (string, error) {
	specs, err := h.Specs.State(ctx, found.Organization)
	if err != nil {
		return "", err
	}
	brought := visitor.token
	if brought == "" {
		brought = tokenIn(address)
	}
	if shown == nil {
		return h.Audiences.VisitToken(&found.verdict, brought, visitor.agent, specs)
	}
	if by.Name == "" || shown.Change.Status == change.Archived {
		return "", nil
	}
	look := audience.Look{Space: space.ID, Reader: by.Name, Until: by.Until, Kind: audience.PreviewRevision,
		Name: string(shown.Revision)}
	if shown.Change.ID != "" {
		look.Kind, look.Name = audience.PreviewChange, string(shown.Change.ID)
		specs += " " + string(shown.Revision) // the token is another one when the change request is
	}
	return h.Audiences.PreviewToken(&found.verdict, look, brought, visitor.agent, specs)
}
