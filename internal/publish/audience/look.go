package audience

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/site"
)

// This file makes the tokens of visits read a preview, for whoever has brought a ticket for it. Such a token names the
// person whom the ticket is for, and ends with it; each call asks again what that person may see (ADR 71).

// Previewed is what a preview shows.
type Previewed struct {
	Revision id.Revision
	// ChangeRequest is the one that is shown, "" where it is a revision.
	ChangeRequest id.ChangeRequest
}

// Look is somebody who looks at a preview of a space on a site.
type Look struct {
	Space id.SiteSpace `json:"siteSpace"`
	Kind  PreviewKind  `json:"kind"`
	// Name is the id of the change request or revision.
	Name string `json:"name"`
	// Reader is whom the ticket is for, see account.Caller.TicketName, and Until when it ends.
	Reader string    `json:"reader"`
	Until  time.Time `json:"-"`
}

// PreviewToken is VisitToken for somebody who looks at a preview with a ticket. What they have brought besides says
// which conditions hold, and opens nothing.
func (s *Service) PreviewToken(verdict *Verdict, look Look, visitorToken string, agent bool,
	more string) (string, error) {
	if verdict.Decision != Admitted && verdict.Decision != Previewing {
		return "", nil
	}
	return s.signVisit(verdict, visitorToken, agent, more, &look)
}

// lookAgain returns the visit of somebody who looks at a preview, as they may see it now; errs.NotFound when they may
// not any more.
func (s *Service) lookAgain(ctx context.Context, served *site.Served, visitor Visitor,
	claims *visitClaims) (*Visit, error) {
	look := claims.Look
	gone := errs.NotFoundf("The preview is gone.")
	var space site.ServedSpace
	for _, each := range served.Spaces {
		if each.ID == look.Space {
			space = each
		}
	}
	if space.ID == "" {
		return nil, gone
	}
	caller, err := s.deps.Accounts.CallerByTicket(ctx, look.Reader)
	if err != nil {
		return nil, err
	}
	shown, err := s.hooks.Get().Preview(ctx, caller, space.Space, look.Kind, look.Name)
	if err != nil {
		return nil, err
	}
	below := "~/" + string(look.Kind) + "/" + look.Name + "/"
	visitor.Path = space.Address + below
	visitor.MayPreview = func(_ context.Context, of site.ServedSpace, _ Preview) (bool, error) {
		return of.ID == space.ID, nil
	}
	verdict, err := s.Admit(ctx, served, visitor)
	if err != nil {
		return nil, err
	}
	if verdict.Decision != Admitted && verdict.Decision != Previewing || claims.Visitor != "" && !verdict.Signed {
		return nil, gone
	}
	// Nothing but this one revision of the one space.
	space.Head, space.URL = shown.Revision, space.URL+below
	left := *served.Keep(func(each site.ServedSpace) bool { return each.ID == space.ID })
	left.Spaces = []site.ServedSpace{space}
	verdict.Site = &left
	visit, err := newVisit(verdict, claims)
	if err != nil {
		return nil, err
	}
	visit.Preview, visit.Looker = &shown, caller
	return visit, nil
}
