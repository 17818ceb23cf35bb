package api

import (
	"maps"
	"slices"
	"sync"

	"github.com/rectodocs/recto/internal/serve/api/audits"
	"github.com/rectodocs/recto/internal/serve/api/changes"
	"github.com/rectodocs/recto/internal/serve/api/comments"
	"github.com/rectodocs/recto/internal/serve/api/contents"
	"github.com/rectodocs/recto/internal/serve/api/download"
	"github.com/rectodocs/recto/internal/serve/api/edits"
	"github.com/rectodocs/recto/internal/serve/api/identities"
	"github.com/rectodocs/recto/internal/serve/api/imports"
	"github.com/rectodocs/recto/internal/serve/api/integrations"
	"github.com/rectodocs/recto/internal/serve/api/links"
	"github.com/rectodocs/recto/internal/serve/api/lives"
	"github.com/rectodocs/recto/internal/serve/api/notifications"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/orgs"
	"github.com/rectodocs/recto/internal/serve/api/previews"
	"github.com/rectodocs/recto/internal/serve/api/prints"
	"github.com/rectodocs/recto/internal/serve/api/searches"
	"github.com/rectodocs/recto/internal/serve/api/sites"
	"github.com/rectodocs/recto/internal/serve/api/spaces"
	"github.com/rectodocs/recto/internal/serve/api/specs"
	"github.com/rectodocs/recto/internal/serve/api/translations"
	"github.com/rectodocs/recto/internal/serve/api/urls"
	"github.com/rectodocs/recto/internal/serve/api/users"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// handlers are those of all operations, by resource.
type handlers struct {
	users         *users.Handlers
	orgs          *orgs.Handlers
	audits        *audits.Handlers
	notifications *notifications.Handlers
	spaces        *spaces.Handlers
	contents      *contents.Handlers
	edits         *edits.Handlers
	imports       *imports.Handlers
	searches      *searches.Handlers
	sites         *sites.Handlers
	urls          *urls.Handlers
	changes       *changes.Handlers
	previews      *previews.Handlers
	specs         *specs.Handlers
	identities    *identities.Handlers
	translations  *translations.Handlers
	comments      *comments.Handlers
	links         *links.Handlers
	lives         *lives.Handlers
	integrations  *integrations.Handlers
	prints        *prints.Handlers
}

// newHandlers gives each resource what it stands on.
func newHandlers(deps Deps) handlers {
	lists := wire.Lists{Cursors: deps.Cursors}
	writer := wire.Writer{BaseURL: deps.BaseURL,
		Downloads: download.Signer{BaseURL: deps.BaseURL, Key: deps.DownloadKey, Now: deps.Now}}
	userReader := wire.UserReader{Accounts: deps.Accounts}
	ruleReader := wire.RuleReader{Changes: deps.Changes}
	spaceWriter := wire.SpaceWriter{Content: deps.Content, Sites: deps.Sites, Changes: deps.Changes,
		Comments: deps.Comments, Wire: writer}
	teamWriter := wire.TeamWriter{Organizations: deps.Organizations, Access: deps.Access, Wire: writer}
	changeRequestWriter := wire.ChangeRequestWriter{Sites: deps.Sites, Comments: deps.Comments,
		Previews: deps.Previews, UserReader: userReader, Wire: writer}
	computedPages := wire.NewComputedPages(deps.Specs, deps.DataVersion)
	read := contents.New(&contents.Handlers{
		Access: deps.Access, Content: deps.Content, Changes: deps.Changes, Links: deps.Links,
		Sites: deps.Sites, Blobs: deps.Blobs, Lists: lists, Wire: writer,
		ChangeRequestWriter: changeRequestWriter, UserReader: userReader, ComputedPages: computedPages,
		Icon: deps.Icon,
	}, deps.DataVersion)
	return handlers{
		users: &users.Handlers{
			Accounts: deps.Accounts, Organizations: deps.Organizations, OAuth: deps.OAuth, Lists: lists,
			Wire: writer,
		},
		orgs: &orgs.Handlers{
			Organizations: deps.Organizations, Invites: deps.Invites, Access: deps.Access,
			Spaces: deps.Spaces, Changes: deps.Changes, Specs: deps.Specs, Audiences: deps.Audiences,
			Lists: lists, Wire: writer, SpaceWriter: spaceWriter,
			TeamWriter: teamWriter, RuleReader: ruleReader, Now: deps.Now,
		},
		notifications: &notifications.Handlers{
			Accounts: deps.Accounts, Notifications: deps.Notifications, Lists: lists, Wire: writer,
		},
		audits: &audits.Handlers{
			Accounts: deps.Accounts, Access: deps.Access, Audit: deps.Audit, Lists: lists, Wire: writer, Log: deps.Log,
		},
		spaces: &spaces.Handlers{
			Accounts: deps.Accounts, Access: deps.Access, Spaces: deps.Spaces, Changes: deps.Changes,
			Audiences: deps.Audiences, Lists: lists, Wire: writer, SpaceWriter: spaceWriter,
			TeamWriter: teamWriter,
		},
		contents: read,
		edits: &edits.Handlers{
			Content: deps.Content, Links: deps.Links, Edits: deps.Edits, Wire: writer,
			ChangeRequestWriter: changeRequestWriter, ComputedPages: computedPages, Log: deps.Log,
		},
		imports: &imports.Handlers{
			Access: deps.Access, Content: deps.Content, Imports: deps.Imports, Lists: lists, Wire: writer,
			Log: deps.Log,
		},
		searches: &searches.Handlers{
			Access: deps.Access, Spaces: deps.Spaces, Search: deps.Search, Sites: deps.Sites,
			Content: deps.Content, Lists: lists, Wire: writer, ComputedPages: computedPages,
		},
		sites: &sites.Handlers{
			Sites: deps.Sites, Feedback: deps.Feedback, Visits: deps.Visits, Content: deps.Content,
			Audiences: deps.Audiences, Previews: deps.Previews,
			Lists: lists, Wire: writer, SpaceWriter: spaceWriter,
		},
		urls: &urls.Handlers{
			Spaces: deps.Spaces, Content: deps.Content, Changes: deps.Changes, Sites: deps.Sites,
			Audiences: deps.Audiences, Specs: deps.Specs, Wire: writer, SpaceWriter: spaceWriter,
			ChangeRequestWriter: changeRequestWriter, ComputedPages: computedPages,
			Previews: deps.Previews,
		},
		changes: &changes.Handlers{
			Access: deps.Access, Changes: deps.Changes, Comments: deps.Comments, Sites: deps.Sites,
			Lists: lists, Wire: writer, ChangeRequestWriter: changeRequestWriter, UserReader: userReader,
		},
		previews: &previews.Handlers{
			Changes: deps.Changes, Content: deps.Content, Sites: deps.Sites, Audiences: deps.Audiences,
			Previews: deps.Previews,
		},
		specs: &specs.Handlers{
			Specs: deps.Specs, Shown: read.SpecsShown, Lists: lists, Wire: writer,
		},
		identities: &identities.Handlers{
			Accounts: deps.Accounts, Identities: deps.Identities, Lists: lists, Wire: writer,
			TeamWriter: teamWriter,
		},
		translations: &translations.Handlers{
			Translations: deps.Translations, Lists: lists, Wire: writer,
		},
		comments: &comments.Handlers{
			Access: deps.Access, Spaces: deps.Spaces, Comments: deps.Comments, Lists: lists, Wire: writer,
		},
		links: &links.Handlers{
			Organizations: deps.Organizations, Access: deps.Access, Spaces: deps.Spaces,
			Content: deps.Content, Changes: deps.Changes, Specs: deps.Specs, Links: deps.Links,
			Lists: lists, Wire: writer, SpaceWriter: spaceWriter, ChangeRequestWriter: changeRequestWriter,
			UserReader: userReader, ComputedPages: computedPages,
		},
		lives: &lives.Handlers{
			Lives: deps.Lives, UserReader: userReader, Wire: writer, Log: deps.Log,
		},
		integrations: &integrations.Handlers{
			Organizations: deps.Organizations, Spaces: deps.Spaces, Sites: deps.Sites,
			Integrations: deps.Integrations, Dispatch: deps.Dispatch, Computed: deps.Computed, Lists: lists,
			Wire:        writer,
			SpaceWriter: spaceWriter, RuleReader: ruleReader,
		},
		prints: &prints.Handlers{
			Prints: deps.Prints, Wire: writer,
		},
	}
}

// operations is the whole surface of the API, in the order of the page for people.
func (h handlers) operations() []operation.Operation {
	return slices.Concat(h.users.Operations(), h.orgs.Operations(), h.audits.Operations(), h.notifications.Operations(),
		h.spaces.Operations(), h.contents.Operations(), h.edits.Operations(), h.lives.Operations(),
		h.imports.Operations(),
		h.searches.Operations(), h.sites.Operations(), h.urls.Operations(), h.changes.Operations(),
		h.previews.Operations(),
		h.specs.Operations(), h.identities.Operations(), h.translations.Operations(), h.comments.Operations(),
		h.links.Operations(), h.integrations.Operations(), h.prints.Operations())
}

// Scopes returns the scopes that a token may have: those of the table of operations.
func Scopes() []string { return slices.Clone(scopes()) }

// scopes makes the table once for all who ask: every start of a server does, several times.
var scopes = sync.OnceValue(func() []string {
	scopes := map[string]bool{}
	for _, op := range (handlers{}).operations() {
		if op.Audience == operation.Authenticated && op.Scope != "" {
			scopes[op.Scope] = true
		}
	}
	return slices.Sorted(maps.Keys(scopes))
})
