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

// Contributed counts a revision for somebody who has written what is in it, besides its author.
func Contributed(ctx context.Context, q db.Querier, requestID id.ChangeRequest, userID id.User, at time.Time) error {
	return addContribution(ctx, q, requestID, userID, at)
}

// RequireWritable returns an error unless the content of the change request may change.
func (r Request) RequireWritable() error { return r.Status.requireWritable() }
