// Package search owns finding pages by words: one small index per space on the local disk, the query language behind
// the search box, and the excerpts of a hit.
//
// An index is a cache of one revision. A query first brings it to the space's head by the difference between the two
// revisions, so a page that was changed is found under its new words at once, whichever process made the change; then
// it answers. An index that is missing or damaged is built again in the background while queries answer from what is
// there. Both databases behave alike because neither searches: the analysis, the ranking and the tolerance for typos
// are here.
//
// The package does not know who asks: callers pass the spaces that the reader may see.
package search

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/search/popular"
	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/content/search/turns"
	"github.com/rectodocs/recto/internal/content/search/vectors"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/cache"
)

// Deps is what the service stands on.
type Deps struct {
	Content *store.Service
	// Dir is the directory of the indexes. It may be emptied while the service does not run.
	Dir string
	Log *slog.Logger
	// FirstBuildWait is how long a query waits for an index that is being built or brought to another revision; 0 means
	// 3 s for few pages and 20 ms for more.
	FirstBuildWait time.Duration
	// QueryTime bounds how long one query is worked on, TurnWait how long it waits for its turn; 0 means 3 s each.
	QueryTime, TurnWait time.Duration
	// Embedder has the vectors that are asked beside the words, EmbedAll lets it get the texts of all pages in the
	// place of those that everybody may find. EmbedderWait and EmbedderPause are the Wait and Pause of package vectors.
	Embedder                    vectors.Embedder `optional:"words alone"`
	EmbedAll                    bool
	EmbedderWait, EmbedderPause time.Duration
}

// Query says what to find.
type Query struct {
	// Spaces are the ids of the spaces to search.
	Spaces []id.Space
	// Text is what the reader typed, at most MaxTextBytes.
	Text string
	// Published leaves out pages that are hidden or ask not to be indexed, and what lies below them.
	Published bool
	// Without are pages that are left out, by the id of their space.
	Without map[id.Space][]string
	// Preview is a revision that is searched in the place of the live content of one of Spaces; nil for none.
	Preview *Preview
	// Own returns the pages whose text depends on the visitor as this one sees them; it is asked for those of one space
	// with their ids. Where it is nil and Published is set, such pages are not found.
	Own func(ctx context.Context, space id.Space, pages []string) (*Own, error)
	// Synonyms are words that are taken for the same, a group of them in each text with commas between.
	Synonyms []string
	// Limit and Offset cut the ranked list of pages.
	Limit, Offset int
}

// MaxTextBytes bounds the text of a query.
const MaxTextBytes = 2048

// maxOffset bounds how deep a ranked list can be read: every page of it costs a ranking of all before it.
const maxOffset = 10_000

// Result is one page of the ranked list.
type Result struct {
	// Total is the number of pages that match: those with all words, then those with most of them.
	Total int
	Pages []PageHit
	// Closest says that no page has all that was asked for: these come closest.
	Closest bool
	// Suggestion is the text with other words in the place of those that are nowhere, "" when there are none. It has
	// only words of pages that may be found.
	Suggestion string
	// Incomplete says that an index is still being built for the first time, or that of a preview: more may be found in
	// a moment.
	Incomplete bool
}

// PageHit is a page with its best sections.
type PageHit struct {
	Space       id.Space
	ID          string
	Title       string
	Description string
	Path        string
	// Ancestors are the titles of the pages above it, from the root of the tree.
	Ancestors []string
	// Score compares with those of the other pages of an answer: the greater, the better the page fits.
	Score float64
	// Lacks says that it has not all that was asked for.
	Lacks    bool
	Sections []SectionHit
}

// SectionHit is a section of a page in which words were found.
type SectionHit struct {
	// ID is the section's anchor, "" for the text before the first heading.
	ID    string
	Title string
	// Path is the page's path, with the anchor behind a # when there is one.
	Path string
	// Body is an excerpt. Marks are the byte ranges of the words found in it, in order.
	Body  string
	Marks [][2]int
}

// Service keeps the indexes of this process, and which pages are popular.
type Service struct {
	*popular.Counts
	deps  Deps
	hooks required.Hooks[Hooks]

	mu     sync.Mutex
	open   map[id.Space]*list.Element // space id -> element of recent, whose value is *spaceIndex
	recent *list.List                 // most recently used first
	closed bool
	builds sync.WaitGroup
	// shut is what is known of indexes that were closed again, refreshing are the spaces that Refresh still goes to.
	shut       map[id.Space]indexState
	refreshing map[id.Space]bool
	// previews are the indexes of previews, most recently used last; previewTurn lets one be built at a time.
	previews    []*previewIndex
	previewTurn chan struct{}

	turns   turns.Turns
	kept    cache.Cache[Result]
	vectors *vectors.Service // nil where words answer alone

	stop    context.Context
	stopNow context.CancelFunc
}

// maxOpen bounds how many indexes are open at once; each holds file descriptors and some memory.
const maxOpen = 64

// New returns a service over the indexes in deps.Dir, which needs its Hooks before it is used. Close it.
func New(deps Deps) (*Service, error) {
	required.Must(deps)
	if err := terms.Register(); err != nil {
		return nil, err
	}
	// Far more than any query that people type takes.
	deps.QueryTime, deps.TurnWait = cmp.Or(deps.QueryTime, 3*time.Second), cmp.Or(deps.TurnWait, 3*time.Second)
	if err := os.MkdirAll(deps.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the search directory: %w", err)
	}
	s := &Service{
		deps: deps, open: map[id.Space]*list.Element{}, recent: list.New(), previewTurn: make(chan struct{}, 1),
		turns: turns.New(runtime.GOMAXPROCS(0)), kept: cache.Weighted(maxKept, weighResult),
		shut: map[id.Space]indexState{}, refreshing: map[id.Space]bool{},
		Counts: popular.New(),
	}
	keep := []string{Layout}
	if deps.Embedder != nil {
		keep = append(keep, vectors.Folder)
	}
	// What a process that was killed has left behind is worth nothing to the next one.
	if err := clearDirectory(deps.Dir, keep); err != nil {
		return nil, fmt.Errorf("clear the search directory: %w", err)
	}
	if deps.Embedder != nil {
		s.vectors = vectors.New(vectors.Deps{Embedder: deps.Embedder, Dir: deps.Dir, Log: deps.Log,
			Wait: deps.EmbedderWait, Pause: deps.EmbedderPause})
	}
	s.stop, s.stopNow = context.WithCancel(context.Background())
	return s, nil
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// Close ends background builds and closes every index. Queries that run are finished first by the server's drain.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stopNow()
	s.builds.Wait()
	if s.vectors != nil {
		s.vectors.Close()
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	var failures []error
	for element := s.recent.Front(); element != nil; element = element.Next() {
		failures = append(failures, element.Value.(*spaceIndex).bleve.Close())
	}
	for _, preview := range s.previews {
		failures = append(failures, preview.remove())
	}
	s.previews = nil
	s.open, s.recent = map[id.Space]*list.Element{}, list.New()
	return errors.Join(failures...)
}

// indexes returns the indexes that a query is about with the revisions that they are to hold; unread says that one does
// not hold all of its yet, or is that of a preview and left out until it does. Callers release what it returns, also on
// error.
func (s *Service) indexes(ctx context.Context,
	q Query) (indexes []*spaceIndex, views map[id.Space]*store.View, unread bool, err error) {
	live := q.Spaces
	if q.Preview != nil {
		live = slices.DeleteFunc(slices.Clone(live), func(space id.Space) bool { return space == q.Preview.Space })
		if len(live) == len(q.Spaces) {
			return nil, nil, false, fmt.Errorf(
				"space %s is searched as a preview, and is not among the spaces to search", q.Preview.Space)
		}
	}
	heads, err := s.deps.Content.Heads(ctx, live)
	if err != nil {
		return nil, nil, false, fmt.Errorf("read the heads: %w", err)
	}
	indexes, views, unread, err = s.ready(ctx, heads)
	if q.Preview == nil || err != nil {
		return indexes, views, unread, err
	}
	index, view, err := s.previewed(ctx, *q.Preview)
	if index == nil || err != nil {
		return indexes, views, true, err
	}
	views[q.Preview.Space] = view
	return append(indexes, &index.spaceIndex), views, unread, nil
}

// pageHit makes the answer for one hit: titles and paths come from the revision, not from the index, so they are
// always those of the head. ok is false for a page that went away while the index is still being built.
func (s *Service) pageHit(ctx context.Context, views map[id.Space]*store.View, computed *computedPages,
	r *ranking, found *scored) (page PageHit, ok bool, err error) {
	space, pageID := found.page()
	view := views[space]
	if view == nil {
		return PageHit{}, false, nil
	}
	page, ok, err = named(ctx, view, computed, pageID)
	if err != nil || !ok {
		return PageHit{}, false, err
	}
	sections, err := r.sectionHits(found)
	if err != nil {
		return PageHit{}, false, err
	}
	for i := range sections {
		sections[i].Path = page.Path
		if sections[i].ID != "" {
			sections[i].Path += "#" + sections[i].ID
		}
	}
	page.Space, page.ID, page.Score, page.Sections = space, pageID, float64(found.final), sections
	page.Lacks = found.lacks
	return page, true, nil
}

// named returns what a revision says of a page, which may be a computed one: how it is called and where it is.
func named(ctx context.Context, view *store.View, computed *computedPages,
	pageID string) (page PageHit, ok bool, err error) {
	entry, err := view.Entry(ctx, pageID)
	if errs.Is(err, errs.NotFound) || err == nil && entry.Type == entity.PageComputed {
		made, ok, err := computed.page(ctx, view, pageID)
		return PageHit{Title: made.Title, Path: made.Path}, ok, err
	}
	if err != nil {
		return PageHit{}, false, fmt.Errorf("read page %s: %w", pageID, err)
	}
	page = PageHit{Title: entry.Title, Description: entry.Description}
	// A path is one of a tree: the parents end somewhere.
	if page.Path, err = view.Path(ctx, pageID); err != nil {
		return PageHit{}, false, fmt.Errorf("find the path of %s: %w", pageID, err)
	}
	for parent := entry.Parent; parent != ""; {
		above, err := view.Entry(ctx, parent)
		if err != nil {
			return PageHit{}, false, fmt.Errorf("read page %s: %w", parent, err)
		}
		page.Ancestors = append(page.Ancestors, above.Title)
		parent = above.Parent
	}
	slices.Reverse(page.Ancestors)
	return page, true, nil
}

// ready opens the indexes of the spaces and brings each to its head. Callers release what it returns, also on error.
func (s *Service) ready(ctx context.Context,
	heads map[id.Space]id.Revision) (indexes []*spaceIndex, views map[id.Space]*store.View, unread bool, err error) {
	var mu sync.Mutex
	views = make(map[id.Space]*store.View, len(heads))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for space, head := range heads {
		group.Go(func() error {
			view, err := s.deps.Content.View(groupCtx, head)
			if err != nil {
				return fmt.Errorf("open revision %s: %w", head, err)
			}
			index, err := s.acquire(space)
			if err != nil {
				return err
			}
			mu.Lock()
			indexes = append(indexes, index)
			views[space] = view
			mu.Unlock()
			held, err := s.bringTo(groupCtx, index, view)
			mu.Lock()
			unread = unread || !held
			mu.Unlock()
			return err
		})
	}
	err = group.Wait()
	return indexes, views, unread, err
}

// acquire returns the open index of a space and counts its user, so that it is not closed meanwhile.
func (s *Service) acquire(space id.Space) (*spaceIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errs.New(errs.Unavailable, "The server is stopping. Try again in a moment.")
	}
	if element, ok := s.open[space]; ok {
		s.recent.MoveToFront(element)
		index := element.Value.(*spaceIndex)
		index.users++
		return index, nil
	}
	opened, err := openIndex(filepath.Join(s.deps.Dir, Layout, string(space)))
	if err != nil {
		return nil, err
	}
	index := &spaceIndex{space: space, bleve: opened, users: 1}
	if s.vectors != nil {
		index.vectors = s.vectors.Space(string(space))
	}
	index.failed = s.shut[space].failed
	s.open[space] = s.recent.PushFront(index)
	delete(s.shut, space)
	s.closeUnused()
	return index, nil
}

// closeUnused closes the least recently used indexes beyond maxOpen that nobody uses. The caller holds s.mu.
func (s *Service) closeUnused() {
	for element := s.recent.Back(); element != nil && s.recent.Len() > maxOpen; {
		previous := element.Prev()
		if index := element.Value.(*spaceIndex); index.users == 0 {
			s.recent.Remove(element)
			delete(s.open, index.space)
			state := indexState{failed: index.failed}
			if err := errors.Join(index.describe(&state), index.bleve.Close()); err != nil {
				s.deps.Log.Warn("close search index", slog.String("space", string(index.space)), slog.Any("error", err))
			}
			s.shut[index.space] = state
		}
		element = previous
	}
}

func (s *Service) release(indexes []*spaceIndex) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, index := range indexes {
		index.users--
	}
	s.closeUnused()
	s.removeUnusedPreviews()
}
