// Package integration owns the registry of integrations and where they are installed: the tables integration,
// integration_label, integration_version, integration_image, integration_installation and integration_external_id.
//
// An integration is published by an organization under a name, with a script, pictures, and a description of what can
// be configured. It promises that a name belongs to one organization for good, also after the integration was
// unpublished; that each publishing raises the version by one; that scripts and pictures are kept by hash, pictures
// only after they were decoded; that secrets and configurations are sealed in the database and secrets are never given
// back; and that a private integration is there for the members of its organization alone.
//
// An installation belongs to an organization and to nobody else: not even the organization that has published the
// integration sees it. Below an organization's installation are those of single spaces and sites. What is configured is
// held against what the integration describes.
//
// An integration that calls the API does so with a token of its own, which opens what it is installed on as far as the
// scopes of its manifest go. Package dispatch runs the scripts.
package integration

import (
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/seal"
	"github.com/rectodocs/recto/internal/publish/site"
)

// Visibility says who finds an integration.
type Visibility string

// Visibilities.
const (
	// Public integrations are listed for everybody.
	Public Visibility = "public"
	// Unlisted ones are found by who knows their name, and listed for the members of their organization.
	Unlisted Visibility = "unlisted"
	// Private ones are there for the members of their organization alone.
	Private Visibility = "private"
)

// Target says where an integration can be installed.
type Target string

// Targets.
const (
	TargetAll          Target = "all"
	TargetOrganization Target = "organization"
	TargetSite         Target = "site"
	TargetSpace        Target = "space"
)

// Runtime is the environment that a script was written for.
type Runtime string

// Runtimes.
const (
	RuntimeV1 Runtime = "v1"
	RuntimeV2 Runtime = "v2"
)

// Scope is something that an integration asks to be allowed.
type Scope string

// Scopes that decide something in this package.
const (
	// ScopeScript puts a script on the pages of sites.
	ScopeScript Scope = "site:script:inject"
	// ScopeCookies lets that script use cookies.
	ScopeCookies Scope = "site:script:cookies"
	// ScopeViews tells it of the views of pages, ScopeFeedback of what readers answer, ScopeVisitors lets it let
	// visitors in. ScopeContent tells it of changes of content, ScopeMetadata of those of who may see it.
	ScopeViews    Scope = "site:views:read"
	ScopeFeedback Scope = "page:feedback:read"
	ScopeVisitors Scope = "site:visitor:auth"
	// ScopeGit tells it of imports from Git repositories.
	ScopeGit Scope = "space:git:sync"
	// ScopeClaims tells its web frames what the site knows of a visitor.
	ScopeClaims   Scope = "site:visitor:claims"
	ScopeContent  Scope = "space:content:read"
	ScopeMetadata Scope = "space:metadata:read"
)

// Scopes are all scopes. The description of the API names "space:views:read", the public client does not; both are
// served.
var Scopes = []Scope{
	"space:content:read", "space:content:write", "space:metadata:read", "space:metadata:write", "space:git:sync",
	"page:feedback:read",
	"site:metadata:read", "site:views:read", ScopeScript, ScopeCookies, "site:visitor:auth", "site:adaptive:read",
	"site:adaptive:write",
	"openapi:read", "openapi:write", "conversations:ingest", "space:views:read", "site:visitor:claims",
}

// Category is where an integration stands in a list of them.
type Category string

// Categories are all categories.
var Categories = []Category{"analytics", "collaboration", "content", "gitsync", "marketing", "visitor-auth", "other"}

// Integration is a published integration.
type Integration struct {
	// ID is "integration_…"; people know an integration by its Name.
	ID   id.Integration
	Name string
	// Version counts how often it was published.
	Version        int64
	Runtime        Runtime
	Title          string
	Description    string
	Summary        string
	Visibility     Visibility
	Target         Target
	Scopes         []Scope
	Categories     []Category
	Blocks         []Block
	ContentSources []ContentSource
	Configurations Configurations
	ExternalLinks  []ExternalLink
	Policy         string
	Icon           *Image
	Previews       []Image
	CreatedAt      time.Time
	UpdatedAt      time.Time
	Owner          org.Organization // what everybody may know: ID, Title, Hostname, Type, Plan, CreatedAt
	Verified       bool             // its owner is the organization that runs the server
	Permissions    Permissions
	sealedSecrets  string
	// asksConsent says that its script asks readers of sites about cookies.
	asksConsent bool
	// Development is set in development mode, for admins of the owner.
	Development *Tunnel

	tunnel              Tunnel
	published, ownerHas bool // ownerHas: the caller is a member of the owner, and no guest
}

// Tunnel is where events go in development mode in place of the script.
type Tunnel struct {
	URL string
	// All says that those of every organization do, not of the owning one alone.
	All bool
}

// Permissions say what a caller may do with an integration.
type Permissions struct {
	// Admin publishes new versions and unpublishes it.
	Admin bool
	// Install installs it in an organization of theirs.
	Install bool
}

// Block is a block of pages that an integration adds. JSON is how it is kept.
type Block struct {
	ID          string         `json:"id"`
	Title       string         `json:"title"`
	Description string         `json:"description,omitempty"`
	Icon        string         `json:"icon,omitempty"`
	URLUnfurl   []string       `json:"urlUnfurl,omitempty"`
	Markdown    *BlockMarkdown `json:"markdown,omitempty"`
}

// BlockMarkdown says how a block is written in Markdown: as a fenced code block with a language, whose text is one of
// the block's properties.
type BlockMarkdown struct {
	Codeblock string `json:"codeblock"`
	Body      string `json:"body"`
}

// ContentSource is a source of pages that an integration adds.
type ContentSource struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	Icon        string `json:"icon,omitempty"`
	ComponentID string `json:"componentId"`
}

// ExternalLink leads to a page about an integration.
type ExternalLink struct {
	URL   string `json:"url"`
	Label string `json:"label"`
}

// Deps is what a Service needs.
type Deps struct {
	DB            *db.DB
	Organizations *org.Service
	Content       *store.Service
	Sites         *site.Service
	// Secrets seals what must not be readable in the database.
	Secrets *seal.Box
	// Key signs tokens of integrations and makes their signing secrets; 32 secret bytes that every process shares.
	Key []byte
	// BaseURL is the public address of the server without a slash at its end.
	BaseURL string
	// ContentBaseURL is the same of the host at which integrations answer with the content of blocks.
	ContentBaseURL string `optional:"BaseURL"`
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Service keeps integrations and installations. It is safe for use by many goroutines.
type Service struct {
	deps  Deps
	hooks required.Hooks[Hooks]
	// statuses are those of installations on sites, by all that they depend on.
	statuses  cache.Cache[Status]
	compiling chan struct{} // holds one token while a script is being compiled
	decoding  chan struct{} // holds one token while a picture is being decoded
}

// New returns a Service.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.ContentBaseURL == "" {
		deps.ContentBaseURL = deps.BaseURL
	}
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps, statuses: cache.Sized[Status](4096), compiling: make(chan struct{}, 1),
		decoding: make(chan struct{}, 1)}
}

func (s *Service) clock() time.Time { return s.deps.Now().Truncate(time.Microsecond).UTC() }
