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
// # Words
//
// A mount is how a request names a site: below "/sites/", by the host of its organization, or by one of its own. An
// edition is a revision prepared for an audience. A scope is the edition of one space on one site under one mount: what
// a page is rendered in.
package pub

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/coalesce"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/agents"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/response"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
)

// Deps is what a Server stands on. All but Links, Prints, Specs, Previews, SearchLimit, DataVersion, Log and CacheSize
// are required.
type Deps struct {
	// Sites finds the site of a request. It needs the address of the server and the sites domain that are given here.
	Sites *site.Service
	// Audiences knows who may read a site.
	Audiences *audience.Service
	Content   *store.Service
	Search    *search.Service
	Blobs     blob.Store
	// Links knows which pages use a file. Without it files are there for all who may read the site.
	Links *link.Service
	// Prints makes PDFs. Nil offers none.
	Prints *print.Service
	// Specs describes APIs. Nil leaves API blocks and computed pages as they are.
	Specs *spec.Service
	// BaseURL is the address of the server, for links that have to be whole. SitesDomain is the domain below which
	// every organization has a host; "" when sites are below BaseURL only.
	BaseURL     string
	SitesDomain string
	// Translations says which pages are behind what they are translated from. Nil when no space is a translation.
	Translations *translation.Service
	// Previews shows change requests and revisions; nil when sites have no previews.
	Previews *Previews
	// SearchLimit bounds how often an address may search; nil is no limit.
	SearchLimit *httpx.Limiter
	// DataVersion is the state of the database, see db.DB.DataVersion; nil when it is never known.
	DataVersion func() (version coalesce.Version, ok bool)
	// Log gets what went wrong; nil means slog.Default().
	Log *slog.Logger
	// CacheSize bounds the rendered pages that are kept, in bytes; 0 means 128 MiB.
	CacheSize int
}

const (
	defaultCacheSize = 128 << 20
	// How many pages' dependencies are kept, and how many indexes of pages that depend on the visitor.
	varianceCacheSize = 100_000
	ownCacheSize      = 256
	fileUserCacheSize = 200_000 // pages that use files, of all files
	// How much memory may hold visitors with tokens, and for whom which PDF is, in bytes.
	visitorCacheSize = 32 << 20
	printedCacheSize = 32 << 20
)

// Server answers for published sites. It is safe for use by many goroutines.
type Server struct {
	deps      Deps
	base      *url.URL
	log       *slog.Logger
	themes    *theme.Set
	agents    *agents.List
	templates *template.Template
	version   string // of templates and assets together

	sites     coalesce.Group[mount, *resolved]
	hosts     coalesce.Group[string, bool]    // whether a host is a site's own
	pages     cache.Cache[*response.Response] // by pageKey.String
	editions  *edition.Store
	variances cache.Cache[*variance] // by what a page depends on before it is looked at
	own       cache.Cache[*search.Own]
	printed   cache.Cache[string]           // audiences of PDFs, by what is printed and the visitor's claims
	fileUsers cache.Cache[[]fileUser]       // by file and the revisions of all spaces of the site
	visitors  cache.Cache[*edition.Visitor] // by audience.Verdict.Identity
	pdfs      cache.Cache[string]           // ids of PDFs by what they show
	preparing singleflight.Group
	rendering singleflight.Group

	feedbackLimit, pdfLimit *httpx.Limiter
}

// What readers may cause, each address for itself and, of PDFs, all together.
var (
	feedbackRate = httpx.LimiterConfig{PerSecond: 1.0 / 30, Burst: 12}
	pdfRate      = httpx.LimiterConfig{PerSecond: 1.0 / 10, Burst: 12}
)

// New returns a Server.
func New(deps Deps) (*Server, error) {
	base, err := url.Parse(strings.TrimSuffix(deps.BaseURL, "/"))
	if err != nil {
		return nil, fmt.Errorf("read the address of the server: %w", err)
	}
	s := &Server{
		deps: deps, base: base, log: deps.Log,
		pdfs:          cache.Sized[string](maxPDFsKnown),
		feedbackLimit: httpx.NewLimiter(feedbackRate), pdfLimit: httpx.NewLimiter(pdfRate),
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.themes, err = theme.Load(); err != nil {
		return nil, err
	}
	if s.agents, err = agents.Load(); err != nil {
		return nil, err
	}
	if s.templates, err = loadTemplates(); err != nil {
		return nil, err
	}
	if s.version, err = programVersion(s.themes.Assets); err != nil {
		return nil, err
	}
	s.sites.Version = deps.DataVersion
	size := deps.CacheSize
	if size <= 0 {
		size = defaultCacheSize
	}
	s.pages = cache.Weighted(size, func(_ string, r *response.Response) uint32 { return uint32(r.Size() + 512) })
	s.editions = edition.NewStore(deps.Content, deps.Specs)
	s.variances = cache.Sized[*variance](varianceCacheSize)
	s.own = cache.Sized[*search.Own](ownCacheSize)
	s.fileUsers = cache.Weighted(fileUserCacheSize, func(_ string, users []fileUser) uint32 {
		return uint32(len(users)) + 1
	})
	s.printed = cache.Weighted(printedCacheSize, func(key string, _ string) uint32 { return uint32(len(key) + 256) })
	s.visitors = cache.Weighted(visitorCacheSize, func(identity string, _ *edition.Visitor) uint32 {
		return uint32(len(identity) + 1024)
	})
	return s, nil
}

// mount is how a request names a site: by its organization's hostname and its basename, or by a host of its own.
type mount struct {
	hostname string // of the organization
	basename string
	byHost   bool   // the hostname is in the Host header, not in the path
	host     string // of the site itself; "" for the other two
	// forwarded is the host that a trusted proxy was asked for.
	forwarded string
}

// prefix is the path of the site's root, with a slash at its end: that of the mount, or the one below which another
// server passes requests on.
func (m mount) prefix(served site.Served) string {
	if host, path, ok := strings.Cut(served.Site.Proxy, "/"); ok && host == m.forwarded {
		return "/" + path + "/"
	}
	switch {
	case m.host != "":
		return "/"
	case m.byHost:
		return "/" + url.PathEscape(served.Site.Basename) + "/"
	}
	return "/sites/" + url.PathEscape(m.hostname) + "/" + url.PathEscape(served.Site.Basename) + "/"
}

// ServesHost reports whether the Host header of a request is one that published sites are at. The caller then passes
// the request on whatever its path is. A host that may be a site's own is looked up.
func (s *Server) ServesHost(ctx context.Context, host string) bool {
	if _, ok := s.hostname(host); ok {
		return true
	}
	name, ok := s.ownHost(host)
	if !ok {
		return false
	}
	served, err := s.hosts.Do(ctx, name, s.deps.Sites.ServesHost)
	if err != nil && ctx.Err() == nil {
		s.log.ErrorContext(ctx, "look up the host of a request", slog.Any("error", err))
	}
	return served
}

// ownHost returns a host without its port when a site may have it for itself.
func (s *Server) ownHost(host string) (string, bool) {
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == strings.ToLower(s.base.Hostname()) || !site.IsHostname(host) {
		return "", false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return "", false
	}
	return host, true
}

// hostname returns the organization's hostname in a Host header below the sites domain.
func (s *Server) hostname(host string) (string, bool) {
	if s.deps.SitesDomain == "" {
		return "", false
	}
	if i := strings.LastIndexByte(host, ':'); i >= 0 {
		host = host[:i]
	}
	name, ok := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), "."+strings.Trim(s.deps.SitesDomain,
		"."))
	if !ok || name == "" || strings.Contains(name, ".") {
		return "", false
	}
	return name, true
}

// ServeHTTP answers a request below "/sites/", or any request of a host that ServesHost knows.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	httpx.SetRoute(r.Context(), "/sites/")
	response.Secure(w.Header())
	if r.Method != http.MethodGet && r.Method != http.MethodHead && !(r.Method == http.MethodPost &&
		takesPost(r.URL.Path)) {
		w.Header().Set("Allow", "GET, HEAD")
		s.serveFault(w, r, http.StatusMethodNotAllowed, "A published site is for reading: use GET or HEAD.")
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
	asked := request{mount: m, found: found, rest: rest, slash: slash}
	if m.host == "" && !strings.EqualFold(m.hostname, found.site.Hostname) {
		return s.serveFormerHost(w, r, asked)
	}
	w, shown, by, done, err := s.gate(w, r, asked)
	if done || err != nil {
		return err
	}
	if !slash || m.host == "" && m.basename != found.site.Site.Basename {
		return response.Redirect(w, r, found.root+rest)
	}
	asked.found = shown
	return s.serveSite(w, r, asked, by)
}

// mountOf splits a percent-encoded path into how it names a site and what is left; slash is false when not even a slash
// is.
func (s *Server) mountOf(r *http.Request, escaped string) (m mount, rest string, slash bool, err error) {
	m.forwarded = httpx.ForwardedHost(r.Context())
	if hostname, ok := s.hostname(r.Host); ok {
		m.hostname, m.byHost = hostname, true
	} else if host, ok := s.ownHost(r.Host); ok && s.ServesHost(r.Context(), r.Host) {
		m.host = host
		return m, escaped, true, nil
	} else {
		below, ok := strings.CutPrefix(escaped, "sites/")
		if !ok {
			return m, "", false, errs.NotFoundf("There is no site here.")
		}
		m.hostname, escaped, _ = strings.Cut(below, "/")
	}
	basename, rest, slash := strings.Cut(escaped, "/")
	if m.basename, err = url.PathUnescape(basename); err != nil {
		return m, "", false, errs.NotFoundf("There is no site here.")
	}
	return m, rest, slash, nil
}

// maxPath bounds the path of a request, in bytes as written. Paths of real pages are far below it.
const maxPath = 4 << 10

// resolved is a site as it is now. State identifies all that its pages depend on besides their own content: settings,
// mount, program, API specifications, and the revisions of all its spaces, since a page may link to any of them.
// Requests share it: it is never changed.
type resolved struct {
	site *site.Served
	// spaces are all of the site, also those that a visitor does not get.
	spaces []site.ServedSpace
	root   string // path of the site's root, with a slash at its end
	state  string
	specs  string // see spec.Service.State
}

// resolve is bounded by time rather than by one visitor's patience: several wait for it.
func (s *Server) resolve(ctx context.Context, m mount) (*resolved, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	find := func() (site.Served, error) { return s.deps.Sites.Resolve(ctx, m.hostname, m.basename) }
	if m.host != "" {
		find = func() (site.Served, error) { return s.deps.Sites.ResolveHost(ctx, m.host) }
	}
	served, err := find()
	if err != nil {
		return nil, err
	}
	root := m.prefix(served)
	var state strings.Builder
	fmt.Fprintf(&state, "%s %s %d %s %s %s", s.version, served.Site.ID, served.Site.UpdatedAt.UnixMicro(),
		served.Site.Visibility, served.Site.PublishedURL, root)
	state.WriteString(structureState(served))
	fmt.Fprintf(&state, " %d %v", served.CustomizationVersion, served.Scripts)
	specs := ""
	if s.deps.Specs != nil {
		if specs, err = s.deps.Specs.State(ctx, served.Site.Organization); err != nil {
			return nil, err
		}
	}
	state.WriteString(" " + specs)
	translations, err := s.translationState(ctx, served)
	if err != nil {
		return nil, err
	}
	state.WriteString(translations)
	// A hash is as good a key and much shorter: it is part of the key of each page.
	sum := sha256.Sum256([]byte(state.String()))
	return &resolved{site: &served, spaces: served.Spaces, root: root, state: string(sum[:]), specs: specs}, nil
}

// serveSite answers for a path below a site's root; rest is percent-encoded.
func (s *Server) serveSite(w http.ResponseWriter, r *http.Request, asked request, by viewer) error {
	if file, ok := strings.CutPrefix(asked.rest, "~/assets/"); ok {
		s.themes.Assets.Serve(w, r, file)
		return nil
	}
	sc, rest, err := s.scope(asked, by)
	if err != nil {
		return err
	}
	if sc.astray && rest == "" {
		sc.serveElsewhere(w)
		return nil
	}
	if preview, ok := audience.ReadPreview(rest); ok && s.deps.Previews != nil {
		return sc.servePreview(w, r, preview)
	}
	if key, ok := sc.pageKey(rest); ok && !sc.adaptive {
		if kept, ok := s.pages.Get(key.String()); ok {
			kept.Serve(w, r)
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
	case name == "pdf" && rest == "":
		return s.servePDF(w, r)
	case name == "feedback" && rest == "":
		return s.serveFeedback(w, r)
	}
	return s.missing(w, r, "")
}

// once returns a response from the cache, or makes it once for all who ask at the same time.
func (s *Server) once(asked pageKey, prepare func() (*response.Response, error)) (*response.Response, error) {
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
	return made.(*response.Response), nil
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
	}
	if !ok || kind == errs.Internal {
		s.serveFault(w, r, http.StatusInternalServerError, "Something went wrong here. Try again in a moment.")
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
	s.serveFault(w, r, status, refusal.Message)
}
