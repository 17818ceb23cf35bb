package client

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// watchInterval is how often a folder is looked at. Looking works on every file system, network ones included.
const watchInterval = 400 * time.Millisecond

// Watcher tells when a folder or file on this machine has changed.
type Watcher struct {
	source string
	seen   [sha256.Size]byte
}

// Watch begins to watch a folder or file.
func Watch(source string) (*Watcher, error) {
	if isAddress(source) {
		return nil, errors.New("only a folder or file on this machine can be watched, not an address")
	}
	if _, err := os.Stat(source); err != nil {
		return nil, fmt.Errorf("there is no folder or file %q", source)
	}
	return &Watcher{source: source, seen: state(source)}, nil
}

// Next waits until something has changed, and then until nothing has for a while: editors write a file in parts. It
// returns the context's error when that ends.
func (w *Watcher) Next(ctx context.Context) error {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	before, changed := w.seen, false
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		now := state(w.source)
		if changed && now == before {
			w.seen = now
			return nil
		}
		changed = now != w.seen
		before = now
	}
}

// state is a hash of the names, sizes and times of all files that an import takes. What cannot be read now is looked at
// again the next time.
func state(source string) [sha256.Size]byte {
	sum := sha256.New()
	_ = filepath.WalkDir(source, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil // it has gone since its folder was listed
		}
		if entry.IsDir() {
			if name != source && skippedFolder(entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if info, err := entry.Info(); err == nil {
			fmt.Fprintf(sum, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	return [sha256.Size]byte(sum.Sum(nil))
}
