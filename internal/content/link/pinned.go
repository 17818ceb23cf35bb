package link

import (
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/engine/trie"
)

// pinned holds the nodes of indexes that were made where nothing can be written: inside somebody's transaction. They
// are there for as long as a question takes, and forgotten after a while; whoever asks next makes the index again and
// keeps it.
type pinned struct {
	mutex sync.Mutex
	nodes map[trie.Hash]pin
}

type pin struct {
	encoded []byte
	until   time.Time
}

// pinTime is longer than any transaction.
const pinTime = time.Minute

func (p *pinned) add(nodes map[trie.Hash][]byte) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := time.Now()
	for hash, old := range p.nodes {
		if now.After(old.until) {
			delete(p.nodes, hash)
		}
	}
	if p.nodes == nil {
		p.nodes = map[trie.Hash]pin{}
	}
	for hash, encoded := range nodes {
		p.nodes[hash] = pin{encoded: encoded, until: now.Add(pinTime)}
	}
}

func (p *pinned) get(hash trie.Hash) ([]byte, bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	found, ok := p.nodes[hash]
	return found.encoded, ok
}
