// Package link owns what links to what: the references that the content of a space holds, where each of them leads,
// whether there is anything, and the same in reverse.
//
// # The index
//
// The links of a content are a third canonical trie (package trie) beside the two of package content. It is derived:
// its root depends on the entries alone, so equal content has one index, branches, duplicates and fast-forwards share
// it, and its row is found by the root of the entries. It holds
//
//   - every link: a source (page or reusable content), the destination as written, and how the source needs it, with
//     the target that the destination leads to, its places in the source, and what resolving it looked at (below).
//     Links that are broken, lead into the app, lead inside the space, lead to an external address, and lead to other
//     things of the organization have a part of the trie each, so that lists by status are flat;
//   - the reverse: from everything that resolving a link looked at to that link;
//   - which pages, files and reusable contents lay claim to a path of the Markdown tree.
//
// # Exactness
//
// Resolving a link notes each thing that it looks at: an entity by id, one anchor of one body, the includes of a body,
// one path of the Markdown tree, the folder of the source. A change of content is turned into the set of such things
// that it changes, and exactly the links that have looked at one of them are resolved again. So an index that was
// derived step by step is the one that would be computed from nothing; a property test holds this.
//
// An index is made when a revision is first asked about, from that of the nearest ancestor that has one, and then
// kept. It costs the diff between the two, each changed body once, and the links that are affected; the rows are
// written in small transactions. Commits do nothing for it.
//
// # What counts as a link
//
// Every reference of a body (links, mentions, buttons, images, files, cards, table values, included reusable contents,
// API blocks, addresses in raw HTML), covers, the targets of link pages, and the specifications of computed pages.
// Not tags, not redirects. A destination that stands several times in one source is one link with several places.
// Destinations are read as the published site reads them (package pub): stable references ("/pages/ID"), addresses,
// fragments, and paths in the Markdown tree, absolute or from the folder of the source. A path in a reusable content
// counts from that content's own file.
//
// # Status
//
// A link is broken when there is no such page, file, reusable content, anchor or space; in-app when it is an address of
// this server's app; else ok. Anchors are those of the body and of what it includes; on a page that includes more than
// 32 reusable contents every anchor that is not its own counts as there. Links to other spaces, to people, collections
// and API specifications are decided when they are asked about, since these change without a revision.
//
// # Computed pages
//
// The pages that computed pages stand for are in no revision: they are made from the latest version of a specification.
// So the index, which depends on the entries alone, does not have them. What it calls broken is asked of them once more
// whenever a question is answered (made.go), their own links are read then, and nothing has to be refreshed when a
// specification changes.
//
// External addresses are ok, unless checking them is on (Deps.Fetch): then a periodic run of CheckExternal asks those
// that live content links to, and what does not answer is broken.
//
// # Tables
//
// link_node (nodes of indexes), link_index (the index of a content), link_latest (the revision that a space was last
// asked about), link_external, link_external_space and link_check (external addresses, and what asking them has found).
// All of it can be deleted at any time and is made again.
package link

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Status says whether a link leads anywhere.
type Status string

// Statuses of a link.
const (
	OK     Status = "ok"
	Broken Status = "broken" // there is no such page, file, reusable content, anchor or space
	InApp  Status = "in-app" // an address of this server's app
)

// Role says which part of its source holds a link.
type Role string

// Roles of links.
const (
	RoleBody      Role = "body"
	RoleCover     Role = "cover"
	RoleCoverDark Role = "cover-dark"
	RoleTarget    Role = "target"   // of a link page
	RoleComputed  Role = "computed" // the specification of a computed page
)

// Link is one destination in one source.
type Link struct {
	// Source is the id of the page or reusable content that holds it.
	Source string
	Role   Role
	// Written is the destination as it is written, in the stable form where it has one; shortened when it is very long.
	Written  string
	Relation render.Relation
	Status   Status
	// Reason says why a link is broken: one of the Reason constants; "" otherwise.
	Reason string
	// Target is what the destination leads to. Of a broken link it is the reference as far as it can be told, with kind
	// url for a destination that is only written.
	Target doc.Ref
	// Keys are the keys of the document's nodes that hold the link, in reading order and at most 100; empty for what
	// is not in a body.
	Keys []string
	// Places is how many there are in all.
	Places int

	class class
	name  string
	order int
}

// Reasons why a link is broken.
const (
	NoDestination = "empty"
	NoPage        = "no-page"
	NoFile        = "no-file"
	NoReusable    = "no-reusable-content"
	NoAnchor      = "no-anchor"
	NoPath        = "no-path" // nothing is at the written path
	NoSpace       = "no-space"
	NoOther       = "not-found"    // no such person, collection or specification
	AddressGone   = "address-gone" // an external address answers that nothing is there
	NoAnswer      = "no-answer"    // an external address has not answered for some time
)

// Stats count links: each destination of each source once.
type Stats struct {
	Total, Broken, InApp int
}

// Scope is the revision that a question is about.
type Scope struct {
	// Organization is that of the space.
	Organization id.Organization
	View         *store.View
}

// Deps is what a Service stands on.
type Deps struct {
	DB      *db.DB
	Content *store.Service
	// BaseURL is the address of this server without a trailing slash: addresses below it are in-app, but for its API
	// and the sites published below it.
	BaseURL string `optional:"commands have no address, and no link is below it"`
	// Fetch asks external addresses whether they answer. Nil means that they are not checked and always ok.
	Fetch *fetch.Client `optional:"external links are not checked"`
	// CheckPause is the pause between two questions to one host; 0 means a second.
	CheckPause time.Duration `optional:"one second"`
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Exists reports whether an organization has a person, collection, space (not in the trash) or API specification.
	Exists func(ctx context.Context, organizationID id.Organization, ref doc.Ref) (bool, error)
	// Made says which pages the computed pages of a revision stand for.
	Made store.MadePages
}

// Service answers questions about links. It is safe for use by many goroutines, and any number of processes may have
// one on the same database.
type Service struct {
	deps    Deps
	hooks   required.Hooks[Hooks]
	now     func() time.Time
	version string

	nodes   cache.Cache[trie.Decoded]
	bodies  cache.Cache[*reading] // by hash
	indexes cache.Cache[*index]   // by content root
	made    cache.Cache[*made]    // by its key
	pinned  pinned
	reads   struct{ nodes, bodies atomic.Int64 }
}

// Sizes of the caches, in bytes and in indexes.
const (
	nodeCache  = 32 << 20
	bodyCache  = 16 << 20
	indexCache = 10_000
	madeCache  = 8
)

// New returns a Service, which needs its Hooks before it is used. It reads and writes nothing.
func New(deps Deps) *Service {
	required.Must(deps)
	s := &Service{deps: deps, now: deps.Now, version: rules + " " + deps.BaseURL}
	if s.now == nil {
		s.now = time.Now
	}
	s.nodes = cache.Weighted(nodeCache, func(_ string, d trie.Decoded) uint32 { return uint32(d.Size()) + 150 })
	s.bodies = cache.Weighted(bodyCache, func(_ string, r *reading) uint32 { return r.size() })
	s.indexes = cache.Sized[*index](indexCache)
	s.made = cache.Sized[*made](madeCache)
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// rules names the rules by which indexes are made. It changes with everything that changes what an index of the same
// content is: extraction, resolution, the parser's anchors, the form of keys and values.
const rules = "2"

// Reads counts what was read since the Service was made, caches apart.
type Reads struct {
	// Nodes are trie nodes of indexes read from the database, Bodies are bodies that were parsed.
	Nodes, Bodies int64
}

// Reads returns how many nodes have been read and bodies parsed.
func (s *Service) Reads() Reads {
	return Reads{Nodes: s.reads.nodes.Load(), Bodies: s.reads.bodies.Load()}
}
