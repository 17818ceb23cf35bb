// Package app owns how the program is put together: it opens the database and the store of files, makes the services
// and handlers, wires what one domain needs of a later one as function values, and runs and ends all of it.
//
// It holds no rules of its own. Commands of the program call its functions; nothing else imports it.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/folder"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/platform/mask"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/pub"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
	"github.com/rectodocs/recto/internal/serve/web"
)

// App is the program with everything open. Close it.
type App struct {
	config  config.Serve `optional:"config checks it"`
	log     *slog.Logger
	db      *db.DB
	lock    *folder.Lock
	health  *httpx.Health
	jobs    *job.Runner
	secrets *seal.Box
	mail    *mail.Outbox
	handler http.Handler

	accounts      *account.Service
	organizations *org.Service
	identities    *identity.Service
	spaces        *space.Service
	content       *store.Service
	changes       *change.Service
	comments      *comment.Service
	search        *search.Service
	sites         *site.Service
	audiences     *audience.Service
	integrations  *integration.Service
	imports       *importer.Service
	specs         *spec.Service
	edits         *edit.Service
	links         *link.Service
	made          store.MadePages
	prints        *print.Service
	translations  *translation.Service
	api           *api.API

	// missing is what the services were not given, see complete.
	missing error `optional:"nothing is missing"`
}

// complete returns what a service stands on, and notes which of it is not set: the program does not start without.
func complete[T any](a *App, deps T) T {
	a.missing = errors.Join(a.missing, required.Check(deps))
	return deps
}

// New takes the data folder for this process, opens the database, brings it up to date, and puts the services and
// handlers together. Nothing runs yet.
func New(ctx context.Context, settings config.Serve, version string, log *slog.Logger) (*App, error) {
	log = mask.Logger(log)
	if err := os.MkdirAll(settings.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	lock, err := folder.Acquire(settings.Data)
	if err != nil {
		return nil, err
	}
	database, err := openDatabase(ctx, settings.Storage, orphansRefused)
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	a := &App{config: settings, log: log, db: database, lock: lock}
	err = a.assemble(ctx, version)
	if err == nil {
		// Services that come later are called through fields of App: a nil one would only show with the first call.
		err = errors.Join(a.missing, required.Check(*a))
	}
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *App) assemble(ctx context.Context, version string) error {
	unverified, err := blob.OpenStore(a.config.Blobs())
	if err != nil {
		return fmt.Errorf("open the store of files: %w", err)
	}
	blobs := blob.NewVerified(unverified)
	if a.secrets, err = openSecrets(ctx, a.db, a.config); err != nil {
		return err
	}
	a.jobs = job.New(a.db, a.log)
	if a.mail, err = a.openMail(); err != nil {
		return err
	}
	key, err := db.Secret(ctx, a.db, "signin")
	if err != nil {
		return err
	}
	a.accounts = account.New(complete(a, account.Deps{
		DB: a.db, Log: a.log, Organizations: org.OrganizationsOf, Scopes: api.Scopes(), Key: key,
		BaseURL:     a.config.Base(),
		Enforcement: org.Enforced,
		Proven:      identity.EndUnconfirmed,
	}))
	fetcher := fetch.New(fetch.Options{Allow: a.config.FetchAllow, Log: a.log})
	if a.organizations, err = a.openOrganizations(ctx, blobs, fetcher); err != nil {
		return err
	}
	a.content = store.New(complete(a, store.Deps{
		DB: a.db, Blobs: blobs, BlobInUse: blobInUse,
		OnHead: []func(context.Context, db.Querier, store.HeadMoved) error{
			func(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
				return a.changes.OnHead(ctx, q, moved)
			},
			func(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
				return a.translations.OnHead(ctx, q, moved)
			},
		},
	}))
	a.changes = change.NewService(complete(a, change.Deps{
		DB: a.db, Content: a.content,
		Facts: func(ctx context.Context, r change.Request) (map[string]any, error) {
			added, err := a.links.BrokenAdded(ctx, r.Organization, r.Space, r.Branch)
			return map[string]any{"links": map[string]any{"broken": added.Count}}, err
		},
		PostReview: func(ctx context.Context, q db.Querier, caller account.Caller, r change.Request,
			reviewID, markdown string) error {
			_, err := a.comments.PostReview(ctx, q, caller, comment.Scope{Space: r.Space, ChangeRequest: r.ID},
				reviewID, markdown)
			return err
		},
	}))
	a.spaces = space.New(complete(a, space.Deps{
		DB: a.db, InitContent: a.content.Init,
		DropContent: func(ctx context.Context, q db.Querier, spaceID string) error {
			return a.content.DropSpace(ctx, q, spaceID, time.Now().UnixMicro())
		},
		CopyContent: a.content.Duplicate, OnSite: site.OnSite, Transferred: transferred,
	}))
	a.made = a.madePages()
	a.comments = comment.New(complete(a, comment.Deps{DB: a.db, Accounts: a.accounts, Content: a.content,
		Changes: a.changes,
		Made:    a.made}))
	a.search, err = search.New(complete(a, search.Deps{Content: a.content, Dir: a.config.Search(), Log: a.log,
		Computed: a.computedSource()}))
	if err != nil {
		return fmt.Errorf("open the search indexes: %w", err)
	}
	a.assembleSites()
	members, err := db.Secret(ctx, a.db, "visitors")
	if err != nil {
		return err
	}
	a.audiences = audience.New(complete(a, audience.Deps{
		DB: a.db, Sites: a.sites, Secrets: a.secrets, MemberSecret: members, Teams: a.organizations.ListTeamsOf,
		Readable: a.readable,
	}))
	a.integrations = integration.New(complete(a, integration.Deps{
		DB: a.db, Organizations: a.organizations, Content: a.content, Sites: a.sites,
		Secrets: a.secrets, BaseURL: a.config.Base(),
	}))
	a.assembleIdentity(fetcher)
	a.imports = importer.New(complete(a, importer.Deps{DB: a.db, Content: a.content, Changes: a.changes, Jobs: a.jobs,
		Fetch: fetcher, Log: a.log}))
	a.specs = spec.New(complete(a, spec.Deps{DB: a.db, Content: a.content, Jobs: a.jobs, Fetch: fetcher.ReadAll,
		Log: a.log}))
	a.edits = edit.New(complete(a, edit.Deps{DB: a.db, Content: a.content, Changes: a.changes, Fetch: fetcher}))
	a.assembleLinks()
	a.prints = print.New(complete(a, print.Deps{
		DB: a.db, Content: a.content, Spaces: a.spaces, Changes: a.changes, Jobs: a.jobs,
		Computed: a.printedSource(), Fetch: fetcher, BaseURL: a.config.Base(), Log: a.log,
	}))
	a.assembleTranslations(fetcher)
	a.schedule()
	a.scheduleScrub(blobs)
	return a.mount(ctx, blobs, version)
}

// blobInUse reports whether anything beside content needs the bytes with a hash.
func blobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	for _, used := range []func(context.Context, db.Querier, string) (bool, error){importer.BlobInUse, spec.BlobInUse,
		print.BlobInUse, org.BlobInUse, integration.BlobInUse} {
		if is, err := used(ctx, q, hash); err != nil || is {
			return is, err
		}
	}
	return false, nil
}

// transferred lets what belongs to a space follow it to another organization.
func transferred(ctx context.Context, q db.Querier, spaceID, organizationID string) error {
	return errors.Join(
		importer.Transferred(ctx, q, spaceID, organizationID), change.Transferred(ctx, q, spaceID, organizationID),
		integration.Transferred(ctx, q, spaceID, organizationID))
}

// schedule registers the periodic work.
func (a *App) schedule() {
	a.schedulePurge()
	a.schedulePeople()
	a.registerReset()
	a.every("account.sweep", 6*time.Hour, a.accounts.Sweep)
	a.proveHostnames()
}

func (a *App) every(kind string, interval time.Duration, work func(context.Context) error) {
	a.jobs.Register(kind, func(ctx context.Context, _ json.RawMessage) error {
		return work(ctx)
	}, job.Options{Timeout: time.Hour})
	a.jobs.Every(kind, interval)
}

// mount puts the handlers of the API, the sites and the operator's addresses behind one edge.
func (a *App) mount(ctx context.Context, blobs blob.Store, version string) error {
	cursors, err := db.Secret(ctx, a.db, "paging")
	if err != nil {
		return err
	}
	downloads, err := db.Secret(ctx, a.db, "downloads")
	if err != nil {
		return err
	}
	previews, err := db.Secret(ctx, a.db, "previews")
	if err != nil {
		return err
	}
	font, err := fs.ReadFile(theme.FontFiles(), "inter-latin-wght-normal.woff2")
	if err != nil {
		return fmt.Errorf("read the font of the API's page: %w", err)
	}
	tickets, permissions := previewTickets{httpx.Tickets{Key: previews}}, access.New(a.db)
	a.api = api.New(complete(a, api.Deps{
		Accounts: a.accounts, Organizations: a.organizations, Identities: a.identities, Access: permissions,
		Spaces:  a.spaces,
		Content: a.content, Changes: a.changes, Comments: a.comments,
		Search: a.search, Sites: a.sites, Audiences: a.audiences, Integrations: a.integrations, Imports: a.imports,
		Specs: a.specs, Translations: a.translations, Edits: a.edits, Links: a.links, Prints: a.prints, Blobs: blobs,
		DataVersion:   a.db.DataVersion,
		Audit:         audit.NewReader(a.db),
		SessionCookie: a.sessionCookie(),
		Cursors:       paging.NewSigner(cursors), DownloadKey: downloads, PreviewTicket: tickets.issue,
		Limits:  a.limits(),
		BaseURL: a.config.Base(), Font: font, Version: version, Log: a.log,
	}))
	published, err := pub.New(complete(a, pub.Deps{
		Sites: a.sites, Audiences: a.audiences, Content: a.content, Search: a.search, Blobs: blobs, Specs: a.specs,
		Prints: a.prints, Translations: a.translations, Links: a.links,
		BaseURL: a.config.Base(), SitesDomain: a.config.SitesDomain, DataVersion: a.db.DataVersion, Log: a.log,
		Previews: a.previews(tickets, permissions), SearchLimit: a.searchLimit(),
	}))
	if err != nil {
		return fmt.Errorf("prepare the published sites: %w", err)
	}
	pages, err := a.webPages(tickets)
	if err != nil {
		return fmt.Errorf("prepare the pages: %w", err)
	}
	a.health = httpx.NewHealth(a.log,
		httpx.Check{Name: "database", Run: a.db.Check},
		httpx.Check{Name: "writing", Run: a.db.CheckWrite, Keep: checkKept},
		httpx.Check{Name: "room", Run: folder.Room{Folders: a.folders()}.Check, Keep: checkKept},
		httpx.Check{Name: "files", Run: blobs.Check, Keep: checkKept})
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
		operator.Handle(path, pages)
	}
	operator.Handle("/integrations/", httpx.GuardData(http.HandlerFunc(a.api.ServeIntegrationEndpoint)))
	operator.Handle("/", pages) // which says that there is nothing
	a.handler = httpx.Edge{
		Log: a.log, TrustedProxies: a.config.TrustedProxies, Metrics: metrics, OnPanic: a.api.Panicked,
		OnCrowd: a.api.Crowded,
	}.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
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
	}
}

// searchLimit is how often an address may search published sites: more than anybody types.
func (a *App) searchLimit() *httpx.Limiter {
	if a.config.RateLimit == 0 {
		return nil
	}
	return httpx.NewLimiter(httpx.LimiterConfig{PerSecond: 5, Burst: 40})
}

// checkKept is how long the answers of readiness checks that write are kept.
const checkKept = 5 * time.Second

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

// Handler answers every request of the server.
func (a *App) Handler() http.Handler { return a.handler }

// Run works on jobs and answers requests on the listener until ctx ends, then lets what runs finish within ten
// seconds. listener is nil for a process that only works on jobs.
func (a *App) Run(ctx context.Context, listener net.Listener) error {
	if a.config.Role.Worker() {
		err := a.jobs.Start(ctx)
		if ctx.Err() != nil {
			return nil // told to end before it began
		}
		if err != nil {
			return fmt.Errorf("start the jobs: %w", err)
		}
	}
	// Jobs end beside the requests, so that both together stay within the limit.
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobsLimit)
		defer cancel()
		stopped <- a.jobs.Stop(stopping)
	}()
	defer a.besides(ctx)()
	var err error
	if listener != nil {
		err = httpx.Serve(ctx, listener, httpx.ServerConfig{Handler: a.handler, Log: a.log, OnDrain: a.health.Drain})
		if ctx.Err() == nil {
			return err // the listener failed; the caller ends the process
		}
	}
	return errors.Join(err, <-stopped)
}

// besides does what goes on beside requests and jobs, in every process, until the function that it returns is called:
// it writes when share links were last used, and sweeps the search indexes.
func (a *App) besides(ctx context.Context) (stop func()) {
	running, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		a.audiences.Run(running, func(err error) {
			a.log.ErrorContext(ctx, "write the last uses of share links", slog.Any("error", err))
		})
	})
	done.Go(func() { a.keepSweeping(running) })
	return func() {
		cancel()
		done.Wait()
	}
}

// jobsLimit is how long running jobs may take to end; what is cut then is taken up again by whoever works next.
const jobsLimit = 7 * time.Second

// Close closes what New opened.
func (a *App) Close() error {
	var failures []error
	if a.search != nil {
		failures = append(failures, a.search.Close())
	}
	return errors.Join(append(failures, a.db.Close(), a.lock.Release())...)
}

// OpenAPI returns the OpenAPI document of a server at an address as JSON. It needs no database.
func OpenAPI(baseURL, version string) ([]byte, error) {
	return api.New(api.Deps{BaseURL: strings.TrimRight(baseURL, "/"), Version: version}).OpenAPI()
}
