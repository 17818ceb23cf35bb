package contents

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

type downloadInput struct {
	Space     id.Space `path:"spaceId"`
	Blob      string   `path:"blob" pattern:"^[0-9a-f]{64}$"`
	Name      string   `path:"name"`
	Expires   string   `query:"expires" maxLength:"20"`
	Signature string   `query:"signature" maxLength:"64"`
}

// download sends the bytes of a file to whoever has its signed address.
func (h *Handlers) download(ctx context.Context, in *downloadInput) (*huma.StreamResponse, error) {
	genuine, live := h.Wire.Downloads.Check(in.Signature, in.Expires, string(in.Space), in.Blob, in.Name)
	if !genuine {
		return nil, errs.Forbiddenf(
			"The address is not one that this server made. Read the file again for its downloadURL.")
	}
	if !live {
		return nil, errs.Forbiddenf("The address has expired. Read the file again for its downloadURL.")
	}
	file, _, err := h.Blobs.Open(ctx, in.Blob)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, errs.NotFoundf("The file is gone: no revision holds it any more.")
	}
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
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
