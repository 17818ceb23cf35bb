package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
)

// errMissing says that something a revision refers to is not there: its space has been deleted for good, or the
// database is damaged.
var errMissing = errors.New("content is not there")

// Reads counts what was read from the database since the Service was made, caches apart.
type Reads struct {
	Nodes, Bodies int64
}

type reads struct{ nodes, bodies atomic.Int64 }

// Reads returns how many trie nodes and bodies have been read from the database.
func (s *Service) Reads() Reads {
	return Reads{Nodes: s.reads.nodes.Load(), Bodies: s.reads.bodies.Load()}
}

// nodeCache keeps decoded trie nodes by hash, up to a number of bytes of memory. Nodes are addressed by their hash,
// which package trie has checked before it hands one out, so one that was read or written in a transaction is good
// outside it.
type nodeCache struct {
	kept cache.Cache[trie.Decoded]
}

// nodeOverhead is about what the cache itself takes for a node, in bytes.
const nodeOverhead = 150

func newNodeCache(size int) nodeCache {
	return nodeCache{cache.Weighted(limit(size, defaultNodeCache), func(_ string, d trie.Decoded) uint32 {
		return uint32(d.Size()) + nodeOverhead
	})}
}

// Set keeps a node that was made here; nobody changes encoded afterwards. Bytes that are no node of that hash are left
// out: whoever reads them gets the error.
func (c nodeCache) Set(hash trie.Hash, encoded []byte) {
	if d, err := trie.Decode(hash, encoded); err == nil {
		c.kept.Set(string(hash[:]), d)
	}
}

// nodeSource reads trie nodes through the cache.
type nodeSource struct {
	service *Service
	q       db.Querier
}

// Decoded returns a node that is in the cache.
func (n nodeSource) Decoded(hash trie.Hash) (trie.Decoded, bool) {
	return n.service.nodes.kept.Get(string(hash[:]))
}

// Keep puts a node into the cache.
func (n nodeSource) Keep(hash trie.Hash, d trie.Decoded) {
	n.service.nodes.kept.Set(string(hash[:]), d)
}

// Node reads the bytes of a node.
func (n nodeSource) Node(ctx context.Context, hash trie.Hash) ([]byte, error) {
	var encoded []byte
	err := n.q.QueryRowContext(ctx, `SELECT bytes FROM content_node WHERE hash = $1`, hash[:]).Scan(&encoded)
	if errors.Is(err, db.ErrNoRows) {
		return nil, fmt.Errorf("node %s: %w", hash, errMissing)
	}
	if err != nil {
		return nil, err
	}
	n.service.reads.nodes.Add(1)
	return encoded, nil
}

// Nodes reads the bytes of several nodes with one query.
func (n nodeSource) Nodes(ctx context.Context, hashes []trie.Hash) (map[trie.Hash][]byte, error) {
	found := make(map[trie.Hash][]byte, len(hashes))
	err := readNodes(ctx, n.q, hashes, func(hash trie.Hash, encoded []byte) {
		found[hash] = encoded
		n.service.reads.nodes.Add(1)
	})
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

// readNodes reads nodes with one query; those that are not there are left out.
func readNodes(ctx context.Context, q db.Querier, hashes []trie.Hash, found func(trie.Hash, []byte)) error {
	args := make([]any, len(hashes))
	for i, hash := range hashes {
		args[i] = hash[:]
	}
	return db.Each(ctx, q, "", func(row db.Scanner) error {
		var key, encoded []byte
		if err := row.Scan(&key, &encoded); err != nil {
			return err
		}
		if len(key) != len(trie.Hash{}) {
			return fmt.Errorf("read node: its hash has %d bytes", len(key))
		}
		found(trie.Hash(key), encoded)
		return nil
	}, `SELECT hash, bytes FROM content_node WHERE hash IN (`+db.Placeholders(1,
		len(hashes))+`)`, args...)
}

// body returns a body by its hex hash.
func (s *Service) body(ctx context.Context, q db.Querier, hash string) ([]byte, error) {
	if kept, ok := s.bodies.Get(hash); ok {
		return kept, nil
	}
	key, err := hex.DecodeString(hash)
	if err != nil {
		return nil, fmt.Errorf("read body %q: %w", hash, err)
	}
	var body []byte
	err = q.QueryRowContext(ctx, `SELECT bytes FROM content_body WHERE hash = $1`, key).Scan(&body)
	if errors.Is(err, db.ErrNoRows) {
		return nil, fmt.Errorf("read body %s: %w", hash, errMissing)
	}
	if err != nil {
		return nil, fmt.Errorf("read body: %w", err)
	}
	s.reads.bodies.Add(1)
	s.bodies.Set(hash, body)
	return body, nil
}
