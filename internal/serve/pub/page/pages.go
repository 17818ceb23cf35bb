// Package page owns the pages of sites that people read: the pages of the content with their header, navigation and
// footer, the results of a search, the list of all pages, what is said where no page is, and the pages for visitors who
// are not let in. templates has their HTML.
//
// Every page works without a script, and has no script, style or address in it that content could make a browser run.
package page

import (
	"html/template"
	"log/slog"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
)

// Deps is what Pages stand on.
type Deps struct {
	Sites *site.Service
	// Feedback keeps what readers answer.
	Feedback *feedback.Service
	// Visits tells integrations of readers.
	Visits *visit.Service
	Search *search.Service
	// SearchLimit bounds how often an address may search; nil is no limit.
	SearchLimit *httpx.Limiter `optional:"no limit"`
	// Translations says which pages are behind what they are translated from.
	Translations *translation.Service
	Log          *slog.Logger
}

// Pages makes the pages that people read. It is safe for use by many goroutines.
type Pages struct {
	deps          Deps
	templates     *template.Template
	feedbackLimit *httpx.Limiter
	blockLimit    *httpx.Limiter
	drawing       *drawing
}

// feedbackRate is how often an address may say what it thinks of pages.
var feedbackRate = httpx.LimiterConfig{PerSecond: 1.0 / 30, Burst: 12}

// New returns Pages. It panics without what they need.
func New(deps Deps) (*Pages, error) {
	required.Must(deps)
	templates, err := loadTemplates()
	return &Pages{deps: deps, templates: templates, feedbackLimit: httpx.NewLimiter(feedbackRate),
		blockLimit: httpx.NewLimiter(blockRate), drawing: &drawing{turn: make(chan struct{}, 1)}}, err
}
