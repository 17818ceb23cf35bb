package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// How much Collect does at once: what it reads with one query, and what it deletes in one transaction.
const (
	collectRead   = 500
	collectDelete = 100
)

// CollectReport says what a collection has deleted, and what it has found in use.
type CollectReport struct {
	Spaces, Revisions, Nodes, Bodies, Files int
	// KeptNodes is the number of trie nodes that some revision reaches, KeptUses that of bodies and files together.
	KeptNodes, KeptUses int
}

// Collect deletes what no revision reaches and no writer has touched for Deps.Grace: the revisions of dropped spaces,
// then trie nodes, bodies and files.
//
// It first marks what is in use, by walking the tries of all revisions, each node once; then it sweeps the rest in
// small transactions. It may run beside writers in any process and beside another Collect, and may be stopped at any
// moment: what is deleted stays so, and the next run does the rest. It needs about 40 bytes of memory for each node,
// body and file in use.
//
// Why a writer is safe: what a new revision reaches is either reached by a revision that was there when marking began,
// or was touched by its writer less than half of the grace period before its head moved. The sweep deletes only
// what was touched last before the beginning of the marking minus the whole period, which it checks again in the
// deleting statement.
func (s *Service) Collect(ctx context.Context) (CollectReport, error) {
	c := s.newCollection()
	for _, step := range []func(context.Context) error{c.purge, c.mark, c.sweepNodes, c.sweepBodies, c.sweepBlobs,
		c.sweepStrays} {
		if err := step(ctx); err != nil {
			return c.report, fmt.Errorf("collect garbage: %w", err)
		}
	}
	c.report.KeptNodes, c.report.KeptUses = len(c.nodes), len(c.uses)
	return c.report, nil
}

func (s *Service) newCollection() *collection {
	return &collection{service: s, cutoff: s.now().Add(-s.grace), nodes: marks{}, uses: marks{}}
}

// marks is a set of hashes by their first 128 bits, which are as good as unique: and two hashes that shared them would
// only keep something that could go.
type marks map[[16]byte]struct{}

// add reports whether a hash was there before.
func (m marks) add(hash []byte) bool {
	key := [16]byte(hash)
	_, there := m[key]
	m[key] = struct{}{}
	return there
}

func (m marks) has(hash []byte) bool {
	_, there := m[[16]byte(hash)]
	return there
}

type collection struct {
	service *Service
	cutoff  time.Time
	nodes   marks
	uses    marks // bodies and files
	report  CollectReport
}

// purge deletes the revisions of dropped spaces.
func (c *collection) purge(ctx context.Context) error {
	spaces, err := readStrings(ctx, c.service.deps.DB.Read(), `SELECT space_id FROM content_dropped ORDER BY space_id`)
	if err != nil {
		return err
	}
	for _, space := range spaces {
		for {
			deleted := 0
			err := c.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				var err error
				deleted, err = purgeSome(ctx, q, id.Space(space))
				return err
			})
			if err != nil {
				return fmt.Errorf("delete revisions: %w", err)
			}
			c.report.Revisions += deleted
			if deleted == 0 {
				c.report.Spaces++
				break
			}
		}
	}
	return nil
}

// purgeSome deletes some revisions of a dropped space; when there are none left, the note that it was dropped.
func purgeSome(ctx context.Context, q db.Querier, space id.Space) (deleted int, err error) {
	// A branch that was made while the space was being dropped would hold its revision.
	if _, err := q.ExecContext(ctx, `DELETE FROM content_branch WHERE space_id = $1`, space); err != nil {
		return 0, err
	}
	result, err := q.ExecContext(ctx, `DELETE FROM content_revision WHERE id IN
		(SELECT id FROM content_revision WHERE space_id = $1 ORDER BY id LIMIT $2)`, space, collectRead)
	if err != nil {
		return 0, err
	}
	affected, err := result.RowsAffected()
	if err != nil || affected > 0 {
		return int(affected), err
	}
	_, err = q.ExecContext(ctx, `DELETE FROM content_dropped WHERE space_id = $1`, space)
	return 0, err
}

// roots are what a revision keeps.
type roots struct {
	id          string
	root, paths trie.Hash
}

// mark walks all revisions. An error ends the collection: what lies below a node that could not be read is not marked.
func (c *collection) mark(ctx context.Context) error {
	source := plainSource{c.service.deps.DB.Read()}
	after := ""
	for {
		batch, err := readRoots(ctx, c.service.deps.DB.Read(), after)
		if err != nil {
			return fmt.Errorf("list revisions: %w", err)
		}
		for _, r := range batch {
			if err := c.markTrie(ctx, trie.New(source, trie.ByID), r.root, true); err != nil {
				return fmt.Errorf("walk revision %s: %w", r.id, err)
			}
			if err := c.markTrie(ctx, trie.New(source, trie.ByParent), r.paths, false); err != nil {
				return fmt.Errorf("walk path index of revision %s: %w", r.id, err)
			}
		}
		if len(batch) < collectRead {
			return nil
		}
		after = batch[len(batch)-1].id
	}
}

func readRoots(ctx context.Context, q db.Querier, after string) ([]roots, error) {
	return db.All(ctx, q, "", func(row db.Scanner) (roots, error) {
		var r roots
		var root, paths []byte
		err := row.Scan(&r.id, &root, &paths)
		copy(r.root[:], root)
		copy(r.paths[:], paths)
		return r, err
	}, `SELECT id, root, paths_root FROM content_revision WHERE id > $1 ORDER BY id LIMIT $2`, after, collectRead)
}

func (c *collection) markTrie(ctx context.Context, t trie.Trie, root trie.Hash, entries bool) error {
	for node, err := range t.Reachable(ctx, root, func(h trie.Hash) bool { return c.nodes.add(h[:]) }) {
		if err != nil {
			return err
		}
		if !entries {
			continue
		}
		for _, item := range node.Items {
			c.markUses(item.Value)
		}
	}
	return nil
}

// markUses marks every hash that an encoded entry mentions. Whether it names a body, a file or nothing does not matter:
// a mark too many keeps something until the entry is gone.
func (c *collection) markUses(encoded []byte) {
	const digits = 64
	for {
		quote := bytes.IndexByte(encoded, '"')
		if quote < 0 || len(encoded) < quote+digits+2 {
			return
		}
		encoded = encoded[quote+1:]
		if encoded[digits] != '"' {
			continue
		}
		var hash [digits / 2]byte
		if _, err := hex.Decode(hash[:], encoded[:digits]); err != nil {
			continue
		}
		c.uses.add(hash[:])
	}
}

// plainSource reads trie nodes past the cache, which a walk over everything would empty of what is in use.
type plainSource struct{ q db.Querier }

// Node returns the bytes of a node.
func (p plainSource) Node(ctx context.Context, hash trie.Hash) ([]byte, error) {
	found, err := p.Nodes(ctx, []trie.Hash{hash})
	if err != nil {
		return nil, err
	}
	if encoded, ok := found[hash]; ok {
		return encoded, nil
	}
	return nil, fmt.Errorf("node %s: %w", hash, errMissing)
}

// Nodes returns the bytes of several nodes.
func (p plainSource) Nodes(ctx context.Context, hashes []trie.Hash) (map[trie.Hash][]byte, error) {
	found := make(map[trie.Hash][]byte, len(hashes))
	return found, readNodes(ctx, p.q, hashes, func(hash trie.Hash, encoded []byte) { found[hash] = encoded })
}

func (c *collection) sweepNodes(ctx context.Context) error {
	deleted, err := c.sweep(ctx, "content_node", c.nodes)
	c.report.Nodes = deleted
	return err
}

func (c *collection) sweepBodies(ctx context.Context) error {
	deleted, err := c.sweep(ctx, "content_body", c.uses)
	c.report.Bodies = deleted
	return err
}

// sweep deletes the unmarked rows of a table.
func (c *collection) sweep(ctx context.Context, table string, used marks) (deleted int, err error) {
	d := c.service.deps.DB
	after := []byte{}
	for {
		batch, err := readHashes(ctx, d.Read(), table, after, c.cutoff.UnixMicro())
		if err != nil {
			return deleted, fmt.Errorf("list %s: %w", table, err)
		}
		var garbage [][]byte
		for _, hash := range batch {
			if !used.has(hash) {
				garbage = append(garbage, hash)
			}
		}
		for start := 0; start < len(garbage); start += collectDelete {
			some, err := c.deleteRows(ctx, table, garbage[start:min(start+collectDelete, len(garbage))])
			deleted += some
			if err != nil {
				return deleted, fmt.Errorf("delete from %s: %w", table, err)
			}
		}
		if len(batch) < collectRead {
			return deleted, nil
		}
		after = batch[len(batch)-1]
	}
}

func readHashes(ctx context.Context, q db.Querier, table string, after []byte, before int64) ([][]byte, error) {
	var hashes [][]byte
	err := db.Each(ctx, q, "", func(row db.Scanner) error {
		var hash []byte
		if err := row.Scan(&hash); err != nil {
			return err
		}
		if len(hash) != len(trie.Hash{}) {
			return fmt.Errorf("a hash has %d bytes", len(hash))
		}
		hashes = append(hashes, hash)
		return nil
	}, `SELECT hash FROM `+table+
		` WHERE hash > $1 AND touched_at < $2 ORDER BY hash LIMIT $3`, after, before, collectRead)
	return hashes, err
}

func (c *collection) deleteRows(ctx context.Context, table string, hashes [][]byte) (deleted int, err error) {
	args := []any{c.cutoff.UnixMicro()}
	for _, hash := range hashes {
		args = append(args, hash)
	}
	err = c.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		result, err := q.ExecContext(ctx, `DELETE FROM `+table+` WHERE touched_at < $1 AND hash IN (`+db.Placeholders(2,
			len(hashes))+`)`, args...)
		if err != nil {
			return err
		}
		affected, err := result.RowsAffected()
		deleted = int(affected)
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}

// sweepBlobs deletes the files that PutFile has noted and no entry uses.
func (c *collection) sweepBlobs(ctx context.Context) error {
	d := c.service.deps.DB
	after := ""
	for {
		batch, err := readStrings(ctx, d.Read(),
			`SELECT hash FROM content_blob WHERE hash > $1 AND touched_at < $2 ORDER BY hash LIMIT $3`,
			after, c.cutoff.UnixMicro(), collectRead)
		if err != nil {
			return fmt.Errorf("list files: %w", err)
		}
		for _, hash := range batch {
			if err := c.sweepBlob(ctx, hash); err != nil {
				return fmt.Errorf("delete file %s: %w", hash, err)
			}
		}
		if len(batch) < collectRead {
			return nil
		}
		after = batch[len(batch)-1]
	}
}

// sweepBlob deletes one file unless it is in use: the note first, so that no entry can come to name it, then the
// bytes, which the store keeps when they were put again in between.
func (c *collection) sweepBlob(ctx context.Context, hash string) error {
	key, err := hex.DecodeString(hash)
	if err != nil || len(key) != len(trie.Hash{}) || c.uses.has(key) {
		return err
	}
	s := c.service
	gone := false
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		gone = false
		if used, err := s.hooks.Get().BlobInUse(ctx, q, hash); err != nil || used {
			return err
		}
		result, err := q.ExecContext(ctx, `DELETE FROM content_blob WHERE hash = $1 AND touched_at < $2`, hash,
			c.cutoff.UnixMicro())
		if err != nil {
			return err
		}
		affected, err := result.RowsAffected()
		gone = affected > 0
		return err
	})
	if err != nil || !gone {
		return err
	}
	return c.deleteBlob(ctx, hash)
}

func (c *collection) deleteBlob(ctx context.Context, hash string) error {
	deleted, err := c.service.deps.Blobs.DeleteBefore(ctx, hash, c.cutoff)
	if deleted {
		c.report.Files++
	}
	return err
}

// sweepStrays deletes bytes in the blob store that nobody has noted: a process was killed between storing and noting
// them.
func (c *collection) sweepStrays(ctx context.Context) error {
	for info, err := range c.service.deps.Blobs.List(ctx) {
		if err != nil {
			return fmt.Errorf("list stored files: %w", err)
		}
		if !blob.ValidHash(info.Hash) || !info.PutAt.Before(c.cutoff) {
			continue
		}
		needed, err := c.strayInUse(ctx, info.Hash)
		if err != nil {
			return fmt.Errorf("check stored file %s: %w", info.Hash, err)
		}
		if needed {
			continue
		}
		if err := c.deleteBlob(ctx, info.Hash); err != nil {
			return fmt.Errorf("delete stored file %s: %w", info.Hash, err)
		}
	}
	return nil
}

func (c *collection) strayInUse(ctx context.Context, hash string) (bool, error) {
	q := c.service.deps.DB.Read()
	noted, err := readStrings(ctx, q, `SELECT hash FROM content_blob WHERE hash = $1`, hash)
	if err != nil || len(noted) > 0 {
		return true, err
	}
	return c.service.hooks.Get().BlobInUse(ctx, q, hash)
}

// RootsInUse tells which of some roots of entries a revision has. What was derived from others is worth nothing any
// more.
func (s *Service) RootsInUse(ctx context.Context, roots []trie.Hash) (map[trie.Hash]bool, error) {
	inUse := map[trie.Hash]bool{}
	for some := range slices.Chunk(roots, collectRead) {
		args := make([]any, 0, len(some))
		for _, root := range some {
			args = append(args, root[:])
		}
		err := readColumn(ctx, s.deps.DB.Read(), func(root []byte) {
			if len(root) == len(trie.Hash{}) {
				inUse[trie.Hash(root)] = true
			}
		}, `SELECT DISTINCT root FROM content_revision WHERE root IN (`+db.Placeholders(1, len(args))+`)`, args...)
		if err != nil {
			return nil, fmt.Errorf("look for revisions: %w", err)
		}
	}
	return inUse, nil
}

// readColumn passes the only column of a query on, row by row.
func readColumn[T any](ctx context.Context, q db.Querier, each func(T), query string, args ...any) error {
	return db.Each(ctx, q, "", func(row db.Scanner) error {
		var value T
		if err := row.Scan(&value); err != nil {
			return err
		}
		each(value)
		return nil
	}, query, args...)
}

// readStrings returns the only column of a query.
func readStrings(ctx context.Context, q db.Querier, query string, args ...any) ([]string, error) {
	return db.All(ctx, q, "", db.Column[string], query, args...)
}
