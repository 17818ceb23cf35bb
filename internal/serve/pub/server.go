// Package pub serves published sites: their pages, files, search, feeds and lists for machines.
//
// Every request resolves its site in one indexed read (package site), which names the revisions that are live. All the
// rest is a function of immutable things: a page is rendered once per revision and settings of the site and served from
// memory after that, compressed once, with an entity tag. A merge therefore shows with the next request on every
// process, and no process tells another anything.
//
// Everything that a reader gets works without a script. No page has an inline script, a style attribute, or an address
// that content could make a browser run: see package response for the policy and httpx.SetFileHeaders for what uploads
// may do.
//
// # Packages
//
// This package finds the site of a request and which part of the site answers (route.go). What answers is below it:
// gate says who is let in, page makes what people read and machine what programs read, download sends files, inspect
// shows a site as a visitor sees it. They make it in a scope, of an edition, with a theme and words, and send it as a
// response.
//
// # Words
//
// A mount is how a request names a site: below "/sites/", by the host of its organization, or by one of its own. An
// edition is a revision prepared for an audience. A scope is the edition of one space on one site under one mount: what
// a page is rendered in.
package pub

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/coalesce"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/pub/agents"
	"github.com/rectodocs/recto/internal/serve/pub/download"
	"github.com/rectodocs/recto/internal/serve/pub/gate"
	"github.com/rectodocs/recto/internal/serve/pub/inspect"
	"github.com/rectodocs/recto/internal/serve/pub/page"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
)

// Deps is what a Server stands on.
type Deps struct {
	// Sites finds the site of a request. It needs the address of the server and the sites domain that are given here.
	Sites *site.Service
	// Feedback keeps what readers answer.
	Feedback *feedback.Service
	// Visits tells integrations of readers.
	Visits *visit.Service
	// Audiences knows who may read a site.
	Audiences *audience.Service
	Content   *store.Service
	Search    *search.Service
	Blobs     blob.Store
	// Links knows which pages use a file.
	Links *link.Service
	// Prints makes PDFs.
	Prints *print.Service
	// Specs describes APIs.
	Specs *spec.Service
	// Blocks shows blocks of integrations.
	Blocks *blocks.Service
	// BaseURL is the address of the server, for links that have to be whole. SitesDomain is the domain below which
	// every organization has a host; "" when sites are below BaseURL only.
	BaseURL     string
	SitesDomain string `optional:"sites are below BaseURL only"`
	// Translations says which pages are behind what they are translated from.
	Translations *translation.Service
	// Previews shows change requests and revisions.
	Previews *preview.Service
	// SearchLimit bounds how often an address may search; nil is no limit.
	SearchLimit *httpx.Limiter `optional:"no limit"`
	// DataVersion is the state of the database, see db.DB.DataVersion; nil when it is never known.
	DataVersion func() (version coalesce.Version, ok bool) `optional:"it is never known"`
	// Log gets what went wrong.
	Log *slog.Logger
	// CacheSize bounds the rendered pages that are kept, in bytes; 0 means 128 MiB.
	CacheSize int `optional:"128 MiB"`
}

const defaultCacheSize = 128 << 20

// Server answers for published sites. It is safe for use by many goroutines.
type Server struct {
	deps      Deps
	base      *url.URL
	log       *slog.Logger
	agents    *agents.List
	services  *scope.Services
	pages     *page.Pages
	downloads *download.Downloads
	gate      *gate.Gate
	inspector *inspect.Inspector
	version   string // of templates and assets together

	sites coalesce.Group[mount, *scope.Site]
	hosts coalesce.Group[string, bool] // whether a host is a site's own
}

// New returns a Server. It panics without what it needs.
func New(deps Deps) (*Server, error) {
	required.Must(deps)
	base, err := url.Parse(strings.TrimSuffix(deps.BaseURL, "/"))
	if err != nil {
		return nil, fmt.Errorf("read the address of the server: %w", err)
	}
	s := &Server{deps: deps, base: base, log: deps.Log}
	themes, err := theme.Load()
	if err != nil {
		return nil, err
	}
	if s.agents, err = agents.Load(); err != nil {
		return nil, err
	}
	if s.version, err = page.Version(themes.Assets); err != nil {
		return nil, err
	}
	size := deps.CacheSize
	if size <= 0 {
		size = defaultCacheSize
	}
	s.services = scope.NewServices(deps.Content, deps.Specs, deps.Blocks, themes, size)
	s.services.BaseURL, s.services.SitesDomain = deps.BaseURL, strings.Trim(deps.SitesDomain, ".")
	s.pages, err = page.New(page.Deps{Sites: deps.Sites, Feedback: deps.Feedback, Visits: deps.Visits,
		Search: deps.Search, SearchLimit: deps.SearchLimit, Translations: deps.Translations, Log: s.log})
	if err != nil {
		return nil, err
	}
	s.downloads = download.New(download.Deps{Blobs: deps.Blobs, Links: deps.Links, Prints: deps.Prints, Pages: s.pages})
	s.sites.Version = deps.DataVersion
	s.inspector = inspect.New(inspect.Deps{Audiences: deps.Audiences, Previews: deps.Previews, Services: s.services,
		Pages: s.pages, Serve: s.serveSite})
	s.gate = gate.New(gate.Deps{Audiences: deps.Audiences, Previews: deps.Previews, Agents: s.agents, Themes: themes,
		Pages: s.pages, Inspect: s.inspector.Serve})
	return s, nil
}

// Icon draws an icon that content names, as an SVG element; "" for a name that is not known.
func (s *Server) Icon(name string) string { return s.services.Themes.Icons.SVG(name) }

// ServeAsset sends a static file of published sites by its name, to other pages of the product that draw alike.
func (s *Server) ServeAsset(w http.ResponseWriter, r *http.Request, file string) {
	s.services.Themes.Assets.ServeNamed(w, r, file)
}

// ServeHTTP answers a request below "/sites/", or any request of a host that ServesHost knows.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpx.SetRoute(r.Context(), "/sites/")
	response.Secure(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !(r.Method == http.MethodPost &&
		page.TakesPost(r.URL.Path)) {
		w.Header().Set("Allow", "GET, HEAD")
		s.pages.ServeFault(w, r, http.StatusMethodNotAllowed, "A published site is for reading: use GET or HEAD.")
		return
	}
	if err := s.serve(w, r); err != nil {
		s.fail(w, r, err)
	}
}

// serve splits the path into the site and what is asked of it.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	escaped := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	if len(escaped) > maxPath {
		return errs.NotFoundf("This address is longer than %d bytes; no page has such a one.", maxPath)
	}
	m, rest, slash, err := s.mountOf(r, escaped)
	if err != nil {
		return err
	}
	if m.byHost && !slash && m.basename == "robots.txt" {
		return s.serveHostRobots(w, r, m.hostname)
	}
	if m.host == "" && m.hostname != "" && m.basename == "" {
		return s.serveOrganization(w, r, m)
	}
	if m.host == "" && (m.hostname == "" || m.basename == "") {
		return errs.NotFoundf("There is no site here: the address of a site ends with its name.")
	}
	found, err := s.sites.Do(r.Context(), m, s.resolve)
	if err != nil {
		return err
	}
	asked := scope.Request{Site: found, Path: rest}
	if m.host == "" && !strings.EqualFold(m.hostname, found.Served.Hostname) {
		return s.serveFormerHost(w, r, asked)
	}
	w, shown, by, done, err := s.gate.Admit(w, r, asked)
	if done || err != nil {
		return err
	}
	if !slash || m.host == "" && m.basename != found.Served.Site.Basename {
		return response.Redirect(w, r, found.Root+rest)
	}
	asked.Site = shown
	return s.serveSite(w, r, asked, by)
}

// maxPath bounds the path of a request, in bytes as written. Paths of real pages are far below it.
const maxPath = 4 << 10

// fail answers an error that no page of a site can show: there is no such site, or something is broken.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody is there any more
	}
	kind := errs.KindOf(err)
	w.Header().Set("Cache-Control", "no-store")
	refusal, ok := errors.AsType[*errs.Error](err)
	if !ok || kind == errs.Internal || kind == errs.Unavailable {
		s.log.ErrorContext(r.Context(), "published site", slog.String("path", r.URL.Path), slog.Any("error", err))
	}
	if !ok || kind == errs.Internal {
		s.pages.ServeFault(w, r, http.StatusInternalServerError, "Something went wrong here. Try again in a moment.")
		return
	}
	status := http.StatusNotFound
	switch kind {
	case errs.Invalid:
		status = http.StatusBadRequest
	case errs.TooMany: // who refused has said when to come back
		status = http.StatusTooManyRequests
	case errs.Unavailable:
		w.Header().Set("Retry-After", "2")
		status = http.StatusServiceUnavailable
	}
	s.pages.ServeFault(w, r, status, refusal.Message)
}
