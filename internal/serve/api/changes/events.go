package changes

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ChangeRequestEvent is something that has happened to a change request.
type ChangeRequestEvent struct {
	Object string     `json:"object" enum:"change-request-event"`
	ID     string     `json:"id"`
	Kind   string     `json:"kind" enum:"status,subject,review-requested,review-unrequested,conflicts,undone" doc:"conflicts says that the main content has moved so that an update would meet some."`
	Actor  *wire.User `json:"actor,omitempty" doc:"Who did it; absent when they are gone."`
	Person *wire.User `json:"person,omitempty" doc:"Who was asked for a review, or is not any more."`
	Before string     `json:"before,omitempty" doc:"The status or subject before."`
	After  string     `json:"after,omitempty" doc:"The status or subject after."`
	// Number is of conflicts how many, of an undo which change request.
	Number    int    `json:"number,omitempty" doc:"How many conflicts, or the number of the change request that undoes the merge; absent when the main content itself was changed."`
	CreatedAt string `json:"createdAt" format:"date-time"`
}

type listEventsInput struct {
	wire.ChangeRequestPath
	wire.PageParams
}

// listEvents lists what has happened to a change request.
func (h *Handlers) listEvents(ctx context.Context,
	in *listEventsInput) (*operation.Body[wire.List[ChangeRequestEvent]], error) {
	caller := operation.Caller(ctx)
	found, err := h.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("change-events/%s", found.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	events, err := h.Changes.Events(ctx, caller, in.Space, found.ID, request)
	if err != nil {
		return nil, err
	}
	var ids []id.User
	for _, e := range events.Items {
		ids = append(ids, e.Actor, e.Person)
	}
	users, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	person := func(named id.User) *wire.User {
		if named == "" {
			return nil
		}
		return new(h.Wire.KnownUser(users, named))
	}
	return &operation.Body[wire.List[ChangeRequestEvent]]{Body: *wire.Listed(h.Lists, name, events,
		func(e change.Event) ChangeRequestEvent {
			return ChangeRequestEvent{Object: "change-request-event", ID: e.ID, Kind: string(e.Kind),
				Actor: person(e.Actor), Person: person(e.Person), Before: e.Before, After: e.After, Number: e.Number,
				CreatedAt: wire.Timestamp(e.CreatedAt)}
		})}, nil
}
