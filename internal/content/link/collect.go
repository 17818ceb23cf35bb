package link

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// grace is how long a node that no index reaches is kept after a writer last touched it: longer than any writer takes.
const grace = 24 * time.Hour

// Collect gives up the indexes that nobody has asked for in a week and those of content that is gone for good, and
// deletes the nodes that only they had. It returns how many of each. It may run beside readers and writers in any
// process and may be stopped at any moment. It needs about 40 bytes of memory for each node in use.
func (s *Service) Collect(ctx context.Context) (indexes, nodes int, err error) {
	start := s.now()
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		indexes = 0
		result, err := q.ExecContext(ctx, `DELETE FROM link_index WHERE used_at < $1`, start.Add(-retain).UnixMicro())
		if err != nil {
			return err
		}
		deleted, err := result.RowsAffected()
		indexes = int(deleted)
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `DELETE FROM link_latest WHERE made_at < $1`, start.Add(-retain).UnixMicro())
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("give up link indexes: %w", err)
	}
	orphans, err := s.giveUpOrphans(ctx)
	indexes += orphans
	if err != nil {
		return indexes, 0, err
	}
	if err := s.dropUnlinked(ctx); err != nil {
		return indexes, 0, err
	}
	used, err := s.reachable(ctx)
	if err != nil {
		return indexes, 0, err
	}
	nodes, err = s.sweep(ctx, used, start.Add(-grace))
	return indexes, nodes, err
}

// giveUpOrphans deletes the indexes of contents that no revision has any more, and what is known of spaces that are
// gone.
func (s *Service) giveUpOrphans(ctx context.Context) (int, error) {
	deleted, after := 0, []byte{}
	for {
		roots, err := s.contentRoots(ctx, after)
		if err != nil {
			return deleted, err
		}
		inUse, err := s.deps.Content.RootsInUse(ctx, roots)
		if err != nil {
			return deleted, err
		}
		for _, root := range roots {
			if inUse[root] {
				continue
			}
			if err := s.forget(ctx, root); err != nil {
				return deleted, fmt.Errorf("give up a link index: %w", err)
			}
			deleted++
		}
		if len(roots) < rootsAtOnce {
			break
		}
		after = slices.Clone(roots[len(roots)-1][:])
	}
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx,
			`DELETE FROM link_latest WHERE NOT EXISTS (SELECT 1 FROM space WHERE space.id = link_latest.space_id)`)
		return err
	})
	if err != nil {
		return deleted, fmt.Errorf("forget spaces that are gone: %w", err)
	}
	return deleted, nil
}

// rootsAtOnce is how many indexes giveUpOrphans looks at with one query.
const rootsAtOnce = 500

// contentRoots returns the next contents that have an index, in order.
func (s *Service) contentRoots(ctx context.Context, after []byte) ([]trie.Hash, error) {
	return db.All(ctx, s.deps.DB.Read(), "select link indexes", func(row db.Scanner) (trie.Hash, error) {
		var root []byte
		if err := row.Scan(&root); err != nil {
			return trie.Hash{}, err
		}
		if len(root) != len(trie.Hash{}) {
			return trie.Hash{}, fmt.Errorf("a link index has a root of %d bytes", len(root))
		}
		return trie.Hash(root), nil
	}, `SELECT DISTINCT content_root FROM link_index WHERE content_root > $1 ORDER BY content_root LIMIT $2`, after,
		rootsAtOnce)
}

// mark is the first half of a hash, which is as good as unique; two that shared it would only keep a node.
type mark [16]byte

// reachable returns the nodes of all indexes.
func (s *Service) reachable(ctx context.Context) (map[mark]struct{}, error) {
	var roots []trie.Hash
	err := db.Each(ctx, s.deps.DB.Read(), "select link indexes", func(row db.Scanner) error {
		var root []byte
		if err := row.Scan(&root); err != nil {
			return err
		}
		if len(root) == len(trie.Hash{}) {
			roots = append(roots, trie.Hash(root))
		}
		return nil
	}, `SELECT DISTINCT root FROM link_index`)
	if err != nil {
		return nil, err
	}
	used := map[mark]struct{}{}
	for _, root := range roots {
		seen := func(hash trie.Hash) bool {
			at := mark(hash[:16])
			_, known := used[at]
			used[at] = struct{}{}
			return known
		}
		for _, err := range s.trie().Reachable(ctx, root, seen) {
			if err != nil {
				return nil, fmt.Errorf("mark link nodes: %w", err)
			}
		}
	}
	return used, nil
}

// sweep deletes the nodes that are not in use and were touched before a time.
func (s *Service) sweep(ctx context.Context, used map[mark]struct{}, before time.Time) (int, error) {
	deleted := 0
	after := []byte{}
	for {
		garbage, last, err := s.garbage(ctx, used, after, before)
		if err != nil {
			return deleted, err
		}
		if len(garbage) > 0 {
			n := 0
			err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				args := append([]any{before.UnixMicro()}, garbage...)
				result, err := q.ExecContext(ctx, `DELETE FROM link_node WHERE touched_at < $1 AND hash IN (`+
					db.Placeholders(2, len(garbage))+`)`, args...)
				if err != nil {
					return err
				}
				rows, err := result.RowsAffected()
				n = int(rows)
				return err
			})
			if err != nil {
				return deleted, fmt.Errorf("delete link nodes: %w", err)
			}
			deleted += n
		}
		if last == nil {
			return deleted, nil
		}
		after = last
	}
}

// garbage reads the next hashes and returns those that may go, and where to go on; nil at the end.
func (s *Service) garbage(ctx context.Context, used map[mark]struct{}, after []byte,
	before time.Time) (garbage []any, last []byte, err error) {
	const batch = 500
	read := 0
	err = db.Each(ctx, s.deps.DB.Read(), "select link nodes", func(row db.Scanner) error {
		var hash []byte
		var touched int64
		if err := row.Scan(&hash, &touched); err != nil {
			return err
		}
		read++
		last = hash
		if len(hash) < len(mark{}) || touched >= before.UnixMicro() {
			return nil
		}
		if _, kept := used[mark(hash[:16])]; !kept {
			garbage = append(garbage, hash)
		}
		return nil
	}, `SELECT hash, touched_at FROM link_node WHERE hash > $1 ORDER BY hash LIMIT $2`, after, batch)
	if err != nil {
		return nil, nil, err
	}
	if read < batch {
		last = nil
	}
	return garbage, last, nil
}
