// Package popular owns counting which pages this process was asked for, to show the most read ones before somebody has
// typed a word.
package popular

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
)

// Counts is how often pages were read. It knows pages and no readers, and forgets with time. It is safe for concurrent
// use.
type Counts struct {
	seed   maphash.Seed
	shards [16]shard
}

type shard struct {
	mu     sync.Mutex
	counts map[key]uint32
	total  uint32
}

type key struct{ place, page string }

// Bounds of what one part of the counts holds: when one is reached, all are halved, and what was seldom is forgotten.
const (
	mostPages = 4000
	mostTotal = 100_000
)

// New returns counts of nothing.
func New() *Counts { return &Counts{seed: maphash.MakeSeed()} }

func (c *Counts) shardOf(of key) *shard {
	return &c.shards[maphash.String(c.seed, of.page)%uint64(len(c.shards))]
}

// add counts one reading of a page.
func (c *Counts) add(of key) {
	shard := c.shardOf(of)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.counts == nil {
		shard.counts = map[key]uint32{}
	}
	shard.counts[of]++
	shard.total++
	if len(shard.counts) <= mostPages && shard.total <= mostTotal {
		return
	}
	shard.total = 0
	for each, count := range shard.counts {
		if count /= 2; count == 0 {
			delete(shard.counts, each)
			continue
		}
		shard.counts[each] = count
		shard.total += count
	}
}

// Opened notes that somebody read a page. It counts in each of some places, which are apart: in a space, and where that
// is shown on a site.
func (c *Counts) Opened(page string, places ...string) {
	for _, place := range places {
		c.add(key{place, page})
	}
}

// Readings is how often a page was read lately in a place, as far as this process knows.
func (c *Counts) Readings(page, place string) int {
	of := key{place, page}
	shard := c.shardOf(of)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	return int(shard.counts[of])
}

// Read is a page that was read in a place.
type Read struct {
	Place, Page string
	Times       int
}

// MostRead returns the pages that were read most in some places, at most that many.
func (c *Counts) MostRead(places []string, most int) []Read {
	in := make(map[string]bool, len(places))
	for _, place := range places {
		in[place] = true
	}
	var all []Read
	for i := range c.shards {
		shard := &c.shards[i]
		shard.mu.Lock()
		for each, count := range shard.counts {
			if in[each.place] {
				all = append(all, Read{each.place, each.page, int(count)})
			}
		}
		shard.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b Read) int {
		return cmp.Or(-cmp.Compare(a.Times, b.Times), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Page, b.Page))
	})
	return all[:min(len(all), most)]
}
