package search

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/search/vectors"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/endpoint"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Bounds of what vectors add to the order of words, which ADR 68 explains.
const (
	nearestPages = 20 // how many pages a vector may name
	fusion       = 60 // dampens the first ranks, as reciprocal rank fusion has it
	// usualPages is from how many pages on one has to stand out of them to be named: to be so many standard deviations
	// nearer than the mean.
	usualPages = 50
	standOut   = 2
	// surePages is how many of the first pages stay where they are, each that has sureCovered of what was asked for:
	// with a small model, questions found their page at 0.81 without this, and at 0.89 with it and by words alone.
	surePages   = 3
	sureCovered = 0.8
)

// vectorOf returns the vector of a query in some indexes, nil where words answer alone. It waits no longer than the
// service does.
func (s *Service) vectorOf(ctx context.Context, q Query, indexes []*spaceIndex) *vectors.Query {
	some := func(index *spaceIndex) bool { return index.vectors.Some() }
	if s.vectors == nil || strings.ContainsAny(q.Text, quotes) || !slices.ContainsFunc(indexes, some) {
		return nil
	}
	if _, operation := endpoint.Parse(q.Text); operation {
		return nil
	}
	if vector, ok := s.vectors.Query(ctx, q.Text); ok {
		return &vector
	}
	return nil
}

// wantVectors has the vectors of indexes brought up to date in the background, where there is something to do.
func (s *Service) wantVectors(indexes []*spaceIndex) error {
	for _, index := range indexes {
		number, pieces, err := index.pieces()
		if err != nil {
			return err
		}
		if !index.vectors.Wants(pieces) {
			continue
		}
		s.vectors.Enqueue(fmt.Sprint(number), func(ctx context.Context) bool {
			more, err := s.workOnVectors(ctx, index)
			if err != nil && ctx.Err() == nil {
				s.deps.Log.Error("bring the vectors of a space up to date", slog.String("space", string(index.space)),
					slog.Any("error", err))
			}
			return more && err == nil
		})
	}
	return nil
}

// pieces returns the number of the index among all that were opened, and those of the pieces of it.
func (i *spaceIndex) pieces() (number uint64, pieces []uint64, err error) {
	var all opened
	defer all.close()
	if err := all.open(i, Query{}); err != nil {
		return 0, nil, err
	}
	for _, p := range all.parts {
		number, pieces = p.index, append(pieces, p.number)
	}
	return number, pieces, nil
}

// reopen returns an index that may have been closed meanwhile, and counts its user.
func (s *Service) reopen(index *spaceIndex) (*spaceIndex, error) {
	s.mu.Lock()
	if slices.ContainsFunc(s.previews, func(p *previewIndex) bool { return &p.spaceIndex == index }) {
		index.users++
		s.mu.Unlock()
		return index, nil
	}
	s.mu.Unlock()
	return s.acquire(index.space)
}

// workOnVectors does a part of what there is to do for an index, and reports whether there is more.
func (s *Service) workOnVectors(ctx context.Context, of *spaceIndex) (more bool, err error) {
	index, err := s.reopen(of)
	if err != nil {
		return false, err
	}
	defer s.release([]*spaceIndex{index})
	var all opened
	defer all.close()
	maySend, err := s.openToSend(ctx, index, &all)
	if err != nil {
		return false, err
	}
	pieces := make([]vectors.Piece, len(all.parts))
	for i, p := range all.parts {
		pieces[i] = embedded{p, maySend}
	}
	return index.vectors.Work(ctx, pieces)
}

// openToSend opens the parts of an index, and says which of their documents may be sent.
func (s *Service) openToSend(ctx context.Context, index *spaceIndex,
	all *opened) (maySend func(p *part, document int) bool, err error) {
	never := func(*part, int) bool { return false }
	if s.deps.EmbedAll {
		return func(*part, int) bool { return true }, all.open(index, Query{})
	}
	if !index.refresh.TryLock() {
		return never, all.open(index, Query{}) // it has pages of two revisions; the next search tries again
	}
	defer index.refresh.Unlock()
	if err := all.open(index, Query{}); err != nil {
		return nil, err
	}
	public, err := s.hooks.Get().Public(ctx, index.space)
	if err != nil || !public {
		return never, err
	}
	held, err := index.revision()
	if err != nil {
		return nil, err
	}
	if unfinished, err := index.unfinished(); held == "" || err != nil || len(unfinished) > 0 {
		return never, err
	}
	view, err := s.deps.Content.View(ctx, held)
	if err != nil {
		return nil, fmt.Errorf("open revision %s: %w", held, err)
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	var shown opened
	defer shown.close()
	if err := shown.open(index, Query{Published: true}); err != nil {
		return nil, err
	}
	byNumber := map[uint64]*part{}
	for _, p := range shown.parts {
		byNumber[p.number] = p
	}
	computed := !slices.ContainsFunc(tree.Ordered, func(node *store.TreeNode) bool {
		return node.Entry.Type == entity.PageComputed && !unconditional(node)
	})
	return func(p *part, document int) bool {
		public := byNumber[p.number]
		if public == nil || !public.allows(uint64(document)) {
			return false
		}
		_, page := scored{counted: counted{doc: uint32(document)}, part: p}.page()
		if node := tree.ByID[page]; node != nil {
			return unconditional(node)
		}
		return computed // it was made below one of the computed pages
	}, nil
}

// unconditional reports whether neither a page nor one above it is there for some visitors only.
func unconditional(node *store.TreeNode) bool {
	for ; node != nil; node = node.Parent {
		if node.Entry.Condition != "" {
			return false
		}
	}
	return true
}

// embedded is a part as package vectors sees it.
type embedded struct {
	*part
	maySend func(p *part, document int) bool
}

// Number implements vectors.Piece.
func (e embedded) Number() uint64 { return e.number }

// Count implements vectors.Piece.
func (e embedded) Count() int { return int(e.segment.Count()) }

// Lives implements vectors.Piece.
func (e embedded) Lives(document int) bool { return e.allows(uint64(document)) }

// MaySend implements vectors.Piece.
func (e embedded) MaySend(document int) bool { return e.maySend(e.part, document) }

// Passages implements vectors.Piece.
func (e embedded) Passages(document int) ([]vectors.Passage, error) {
	text, stored, err := storedText(e.segment, uint64(document))
	if err != nil {
		return nil, fmt.Errorf("read a page: %w", err)
	}
	sections, title := make([]vectors.Section, len(stored)), ""
	for i, each := range stored {
		sections[i] = vectors.Section{Heading: text[each.Heading : each.Start-1], Text: text[each.Start:each.End]}
	}
	if len(sections) > 0 {
		title, sections[0].Heading = sections[0].Heading, ""
	}
	return vectors.Cut(title, sections), nil
}

// fuse adds the pages that are nearest to the query's vector to those that have its words, by rank. Where each word is
// meant, pages with all of them stay as they are, before all others, and so do the first of those that have nearly all.
func (e evaluation) fuse(r *ranking, words []scored, total int) ([]scored, int, error) {
	named := slices.ContainsFunc(r.units, func(u *unit) bool { return u.parts > 0 && u.found > 0 && !u.hint })
	if e.vector == nil || named {
		return words, total, nil
	}
	type place struct{ part, doc uint32 }
	type fused struct {
		scored
		value float64
	}
	all, at, sure := make([]fused, 0, len(words)+nearestPages), map[place]int{}, 0
	for i, each := range words {
		value := 1 / float64(fusion+i+1)
		if i == sure && i < surePages && each.covered >= sureCovered {
			sure++
		}
		if each.ahead || i < sure {
			value++
		}
		at[place{each.counted.part, each.doc}] = len(all)
		all = append(all, fused{each, value})
	}
	near, err := e.nearest(r.parts)
	if err != nil {
		return nil, 0, err
	}
	for i, each := range near {
		value, where := 1/float64(fusion+i+1), place{each.counted.part, each.doc}
		if known, ok := at[where]; ok {
			if all[known].value < 1 {
				all[known].value += value
			}
			continue
		}
		each.lacks = true
		found := slices.IndexFunc(r.parts.scratch.counted, func(c counted) bool {
			return place{c.part, c.doc} == where
		})
		if found >= 0 {
			known := r.parts.scratch.counted[found]
			each.has, each.covered = known.has, known.covered
		}
		if each.covered < enoughCovered {
			total++
		}
		all = append(all, fused{each, value})
	}
	slices.SortStableFunc(all, func(a, b fused) int { return -cmp.Compare(a.value, b.value) })
	words = words[:0]
	for i, each := range all {
		if i > 0 {
			each.final = min(each.final, words[i-1].final) // scores say what the order is
		}
		words = append(words, each.scored)
	}
	return words, total, nil
}

// nearest returns the documents of parts that are nearest to the query's vector, the nearest first.
func (e evaluation) nearest(parts *opened) ([]scored, error) {
	spaces := map[*part]*spaceIndex{}
	for _, p := range parts.parts {
		for _, index := range e.indexes {
			if p.index != 0 && index.space == p.space {
				spaces[p] = index
			}
		}
	}
	var best worst
	count, sum, squares := 0.0, 0.0, 0.0
	for at, p := range parts.parts {
		if spaces[p] == nil {
			continue // it has what only this visitor sees
		}
		allowed := func(document uint32) bool { return p.allows(uint64(document)) }
		err := spaces[p].vectors.Nearest(embedded{part: p}, *e.vector, allowed, func(found vectors.Found) {
			like := float64(found.Similarity)
			count, sum, squares = count+1, sum+like, squares+like*like
			one := counted{part: uint32(at), doc: found.Document, final: found.Similarity,
				meant: uint32(found.Section) + 1}
			if len(best) < nearestPages {
				heap.Push(&best, one)
			} else if one.final > best[0].final {
				best[0] = one
				heap.Fix(&best, 0)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	enough := float64(e.vector.Near)
	if mean := sum / count; count >= usualPages {
		enough = max(enough, mean+standOut*math.Sqrt(max(0, squares/count-mean*mean)))
	}
	var near []scored
	for _, each := range best {
		if float64(each.final) > enough {
			near = append(near, scored{counted: each, part: parts.parts[each.part]})
		}
	}
	sortAll(near)
	return near, nil
}

// addMeant puts the section first that the vector of a page means, unless words were found in it.
func (s *scored) addMeant() {
	number := int(s.meant) - 1
	if number >= 0 && !slices.ContainsFunc(s.pieces, func(p piece) bool { return p.number == number }) {
		s.pieces = slices.Insert(s.pieces, 0, piece{number: number})
	}
}
