package app

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/folder"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/endpoints"
	"github.com/rectodocs/recto/internal/serve/programs"
	"github.com/rectodocs/recto/internal/serve/pub"
	"github.com/rectodocs/recto/internal/serve/web"
)

// mount puts the handlers of the API, the sites and the operator's addresses behind one edge.
func (a *App) mount(ctx context.Context, version string) error {
	cursors, err := db.Secret(ctx, a.db, "paging")
	if err != nil {
		return err
	}
	downloads, err := db.Secret(ctx, a.db, "downloads")
	if err != nil {
		return err
	}
	published, err := pub.New(pub.Deps{
		Sites: a.sites, Feedback: a.feedback, Visits: a.visits, Audiences: a.audiences, Content: a.content,
		Search: a.search,
		Blobs:  a.blobs, Specs: a.specs, Prints: a.prints, Translations: a.translations, Links: a.links,
		Blocks:  a.blocks,
		BaseURL: a.config.Base(), SitesDomain: a.config.SitesDomain, DataVersion: a.db.DataVersion, Log: a.log,
		Previews: a.previews, SearchLimit: a.searchLimit(),
	})
	if err != nil {
		return fmt.Errorf("prepare the published sites: %w", err)
	}
	a.api = api.New(api.Deps{
		Accounts: a.accounts, OAuth: a.oauth, Organizations: a.organizations, Invites: a.invites,
		Identities: a.identities, Access: a.permissions, Notifications: a.notifications, Spaces: a.spaces,
		Content: a.content, Changes: a.changes, Comments: a.comments,
		Search: a.search, Sites: a.sites, Feedback: a.feedback, Audiences: a.audiences,
		Integrations: a.integrations, Dispatch: a.dispatch, Computed: a.computed, Visits: a.visits, Imports: a.imports,
		Specs: a.specs, Translations: a.translations, Edits: a.edits, Links: a.links, Prints: a.prints, Blobs: a.blobs,
		Lives:         a.lives,
		DataVersion:   a.db.DataVersion,
		Audit:         audit.NewReader(a.db),
		SessionCookie: a.sessionCookie(),
		Cursors:       paging.NewSigner(cursors), DownloadKey: downloads, Previews: a.previews,
		Limits:  a.limits(),
		BaseURL: a.config.Base(), Icon: published.Icon, Asset: published.ServeAsset, Version: version, Log: a.log,
	})
	a.pages, err = a.webPages(ctx, published)
	if err != nil {
		return fmt.Errorf("prepare the pages: %w", err)
	}
	kept := cmp.Or(a.config.CheckTime, checkTime)
	a.health = httpx.NewHealth(a.log,
		httpx.Check{Name: "database", Run: a.db.Check},
		httpx.Check{Name: "writing", Run: a.db.CheckWrite, Keep: kept},
		httpx.Check{Name: "room", Run: folder.Room{Folders: a.folders()}.Check, Keep: kept},
		httpx.Check{Name: "files", Run: a.blobs.Check, Keep: kept})
	metrics := httpx.NewMetrics()
	compressed, err := httpx.Compress(a.api)
	if err != nil {
		return err
	}

	operator := http.NewServeMux()
	operator.HandleFunc("GET /healthz", a.health.Live)
	operator.HandleFunc("GET /readyz", a.health.Ready)
	operator.Handle("GET /metrics", httpx.RequireBearer(a.config.MetricsToken, metrics.Handler()))
	answers := httpx.GuardData(compressed)
	for _, path := range web.Paths {
		operator.Handle(path, a.pages)
	}
	forPrograms := a.programs()
	for _, path := range programs.Paths {
		operator.Handle(path, forPrograms)
	}
	called := endpoints.Deps{
		Send: a.dispatch.Send, ScriptState: a.integrations.ScriptState, Homes: a.siteHomes,
		BaseURL: a.config.Base(), Limit: a.endpointLimit(), Log: a.log,
	}
	operator.Handle(endpoints.Prefix, endpoints.New(called))
	// The host for the content of blocks has nothing else: no sign-in, no API and no site, and so no cookie.
	contentHost, content := "", http.NewServeMux()
	if a.config.IntegrationsURL != "" {
		_, contentHost, _ = strings.Cut(a.config.Integrations(), "://")
		called.BaseURL, called.Cookieless = a.config.Integrations(), true
		content.Handle(endpoints.Prefix, endpoints.New(called))
	}
	operator.Handle("/", a.pages) // which says that there is nothing
	a.handler = httpx.Edge{
		Log: a.log, TrustedProxies: a.config.TrustedProxies, Metrics: metrics, OnPanic: a.api.Panicked,
		OnCrowd: a.api.Crowded,
	}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case contentHost != "" && strings.EqualFold(r.Host, contentHost):
			content.ServeHTTP(w, r)
		// Neither sites nor the API go through the mux, which redirects paths with dots or double slashes: every answer
		// is their own.
		case strings.HasPrefix(r.URL.Path, "/sites/") || published.ServesHost(r.Context(), r.Host):
			published.ServeHTTP(w, r)
		case r.URL.Path == "/v1" || strings.HasPrefix(r.URL.Path, "/v1/"):
			answers.ServeHTTP(w, r)
		default:
			operator.ServeHTTP(w, r)
		}
	}))
	return nil
}

func (a *App) limits() api.Limits {
	if a.config.RateLimit == 0 {
		return api.Limits{}
	}
	perSecond := float64(a.config.RateLimit) / 60
	return api.Limits{
		PerToken: httpx.NewLimiter(httpx.LimiterConfig{PerSecond: perSecond, Burst: max(1, a.config.RateLimit/6)}),
		PerAddress: httpx.NewLimiter(httpx.LimiterConfig{PerSecond: perSecond / 10,
			Burst: max(1, a.config.RateLimit/60)}),
		// Programs that show sites ask several times for each page that a reader opens.
		PerVisit: httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 20 * perSecond,
			Burst: max(1, 4*a.config.RateLimit)}),
		PerLookup: httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 4 * perSecond, Burst: max(1, a.config.RateLimit)}),
	}
}

// searchLimit is how often an address may search published sites: more than anybody types.
func (a *App) searchLimit() *httpx.Limiter {
	if a.config.RateLimit == 0 {
		return nil
	}
	return httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 5, Burst: 40})
}

// endpointLimit is how often an address may call integrations: more than a page with many of them does.
func (a *App) endpointLimit() *httpx.Limiter {
	if a.config.RateLimit == 0 {
		return nil
	}
	return httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 20, Burst: 200})
}

// programs answers programs that people let in. Registering is for a person who signs in, a few times a day.
func (a *App) programs() *programs.Server {
	deps := programs.Deps{OAuth: a.oauth, Issuer: strings.TrimRight(a.config.Base(), "/"), Scopes: api.Scopes(),
		Log: a.log}
	if a.config.RateLimit > 0 {
		deps.Registrations = httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 1.0 / 60, Burst: 20})
		deps.Requests = httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 1, Burst: 60})
	}
	return programs.New(deps)
}

// folders are those on local disk that the server writes to, besides that of files, which the store checks.
func (a *App) folders() []string {
	folders := []string{a.config.Data}
	if path, isFile := strings.CutPrefix(a.config.Database(), "sqlite:"); isFile {
		if dir := filepath.Dir(path); dir != filepath.Clean(a.config.Data) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// checkTime is how long the answers of readiness checks that write are kept by default.
const checkTime = 5 * time.Second
