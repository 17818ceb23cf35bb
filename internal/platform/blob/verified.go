package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"sync"
	"time"
)

// ErrDamaged is returned for a blob whose bytes are no longer those of its name. Putting the right bytes again mends
// it.
var ErrDamaged = errors.New("the blob is damaged: its bytes are not those that its name says")

// Bounds of verifying while blobs are read.
const (
	// smallBlob is up to how many bytes a blob is verified before its first byte is given out.
	smallBlob = 1 << 20
	// soundFor is how long a blob that was verified counts as sound, damagedFor how long one that is damaged is not
	// looked at again: another process may have mended it.
	soundFor, damagedFor = 24 * time.Hour, time.Minute
	maxVerdicts          = 100_000
)

// Verified is a Store that verifies what it reads, once in a while for each blob: small ones before they are given out,
// large ones while they are read from the beginning to the end, in which case the last bytes of a damaged one are
// withheld, and those of which parts are read behind the reader's back. A blob that is known to be damaged is not given
// out: Open returns ErrDamaged.
type Verified struct {
	Store

	mutex    sync.Mutex
	verdicts map[string]verdict
	// checking holds one place: what was not read as a whole is verified one at a time.
	checking chan struct{}
	behind   sync.WaitGroup
}

type verdict struct {
	damaged bool
	until   time.Time
	// written is when the file was written that was judged; zero where a store does not say.
	written time.Time
}

// writtenAt returns when an open blob was written, where it is a file.
func writtenAt(file io.ReadSeekCloser) time.Time {
	if onDisk, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := onDisk.Stat(); err == nil {
			return info.ModTime()
		}
	}
	return time.Time{}
}

// NewVerified returns a store that verifies what it reads of another one.
func NewVerified(store Store) *Verified {
	return &Verified{Store: store, verdicts: map[string]verdict{}, checking: make(chan struct{}, 1)}
}

// Put implements Store. What was known of the blob holds no more.
func (v *Verified) Put(ctx context.Context, r io.Reader) (hash string, size int64, err error) {
	hash, size, err = v.Store.Put(ctx, r)
	if err == nil {
		v.mutex.Lock()
		delete(v.verdicts, hash)
		v.mutex.Unlock()
	}
	return hash, size, err
}

// Open implements Store. It returns ErrDamaged for a blob that is damaged, as far as that is known.
func (v *Verified) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	file, size, err := v.Store.Open(ctx, hash)
	if err != nil {
		return nil, 0, err
	}
	written := writtenAt(file)
	if known, ok := v.verdict(hash, written); ok && known.damaged {
		return nil, 0, errors.Join(fmt.Errorf("open blob %s: %w", hash, ErrDamaged), file.Close())
	} else if ok {
		return file, size, nil
	}
	if size > smallBlob {
		return &verifyingReader{ReadSeekCloser: file, store: v, hash: hash, written: written, size: size,
			sum: sha256.New()}, size, nil
	}
	content, err := io.ReadAll(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, 0, fmt.Errorf("read blob %s: %w", hash, err)
	}
	sum := sha256.Sum256(content)
	if err := v.judge(hash, written, sum[:]); err != nil {
		return nil, 0, err
	}
	return readSeekNopCloser{bytes.NewReader(content)}, size, nil
}

type readSeekNopCloser struct{ io.ReadSeeker }

func (readSeekNopCloser) Close() error { return nil }

// Verify reads a blob whole. It returns ErrDamaged when its bytes are not those of its name, and ErrNotFound.
func (v *Verified) Verify(ctx context.Context, hash string) error {
	sum, written, err := sumOf(ctx, v.Store, hash)
	if err != nil {
		return err
	}
	return v.judge(hash, written, sum)
}

// Verify reads a blob of a store whole. It returns ErrDamaged when its bytes are not those of its name, and
// ErrNotFound.
func Verify(ctx context.Context, store Store, hash string) error {
	sum, _, err := sumOf(ctx, store, hash)
	if err == nil && hex.EncodeToString(sum) != hash {
		err = fmt.Errorf("blob %s: %w", hash, ErrDamaged)
	}
	return err
}

func sumOf(ctx context.Context, store Store, hash string) (sum []byte, written time.Time, err error) {
	file, _, err := store.Open(ctx, hash)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer file.Close()
	reader := newHashingReader(ctx, file)
	if _, err := io.Copy(io.Discard, reader); err != nil {
		return nil, time.Time{}, fmt.Errorf("read blob %s: %w", hash, err)
	}
	return reader.sum.Sum(nil), writtenAt(file), nil
}

// judge remembers what a blob's bytes hash to, and returns ErrDamaged when that is not its name.
func (v *Verified) judge(hash string, written time.Time, sum []byte) error {
	damaged := hex.EncodeToString(sum) != hash
	until := time.Now().Add(soundFor)
	if damaged {
		until = time.Now().Add(damagedFor)
	}
	v.mutex.Lock()
	if len(v.verdicts) >= maxVerdicts {
		clear(v.verdicts)
	}
	v.verdicts[hash] = verdict{damaged, until, written}
	v.mutex.Unlock()
	if damaged {
		return fmt.Errorf("blob %s: %w", hash, ErrDamaged)
	}
	return nil
}

// verdict returns what is known of a blob that was written at a time.
func (v *Verified) verdict(hash string, written time.Time) (known verdict, ok bool) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	known, ok = v.verdicts[hash]
	if !ok || time.Now().After(known.until) || !known.written.Equal(written) {
		return verdict{}, false
	}
	return known, true
}

// verifyBehind verifies a blob while its reader goes on, unless another one is being verified so.
func (v *Verified) verifyBehind(hash string) {
	select {
	case v.checking <- struct{}{}:
	default:
		return // the next who reads it
	}
	v.behind.Go(func() {
		defer func() { <-v.checking }()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		_ = v.Verify(ctx, hash) // what came of it is remembered
	})
}

// Wait returns when nothing is verified any more that Open has begun.
func (v *Verified) Wait() { v.behind.Wait() }

// verifyingReader verifies a blob while it is read from the beginning to the end.
type verifyingReader struct {
	io.ReadSeekCloser
	store   *Verified
	hash    string
	written time.Time
	size    int64
	sum     hash.Hash
	// at is where the reader is, hashed how much from the beginning was read in order.
	at, hashed int64
	judged     bool
}

// Seek implements io.Seeker.
func (r *verifyingReader) Seek(offset int64, whence int) (int64, error) {
	at, err := r.ReadSeekCloser.Seek(offset, whence)
	r.at = at
	return at, err
}

// Read implements io.Reader. The end of a blob comes out only when all of it is sound.
func (r *verifyingReader) Read(p []byte) (int, error) {
	n, err := r.ReadSeekCloser.Read(p)
	if end := r.at + int64(n); n > 0 && r.at <= r.hashed && end > r.hashed {
		r.sum.Write(p[r.hashed-r.at : n])
		r.hashed = end
	}
	r.at += int64(n)
	if r.hashed == r.size && !r.judged {
		r.judged = true
		if damaged := r.store.judge(r.hash, r.written, r.sum.Sum(nil)); damaged != nil {
			return 0, damaged
		}
	}
	return n, err
}

// Close implements io.Closer.
func (r *verifyingReader) Close() error {
	if !r.judged && r.at > 0 && r.hashed < r.at {
		r.store.verifyBehind(r.hash) // a part was read
	}
	return r.ReadSeekCloser.Close()
}

// Scrub verifies the blobs behind one, in the order of their names, no faster than so many bytes a second, until ctx
// ends. It returns the last one that it verified, "" after the last of all, how many it verified, and those that are
// damaged.
func (v *Verified) Scrub(ctx context.Context, after string,
	perSecond int64) (last string, verified int, damaged []string, err error) {
	last = after
	for info, err := range v.List(ctx) {
		if ctx.Err() != nil {
			return last, verified, damaged, nil
		}
		if err != nil {
			return last, verified, damaged, err
		}
		if info.Hash <= after {
			continue
		}
		err := v.Verify(ctx, info.Hash)
		switch {
		case ctx.Err() != nil:
			return last, verified, damaged, nil
		case errors.Is(err, ErrDamaged):
			damaged = append(damaged, info.Hash)
		case err != nil && !errors.Is(err, ErrNotFound): // which was deleted meanwhile
			return last, verified, damaged, err
		}
		last, verified = info.Hash, verified+1
		select {
		case <-time.After(time.Duration(info.Size) * time.Second / time.Duration(perSecond)):
		case <-ctx.Done():
		}
	}
	if ctx.Err() != nil {
		return last, verified, damaged, nil
	}
	return "", verified, damaged, nil
}
