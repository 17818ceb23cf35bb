package search

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/segments"
	"github.com/rectodocs/recto/internal/content/search/vectors"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/language"
)

// Bounds of searching, so that whoever asks for the worst of queries does not slow those who read.
const (
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
	asked := parse(q.Text)
	if len(asked.units) == 0 || len(q.Spaces) == 0 || q.Limit <= 0 {
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
	e := evaluation{service: s, query: q, parsed: asked, views: views, indexes: indexes,
		vector: s.vectorOf(ctx, q, indexes)}
	if s.vectors != nil {
		if err := s.wantVectors(indexes); err != nil {
			return Result{}, err
		}
	}
	for _, index := range indexes {
		own, err := ownOf(ctx, q, index)
		if err != nil {
			return Result{}, err
		}
		if own != nil {
			e.own = append(e.own, own)
		}
	}
	e.incomplete = unread
	if len(e.own) > 0 || e.incomplete {
		return e.inTurn(ctx)
	}
	key, err := e.key()
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

// key names the answer to the query while the content is the same.
func (e evaluation) key() (string, error) {
	var states []string
	for _, index := range e.indexes {
		computed, err := index.bleve.GetInternal(computedKey)
		if err != nil {
			return "", fmt.Errorf("read the computed pages of index %s: %w", index.space, err)
		}
		state := uint64(0)
		if e.vector != nil {
			state = 1 + index.vectors.State()
		}
		states = append(states, fmt.Sprintf("%s %s %x %d", index.space, e.views[index.space].Revision().ID,
			sha256.Sum256(computed), state))
	}
	slices.Sort(states)
	q := e.query
	without := q.without()
	slices.Sort(without)
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %t %d %d", states, q.Text, without, q.Synonyms, q.Published,
		q.Limit, q.Offset))
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
	parsed     parsed
	views      map[id.Space]*store.View
	indexes    []*spaceIndex
	own        []*Own
	incomplete bool
	// vector is that of the query; nil where words answer alone.
	vector *vectors.Query
}

// inTurn works on the query when its turn has come.
func (e evaluation) inTurn(ctx context.Context) (Result, error) {
	done, err := e.service.turns.Take(ctx, e.service.deps.TurnWait)
	if err != nil {
		return Result{}, err
	}
	defer done()
	defer segments.Background.Searching()()
	limited, cancel := context.WithTimeout(ctx, e.service.deps.QueryTime)
	defer cancel()
	result, err := e.run(limited)
	if limited.Err() != nil && ctx.Err() == nil {
		return Result{}, errs.Wrap(errors.Join(limited.Err(), err), errs.Unavailable,
			"The search took too long and was ended. Search for fewer or longer words.")
	}
	return result, err
}

// enoughCovered is the share of what was asked for that a page has to have to be shown.
const enoughCovered = 0.3

// aheadOfOthers is more than any score: it puts pages with all words ahead of those without, where that is wanted.
const aheadOfOthers = 1000

func (e evaluation) run(ctx context.Context) (Result, error) {
	parts := opened{scratch: takeScratch()}
	defer parts.close()
	for _, index := range e.indexes {
		if err := parts.open(index, e.query); err != nil {
			return Result{}, err
		}
	}
	for _, own := range e.own {
		p := &part{segment: own.segment, space: own.space, vocabulary: own.vocabulary}
		if err := parts.add(p, nil, e.query); err != nil {
			return Result{}, err
		}
	}
	result := Result{Pages: []PageHit{}, Incomplete: e.incomplete}
	r, suggestion, err := e.understand(ctx, &parts)
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	found, total, err := e.rank(ctx, r)
	if err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	if found, total, err = e.fuse(r, found, total); err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	result.Total, result.Suggestion = total, suggestion
	result.Closest = len(found) > 0 && found[0].lacks
	found = found[min(len(found), e.query.Offset):min(len(found), e.query.Offset+e.query.Limit)]
	if err := r.locate(ctx, found); err != nil {
		return Result{}, fmt.Errorf("search: %w", err)
	}
	computed := &computedPages{source: e.service.hooks.Get().Computed, made: map[id.Space]map[string]ComputedPage{}}
	for i := range found {
		if found[i].pieces == nil {
			r.divide(&found[i], 1)
		}
		found[i].addMeant()
		page, ok, err := e.service.pageHit(ctx, e.views, computed, r, &found[i])
		if err != nil {
			return Result{}, err
		}
		if ok {
			result.Pages = append(result.Pages, page)
		}
	}
	return result, nil
}

// understand finds out what the words of the query stand for in the parts, and what they may have been meant to be when
// some are nowhere; "" for no other words.
func (e evaluation) understand(ctx context.Context, parts *opened) (*ranking, string, error) {
	held, err := parts.languages()
	if err != nil {
		return nil, "", err
	}
	asked := e.parsed
	// An evaluation may be asked for again: its units are those of this time.
	asked.units = make([]*unit, 0, len(e.parsed.units))
	for _, u := range e.parsed.units {
		mine := *u
		asked.units = append(asked.units, &mine)
	}
	asked.settle(held)
	asked.addSynonyms(e.query.Synonyms)
	x := &expansion{parts: parts, units: asked.units}
	for i, each := range language.Known {
		if held>>i&1 == 1 {
			x.stems = append(x.stems, language.StemmerOf(each.Name))
		}
	}
	for _, u := range asked.units {
		if err := x.expand(ctx, u); err != nil {
			return nil, "", err
		}
	}
	for _, u := range asked.units {
		if u.parts > 0 && u.found > 0 && !u.hint {
			// The name is known: its words are no more than a hint.
			for _, word := range asked.units[u.first : u.first+u.parts] {
				word.hint = true
			}
		}
	}
	meant, err := x.mend(ctx, asked, e.query.Text)
	if err != nil {
		return nil, "", err
	}
	r := &ranking{parts: parts, units: asked.units, phrases: asked.phrases, words: asked.words}
	return r, meant, r.tallyAll(ctx)
}

// rank returns the documents that are shown, best first, as many as the query may want, and how many there are.
func (e evaluation) rank(ctx context.Context, r *ranking) ([]scored, int, error) {
	wanted := max(looked, e.query.Offset+e.query.Limit)
	if len(r.phrases) > 0 {
		wanted = lookedPhrase
	}
	first, total, err := r.first(e.query.Text, wanted)
	if err != nil {
		return nil, 0, err
	}
	var kept []scored
	for _, each := range first {
		kept = append(kept, scored{counted: each, part: r.parts.parts[each.part]})
	}
	sortAll(kept)
	head := kept[:min(len(kept), max(looked, wanted*boolInt(len(r.phrases) > 0)))]
	if err := r.locate(ctx, head); err != nil {
		return nil, 0, err
	}
	r.look(head)
	if len(r.phrases) > 0 {
		with := slices.DeleteFunc(slices.Clone(head), func(s scored) bool {
			return s.lacks || !r.hasPhrases(&s, r.phrases)
		})
		if len(with) > 0 {
			sortAll(with)
			settleScores(with)
			return with, len(with), nil
		}
		for i := range head {
			head[i].lacks = true // the words are there, the phrase is not
		}
	}
	sortAll(head)
	settleScores(kept)
	return kept, total, nil
}

// settleScores takes away what put pages ahead of others, once they are in order.
func settleScores(documents []scored) {
	for i := range documents {
		if documents[i].ahead {
			documents[i].final -= aheadOfOthers
		}
		documents[i].final -= documents[i].operation * aheadOfOthers
	}
}
