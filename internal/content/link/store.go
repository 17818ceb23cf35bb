package link

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// errMissing says that a node of an index is not there any more.
var errMissing = errors.New("a node of the link index is not there")

// nodeSource reads nodes of indexes through the cache.
type nodeSource struct{ service *Service }

// Decoded returns a node that is in the cache.
func (n nodeSource) Decoded(hash trie.Hash) (trie.Decoded, bool) {
	return n.service.nodes.Get(string(hash[:]))
}

// Keep puts a node into the cache.
func (n nodeSource) Keep(hash trie.Hash, d trie.Decoded) { n.service.nodes.Set(string(hash[:]), d) }

// Node reads the bytes of a node.
func (n nodeSource) Node(ctx context.Context, hash trie.Hash) ([]byte, error) {
	found, err := n.Nodes(ctx, []trie.Hash{hash})
	if err != nil {
		return nil, err
	}
	return found[hash], nil
}

// Nodes reads the bytes of several nodes with one query.
func (n nodeSource) Nodes(ctx context.Context, hashes []trie.Hash) (map[trie.Hash][]byte, error) {
	found := make(map[trie.Hash][]byte, len(hashes))
	var args []any
	for _, hash := range hashes {
		if encoded, ok := n.service.pinned.get(hash); ok {
			found[hash] = encoded
			continue
		}
		args = append(args, hash[:])
	}
	if len(args) == 0 {
		return found, nil
	}
	err := db.Each(ctx, n.service.deps.DB.Read(), "read nodes", func(row db.Scanner) error {
		var name, encoded []byte
		if err := row.Scan(&name, &encoded); err != nil {
			return err
		}
		if len(name) != len(trie.Hash{}) {
			return fmt.Errorf("read nodes: a hash has %d bytes", len(name))
		}
		found[trie.Hash(name)] = encoded
		n.service.reads.nodes.Add(1)
		return nil
	}, `SELECT hash, bytes FROM link_node WHERE hash IN (`+db.Placeholders(1, len(args))+`)`, args...)
	if err != nil {
		return nil, err
	}
	for _, hash := range hashes {
		if _, ok := found[hash]; !ok {
			return nil, fmt.Errorf("node %s: %w", hash, errMissing)
		}
	}
	return found, nil
}

// findIndex reads the row of a content's index, nil when there is none.
func (s *Service) findIndex(ctx context.Context, contentRoot trie.Hash) (*index, error) {
	var root []byte
	var found index
	c := &found.counts
	err := s.deps.DB.Read().QueryRowContext(ctx, `
		SELECT root, broken, in_app, inside, outside, elsewhere, written, used_at FROM link_index
		WHERE content_root = $1 AND version = $2`, contentRoot[:], s.version).
		Scan(&root, &c.Broken, &c.InApp, &c.Inside, &c.Outside, &c.Elsewhere, &c.Written, &found.used)
	if errors.Is(err, db.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("select link index: %w", err)
	}
	if len(root) != len(found.root) {
		return nil, fmt.Errorf("select link index: a root has %d bytes", len(root))
	}
	copy(found.root[:], root)
	return &found, nil
}

// How much one transaction writes, so that it holds the one writer of SQLite for tens of milliseconds at most.
const (
	chunkRows  = 256
	chunkBytes = 1 << 20
)

// saveIndex writes the nodes of an index in small transactions, and then its row.
func (s *Service) saveIndex(ctx context.Context, view *store.View, made *index, nodes map[trie.Hash][]byte) error {
	hashes := make([]trie.Hash, 0, len(nodes))
	for hash := range nodes {
		hashes = append(hashes, hash)
	}
	// In one order, so that writers on PostgreSQL do not wait for each other crosswise.
	slices.SortFunc(hashes, func(a, b trie.Hash) int { return strings.Compare(string(a[:]), string(b[:])) })
	for len(hashes) > 0 {
		chunk, size := 0, 0
		for chunk < len(hashes) && chunk < chunkRows && (chunk == 0 || size+len(nodes[hashes[chunk]]) <= chunkBytes) {
			size += len(nodes[hashes[chunk]])
			chunk++
		}
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			now := s.now().UnixMicro()
			for _, hash := range hashes[:chunk] {
				if _, err := q.ExecContext(ctx, `INSERT INTO link_node (hash, touched_at, bytes) VALUES ($1, $2, $3)
					ON CONFLICT (hash) DO UPDATE SET touched_at = excluded.touched_at`, hash[:], now,
					nodes[hash]); err != nil {
					return fmt.Errorf("insert link node: %w", err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		hashes = hashes[chunk:]
	}
	revision := view.Revision()
	made.used = s.now().UnixMicro()
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		c := made.counts
		_, err := q.ExecContext(ctx, `
			INSERT INTO link_index (content_root, version, root, broken, in_app, inside, outside, elsewhere, written,
			used_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
			ON CONFLICT (content_root, version) DO UPDATE SET root = excluded.root, broken = excluded.broken,
			in_app = excluded.in_app,
				inside = excluded.inside, outside = excluded.outside, elsewhere = excluded.elsewhere,
				written = excluded.written,
				used_at = excluded.used_at`,
			revision.Root[:], s.version, made.root[:], c.Broken, c.InApp, c.Inside, c.Outside, c.Elsewhere, c.Written,
			made.used)
		if err != nil {
			return fmt.Errorf("insert link index: %w", err)
		}
		_, err = q.ExecContext(ctx, `INSERT INTO link_latest (space_id, revision_id, made_at) VALUES ($1, $2, $3)
			ON CONFLICT (space_id) DO UPDATE SET revision_id = excluded.revision_id, made_at = excluded.made_at`,
			revision.Space, revision.ID, made.used)
		if err != nil {
			return fmt.Errorf("insert latest link index: %w", err)
		}
		return nil
	})
}

// refresh is how old the sign of life of an index may become before it is renewed, retain how old it is when the index
// is given up.
const (
	refresh = 12 * time.Hour
	retain  = 7 * 24 * time.Hour
)

// keepAlive notes that an index is in use, at most twice a day. It reports whether the index is still there: nobody
// may have asked for so long that it was given up.
func (s *Service) keepAlive(ctx context.Context, contentRoot trie.Hash, found *index) (bool, error) {
	now := s.now().UnixMicro()
	if now-found.used < refresh.Microseconds() {
		return true, nil
	}
	var kept int64
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		result, err := q.ExecContext(ctx, `UPDATE link_index SET used_at = $3 WHERE content_root = $1 AND version = $2`,
			contentRoot[:], s.version, now)
		if err != nil {
			return err
		}
		kept, err = result.RowsAffected()
		return err
	})
	if errors.Is(err, db.ErrNested) {
		// Inside a transaction; it is young enough for as long as that takes.
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("keep link index: %w", err)
	}
	if kept == 0 {
		return false, nil
	}
	renewed := *found
	renewed.used = now
	s.indexes.Set(contentRoot.String(), &renewed)
	return true, nil
}

// forget deletes the row of an index whose nodes are gone.
func (s *Service) forget(ctx context.Context, contentRoot trie.Hash) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `DELETE FROM link_index WHERE content_root = $1`, contentRoot[:])
		return err
	})
}

// latest returns the id of the revision of a space that was indexed last, "" when there is none.
func (s *Service) latest(ctx context.Context, spaceID id.Space) (id.Revision, error) {
	var id id.Revision
	err := s.deps.DB.Read().QueryRowContext(ctx, `SELECT revision_id FROM link_latest WHERE space_id = $1`,
		spaceID).Scan(&id)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("select latest link index: %w", err)
	}
	return id, nil
}
