package search

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	blevesearch "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
)

// Bounds of searching, so that whoever asks for the worst of queries does not slow those who read.
const (
	// maxWaiting bounds how many queries wait for their turn.
	maxWaiting = 64
	// maxKept bounds the memory of answers that are kept, in bytes.
	maxKept = 16 << 20
)

// Search answers a query. It returns errs.Invalid for a text that is too long or a list read too deep, errs.Unavailable
// when too many search at this moment or the query takes too long, and an empty result for a text without words.
// Results are shared by all who ask the same while the content is the same: callers do not change them.
func (s *Service) Search(ctx context.Context, q Query) (Result, error) {
	if len(q.Text) > MaxTextBytes {
		return Result{}, errs.Invalidf("query", "is longer than %d bytes: search for fewer words", MaxTextBytes)
	}
	if q.Offset > maxOffset {
		return Result{}, errs.Invalidf("page", "is behind the first %d results: search for more precise words",
			maxOffset)
	}
	if buildQuery(q, true) == nil || len(q.Spaces) == 0 || q.Limit <= 0 {
		return Result{}, nil
	}
	indexes, views, unread, err := s.indexes(ctx, q)
	defer func() { s.release(indexes) }()
	if err != nil {
		return Result{}, err
	}
	if len(indexes) == 0 {
		return Result{Incomplete: unread}, nil
	}
	e := evaluation{service: s, query: q, views: views, targets: make([]bleve.Index, 0, len(indexes))}
	shared := true
	for _, index := range indexes {
		e.targets = append(e.targets, index.bleve)
		own, err := ownOf(ctx, q, index)
		if err != nil {
			return Result{}, err
		}
		if own != nil {
			e.targets = append(e.targets, own.bleve)
			shared = false
		}
	}
	// Asked before the search: what is complete by then is searched whole.
	e.incomplete = unread || s.building(indexes)
	if !shared || e.incomplete {
		return e.inTurn(ctx)
	}
	key, err := keyOf(q, indexes, views)
	if err != nil {
		return Result{}, err
	}
	for {
		asked := false
		result, err := s.kept.Load(ctx, key, func(context.Context) (Result, error) {
			asked = true
			return e.inTurn(ctx)
		})
		// Who asked the same first may have gone before there was an answer.
		if asked || ctx.Err() != nil || !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			return result, err
		}
	}
}

// keyOf names the answer to a query while the content is the same.
func keyOf(q Query, indexes []*spaceIndex, views map[id.Space]*store.View) (string, error) {
	var states []string
	for _, index := range indexes {
		computed, err := index.bleve.GetInternal(computedKey)
		if err != nil {
			return "", fmt.Errorf("read the computed pages of index %s: %w", index.space, err)
		}
		states = append(states, fmt.Sprintf("%s %s %x", index.space, views[index.space].Revision().ID,
			sha256.Sum256(computed)))
	}
	slices.Sort(states)
	without := q.without()
	slices.Sort(without)
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %t %d %d", states, q.Text, without, q.Published, q.Limit, q.Offset))
	return string(sum[:]), nil
}

// weighResult is about how many bytes an answer takes.
func weighResult(key string, r Result) uint32 {
	weight := len(key) + 200
	for _, page := range r.Pages {
		weight += 300 + len(page.Title) + len(page.Description) + len(page.Path)
		for _, section := range page.Sections {
			weight += 150 + len(section.Title) + len(section.Path) + len(section.Body) + 16*len(section.Marks)
		}
	}
	return uint32(weight)
}

// evaluation is the work on one query.
type evaluation struct {
	service    *Service
	query      Query
	views      map[id.Space]*store.View
	targets    []bleve.Index
	incomplete bool
}

// inTurn works on the query when its turn has come.
func (e evaluation) inTurn(ctx context.Context) (Result, error) {
	done, err := e.service.turns.take(ctx, e.service.deps.TurnWait)
	if err != nil {
		return Result{}, err
	}
	defer done()
	limited, cancel := context.WithTimeout(ctx, e.service.deps.QueryTime)
	defer cancel()
	result, err := e.run(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		return Result{}, errs.Wrap(errors.Join(limited.Err(), err), errs.Unavailable,
			"The search took too long and was ended. Search for fewer or longer words.")
	}
	return result, err
}

func (e evaluation) run(ctx context.Context) (Result, error) {
	target := e.targets[0]
	if len(e.targets) > 1 {
		target = bleve.NewIndexAlias(e.targets...)
	}
	built := buildQuery(e.query, true)
	found, err := ranked(ctx, target, built, e.query)
	if err == nil && found.Total == 0 && hasCompound(e.query.Text) {
		// Nowhere together, or not yet typed to the end: then its words, wherever they are.
		built = buildQuery(e.query, false)
		found, err = ranked(ctx, target, built, e.query)
	}
	if err == nil {
		err = locate(ctx, target, built, found)
	}
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	result := Result{Total: int(found.Total), Pages: make([]PageHit, 0, len(found.Hits)), Incomplete: e.incomplete}
	computed := &computedPages{source: e.service.hooks.Get().Computed, made: map[id.Space]map[string]ComputedPage{}}
	for _, hit := range found.Hits {
		page, ok, err := e.service.pageHit(ctx, e.views, computed, hit)
		if err != nil {
			return Result{}, err
		}
		if ok {
			result.Pages = append(result.Pages, page)
		}
	}
	return result, nil
}

// ranked returns the best documents for a query, without what is stored of them.
func ranked(ctx context.Context, target bleve.Index, built query.Query, q Query) (*bleve.SearchResult, error) {
	request := bleve.NewSearchRequestOptions(built, q.Limit, q.Offset, false)
	request.SortBy([]string{"-_score", "_id"})
	return searchAll(ctx, target, request)
}

// locate adds to documents that were found their texts and where in them the words are. It is a search of its own,
// because reading where words are in all pages that have them costs many times the ranking.
func locate(ctx context.Context, target bleve.Index, built query.Query, found *bleve.SearchResult) error {
	if len(found.Hits) == 0 {
		return nil
	}
	ids := make([]string, 0, len(found.Hits))
	for _, hit := range found.Hits {
		ids = append(ids, hit.ID)
	}
	request := bleve.NewSearchRequestOptions(only(ids, built), len(ids), 0, false)
	request.Fields = []string{fieldBody, fieldSections}
	request.IncludeLocations = true
	located, err := searchAll(ctx, target, request)
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, hit := range located.Hits {
		at[hit.ID] = i
	}
	// A page that went away between the two searches is found no more.
	found.Hits = slices.DeleteFunc(found.Hits, func(hit *blevesearch.DocumentMatch) bool {
		_, there := at[hit.ID]
		return !there
	})
	for _, hit := range found.Hits {
		whole := located.Hits[at[hit.ID]]
		hit.Fields, hit.Locations = whole.Fields, whole.Locations
	}
	return nil
}

// searchAll is a search that fails when one of the indexes behind an alias does, which the library does not count as
// failing.
func searchAll(ctx context.Context, target bleve.Index, request *bleve.SearchRequest) (*bleve.SearchResult, error) {
	found, err := target.SearchInContext(ctx, request)
	if err == nil && found.Status != nil && found.Status.Failed > 0 {
		var failures []string
		for name, failure := range found.Status.Errors {
			failures = append(failures, fmt.Sprintf("%s: %v", name, failure))
		}
		slices.Sort(failures)
		err = errors.New(strings.Join(failures, "; "))
	}
	return found, err
}
