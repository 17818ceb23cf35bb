package gate

import (
	_ "embed"
	"io"
	"net/http"

	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// excludes reports whether a request is from an agent and is for content of a site that wants none. What agents may not
// read they may learn from robots.txt, which stays there for them.
func (g *Gate) excludes(r *http.Request, asked scope.Request) bool {
	return asked.Site.Served.Site.AgentsContext == site.AgentsExcluded && asked.Path != "robots.txt" &&
		g.deps.Agents.Sent(r)
}

// serveExcluded answers an agent whom the site does not want. No cache keeps the answer, so that it is shown to nobody
// else.
func serveExcluded(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Robots-Tag", "noindex")
	header.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	if r.Method != http.MethodHead {
		// An error here is a reader who has left.
		_, _ = io.WriteString(w,
			"This site is for people: its owner has excluded AI agents and the crawlers that gather for them.\n")
	}
}
