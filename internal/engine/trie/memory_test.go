package trie

import (
	"context"
	"errors"
	"maps"
	"sync"
)

// MemorySource is a Source in memory that counts what is read from it. It is safe for concurrent use. The zero
// value is empty and ready.
type MemorySource struct {
	mu    sync.Mutex
	nodes map[Hash][]byte
	reads int
}

var errAbsent = errors.New("no such node")

// Node returns the encoding of a node.
func (m *MemorySource) Node(_ context.Context, h Hash) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	encoded, found := m.nodes[h]
	if !found {
		return nil, errAbsent
	}
	return encoded, nil
}

// Add stores nodes, as Apply returns them.
func (m *MemorySource) Add(nodes map[Hash][]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.nodes == nil {
		m.nodes = make(map[Hash][]byte, len(nodes))
	}
	maps.Copy(m.nodes, nodes)
}

// Len returns the number of nodes.
func (m *MemorySource) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.nodes)
}

// Reads returns how many nodes have been read since the last call of ResetReads.
func (m *MemorySource) Reads() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads
}

// ResetReads starts the count of Reads at zero.
func (m *MemorySource) ResetReads() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads = 0
}
