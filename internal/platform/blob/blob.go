// Package blob owns the bytes of files: a store that is addressed by content.
//
// A blob's name is the SHA-256 of its bytes in lower-case hex, so the same bytes are stored once, a blob never changes
// and what was read under a name can be kept for ever. A store is a local directory or a bucket that speaks the S3
// protocol; both promise the same:
//
//   - Put is atomic: a blob is there with all its bytes or not at all, also after a crash, and when Put returns it is
//     on disk. Put of bytes that are there already counts as a fresh Put.
//   - Put of bytes that are there but damaged mends them.
//   - Nothing reads a whole blob into memory, unless it is small.
//   - Blobs that nothing refers to are left behind by transactions that did not commit. Whoever collects them deletes
//     with DeleteBefore and a time at least MinimumAge ago, which spares blobs that are being referred to right now.
package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"net/url"
	"strings"
	"time"
)

// ErrNotFound is returned for a blob that is not in the store, and for a name that no blob can have.
var ErrNotFound = errors.New("blob not found")

// MinimumAge is how long after its last Put a blob has to be kept even when nothing refers to it: its transaction may
// still be on its way.
const MinimumAge = 24 * time.Hour

// Info describes a stored blob.
type Info struct {
	// Hash is the blob's name: 64 hex digits.
	Hash string
	// Size is its length in bytes.
	Size int64
	// PutAt is about when it was last put, in UTC. It may be up to an hour too early.
	PutAt time.Time
}

// Store keeps blobs. It is safe for use by many goroutines, and by many processes on one store.
type Store interface {
	// Put stores everything r gives and returns its hash and its size in bytes. When r or ctx fails, nothing is stored.
	Put(ctx context.Context, r io.Reader) (hash string, size int64, err error)
	// Open returns a blob's bytes and their number. Seeking is cheap, so a part can be read alone. The caller closes
	// it.
	Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error)
	// Stat describes a blob without reading it.
	Stat(ctx context.Context, hash string) (Info, error)
	// Delete removes a blob; one that is not there is no error.
	Delete(ctx context.Context, hash string) error
	// DeleteBefore removes a blob unless it was put at or after a time, and reports whether it did.
	DeleteBefore(ctx context.Context, hash string, before time.Time) (deleted bool, err error)
	// List gives all blobs in the order of their hashes. It ends after the first error.
	List(ctx context.Context) iter.Seq2[Info, error]
	// Check reports whether the store can be reached, and a local directory also whether it can be written to.
	Check(ctx context.Context) error
}

// OpenStore opens the store at an address:
//
//	dir:PATH                                          a local directory, made when it is not there
//	s3://BUCKET/PREFIX?endpoint=https://host&region=R   a bucket; PREFIX may be empty
//
// An S3 address may hold credentials (s3://KEY:SECRET@BUCKET); without them the usual AWS variables, credentials file
// and instance role count. Without an endpoint it is Amazon's. An endpoint of http:// is taken as it is.
func OpenStore(address string) (Store, error) {
	scheme, rest, _ := strings.Cut(address, ":")
	switch scheme {
	case "dir":
		return NewDirectory(rest)
	case "s3":
		parsed, err := url.Parse(address)
		if err != nil {
			// The parser's error repeats the address, which may hold a secret.
			return nil,
				errors.New("the blob URL is malformed; write s3://BUCKET/PREFIX?endpoint=https://host&region=REGION")
		}
		return newBucketFromURL(parsed)
	default:
		return nil,
			fmt.Errorf(
				`the blob URL starts with %q; it must be "dir:PATH" or "s3://BUCKET/PREFIX?endpoint=https://host"`,
				scheme)
	}
}

// ValidHash reports whether s has the form of a blob's name.
func ValidHash(s string) bool {
	if len(s) != 2*sha256.Size {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// hashingReader passes bytes on, counts and hashes them, and stops when the context ends.
type hashingReader struct {
	ctx    context.Context // of the one Put that made this reader
	source io.Reader
	sum    hash.Hash
	size   int64
}

func newHashingReader(ctx context.Context, source io.Reader) *hashingReader {
	return &hashingReader{ctx: ctx, source: source, sum: sha256.New()}
}

// Read implements io.Reader.
func (h *hashingReader) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := h.source.Read(p)
	h.sum.Write(p[:n])
	h.size += int64(n)
	return n, err
}

// hash returns the name of what was read so far.
func (h *hashingReader) hash() string { return hex.EncodeToString(h.sum.Sum(nil)) }
