package pub

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
)

// serveFile sends a file of the revision; rest is its id and its name.
func (s *scope) serveFile(w http.ResponseWriter, r *http.Request, rest string) error {
	id, name, named := strings.Cut(rest, "/")
	file, err := s.edition.View.Entry(r.Context(), id)
	if errs.Is(err, errs.NotFound) || err == nil && (file.Kind != entity.KindFile || file.Blob == "") {
		return s.missing(w, r, "")
	}
	if err != nil {
		return err
	}
	if shown, err := s.shows(r.Context(), file); err != nil {
		return err
	} else if !shown {
		return s.missing(w, r, "")
	}
	if decoded, err := url.PathUnescape(name); !named || err != nil || decoded != file.Name {
		return response.Redirect(w, r, s.fileURL(file))
	}
	header := w.Header()
	header.Set("ETag", `"`+file.Blob[:min(len(file.Blob), 32)]+`"`)
	if version := r.URL.Query().Get("v"); version != "" && strings.HasPrefix(file.Blob, version) &&
		len(version) == versionLength {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		header.Set("Cache-Control", "no-cache")
	}
	if s.site.Site.Visibility != site.VisibilityPublic {
		header.Set("X-Robots-Tag", "noindex")
	}
	httpx.SetFileHeaders(header, file.Name)
	body, _, err := s.server.deps.Blobs.Open(r.Context(), file.Blob)
	if err != nil {
		return fmt.Errorf("open file %s: %w", file.ID, err)
	}
	defer body.Close()
	http.ServeContent(w, r, "", time.Time{}, body)
	return nil
}
