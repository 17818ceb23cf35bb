// Package logo takes in the pictures that organizations show as their logos: fetched from an address, or sent along as
// a data URL (RFC 2397).
package logo

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	_ "image/gif"  // a kind of logo
	_ "image/jpeg" // a kind of logo
	_ "image/png"  // a kind of logo
	"strings"

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

// Take fetches a picture from an address, or reads it out of a data URL in Base64, keeps it, and returns its hash and
// its kind, such as "png". Pictures are taken for what their bytes are, whatever is said of them, and only kinds that
// cannot hold scripts are taken. get and blobs are nil in processes that fetch none.
func Take(ctx context.Context, get func(context.Context, string, fetch.Limits) (*fetch.Response, []byte, error),
	blobs blob.Store, address string) (hash, kind string, err error) {
	if blobs == nil {
		return "", "", errs.New(errs.Unavailable, "This process keeps no pictures.")
	}
	body, sent, err := sentAlong(address)
	if err == nil && !sent {
		body, err = fetchFrom(ctx, get, address)
	}
	if err != nil {
		return "", "", err
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

// sentAlong returns the bytes of a data URL; sent is false for other addresses.
func sentAlong(address string) (body []byte, sent bool, err error) {
	const scheme = "data:"
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return nil, false, nil
	}
	about, encoded, found := strings.Cut(address, ",")
	if !found || !strings.HasSuffix(strings.ToLower(about), ";base64") {
		return nil, true, errs.Invalidf("logo",
			"is a data URL without Base64; write data:image/png;base64, and the bytes")
	}
	if base64.StdEncoding.DecodedLen(len(encoded)) > maxLogoBytes+2 {
		return nil, true, errs.Invalidf("logo", "has more than %d MB", maxLogoBytes>>20)
	}
	body, err = base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, true, errs.Invalidf("logo", "is not Base64 behind its comma")
	}
	return body, true, nil
}

// fetchFrom fetches the bytes of a picture.
func fetchFrom(ctx context.Context, get func(context.Context, string, fetch.Limits) (*fetch.Response, []byte, error),
	address string) ([]byte, error) {
	address, err := field.URL("logo", address)
	if err != nil {
		return nil, err
	}
	if get == nil {
		return nil, errs.New(errs.Unavailable, "This process fetches no pictures.")
	}
	response, body, err := get(ctx, address, fetch.Limits{Bytes: maxLogoBytes,
		Accept: "image/png, image/jpeg, image/webp, image/gif"})
	if err != nil {
		var refusal *errs.Error
		if errors.As(err, &refusal) {
			return nil, errs.Wrap(err, errs.Invalid, "logo: cannot be fetched: %s.", refusal.Message)
		}
		return nil, err
	}
	if response.Status != 200 {
		return nil, errs.Invalidf("logo", "%s answers with the status %d", address, response.Status)
	}
	return body, nil
}
