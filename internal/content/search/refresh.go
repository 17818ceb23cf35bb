package search

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/search/places"
	"github.com/rectodocs/recto/internal/content/search/segments"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// batchPages is how many pages go into the index at once: large enough to be quick, small enough to bound memory.
// Behind the first fewPages, which a query may wait for, segments.Many do, which make way for queries.
const batchPages = 100

// documentID names a page in the index; an alias over several spaces needs the space in it.
func documentID(space id.Space, page string) string { return string(space) + "/" + page }

func splitDocumentID(id string) (space, page string) {
	space, page, _ = strings.Cut(id, "/")
	return space, page
}

// Bounds of what a query waits for.
const (
	// fewPages is up to how many changed pages are waited for as if they were read in a moment.
	fewPages = 200
	// shortWait and longWait are how long a query waits for few pages and for more. Whoever asks is answered from what
	// is there then, and told so.
	shortWait = 3 * time.Second
	longWait  = 20 * time.Millisecond
)

// indexUpdate is work that brings an index to a revision in the background.
type indexUpdate struct {
	done chan struct{}
	err  error // set before done is closed
}

// bringTo makes the index hold the revision of view, by the difference to the one it holds. The work is done in the
// background: a query waits for it a little. It reports whether the index holds the revision.
func (s *Service) bringTo(ctx context.Context, index *spaceIndex, view *store.View) (bool, error) {
	wait := s.deps.FirstBuildWait
	var over <-chan time.Time
	for {
		held, err := s.holds(ctx, index, view)
		if held || err != nil {
			return held, err
		}
		if over == nil {
			if wait == 0 {
				if wait, err = s.patience(ctx, index, view); err != nil {
					return false, err
				}
			}
			timer := time.NewTimer(wait)
			defer timer.Stop()
			over = timer.C
		}
		update := s.startUpdate(index, view)
		select {
		case <-update.done:
			if update.err != nil {
				return false, update.err
			}
		case <-over:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// holds reports whether the index holds a revision, with its computed pages as they are now.
func (s *Service) holds(ctx context.Context, index *spaceIndex, view *store.View) (bool, error) {
	held, err := index.revision()
	if err != nil || held != view.Revision().ID {
		return false, err
	}
	unfinished, err := index.unfinished()
	if err != nil || len(unfinished) > 0 {
		return false, err
	}
	fresh, _, err := s.computedIsFresh(ctx, index, held)
	return fresh, err
}

// patience is how long a query waits until the index holds a revision: longer when few pages have changed.
func (s *Service) patience(ctx context.Context, index *spaceIndex, view *store.View) (time.Duration, error) {
	held, err := index.revision()
	if err != nil {
		return 0, err
	}
	changed := 0
	if held != "" {
		from, err := s.deps.Content.View(ctx, held)
		if err == nil {
			changed, err = distance(ctx, from, view, fewPages+1)
		}
		if err != nil && !errs.Is(err, errs.NotFound) {
			return 0, fmt.Errorf("open revision %s: %w", held, err)
		}
		if err == nil {
			return waitFor(changed), nil
		}
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the pages: %w", err)
	}
	return waitFor(len(tree.Ordered)), nil
}

func waitFor(pages int) time.Duration {
	if pages <= fewPages {
		return shortWait
	}
	return longWait
}

// startUpdate begins to bring the index to a revision, unless it is being brought to one already.
func (s *Service) startUpdate(index *spaceIndex, view *store.View) *indexUpdate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if index.updating != nil {
		return index.updating
	}
	update := &indexUpdate{done: make(chan struct{})}
	if s.closed {
		update.err = errs.New(errs.Unavailable, "The server is stopping. Try again in a moment.")
		close(update.done)
		return update
	}
	index.updating = update
	index.users++ // keeps it open until the work ends
	s.builds.Go(func() {
		defer s.release([]*spaceIndex{index})
		update.err = s.runUpdate(index, view)
		if update.err != nil && s.stop.Err() == nil {
			s.deps.Log.Error("update search index", slog.String("space", string(index.space)),
				slog.Any("error", update.err))
		}
		s.mu.Lock()
		index.updating = nil
		index.failed = update.err != nil && s.stop.Err() == nil
		s.mu.Unlock()
		close(update.done)
	})
	return update
}

func (s *Service) runUpdate(index *spaceIndex, view *store.View) error {
	index.refresh.Lock()
	defer index.refresh.Unlock()
	held, err := index.revision()
	if err != nil {
		return err
	}
	if held == "" {
		err = s.rebuild(s.stop, index, view)
	} else {
		err = s.bringPages(s.stop, index, view)
	}
	if err != nil {
		return err
	}
	return s.bringComputed(s.stop, index, view)
}

// bringPages makes the index hold the pages of a revision that are not computed. The caller holds index.refresh.
func (s *Service) bringPages(ctx context.Context, index *spaceIndex, view *store.View) error {
	held, err := index.revision() // another query may have done it
	if err != nil {
		return err
	}
	unfinished, err := index.unfinished()
	if err != nil {
		return err
	}
	if held == view.Revision().ID && len(unfinished) == 0 {
		return nil
	}
	if len(unfinished) > maxUnfinished {
		return s.rebuild(ctx, index, view)
	}
	// The index may hold pages of each of these.
	var before []*store.View
	for _, revision := range append([]id.Revision{held}, unfinished...) {
		from, err := s.deps.Content.View(ctx, revision)
		if errs.Is(err, errs.NotFound) {
			// A revision whose pages the index holds was removed; only a comparison with nothing is left.
			return s.rebuild(ctx, index, view)
		}
		if err != nil {
			return fmt.Errorf("open revision %s: %w", revision, err)
		}
		before = append(before, from)
	}
	return update(ctx, index, before, view)
}

// rebuild fills the index from a revision, whatever it holds.
func (s *Service) rebuild(ctx context.Context, index *spaceIndex, view *store.View) error {
	tree, err := view.Pages(ctx)
	if err != nil {
		return fmt.Errorf("read the pages: %w", err)
	}
	stale, err := indexedPages(ctx, index)
	if err != nil {
		return err
	}
	pages, err := page.Open(ctx, view)
	if err != nil {
		return err
	}
	batch := &pageBatch{index: index, view: view, pages: pages, tree: tree}
	if err := batch.remember(); err != nil {
		return err
	}
	batch.current().DeleteInternal(computedKey) // they are added again
	for id := range stale {
		if tree.ByID[id] == nil {
			if err := batch.delete(id); err != nil {
				return err
			}
		}
	}
	for _, node := range tree.Ordered {
		if err := batch.add(ctx, node); err != nil {
			return err
		}
	}
	return batch.finish(view.Revision().ID)
}

// indexedPages lists the pages in the index.
func indexedPages(ctx context.Context, index *spaceIndex) (map[string]bool, error) {
	pages := map[string]bool{}
	request := bleve.NewSearchRequestOptions(bleve.NewMatchAllQuery(), 1000, 0, false)
	request.SortBy([]string{"_id"})
	for {
		found, err := index.bleve.SearchInContext(ctx, request)
		if err != nil {
			return nil, fmt.Errorf("list the indexed pages: %w", err)
		}
		if len(found.Hits) == 0 {
			return pages, nil
		}
		for _, hit := range found.Hits {
			_, page := splitDocumentID(hit.ID)
			pages[page] = true
		}
		request.SetSearchAfter([]string{found.Hits[len(found.Hits)-1].ID})
	}
}

// update applies the differences between the revisions whose pages the index may hold and the one that it is to hold.
func update(ctx context.Context, index *spaceIndex, before []*store.View, after *store.View) error {
	tree, err := after.Pages(ctx)
	if err != nil {
		return fmt.Errorf("read the pages: %w", err)
	}
	held, err := index.computed()
	if err != nil {
		return err
	}
	pages, err := page.Open(ctx, after)
	if err != nil {
		return err
	}
	batch := &pageBatch{index: index, view: after, pages: pages, tree: tree, computed: held.Pages}
	if err := batch.remember(); err != nil {
		return err
	}
	again := map[string]bool{}
	var reusables []string
	for change, err := range differences(ctx, before, after) {
		if err != nil {
			return fmt.Errorf("compare revisions: %w", err)
		}
		switch kindOf(change) {
		case entity.KindVariables:
			for id := range tree.ByID { // any page may show a value of one
				again[id] = true
			}
		case entity.KindReusable:
			reusables = append(reusables, change.ID, includedByPath)
		case entity.KindPage:
			if moved(change) && len(reusables) == 0 {
				reusables = append(reusables, includedByPath)
			}
			if tree.ByID[change.ID] == nil {
				if err := batch.delete(change.ID); err != nil {
					return err
				}
				continue
			}
			again[change.ID] = true
			if visibilityChanged(change) {
				addDescendants(tree.ByID[change.ID], again)
			}
		}
	}
	if err := addIncluding(ctx, index, reusables, again); err != nil {
		return err
	}
	for id := range again {
		if node := tree.ByID[id]; node != nil {
			if err := batch.add(ctx, node); err != nil {
				return err
			}
		}
	}
	return batch.finish(after.Revision().ID)
}

// differences yields the changes that lead from each of some revisions to another one.
func differences(ctx context.Context, before []*store.View, after *store.View) iter.Seq2[store.Change, error] {
	return func(yield func(store.Change, error) bool) {
		for _, from := range before {
			for change, err := range from.Diff(ctx, after) {
				if !yield(change, err) {
					return
				}
			}
		}
	}
}

func kindOf(change store.Change) entity.Kind {
	if change.After != nil {
		return change.After.Kind
	}
	return change.Before.Kind
}

// visibilityChanged reports whether the pages below may have become hidden or shown.
func visibilityChanged(change store.Change) bool {
	if change.Before == nil || change.After == nil {
		return true
	}
	return change.Before.Flags != change.After.Flags || change.Before.Parent != change.After.Parent
}

// moved reports whether pages may be at other paths than before.
func moved(change store.Change) bool {
	if change.Before == nil || change.After == nil {
		return true
	}
	return change.Before.Parent != change.After.Parent || change.Before.Slug != change.After.Slug ||
		change.Before.Path != change.After.Path
}

func addDescendants(node *store.TreeNode, ids map[string]bool) {
	for _, child := range node.Children {
		ids[child.Entry.ID] = true
		addDescendants(child, ids)
	}
}

// addIncluding adds the pages whose indexed text holds one of the reusable contents.
func addIncluding(ctx context.Context, index *spaceIndex, reusables []string, ids map[string]bool) error {
	for _, reusable := range reusables {
		includes := bleve.NewMatchQuery(reusable)
		includes.SetField(fieldIncludes)
		includes.SetOperator(1) // every part of the id
		for offset := 0; ; offset += 1000 {
			found, err := index.bleve.SearchInContext(ctx, bleve.NewSearchRequestOptions(includes, 1000, offset, false))
			if err != nil {
				return fmt.Errorf("find pages that include %s: %w", reusable, err)
			}
			for _, hit := range found.Hits {
				_, page := splitDocumentID(hit.ID)
				ids[page] = true
			}
			if len(found.Hits) < 1000 {
				break
			}
		}
	}
	return nil
}

// pageBatch collects changes and writes them in steps. Writing a page twice or deleting one that is not there is
// harmless. An update that is cut short leaves pages of two revisions, which the index remembers until another is done.
type pageBatch struct {
	index *spaceIndex
	view  *store.View
	// pages reads the documents of the view; nil for a batch of computed pages alone.
	pages *page.Revision
	tree  *store.Tree
	// computed are the computed pages that the index holds, by id.
	computed map[string]string
	// unfinished is what the index remembers from the first step on; nil for nothing.
	unfinished []byte
	batch      *bleve.Batch
	size       int // of the batch
	written    int // pages of the batches before
}

// remember makes the index remember, from the first step on, that it is being brought to the revision.
func (b *pageBatch) remember() error {
	revisions, err := b.index.unfinished()
	if err != nil {
		return err
	}
	if revision := b.view.Revision().ID; !slices.Contains(revisions, revision) {
		revisions = append(revisions, revision)
	}
	if b.unfinished, err = json.Marshal(revisions); err != nil {
		return fmt.Errorf("encode the unfinished updates of index %s: %w", b.index.space, err)
	}
	return nil
}

func (b *pageBatch) current() *bleve.Batch {
	if b.batch == nil {
		b.batch = b.index.bleve.NewBatch()
	}
	return b.batch
}

func (b *pageBatch) delete(page string) error {
	b.current().Delete(documentID(b.index.space, page))
	return b.grew()
}

func (b *pageBatch) add(ctx context.Context, node *store.TreeNode) error {
	if _, computed := b.computed[node.Entry.ID]; computed && node.Entry.Type == entity.PageComputed {
		return nil // it is in the index as what it stands for
	}
	if node.Entry.Type != entity.PageDocument {
		return b.delete(node.Entry.ID) // it may have been a document before
	}
	text, err := pageText(ctx, b.pages, node.Entry, node.Flags())
	if err != nil {
		return err
	}
	return b.put(node.Entry.ID, text)
}

// put adds the document of a page.
func (b *pageBatch) put(page string, text pageDocument) error {
	made, err := places.Document(b.index.bleve.Mapping(), documentID(b.index.space, page), text, fieldText, fieldPlaces,
		b.turn)
	if err != nil {
		return err
	}
	if err := b.current().IndexAdvanced(made); err != nil {
		return fmt.Errorf("index page %s: %w", page, err)
	}
	return b.grew()
}

// turn is what the text of a page waits for before it is analysed, which is when the batch is written.
func (b *pageBatch) turn() (done func()) {
	if b.size < segments.Many {
		return func() {}
	}
	return segments.Background.Step(nil)
}

func (b *pageBatch) grew() error {
	b.size++
	if b.size < segments.Many && (b.size < batchPages || b.written >= fewPages) {
		return nil
	}
	if b.unfinished != nil {
		b.current().SetInternal(unfinishedKey, b.unfinished)
	}
	return b.write()
}

func (b *pageBatch) write() error {
	if b.batch == nil {
		return nil
	}
	if err := b.index.bleve.Batch(b.batch); err != nil {
		return fmt.Errorf("write the search index: %w", err)
	}
	b.written += b.size
	b.batch, b.size = nil, 0
	return nil
}

// finish writes the rest together with the revision that the index now holds.
func (b *pageBatch) finish(revision id.Revision) error {
	b.current().SetInternal(revisionKey, []byte(revision))
	b.current().DeleteInternal(unfinishedKey)
	return b.write()
}
