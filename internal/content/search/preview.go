package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
)

// Preview names a revision that is searched in the place of a space's live content.
type Preview struct {
	Space    id.Space
	Revision id.Revision
}

// Bounds of the indexes of previews.
const (
	// maxPreviews and maxPreviewBytes bound how many are kept, and what they take on disk together; the one that was
	// used last stays in any case. Those that are being built count.
	maxPreviews     = 8
	maxPreviewBytes = 2 << 30
	// previewBuildTime bounds the building of one.
	previewBuildTime = 10 * time.Minute
)

// previewIndex is the index of a revision that need not be live. What it holds does not change, but for its computed
// pages.
type previewIndex struct {
	spaceIndex
	revision id.Revision
	dir      string
	bytes    int64
	// done is closed when the index is built, or could not be: err says why. Both are set before.
	done chan struct{}
	err  error
}

// previewDir is where the indexes of previews are, away from those of live content.
func (s *Service) previewDir() string { return filepath.Join(s.deps.Dir, "previews") }

// previewed returns the index of a preview with its revision. It waits a little for one that is being built and then
// returns nil: what is half built would find what the preview does not have. Callers release the index.
func (s *Service) previewed(ctx context.Context, preview Preview) (*previewIndex, *store.View, error) {
	view, err := s.deps.Content.View(ctx, preview.Revision)
	if err != nil {
		return nil, nil, fmt.Errorf("open revision %s: %w", preview.Revision, err)
	}
	if space := view.Revision().Space; space != preview.Space {
		return nil, nil, fmt.Errorf("revision %s is one of space %s, not of %s", preview.Revision, space, preview.Space)
	}
	index, err := s.acquirePreview(view)
	if index == nil || err != nil {
		return nil, nil, err
	}
	timer := time.NewTimer(cmp.Or(s.deps.FirstBuildWait, shortWait))
	defer timer.Stop()
	select {
	case <-index.done:
		if err = index.err; err == nil {
			err = s.refreshComputed(ctx, index, view)
		}
	case <-timer.C:
		s.release([]*spaceIndex{&index.spaceIndex})
		return nil, nil, nil
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		s.release([]*spaceIndex{&index.spaceIndex})
		return nil, nil, err
	}
	return index, view, nil
}

// refreshComputed makes the index hold its computed pages as they are now.
func (s *Service) refreshComputed(ctx context.Context, index *previewIndex, view *store.View) error {
	fresh, _, err := s.computedIsFresh(ctx, &index.spaceIndex, index.revision)
	if err != nil || fresh {
		return err
	}
	index.refresh.Lock()
	defer index.refresh.Unlock()
	return s.bringComputed(ctx, &index.spaceIndex, view)
}

// acquirePreview returns the index of a revision and counts its user; it begins to build one that is not there. It
// returns nil when too many are being built already.
func (s *Service) acquirePreview(view *store.View) (*previewIndex, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errs.New(errs.Unavailable, "The server is stopping. Try again in a moment.")
	}
	revision := view.Revision()
	if at := slices.IndexFunc(s.previews, func(index *previewIndex) bool {
		return index.revision == revision.ID
	}); at >= 0 {
		index := s.previews[at]
		s.previews = append(slices.Delete(s.previews, at, at+1), index)
		index.users++
		return index, nil
	}
	building := 0
	for _, index := range s.previews {
		if !index.isDone() {
			building++
		}
	}
	if building >= maxPreviews {
		return nil, nil
	}
	index := &previewIndex{
		spaceIndex: spaceIndex{space: revision.Space, users: 2}, // who asks, and the build
		revision:   revision.ID, dir: filepath.Join(s.previewDir(), string(revision.ID)), done: make(chan struct{}),
	}
	s.previews = append(s.previews, index)
	s.builds.Go(func() {
		defer s.release([]*spaceIndex{&index.spaceIndex})
		defer close(index.done)
		if index.err = s.buildPreview(index, view); index.err == nil {
			return
		}
		if s.stop.Err() == nil {
			s.deps.Log.Error("build the search index of a preview", slog.String("space", string(index.space)),
				slog.String("revision", string(index.revision)), slog.Any("error", index.err))
		}
		if err := index.remove(); err != nil {
			s.deps.Log.Warn("remove the search index of a preview", slog.String("revision", string(index.revision)),
				slog.Any("error", err))
		}
		// The next who asks tries again.
		s.mu.Lock()
		defer s.mu.Unlock()
		s.previews = slices.DeleteFunc(s.previews, func(other *previewIndex) bool { return other == index })
	})
	s.removeUnusedPreviews()
	return index, nil
}

func (i *previewIndex) isDone() bool {
	select {
	case <-i.done:
		return true
	default:
		return false
	}
}

// buildPreview makes the index of a revision: a copy of the nearest index that there is, brought to the revision by the
// difference. One is built at a time, since each takes all processors that it gets.
func (s *Service) buildPreview(index *previewIndex, view *store.View) error {
	ctx, cancel := context.WithTimeout(s.stop, previewBuildTime)
	defer cancel()
	select {
	case s.previewTurn <- struct{}{}:
		defer func() { <-s.previewTurn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	source, err := s.nearest(ctx, view)
	if err != nil {
		return err
	}
	defer s.release([]*spaceIndex{source})
	if source.vectors != nil {
		index.vectors = source.vectors.Beside()
	}
	if err := copyIndex(source, index); err != nil {
		return err
	}
	if err := s.bringPages(ctx, &index.spaceIndex, view); err != nil {
		return err
	}
	if err := s.bringComputed(ctx, &index.spaceIndex, view); err != nil {
		return err
	}
	index.bytes, err = directorySize(index.dir)
	return err
}

// nearest returns the index of the space's live content, or that of another preview of the space from which less has
// changed. It waits for the first build of the former. Callers release what it returns.
func (s *Service) nearest(ctx context.Context, view *store.View) (*spaceIndex, error) {
	space := view.Revision().Space
	live, err := s.acquire(space)
	if err != nil {
		return nil, err
	}
	head, err := s.deps.Content.Head(ctx, space)
	if err == nil {
		err = s.finishFirstBuild(ctx, live, head)
	}
	least := 0
	if err == nil {
		least, err = distance(ctx, head, view, maxDistance)
	}
	if err != nil {
		s.release([]*spaceIndex{live})
		return nil, err
	}
	nearest := live
	for _, other := range s.otherPreviews(space) {
		away := least
		from, err := s.deps.Content.View(ctx, other.revision)
		if err == nil {
			away, err = distance(ctx, from, view, least)
		}
		if err != nil && !errs.Is(err, errs.NotFound) {
			s.deps.Log.Warn("compare a preview with another", slog.String("revision", string(other.revision)),
				slog.Any("error", err))
		}
		if err != nil || away >= least {
			s.release([]*spaceIndex{&other.spaceIndex})
			continue
		}
		s.release([]*spaceIndex{nearest})
		nearest, least = &other.spaceIndex, away
	}
	return nearest, nil
}

// finishFirstBuild waits until the index of live content holds it.
func (s *Service) finishFirstBuild(ctx context.Context, live *spaceIndex, head *store.View) error {
	for {
		held, err := s.holds(ctx, live, head)
		if held || err != nil {
			return err
		}
		update := s.startUpdate(live, head)
		select {
		case <-update.done:
			if update.err != nil {
				return fmt.Errorf("build the index of the live content: %w", update.err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// otherPreviews returns the indexes of previews of a space that are built, and counts their user.
func (s *Service) otherPreviews(space id.Space) []*previewIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	var built []*previewIndex
	for _, index := range s.previews {
		if index.space == space && index.isDone() && index.err == nil {
			index.users++
			built = append(built, index)
		}
	}
	return built
}

// maxDistance bounds how many changes are counted to find out which index is nearest.
const maxDistance = 10_000

// distance counts the changes between two revisions, up to a limit.
func distance(ctx context.Context, from, to *store.View, limit int) (int, error) {
	count := 0
	for _, err := range from.Diff(ctx, to) {
		if err != nil {
			return 0, fmt.Errorf("compare revisions: %w", err)
		}
		if count++; count >= limit {
			break
		}
	}
	return count, nil
}

// copyIndex makes an index a copy of another one.
func copyIndex(source *spaceIndex, index *previewIndex) error {
	if err := os.RemoveAll(index.dir); err != nil {
		return fmt.Errorf("clear the directory of a preview's index: %w", err)
	}
	copyable, ok := source.bleve.(bleve.IndexCopyable)
	if !ok {
		return errors.New("the search library does not copy this kind of index")
	}
	source.refresh.Lock()
	defer source.refresh.Unlock()
	if err := copyable.CopyTo(bleve.FileSystemDirectory(index.dir)); err != nil {
		return fmt.Errorf("copy the index of space %s: %w", source.space, err)
	}
	opened, err := bleve.Open(index.dir)
	if err != nil {
		return fmt.Errorf("open the copy of an index: %w", err)
	}
	index.bleve = opened
	return nil
}

// directorySize adds up the files below a directory. Files that go away meanwhile do not count: the index tidies
// itself.
func directorySize(dir string) (int64, error) {
	var bytes int64
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				bytes += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure a search index: %w", err)
	}
	return bytes, nil
}

// removeUnusedPreviews removes the indexes beyond the bounds that were not used for longest and that nobody uses now.
// The caller holds s.mu.
func (s *Service) removeUnusedPreviews() {
	count, bytes := len(s.previews), int64(0)
	for _, index := range s.previews {
		if index.isDone() {
			bytes += index.bytes
		}
	}
	for at := 0; at < len(s.previews)-1 && (count > maxPreviews || bytes > maxPreviewBytes); {
		index := s.previews[at]
		if index.users > 0 {
			at++
			continue
		}
		s.dropPreview(at)
		count, bytes = count-1, bytes-index.bytes
	}
}

// dropPreview removes an index that nobody uses. The caller holds s.mu.
func (s *Service) dropPreview(at int) {
	index := s.previews[at]
	s.previews = slices.Delete(s.previews, at, at+1)
	if err := index.remove(); err != nil {
		s.deps.Log.Warn("remove the search index of a preview", slog.String("revision", string(index.revision)),
			slog.Any("error", err))
	}
}

// remove closes the index and takes it off the disk.
func (i *previewIndex) remove() error {
	var closed error
	if i.bleve != nil {
		closed = i.bleve.Close()
	}
	return errors.Join(closed, os.RemoveAll(i.dir))
}
