// Package postings owns reading the lists of documents that have a term, and keeping those of terms that many have.
package postings

import (
	"fmt"
	"sync"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// Entry is one of the list of a term in a field: a document, how often it has the term, and how many terms its field
// has, the last two in one number.
type Entry struct {
	Doc    uint32
	counts uint32
}

// How many bits of the counts of an entry say how many terms the field has, and bounds of both: a word that is in a
// field thousands of times says no more than one that is there more often, and texts are shorter than a million terms.
const (
	lengthBits = 20
	maxLength  = 1<<lengthBits - 1
	maxTimes   = 1<<(32-lengthBits) - 1
)

// Times is how often the document has the term, 4,095 at most.
func (e Entry) Times() float32 { return float32(e.counts >> lengthBits) }

// Length is how many terms the field of the document has, 1,048,575 at most.
func (e Entry) Length() float32 { return float32(e.counts & maxLength) }

// entryBytes is how much memory an Entry takes.
const entryBytes = 8

// Bounds of the lists that are kept as they were read: short ones are read again as quickly, and those that nobody has
// asked for lately are forgotten.
const (
	shortList = 64
	keptBytes = 16 << 20
)

// Key names a list: an index as it was opened, a piece of it, a field and a term. A piece never changes.
type Key struct {
	Index, Piece uint64
	Field, Term  string
}

// Cache keeps the lists of terms that many pages have. What was not asked for while half of its bound was filled is
// forgotten. It may be used by many goroutines; the zero value is empty.
type Cache struct {
	mu         sync.Mutex
	young, old map[Key][]Entry
	bytes      int // of young
}

// Get returns a list that is kept, which is not to be changed.
func (c *Cache) Get(key Key) (list []Entry, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if list, ok := c.young[key]; ok {
		return list, true
	}
	list, ok = c.old[key]
	if ok {
		delete(c.old, key)
		c.put(key, list)
	}
	return list, ok
}

// Set keeps a list.
func (c *Cache) Set(key Key, list []Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(key, list)
}

// Wants reports whether a list of so many entries is worth keeping.
func (c *Cache) Wants(entries uint64) bool {
	return entries >= shortList && entries*entryBytes < keptBytes/8
}

// put adds a list. The caller holds c.mu.
func (c *Cache) put(key Key, list []Entry) {
	if c.young == nil {
		c.young = map[Key][]Entry{}
	}
	if _, known := c.young[key]; known {
		return
	}
	if c.bytes += len(list) * entryBytes; c.bytes > keptBytes/2 {
		c.old, c.young, c.bytes = c.young, map[Key][]Entry{}, len(list)*entryBytes
	}
	c.young[key] = list
}

// Append reads a list behind the entries that are there.
func Append(entries []Entry, list segment.PostingsIterator) ([]Entry, error) {
	for {
		posting, err := list.Next()
		if err != nil {
			return nil, fmt.Errorf("read where a word is: %w", err)
		}
		if posting == nil {
			return entries, nil
		}
		said, ok := posting.(sized)
		if !ok {
			return nil, fmt.Errorf("a %T does not say how long its field is", posting)
		}
		times, length := uint32(min(said.Frequency(), maxTimes)), uint32(min(said.NormUint64(), maxLength))
		entries = append(entries, Entry{uint32(said.Number()), times<<lengthBits | length})
	}
}

// sized is a posting of the library's segments: its norm as a number is how many terms the field has. As Norm it would
// be one through the root of that, which takes longer to make and to undo than all the rest of reading it.
type sized interface {
	segment.Posting
	NormUint64() uint64
}
