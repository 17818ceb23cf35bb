// Package print owns PDFs of content: the table print_pdf.
//
// A PDF is made once for a revision, what of it is printed, and the titles on its cover. Who may read a space may have
// PDFs of it and of its change requests; access is checked when one is ordered. A job makes the file (package pdf) and
// stores it as a blob. A PDF that nobody has ordered for a while is deleted, and its bytes when content next collects
// garbage.
//
// It shows the revision as readers without claims see it, or of a published site as its visitor does: conditions are
// resolved, hidden pages are left out unless they are asked for by name, and what pages show of other spaces of the
// site is there, too. Claims are kept only until it is made.
package print

import (
	"context"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// Life is how long a PDF can be had after it was last ordered, at least.
const Life = time.Hour

// State is where a PDF is in its life.
type State string

// States. One that has failed is tried again when it is next ordered.
const (
	Pending State = "pending"
	Running State = "running"
	Done    State = "done"
	Failed  State = "failed"
)

// Scope says what of a revision is printed. The zero value is all of it.
type Scope struct {
	// Page is a page: it, and what is below it, is printed.
	Page string
	// Only leaves out what is below Page.
	Only bool
}

// PDF is a PDF that was ordered.
type PDF struct {
	// ID is "pdf_…".
	ID       string
	Space    id.Space
	Revision id.Revision
	Scope    Scope
	// Title and Subtitle are those of the cover.
	Title, Subtitle string
	State           State
	// Done and Total count pages of the space; Total is 0 while it is not known.
	Done, Total int
	// Message says why it failed; Mendable says that the person who ordered it can do something about that.
	Message  string
	Mendable bool
	// Size is in bytes, Sheets the number of pages of the file; both are 0 until it is done.
	Size   int64
	Sheets int
	// ExpiresAt is when it is deleted at the earliest.
	ExpiresAt time.Time

	updatedAt time.Time
	// madeFrom is the state of the specifications that it may hold.
	madeFrom string
	// audience tells apart those who see the revision differently, "" for readers without claims; claims are the reader
	// for whom it is made, as JSON, "" for one of whom nothing is known.
	audience, claims string
	blob             string
}

// Deps is what a Service needs.
type Deps struct {
	DB      *db.DB
	Content *store.Service
	Spaces  *space.Service
	Changes *change.Service
	Jobs    *job.Runner
	// Fetch reads images that pages show from elsewhere.
	Fetch *fetch.Client
	// BaseURL is the public address of the server, for links to what is not in the PDF.
	BaseURL string
	Log     *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// TempDir is where a PDF is written before it is stored; "" means the system's.
	TempDir string `optional:"os.TempDir"`
	// Limits bound one PDF. Zero fields mean their defaults.
	Limits pdf.Limits `optional:"those of pdf.Limits"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Computed makes what pages hold of API specifications.
	Computed ComputedSource
	// Blocks puts what blocks of integrations say into the document of a page of a space, in place of them. Nil leaves
	// them as they are.
	Blocks func(ctx context.Context, space id.Space, document *doc.Document) error `optional:"integrations are not run"`
}

// ComputedSource knows what pages hold that is made from API specifications.
type ComputedSource struct {
	// State identifies the specifications that a space can show: what is made of them is the same while it is.
	State func(ctx context.Context, space id.Space) (string, error)
	// Expand puts the pages that computed pages stand for into a tree, and returns their bodies by id. Both are shared
	// and must not be changed.
	Expand func(ctx context.Context, space id.Space, tree *store.Tree) (*store.Tree, map[string]*doc.Document, error)
	// Describe returns what describes the API blocks of one page of a space, for render.Options. file finds the files
	// that blocks name, and returns the hash of their bytes, "" for none.
	Describe func(ctx context.Context, space id.Space,
		file func(context.Context, doc.Ref) (string, error)) (page.Describe, error)
}

// Service orders, makes and keeps PDFs. It is safe for use by many goroutines, and any number of processes may have one
// on the same database.
type Service struct {
	deps   Deps
	hooks  required.Hooks[Hooks]
	access *access.Service
	// making lets one PDF be made at a time in a process: each may need a good deal of memory for images.
	making chan struct{}
}

// New returns a Service, which needs its Hooks before it is used, and registers its kinds of jobs with deps.Jobs, which
// therefore has not started yet.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Service{deps: deps, access: access.New(deps.DB), making: make(chan struct{}, 1)}
	deps.Jobs.Register(jobKind, s.runJob, job.Options{Timeout: jobTimeout, MaxAttempts: jobAttempts, Ended: s.ended})
	deps.Jobs.Register(sweepKind, s.runSweep, job.Options{})
	deps.Jobs.Every(sweepKind, sweepInterval)
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }
