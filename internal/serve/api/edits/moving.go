package edits

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type movePagesInput struct {
	wire.ChangeRequestPath
	Body struct {
		Pages  []string   `json:"pages" minItems:"1" maxItems:"100" doc:"Ids of the pages to move; those below them go along."`
		Target MoveTarget `json:"target"`
	}
}

// MoveTarget is where pages move to.
type MoveTarget struct {
	Space         id.Space         `json:"space" maxLength:"100" doc:"Another space of the organization."`
	ChangeRequest id.ChangeRequest `json:"changeRequest" maxLength:"100" doc:"A change request of that space: its id, or its number there."`
}

// MovedPages is what a move to another space has done.
type MovedPages struct {
	Revision         id.Revision `json:"revision" doc:"What the move made in the change request that the pages left."`
	TargetRevision   id.Revision `json:"targetRevision" doc:"What it made in the one that they are in."`
	Pages            []MovedPage `json:"pages" doc:"All that moved, each behind the one above it."`
	Files            int         `json:"files" doc:"Number of files that were copied along."`
	ReusableContents int         `json:"reusableContents" doc:"Number of reusable contents that were copied along."`
	Linking          []string    `json:"linking" doc:"Ids of the pages and reusable contents that stayed, whose links follow."`
}

// MovedPage is a page that has moved.
type MovedPage struct {
	From string `json:"from" doc:"The id that it had."`
	To   string `json:"to" doc:"The id that it has: the same, unless the other space had something with it."`
}

// movePages moves pages from a change request to one of another space.
func (h *Handlers) movePages(ctx context.Context, in *movePagesInput) (*operation.Body[MovedPages], error) {
	moved, err := h.Edits.MovePages(ctx, operation.Caller(ctx), edit.Moving{
		From:    edit.Place{Space: in.Space, Request: in.ChangeRequest},
		To:      edit.Place{Space: in.Body.Target.Space, Request: in.Body.Target.ChangeRequest},
		Pages:   in.Body.Pages,
		Linking: h.Links.UsersOfAny,
	})
	if err != nil {
		return nil, err
	}
	answer := MovedPages{Revision: moved.From.ID, TargetRevision: moved.To.ID, Files: moved.Files,
		ReusableContents: moved.Reusables, Pages: make([]MovedPage, len(moved.Pages)),
		Linking: append([]string{}, moved.Linking...)}
	for i, page := range moved.Pages {
		answer.Pages[i] = MovedPage(page)
	}
	return &operation.Body[MovedPages]{Body: answer}, nil
}
