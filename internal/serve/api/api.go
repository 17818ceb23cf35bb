// Package api owns the public JSON API: it puts the table of operations together, and has the rules that hold for every
// one of them. auth.go says who calls and how often; input.go makes a handler's input of a request, and unknown.go and
// ignored.go say what of a request no operation takes; output.go makes the answer; document.go and docs.go describe the
// operations for programs and for people.
//
// It promises that the OpenAPI document at /v1/openapi.json describes exactly what is served: both come from the one
// table in operations.go. Every failure, those of the router too, is the JSON of failure.ErrorBody.
//
// Each resource is a package below this one, such as api/spaces, with its operations, their handlers and the wire types
// that are its alone. Resources stand on packages that they share, and never on each other: operation (rows of the
// table, and what handlers answer with), wire (wire types of several resources), failure, download and upload.
package api

import (
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/paging"
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
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/coalesce"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/computed"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Deps is what the API stands on. Every field is required unless it says otherwise.
type Deps struct {
	Accounts      *account.Service
	OAuth         *oauth.Service
	Organizations *org.Service
	Invites       *invite.Service
	Access        *access.Service
	Notifications *notification.Service
	Spaces        *space.Service
	Content       *store.Service
	Changes       *change.Service
	Comments      *comment.Service
	Search        *search.Service
	Sites         *site.Service
	Feedback      *feedback.Service
	Identities    *identity.Service
	Audiences     *audience.Service
	Integrations  *integration.Service
	Dispatch      *dispatch.Service
	Visits        *visit.Service
	Computed      *computed.Service
	Imports       *importer.Service
	Specs         *spec.Service
	Translations  *translation.Service
	Edits         *edit.Service
	Lives         *live.Service
	Links         *link.Service
	Prints        *print.Service
	Audit         *audit.Reader
	// SessionCookie is how browsers keep sessions; requests of the server's own pages may use one in place of a token.
	SessionCookie httpx.SessionCookie
	// Cursors signs the page cursors of lists.
	Cursors *paging.Signer
	// Limits bounds how often one token, and one address without a valid token, may call.
	Limits Limits `optional:"no limits"`
	// BaseURL is the public address of the server without a trailing slash.
	BaseURL string
	// DownloadKey signs download addresses; at least 16 secret bytes that every process shares.
	DownloadKey []byte
	Previews    *preview.Service
	Blobs       blob.Store
	// DataVersion is the state of the database, see db.DB.DataVersion; nil when it is never known.
	DataVersion func() (version coalesce.Version, ok bool) `optional:"it is never known"`
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// Icon draws an icon that content names, as an SVG element; "" for a name that is not known.
	Icon func(name string) string
	// Asset sends a file that published sites draw with, by its name.
	Asset func(w http.ResponseWriter, r *http.Request, file string)
	// Version is the version of the program, shown in the OpenAPI document.
	Version string `optional:"a program without a version"`
	Log     *slog.Logger
}

// Limits are the rate limiters of the API; a nil one does not limit.
type Limits struct {
	// PerToken is keyed by token id.
	PerToken *httpx.Limiter
	// PerAddress is keyed by client address and counts calls without a valid token.
	PerAddress *httpx.Limiter
	// PerVisit is keyed by site and counts calls with tokens of visits; PerLookup is keyed by address or token and
	// counts look-ups of published addresses, which such programs do several times for a page.
	PerVisit, PerLookup *httpx.Limiter
}

// API serves the operations.
type API struct {
	Deps
	huma huma.API
	mux  *http.ServeMux
	// Reads of one caller that come at the same time, or while nothing has changed, share who they are.
	callers  coalesce.Group[string, account.Caller] // by the secret of a token
	sessions coalesce.Group[string, account.Caller] // by the secret of a session
	visits   coalesce.Group[string, *audience.Visit]
}

// New builds the API. It panics on a defect in the operation table (two operations with one pattern), which a test
// catches. Defects of its types show with the first request and in Describe, which tests call.
func New(deps Deps) *API {
	required.Must(deps)
	return build(deps)
}

// Describe returns the OpenAPI document of a server at an address, without a slash at its end, as JSON. It needs no
// services.
func Describe(baseURL, version string) ([]byte, error) {
	return newDocument(Deps{BaseURL: baseURL, Version: version}).openAPI.MarshalJSON()
}

func build(deps Deps) *API {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	a := &API{Deps: deps, mux: http.NewServeMux()}
	a.callers.Version, a.sessions.Version = deps.DataVersion, deps.DataVersion
	a.visits.Version = deps.DataVersion
	a.huma = humago.New(patternMux{a.mux}, settings(deps))
	for row, op := range newHandlers(deps).operations() {
		switch {
		case op.Audience == operation.Authenticated:
			op.Middlewares = huma.Middlewares{a.authenticate(op)}
		case op.Optional:
			op.Middlewares = huma.Middlewares{a.identifyOptionally(op)}
		default:
			op.Middlewares = huma.Middlewares{a.limitAddress}
		}
		a.register(row, &op)
	}
	a.mountDocs()
	a.mux.HandleFunc(unmatched, a.serveUnmatched)
	return a
}

// settings are what huma reads and writes JSON by, and the frame of the OpenAPI document.
func settings(deps Deps) huma.Config {
	config := huma.DefaultConfig("Recto API", deps.Version)
	config.Formats = map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}
	config.CreateHooks = nil // no $schema property and Link header in every body
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.AllowAdditionalPropertiesByDefault = true // for answers; unknown.go refuses what requests have too much
	config.Info.Description = description
	config.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	config.Servers = []*huma.Server{{URL: deps.BaseURL}}
	config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token": {Type: "http", Scheme: "bearer", Description: "A personal token: Authorization: Bearer rct_…"},
		"session": {Type: "apiKey", In: "cookie", Name: deps.SessionCookie.Name(),
			Description: "The session of somebody who is signed in, for pages of this server itself."},
	}
	return config
}

// ServeHTTP answers every request below /v1.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// The mux would send paths with dots elsewhere with a page in HTML, to where another operation may be; and nothing
	// has a name that no database takes.
	if path.Clean(r.URL.Path) != r.URL.Path || !field.Storable(r.URL.Path) {
		httpx.SetRoute(r.Context(), "/v1/")
		failure.Write(w, failure.New(http.StatusNotFound,
			"There is nothing at this address: it has dots or double slashes in it, or bytes that are no text."))
		return
	}
	if query, err := url.QueryUnescape(r.URL.RawQuery); err != nil || !field.Storable(query) {
		failure.Write(w, failure.New(http.StatusBadRequest, "The part of the address behind the question mark is not "+
			"text: it has to be UTF-8, percent-encoded, without NUL."))
		return
	}
	a.mux.ServeHTTP(w, r)
}

// unmatched is the pattern of what no operation answers.
const unmatched = "/"

// serveUnmatched turns the misses of the router into JSON errors.
func (a *API) serveUnmatched(w http.ResponseWriter, r *http.Request) {
	httpx.SetRoute(r.Context(), "/v1/")
	if allowed := a.allowedMethods(r); len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		failure.Write(w, failure.New(http.StatusMethodNotAllowed, "This address does not answer "+r.Method+
			"; it answers "+
			strings.Join(allowed, ", ")+"."))
		return
	}
	failure.Write(w, failure.New(http.StatusNotFound, "There is no operation at this address. "+a.BaseURL+
		"/v1/docs lists them all."))
}

// allowedMethods lists the methods that the request's path would answer.
func (a *API) allowedMethods(r *http.Request) []string {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete} {
		if method == r.Method {
			continue
		}
		probe := r.Clone(r.Context())
		probe.Method = method
		if _, pattern := a.mux.Handler(probe); pattern != "" && pattern != unmatched {
			allowed = append(allowed, method)
		}
	}
	return allowed
}

// description introduces the API, a paragraph a line.
const description = "" +
	"The API of a Recto server: organizations, spaces and their content, search, imports and published sites.\n\n" +
	"Every operation takes a token in the Authorization header. Lists answer with items, count and, unless it is the " +
	"last page, " +
	"next.page: send it back as the page parameter. Errors are {\"error\": {\"code\", \"message\", \"details\"}}."
