package search

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"
)

// popular counts which pages this process was asked for, to show the most read ones before somebody has typed a word.
// It knows pages and no readers, and forgets with time.
type popular struct {
	seed   maphash.Seed
	shards [16]popularShard
}

type popularShard struct {
	mu     sync.Mutex
	counts map[popularKey]uint32
	total  uint32
}

type popularKey struct{ place, page string }

// Bounds of what one part of the counts holds: when one is reached, all are halved, and what was seldom is forgotten.
const (
	popularPages = 4000
	popularTotal = 100_000
)

func newPopular() *popular { return &popular{seed: maphash.MakeSeed()} }

func (p *popular) shard(key popularKey) *popularShard {
	return &p.shards[maphash.String(p.seed, key.page)%uint64(len(p.shards))]
}

// add counts one reading of a page.
func (p *popular) add(key popularKey) {
	shard := p.shard(key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	if shard.counts == nil {
		shard.counts = map[popularKey]uint32{}
	}
	shard.counts[key]++
	shard.total++
	if len(shard.counts) <= popularPages && shard.total <= popularTotal {
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

// Opened notes that somebody read a page. It counts in each of some places, which are apart: in a space, and where that
// is shown on a site.
func (s *Service) Opened(page string, places ...string) {
	for _, place := range places {
		s.popular.add(popularKey{place, page})
	}
}

// Readings is how often a page was read lately in a place, as far as this process knows.
func (s *Service) Readings(page, place string) int {
	key := popularKey{place, page}
	shard := s.popular.shard(key)
	shard.mu.Lock()
	defer shard.mu.Unlock()
	return int(shard.counts[key])
}

// Read is a page that was read in a place.
type Read struct {
	Place, Page string
	Times       int
}

// MostRead returns the pages that were read most in some places, at most that many.
func (s *Service) MostRead(places []string, most int) []Read {
	in := make(map[string]bool, len(places))
	for _, place := range places {
		in[place] = true
	}
	var all []Read
	for i := range s.popular.shards {
		shard := &s.popular.shards[i]
		shard.mu.Lock()
		for key, count := range shard.counts {
			if in[key.place] {
				all = append(all, Read{key.place, key.page, int(count)})
			}
		}
		shard.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b Read) int {
		return cmp.Or(-cmp.Compare(a.Times, b.Times), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Page, b.Page))
	})
	return all[:min(len(all), most)]
}
