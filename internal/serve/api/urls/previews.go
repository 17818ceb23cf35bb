package urls

import (
	"context"
	"net/url"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// This file looks up previews: for the caller, or for whom a ticket in the address is for (ADR 71).

// previewAt takes what names a preview off the path in a space.
func (h *Handlers) previewAt(ctx context.Context, location site.Location,
	caller account.Caller) (pathname string, revision id.Revision, change id.ChangeRequest, preview bool, err error) {
	asked, ok := audience.ReadPreview(location.Rest)
	if !ok {
		return location.Rest, "", "", false, nil
	}
	revision, change, err = h.previewed(ctx, location.Space, asked, caller)
	return asked.Rest, revision, change, true, err
}

// previewed returns the id of the revision or the change request that a preview shows, if the caller may see it.
func (h *Handlers) previewed(ctx context.Context, space site.ServedSpace,
	asked audience.Preview, caller account.Caller) (revision id.Revision, change id.ChangeRequest, err error) {
	if caller.User.ID == "" {
		return "", "", noContent()
	}
	if asked.Kind == audience.PreviewChange {
		found, err := h.Changes.Get(ctx, caller, space.Space, id.ChangeRequest(asked.Name))
		return "", found.ID, err
	}
	if _, err := h.Spaces.Get(ctx, caller, space.Space); err != nil {
		return "", "", err
	}
	found, err := h.Content.Revision(ctx, id.Revision(asked.Name))
	if err == nil && found.Space != space.Space {
		err = noContent()
	}
	return id.Revision(asked.Name), "", err
}

// looker is who looks at a preview: whom the ticket in an address is for, with when that ends, or else the caller.
type looker struct {
	caller account.Caller
	reader string
	until  time.Time
}

// looker returns who looks at previews of a space with some tickets, of which the first that is good for it counts.
func (h *Handlers) looker(ctx context.Context, spaceID id.Space, tickets []string) (looker, error) {
	for _, ticket := range tickets {
		reader, until, ok := h.PreviewReader(ticket, string(spaceID))
		if !ok {
			continue
		}
		caller, err := h.Accounts.CallerByTicket(ctx, reader)
		if errs.Is(err, errs.NotFound) {
			continue // somebody who is gone
		}
		return looker{caller, reader, until}, err
	}
	return looker{caller: operation.Caller(ctx)}, nil
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
	if err != nil || named && by.reader == "" {
		return false, err
	}
	_, _, err = h.previewed(ctx, space, asked, by.caller)
	if kind := errs.KindOf(err); err != nil && kind != errs.Internal && kind != errs.Unavailable {
		return false, nil
	}
	return err == nil, err
}

// visitToken returns the token that reads what was found for a visitor: what is live, or the preview if a ticket for it
// is in the address.
func (h *Handlers) visitToken(ctx context.Context, found lookup, space site.ServedSpace, visitor lookupVisitor,
	address string, by looker, revision id.Revision, request id.ChangeRequest) (string, error) {
	specs, err := h.Specs.State(ctx, found.Organization)
	if err != nil {
		return "", err
	}
	brought := visitor.token
	if brought == "" {
		brought = tokenIn(address)
	}
	look := audience.Look{Space: space.ID, Reader: by.reader, Until: by.until}
	switch {
	case revision == "" && request == "":
		return h.Audiences.VisitToken(&found.verdict, brought, visitor.agent, specs)
	case by.reader == "":
		return "", nil
	case request != "":
		// The token is another one when the change request is.
		of, err := h.Changes.Get(ctx, by.caller, space.Space, request)
		if err != nil || of.Status == change.Archived {
			return "", err
		}
		look.Kind, look.Name = audience.PreviewChange, string(request)
		specs += " " + string(of.Head)
	default:
		look.Kind, look.Name = audience.PreviewRevision, string(revision)
	}
	return h.Audiences.PreviewToken(&found.verdict, look, brought, visitor.agent, specs)
}
