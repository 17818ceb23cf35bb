package page

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// popular counts which pages this process was asked for, to show the most read ones before somebody has typed a word.
// It knows paths and no readers, and forgets with time.
type popular struct {
	seed   maphash.Seed
	shards [16]popularShard
}

type popularShard struct {
	mu     sync.Mutex
	counts map[popularKey]uint32
	total  uint32
}

type popularKey struct{ space, path string }

// Bounds of what one part of the counts holds: when one is reached, all are halved, and what was seldom is forgotten.
const (
	popularPaths = 2000
	popularTotal = 50_000
)

func newPopular() *popular { return &popular{seed: maphash.MakeSeed()} }

func (p *popular) shard(key popularKey) *popularShard {
	return &p.shards[maphash.String(p.seed, key.path)%uint64(len(p.shards))]
}

// opened counts one reading of a page.
func (p *popular) opened(space, path string) {
	key := popularKey{space, path}
	shard := p.shard(key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.counts == nil {
		shard.counts = map[popularKey]uint32{}
	}
	shard.counts[key]++
	shard.total++
	if len(shard.counts) <= popularPaths && shard.total <= popularTotal {
		return
	}
	shard.total = 0
	for key, count := range shard.counts {
		if count /= 2; count == 0 {
			delete(shard.counts, key)
			continue
		}
		shard.counts[key] = count
		shard.total += count
	}
}

func (p *popular) count(space, path string) uint32 {
	key := popularKey{space, path}
	shard := p.shard(key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	return shard.counts[key]
}

// maxWeighed bounds how many pages are compared.
const maxWeighed = 2000

// mostRead are the pages of a space that were read most, of those that this reader finds; then the first ones.
func (p *Pages) mostRead(s *scope.Scope, most int) []*store.TreeNode {
	type weighed struct {
		node  *store.TreeNode
		count uint32
	}
	var pages []weighed
	for _, node := range s.Edition.Reading[:min(len(s.Edition.Reading), maxWeighed)] {
		if s.Edition.Searchable(node) {
			pages = append(pages, weighed{node, p.popular.count(string(s.Space.ID), s.PagePath(node))})
		}
	}
	slices.SortStableFunc(pages, func(a, b weighed) int { return -cmp.Compare(a.count, b.count) })
	var nodes []*store.TreeNode
	for _, each := range pages[:min(len(pages), most)] {
		nodes = append(nodes, each.node)
	}
	return nodes
}

// popularHits are what the dialog shows before there is a word.
func (p *Pages) popularHits(s *scope.Scope) []searchHit {
	hits := []searchHit{}
	for _, node := range p.mostRead(s, popularShown) {
		hits = append(hits, searchHit{Title: []string{edition.PlainTitle(edition.Title(node.Entry))},
			URL: s.PageURL(node), Crumb: joinCrumbs(s.PartTitle(), crumbText(node)), Sections: []searchSection{}})
	}
	return hits
}

// popularShown is how many popular pages are shown.
const popularShown = 5
