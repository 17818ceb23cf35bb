package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// PutFile stores the bytes of a file, so that an entry can name them in its Blob. It returns their hash and size in
// bytes. Unless a commit uses them they are collected after a while (Deps.Grace).
func (s *Service) PutFile(ctx context.Context, r io.Reader) (blobHash string, size int64, err error) {
	blobHash, size, err = s.deps.Blobs.Put(ctx, r)
	if err != nil {
		return "", 0, fmt.Errorf("store file: %w", err)
	}
	now := s.now()
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx,
			`INSERT INTO content_blob (hash, touched_at, size) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING`,
			blobHash, now.UnixMicro(), size)
		if err != nil {
			return err
		}
		_, err = q.ExecContext(ctx, `UPDATE content_blob SET touched_at = $1 WHERE hash = $2 AND touched_at < $3`,
			now.UnixMicro(), blobHash, s.stale(now))
		return err
	})
	if err != nil {
		return "", 0, fmt.Errorf("note file: %w", err)
	}
	return blobHash, size, nil
}

// OpenFile returns the bytes of a file by the Blob of its entry, and their number. The caller closes it.
func (s *Service) OpenFile(ctx context.Context, blobHash string) (io.ReadSeekCloser, int64, error) {
	file, size, err := s.deps.Blobs.Open(ctx, blobHash)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, 0, errs.Wrap(err, errs.NotFound, "There is no file with the hash %.80q.", blobHash)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open file: %w", err)
	}
	return file, size, nil
}
