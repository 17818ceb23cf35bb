package download

import (
	"bytes"
	"net/http"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// ServeDescription sends the description of a specification as it was written, when a page offers it.
func (d *Downloads) ServeDescription(w http.ResponseWriter, r *http.Request, s *scope.Scope, slug string) error {
	if !s.Edition.Downloadable(slug) {
		return d.deps.Pages.Missing(w, r, s, "")
	}
	version, raw, err := s.Services.Specs.Download(r.Context(), s.Served.Site.Organization, slug)
	if errs.Is(err, errs.NotFound) {
		return d.deps.Pages.Missing(w, r, s, "")
	}
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("ETag", `"`+version.RawBlob[:min(len(version.RawBlob), 32)]+`"`)
	header.Set("Cache-Control", "no-cache")
	header.Set("X-Robots-Tag", "noindex")
	name := slug + "." + string(version.Format)
	httpx.SetFileHeaders(header, name)
	header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(raw))
	return nil
}
