package change

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// SetUnwritten notes whether live sessions of a change request hold text that its branch does not have, in the
// transaction in which that becomes so.
func SetUnwritten(ctx context.Context, q db.Querier, requestID id.ChangeRequest, unwritten bool) error {
	_, err := q.ExecContext(ctx, `UPDATE change_request SET unwritten = $2 WHERE id = $1 AND unwritten <> $2`,
		requestID, unwritten)
	if err != nil {
		return fmt.Errorf("note unwritten text: %w", err)
	}
	return nil
}

// holdTime is how long live sessions of a change request wait at most for one that holds it.
const holdTime = 10 * time.Second

// IsHeld reports whether somebody is about to merge or archive the change request. Live sessions take no text then; it
// waits until it is known what becomes of the change request.
func (r Request) IsHeld(now time.Time) bool {
	left := r.heldUntil.Sub(now)
	// A clock that is far ahead does not stop everybody.
	return left > 0 && left <= holdTime
}

// setHeld notes until when a change request is held; 0 ends that.
func setHeld(ctx context.Context, q db.Querier, requestID id.ChangeRequest, until int64) error {
	_, err := q.ExecContext(ctx, `UPDATE change_request SET held_until = $2 WHERE id = $1`, requestID, until)
	if err != nil {
		return fmt.Errorf("hold change request: %w", err)
	}
	return nil
}

// Contributed counts a revision for somebody who has written what is in it, besides its author.
func Contributed(ctx context.Context, q db.Querier, requestID id.ChangeRequest, userID id.User, at time.Time) error {
	return addContribution(ctx, q, requestID, userID, at)
}

// RequireWritable returns an error unless the content of the change request may change.
func (r Request) RequireWritable() error { return r.Status.requireWritable() }
