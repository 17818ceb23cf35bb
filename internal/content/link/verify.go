package link

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Verify reads the link index of every content and reports those that lack a node or have one whose bytes are not as
// they were written. It returns how many there are. With mend it gives these indexes up; they are made anew when
// somebody asks for them. An error is one of the database.
func (s *Service) Verify(ctx context.Context, mend bool, report func(where, problem string, mended bool)) (int, error) {
	damaged, err := s.damagedNodes(ctx)
	if err != nil {
		return 0, fmt.Errorf("verify the link nodes: %w", err)
	}
	for _, hash := range damaged {
		if mend {
			err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, `DELETE FROM link_node WHERE hash = $1`, hash[:])
				return err
			})
			if err != nil {
				return 0, fmt.Errorf("delete a damaged link node: %w", err)
			}
		}
		report("link node "+hash.String(), "its bytes are not as they were written", mend)
	}
	count, after := 0, []byte{}
	for {
		roots, err := s.contentRoots(ctx, after)
		if err != nil {
			return count, err
		}
		for _, root := range roots {
			count++
			if err := s.verifyIndex(ctx, root, mend, report); err != nil {
				return count, err
			}
		}
		if len(roots) < rootsAtOnce {
			return count, nil
		}
		after = append([]byte{}, roots[len(roots)-1][:]...)
	}
}

// damagedNodes returns the nodes whose bytes have another hash or form.
func (s *Service) damagedNodes(ctx context.Context) ([]trie.Hash, error) {
	var damaged []trie.Hash
	err := db.Each(ctx, s.deps.DB.Read(), "", func(row db.Scanner) error {
		var hash, encoded []byte
		if err := row.Scan(&hash, &encoded); err != nil {
			return err
		}
		if len(hash) != len(trie.Hash{}) {
			return nil // no index can name it
		}
		if sum := sha256.Sum256(encoded); trie.Hash(hash) != sum || trie.Canonical(encoded) != nil {
			damaged = append(damaged, trie.Hash(hash))
		}
		return nil
	}, `SELECT hash, bytes FROM link_node ORDER BY hash`)
	return damaged, err
}

// verifyIndex walks the indexes of a content.
func (s *Service) verifyIndex(ctx context.Context, contentRoot trie.Hash, mend bool, report func(where, problem string,
	mended bool)) error {
	roots, err := db.All(ctx, s.deps.DB.Read(), "select link indexes", db.Column[[]byte],
		`SELECT root FROM link_index WHERE content_root = $1`, contentRoot[:])
	if err != nil {
		return err
	}
	for _, root := range roots {
		if len(root) != len(trie.Hash{}) {
			continue
		}
		seen := map[trie.Hash]bool{}
		meet := func(hash trie.Hash) bool {
			known := seen[hash]
			seen[hash] = true
			return known
		}
		for _, err := range s.trie().Reachable(ctx, trie.Hash(root), meet) {
			if err == nil {
				continue
			}
			if ctx.Err() != nil || !errors.Is(err, trie.ErrCorrupt) && !errors.Is(err, errMissing) {
				return fmt.Errorf("walk a link index: %w", err)
			}
			if mend {
				if err := s.forget(ctx, contentRoot); err != nil {
					return fmt.Errorf("give up a link index: %w", err)
				}
			}
			report("link index of content "+contentRoot.String(), err.Error(), mend)
			return nil
		}
	}
	return nil
}
