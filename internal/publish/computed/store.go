package computed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db"
)

// row is a result without its pages.
type row struct {
	id           string
	space        id.Space
	installation string
	key, source  string
	// state is what the last attempt was made from, problem why it has failed.
	state, problem string
	failures       int64
	asked, due     int64
	used, made     int64
	changed        int64
	// has says that there are pages.
	has bool
}

const columns = `id, space_id, installation_id, key, source, state, error, failures, asked_at, due_at, used_at, made_at,
	changed_at, pages <> ''`

func scanRow(from db.Scanner) (row, error) {
	var r row
	err := from.Scan(&r.id, &r.space, &r.installation, &r.key, &r.source, &r.state, &r.problem, &r.failures, &r.asked,
		&r.due, &r.used, &r.made, &r.changed, &r.has)
	return r, err
}

// rowsOf returns the results of a space.
func (s *Service) rowsOf(ctx context.Context, spaceID id.Space) ([]row, error) {
	return db.All(ctx, s.deps.DB.Read(), "list computed pages", scanRow,
		`SELECT `+columns+` FROM computed_source WHERE space_id = $1 ORDER BY id`, spaceID)
}

func (s *Service) byID(ctx context.Context, rowID string) (row, bool, error) {
	r, err := scanRow(s.deps.DB.Read().QueryRowContext(ctx, `SELECT `+columns+` FROM computed_source WHERE id = $1`,
		rowID))
	if errors.Is(err, db.ErrNoRows) {
		return r, false, nil
	}
	if err != nil {
		return r, false, fmt.Errorf("read computed pages: %w", err)
	}
	return r, true, nil
}

// pagesOf returns the pages of a result as JSON, "" for none.
func (s *Service) pagesOf(ctx context.Context, rowID string) (string, error) {
	var pages string
	err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT pages FROM computed_source WHERE id = $1`, rowID).Scan(&pages)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read computed pages: %w", err)
	}
	return pages, nil
}

// request makes a row for a result, if there is room, and lets a job make it unless one is on the way.
func (s *Service) request(ctx context.Context, want wanted) error {
	now := s.deps.Now()
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := s.insert(ctx, q, want, now); err != nil {
			return err
		}
		found, err := db.All(ctx, q, "look for computed pages", db.Column[string], `SELECT id FROM computed_source
			WHERE space_id = $1 AND installation_id = $2 AND key = $3`, want.space, want.installation, want.key)
		if err != nil || len(found) == 0 {
			return err
		}
		return s.claim(ctx, q, found[0], now, true)
	})
}

func (s *Service) insert(ctx context.Context, q db.Querier, want wanted, now time.Time) error {
	_, err := q.ExecContext(ctx, `DELETE FROM computed_source WHERE space_id = $1 AND used_at < $2`, want.space,
		now.Add(-unusedTime).UnixMicro())
	if err != nil {
		return fmt.Errorf("let computed pages go: %w", err)
	}
	rowID := id.New("computed")
	result, err := q.ExecContext(ctx, `
		INSERT INTO computed_source (id, organization_id, space_id, installation_id, key, source, state, pages, error,
			failures, asked_at, due_at, used_at, made_at, changed_at)
		SELECT $1, n.organization_id, s.id, n.id, $4, $5, '', '', '', 0, 0, 0, $6, 0, $6
		FROM integration_installation n JOIN space s ON s.organization_id = n.organization_id
		WHERE s.id = $2 AND n.id = $3
			AND (SELECT count(*) FROM computed_source c WHERE c.space_id = $2) < $7
		ON CONFLICT DO NOTHING`,
		rowID, want.space, want.installation, want.key, want.source, now.UnixMicro(), maxOfSpace)
	if err != nil {
		return fmt.Errorf("note computed pages: %w", err)
	}
	count, err := result.RowsAffected()
	if err != nil || count == 0 {
		return err
	}
	for _, spaceID := range want.from {
		_, err = q.ExecContext(ctx, `INSERT INTO computed_dependency (space_id, computed_id) VALUES ($1, $2)`, spaceID,
			rowID)
		if err != nil {
			return fmt.Errorf("note what computed pages are made from: %w", err)
		}
	}
	return nil
}

// claim lets a job make a result unless one is on the way. read says that somebody reads it.
func (s *Service) claim(ctx context.Context, q db.Querier, rowID string, now time.Time, read bool) error {
	result, err := q.ExecContext(ctx, `UPDATE computed_source SET asked_at = $2 WHERE id = $1 AND asked_at < $3`, rowID,
		now.UnixMicro(), now.Add(-askedTime).UnixMicro())
	if err != nil {
		return fmt.Errorf("ask for computed pages: %w", err)
	}
	if read {
		_, err = q.ExecContext(ctx, `UPDATE computed_source SET used_at = $2 WHERE id = $1`, rowID, now.UnixMicro())
		if err != nil {
			return fmt.Errorf("ask for computed pages: %w", err)
		}
	}
	count, err := result.RowsAffected()
	if err != nil || count == 0 {
		return err
	}
	_, err = s.deps.Jobs.Enqueue(ctx, q, makeKind, makeArgs{rowID})
	return err
}

// Values of due_at while a result is being made: what it is made from has changed meanwhile, or not.
const (
	dueAgain = 0
	dueMade  = 1
)

// begin notes that a result is being made.
func (s *Service) begin(ctx context.Context, r row) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `UPDATE computed_source SET due_at = $2 WHERE id = $1`, r.id, dueMade)
		if err != nil {
			return fmt.Errorf("begin to make computed pages: %w", err)
		}
		return nil
	})
}

// OnHead lets jobs make anew what depends on a space whose main content has changed. It belongs to the transaction that
// changes it.
func (s *Service) OnHead(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
	if moved.Branch.Kind != store.MainBranch {
		return nil
	}
	found, err := db.All(ctx, q, "look for what depends on a space", db.Column[string],
		`SELECT computed_id FROM computed_dependency WHERE space_id = $1`, moved.After.Revision().Space)
	if err != nil {
		return err
	}
	for _, rowID := range found {
		if _, err := q.ExecContext(ctx, `UPDATE computed_source SET due_at = $2 WHERE id = $1`, rowID,
			dueAgain); err != nil {
			return fmt.Errorf("make computed pages anew: %w", err)
		}
		if err := s.claim(ctx, q, rowID, s.deps.Now(), false); err != nil {
			return err
		}
	}
	return nil
}

// end writes down what has come of an attempt. pages is what it gave, "" to keep what is there.
func (s *Service) end(ctx context.Context, r row, state, pages, problem string) error {
	now := s.deps.Now()
	failures, wait := r.failures+1, refreshAfter
	if problem == "" {
		failures = 0
	} else if r.failures < 6 {
		wait = min(retryAfter<<r.failures, refreshAfter)
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `
			UPDATE computed_source SET state = $2, error = $3, failures = $4, asked_at = 0, made_at = CAST($6 AS BIGINT),
				due_at = CASE WHEN due_at = 0 THEN 0 ELSE CAST($5 AS BIGINT) END,
				changed_at = CASE WHEN error <> $3 THEN CAST($6 AS BIGINT) ELSE changed_at END
			WHERE id = $1`, r.id, state, problem, failures, now.Add(wait).UnixMicro(), now.UnixMicro())
		if err != nil {
			return fmt.Errorf("keep computed pages: %w", err)
		}
		if err := s.keep(ctx, q, r, pages, now); err != nil {
			return err
		}
		again, err := db.All(ctx, q, "look for computed pages", db.Column[string],
			`SELECT id FROM computed_source WHERE id = $1 AND due_at = 0`, r.id)
		if err != nil || len(again) == 0 {
			return err
		}
		return s.claim(ctx, q, r.id, now, false)
	})
}

// keep keeps the pages of a result, unless they are the same or none.
func (s *Service) keep(ctx context.Context, q db.Querier, r row, pages string, now time.Time) error {
	if pages == "" {
		return nil
	}
	result, err := q.ExecContext(ctx, `UPDATE computed_source SET pages = $2, changed_at = $3
		WHERE id = $1 AND pages <> $2`, r.id, pages, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("keep computed pages: %w", err)
	}
	if count, err := result.RowsAffected(); err != nil || count == 0 {
		return err
	}
	return s.deps.Renderer.SpaceChanged(ctx, q, r.space)
}

// due returns results that are to be made anew because of their age, and that somebody has read lately.
func (s *Service) due(ctx context.Context, now time.Time) ([]string, error) {
	return db.All(ctx, s.deps.DB.Read(), "look for computed pages that are due", db.Column[string], `
		SELECT id FROM computed_source WHERE due_at <= $1 AND used_at > $2 AND asked_at < $3 ORDER BY due_at LIMIT 200`,
		now.UnixMicro(), now.Add(-readLately).UnixMicro(), now.Add(-askedTime).UnixMicro())
}

// State identifies what integrations have made for an organization: it is the same while this is, and is another one
// each day, so that what is read is known. It is "" when they have made nothing and none that makes pages is installed.
func (s *Service) State(ctx context.Context, organizationID id.Organization) (string, error) {
	var count, changed int64
	err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT count(*), COALESCE(MAX(changed_at), 0) FROM computed_source
		WHERE organization_id = $1`, organizationID).Scan(&count, &changed)
	if err != nil {
		return "", fmt.Errorf("read state of computed pages: %w", err)
	}
	installed, err := s.deps.Integrations.SourcesState(ctx, organizationID)
	if err != nil || count == 0 && installed == "" {
		return "", err
	}
	return fmt.Sprintf("%d-%d-%d-%s", count, changed, s.deps.Now().Unix()/(24*3600), installed), nil
}

// StateOfSpace is State for the organization of a space.
func (s *Service) StateOfSpace(ctx context.Context, spaceID id.Space) (string, error) {
	organizationID, err := s.organizationOf(ctx, spaceID)
	if err != nil || organizationID == "" {
		return "", err
	}
	return s.State(ctx, organizationID)
}

// organizationOf returns the organization of a space, "" when there is no such space.
func (s *Service) organizationOf(ctx context.Context, spaceID id.Space) (id.Organization, error) {
	found, err := db.All(ctx, s.deps.DB.Read(), "look for the organization of a space", db.Column[id.Organization],
		`SELECT organization_id FROM space WHERE id = $1`, spaceID)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}
