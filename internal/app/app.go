// Package app owns how the program is put together: it opens the database and the store of files, makes the services
// in the order of their imports, sets what each asks of later ones (hooks.go), makes the handlers, and runs and ends
// all of it.
//
// It promises that no program runs in which a service lacks something: New panics then, and says what is missing. It
// holds no rules of its own. Commands of the program call its functions; nothing else imports it.
package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/dns"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/folder"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mail"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/computed"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/renderer"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/web"
)

// App is the program with everything open. Close it.
type App struct {
	foundation
	peopleServices
	contentServices
	publishServices

	lock    *folder.Lock
	health  *httpx.Health
	api     *api.API
	pages   *web.Server
	handler http.Handler
}

// foundation is what services stand on that knows nothing of documentation.
type foundation struct {
	config  config.Serve `optional:"config checks it"`
	log     *slog.Logger
	db      *db.DB
	blobs   *blob.Verified
	secrets *seal.Box
	jobs    *job.Runner
	mail    *mail.Outbox
	fetcher *fetch.Client
	names   *dns.Resolver
}

// peopleServices are those of the layer people.
type peopleServices struct {
	accounts      *account.Service
	oauth         *oauth.Service
	organizations *org.Service
	invites       *invite.Service
	identities    *identity.Service
	permissions   *access.Service
	notifications *notification.Service
}

// contentServices are those of the layer content.
type contentServices struct {
	spaces       *space.Service
	content      *store.Service
	links        *link.Service
	changes      *change.Service
	prints       *print.Service
	comments     *comment.Service
	search       *search.Service
	specs        *spec.Service
	translations *translation.Service
	imports      *importer.Service
	edits        *edit.Service
	lives        *live.Service
}

// publishServices are those of the layer publish.
type publishServices struct {
	renderer     *renderer.Service
	sites        *site.Service
	feedback     *feedback.Service
	audiences    *audience.Service
	previews     *preview.Service
	integrations *integration.Service
	dispatch     *dispatch.Service
	blocks       *blocks.Service
	computed     *computed.Service
	visits       *visit.Service
}

// every registers periodic work.
func (a *App) every(kind string, interval time.Duration, work func(context.Context) error) {
	a.jobs.Register(kind, func(ctx context.Context, _ json.RawMessage) error {
		return work(ctx)
	}, job.Options{Timeout: time.Hour})
	a.jobs.Every(kind, interval)
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
// it writes when share links were last used, sweeps the search indexes, and keeps live sessions.
func (a *App) besides(ctx context.Context) (stop func()) {
	running, cancel := context.WithCancel(ctx)
	// Requests that are finished after ctx has ended note uses, too.
	noting, noted := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		a.audiences.Run(noting, func(err error) {
			a.log.ErrorContext(ctx, "write the last uses of share links", slog.Any("error", err))
		})
	})
	done.Go(func() { a.keepSweeping(running) })
	done.Go(func() { a.lives.Run(running) })
	return func() {
		cancel()
		noted()
		done.Wait()
	}
}

// jobsLimit is how long running jobs may take to end; what is cut then is taken up again by whoever works next.
const jobsLimit = 7 * time.Second

// Close closes what New opened.
func (a *App) Close() error {
	var failures []error
	if a.visits != nil {
		a.visits.Close()
	}
	if a.computed != nil {
		a.computed.Close()
	}
	if a.dispatch != nil {
		a.dispatch.Close()
	}
	if a.search != nil {
		failures = append(failures, a.search.Close())
	}
	return errors.Join(append(failures, a.db.Close(), a.lock.Release())...)
}

// OpenAPI returns the OpenAPI document of a server at an address as JSON. It needs no database.
func OpenAPI(baseURL, version string) ([]byte, error) {
	return api.Describe(strings.TrimRight(baseURL, "/"), version)
}
