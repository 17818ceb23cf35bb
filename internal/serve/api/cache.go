package api

import (
	"context"

	"github.com/rectodocs/recto/internal/platform/cache"
)

// pageCacheBytes bounds the memory that ready-made answers take.
const pageCacheBytes = 64 << 20

// pageCache keeps encoded answers. Everything in it belongs to one immutable revision, so nothing ever goes stale.
type pageCache struct{ answers cache.Cache[[]byte] }

func newPageCache() pageCache {
	return pageCache{answers: cache.Weighted(pageCacheBytes, func(key string, value []byte) uint32 {
		return uint32(len(key) + len(value) + 128)
	})}
}

// get returns the answer of a key, building it when it is not there. Callers that ask for the same key at once share
// one build.
func (c pageCache) get(ctx context.Context, key string, build func(context.Context) ([]byte, error)) ([]byte, error) {
	return c.answers.Load(ctx, key, build)
}
