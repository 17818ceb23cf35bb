package org

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/gif"  // a kind of logo
	_ "image/jpeg" // a kind of logo
	_ "image/png"  // a kind of logo
	"io"

	_ "golang.org/x/image/webp" // a kind of logo

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Limits of logos.
const (
	maxLogoBytes = 2 << 20
	maxLogoSide  = 4096
)

// fetchLogo fetches a picture and keeps it. Pictures are taken for what their bytes are, whatever the server that has
// them says, and only kinds that cannot hold scripts are taken.
func (s *Service) fetchLogo(ctx context.Context, address string) (Logo, error) {
	address, err := field.URL("logo", address)
	if err != nil {
		return Logo{}, err
	}
	if s.fetch == nil || s.blobs == nil {
		return Logo{}, errs.New(errs.Unavailable, "This process fetches no pictures.")
	}
	response, body, err := s.fetch(ctx, address, fetch.Limits{Bytes: maxLogoBytes,
		Accept: "image/png, image/jpeg, image/webp, image/gif"})
	if err != nil {
		var refusal *errs.Error
		if errors.As(err, &refusal) {
			return Logo{}, errs.Wrap(err, errs.Invalid, "logo: cannot be fetched: %s", refusal.Message)
		}
		return Logo{}, err
	}
	if response.Status != 200 {
		return Logo{}, errs.Invalidf("logo", "%s answers with the status %d", address, response.Status)
	}
	// The size is read from the head of the picture; its pixels are never decoded here.
	picture, kind, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return Logo{}, errs.Invalidf("logo", "is not a picture that can be shown; PNG, JPEG, WebP and GIF are accepted")
	}
	if picture.Width < 1 || picture.Height < 1 || picture.Width > maxLogoSide || picture.Height > maxLogoSide {
		return Logo{}, errs.Invalidf("logo", "is %d by %d pixels; up to %d by %d are accepted", picture.Width,
			picture.Height, maxLogoSide, maxLogoSide)
	}
	hash, _, err := s.blobs.Put(ctx, bytes.NewReader(body))
	if err != nil {
		return Logo{}, err
	}
	return Logo{Blob: hash, Name: "logo." + kind}, nil
}

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
	file, _, err := s.blobs.Open(ctx, hash)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, "", gone
	}
	return file, o.Logo.Name, err
}
