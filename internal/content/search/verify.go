package search

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// errInUse says that a running server has an index open.
var errInUse = errors.New("a running server has it open")

// Verify looks at the search indexes below a directory and reports those that are damaged, hold other pages than their
// revision, or are of spaces that are gone. It returns how many it has looked at, and how many it has not, because a
// running server has them open. With mend it removes what it reports: an index is built again when somebody searches.
// It makes no Service, whose start would clear what a running one keeps below the directory.
func Verify(ctx context.Context, contents *store.Service, dir string, mend bool, report func(where, problem string,
	mended bool)) (verified, inUse int, err error) {
	entries, err := os.ReadDir(filepath.Join(dir, Layout))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("list the search indexes: %w", err)
	}
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return verified, inUse, err
		}
		place := filepath.Join(dir, Layout, entry.Name())
		problem, err := verifyIndex(ctx, contents, id.Space(entry.Name()), place)
		if errors.Is(err, errInUse) {
			inUse++
			continue
		}
		if err != nil {
			return verified, inUse, err
		}
		verified++
		if problem == "" {
			continue
		}
		if mend {
			if err := os.RemoveAll(place); err != nil {
				return verified, inUse, fmt.Errorf("remove a damaged search index: %w", err)
			}
		}
		report("search index of "+entry.Name(), problem, mend)
	}
	return verified, inUse, nil
}

// verifyIndex says what is wrong with an index, "" for nothing.
func verifyIndex(ctx context.Context, contents *store.Service, space id.Space,
	place string) (problem string, err error) {
	defer func() {
		// The library takes the form of its files for granted.
		if reason := recover(); reason != nil {
			problem, err = fmt.Sprintf("it cannot be read: %v", reason), nil
		}
	}()
	opened, err := bleve.OpenUsing(place, map[string]any{"bolt_timeout": lockWait.String(), "read_only": true})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return "", errInUse
	}
	if err != nil {
		return "it cannot be opened: " + err.Error(), nil
	}
	defer opened.Close()
	if problem, err := damagedSegment(place); problem != "" || err != nil {
		return problem, err
	}
	index := &spaceIndex{space: space, bleve: opened}
	held, err := index.revision()
	if err != nil {
		return err.Error(), nil
	}
	if held == "" {
		return "", nil // its first build was not finished; it begins anew
	}
	heads, err := contents.Heads(ctx, []id.Space{space})
	if err != nil {
		return "", fmt.Errorf("read the head of %s: %w", space, err)
	}
	if heads[space] == "" {
		return "its space is gone", nil
	}
	return comparePages(ctx, contents, index, held)
}

// comparePages compares the pages of an index with those of its revision.
func comparePages(ctx context.Context, contents *store.Service, index *spaceIndex,
	held id.Revision) (problem string, err error) {
	view, err := contents.View(ctx, held)
	if errs.Is(err, errs.NotFound) {
		return "its revision " + string(held) + " is gone", nil
	}
	if err != nil {
		return "", fmt.Errorf("open revision %s: %w", held, err)
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return "", fmt.Errorf("read the pages of revision %s: %w", held, err)
	}
	pages, err := indexedPages(ctx, index)
	if err != nil {
		return err.Error(), nil
	}
	computed, err := index.computed()
	if err != nil {
		return err.Error(), nil
	}
	unfinished, err := index.unfinished()
	if err != nil {
		return err.Error(), nil
	}
	if len(unfinished) > 0 {
		return "", nil // the next query finishes it
	}
	for id, node := range tree.ByID {
		if node.Entry.Type == entity.PageDocument && !pages[id] {
			return "it lacks page " + id, nil
		}
	}
	for id := range pages {
		_, made := computed.Pages[id]
		if node := tree.ByID[id]; !made && (node == nil || node.Entry.Type != entity.PageDocument) {
			return "it holds page " + id + ", which is not in its revision", nil
		}
	}
	return "", nil
}

// damagedSegment compares the checksum at the end of each file of an index with what stands before it.
func damagedSegment(place string) (problem string, err error) {
	files, err := filepath.Glob(filepath.Join(place, "store", "*.zap"))
	if err != nil {
		return "", err
	}
	for _, path := range files {
		sound, err := hasItsChecksum(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the index tidies itself
		}
		if err != nil {
			return "", fmt.Errorf("read a file of a search index: %w", err)
		}
		if !sound {
			return "the checksum of " + filepath.Base(path) + " is wrong", nil
		}
	}
	return "", nil
}

func hasItsChecksum(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() < crc32.Size {
		return false, err
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyN(sum, file, info.Size()-crc32.Size); err != nil {
		return false, err
	}
	written := make([]byte, crc32.Size)
	if _, err := io.ReadFull(file, written); err != nil {
		return false, err
	}
	return binary.BigEndian.Uint32(written) == sum.Sum32(), nil
}
