package api

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// downloadDay names the day whose end, plus one more day, is when download addresses of now expire. Addresses change
// once a day only, so that answers which hold them can be kept.
func (a *API) downloadDay() string { return strconv.FormatInt(a.Now().Unix()/86400, 10) }

// downloadURL signs the address of a file's bytes. Whoever has it may read these bytes, under this name, until the end
// of the next day (UTC).
func (a *API) downloadURL(space string, e *entity.Entry) string {
	expires := strconv.FormatInt((a.Now().Unix()/86400+2)*86400, 10)
	query := url.Values{"expires": {expires}, "signature": {a.downloadSignature(space, e.Blob, e.Name, expires)}}
	return a.BaseURL + "/v1/downloads/" + space + "/" + e.Blob + "/" + url.PathEscape(e.Name) + "?" + query.Encode()
}

func (a *API) downloadSignature(parts ...string) string {
	mac := hmac.New(sha256.New, a.DownloadKey)
	for _, part := range parts {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part)) // lengths keep parts from running into each other
	}
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:18])
}

type downloadInput struct {
	Space     string `path:"spaceId"`
	Blob      string `path:"blob" pattern:"^[0-9a-f]{64}$"`
	Name      string `path:"name"`
	Expires   string `query:"expires" maxLength:"20"`
	Signature string `query:"signature" maxLength:"64"`
}

// download sends the bytes of a file to whoever has its signed address.
func (a *API) download(_ context.Context, in *downloadInput) (*huma.StreamResponse, error) {
	want := a.downloadSignature(in.Space, in.Blob, in.Name, in.Expires)
	if !hmac.Equal([]byte(want), []byte(in.Signature)) {
		return nil, errs.Forbiddenf(
			"The address is not one that this server made. Read the file again for its downloadURL.")
	}
	seconds, err := strconv.ParseInt(in.Expires, 10, 64)
	if err != nil || a.Now().After(time.Unix(seconds, 0)) {
		return nil, errs.Forbiddenf("The address has expired. Read the file again for its downloadURL.")
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		file, _, err := a.Blobs.Open(ctx.Context(), in.Blob)
		if err != nil {
			if errors.Is(err, blob.ErrNotFound) {
				err = errs.NotFoundf("The file is gone: no revision holds it any more.")
			}
			body, defect := wireError(err)
			if defect {
				a.logDefect(ctx.Context(), "downloadFile", err)
			}
			a.writeError(w, body)
			return
		}
		defer file.Close()
		httpx.SetFileHeaders(w.Header(), in.Name)
		w.Header().Set("ETag", `"`+in.Blob[:32]+`"`)
		w.Header().Set("Cache-Control", "private, max-age=3600")
		http.ServeContent(w, r, "", time.Time{}, file)
	}}, nil
}

// cutFiles takes one page out of the files, which are sorted by name and id.
func cutFiles(files []*entity.Entry, request paging.Request) paging.Page[*entity.Entry] {
	page := paging.Page[*entity.Entry]{Items: files, Count: len(files)}
	if len(request.After) == 2 {
		start, _ := slices.BinarySearchFunc(files, request.After, func(e *entity.Entry, after []string) int {
			if e.Name < after[0] || (e.Name == after[0] && e.ID <= after[1]) {
				return -1
			}
			return 1
		})
		page.Items = files[start:]
	}
	page.Cut(request.Size(), func(e *entity.Entry) []string { return []string{e.Name, e.ID} })
	return page
}
