// Package store owns what is in a space: its revisions, its branches, and the entries, bodies and files they consist
// of. It is the only package that knows how content is stored.
//
// # Revisions
//
// A revision is immutable. It is the root of a canonical trie (package trie) that maps entity ids to entries (package
// entity), and the root of a second trie, the path index, which is derived from the first: the children of every page
// by slug, with their types and positions, and the redirects that moves have left behind. So a page is found by id and
// by path, and children are listed, by reading a few nodes of a trie, with no state in the process but caches of
// immutable things.
//
// # Branches
//
// A branch is a name for a revision, its head: one main branch per space, and one for each change request. A head
// moves by compare-and-swap in one small transaction together with the row of the new revision and whatever
// Hooks.OnHead does. Everything that a revision refers to is addressed by its hash and written before, in small
// transactions, or in that same one when it is little. A writer that loses the race for the head merges its change
// with what was there first (package merge) and tries again; when both cannot be had, it gets a *ConflictError and
// nothing is changed. An edit that was acknowledged is in the history for good.
//
// # Invariants of every revision
//
//   - The parent of a page is "" or a document or group page of the same revision; parents form no cycle.
//   - Every page has a slug that no sibling has.
//   - The path index is exactly what the entries derive.
//   - Every body and every file that an entry names is there.
//   - No redirect leads from a page's own path to that page.
//
// # Tables
//
// content_node, content_body and content_blob (what revisions consist of), content_revision, content_branch, and
// content_dropped (spaces that Collect has yet to clear away). No other package writes them; site joins content_branch
// (kind 'main') to get heads.
package store

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Limits of what a space may hold. Commit refuses what is over them with an errs.Invalid or errs.TooLarge error.
const (
	// MaxBodySize is the largest Markdown body, in bytes.
	MaxBodySize = 1 << 20
	// MaxDepth is the most ancestors that a page may have when it is put in its place.
	MaxDepth = 64
	// MaxMessageSize is the longest message of a revision, in bytes.
	MaxMessageSize = 16 << 10
)

// DefaultGrace is how long something that no revision reaches is kept, counted from when a writer last touched it.
const DefaultGrace = 24 * time.Hour

// Default sizes of the caches; see Deps.
const (
	defaultNodeCache = 64 << 20
	defaultBodyCache = 32 << 20
	defaultTreeCache = 200_000
	revisionCache    = 50_000
)

// Deps is what a Service needs.
type Deps struct {
	DB    *db.DB
	Blobs blob.Store
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// Grace is the age from which Collect deletes what no revision reaches; 0 means DefaultGrace. All processes on
	// one database use the same value, and their clocks differ by less than a quarter of it.
	Grace time.Duration
	// NodeCache and BodyCache are sizes in bytes, that of nodes as they lie in memory decoded; TreeCache is a number of
	// pages. 0 means 64 MiB, 32 MiB and 200,000 pages (about 1 KiB each).
	NodeCache, BodyCache, TreeCache int
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// OnHead runs in the transaction that moves or makes a head, in order, for the counters, indexes and events of
	// other packages. An error undoes the move. A function may run again for the same move when the transaction is
	// retried.
	OnHead []func(ctx context.Context, q db.Querier, moved HeadMoved) error
	// BlobInUse reports whether a file is needed by something else than content; Collect then keeps its bytes.
	BlobInUse func(ctx context.Context, q db.Querier, hash string) (bool, error)
}

// HeadMoved tells the functions of Hooks.OnHead what has happened.
type HeadMoved struct {
	Branch Branch
	// Before is nil when the branch is new. Both views read through the transaction: they see what it has written and
	// are of no use after it.
	Before, After *View
}

// Service is the store of content. It is safe for use by many goroutines, and any number of processes may have one on
// the same database.
type Service struct {
	deps  Deps
	hooks required.Hooks[Hooks]
	now   func() time.Time
	grace time.Duration

	nodes     nodeCache
	bodies    cache.Cache[[]byte]    // by hash
	revisions cache.Cache[Revision]  // by id
	snapshots cache.Cache[*snapshot] // by the root of the trie
	landings  cache.Cache[string]    // by path index, the id of the first document
	newest    cache.Cache[trie.Hash] // by space, the root of the last snapshot that was made
	building  singleflight.Group
	lanes     lanes
	reads     reads
}

// New returns a Service, which needs its Hooks before it writes. It reads and writes nothing.
func New(deps Deps) *Service {
	required.Must(deps)
	s := &Service{deps: deps, now: deps.Now, grace: deps.Grace}
	if s.now == nil {
		s.now = time.Now
	}
	if s.grace <= 0 {
		s.grace = DefaultGrace
	}
	s.nodes = newNodeCache(deps.NodeCache)
	s.bodies = cache.Weighted(limit(deps.BodyCache, defaultBodyCache), func(_ string, b []byte) uint32 {
		return uint32(len(b)) + 100
	})
	s.snapshots = cache.Weighted(limit(deps.TreeCache, defaultTreeCache), func(_ string, t *snapshot) uint32 {
		return uint32(t.size())
	})
	s.revisions = cache.Sized[Revision](revisionCache)
	s.landings = cache.Sized[string](10_000)
	s.newest = cache.Sized[trie.Hash](10_000)
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// limit returns size, or standard when size is not set.
func limit(size, standard int) int {
	if size <= 0 {
		return standard
	}
	return size
}

// micros is the clock's time as the database stores it.
func (s *Service) micros() int64 { return s.now().UnixMicro() }
