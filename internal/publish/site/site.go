// Package site owns published sites: the tables site, site_space, site_section, site_section_group, site_redirect,
// site_former_address and site_former_basename, the addresses of sites, and what a visitor gets.
// What a site's customization may hold, and its tables, are those of package customization below it.
//
// It promises that a basename belongs to one site of an organization, a proven hostname to one site of all, and a path
// to one among siblings; that of the spaces of a section, and of the sections of a site, exactly one is the default,
// which answers at the address of its parent; that addresses which a site has left lead to where it is now; that
// putting a space on a site needs the right to share that space; and that deleting a site never touches its spaces. How
// a site looks is data here, checked when it is set; a space on it may have values of its own. What pages make of that
// is package pub's business.
package site

import (
	"context"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// Type is the kind of a site. All kinds can do the same here.
type Type string

// Types of sites.
const (
	TypeBasic         Type = "basic"
	TypePremium       Type = "premium"
	TypeUltimate      Type = "ultimate"
	TypeSponsored     Type = "sponsored"
	TypeLegacyBasic   Type = "legacy-basic"
	TypeLegacyPremium Type = "legacy-premium"
)

// Visibility says for whom a published site is live.
type Visibility string

// Visibilities of a site.
const (
	VisibilityPublic      Visibility = "public"       // anyone, and search engines
	VisibilityUnlisted    Visibility = "unlisted"     // anyone, but no search engines
	VisibilityShareLink   Visibility = "share-link"   // anyone with a secret link
	VisibilityVisitorAuth Visibility = "visitor-auth" // anyone whom the organization vouches for
)

// AgentsContext says whether agents may use the site.
type AgentsContext string

// Values of AgentsContext.
const (
	AgentsIncluded AgentsContext = "included"
	AgentsExcluded AgentsContext = "excluded"
)

// Site is a published or unpublished site, seen by one caller.
type Site struct {
	// ID is "site_…".
	ID           id.Site
	Organization id.Organization
	Type         Type
	// Title has 2 to 128 characters.
	Title string
	// Basename is the first segment of the site's path, unique in the organization: a slug of 1 to 100 characters.
	Basename string
	// Hostname is a host of the site's own; "" for none. It serves nothing before it is proven to be its owner's, for
	// which HostnameToken has to stand in a record of its domain.
	Hostname       string
	HostnameToken  string
	HostnameProven bool
	// Proxy is the host and path of another server that passes requests for the site on, such as "example.com/docs"; ""
	// for none.
	Proxy string
	// DirectURL is where the site answers without the proxy, with a slash at the end.
	DirectURL  string
	Visibility Visibility
	Published  bool
	// SiteSpaces is the number of spaces on the site, without those in the trash.
	SiteSpaces      int
	AdaptiveContent bool
	AgentsContext   AgentsContext
	CreatedAt       time.Time
	UpdatedAt       time.Time
	// Icon is the picture in a browser's tab, as the customization has it. Sites as visitors get them have none here.
	Icon customization.Favicon
	// PublishedURL is where the site is live, with a slash at the end; "" while it is not published.
	PublishedURL string
	// Permissions are those of the caller whom the site was loaded for.
	Permissions access.SitePermissions
}

// SiteSpace is a space on a site, seen by one caller.
type SiteSpace struct {
	// ID is "sitespace_…".
	ID   id.SiteSpace
	Site id.Site
	// Section is the id of the section that it is in; "" at the root of the site.
	Section id.Section
	// Path is the segment below the address of its section, or of the site, at which the space answers unless it is the
	// default one: 1 to 100 characters, unique among its siblings.
	Path string
	// Title is that of the space.
	Title string
	// Condition is an expression over a visitor; "" shows the space to all.
	Condition string
	// Default says that the space answers at the address of its section, or of the site.
	Default bool
	Space   space.Space
	// PublishedURL is where the space is live, with a slash at the end; "" while the site is not published.
	PublishedURL string
}

// NewSite is the input of Create. Every field may be left at its zero value.
type NewSite struct {
	// Type is TypeBasic when empty.
	Type Type
	// Title is that of the first space, or of the organization, when empty.
	Title string
	// Visibility is VisibilityPublic when empty.
	Visibility Visibility
	// Spaces are ids of spaces to put on the site, in this order; the first is the default.
	Spaces []id.Space
	// CreateSpace asks for a new space with the site's title, behind the others.
	CreateSpace bool
}

// Change is the input of Update: what is absent stays as it is; nothing may be null.
type Change struct {
	Title           optional.Value[string]
	Visibility      optional.Value[Visibility]
	Basename        optional.Value[string]
	AdaptiveContent optional.Value[bool]
	AgentsContext   optional.Value[AgentsContext]
	// Hostname is a host of the site's own, and Proxy a host and path without a scheme; null is none of each.
	Hostname optional.Value[string]
	Proxy    optional.Value[string]
	// DefaultSiteSpace is the id of a space on the site (SiteSpace.ID).
	// With sections it has to be in the default one.
	DefaultSiteSpace optional.Value[id.SiteSpace]
	// DefaultSiteSection is the id of a section of the site.
	DefaultSiteSection optional.Value[id.Section]
}

// Filter narrows List; its zero value lists all sites.
type Filter struct {
	// Space is the id of a space that the sites have; "" for any.
	Space id.Space
	// Title is a part of the title in any letter case; "" for any.
	Title string
	// Published asks for published or unpublished sites; absent for both.
	Published optional.Value[bool]
	// Types are the types wanted; none for all.
	Types []Type
}

// Deps is what the service stands on.
type Deps struct {
	DB     *db.DB
	Spaces *space.Service
	// BaseURL is the address of the server, without a slash at the end.
	BaseURL string
	// SitesDomain is the domain below which organizations' sites are published; "" publishes below BaseURL.
	SitesDomain string `optional:"sites are below BaseURL only"`
	// LookupTXT and LookupCNAME ask the domain name system for the proof that a hostname is its owner's. A name without
	// such records is an empty answer.
	LookupTXT   func(ctx context.Context, name string) ([]string, error)
	LookupCNAME func(ctx context.Context, name string) (string, error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that it does not import.
type Hooks struct {
	// PagePath returns the path of a page of a space, "" for its landing page; PageByPath returns the id of the page at
	// a path, "" for none. They are for redirects that name pages.
	PagePath   func(ctx context.Context, spaceID id.Space, pageID string) (path string, found bool, err error)
	PageByPath func(ctx context.Context, spaceID id.Space, path string) (pageID string, err error)
	// Scripts returns the scripts that integrations put on a site. Published pages ask with every request, so it has to
	// answer from memory or with one indexed read. Nil means that there are none.
	// watched says that an integration is told of each view of a page.
	Scripts func(ctx context.Context, siteID id.Site) (scripts []Script, watched bool, err error) `optional:"integrations are not run"`
	// Made is called in the transaction that makes a site, and Gone in the one that removes it, before it is gone.
	Made func(ctx context.Context, q db.Querier, siteID id.Site) error `optional:"nothing hangs on it"`
	Gone func(ctx context.Context, q db.Querier, siteID id.Site) error `optional:"nothing hangs on it"`
	// Shown is called when a space comes to be shown by published sites, or is not any more, or to others than before,
	// in the transaction that changes it: with the visibility of the most open of these sites, "" for none.
	Shown func(ctx context.Context, q db.Querier, spaceID id.Space, before, after Visibility) error `optional:"nobody is told"`
	// Changed is called in the transaction that changes a site.
	Changed func(ctx context.Context, q db.Querier, siteID id.Site) error `optional:"nobody is told"`
}

// Service keeps sites.
type Service struct {
	db          *db.DB
	spaces      *space.Service
	baseURL     string
	sitesDomain string
	deps        Deps
	hooks       required.Hooks[Hooks]
	now         func() time.Time
	looks       *customization.Looks
}

// New returns a Service, which needs its Hooks before it is used.
func New(deps Deps) *Service {
	required.Must(deps)
	s := &Service{
		db: deps.DB, spaces: deps.Spaces, now: deps.Now, deps: deps,
		looks:   customization.NewLooks(deps.DB),
		baseURL: strings.TrimSuffix(deps.BaseURL, "/"), sitesDomain: strings.Trim(deps.SitesDomain, "."),
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

func (s *Service) clock() time.Time { return s.now().Truncate(time.Microsecond).UTC() }

// Script is a script that an integration puts on the pages of a site.
type Script struct {
	// URL is where it is loaded from.
	URL string
	// ContentSecurityPolicy says what it needs to be allowed, as the directives of that header.
	ContentSecurityPolicy string
	// Cookies says that it may set some: it is loaded only for readers who have agreed, unless it Asks them itself.
	Cookies, Asks bool
}

func noSite() error {
	return errs.NotFoundf("There is no such site in this organization, or you may not see it.")
}
