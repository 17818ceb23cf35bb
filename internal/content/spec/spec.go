// Package spec owns the OpenAPI specifications of organizations: the tables openapi_spec and openapi_spec_version.
//
// A specification has a slug that is unique in its organization, and comes from an address or a text. Processing it is
// a job: pending, then progress, then complete, with a code and a list of errors when it could not be read. A new
// version is stored only when the content differs from that of the latest one; a failure leaves the versions alone. A
// specification at an address is fetched again every six hours and whenever it is put again.
//
// Each request to process counts up the specification's generation, and only the job of the newest one may write what
// it has found: jobs that overlap, run twice or come late change nothing. Documents are parsed one at a time in a
// process, so that hostile ones cannot take its memory together.
//
// Expand makes the pages that computed pages of a space stand for (see package oas for what they hold).
package spec

import (
	"context"
	"encoding/json"
	"log/slog"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// State is where the processing of a specification is.
type State string

// States.
const (
	Pending  State = "pending"
	Progress State = "progress"
	Complete State = "complete"
)

// ErrorCode says why a specification could not be processed.
type ErrorCode string

// Codes; the empty one means that all went well.
const (
	FetchTimeout ErrorCode = "FETCH_TIMEOUT"
	FetchError   ErrorCode = "FETCH_ERROR"
	ParseError   ErrorCode = "PARSE_ERROR"
)

// Problem is one entry of the list of errors. Code is "error", or "warning" for what does not keep a specification from
// being used.
type Problem struct {
	Message string `json:"message"`
	Code    string `json:"code,omitempty"`
}

// Spec is an OpenAPI specification.
type Spec struct {
	// ID is "spec_…".
	ID           string
	Organization id.Organization
	// Slug has 1 to 100 characters and the form of slugPattern.
	Slug string
	// SourceURL is where it comes from, "" for a text.
	SourceURL string
	State     State
	// LastVersion is the id of the latest version, "" when there is none yet.
	LastVersion string
	// ProcessedAt is when it was last processed, zero before. Error and Problems are what that found.
	ProcessedAt          time.Time
	Error                ErrorCode
	Problems             []Problem
	CreatedAt, UpdatedAt time.Time
	// Permissions are those of the caller.
	Permissions Permissions

	sourceBlob string
	generation int64
}

// Permissions say what a caller may do with a specification.
type Permissions struct{ View, Edit bool }

// Version is what a specification was at one time. It does not change.
type Version struct {
	// ID is "specversion_…".
	ID, Spec string
	// Slug is that of the specification.
	Slug string
	// Number counts the versions of a specification from 1.
	Number int64
	Format oas.Format
	// RawBlob is the hash of the document as it was written, RawSize its size in bytes, BundleBlob the hash of the
	// bundle.
	RawBlob, BundleBlob string
	RawSize             int64
	CreatedAt           time.Time

	address string
}

// Source says where a specification comes from: exactly one of its fields is set.
type Source struct {
	URL, Text *string
}

const (
	maxSlug = 100
	// maxText bounds a text, in bytes.
	maxText = oas.MaxBytes
)

var slugPattern = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

func checkSlug(slug string) error {
	if len(slug) < 1 || len(slug) > maxSlug || !slugPattern.MatchString(slug) {
		return errs.Invalidf("slug", "is 1 to %d characters: words of a-z and 0-9 with single hyphens between them",
			maxSlug)
	}
	return nil
}

// check holds a source to the rules and returns its address, "" for a text.
func (s Source) check() (string, error) {
	switch {
	case (s.URL == nil) == (s.Text == nil):
		return "", errs.Invalidf("source", "needs either url or text")
	case s.URL != nil:
		address, err := field.URL("source.url", *s.URL)
		if err != nil {
			return "", err
		}
		return address, fetch.CheckURL(address)
	case *s.Text == "":
		return "", errs.Invalidf("source.text", "is empty; send the description as JSON or YAML")
	case len(*s.Text) > maxText:
		return "", errs.New(errs.TooLarge, "The text is larger than %d MB; that is the most a description may be.",
			maxText>>20)
	case !utf8.ValidString(*s.Text):
		return "", errs.Invalidf("source.text", "has to be valid UTF-8")
	}
	return "", nil
}

// Fetcher fetches an address; fetch.Client.ReadAll is one.
type Fetcher func(ctx context.Context, address string, limits fetch.Limits) (*fetch.Response, []byte, error)

// Deps is what a Service needs.
type Deps struct {
	DB      *db.DB
	Content *store.Service
	// Jobs has not started yet.
	Jobs  *job.Runner
	Fetch Fetcher
	Log   *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// FetchTime is how long fetching the description may take; 0 means 30 seconds.
	FetchTime time.Duration
}

// Service keeps specifications. It is safe for use by many goroutines.
type Service struct {
	deps      Deps
	hooks     required.Hooks[Hooks]
	access    *access.Service
	documents cache.Cache[*oas.Document] // by version
	// excerpts are by version and by what is shown of it.
	excerpts cache.Cache[[]byte]
	sites    cache.Cache[*site] // by version and layout
	parsing  chan struct{}      // holds one token while a document is being parsed
}

// Bounds of what is kept in memory: parsed documents in bytes, and what they look like as pages in pages.
const (
	documentCache = 96 << 20
	excerptCache  = 16 << 20
	siteCache     = 20_000
)

// How specifications are processed.
const (
	processKind    = "spec.process"
	processTimeout = 5 * time.Minute
	refreshKind    = "spec.refresh"
	refreshEvery   = 5 * time.Minute
	// RefreshAfter is how long after it was processed a specification at an address is fetched again.
	RefreshAfter = 6 * time.Hour
	// abandonedAfter is how long after a request its processing is started over when nothing came of it.
	abandonedAfter = time.Hour
)

// New returns a Service and registers its kinds of jobs.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.FetchTime <= 0 {
		deps.FetchTime = fetchTime
	}
	s := &Service{deps: deps, access: access.New(deps.DB), parsing: make(chan struct{}, 1)}
	s.documents = cache.Weighted(documentCache, func(_ string, d *oas.Document) uint32 {
		return uint32(min(d.Weight(), documentCache))
	})
	s.excerpts = cache.Weighted(excerptCache, func(key string, text []byte) uint32 {
		return uint32(min(len(key)+len(text), excerptCache))
	})
	s.sites = cache.Weighted(siteCache, func(_ string, s *site) uint32 {
		return uint32(min(s.pages, siteCache))
	})
	deps.Jobs.Register(processKind, s.process, job.Options{Timeout: processTimeout, Ended: s.ended})
	deps.Jobs.Register(refreshKind, func(ctx context.Context, _ json.RawMessage) error {
		return s.Refresh(ctx)
	}, job.Options{})
	deps.Jobs.Every(refreshKind, refreshEvery)
	return s
}
