package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// incoming is the folder of files that are being written. What is older than MinimumAge there was left by a crash.
const incoming = "incoming"

// Directory is a Store in a local directory. A blob lies at "ab/abcdef…", below one of 256 folders.
type Directory struct {
	root *os.Root
	// deleting lets a Put that finds its blob in place refresh it before or after a deletion, never during one.
	deleting sync.RWMutex
}

// NewDirectory opens the store in a directory and makes it when it is not there.
func NewDirectory(directory string) (*Directory, error) {
	if directory == "" {
		return nil, errors.New("the blob URL needs a directory: dir:data/blobs")
	}
	if err := os.MkdirAll(directory, 0o750); err != nil {
		return nil, fmt.Errorf("make the blob directory: %w", err)
	}
	root, err := os.OpenRoot(directory)
	if err != nil {
		return nil, fmt.Errorf("open the blob directory: %w", err)
	}
	store := &Directory{root: root}
	if err := store.prepare(); err != nil {
		_ = root.Close()
		return nil, err
	}
	return store, nil
}

// prepare makes the folder for incoming files and clears what an earlier crash left in it.
func (d *Directory) prepare() error {
	if err := d.root.Mkdir(incoming, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the folder of incoming blobs: %w", err)
	}
	entries, err := fs.ReadDir(d.root.FS(), incoming)
	if err != nil {
		return fmt.Errorf("read the folder of incoming blobs: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > MinimumAge {
			_ = d.root.Remove(path.Join(incoming, entry.Name()))
		}
	}
	return nil
}

// Put implements Store.
func (d *Directory) Put(ctx context.Context, r io.Reader) (hash string, size int64, err error) {
	temporary := path.Join(incoming, rand.Text())
	file, err := d.root.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return "", 0, fmt.Errorf("store blob: %w", err)
	}
	// After the rename there is nothing left to remove.
	defer func() { _ = d.root.Remove(temporary) }()
	reader := newHashingReader(ctx, r)
	_, err = io.Copy(file, reader)
	if err == nil {
		// Before the rename, or a crash could leave the name with other bytes.
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", 0, fmt.Errorf("store blob: %w", err)
	}
	hash = reader.hash()
	if err := d.place(temporary, hash); err != nil {
		return "", 0, fmt.Errorf("store blob %s: %w", hash, err)
	}
	return hash, reader.size, nil
}

// place gives a complete temporary file its name.
func (d *Directory) place(temporary, hash string) error {
	d.deleting.RLock()
	defer d.deleting.RUnlock()
	// Also over what is there: it counts as put now, and when its bytes were damaged they are mended.
	name := place(hash)
	folder := path.Dir(name)
	if err := d.root.Mkdir(folder, 0o750); err == nil {
		if err := d.sync("."); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := d.root.Rename(temporary, name); err != nil {
		return err
	}
	return d.sync(folder)
}

// sync makes the names in a folder last.
func (d *Directory) sync(folder string) error {
	handle, err := d.root.Open(folder)
	if err != nil {
		return err
	}
	err = handle.Sync()
	if closeErr := handle.Close(); err == nil {
		err = closeErr
	}
	return err
}

// Open implements Store.
func (d *Directory) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if !ValidHash(hash) {
		return nil, 0, ErrNotFound
	}
	file, err := d.root.Open(place(hash))
	if err != nil {
		return nil, 0, directoryError("open", hash, err)
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, 0, directoryError("open", hash, err)
	}
	return file, info.Size(), nil
}

// Stat implements Store.
func (d *Directory) Stat(ctx context.Context, hash string) (Info, error) {
	if err := ctx.Err(); err != nil {
		return Info{}, err
	}
	if !ValidHash(hash) {
		return Info{}, ErrNotFound
	}
	info, err := d.root.Stat(place(hash))
	if err != nil {
		return Info{}, directoryError("stat", hash, err)
	}
	return Info{Hash: hash, Size: info.Size(), PutAt: info.ModTime().UTC()}, nil
}

// Delete implements Store.
func (d *Directory) Delete(ctx context.Context, hash string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !ValidHash(hash) {
		return nil
	}
	d.deleting.Lock()
	defer d.deleting.Unlock()
	if err := d.root.Remove(place(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return directoryError("delete", hash, err)
	}
	return nil
}

// DeleteBefore implements Store.
func (d *Directory) DeleteBefore(ctx context.Context, hash string, before time.Time) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if !ValidHash(hash) {
		return false, nil
	}
	d.deleting.Lock()
	defer d.deleting.Unlock()
	info, err := d.root.Stat(place(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, directoryError("delete", hash, err)
	}
	if !info.ModTime().Before(before) {
		return false, nil
	}
	if err := d.root.Remove(place(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, directoryError("delete", hash, err)
	}
	return true, nil
}

// List implements Store. Names that no blob has are passed over.
func (d *Directory) List(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		err := fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case entry.IsDir() && name != "." && (len(name) != 2 || strings.Contains(name, "/")):
				return fs.SkipDir
			case entry.IsDir() || !ValidHash(entry.Name()) || name != place(entry.Name()):
				return nil
			}
			info, err := entry.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil // deleted since the folder was read
			}
			if err != nil {
				return err
			}
			if !yield(Info{Hash: entry.Name(), Size: info.Size(), PutAt: info.ModTime().UTC()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Info{}, fmt.Errorf("list blobs: %w", err))
		}
	}
}

// Check implements Store.
func (d *Directory) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// A directory that can be read may still take no byte: its disk is full, or read-only.
	name := path.Join(incoming, "check-"+rand.Text())
	if err := d.root.WriteFile(name, make([]byte, 4096), 0o640); err != nil {
		return errors.Join(fmt.Errorf("write to the blob directory: %w", err), ignoreMissing(d.root.Remove(name)))
	}
	if err := d.root.Remove(name); err != nil {
		return fmt.Errorf("write to the blob directory: %w", err)
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// place returns where a blob lies below the root.
func place(hash string) string { return hash[:2] + "/" + hash }

func directoryError(verb, hash string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return fmt.Errorf("%s blob %s: %w", verb, hash, err)
}
