package link

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// liveSpaces returns the ids of the next spaces that are not in the trash.
func (s *Service) liveSpaces(ctx context.Context, after id.Space) ([]id.Space, error) {
	return selectTexts[id.Space](ctx, s.deps.DB.Read(), `
		SELECT b.space_id FROM content_branch b JOIN space s ON s.id = b.space_id
		WHERE b.kind = 'main' AND s.deleted_at IS NULL AND b.space_id > $1 ORDER BY b.space_id LIMIT 100`, after)
}

// selectTexts returns the one column of the rows of a query.
func selectTexts[T ~string](ctx context.Context, q db.Querier, query string, args ...any) ([]T, error) {
	return db.All(ctx, q, "select", db.Column[T], query, args...)
}

// discovered reports whether the addresses of a space are those of a content.
func (s *Service) discovered(ctx context.Context, spaceID id.Space, root trie.Hash) (bool, error) {
	var known []byte
	err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT content_root FROM link_external_space WHERE space_id = $1`,
		spaceID).Scan(&known)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("select checked content: %w", err)
	}
	return bytes.Equal(known, root[:]), nil
}

// saveExternal makes the addresses of a space those given, in small transactions.
func (s *Service) saveExternal(ctx context.Context, spaceID id.Space, root trie.Hash,
	urls map[string]struct{}) error {
	known, err := selectTexts[string](ctx, s.deps.DB.Read(), `SELECT url FROM link_external WHERE space_id = $1`,
		spaceID)
	if err != nil {
		return err
	}
	var gone []string
	fresh := maps.Clone(urls)
	for _, each := range known {
		if _, still := urls[each]; !still {
			gone = append(gone, each)
		}
		delete(fresh, each)
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(fresh)), chunkRows) {
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			for _, each := range part {
				if _, err := q.ExecContext(ctx,
					`INSERT INTO link_external (space_id, url) VALUES ($1, $2) ON CONFLICT DO NOTHING`, spaceID,
					each); err != nil {
					return err
				}
				if _, err := q.ExecContext(ctx, `INSERT INTO link_check (url, reason, failures, checked_at, next_at)
					VALUES ($1, '', 0, 0, 0) ON CONFLICT DO NOTHING`, each); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("insert external links: %w", err)
		}
	}
	for part := range slices.Chunk(gone, chunkRows) {
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			args := []any{spaceID}
			for _, each := range part {
				args = append(args, each)
			}
			_, err := q.ExecContext(ctx, `DELETE FROM link_external WHERE space_id = $1 AND url IN (`+db.Placeholders(2,
				len(part))+`)`, args...)
			return err
		})
		if err != nil {
			return fmt.Errorf("delete external links: %w", err)
		}
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO link_external_space (space_id, content_root) VALUES ($1, $2)
			ON CONFLICT (space_id) DO UPDATE SET content_root = excluded.content_root`, spaceID, root[:])
		return err
	})
}

// dropUnlinked forgets the spaces that are gone, and the addresses that nothing links to any more, some at a time.
func (s *Service) dropUnlinked(ctx context.Context) error {
	gone, err := selectTexts[id.Space](ctx, s.deps.DB.Read(), `SELECT e.space_id FROM link_external_space e WHERE NOT EXISTS
		(SELECT 1 FROM space s WHERE s.id = e.space_id) ORDER BY e.space_id LIMIT 100`)
	if err != nil {
		return err
	}
	for _, spaceID := range gone {
		if err := s.saveExternal(ctx, spaceID, trie.Hash{}, nil); err != nil {
			return err
		}
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx, `DELETE FROM link_external_space WHERE space_id = $1`, spaceID)
			return err
		})
		if err != nil {
			return fmt.Errorf("forget a space's links: %w", err)
		}
	}
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `DELETE FROM link_check WHERE url IN (SELECT c.url FROM link_check c
			WHERE NOT EXISTS (SELECT 1 FROM link_external e WHERE e.url = c.url) LIMIT 1000)`)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget external links: %w", err)
	}
	return nil
}

// due returns the addresses to ask now, the longest overdue first.
func (s *Service) due(ctx context.Context) ([]check, error) {
	// More than one run asks, so that one slow host with many addresses does not keep the others out.
	return db.All(ctx, s.deps.DB.Read(), "select links to check", func(row db.Scanner) (check, error) {
		var c check
		err := row.Scan(&c.url, &c.reason, &c.failures)
		return c, err
	}, `SELECT url, reason, failures FROM link_check WHERE next_at <= $1
		ORDER BY next_at, url LIMIT $2`, s.now().UnixMicro(), 10*maxChecks)
}

func (s *Service) saveCheck(ctx context.Context, c check, again time.Duration) error {
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		now := s.now()
		_, err := q.ExecContext(ctx,
			`UPDATE link_check SET reason = $2, failures = $3, checked_at = $4, next_at = $5 WHERE url = $1`,
			c.url, c.reason, c.failures, now.UnixMicro(), now.Add(again).UnixMicro())
		return err
	})
	if err != nil {
		return fmt.Errorf("update checked link: %w", err)
	}
	return nil
}

// failing returns the reasons of the addresses of a space that fail; none when nothing is checked.
func (s *Service) failing(ctx context.Context, spaceID id.Space) (map[string]string, error) {
	if s.deps.Fetch == nil {
		return nil, nil
	}
	found := map[string]string{}
	err := db.Each(ctx, s.deps.DB.Read(), "select failing links", func(row db.Scanner) error {
		var address, reason string
		if err := row.Scan(&address, &reason); err != nil {
			return err
		}
		found[address] = reason
		return nil
	}, `SELECT c.url, c.reason FROM link_external e JOIN link_check c ON c.url = e.url
		WHERE e.space_id = $1 AND c.reason <> ''`, spaceID)
	return found, err
}
