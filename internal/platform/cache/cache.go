// Package cache owns memory for immutable values: it keeps what was asked for often and lately, up to a bound.
//
// It promises that a value comes back as it was set or not at all, that the bound holds (it is reached for moments when
// many set at once), and that every cache is safe for use by many goroutines. Which values stay is W-TinyLFU's choice,
// made by github.com/maypok86/otter.
//
// Keys are strings and values travel as interfaces, so that the program holds one copy of that generic library. A copy
// for each pair of types makes the stripped program 5.4 MB larger (71.6 to 77.0 MB in November 2026).
package cache

import (
	"context"

	"github.com/maypok86/otter/v2"
)

// Cache keeps values by key.
type Cache[V any] struct{ kept *otter.Cache[string, any] }

// Sized returns a cache of at most entries values.
func Sized[V any](entries int) Cache[V] {
	return Cache[V]{otter.Must(&otter.Options[string, any]{MaximumSize: entries})}
}

// Weighted returns a cache whose values weigh at most total together, in the unit that weigh returns. weigh is called
// once for each value that is set; a value that is heavier than total is not kept.
func Weighted[V any](total int, weigh func(key string, value V) uint32) Cache[V] {
	return Cache[V]{otter.Must(&otter.Options[string, any]{
		MaximumWeight: uint64(total),
		Weigher:       func(key string, value any) uint32 { return weigh(key, value.(V)) },
	})}
}

// Get returns the value of a key; ok is false when it is not there.
func (c Cache[V]) Get(key string) (value V, ok bool) {
	kept, ok := c.kept.GetIfPresent(key)
	if !ok {
		return value, false
	}
	return kept.(V), true
}

// Set keeps a value, in place of the one that the key had.
func (c Cache[V]) Set(key string, value V) { c.kept.Set(key, value) }

// Len returns about how many values there are.
func (c Cache[V]) Len() int { return c.kept.EstimatedSize() }

// Clear takes all values out.
func (c Cache[V]) Clear() { c.kept.InvalidateAll() }

// Load returns the value of a key and builds it when it is not there. Callers that ask for one key at the same time
// share one build and its error; errors are not kept.
func (c Cache[V]) Load(ctx context.Context, key string, build func(context.Context) (V, error)) (V, error) {
	kept, err := c.kept.Get(ctx, key, otter.LoaderFunc[string, any](func(ctx context.Context, _ string) (any, error) {
		return build(ctx)
	}))
	if err != nil {
		var none V
		return none, err
	}
	return kept.(V), nil
}
