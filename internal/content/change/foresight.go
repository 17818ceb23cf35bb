package change

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/platform/db"
)

// maxForeseen is how many change requests one round of Foresee looks at, so that a space with very many does not keep
// the others waiting for long.
const maxForeseen = 200

// Foresee finds out for change requests that are under way whether main has moved so that an update would meet
// conflicts, and tells those who write in them, once until the conflicts are gone. It is for a periodic job; several
// processes may run it at the same time.
func (s *Service) Foresee(ctx context.Context) error {
	// Those of which main has moved since they were looked at, and those that are up to date again.
	waiting, err := db.All(ctx, s.deps.DB.Read(), "list change requests to foresee",
		func(row db.Scanner) (Request, error) {
			var r requestRow
			err := row.Scan(r.fields()...)
			return r.request(), err
		}, `SELECT `+requestColumns+` FROM `+requestTables+`
			WHERE c.status IN ('draft', 'open') AND (
				b.base_revision_id = m.head_revision_id AND c.foreseen > 0
				OR b.base_revision_id <> m.head_revision_id
					AND COALESCE(c.foreseen_revision_id, '') <> m.head_revision_id)
			ORDER BY c.updated_at DESC, c.id LIMIT $1`, maxForeseen)
	if err != nil {
		return err
	}
	var failed error
	for _, r := range waiting {
		if err := s.foreseeOne(ctx, r); err != nil {
			failed = errors.Join(failed, fmt.Errorf("foresee the conflicts of %s: %w", r.ID, err))
		}
	}
	return failed
}

// foreseeOne notes how many conflicts an update of a change request would meet, and tells of the first.
func (s *Service) foreseeOne(ctx context.Context, r Request) error {
	ahead := 0
	if r.Base != r.main {
		conflicts, err := s.ahead(ctx, r)
		if err != nil {
			return err
		}
		ahead = len(conflicts)
	}
	moved, err := s.deps.Content.Revision(ctx, r.main)
	if err != nil {
		return err
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, claimed, err := noteForeseen(ctx, q, r, ahead)
		if err != nil || !claimed || ahead == 0 || before > 0 || r.Conflicts > 0 {
			return err
		}
		now := s.clock()
		if err := note(ctx, q, r.ID, Event{Kind: EventConflicts, Actor: moved.Author, Number: ahead,
			CreatedAt: now}); err != nil {
			return err
		}
		return s.tell(ctx, q, r, notification.Conflict, moved.Author, now, false)
	})
}

// noteForeseen stores what was foreseen of a change request with the main that it was read with, and returns what was
// before. claimed is false when another process was first, or the change request is not under way any more.
func noteForeseen(ctx context.Context, q db.Querier, r Request, ahead int) (before int, claimed bool, err error) {
	var looked string
	if err := q.QueryRowContext(ctx, `
		SELECT COALESCE(foreseen_revision_id, ''), foreseen FROM change_request WHERE id = $1`,
		r.ID).Scan(&looked, &before); err != nil {
		return 0, false, fmt.Errorf("read what was foreseen: %w", err)
	}
	result, err := q.ExecContext(ctx, `
		UPDATE change_request SET foreseen_revision_id = $2, foreseen = $3
		WHERE id = $1 AND status IN ('draft', 'open') AND COALESCE(foreseen_revision_id, '') = $4 AND foreseen = $5`,
		r.ID, r.main, ahead, looked, before)
	if err != nil {
		return 0, false, fmt.Errorf("note what was foreseen: %w", err)
	}
	changed, err := result.RowsAffected()
	if err != nil {
		return 0, false, fmt.Errorf("note what was foreseen: %w", err)
	}
	return before, changed > 0 && id.Revision(looked) != r.main, nil
}
