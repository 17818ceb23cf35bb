package change

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// EventKind is what has happened to a change request.
type EventKind string

// What happens to a change request beside what is written, said and reviewed. That it was made and merged it says
// itself.
const (
	// EventStatus says that somebody has set its status: Before and After are statuses.
	EventStatus EventKind = "status"
	// EventSubject says that its subject has changed: Before and After are subjects.
	EventSubject EventKind = "subject"
	// EventReviewRequested and EventReviewUnrequested say that Person was asked for a review, or is not any more.
	EventReviewRequested   EventKind = "review-requested"
	EventReviewUnrequested EventKind = "review-unrequested"
	// EventConflicts says that main has moved so that an update would meet conflicts: Number of them.
	EventConflicts EventKind = "conflicts"
	// EventUndone says that its merge was undone: Number is that of the change request with the inverse, 0 when main
	// itself was changed.
	EventUndone EventKind = "undone"
)

// Event is one thing that has happened to a change request.
type Event struct {
	// ID is "event_…".
	ID   string
	Kind EventKind
	// Actor did it, Person is whom it was about; "" for nobody, and when they are gone.
	Actor, Person id.User
	Before, After string
	Number        int
	CreatedAt     time.Time
}

// note stores that something has happened to a change request, in the transaction in which it does.
func note(ctx context.Context, q db.Querier, requestID id.ChangeRequest, e Event) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO change_request_event (id, change_request_id, kind, actor_id, person_id, before_text, after_text,
			number, created_at)
		VALUES ($1, $2, $3, NULLIF($4, ''), NULLIF($5, ''), $6, $7, $8, $9)`,
		id.New("event"), requestID, string(e.Kind), e.Actor, e.Person, e.Before, e.After, e.Number,
		e.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert event of change request: %w", err)
	}
	return nil
}

// noteChange stores what somebody has changed of a change request itself.
func noteChange(ctx context.Context, q db.Querier, before, after Request, actor id.User) error {
	if before.Subject != after.Subject {
		if err := note(ctx, q, after.ID, Event{Kind: EventSubject, Actor: actor, Before: before.Subject,
			After: after.Subject, CreatedAt: after.UpdatedAt}); err != nil {
			return err
		}
	}
	if before.Status == after.Status {
		return nil
	}
	return note(ctx, q, after.ID, Event{Kind: EventStatus, Actor: actor, Before: string(before.Status),
		After: string(after.Status), CreatedAt: after.UpdatedAt})
}
