package pub

import (
	"bytes"
	"net/http"
	"net/url"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/gate"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// serveOrganization answers at the address of an organization with the way to the site that it shows first. Without
// one, and for those whom that site tells nothing, there is nothing here.
func (s *Server) serveOrganization(w http.ResponseWriter, r *http.Request, m mount) error {
	nothing := errs.NotFoundf("There is no site here: the address of a site ends with its name.")
	served, err := s.deps.Sites.DefaultOf(r.Context(), m.hostname)
	if errs.Is(err, errs.NotFound) {
		return nothing
	}
	if err != nil {
		return err
	}
	stranger, err := s.deps.Audiences.Admit(r.Context(), &served, audience.Visitor{})
	if err != nil {
		return err
	}
	if !stranger.Tells() {
		return nothing
	}
	return response.RedirectAs(w, r, httpx.ChosenLocation(served.Site.PublishedURL), http.StatusTemporaryRedirect)
}

// serveFormerHost answers below a hostname that an organization has left with where its site is now. Whom the site
// tells nothing learns nothing here either; a share link or a token in the address goes along, for the site to look at.
func (s *Server) serveFormerHost(w http.ResponseWriter, r *http.Request, asked scope.Request) error {
	served := asked.Site.Served
	verdict, err := s.deps.Audiences.Admit(r.Context(), served, s.gate.VisitorOf(r, asked))
	if err != nil {
		return err
	}
	if !verdict.Tells() {
		return site.NotServed()
	}
	to := httpx.ChosenLocation(served.Site.PublishedURL + asked.Path)
	if verdict.Key != "" || verdict.Brought {
		gate.SeeOther(w, to.WithQuery(r.URL.RawQuery)) // which no cache keeps
		return nil
	}
	return response.RedirectAs(w, r, to, http.StatusPermanentRedirect)
}

// serveHostRobots sends robots.txt of an organization's host, the only one that crawlers read there: which sites are
// not for agents. Every site says for itself what may be kept.
func (s *Server) serveHostRobots(w http.ResponseWriter, r *http.Request, organization string) error {
	without, err := s.deps.Sites.WithoutAgents(r.Context(), organization)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if len(without) > 0 {
		paths := make([]string, len(without))
		for i, basename := range without {
			paths[i] = "/" + url.PathEscape(basename) + "/"
		}
		s.agents.Disallow(&out, paths...)
		out.WriteByte('\n')
	}
	out.WriteString("User-agent: *\nDisallow: /*/~/search\nAllow: /\n")
	response.New(http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Cache-Control": {"max-age=3600"}},
		out.Bytes()).Serve(w, r)
	return nil
}
