package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// State is where an import is in its life.
type State string

// States. Done, Failed and Cancelled are final.
const (
	Pending   State = "pending"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Import is the record of an import.
type Import struct {
	// ID is "import_…".
	ID           id.Import
	Organization id.Organization
	Space        id.Space
	// ChangeRequest is the id of the change request that takes the content, "" for the main content.
	ChangeRequest id.ChangeRequest
	// CreatedBy is the id of the user who asked for it, "" when that user is gone.
	CreatedBy id.User
	Source    Source
	// URL is where it came from, "" for an upload, whose file name is Name.
	URL, Name  string
	Limit      int
	TargetPage string
	// From is the generator that the request said, "" for what is found out.
	From generator.Name
	// Mirror and DryRun are those of the request.
	Mirror, DryRun bool
	State          State
	// Done and Total count pages and files; Total is 0 while it is not known.
	Done, Total int
	// Message says what happens now, or why the import failed.
	Message string
	// Revision has the content once State is Done.
	Revision             id.Revision
	Report               Report
	CreatedAt, UpdatedAt time.Time

	origin      *git.Source // as the request had it
	upload, job string      // the blob and the job of an import that a worker carries out
}

func (s *Service) newRecord(caller account.Caller, to target, request Request) Import {
	now := s.deps.Now()
	return Import{
		ID: id.Import(id.New("import")), Organization: to.organization, Space: to.space,
		ChangeRequest: to.changeRequest,
		CreatedBy:     caller.User.ID,
		Source:        request.Source, URL: request.URL, Name: request.Name, Limit: request.Limit,
		TargetPage: request.TargetPage, From: request.From, Mirror: request.Mirror, DryRun: request.DryRun,
		CreatedAt: now, UpdatedAt: now, origin: request.Origin,
	}
}

// Get returns the record of an import: errs.NotFound when there is none in the organization or its space is not the
// caller's to see.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization,
	importID id.Import) (Import, error) {
	record, err := find(ctx, s.deps.DB.Read(), importID)
	if err != nil {
		return Import{}, err
	}
	if record.Organization != organizationID {
		return Import{}, notFound(importID)
	}
	if _, err := s.access.Space(ctx, caller, record.Space); err != nil {
		if errs.Is(err, errs.NotFound) {
			return Import{}, notFound(importID)
		}
		return Import{}, err
	}
	return record, nil
}

// List returns the imports of an organization that the caller asked for, or all of them for its admins, the newest
// first, with their number.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (imports paging.Page[Import], err error) {
	organization, err := s.access.Organization(ctx, caller, organizationID)
	if err != nil {
		return paging.Page[Import]{}, err
	}
	user := caller.User.ID
	if organization.Role.AtLeast(org.RoleAdmin) {
		user = ""
	}
	imports.Items, imports.Count, err = list(ctx, s.deps.DB.Read(), organizationID, user, page)
	if err != nil {
		return paging.Page[Import]{}, err
	}
	imports.Cut(page.Size(), func(i Import) []string {
		return []string{strconv.FormatInt(i.CreatedAt.UnixMicro(), 10), string(i.ID)}
	})
	return imports, nil
}

// Cancel ends an import: nothing of it will be in the space. It fails with errs.Conflict when the import has ended.
func (s *Service) Cancel(ctx context.Context, caller account.Caller, organizationID id.Organization,
	importID id.Import) error {
	record, err := s.Get(ctx, caller, organizationID, importID)
	if err != nil {
		return err
	}
	if record.CreatedBy != caller.User.ID {
		if err := s.mayCancel(ctx, caller, record); err != nil {
			return err
		}
	}
	cancelled := false
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		cancelled, err = finish(ctx, q, importID, Cancelled, "cancelled", "", Report{}, s.deps.Now())
		return err
	})
	if err != nil {
		return fmt.Errorf("cancel import: %w", err)
	}
	if !cancelled {
		return errs.Conflictf("The import has ended already.")
	}
	if record.job != "" {
		// The job notices by itself, too; this only spares it some work.
		if err := s.deps.Jobs.Cancel(ctx, record.job); err != nil && !errs.Is(err, errs.NotFound) {
			return fmt.Errorf("cancel import: %w", err)
		}
	}
	return nil
}

// mayCancel returns an error unless the caller may write to where somebody else's import goes.
func (s *Service) mayCancel(ctx context.Context, caller account.Caller, record Import) error {
	if record.ChangeRequest == "" {
		_, err := s.access.RequireDirectWrite(ctx, caller, record.Space)
		return err
	}
	_, err := s.access.RequireSpace(ctx, caller, record.Space, access.EditSpace)
	return err
}

// BlobInUse reports whether an upload waits under a hash for a worker to import it: content must not collect it.
func BlobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	var count int
	err := q.QueryRowContext(ctx, `SELECT COUNT(*) FROM import WHERE upload = $1 AND state IN ('pending', 'running')`,
		hash).Scan(&count)
	if err != nil {
		return false, fmt.Errorf("look for imports of a file: %w", err)
	}
	return count > 0, nil
}

func notFound(importID id.Import) error { return errs.NotFoundf("There is no import %.80q.", importID) }

const columns = `id, organization_id, space_id, created_by, source, url, name, upload, page_limit, target_page, job_id, state,
	done, total, message, revision, report, created_at, updated_at, change_request_id, origin, generator, mirror,
	dry_run`

func (s *Service) insert(ctx context.Context, record Import) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error { return insert(ctx, q, record) })
}

func insert(ctx context.Context, q db.Querier, record Import) error {
	report, err := json.Marshal(record.Report)
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	origin := []byte{}
	if record.origin != nil {
		if origin, err = json.Marshal(record.origin); err != nil {
			return fmt.Errorf("encode origin: %w", err)
		}
	}
	_, err = q.ExecContext(ctx, `INSERT INTO import (`+columns+`) VALUES (`+db.Placeholders(1, 24)+`)`,
		record.ID, record.Organization, record.Space, record.CreatedBy, string(record.Source), record.URL, record.Name,
		record.upload,
		record.Limit, record.TargetPage, record.job, string(record.State), record.Done, record.Total, record.Message,
		record.Revision,
		string(report), record.CreatedAt.UnixMicro(), record.UpdatedAt.UnixMicro(), db.NullText(record.ChangeRequest),
		string(origin), string(record.From), record.Mirror, record.DryRun)
	if err != nil {
		return fmt.Errorf("insert import: %w", err)
	}
	return nil
}

// enqueue stores a record and its job together.
func (s *Service) enqueue(ctx context.Context, record Import) (Import, error) {
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if record.job, err = s.deps.Jobs.Enqueue(ctx, q, jobKind, jobArgs{Import: record.ID}); err != nil {
			return err
		}
		return insert(ctx, q, record)
	})
	if err != nil {
		return Import{}, fmt.Errorf("start import: %w", err)
	}
	return record, nil
}

func find(ctx context.Context, q db.Querier, importID id.Import) (Import, error) {
	record, err := scan(q.QueryRowContext(ctx, `SELECT `+columns+` FROM import WHERE id = $1`, importID))
	if errors.Is(err, db.ErrNoRows) {
		return Import{}, notFound(importID)
	}
	if err != nil {
		return Import{}, fmt.Errorf("read import: %w", err)
	}
	return record, nil
}

func scan(row db.Scanner) (Import, error) {
	var record Import
	var (
		createdBy     *id.User
		changeRequest *id.ChangeRequest
	)
	var kind, state, report, origin string
	var created, updated int64
	err := row.Scan(&record.ID, &record.Organization, &record.Space, &createdBy, &kind, &record.URL, &record.Name,
		&record.upload,
		&record.Limit, &record.TargetPage, &record.job, &state, &record.Done, &record.Total, &record.Message,
		&record.Revision,
		&report, &created, &updated, &changeRequest, &origin, &record.From, &record.Mirror, &record.DryRun)
	if err != nil {
		return Import{}, err
	}
	if createdBy != nil {
		record.CreatedBy = *createdBy
	}
	if changeRequest != nil {
		record.ChangeRequest = *changeRequest
	}
	record.Source, record.State = Source(kind), State(state)
	record.CreatedAt, record.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if err := json.Unmarshal([]byte(report), &record.Report); err != nil {
		return Import{}, fmt.Errorf("decode report: %w", err)
	}
	if origin != "" {
		if err := json.Unmarshal([]byte(origin), &record.origin); err != nil {
			return Import{}, fmt.Errorf("decode origin: %w", err)
		}
	}
	return record, nil
}

// list reads one more record than the page holds. An empty user means all users.
func list(ctx context.Context, q db.Querier, organizationID id.Organization, user id.User,
	page paging.Request) ([]Import, int, error) {
	var count int
	err := q.QueryRowContext(ctx,
		`SELECT COUNT(*) FROM import WHERE organization_id = $1 AND ($2 = '' OR created_by = $2)`, organizationID,
		user).Scan(&count)
	if err != nil {
		return nil, 0, fmt.Errorf("count imports: %w", err)
	}
	query, args := `SELECT `+columns+` FROM import WHERE organization_id = $1 AND ($2 = '' OR created_by = $2)`,
		[]any{organizationID, user}
	if len(page.After) == 2 {
		at, err := strconv.ParseInt(page.After[0], 10, 64)
		if err != nil {
			return nil, 0, errs.Invalidf("page", "the cursor is not one of this list")
		}
		query += ` AND (created_at < $3 OR created_at = $3 AND id < $4)`
		args = append(args, at, page.After[1])
	}
	records, err := db.All(ctx, q, "list imports", scan, query+` ORDER BY created_at DESC, id DESC LIMIT `+
		strconv.Itoa(page.Size()+1),
		args...)
	if err != nil {
		return nil, 0, err
	}
	return records, count, nil
}

// begin makes a pending import a running one. It reports whether the import may run.
func begin(ctx context.Context, q db.Querier, importID id.Import, now time.Time) (bool, error) {
	return changed(q.ExecContext(ctx,
		`UPDATE import SET state = 'running', updated_at = $1 WHERE id = $2 AND state IN ('pending', 'running')`,
		now.UnixMicro(), importID))
}

// advance stores progress. It reports whether the import still runs: somebody may have cancelled it.
func advance(ctx context.Context, q db.Querier, importID id.Import, progress Progress, now time.Time) (bool, error) {
	return changed(q.ExecContext(ctx,
		`UPDATE import SET done = $1, total = $2, message = $3, updated_at = $4 WHERE id = $5 AND state = 'running'`,
		progress.Done, progress.Total, progress.Message, now.UnixMicro(), importID))
}

// alive says that an import still runs. It reports whether it does: the sweep may have ended it.
func alive(ctx context.Context, q db.Querier, importID id.Import, now time.Time) (bool, error) {
	return changed(q.ExecContext(ctx, `UPDATE import SET updated_at = $1 WHERE id = $2 AND state = 'running'`,
		now.UnixMicro(), importID))
}

// silentJobs returns the imports of workers that have not ended and have said nothing since a time, each with its job.
func silentJobs(ctx context.Context, q db.Querier, since time.Time) (jobs map[id.Import]string, err error) {
	jobs = map[id.Import]string{}
	err = db.Each(ctx, q, "find silent imports", func(row db.Scanner) error {
		var (
			importID id.Import
			jobID    string
		)
		if err := row.Scan(&importID, &jobID); err != nil {
			return err
		}
		jobs[importID] = jobID
		return nil
	}, `SELECT id, job_id FROM import
		WHERE state IN ('pending', 'running') AND job_id <> '' AND updated_at < $1 LIMIT 1000`, since.UnixMicro())
	return jobs, err
}

// finish ends an import that has not ended, and tells who began it. It reports whether it did.
func finish(ctx context.Context, q db.Querier, importID id.Import, state State, message string, revision id.Revision,
	report Report, now time.Time) (bool, error) {
	encoded, err := json.Marshal(report)
	if err != nil {
		return false, fmt.Errorf("encode report: %w", err)
	}
	ended, err := changed(q.ExecContext(ctx,
		`UPDATE import SET state = $1, message = $2, revision = $3, report = $4, updated_at = $5
		WHERE id = $6 AND state IN ('pending', 'running')`, string(state), message, revision, string(encoded),
		now.UnixMicro(), importID))
	if err != nil || !ended {
		return false, err
	}
	return true, tellEnd(ctx, q, importID, now)
}

// tellEnd tells who began an import that it is over: not of one that they cancelled, or whose end they waited for.
func tellEnd(ctx context.Context, q db.Querier, importID id.Import, now time.Time) error {
	record, err := find(ctx, q, importID)
	if err != nil || record.State == Cancelled || record.job == "" {
		return err
	}
	var imported *notification.Imported
	if record.State == Done && !record.DryRun {
		imported = &notification.Imported{Pages: record.Report.Pages, Files: record.Report.Files}
	}
	return notification.Add(ctx, q, notification.Notification{
		Kind: notification.Import, Actor: record.CreatedBy, Organization: record.Organization, Space: record.Space,
		Title: record.Message, Imported: imported, CreatedAt: now,
	}, record.CreatedBy)
}

func changed(result interface{ RowsAffected() (int64, error) }, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("update import: %w", err)
	}
	count, err := result.RowsAffected()
	return count > 0, err
}
