package filetree

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Directory reads the names of a directory's files. The caller closes the tree.
func Directory(dir string, limits Limits) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "the directory %s cannot be opened", dir)
	}
	walk := walker{root: root, set: newSet(limits)}
	if err := walk.folder(".", "", 0); err != nil {
		root.Close()
		return nil, err
	}
	tree := walk.set.tree()
	tree.open = func(path string) (io.ReadCloser, error) { return openRegular(root, path) }
	tree.close = root.Close
	return tree, nil
}

func openRegular(root *os.Root, path string) (io.ReadCloser, error) {
	file, err := root.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, errs.New(errs.Invalid, "%s changed while it was read", path)
	}
	return file, nil
}

type walker struct {
	root *os.Root
	set  *set
}

// folder walks one folder; prefix is its path with a final slash, or "".
func (w walker) folder(name, prefix string, depth int) error {
	if depth > w.set.limits.Depth {
		return errs.New(errs.Invalid, "the folder %.80q… is more than %d folders deep", prefix, w.set.limits.Depth)
	}
	entries, err := w.entries(name)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if ignored(entry.Name()) || ignoredBelow(prefix+entry.Name()) {
			continue
		}
		if err := w.entry(entry, prefix+entry.Name(), depth); err != nil {
			return err
		}
	}
	return nil
}

// entries reads a folder in pieces, so that one with millions of files meets the limit before memory does.
func (w walker) entries(name string) ([]fs.DirEntry, error) {
	folder, err := w.root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open folder %s: %w", name, err)
	}
	defer folder.Close()
	var entries []fs.DirEntry
	for {
		part, err := folder.ReadDir(1024)
		entries = append(entries, part...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read folder %s: %w", name, err)
		}
		if len(entries) > w.set.limits.Files {
			return nil, errs.New(errs.TooLarge, "there are more than %d files and folders", w.set.limits.Files)
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		if a.Name() < b.Name() {
			return -1
		}
		return 1
	})
	return entries, nil
}

func (w walker) entry(entry fs.DirEntry, path string, depth int) error {
	switch mode := entry.Type(); {
	case mode.IsDir():
		if err := w.set.count(); err != nil {
			return err
		}
		if err := w.set.checkPath(path); err != nil {
			return err
		}
		return w.folder(path, path+"/", depth+1)
	case mode&fs.ModeSymlink != 0:
		w.set.leave(path, symbolicLink)
		return w.set.count()
	case !mode.IsRegular():
		w.set.leave(path, specialFile)
		return w.set.count()
	}
	info, err := entry.Info()
	if err != nil {
		return fmt.Errorf("stat %s: %w", path, err)
	}
	_, err = w.set.add(path, info.Size())
	return err
}
