package change

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Events returns a page of what has happened to a change request, the oldest first.
func (s *Service) Events(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	page paging.Request) (events paging.Page[Event], err error) {
	q := s.deps.DB.Read()
	_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return paging.Page[Event]{}, err
	}
	at, last, err := page.Time(0, "")
	if err != nil {
		return paging.Page[Event]{}, err
	}
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM change_request_event WHERE change_request_id = $1`,
		r.ID).Scan(&events.Count); err != nil {
		return paging.Page[Event]{}, fmt.Errorf("count events: %w", err)
	}
	events.Items, err = db.All(ctx, q, "list events", func(row db.Scanner) (Event, error) {
		var e Event
		var created int64
		err := row.Scan(&e.ID, &e.Kind, &e.Actor, &e.Person, &e.Before, &e.After, &e.Number, &created)
		e.CreatedAt = time.UnixMicro(created).UTC()
		return e, err
	}, `
		SELECT id, kind, COALESCE(actor_id, ''), COALESCE(person_id, ''), before_text, after_text, number, created_at
		FROM change_request_event WHERE change_request_id = $1 AND (created_at, id) > ($2, $3)
		ORDER BY created_at, id LIMIT $4`, r.ID, at, last, page.Size()+1)
	if err != nil {
		return paging.Page[Event]{}, err
	}
	events.Cut(page.Size(), func(e Event) []string { return []string{microText(e.CreatedAt), e.ID} })
	return events, nil
}
