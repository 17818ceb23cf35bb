package search

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// entry is one of the list of a term in a field: a document, how often it has the term, and how many terms its field
// has.
type entry struct {
	doc           uint32
	times, length float32
}

// entryBytes is how much memory an entry takes.
const entryBytes = 12

// Bounds of the lists that are kept as they were read: short ones are read again as quickly, and those that nobody has
// asked for lately are forgotten.
const (
	shortList = 64
	keptLists = 16 << 20
)

// listKey names a list: an index as it was opened, a part of it, a field and a term. A part never changes.
type listKey struct {
	index, part uint64
	field, term string
}

// listCache keeps the lists of terms that many pages have, for all indexes. What was not asked for while half of its
// bound was filled is forgotten.
type listCache struct {
	mu         sync.Mutex
	young, old map[listKey][]entry
	bytes      int // of young
}

func (c *listCache) get(key listKey) ([]entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if list, ok := c.young[key]; ok {
		return list, true
	}
	list, ok := c.old[key]
	if ok {
		delete(c.old, key)
		c.put(key, list)
	}
	return list, ok
}

func (c *listCache) set(key listKey, list []entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(key, list)
}

// put adds a list. The caller holds c.mu.
func (c *listCache) put(key listKey, list []entry) {
	if c.young == nil {
		c.young = map[listKey][]entry{}
	}
	if _, known := c.young[key]; known {
		return
	}
	if c.bytes += len(list) * entryBytes; c.bytes > keptLists/2 {
		c.old, c.young, c.bytes = c.young, map[listKey][]entry{}, len(list)*entryBytes
	}
	c.young[key] = list
}

// lists are those of all indexes of this process.
var lists listCache

// numbers counts the indexes that were opened.
var numbers atomic.Uint64

// entries returns the list of a term in a field. It is true until the next call and is not to be changed.
func (p *part) entries(field, term string) ([]entry, error) {
	key := listKey{p.index, p.number, field, term}
	if p.index != 0 {
		if known, ok := lists.get(key); ok {
			return known, nil
		}
	}
	list, err := p.listOf(field, term)
	if err != nil || list == nil {
		return nil, err
	}
	count := int(list.Count())
	keep := p.index != 0 && count >= shortList && count*entryBytes < keptLists/8
	read := p.read[:0]
	if keep {
		read = make([]entry, 0, count)
	}
	postings := list.Iterator(true, true, false, p.postings)
	p.postings = postings
	for {
		posting, err := postings.Next()
		if err != nil {
			return nil, fmt.Errorf("read where a word is: %w", err)
		}
		if posting == nil {
			break
		}
		read = append(read, entry{uint32(posting.Number()), float32(posting.Frequency()), lengthOf(posting)})
	}
	if keep {
		lists.set(key, read)
	} else {
		p.read = read
	}
	return read, nil
}
