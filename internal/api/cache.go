package api

import (
	"context"

	"github.com/maypok86/otter/v2"
)

// pageCacheBytes bounds the memory that ready-made answers take.
const pageCacheBytes = 64 << 20

// pageCache keeps encoded answers. Everything in it belongs to one immutable revision, so nothing ever goes stale.
type pageCache struct{ answers *otter.Cache[string, []byte] }

func newPageCache() pageCache {
	return pageCache{answers: otter.Must(&otter.Options[string, []byte]{
		MaximumWeight: pageCacheBytes,
		Weigher:       func(key string, value []byte) uint32 { return uint32(len(key) + len(value) + 128) },
	})}
}

// get returns the answer of a key, building it when it is not there. Callers that ask for the same key at once share
// one build.
func (c pageCache) get(ctx context.Context, key string, build func(context.Context) ([]byte, error)) ([]byte, error) {
	return c.answers.Get(ctx, key, otter.LoaderFunc[string, []byte](func(ctx context.Context, _ string) ([]byte, error) {
		return build(ctx)
	}))
}
