// Package edit owns applying a batch of changes to the content of a space: pages and reusable contents that are
// inserted, updated, moved, deleted and set back, files that are taken in, renamed, replaced and deleted, and the
// space's variables.
//
// A batch is one revision or none. Its changes are applied one after the other, so that each sees what those before it
// have done, and what one of them creates can be named by the others by a reference of the caller's own: as the page
// that another goes into, and in bodies and covers as the page or file of a link. A batch that was made on an older
// revision is merged with what has happened since, or refused with the conflicts.
//
// Bodies come as Markdown or as document JSON. Front matter and a first heading of Markdown set the fields of the page;
// relative links to the files of an export become stable references, so that a page that was read as Markdown can be
// sent back as it is. Blocks that a document leaves alone keep their bytes.
//
// The package has no tables: content keeps what it makes.
package edit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// Limits of a batch.
const (
	// MaxChanges is the largest number of changes in a batch.
	MaxChanges = 50
	// MaxFiles is the largest number of files in one change of InsertFiles and in one upload.
	MaxFiles = 20
	// MaxBatchFiles is the largest number of files in a batch.
	MaxBatchFiles = 100
	// MaxFileSize is the largest file, in bytes.
	MaxFileSize = 100 << 20
	// MaxReference is the longest reference to what a batch creates, in bytes.
	MaxReference = 100
)

// Operation says what a change does.
type Operation string

// Operations.
const (
	UpdatePage  Operation = "update_page"
	InsertPage  Operation = "insert_page"
	DeletePage  Operation = "delete_page"
	RevertPage  Operation = "revert_page"
	InsertFiles Operation = "insert_files"

	UpdateFile Operation = "update_file"
	DeleteFile Operation = "delete_file"
	RevertFile Operation = "revert_file"

	InsertReusable Operation = "insert_reusable_content"
	UpdateReusable Operation = "update_reusable_content"
	DeleteReusable Operation = "delete_reusable_content"
	RevertReusable Operation = "revert_reusable_content"

	UpdateVariables Operation = "update_variables"

	InsertRedirect Operation = "insert_redirect"
	DeleteRedirect Operation = "delete_redirect"
)

// Change is one change of a batch. Operation says which fields count.
type Change struct {
	Operation Operation
	// Page is the page that is updated, deleted or set back, or that InsertRedirect leads to: its id, or the reference
	// of one that the batch inserted.
	Page string
	// Redirect is the id of what DeleteRedirect takes away.
	Redirect string
	// Path is the address that InsertRedirect makes lead to the page: a path in the space, with or without slashes
	// around it.
	Path string
	// File and Reusable are the file or reusable content that is changed, deleted or set back: its id, or the reference
	// of one that the batch makes.
	File, Reusable string
	// Ref names the page or reusable content that is inserted to the rest of the batch; "" for no name.
	Ref string
	// Type is what is inserted: a document ("" too), group, link or computed page.
	Type entity.PageType
	// Fields are the fields to set.
	Fields Fields
	// Into is the page to put the page into, null for the root. When it is absent an updated page stays below its
	// parent and an inserted one goes to the root.
	Into optional.Value[string]
	// At is the number of siblings before the page, counted without it; nil keeps a place below the same parent and is
	// otherwise the end. A number beyond the last sibling is the end, too.
	At *int
	// Body is the new body; the zero Body keeps the one that is there.
	Body Body
	// Revision is what RevertPage, RevertFile and RevertReusable go back to; "" for what the batch's target was made
	// from.
	Revision id.Revision
	// Blocks are keys or anchors of top-level blocks as the document JSON of the present body has them: RevertPage then
	// sets back these alone. None means the page as a whole.
	Blocks []string
	// Files are what InsertFiles takes in.
	Files []NewFile
	// Name is what UpdateFile calls the file from now on; absent it keeps its name.
	Name optional.Value[string]
	// Replacement is what UpdateFile puts in the place of the file's bytes, nil to keep them. Its Name and Ref do not
	// count.
	Replacement *NewFile
	// Variables are what UpdateVariables sets, by name; a value that is nil takes the variable away. Null takes away
	// all.
	Variables optional.Value[map[string]any]
}

// Fields are fields of a page to set. An absent one stays, null empties it.
type Fields struct {
	Title, Slug, LinkTitle, Emoji, Icon, Description, Condition optional.Value[string]
	// Owner is the id of somebody who may read the space.
	Owner optional.Value[string]
	// Flags are switches to set, by their names in entity.PageFlags; what is not named stays.
	Flags map[string]bool
	// Layout sets the members that are not zero; null brings back the defaults of all.
	Layout optional.Value[entity.Layout]
	// Cover, Tags, Variables, Target and Computed replace the value as a whole. Files of a cover may be references of
	// the batch.
	Cover     optional.Value[entity.Cover]
	Computed  optional.Value[entity.Computed]
	Tags      optional.Value[[]entity.Tag]
	Variables optional.Value[map[string]any]
	Target    optional.Value[doc.Ref]
}

// Body is a body in one of its two forms; at most one is set.
type Body struct {
	// Markdown is a page's file: front matter and the first heading are fields of the page. It may be empty.
	Markdown *string
	// Complete says that the Markdown is all of the file: what its front matter leaves out, the page does not have.
	Complete bool
	// Document is a document without the page's title.
	Document *doc.Document
}

// NewFile is a file to take in, from an address or from its bytes in base64.
type NewFile struct {
	// Ref names the file to the rest of the batch; "" for no name.
	Ref string
	// Name is 1 to 256 characters without folders.
	Name string
	// MediaType is what the caller says about its type; "" leaves it to its name and bytes.
	MediaType string
	URL       string
	Base64    *string
}

// Batch is what Apply does, all of it or nothing.
type Batch struct {
	Space id.Space
	// Base is the id of the revision that the changes were made on; "" is the newest, and then a batch that loses a
	// race is made again on what has won.
	Base id.Revision
	// Message is what the author says about it, for the history.
	Message string
	Changes []Change
}

// Outcome is what one change did, of all but InsertFiles.
type Outcome struct {
	Operation Operation
	// ID is that of the page, file, reusable content or variables; Ref is the reference that the caller gave to an
	// inserted one.
	ID, Ref string
	// Deleted are the ids of all that a deletion has taken away: the page with those below it.
	Deleted []string
}

// Result is what a batch has done.
type Result struct {
	// Revision is the new head, or the one that was there when the batch changes nothing.
	Revision store.Revision
	// Stayed says that the batch made no revision.
	Stayed bool
	// Outcomes has one element for each change but those that take in files, in their order.
	Outcomes []Outcome
	// Files are the files that were taken in, in the order of the batch.
	Files []*entity.Entry
}

// Upload is one file of an upload.
type Upload struct {
	Name, MediaType string
	Content         io.Reader
}

// Deps is what a Service needs.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	Content  *store.Service
	Changes  *change.Service
	Fetch    *fetch.Client
}

// Service applies batches.
type Service struct {
	deps   Deps
	access *access.Service
}

// New returns a Service.
func New(deps Deps) *Service {
	required.Must(deps)
	return &Service{deps: deps, access: access.New(deps.DB)}
}

// target is where a batch goes: main, or the branch of a change request.
type target struct {
	space  id.Space
	branch id.Branch // "" is main
	// origin is what a page is set back to when the caller names no revision; "" when there is no such.
	origin string
	author id.User
	// readsSpecs says that the author may read the organization's API specifications, which guests may not.
	readsSpecs bool
	// guard checks in the transaction that moves the head that the caller may still do that.
	guard func(ctx context.Context, q db.Querier) error
}

// also runs the guard in the transaction of a commit.
func (t target) also() store.Also {
	return func(ctx context.Context, q db.Querier, _ store.Revision) error { return t.guard(ctx, q) }
}

// live is the main content of a space for a caller who may write to it directly.
func (s *Service) live(ctx context.Context, caller account.Caller, spaceID id.Space) (target, error) {
	space, err := s.access.RequireDirectWrite(ctx, caller, spaceID)
	if err != nil {
		return target{}, err
	}
	readsSpecs, err := s.access.ReadsSpecs(ctx, caller, space.Organization)
	if err != nil {
		return target{}, err
	}
	return target{
		space: spaceID, author: caller.User.ID, readsSpecs: readsSpecs,
		guard: func(ctx context.Context, q db.Querier) error {
			allowed, err := access.LoadSpace(ctx, q, caller, spaceID)
			if err != nil {
				return err
			}
			return allowed.RequireDirectWrite()
		},
	}, nil
}

// UpdateSpace applies a batch to the main content of a space. The caller needs to be allowed to write to it directly:
// errs.Forbidden without the role, errs.Conflict while it is locked. A *store.ConflictError says that others have
// changed the same things since Base; other errors that the caller can mend name the change, as "changes[2].title".
// Nothing has changed then.
func (s *Service) UpdateSpace(ctx context.Context, caller account.Caller, batch Batch) (Result, error) {
	at, err := s.live(ctx, caller, batch.Space)
	if err != nil {
		return Result{}, err
	}
	return s.apply(ctx, at, batch)
}

// UploadToSpace takes files into the main content of a space as one revision. next gives one file after the other and
// io.EOF after the last; it is first called when it is clear that the caller may write.
func (s *Service) UploadToSpace(ctx context.Context, caller account.Caller, spaceID id.Space,
	next func() (Upload, error)) (Result, error) {
	at, err := s.live(ctx, caller, spaceID)
	if err != nil {
		return Result{}, err
	}
	return s.upload(ctx, at, next)
}

// ReplaceInSpace puts the one file of an upload in the place of the bytes of a file of a space's main content, which
// keeps its id and name. It is an errs.NotFound when there is no such file, an errs.Invalid when there is not one file
// in the upload.
func (s *Service) ReplaceInSpace(ctx context.Context, caller account.Caller, spaceID id.Space, fileID string,
	next func() (Upload, error)) (Result, error) {
	at, err := s.live(ctx, caller, spaceID)
	if err != nil {
		return Result{}, err
	}
	return s.replace(ctx, at, fileID, next)
}

// Rollback brings the main content of a space back to that of an earlier revision of it with a new revision. It needs
// the right to review; errs.Conflict while the space is locked, errs.NotFound when main never was at that revision.
// When the content is the same already it returns the head.
func (s *Service) Rollback(ctx context.Context, caller account.Caller, spaceID id.Space, revisionID id.Revision,
	message string) (r store.Revision, changed bool, err error) {
	may := func(allowed access.Space) error {
		if err := allowed.Require(access.ReviewSpace); err != nil {
			return err
		}
		if allowed.Locked {
			return errs.Conflictf(
				"The space is locked: its main content changes by merges only. Set editMode to live first.")
		}
		return nil
	}
	allowed, err := s.access.Space(ctx, caller, spaceID)
	if err == nil {
		err = may(allowed)
	}
	if err != nil {
		return store.Revision{}, false, err
	}
	if err := checkMessage(message); err != nil {
		return store.Revision{}, false, err
	}
	to, err := s.revision(ctx, spaceID, revisionID)
	if err != nil {
		return store.Revision{}, false, err
	}
	main, err := s.deps.Content.Branch(ctx, spaceID, "")
	if err != nil {
		return store.Revision{}, false, err
	}
	if to.Branch != main.ID {
		return store.Revision{}, false, errs.Conflictf("Revision %s belongs to a change request; merge that instead.",
			revisionID)
	}
	before := main.Head
	r, err = s.deps.Content.Rollback(ctx, store.RollbackRequest{
		Space: spaceID, To: revisionID, Author: caller.User.ID, Message: message,
		Also: func(ctx context.Context, q db.Querier, _ store.Revision) error {
			allowed, err := access.LoadSpace(ctx, q, caller, spaceID)
			if err != nil {
				return err
			}
			return may(allowed)
		},
	})
	return r, err == nil && r.ID != before && r.Type == store.TypeRollback, err
}

// checkMessage refuses a message that cannot be stored.
func checkMessage(message string) error {
	if !field.Storable(message) {
		return errs.Invalidf("message", "may not contain the character U+0000")
	}
	return nil
}

// revision returns a revision of a space.
func (s *Service) revision(ctx context.Context, spaceID id.Space, revisionID id.Revision) (store.Revision, error) {
	r, err := s.deps.Content.Revision(ctx, revisionID)
	if errs.Is(err, errs.NotFound) || err == nil && r.Space != spaceID {
		return store.Revision{}, errs.NotFoundf("The space has no revision %q. List its revisions to see their ids.",
			revisionID)
	}
	return r, err
}

// maxAttempts is how often a batch without a base is made again when others keep changing the same things: each time at
// least one of them has got through. maxPause is the longest time between two attempts.
const (
	maxAttempts = 100
	maxPause    = 50 * time.Millisecond
)

// apply checks and prepares a batch and commits it.
func (s *Service) apply(ctx context.Context, at target, batch Batch) (Result, error) {
	if len(batch.Changes) == 0 || len(batch.Changes) > MaxChanges {
		return Result{}, errs.Invalidf("changes", "has %d elements; 1 to %d are accepted", len(batch.Changes),
			MaxChanges)
	}
	if err := checkMessage(batch.Message); err != nil {
		return Result{}, err
	}
	names, err := nameAll(batch.Changes)
	if err != nil {
		return Result{}, err
	}
	if batch.Base != "" {
		if _, err := s.revision(ctx, batch.Space, batch.Base); err != nil {
			return Result{}, prefixed("revision", err)
		}
	}
	changes, err := s.nameReplaced(ctx, at, batch)
	if err != nil {
		return Result{}, err
	}
	files, err := s.takeFiles(ctx, changes, names)
	if err != nil {
		return Result{}, err
	}
	return s.commitBatch(ctx, at, batch, names, files)
}

// commitBatch makes a batch whose files have been taken in, again and again when it has no base and others are quicker.
func (s *Service) commitBatch(ctx context.Context, at target, batch Batch, names names,
	files map[int][]*entity.Entry) (Result, error) {
	for attempt := 1; ; attempt++ {
		result, err := s.try(ctx, at, batch, names, files)
		_, conflict := errors.AsType[*store.ConflictError](err)
		if !conflict || batch.Base != "" || attempt == maxAttempts {
			return result, err
		}
		select {
		case <-ctx.Done():
			return Result{}, ctx.Err()
		case <-time.After(rand.N(min(time.Millisecond<<min(attempt, 10), maxPause))):
		}
	}
}

// try makes a batch on its base, or on the head, and commits it.
func (s *Service) try(ctx context.Context, at target, batch Batch, names names,
	files map[int][]*entity.Entry) (Result, error) {
	view, err := s.base(ctx, at, batch.Base)
	if err != nil {
		return Result{}, err
	}
	work := newWork(s, view, at, names)
	var result Result
	for i, change := range batch.Changes {
		if change.Operation == InsertFiles {
			for _, file := range files[i] {
				work.set(file.Clone())
				result.Files = append(result.Files, file)
			}
			continue
		}
		var replacement *entity.Entry
		if len(files[i]) > 0 {
			replacement = files[i][0]
		}
		outcome, err := work.apply(ctx, i, change, replacement)
		if err != nil {
			return Result{}, prefixed(fmt.Sprintf("changes[%d]", i), err)
		}
		outcome.Operation, outcome.Ref = change.Operation, change.Ref
		result.Outcomes = append(result.Outcomes, outcome)
	}
	if err := work.checkSpecs(ctx); err != nil {
		return Result{}, err
	}
	result.Revision, result.Stayed, err = s.commit(ctx, at, view, batch.Message, work)
	return result, err
}

// base returns a view of the revision that a batch is made on.
func (s *Service) base(ctx context.Context, at target, revisionID id.Revision) (*store.View, error) {
	if revisionID == "" {
		return s.deps.Content.BranchHead(ctx, at.space, at.branch)
	}
	return s.deps.Content.View(ctx, revisionID)
}

func (s *Service) commit(ctx context.Context, at target, view *store.View, message string,
	work *work) (made store.Revision, stayed bool, err error) {
	put, remove, err := work.changes(ctx)
	if err != nil {
		return store.Revision{}, false, err
	}
	made, err = s.deps.Content.Commit(ctx, store.CommitRequest{
		Space: at.space, Branch: at.branch, Base: view.Revision().ID, Author: at.author, Message: message, Put: put,
		Delete: remove,
		Also:   at.also(),
		Stayed: &stayed,
	})
	return made, stayed, err
}

// prefixed says where in the input a refusal of a part of it belongs.
func prefixed(path string, err error) error {
	refusal, ok := errors.AsType[*errs.Error](err)
	if !ok || refusal.Kind == errs.Internal {
		return err
	}
	located := *refusal
	located.Message = path + ": " + refusal.Message
	if len(refusal.Details) > 0 && refusal.Message == refusal.Details[0].Path+": "+refusal.Details[0].Message {
		located.Message = path + "." + refusal.Message
	}
	located.Details = make([]errs.Detail, 0, max(1, len(refusal.Details)))
	for _, detail := range refusal.Details {
		located.Details = append(located.Details, errs.Detail{Path: path + "." + detail.Path, Message: detail.Message})
	}
	if len(located.Details) == 0 {
		located.Details = append(located.Details, errs.Detail{Path: path, Message: refusal.Message})
	}
	return &located
}
