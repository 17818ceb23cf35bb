package importer

import (
	"archive/zip"
	"io"
)

// Sink takes the files of an export, one after the other.
type Sink interface {
	// Create starts a file; its path has slashes and is relative. The file is complete when it is closed.
	Create(path string) (io.WriteCloser, error)
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
