// Package machine owns what sites say to programs: feeds, sitemaps, robots.txt, llms.txt and pages as Markdown.
//
// All of them list the same pages: those of the edition that neither an author nor a condition keeps from machines.
package machine

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"time"

	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// serveList sends something else than a page that is made of the edition. Like pages, it is made once.
func serveList(w http.ResponseWriter, r *http.Request, s *scope.Scope, kind, contentType string,
	write func(context.Context, *bytes.Buffer) error) error {
	ctx := context.WithoutCancel(r.Context()) // others may wait for the same list
	made, err := s.Once("\x00"+kind, func() (*response.Response, error) {
		var out bytes.Buffer
		if err := write(ctx, &out); err != nil {
			return nil, err
		}
		header := http.Header{"Content-Type": {contentType}, "Cache-Control": {"no-cache"},
			"Content-Security-Policy": {response.ListPolicy}}
		if s.Served.Site.Visibility != site.VisibilityPublic {
			header["X-Robots-Tag"] = []string{"noindex"}
		}
		return response.New(header, out.Bytes()), nil
	})
	if err != nil {
		return fmt.Errorf("make %s: %w", kind, err)
	}
	made.Serve(w, r)
	return nil
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func writeXML(out *bytes.Buffer, document any) error {
	out.WriteString(xml.Header)
	if err := xml.NewEncoder(out).Encode(document); err != nil {
		return fmt.Errorf("encode list: %w", err)
	}
	out.WriteByte('\n')
	return nil
}
