// Package importer owns bringing content in from elsewhere and writing it out again: the table import.
//
// An import reads a source (a folder of Markdown, an archive, one page, a website, a document or the export of another
// tool) into a source.Tree, turns its links into the stable form of the dialect ("/pages/ID"), and commits everything
// as one revision or not at all: to the main content of a space or to a change request. A page whose path is there
// already is updated and keeps its id; nothing is deleted. So an import that is repeated changes only what has changed,
// and an import that fails, is cancelled or is cut off changes nothing.
//
// Export writes a revision as a tree of Markdown files. Importing an export gives the same content: the same tree,
// fields, bodies and files.
//
// Bodies keep every byte except the destinations of links; what a source says that the dialect does not know stays
// visible and is listed in the report.
package importer

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/gitsync"
	"github.com/rectodocs/recto/internal/content/importer/googledocs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/importer/website"
	"github.com/rectodocs/recto/internal/content/importer/wiki"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
	"github.com/rectodocs/recto/internal/platform/job"
)

// Source says what a request's URL or upload is.
type Source string

// Sources.
const (
	SourceAuto     Source = ""        // an upload: what its bytes and name say
	SourceWebsite  Source = "website" // a site, from the URL on
	SourceMarkdown Source = "markdown"
	SourceHTML     Source = "html"
	SourceZIP      Source = "zip"
	SourceDocx     Source = "docx"
	// SourceConfluence is an HTML or XML export of a space, SourceNotion an export of pages, both as archives.
	SourceConfluence Source = "confluence"
	SourceNotion     Source = "notion"
	// SourceWiki is the wiki of a repository on GitHub, or any Git repository of Markdown.
	SourceWiki Source = "github-wiki"
	// SourceGoogleDocs is a document that everybody with the link may read.
	SourceGoogleDocs Source = "google-docs"
)

// fromFile reports whether a source is read from one file, which may be uploaded.
func (s Source) fromFile() bool {
	switch s {
	case SourceAuto, SourceMarkdown, SourceHTML, SourceZIP, SourceDocx, SourceConfluence, SourceNotion:
		return true
	}
	return false
}

// fromAddress reports whether a source is read from an address.
func (s Source) fromAddress() bool {
	return s == SourceWebsite || s == SourceWiki || s == SourceGoogleDocs || s.fromFile() && s != SourceAuto
}

// Limits of what is taken in.
const (
	// MaxArchive is the largest archive, in bytes.
	MaxArchive = 2 << 30
	// MaxPageFile is the largest single Markdown or HTML file, in bytes.
	MaxPageFile = 100 << 20
	// MaxName is the longest name of an upload, in bytes.
	MaxName = 255
)

// Report says what an import took and what it did not.
type Report = source.Report

// Deps is what a Service needs.
type Deps struct {
	DB      *db.DB
	Content *store.Service
	Changes *change.Service
	Jobs    *job.Runner
	Fetch   *fetch.Client
	// Log takes failures that nobody waits for.
	Log *slog.Logger
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	// TempDir is where uploads and downloads wait; "" means the system's.
	TempDir string `optional:"os.TempDir"`
	// Crawl sets the pace of website imports; its Limit, TempDir and Progress are not used.
	Crawl website.Options `optional:"those of website.Options"`
	// GoogleDocs is where documents are exported from; "" means https://docs.google.com. Tests put a server of theirs
	// here.
	GoogleDocs string `optional:"that of Google"`
}

// Hooks is what a Service asks of later packages.
type Hooks struct {
	// Sync is told when an import of a commit of a Git repository into the main content of a space begins and ends. The
	// end with new content belongs to its transaction.
	Sync gitsync.Tell `optional:"nobody is told"`
}

// SetHooks gives the service what it asks of later packages.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// Service imports and exports.
type Service struct {
	deps   Deps
	hooks  required.Hooks[Hooks]
	access *access.Service
	memory *memory
}

// New returns a Service and registers its kinds of jobs with deps.Jobs, which therefore has not started yet.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	s := &Service{deps: deps, access: access.New(deps.DB), memory: newMemory(sharesInAll)}
	deps.Jobs.Register(jobKind, s.runJob, job.Options{Timeout: jobTimeout, MaxAttempts: jobAttempts,
		AtOnce: jobsAtOnce, Ended: s.ended})
	deps.Jobs.Register(sweepKind, func(ctx context.Context, _ json.RawMessage) error {
		return s.sweep(ctx)
	}, job.Options{})
	deps.Jobs.Every(sweepKind, sweepInterval)
	return s
}

// Request says what to import and where to.
type Request struct {
	// Space takes the content: its main content, or the change request that ChangeRequest names by id or number.
	Space         id.Space
	ChangeRequest id.ChangeRequest
	Source        Source
	// URL is read when Upload is nil.
	URL string
	// Upload is the content itself, Name its file name.
	Upload io.Reader
	Name   string
	// From is the generator that a folder or archive of pages is of, "" when that is to be found out.
	From generator.Name
	// Limit is the largest number of pages of a website; 0 means all.
	Limit int
	// TargetPage is the page that the content goes below; "" is the root. A single document becomes that page's body.
	TargetPage string
	// Mirror removes pages that the source does not have, below TargetPage when there is one, and lets pages that have
	// another path there move. Files, reusable contents and variables stay.
	Mirror bool
	// DryRun changes nothing: the report says what would be done.
	DryRun bool
	// Origin says which folder of a Git repository an uploaded folder or page is, nil for none. Pages, files and
	// reusable contents then remember their files in it. A wiki says so by itself.
	Origin *git.Source
}

// Result says what came of an import.
type Result struct {
	// Import is the id of the record.
	Import id.Import
	// Revision has the content; when nothing has changed it is the one that was there.
	Revision id.Revision
	// ImportedResources counts pages, files and reusable contents that were taken, TotalResources also those skipped.
	ImportedResources, TotalResources int
	Report                            Report
}

// Progress tells how far an import is: Total is 0 while it is not known.
type Progress struct {
	Done, Total int
	Message     string
}

// Import imports in the calling goroutine and returns when the revision is there. progress may be nil; it is called
// from this goroutine. The caller needs to be allowed to write where the content goes: to the space directly, or to its
// change requests. Errors that the caller can mend are errs errors; whatever the error, nothing of the import is in the
// space.
func (s *Service) Import(ctx context.Context, caller account.Caller, request Request,
	progress func(Progress)) (Result, error) {
	target, err := s.check(ctx, caller, request)
	if err != nil {
		return Result{}, err
	}
	if request.Origin, err = cleanOrigin(request); err != nil {
		return Result{}, err
	}
	record := s.newRecord(caller, target, request)
	record.State = Running
	if err := s.insert(ctx, record); err != nil {
		return Result{}, err
	}
	return s.run(ctx, record, target, request, progress)
}

// Start takes an import in and returns its record; a worker carries it out. An upload is read before Start returns.
func (s *Service) Start(ctx context.Context, caller account.Caller, request Request) (Import, error) {
	target, err := s.check(ctx, caller, request)
	if err != nil {
		return Import{}, err
	}
	if request.Origin, err = cleanOrigin(request); err != nil {
		return Import{}, err
	}
	record := s.newRecord(caller, target, request)
	record.State = Pending
	if request.Upload != nil {
		limited := LimitReader(request.Upload, MaxArchive)
		if record.upload, _, err = s.deps.Content.PutFile(ctx, limited); err != nil {
			return Import{}, err
		}
	}
	return s.enqueue(ctx, record)
}

// check holds a request to the rules before anything is read.
func (s *Service) check(ctx context.Context, caller account.Caller, request Request) (target, error) {
	found, err := s.target(ctx, caller, request.Space, request.ChangeRequest)
	if err != nil {
		return target{}, err
	}
	switch {
	case request.Limit < 0:
		return target{}, errs.Invalidf("limit", "a limit is at least 1, or left out for all pages")
	case len(request.Name) > MaxName:
		return target{}, errs.Invalidf("name", "the name has more than %d bytes", MaxName)
	case request.TargetPage != "" && !id.Valid("page", request.TargetPage):
		return target{}, errs.Invalidf("targetPage", "%.80q is not the id of a page", request.TargetPage)
	case !request.Source.fromFile() && !request.Source.fromAddress():
		return target{}, errs.Invalidf("source", "%.40q cannot be imported; use website, docx, markdown, html, zip, "+
			"confluence, github-wiki, notion or google-docs", request.Source)
	case request.From != "" && !generator.Known(request.From):
		return target{}, errs.Invalidf("from", "%.40q is no generator that is known; use %s", request.From,
			generator.List())
	case request.From != "" && request.Source != SourceAuto && request.Source != SourceZIP:
		return target{}, errs.Invalidf("from", "goes with a folder or ZIP of pages; leave it out for %s",
			request.Source)
	case request.Mirror && !request.Source.mirrors():
		return target{}, errs.Invalidf("mirror", "goes with a folder, a ZIP, a wiki or an export of another tool; "+
			"leave it out for %s", request.Source)
	case request.Upload != nil && !request.Source.fromFile():
		return target{}, errs.Invalidf("source",
			"a source of the kind %s is imported from its address, not from an upload", request.Source)
	case request.Upload == nil && !request.Source.fromAddress():
		return target{}, errs.Invalidf("source",
			"say what the address is: website, docx, markdown, html, zip, confluence, github-wiki, notion or "+
				"google-docs")
	}
	if request.Upload == nil {
		if err := checkAddress(request); err != nil {
			return target{}, err
		}
	}
	return found, s.checkPage(ctx, found, request.TargetPage)
}

// checkAddress refuses an address that the source cannot be read from.
func checkAddress(request Request) error {
	var err error
	switch request.Source {
	case SourceWiki:
		_, err = wiki.Repository(request.URL)
	case SourceGoogleDocs:
		_, _, err = googledocs.Exported(request.URL)
	default:
		err = fetch.CheckURL(request.URL)
	}
	return err
}
