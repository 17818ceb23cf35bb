package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/folder"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mask"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api"
)

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
