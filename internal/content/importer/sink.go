package importer

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// Sink takes the files of an export, one after the other.
type Sink interface {
	// Create starts a file; its path has slashes and is relative. The file is complete when it is closed.
	Create(path string) (io.WriteCloser, error)
}

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

// ZIPSink writes files into a ZIP archive.
type ZIPSink struct{ archive *zip.Writer }

// NewZIPSink returns a sink that writes an archive. Close completes it.
func NewZIPSink(w io.Writer) *ZIPSink { return &ZIPSink{zip.NewWriter(w)} }

// Create starts an entry.
func (s *ZIPSink) Create(name string) (io.WriteCloser, error) {
	entry, err := s.archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return nil, err
	}
	return entryWriter{entry}, nil
}

// Close completes the archive; the writer below it stays open.
func (s *ZIPSink) Close() error { return s.archive.Close() }

// entryWriter is an entry of an archive: it ends when the next one starts.
type entryWriter struct{ io.Writer }

// Close does nothing.
func (entryWriter) Close() error { return nil }
