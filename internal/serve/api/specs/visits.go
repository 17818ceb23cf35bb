package specs

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// visitLatestSpecContent answers what the site shows a visitor of the latest version: the operations and models of the
// pages that they get, and what these refer to. What no such page shows is not there, nor an address of the whole
// document.
func (h *Handlers) visitLatestSpecContent(ctx context.Context,
	in *latestSpecContentInput) (*operation.Encoded, error) {
	visit := operation.Visit(ctx)
	if in.Organization != visit.Served.Organization {
		return nil, errs.NotFoundf("The site shows no such specification.")
	}
	shown, err := h.Shown(ctx, visit)
	if err != nil {
		return nil, err
	}
	bundle, err := h.Specs.Excerpt(ctx, in.Organization, in.Slug, shown)
	if err != nil {
		return nil, err
	}
	if bundle == nil {
		return nil, errs.NotFoundf("The site shows no such specification.")
	}
	address, err := json.Marshal(h.Wire.SpecURL(in.Organization, in.Slug) + "/versions/latest/content")
	if err != nil {
		return nil, err
	}
	body := bytes.Join([][]byte{[]byte(`{"filesystem":`), bundle, []byte(`,"url":`), address,
		[]byte(`,"urls":{"source":`), address, []byte(`,"public":null}}`)}, nil)
	out := &operation.Encoded{ETag: httpx.ETag(string(body)), CacheControl: "private, no-cache",
		ContentType: "application/json"}
	if httpx.Matches([]string{in.IfNoneMatch}, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	out.Status, out.Body = http.StatusOK, body
	return out, nil
}
