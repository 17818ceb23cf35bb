package org

import (
	"context"
	"errors"
	"io"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/blob"
)

// OpenLogo returns the bytes of an organization's logo and its file name, whoever asks; the caller closes it. The hash
// has to be the one of the logo that the organization has now: errs.NotFound otherwise.
func (s *Service) OpenLogo(ctx context.Context, organizationID, hash string) (io.ReadSeekCloser, string, error) {
	gone := errs.NotFoundf("There is no such logo.")
	if !id.Valid("org", organizationID) || hash == "" {
		return nil, "", gone
	}
	o, err := find(ctx, s.db.Read(), organizationID)
	if err != nil || o.Logo.Blob != hash {
		return nil, "", gone
	}
	file, _, err := s.deps.Blobs.Open(ctx, hash)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, "", gone
	}
	return file, o.Logo.Name, err
}
