package contents

import (
	"context"
	"strconv"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// pageCacheBytes bounds the memory that ready-made answers take.
const pageCacheBytes = 64 << 20

// pageCache keeps encoded answers. Everything in it belongs to one immutable revision, so nothing ever goes stale.
type pageCache struct{ answers cache.Cache[*answer] }

// answer is an encoded answer, with headers that are made ahead.
type answer struct {
	body        []byte
	tag, length string
}

func newPageCache() pageCache {
	return pageCache{answers: cache.Weighted(pageCacheBytes, func(key string, value *answer) uint32 {
		return uint32(len(key) + len(value.body) + 256)
	})}
}

// get returns the answer of a key, building it when it is not there. Callers that ask for the same key at once share
// one build.
func (c pageCache) get(ctx context.Context, key string,
	build func(context.Context) ([]byte, error)) (*answer, error) {
	return c.answers.Load(ctx, key, func(ctx context.Context) (*answer, error) {
		body, err := build(ctx)
		if err != nil {
			return nil, err
		}
		return &answer{body: body, tag: httpx.ETag(key), length: strconv.Itoa(len(body))}, nil
	})
}

// readableKey is a question to access: may this user read this space?
type readableKey struct {
	user      id.User
	vouchedBy id.Organization
	closed    string
	agent     account.Agent
	space     id.Space
}

// withoutGit leaves git metadata out of the answer to a read of a revision.
func withoutGit(answer any) any {
	switch v := answer.(type) {
	case *wire.Revision:
		v.Git = nil
		pagesWithoutGit(v.Pages)
		for i := range v.Files {
			v.Files[i].Git = nil
		}
		for i := range v.ReusableContents {
			v.ReusableContents[i].Git = nil
		}
	case PageTree:
		pagesWithoutGit(v.Pages)
	case *wire.Page:
		pagesWithoutGit([]*wire.Page{v})
	case wire.File:
		v.Git = nil
		return v
	case wire.ReusableContent:
		v.Git = nil
		return v
	}
	return answer
}

func pagesWithoutGit(pages []*wire.Page) {
	for _, page := range pages {
		page.Git = nil
		pagesWithoutGit(page.Pages)
	}
}
