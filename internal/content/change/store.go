package change

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

// requestColumns and requestTables read change requests with their branches, c being the request, b its branch and m
// the main branch of its space.
const (
	requestColumns = `c.id, c.organization_id, c.space_id, c.number, c.status, c.subject, c.description, c.created_by, c.created_at,
	c.updated_at, c.branch_id, c.initial_revision_id, c.merged_ancestor_id, c.merged_revision_id, c.merged_by,
	c.merged_at, c.unwritten, c.held_until,
	b.head_revision_id, b.base_revision_id, m.head_revision_id,
	(SELECT count(*) FROM change_request_conflict x WHERE x.change_request_id = c.id AND x.status = 'open')`
	requestTables = `change_request c
	JOIN content_branch b ON b.id = c.branch_id
	JOIN content_branch m ON m.space_id = c.space_id AND m.kind = 'main'`
)

// batch is how many ids one statement takes; both databases take more.
const batch = 1000

// nextNumber counts one more change request of a space and returns its number.
func nextNumber(ctx context.Context, q db.Querier, spaceID id.Space, status Status) (int, error) {
	open, draft := counted(status)
	var number int
	err := q.QueryRowContext(ctx, `
		INSERT INTO change_request_count (space_id, last_number, open_count, draft_count) VALUES ($1, 1, $2, $3)
		ON CONFLICT (space_id) DO UPDATE SET last_number = change_request_count.last_number + 1,
			open_count = change_request_count.open_count + $2, draft_count = change_request_count.draft_count + $3
		RETURNING last_number`, spaceID, open, draft).Scan(&number)
	if err != nil {
		return 0, fmt.Errorf("count change request: %w", err)
	}
	return number, nil
}

// counted says what a change request in a status adds to the counters of open ones and drafts.
func counted(status Status) (open, draft int) {
	switch status {
	case Open:
		return 1, 0
	case Draft:
		return 0, 1
	}
	return 0, 0
}

func insertRequest(ctx context.Context, q db.Querier, r Request) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO change_request (id, organization_id, space_id, number, status, subject, description, branch_id,
			initial_revision_id, created_by, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		r.ID, r.Organization, r.Space, r.Number, string(r.Status), r.Subject, r.Description, r.Branch,
		r.Initial, r.CreatedBy, r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert change request: %w", err)
	}
	return nil
}

// updateRequest stores what Update changes.
func updateRequest(ctx context.Context, q db.Querier, r Request) error {
	_, err := q.ExecContext(ctx,
		`UPDATE change_request SET status = $2, subject = $3, description = $4, updated_at = $5 WHERE id = $1`,
		r.ID, string(r.Status), r.Subject, r.Description, r.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update change request: %w", err)
	}
	return nil
}

// setMerged stores that a change request is merged.
func setMerged(ctx context.Context, q db.Querier, r Request) error {
	_, err := q.ExecContext(ctx, `
		UPDATE change_request SET status = $2, merged_revision_id = $3, merged_by = $4, merged_at = $5, updated_at = $6
		WHERE id = $1`,
		r.ID, string(r.Status), r.Merged, r.MergedBy, r.MergedAt.UnixMicro(), r.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("mark change request as merged: %w", err)
	}
	return nil
}

// recount moves a change request of a space from one status's counter to another's.
func recount(ctx context.Context, q db.Querier, spaceID id.Space, from, to Status) error {
	openBefore, draftBefore := counted(from)
	openAfter, draftAfter := counted(to)
	_, err := q.ExecContext(ctx, `
		UPDATE change_request_count SET open_count = open_count + $2, draft_count = draft_count + $3
		WHERE space_id = $1`,
		spaceID, openAfter-openBefore, draftAfter-draftBefore)
	if err != nil {
		return fmt.Errorf("count statuses of change requests: %w", err)
	}
	return nil
}

// requestWhere reads the one change request of a condition.
func requestWhere(ctx context.Context, q db.Querier, condition string, args ...any) (Request, error) {
	var row requestRow
	err := q.QueryRowContext(ctx, `SELECT `+requestColumns+` FROM `+requestTables+` WHERE `+condition,
		args...).Scan(row.fields()...)
	if errors.Is(err, db.ErrNoRows) {
		return Request{}, noRequest()
	}
	if err != nil {
		return Request{}, fmt.Errorf("select change request: %w", err)
	}
	return row.request(), nil
}

// listRequests returns up to one more than a page of a space's change requests, and how many there are in all.
func listRequests(ctx context.Context, q db.Querier, spaceID id.Space, filter Filter,
	page paging.Request) ([]Request, int, error) {
	before := int64(1<<62 - 1)
	if page.After != nil {
		var err error
		if len(page.After) == 1 {
			before, err = strconv.ParseInt(page.After[0], 10, 64)
		}
		if err != nil || len(page.After) != 1 {
			return nil, 0, errs.Invalidf("query.page",
				"is not a cursor of this list; leave it out to start from the beginning")
		}
	}
	condition, args := filter.condition(spaceID)
	count, err := countRequests(ctx, q, spaceID, filter)
	if err != nil {
		return nil, 0, err
	}
	query := `SELECT ` + requestColumns + ` FROM ` + requestTables + ` WHERE ` + condition +
		` AND c.number < ` + args.Add(before) + ` ORDER BY c.number DESC LIMIT ` + args.Add(page.Size()+1)
	requests, err := queryRequests(ctx, q, query, args...)
	return requests, count, err
}

// condition returns the SQL condition of a filter on the table change_request c, and its arguments.
func (f Filter) condition(spaceID id.Space) (string, db.Args) {
	conditions, args := []string{`c.space_id = $1`}, db.Args{spaceID}
	add := func(condition string) { conditions = append(conditions, condition) }
	if f.Status != "" {
		add(`c.status = ` + args.Add(string(f.Status)))
	}
	if f.Creator != "" {
		add(`c.created_by = ` + args.Add(f.Creator))
	}
	if f.Contributor != "" {
		add(`EXISTS (SELECT 1 FROM change_request_contributor k WHERE k.change_request_id = c.id AND k.user_id = ` +
			args.Add(f.Contributor) + `)`)
	}
	return strings.Join(conditions, " AND "), args
}

// countRequests counts what a filter lets through, from the counters of the space where they say it.
func countRequests(ctx context.Context, q db.Querier, spaceID id.Space, filter Filter) (int, error) {
	if filter.Creator == "" && filter.Contributor == "" && (filter.Status == "" || filter.Status == Open ||
		filter.Status == Draft) {
		counts, err := readCounts(ctx, q, []id.Space{spaceID})
		switch filter.Status {
		case Open:
			return counts[spaceID].Open, err
		case Draft:
			return counts[spaceID].Draft, err
		}
		return counts[spaceID].All, err
	}
	condition, args := filter.condition(spaceID)
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM change_request c WHERE `+condition,
		args...).Scan(&count); err != nil {
		return 0, fmt.Errorf("count change requests: %w", err)
	}
	return count, nil
}

func queryRequests(ctx context.Context, q db.Querier, query string, args ...any) ([]Request, error) {
	return db.All(ctx, q, "list change requests", func(r db.Scanner) (Request, error) {
		var row requestRow
		err := r.Scan(row.fields()...)
		return row.request(), err
	}, query, args...)
}

func readCounts(ctx context.Context, q db.Querier, spaceIDs []id.Space) (map[id.Space]Counts, error) {
	counts := make(map[id.Space]Counts, len(spaceIDs))
	for ids := range slices.Chunk(spaceIDs, batch) {
		args := make([]any, len(ids))
		for i, spaceID := range ids {
			args[i] = spaceID
		}
		if err := addCounts(ctx, q, counts, args); err != nil {
			return nil, fmt.Errorf("read counts of change requests: %w", err)
		}
	}
	return counts, nil
}

func addCounts(ctx context.Context, q db.Querier, counts map[id.Space]Counts, spaceIDs []any) error {
	return db.Each(ctx, q, "", func(row db.Scanner) error {
		var spaceID id.Space
		var c Counts
		if err := row.Scan(&spaceID, &c.All, &c.Open, &c.Draft); err != nil {
			return err
		}
		counts[spaceID] = c
		return nil
	}, `
		SELECT space_id, last_number, open_count, draft_count FROM change_request_count
		WHERE space_id IN (`+db.Placeholders(1, len(spaceIDs))+`)`, spaceIDs...)
}

// statusOfBranch returns the id and the status of the change request that a branch belongs to.
func statusOfBranch(ctx context.Context, q db.Querier,
	branchID id.Branch) (requestID id.ChangeRequest, status Status, err error) {
	err = q.QueryRowContext(ctx, `SELECT id, status FROM change_request WHERE branch_id = $1`, branchID).
		Scan(&requestID, &status)
	if errors.Is(err, db.ErrNoRows) {
		return "", "", noRequest()
	}
	if err != nil {
		return "", "", fmt.Errorf("select change request of branch: %w", err)
	}
	return requestID, status, nil
}

func setMergedAncestor(ctx context.Context, q db.Querier, requestID id.ChangeRequest, revisionID id.Revision) error {
	if _, err := q.ExecContext(ctx, `UPDATE change_request SET merged_ancestor_id = $2 WHERE id = $1`, requestID,
		revisionID); err != nil {
		return fmt.Errorf("set merged ancestor: %w", err)
	}
	return nil
}

// touch notes that a change request has changed. Times never go back.
func touch(ctx context.Context, q db.Querier, requestID id.ChangeRequest, at time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE change_request SET updated_at = $2 WHERE id = $1 AND updated_at < $2`,
		requestID, at.UnixMicro())
	if err != nil {
		return fmt.Errorf("touch change request: %w", err)
	}
	return nil
}

// addContribution counts a revision that a user has made. Work of a user who is not there counts for nobody.
func addContribution(ctx context.Context, q db.Querier, requestID id.ChangeRequest, userID id.User,
	at time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO change_request_contributor (change_request_id, user_id, revision_count, created_at, updated_at)
		SELECT $1, u.id, 1, $3, $3 FROM account_user u WHERE u.id = $2
		ON CONFLICT (change_request_id, user_id) DO UPDATE
		SET revision_count = change_request_contributor.revision_count + 1, updated_at = excluded.updated_at`,
		requestID, userID, at.UnixMicro())
	if err != nil {
		return fmt.Errorf("count contribution: %w", err)
	}
	return nil
}

type requestRow struct {
	id                                      id.ChangeRequest
	organization                            id.Organization
	space                                   id.Space
	status, subject, description            string
	branch                                  id.Branch
	initial, head, base, main               id.Revision
	number, createdAt, updatedAt, conflicts int64
	heldUntil                               int64
	createdBy                               sql.Null[id.User]
	mergedAncestor, merged                  sql.Null[id.Revision]
	mergedBy                                sql.Null[id.User]
	mergedAt                                sql.Null[int64]
	unwritten                               bool
}

func (r *requestRow) fields() []any {
	// Ids are read as texts: into types of their own database/sql writes by reflection, five times as slowly.
	return []any{
		(*string)(&r.id), (*string)(&r.organization), (*string)(&r.space), &r.number, &r.status, &r.subject,
		&r.description, &r.createdBy, &r.createdAt, &r.updatedAt, (*string)(&r.branch), (*string)(&r.initial),
		&r.mergedAncestor, &r.merged, &r.mergedBy, &r.mergedAt, &r.unwritten, &r.heldUntil, (*string)(&r.head),
		(*string)(&r.base), (*string)(&r.main), &r.conflicts,
	}
}

func (r *requestRow) request() Request {
	out := Request{
		ID: r.id, Organization: r.organization, Space: r.space, Number: int(r.number), Status: Status(r.status),
		Subject: r.subject, Description: r.description, CreatedBy: r.createdBy.V,
		CreatedAt: time.UnixMicro(r.createdAt).UTC(), UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
		Branch: r.branch, Head: r.head, Base: r.base, Initial: r.initial, MergedAncestor: r.mergedAncestor.V,
		Merged: r.merged.V, MergedBy: r.mergedBy.V, Unwritten: r.unwritten,
	}
	if r.heldUntil != 0 {
		out.heldUntil = time.UnixMicro(r.heldUntil).UTC()
	}
	if r.mergedAt.Valid {
		out.MergedAt = time.UnixMicro(r.mergedAt.V).UTC()
	}
	out.Conflicts, out.main = int(r.conflicts), r.main
	out.Outdated = out.Status != Merged && (r.base != r.main || out.Conflicts > 0)
	return out
}
