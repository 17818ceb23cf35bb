package pub

import (
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/machine"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// servePage answers for the address of a page: with the page, with where it has moved, or with a page that says that
// there is none.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request, sc *scope.Scope, rest string) error {
	if rest == scope.NeedsSlash {
		return response.Redirect(w, r, sc.Home)
	}
	asked, tidy, ok := scope.ReadPath(rest)
	if !ok {
		return s.pages.Missing(w, r, sc, "")
	}
	if sc.Fallback {
		return s.pages.ServeAbsent(w, r, sc, asked)
	}
	if !tidy {
		return response.Redirect(w, r, sc.Home+scope.EscapePath(asked))
	}
	if node := sc.Find(asked); node != nil {
		return s.pages.ServeFound(w, r, sc, node, asked)
	}
	if source, ok := strings.CutSuffix(asked, ".md"); ok && sc.Served.Site.AgentsContext != site.AgentsExcluded {
		if node := sc.FindSource(source); node != nil {
			return machine.ServeMarkdown(w, r, sc, node)
		}
	}
	return s.pages.ServeMoved(w, r, sc, asked)
}

// serveElsewhere answers at an address whose space is not there for this visitor, with the way to the first one that
// is. It holds for this visitor and for now.
func serveElsewhere(w http.ResponseWriter, sc *scope.Scope) {
	w.Header().Set("Cache-Control", "no-store")
	httpx.Redirect(w, http.StatusTemporaryRedirect, httpx.LocalLocation(sc.Home))
}

// serveSite answers for a path below a site's root; rest is percent-encoded.
func (s *Server) serveSite(w http.ResponseWriter, r *http.Request, asked scope.Request, by scope.Viewer) error {
	if file, ok := strings.CutPrefix(asked.Path, "~/assets/"); ok {
		s.services.Themes.Assets.Serve(w, r, file)
		return nil
	}
	sc, rest, err := scope.New(s.services, asked, by)
	if err != nil {
		return err
	}
	if sc.Fallback && rest == "" {
		serveElsewhere(w, sc)
		return nil
	}
	if preview, ok := audience.ReadPreview(rest); ok {
		return s.servePreview(w, r, sc, preview)
	}
	if key, ok := sc.PageKey(rest); ok && !sc.Adaptive {
		if kept, ok := s.services.Pages.Get(key.String()); ok && !kept.Stale() {
			s.pages.Opened(r, sc, rest, kept.Page)
			kept.Serve(w, r)
			return nil
		}
	}
	if err := sc.Prepare(r.Context()); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(rest, "~/"):
		return s.serveTool(w, r, sc, rest[len("~/"):])
	case rest == "sitemap.xml" || strings.HasPrefix(rest, "sitemap-"):
		if done, err := machine.ServeSitemap(w, r, sc, rest); done || err != nil {
			return err
		}
	case rest == "robots.txt":
		return machine.ServeRobots(w, r, sc, s.agents)
	case rest == "feed.xml":
		return machine.ServeFeed(w, r, sc)
	case (rest == "llms.txt" || rest == "llms-full.txt") && sc.Served.Site.AgentsContext == site.AgentsExcluded:
		return s.pages.Missing(w, r, sc, "")
	case rest == "llms.txt":
		return machine.ServeLLMs(w, r, sc)
	case rest == "llms-full.txt":
		return machine.ServeLLMsFull(w, r, sc)
	}
	return s.servePage(w, r, sc, rest)
}

// serveTool answers for what is below "~/": nothing there can be a page, since no slug is a tilde.
func (s *Server) serveTool(w http.ResponseWriter, r *http.Request, sc *scope.Scope, rest string) error {
	name, rest, _ := strings.Cut(rest, "/")
	switch {
	case name == "files":
		return s.downloads.ServeFile(w, r, sc, rest)
	case name == "openapi":
		return s.downloads.ServeDescription(w, r, sc, rest)
	case name == "search" && rest == "":
		return s.pages.ServeSearch(w, r, sc)
	case name == "pages" && rest == "":
		return s.pages.ServePageIndex(w, r, sc)
	case name == "pdf" && rest == "":
		return s.downloads.ServePDF(w, r, sc)
	case name == "social":
		return s.pages.ServeSocial(w, r, sc, rest)
	case name == "block" && rest == "":
		return s.pages.ServeBlock(w, r, sc)
	case name == "feedback" && rest == "":
		return s.pages.ServeFeedback(w, r, sc)
	}
	return s.pages.Missing(w, r, sc, "")
}
