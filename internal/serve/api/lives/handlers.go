// Package lives owns the operations of live sessions: the WebSocket in which people write a page of a change request
// together, the requests that stand in for it where WebSockets do not pass, and who is on which page.
//
// Both ways carry the same messages, see messages.go. A connection is one client; requests name theirs.
package lives

import (
	"context"
	"log/slog"
	"sync"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations of live sessions. Every field is required.
type Handlers struct {
	Lives *live.Service

	UserReader wire.UserReader
	Wire       wire.Writer
	Log        *slog.Logger

	mutex sync.Mutex
	// polls are the clients that come by requests.
	polls map[pollKey]*poll
}

// PagePath names a page of a change request in the path.
type PagePath struct {
	wire.ChangeRequestPath
	Page string `path:"pageId"`
}

func (p PagePath) place() live.Place {
	return live.Place{Space: p.Space, ChangeRequest: p.ChangeRequest, Page: p.Page}
}

// require refuses a caller who may not write the change request.
func (h *Handlers) require(ctx context.Context, path PagePath) error {
	return h.Lives.Require(ctx, operation.Caller(ctx), path.place())
}

// requirePage refuses a page that is none of the change request's, or that has no body.
func (h *Handlers) requirePage(ctx context.Context, path PagePath) error {
	return h.Lives.RequirePage(ctx, operation.Caller(ctx), path.place())
}

type listLivePeopleInput struct{ wire.ChangeRequestPath }

// PeopleOfPages says who is on which page.
type PeopleOfPages struct {
	Pages []PeopleOfPage `json:"pages" doc:"Pages that somebody has open to write."`
}

// PeopleOfPage are those who have a page open.
type PeopleOfPage struct {
	Page   string         `json:"page"`
	People []PersonOnPage `json:"people" doc:"Everybody once, however many tabs they have."`
}

// PersonOnPage is somebody who has a page open.
type PersonOnPage struct {
	User Person `json:"user"`
}

// listPeople answers who is on which page of a change request.
func (h *Handlers) listPeople(ctx context.Context, in *listLivePeopleInput) (*operation.Body[PeopleOfPages], error) {
	people, err := h.Lives.People(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	ids := make([]id.User, 0, len(people))
	for _, p := range people {
		ids = append(ids, p.User)
	}
	users, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	answer := PeopleOfPages{Pages: []PeopleOfPage{}}
	seen := map[live.Person]bool{}
	for _, p := range people {
		once := live.Person{Page: p.Page, User: p.User}
		if seen[once] {
			continue
		}
		seen[once] = true
		if last := len(answer.Pages) - 1; last < 0 || answer.Pages[last].Page != p.Page {
			answer.Pages = append(answer.Pages, PeopleOfPage{Page: p.Page})
		}
		page := &answer.Pages[len(answer.Pages)-1]
		page.People = append(page.People, PersonOnPage{*person(h.Wire.KnownUser(users, p.User))})
	}
	return &operation.Body[PeopleOfPages]{Body: answer}, nil
}
