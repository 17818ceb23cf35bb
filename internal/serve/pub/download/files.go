package download

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// ServeFile sends a file of the revision; rest is its id and its name.
func (d *Downloads) ServeFile(w http.ResponseWriter, r *http.Request, s *scope.Scope, rest string) error {
	id, name, named := strings.Cut(rest, "/")
	file, err := s.Edition.View.Entry(r.Context(), id)
	if errs.Is(err, errs.NotFound) || err == nil && (file.Kind != entity.KindFile || file.Blob == "") {
		return d.deps.Pages.Missing(w, r, s, "")
	}
	if err != nil {
		return err
	}
	if shown, err := d.shows(r.Context(), s, file); err != nil {
		return err
	} else if !shown {
		return d.deps.Pages.Missing(w, r, s, "")
	}
	if decoded, err := url.PathUnescape(name); !named || err != nil || decoded != file.Name {
		return response.Redirect(w, r, s.FileURL(file))
	}
	header := w.Header()
	header.Set("ETag", `"`+file.Blob[:min(len(file.Blob), 32)]+`"`)
	if version := r.URL.Query().Get("v"); version != "" && strings.HasPrefix(file.Blob, version) &&
		len(version) == scope.VersionLength {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if s.Served.Site.Visibility != site.VisibilityPublic {
		header.Set("X-Robots-Tag", "noindex")
	}
	httpx.SetFileHeaders(header, file.Name)
	body, _, err := d.deps.Blobs.Open(r.Context(), file.Blob)
	if err != nil {
		return fmt.Errorf("open file %s: %w", file.ID, err)
	}
	defer body.Close()
	http.ServeContent(w, r, "", time.Time{}, body)
	return nil
}
