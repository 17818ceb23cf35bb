package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/rectodocs/recto/internal/base/required"
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
	"github.com/rectodocs/recto/internal/engine/steps"
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
	"github.com/rectodocs/recto/internal/platform/embedding"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/folder"
	"github.com/rectodocs/recto/internal/platform/job"
	"github.com/rectodocs/recto/internal/platform/mask"
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
	a := &App{foundation: foundation{config: settings, log: log, db: database}, lock: lock}
	if err := a.assemble(ctx, version); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// assemble makes services in the order of their imports: each stands on those that are there. What they ask of later
// ones is set when all of them are there, and handlers come last.
func (a *App) assemble(ctx context.Context, version string) error {
	err := a.foundation.open(ctx)
	if err != nil {
		return err
	}
	if a.peopleServices, err = newPeople(ctx, a.foundation); err != nil {
		return err
	}
	if a.contentServices, err = newContent(a.foundation, a.peopleServices); err != nil {
		return err
	}
	if a.publishServices, err = newPublish(ctx, a.foundation, a.peopleServices, a.contentServices); err != nil {
		return err
	}
	a.setHooks()
	for _, services := range []any{a.peopleServices, a.contentServices, a.publishServices} {
		if err := required.CheckHooks(services); err != nil {
			return err
		}
	}
	a.schedule()
	return a.mount(ctx, version)
}

// open opens what is not there yet.
func (f *foundation) open(ctx context.Context) error {
	blobs, err := blob.OpenStore(f.config.Blobs())
	if err != nil {
		return fmt.Errorf("open the store of files: %w", err)
	}
	f.blobs = blob.NewVerified(blobs)
	if f.secrets, err = openSecrets(ctx, f.db, f.config); err != nil {
		return err
	}
	f.jobs = job.New(f.db, f.log)
	f.fetcher = fetch.New(fetch.Options{Allow: f.config.FetchAllow, Log: f.log})
	f.names = dns.NewResolver(f.config.DNSServer)
	f.mail, err = newOutbox(f.config, f.jobs, f.secrets, f.log)
	return err
}

// newPeople makes the services of the layer people.
func newPeople(ctx context.Context, on foundation) (made peopleServices, err error) {
	key, err := db.Secret(ctx, on.db, "signin")
	if err != nil {
		return made, err
	}
	challenges, err := db.Secret(ctx, on.db, "email-domains")
	if err != nil {
		return made, err
	}
	made.accounts = account.New(account.Deps{
		DB: on.db, Log: on.log, Key: key, Scopes: api.Scopes(), BaseURL: on.config.Base(),
		PasswordCost: passwordCost(on.config),
	})
	made.oauth = oauth.New(oauth.Deps{DB: on.db, Accounts: made.accounts, Key: key})
	made.organizations = org.New(org.Deps{
		DB: on.db, Accounts: made.accounts, Fetch: on.fetcher.ReadAll, Blobs: on.blobs, LookupTXT: on.names.TXT,
		ChallengeKey: challenges, Creators: org.Creators(on.config.CreateOrganizations),
	})
	invites := invite.Deps{
		DB: on.db, Accounts: made.accounts, Organizations: made.organizations, Secrets: on.secrets,
		BaseURL: on.config.Base(),
	}
	if on.config.SMTPURL != "" {
		invites.Mail = on.mail.Post
	}
	made.invites = invite.New(invites)
	made.identities = identity.New(identity.Deps{
		DB: on.db, Accounts: made.accounts, Organizations: made.organizations, Secrets: on.secrets, Fetch: on.fetcher,
		BaseURL: on.config.Base(), Log: on.log,
	})
	made.permissions = access.New(on.db)
	told := notification.Deps{DB: on.db, Accounts: made.accounts, BaseURL: on.config.Base()}
	if on.config.SMTPURL != "" {
		told.Mail = on.mail.Enqueue
	}
	made.notifications = notification.New(told)
	return made, nil
}

// newContent makes the services of the layer content.
func newContent(on foundation, people peopleServices) (made contentServices, err error) {
	made.spaces = space.New(space.Deps{DB: on.db})
	made.content = store.New(store.Deps{DB: on.db, Blobs: on.blobs})
	links := link.Deps{DB: on.db, Content: made.content, BaseURL: on.config.Base()}
	if on.config.CheckExternalLinks {
		links.Fetch = fetch.New(fetch.Options{Allow: on.config.FetchAllow, UserAgent: "Recto (checks links)",
			Log: on.log})
	}
	made.links = link.New(links)
	made.changes = change.NewService(change.Deps{DB: on.db, Content: made.content})
	made.prints = print.New(print.Deps{
		DB: on.db, Content: made.content, Spaces: made.spaces, Changes: made.changes, Jobs: on.jobs, Fetch: on.fetcher,
		BaseURL: on.config.Base(), Log: on.log,
	})
	made.comments = comment.New(comment.Deps{DB: on.db, Accounts: people.accounts, Content: made.content,
		Changes: made.changes})
	searches := search.Deps{Content: made.content, Dir: on.config.Search(), Log: on.log}
	if on.config.EmbeddingsURL != "" {
		searches.Embedder, err = embedding.New(embedding.Options{URL: on.config.EmbeddingsURL,
			Model: on.config.EmbeddingsModel, Key: on.config.EmbeddingsKey})
		if err != nil {
			return made, err
		}
		searches.EmbedAll = on.config.EmbeddingsContent == config.EmbedAll
	}
	made.search, err = search.New(searches)
	if err != nil {
		return made, fmt.Errorf("open the search indexes: %w", err)
	}
	made.specs = spec.New(spec.Deps{DB: on.db, Content: made.content, Jobs: on.jobs, Fetch: on.fetcher.ReadAll,
		Log: on.log})
	translations := translation.Deps{
		DB: on.db, Accounts: people.accounts, Spaces: made.spaces, Content: made.content, Changes: made.changes,
		Jobs: on.jobs, Log: on.log,
	}
	if on.config.TranslateURL != "" {
		translations.Provider = translation.NewCompletions(on.config.TranslateURL, on.config.TranslateModel,
			on.config.TranslateKey)
	}
	made.translations = translation.New(translations)
	made.imports = importer.New(importer.Deps{DB: on.db, Content: made.content, Changes: made.changes, Jobs: on.jobs,
		Fetch: on.fetcher, Log: on.log})
	made.edits = edit.New(edit.Deps{DB: on.db, Accounts: people.accounts, Content: made.content,
		Changes: made.changes, Fetch: on.fetcher})
	made.lives = live.New(live.Deps{
		DB: on.db, Content: made.content, Changes: made.changes, Edits: made.edits, Again: people.accounts.Again,
		NewEngine: func(ctx context.Context) (live.Engine, error) { return steps.New(ctx) }, Log: on.log,
	})
	return made, nil
}

// newPublish makes the services of the layer publish.
func newPublish(ctx context.Context, on foundation, people peopleServices,
	content contentServices) (made publishServices, err error) {
	members, err := db.Secret(ctx, on.db, "visitors")
	if err != nil {
		return made, err
	}
	made.renderer = renderer.New(renderer.Deps{DB: on.db, Jobs: on.jobs, Log: on.log, URL: on.config.RendererURL,
		Secret: on.config.RendererSecret, SettleTime: on.config.SettleTime})
	made.sites = site.New(site.Deps{
		DB: on.db, Spaces: content.spaces, BaseURL: on.config.Base(), SitesDomain: on.config.SitesDomain,
		LookupTXT: on.names.TXT, LookupCNAME: on.names.CNAME,
	})
	made.feedback = feedback.New(feedback.Deps{DB: on.db, Sites: made.sites})
	made.audiences = audience.New(audience.Deps{
		DB: on.db, Accounts: people.accounts, Sites: made.sites, Secrets: on.secrets, MemberSecret: members,
		Teams: people.organizations.ListTeamsOf,
	})
	tickets, err := db.Secret(ctx, on.db, "previews")
	if err != nil {
		return made, err
	}
	made.previews = preview.New(preview.Deps{Accounts: people.accounts, Access: people.permissions,
		Changes: content.changes, Content: content.content, Key: tickets})
	agents, err := db.Secret(ctx, on.db, "integrations")
	if err != nil {
		return made, err
	}
	made.integrations = integration.New(integration.Deps{
		DB: on.db, Organizations: people.organizations, Content: content.content, Sites: made.sites,
		Secrets: on.secrets, Key: agents, BaseURL: on.config.Base(), ContentBaseURL: on.config.Integrations(),
	})
	made.dispatch = dispatch.New(dispatch.Deps{
		DB: on.db, Integrations: made.integrations, Open: content.content.OpenFile, Jobs: on.jobs, Fetch: on.fetcher,
		BaseURL: on.config.Base(), Secrets: on.secrets, Log: on.log, SettleTime: on.config.SettleTime,
	})
	made.blocks = blocks.New(blocks.Deps{Integrations: made.integrations})
	made.computed = computed.New(computed.Deps{
		DB: on.db, Content: content.content, Specs: content.specs, Integrations: made.integrations,
		Dispatch: made.dispatch, Renderer: made.renderer, Jobs: on.jobs, Log: on.log,
	})
	made.visits = visit.New(visit.Deps{DB: on.db, Integrations: made.integrations, Key: agents, Log: on.log,
		SettleTime: on.config.SettleTime})
	return made, nil
}

// schedule registers the periodic work.
func (a *App) schedule() {
	a.schedulePurge()
	a.schedulePeople()
	a.registerReset()
	a.scheduleLinks()
	a.proveHostnames()
	a.scheduleScrub(a.blobs)
}

// passwordCost is what a hash of a password takes, zero for what is usual.
func passwordCost(settings config.Serve) account.PasswordCost {
	if settings.CheapPasswords {
		return account.PasswordCost{Memory: 8, Passes: 1}
	}
	return account.PasswordCost{}
}
