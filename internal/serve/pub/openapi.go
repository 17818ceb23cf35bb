package pub

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// openAPI describes the API blocks of a page: from the specifications of the site's organization, from files of the
// space, and from addresses.
func (s *scope) openAPI(r *resolver) spec.Blocks {
	if s.server.deps.Specs == nil {
		return nil
	}
	return s.server.deps.Specs.Describe(s.site.Site.Organization, func(_ context.Context, ref doc.Ref) (string, error) {
		file := r.file(ref)
		if file == nil {
			return "", nil
		}
		return file.Blob, nil
	})
}

// serveDescription sends the description of a specification as it was written, when a page offers it.
func (s *scope) serveDescription(w http.ResponseWriter, r *http.Request, slug string) error {
	if !s.edition.Downloadable(slug) {
		return s.missing(w, r, "")
	}
	version, raw, err := s.server.deps.Specs.Download(r.Context(), s.site.Site.Organization, slug)
	if errs.Is(err, errs.NotFound) {
		return s.missing(w, r, "")
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

// spellOut puts what describes an API in place of the blocks that name it, for forms of a page that hold nothing but
// text. It reports whether there was any, and changes the document, whose nodes are not shared.
func spellOut(document *doc.Document) bool {
	found := false
	var walk func(nodes []*doc.Node) []*doc.Node
	walk = func(nodes []*doc.Node) []*doc.Node {
		out := make([]*doc.Node, 0, len(nodes))
		for _, n := range nodes {
			data, ok := n.Data.(*doc.OpenAPIData)
			if !ok || len(n.Nodes) == 0 {
				if len(n.Nodes) > 0 && !doc.HoldsText(n.Type) {
					copied := *n
					copied.Nodes = walk(n.Nodes)
					n = &copied
				}
				out = append(out, n)
				continue
			}
			found = true
			if data.IsInline() && data.Title != "" {
				out = append(out, doc.NewParagraph(doc.NewText(data.Title, doc.Mark{Type: doc.Bold})))
			}
			if title := strings.TrimSpace(strings.ToUpper(data.Method) + " " + data.Target()); title != "" {
				out = append(out, doc.NewParagraph(doc.NewText(title, doc.Mark{Type: doc.CodeMark})))
			}
			out = append(out, n.Nodes...)
		}
		return out
	}
	spelled := walk(document.Nodes)
	if found {
		document.Nodes = slices.Clip(spelled)
	}
	return found
}
