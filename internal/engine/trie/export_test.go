package trie

import (
	"context"
	"slices"
	"strings"
)

// Encode returns the encoding of a node as it is now, for tests that look for changes to shared nodes.
func (d Decoded) Encode() []byte { return d.node.encode() }

// Changes collects a Diff, sorted by key.
func (t Trie) Changes(ctx context.Context, a, b Hash) ([]Change, error) {
	var changes []Change
	for c, err := range t.Diff(ctx, a, b) {
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(x, y Change) int { return strings.Compare(x.Key, y.Key) })
	return changes, nil
}
