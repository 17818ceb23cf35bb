package machine

import (
	"bytes"
	"context"
	"net/http"

	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/agents"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// ServeRobots sends robots.txt of a site. Crawlers only read it at the root of a host.
func ServeRobots(w http.ResponseWriter, r *http.Request, s *scope.Scope, excluded *agents.List) error {
	return serveList(w, r, s, "robots", "text/plain; charset=utf-8", func(_ context.Context, out *bytes.Buffer) error {
		if s.Served.Site.Visibility != site.VisibilityPublic {
			out.WriteString("User-agent: *\nDisallow: " + s.Home + "\n")
			return nil
		}
		if s.Served.Site.AgentsContext == site.AgentsExcluded {
			excluded.Disallow(out, s.Root)
			out.WriteByte('\n')
		}
		out.WriteString("User-agent: *\nDisallow: " + s.Home + "~/search\nAllow: " + s.Home + "\n\nSitemap: " +
			s.Address + "sitemap.xml\n")
		return nil
	})
}
