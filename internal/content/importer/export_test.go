package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/folder"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

// Sweep runs the periodic job at once.
func (s *Service) Sweep(ctx context.Context) error { return s.sweep(ctx) }

// LeastShares is what the smallest import takes of the memory that imports share.
const LeastShares = leastShares

// ShareMemory gives imports other memory to share.
func (s *Service) ShareMemory(shares int64) { s.memory = newMemory(shares) }

// DirectorySink writes files below a directory. It never leaves it, and refuses to replace a file.
type DirectorySink struct{ root *os.Root }

// NewDirectorySink returns a sink for an open directory, which stays the caller's to close.
func NewDirectorySink(root *os.Root) *DirectorySink { return &DirectorySink{root} }

// Create makes a file and the folders that it needs.
func (s *DirectorySink) Create(name string) (io.WriteCloser, error) {
	if folder := path.Dir(name); folder != "." {
		if err := s.root.MkdirAll(filepath.FromSlash(folder), 0o755); err != nil {
			return nil, fmt.Errorf("make folder: %w", err)
		}
	}
	return s.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// ReadDirectory reads a directory of Markdown.
func ReadDirectory(ctx context.Context, dir string) (*source.Tree, error) {
	files, err := filetree.Directory(dir, filetree.DefaultLimits)
	if err != nil {
		return nil, err
	}
	texts := &source.Texts{}
	tree, err := folder.Read(ctx, files, folder.Options{Name: path.Base(dir)}, texts)
	if err != nil {
		return nil, errors.Join(err, files.Close(), texts.Close())
	}
	tree.Close = func() error { return errors.Join(files.Close(), texts.Close()) }
	return tree, nil
}
