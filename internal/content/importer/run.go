package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer/gitsync"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// How imports run as jobs.
const (
	jobKind    = "import"
	jobTimeout = 24 * time.Hour
	// jobAttempts counts interruptions by a stopping process; an import that fails is not tried again.
	jobAttempts = 5
	// jobsAtOnce leaves workers to other jobs while imports wait for each other.
	jobsAtOnce = 2
)

type jobArgs struct {
	Import id.Import `json:"import"`
}

// progressInterval is the least time between two writes of progress.
const progressInterval = 500 * time.Millisecond

// errCancelled says that somebody cancelled the import.
var errCancelled = errs.Conflictf("The import was cancelled; nothing of it was kept.")

// run carries out an import that its caller waits for, and ends its record.
func (s *Service) run(ctx context.Context, record Import, to target, request Request,
	report func(Progress)) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tracker := &tracker{service: s, record: record.ID, report: report, cancel: cancel}
	stop := s.keepAlive(ctx, record.ID, cancel)
	result, err := s.readAndCommit(ctx, record, to, request, tracker)
	stop()
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errCancelled) {
		err = errCancelled
	}
	if err != nil {
		s.end(ctx, record.ID, err)
		return Result{}, err
	}
	return result, nil
}

// readAndCommit reads the source and commits it.
func (s *Service) readAndCommit(ctx context.Context, record Import, to target, request Request,
	tracker *tracker) (Result, error) {
	texts := &source.Texts{Dir: s.deps.TempDir}
	defer func() {
		if err := texts.Close(); err != nil {
			s.deps.Log.WarnContext(ctx, "remove the texts of an import", slog.String("import", string(record.ID)),
				slog.Any("error", err))
		}
	}()
	release := func() {}
	defer func() { release() }()
	tracker.set(ctx, 0, 0, "reading")
	reader := sourceReader{service: s, texts: texts, request: request, tracker: tracker, room: func(ctx context.Context,
		shares int64) error {
		taken, err := s.memory.acquire(ctx, shares, func() {
			tracker.set(ctx, 0, 0, "waiting for other imports to end")
		})
		if err == nil {
			release = taken
		}
		return err
	}}
	tree, err := reader.read(ctx)
	if err != nil {
		return Result{}, err
	}
	done := s.closer(ctx, record.ID, tree)
	defer done()
	view, err := s.deps.Content.BranchHead(ctx, to.space, to.branch)
	if err != nil {
		return Result{}, err
	}
	work := newAssembly(s.deps.Content, view, tree, tracker)
	if request.Mirror {
		work.mirror = &mirroring{renamed: map[*source.Page]*entity.Entry{}, taken: map[string]bool{}}
	}
	telling := s.telling(record, to, work)
	if err := telling.Started(ctx, s.deps.DB); err != nil {
		return Result{}, err
	}
	result, err := s.assembleAndCommit(ctx, record, to, request, work, telling, done)
	if err != nil {
		telling.Failed(ctx, s.deps.DB, s.deps.Log)
	}
	return result, err
}

// telling tells of an import of a commit, and nothing of other imports, attempts, and what goes into a change request.
func (s *Service) telling(record Import, to target, work *assembly) gitsync.Telling {
	from := work.origin()
	if from == nil || record.DryRun || to.branch != "" {
		return gitsync.Telling{}
	}
	return gitsync.New(s.hooks.Get().Sync, gitsync.Sync{Space: to.space, Revision: work.view.Revision().ID,
		Commit: from.Commit})
}

// assembleAndCommit makes entries of a source that was read, and commits them. done closes the source.
func (s *Service) assembleAndCommit(ctx context.Context, record Import, to target, request Request, work *assembly,
	telling gitsync.Telling, done func()) (Result, error) {
	if err := work.assemble(ctx, request.TargetPage); err != nil {
		return Result{}, err
	}
	if !to.readsSpecs {
		if err := work.checkSpecs(ctx); err != nil {
			return Result{}, err
		}
	}
	// A commit of many pages needs the memory that the source takes.
	done()
	work.release()
	if record.DryRun {
		work.puts, work.deletes = nil, nil
	}
	return s.commit(ctx, record, to, work, telling)
}

// closer returns what closes a tree, once.
func (s *Service) closer(ctx context.Context, importID id.Import, tree *source.Tree) func() {
	return sync.OnceFunc(func() {
		if tree.Close == nil {
			return
		}
		if err := tree.Close(); err != nil {
			s.deps.Log.WarnContext(ctx, "remove what an import has read", slog.String("import", string(importID)),
				slog.Any("error", err))
		}
	})
}

// counted is a number of things in words.
func counted(number int, thing string) string {
	if number != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", number, thing)
}

// commit makes the revision and ends the record in one transaction.
func (s *Service) commit(ctx context.Context, record Import, to target, work *assembly,
	telling gitsync.Telling) (Result, error) {
	report := work.report
	result := Result{Import: record.ID, Report: report, ImportedResources: report.Pages + report.Files +
		report.ReusableContents}
	result.TotalResources = result.ImportedResources + report.Skipped.Total
	ended := false
	finishWith := func(ctx context.Context, q db.Querier, revision id.Revision) error {
		now, summary := s.deps.Now(), counted(report.Pages, "page")+", "+counted(report.Files, "file")
		if _, err := advance(ctx, q, record.ID, Progress{Done: work.steps, Total: work.steps, Message: summary},
			now); err != nil {
			return err
		}
		if !record.DryRun {
			if err := s.noteOrigin(ctx, q, record, to, work); err != nil {
				return err
			}
		}
		running, err := finish(ctx, q, record.ID, Done, summary, revision, report, now)
		if err == nil && !running {
			return errCancelled
		}
		if err != nil {
			return err
		}
		return telling.Succeeded(ctx, q, revision)
	}
	revision := work.view.Revision()
	if len(work.puts)+len(work.deletes) > 0 {
		var err error
		revision, err = s.deps.Content.Commit(ctx, store.CommitRequest{
			Space: to.space, Branch: to.branch, Base: revision.ID, Author: record.CreatedBy,
			Message: message(record),
			Put:     work.puts, Delete: work.deletes, Own: true, FixSlugs: true,
			Origin: work.origin(),
			Also: func(ctx context.Context, q db.Querier, r store.Revision) error {
				ended = true
				return finishWith(ctx, q, r.ID)
			},
		})
		if err != nil {
			return Result{}, err
		}
	}
	if !ended {
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return finishWith(ctx, q, revision.ID)
		})
		if err != nil {
			return Result{}, err
		}
	}
	result.Revision = revision.ID
	return result, nil
}

// message says in the history where content came from.
func message(record Import) string {
	if record.URL != "" {
		return "Import from " + record.URL
	}
	if record.Name != "" {
		return "Import of " + record.Name
	}
	return "Import"
}

// runJob carries out an import that Start took in. What it returns ends the record through ended, or is tried again.
func (s *Service) runJob(ctx context.Context, raw json.RawMessage) error {
	var args jobArgs
	if err := json.Unmarshal(raw, &args); err != nil {
		return errs.Wrap(err, errs.Invalid, "the arguments of the import are damaged")
	}
	record, err := find(ctx, s.deps.DB.Read(), args.Import)
	if errs.Is(err, errs.NotFound) {
		return nil // the space is gone, and the record with it
	}
	if err != nil {
		return err
	}
	runs := false
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		runs, err = begin(ctx, q, record.ID, s.deps.Now())
		return err
	})
	if err != nil || !runs {
		return err
	}
	request := Request{Space: record.Space, ChangeRequest: record.ChangeRequest, Source: record.Source, URL: record.URL,
		Name: record.Name, Limit: record.Limit, TargetPage: record.TargetPage, From: record.From,
		Mirror: record.Mirror, DryRun: record.DryRun,
		Origin: record.origin}
	to, err := s.prepareJob(ctx, record, &request)
	if err != nil {
		return retryable(err)
	}
	if closer, ok := request.Upload.(interface{ Close() error }); ok {
		defer closer.Close()
	}
	tracker := &tracker{service: s, record: record.ID}
	runContext, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	tracker.cancel = cancel
	_, err = s.readAndCommit(runContext, record, to, request, tracker)
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(runContext), errCancelled):
		return nil // the record says so already
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err() // the process stops, or the job was cancelled
	}
	return retryable(err)
}

// prepareJob checks that the user may still write to where the import goes, and opens the upload.
func (s *Service) prepareJob(ctx context.Context, record Import, request *Request) (target, error) {
	if record.CreatedBy == "" {
		return target{}, errs.Forbiddenf("The user who asked for the import is gone.")
	}
	caller := account.WorkIn(account.User{ID: record.CreatedBy}, record.Organization)
	to, err := s.target(ctx, caller, record.Space, record.ChangeRequest)
	if err != nil || record.upload == "" {
		return to, err
	}
	upload, _, err := s.deps.Content.OpenFile(ctx, record.upload)
	if err != nil {
		return target{}, err
	}
	request.Upload = upload
	return to, nil
}

// tracker passes progress on: to the caller every time, to the record now and then.
type tracker struct {
	service *Service
	record  id.Import
	report  func(Progress)
	cancel  context.CancelCauseFunc
	last    time.Time
}

// set notes progress. It ends the import's context when the record says that it was cancelled.
func (t *tracker) set(ctx context.Context, done, total int, message string) {
	progress := Progress{Done: done, Total: max(done, total), Message: truncate(message, 500)}
	if t.report != nil {
		t.report(progress)
	}
	now := t.service.deps.Now()
	if now.Sub(t.last) < progressInterval {
		return
	}
	t.last = now
	running := true
	err := t.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		running, err = advance(ctx, q, t.record, progress, now)
		return err
	})
	switch {
	case err != nil:
		// Progress is a courtesy: the import goes on without it.
		t.service.deps.Log.WarnContext(ctx, "store progress of an import", slog.String("import", string(t.record)),
			slog.Any("error", err))
	case !running:
		t.cancel(errCancelled)
	}
}

// truncate cuts a text to a number of bytes at the border of a character.
func truncate(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && text[limit]&0xC0 == 0x80 {
		limit--
	}
	return text[:limit]
}
