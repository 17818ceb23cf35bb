// Package logo fetches the pictures that organizations show as their logos.
package logo

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/gif"  // a kind of logo
	_ "image/jpeg" // a kind of logo
	_ "image/png"  // a kind of logo

	_ "golang.org/x/image/webp" // a kind of logo

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Limits of logos.
const (
	maxLogoBytes = 2 << 20
	maxLogoSide  = 4096
)

// Fetch fetches a picture, keeps it, and returns its hash and its kind, such as "png". Pictures are taken for what
// their bytes are, whatever the server that has them says, and only kinds that cannot hold scripts are taken. get and
// blobs are nil in processes that fetch none.
func Fetch(ctx context.Context, get func(context.Context, string, fetch.Limits) (*fetch.Response, []byte, error),
	blobs blob.Store, address string) (hash, kind string, err error) {
	address, err = field.URL("logo", address)
	if err != nil {
		return "", "", err
	}
	if get == nil || blobs == nil {
		return "", "", errs.New(errs.Unavailable, "This process fetches no pictures.")
	}
	response, body, err := get(ctx, address, fetch.Limits{Bytes: maxLogoBytes,
		Accept: "image/png, image/jpeg, image/webp, image/gif"})
	if err != nil {
		var refusal *errs.Error
		if errors.As(err, &refusal) {
			return "", "", errs.Wrap(err, errs.Invalid, "logo: cannot be fetched: %s.", refusal.Message)
		}
		return "", "", err
	}
	if response.Status != 200 {
		return "", "", errs.Invalidf("logo", "%s answers with the status %d", address, response.Status)
	}
	// The size is read from the head of the picture; its pixels are never decoded here.
	picture, kind, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return "", "", errs.Invalidf("logo", "is not a picture that can be shown; PNG, JPEG, WebP and GIF are accepted")
	}
	if picture.Width < 1 || picture.Height < 1 || picture.Width > maxLogoSide || picture.Height > maxLogoSide {
		return "", "", errs.Invalidf("logo", "is %d by %d pixels; up to %d by %d are accepted", picture.Width,
			picture.Height, maxLogoSide, maxLogoSide)
	}
	hash, _, err = blobs.Put(ctx, bytes.NewReader(body))
	if err != nil {
		return "", "", err
	}
	return hash, kind, nil
}
