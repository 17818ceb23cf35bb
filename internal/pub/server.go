// Package pub serves published sites: their pages, files, search, feeds and lists for machines.
//
// Every request resolves its site in one indexed read (package site), which names the revisions that are live. All the
// rest is a function of immutable things: a page is rendered once per revision and settings of the site and served from
// memory after that, compressed once, with an entity tag. A merge therefore shows with the next request on every
// process, and no process tells another anything.
//
// Everything that a reader gets works without a script. No page has an inline script, a style attribute, or an address
// that content could make a browser run: see headers.go for the policy and files.go for what uploads may do.
//
// # Words
//
// A mount is how a request names a site: below "/sites/" or by its host. An edition is a revision prepared for an
// audience. A scope is the edition of one space on one site under one mount: what a page is rendered in.
package pub

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/blob"
	"github.com/rectodocs/recto/internal/cache"
	"github.com/rectodocs/recto/internal/coalesce"
	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/search"
	"github.com/rectodocs/recto/internal/site"
	"github.com/rectodocs/recto/internal/spec"
)

// Deps is what a Server stands on. All but Specs, Previews, Log and CacheSize are required.
type Deps struct {
	// Sites finds the site of a request. It needs the address of the server and the sites domain that are given here.
	Sites   *site.Service
	Content *content.Service
	Search  *search.Service
	Blobs   blob.Store
	// Specs describes APIs. Nil leaves API blocks and computed pages as they are.
	Specs *spec.Service
	// BaseURL is the address of the server, for links that have to be whole. SitesDomain is the domain below which
	// every organization has a host; "" when sites are below BaseURL only.
	BaseURL     string
	SitesDomain string
	// Previews shows change requests and revisions; nil when sites have no previews.
	Previews *Previews
	// Log gets what went wrong; nil means slog.Default().
	Log *slog.Logger
	// CacheSize bounds the rendered pages that are kept, in bytes; 0 means 128 MiB.
	CacheSize int
}

const (
	defaultCacheSize = 128 << 20
	editionCacheSize = 400_000 // pages of all editions that are kept
)

// Server answers for published sites. It is safe for use by many goroutines.
type Server struct {
	deps      Deps
	base      *url.URL
	log       *slog.Logger
	assets    *assetSet
	icons     *iconSet
	templates *template.Template
	version   string // of templates and assets together

	sites     coalesce.Group[mount, resolved]
	pages     cache.Cache[*response] // by pageKey.String
	editions  cache.Cache[*edition]  // by revision
	preparing singleflight.Group
	rendering singleflight.Group
}

// New returns a Server.
func New(deps Deps) (*Server, error) {
	base, err := url.Parse(strings.TrimSuffix(deps.BaseURL, "/"))
	if err != nil {
		return nil, fmt.Errorf("read the address of the server: %w", err)
	}
	s := &Server{deps: deps, base: base, log: deps.Log}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.assets, err = loadAssets(); err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	if s.icons, err = loadIcons(); err != nil {
		return nil, err
	}
	if s.templates, err = loadTemplates(); err != nil {
		return nil, err
	}
	if s.version, err = programVersion(s.assets); err != nil {
		return nil, err
	}
	size := deps.CacheSize
	if size <= 0 {
		size = defaultCacheSize
	}
	s.pages = cache.Weighted(size, func(_ string, r *response) uint32 { return uint32(len(r.body) + len(r.gzip) + 512) })
	s.editions = cache.Weighted(editionCacheSize, func(_ string, e *edition) uint32 { return uint32(len(e.tree.Ordered)) + 1 })
	return s, nil
}

// mount is how a request names a site.
type mount struct {
	hostname string // of the organization
	basename string
	byHost   bool
}

// prefix is the path of the site's root, with a slash at its end.
func (m mount) prefix() string {
	if m.byHost {
		return "/" + url.PathEscape(m.basename) + "/"
	}
	return "/sites/" + url.PathEscape(m.hostname) + "/" + url.PathEscape(m.basename) + "/"
}

// ServesHost reports whether a Host header is one that published sites are at. The caller then passes the request on
// whatever its path is.
func (s *Server) ServesHost(host string) bool {
	_, ok := s.hostname(host)
	return ok
}

// hostname returns the organization's hostname in a Host header below the sites domain.
func (s *Server) hostname(host string) (string, bool) {
	if s.deps.SitesDomain == "" {
		return "", false
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	name, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), "."+strings.Trim(s.deps.SitesDomain, "."))
	if !ok || name == "" || strings.Contains(name, ".") {
		return "", false
	}
	return name, true
}

// ServeHTTP answers a request below "/sites/", or any request of a host that ServesHost knows.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "A published site is for reading: use GET or HEAD.", http.StatusMethodNotAllowed)
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
		return errs.NotFoundf("this address is longer than %d bytes; no page has such a one", maxPath)
	}
	m := mount{}
	if hostname, ok := s.hostname(r.Host); ok {
		m.hostname, m.byHost = hostname, true
	} else {
		rest, ok := strings.CutPrefix(escaped, "sites/")
		if !ok {
			return errs.NotFoundf("published sites are below /sites/")
		}
		m.hostname, escaped, _ = strings.Cut(rest, "/")
	}
	basename, rest, slash := strings.Cut(escaped, "/")
	var err error
	if m.basename, err = url.PathUnescape(basename); err != nil {
		return errs.NotFoundf("there is no site here")
	}
	if m.byHost && !slash && basename == "robots.txt" {
		return s.serveHostRobots(w, r)
	}
	if m.hostname == "" || m.basename == "" {
		return errs.NotFoundf("there is no site here; its address ends with its name")
	}
	found, err := s.sites.Do(r.Context(), m, s.resolve)
	if err != nil {
		return err
	}
	if !slash {
		return redirect(w, r, m.prefix())
	}
	return s.serveSite(w, r, m, found, rest)
}

// maxPath bounds the path of a request, in bytes as written. Paths of real pages are far below it.
const maxPath = 4 << 10

// resolved is a site as it is now. State identifies all that its pages depend on besides their own content: settings,
// mount, program, API specifications, and the revisions of all its spaces, since a page may link to any of them.
type resolved struct {
	site  site.Served
	state string
	specs string // see spec.Service.State
}

// resolve is bounded by time rather than by one visitor's patience: several wait for it.
func (s *Server) resolve(ctx context.Context, m mount) (resolved, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	served, err := s.deps.Sites.Resolve(ctx, m.hostname, m.basename)
	if err != nil {
		return resolved{}, err
	}
	var state strings.Builder
	fmt.Fprintf(&state, "%s %s %d %s %s", s.version, served.Site.ID, served.Site.UpdatedAt.UnixMicro(), served.Site.Visibility, m.prefix())
	for _, space := range served.Spaces {
		fmt.Fprintf(&state, " %s %s %t %q %s", space.ID, space.Path, space.Default, space.Title+space.Emoji+space.Language, space.Head)
	}
	specs := ""
	if s.deps.Specs != nil {
		if specs, err = s.deps.Specs.State(ctx, served.Site.Organization); err != nil {
			return resolved{}, err
		}
	}
	state.WriteString(" " + specs)
	return resolved{site: served, state: state.String(), specs: specs}, nil
}

// serveSite answers for a path below a site's root; rest is percent-encoded.
func (s *Server) serveSite(w http.ResponseWriter, r *http.Request, m mount, found resolved, rest string) error {
	if file, ok := strings.CutPrefix(rest, "~/assets/"); ok {
		return s.serveAsset(w, r, file)
	}
	sc, rest, err := s.scope(m, found, rest)
	if err != nil {
		return err
	}
	if kind, name, below, slash, ok := previewOf(rest); ok && s.deps.Previews != nil {
		return sc.servePreview(w, r, kind, name, below, slash)
	}
	if key, ok := sc.pageKey(rest); ok {
		if kept, ok := s.pages.Get(key.String()); ok {
			kept.serve(w, r)
			return nil
		}
	}
	if err := sc.prepare(r.Context()); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(rest, "~/"):
		return sc.serveTool(w, r, rest[len("~/"):])
	case rest == "sitemap.xml" || strings.HasPrefix(rest, "sitemap-"):
		if done, err := sc.serveSitemap(w, r, rest); done || err != nil {
			return err
		}
	case rest == "robots.txt":
		return sc.serveRobots(w, r)
	case rest == "feed.xml":
		return sc.serveFeed(w, r)
	case rest == "llms.txt":
		return sc.serveIndexForAgents(w, r)
	case rest == "llms-full.txt":
		return sc.serveAllForAgents(w, r)
	}
	return sc.servePage(w, r, rest)
}

// serveTool answers for what is below "~/": nothing there can be a page, since no slug is a tilde.
func (s *scope) serveTool(w http.ResponseWriter, r *http.Request, rest string) error {
	name, rest, _ := strings.Cut(rest, "/")
	switch {
	case name == "files":
		return s.serveFile(w, r, rest)
	case name == "openapi":
		return s.serveDescription(w, r, rest)
	case name == "search" && rest == "":
		return s.serveSearch(w, r)
	case name == "pages" && rest == "":
		return s.servePageIndex(w, r)
	}
	return s.missing(w, r, "")
}

// once returns a response from the cache, or makes it once for all who ask at the same time.
func (s *Server) once(asked pageKey, prepare func() (*response, error)) (*response, error) {
	key := asked.String()
	if kept, ok := s.pages.Get(key); ok {
		return kept, nil
	}
	made, err, _ := s.rendering.Do(key, func() (any, error) {
		made, err := prepare()
		if err == nil {
			s.pages.Set(key, made)
		}
		return made, err
	})
	if err != nil {
		return nil, err
	}
	return made.(*response), nil
}

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
		status := http.StatusInternalServerError
		if kind == errs.Unavailable {
			w.Header().Set("Retry-After", "2")
			status = http.StatusServiceUnavailable
		}
		http.Error(w, "Something went wrong here. Try again in a moment.", status)
		return
	}
	status := http.StatusNotFound
	if kind == errs.Invalid {
		status = http.StatusBadRequest
	}
	http.Error(w, refusal.Message, status)
}

// redirect answers with another address, which holds for as long as the content says so: it is not to be kept.
func redirect(w http.ResponseWriter, r *http.Request, to string) error {
	if r.URL.RawQuery != "" && !strings.Contains(to, "?") {
		before, fragment, found := strings.Cut(to, "#")
		to = before + "?" + r.URL.RawQuery
		if found {
			to += "#" + fragment
		}
	}
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusPermanentRedirect)
	return nil
}
