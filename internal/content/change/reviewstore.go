package change

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

const reviewColumns = `v.id, v.revision_id, v.reviewer, v.requested_by, v.status, v.comment, v.created_at`

func insertReview(ctx context.Context, q db.Querier, v Review) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO change_request_review (id, change_request_id, revision_id, reviewer, requested_by, status, comment,
		created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		v.ID, v.Request, v.Revision, v.Reviewer, db.NullText(v.RequestedBy),
		string(v.Status), v.Comment, v.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert review: %w", err)
	}
	return nil
}

func reviewByID(ctx context.Context, q db.Querier, r Request, reviewID string) (Review, error) {
	found, err := queryReviews(ctx, q, r,
		`SELECT `+reviewColumns+` FROM change_request_review v WHERE v.change_request_id = $1 AND v.id = $2`, r.ID,
		reviewID)
	if err != nil {
		return Review{}, err
	}
	if len(found) == 0 {
		return Review{}, noReview()
	}
	return found[0], nil
}

// listReviews returns up to one more than a page of reviews, the newest first, and how many there are in all.
func listReviews(ctx context.Context, q db.Querier, r Request, outdated optional.Value[bool],
	page paging.Request) ([]Review, int, error) {
	at, last, err := page.Time(1<<62, "")
	if err != nil {
		return nil, 0, err
	}
	// Outdated is every review of another revision than the head.
	head, equal := id.Revision(""), `1 = 1 OR v.revision_id = $2`
	if wanted, ok := outdated.Get(); ok {
		head, equal = r.Head, `v.revision_id = $2`
		if wanted {
			equal = `v.revision_id <> $2`
		}
	}
	var count int
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM change_request_review v WHERE v.change_request_id = $1 AND (`+
		equal+`)`, r.ID, head).Scan(&count)
	if err != nil {
		return nil, 0, fmt.Errorf("count reviews: %w", err)
	}
	reviews, err := queryReviews(ctx, q, r, `
		SELECT `+reviewColumns+` FROM change_request_review v
		WHERE v.change_request_id = $1 AND (`+equal+`) AND (v.created_at, v.id) < ($3, $4)
		ORDER BY v.created_at DESC, v.id DESC LIMIT $5`, r.ID, head, at, last, page.Size()+1)
	return reviews, count, err
}

func queryReviews(ctx context.Context, q db.Querier, r Request, query string, args ...any) ([]Review, error) {
	return db.All(ctx, q, "list reviews", func(row db.Scanner) (Review, error) {
		v := Review{Request: r.ID}
		var requestedBy sql.Null[id.User]
		var created int64
		err := row.Scan(&v.ID, &v.Revision, &v.Reviewer, &requestedBy, &v.Status, &v.Comment,
			&created)
		v.RequestedBy, v.CreatedAt, v.Outdated = requestedBy.V, time.UnixMicro(created).UTC(), v.Revision != r.Head
		return v, err
	}, query, args...)
}

// verdicts returns the last review of everybody who has reviewed.
func verdicts(ctx context.Context, q db.Querier, r Request) ([]Verdict, error) {
	reviews, err := queryReviews(ctx, q, r, `
		SELECT `+reviewColumns+
		` FROM change_request_review v WHERE v.change_request_id = $1 ORDER BY v.created_at DESC, v.id DESC`, r.ID)
	if err != nil {
		return nil, err
	}
	var last []Verdict
	seen := map[id.User]bool{}
	for _, v := range reviews {
		if !seen[v.Reviewer] {
			seen[v.Reviewer] = true
			last = append(last, Verdict{Reviewer: v.Reviewer, Status: v.Status, Outdated: v.Outdated})
		}
	}
	return last, nil
}

// requesterOf returns who has asked somebody for a review, "" for nobody.
func requesterOf(ctx context.Context, q db.Querier, requestID id.ChangeRequest, userID id.User) (id.User, error) {
	var requester sql.Null[id.User]
	err := q.QueryRowContext(ctx,
		`SELECT requested_by FROM change_request_reviewer WHERE change_request_id = $1 AND user_id = $2`, requestID,
		userID).Scan(&requester)
	if err != nil && !errors.Is(err, db.ErrNoRows) {
		return "", fmt.Errorf("select requested reviewer: %w", err)
	}
	return requester.V, nil
}

func putReviewer(ctx context.Context, q db.Querier, requestID id.ChangeRequest, r Reviewer) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO change_request_reviewer (change_request_id, user_id, revision_id, requested_by, created_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (change_request_id, user_id) DO UPDATE
		SET revision_id = excluded.revision_id, requested_by = excluded.requested_by, created_at = excluded.created_at`,
		requestID, r.User, r.Revision, r.RequestedBy, r.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("store requested reviewer: %w", err)
	}
	return nil
}

func deleteReviewer(ctx context.Context, q db.Querier, requestID id.ChangeRequest, userID id.User) (bool, error) {
	result, err := q.ExecContext(ctx,
		`DELETE FROM change_request_reviewer WHERE change_request_id = $1 AND user_id = $2`, requestID, userID)
	if err != nil {
		return false, fmt.Errorf("delete requested reviewer: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("delete requested reviewer: %w", err)
	}
	return n == 1, nil
}

func listReviewers(ctx context.Context, q db.Querier, requestID id.ChangeRequest,
	page paging.Request) ([]Reviewer, int, error) {
	at, last, err := page.Time(0, "")
	if err != nil {
		return nil, 0, err
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM change_request_reviewer WHERE change_request_id = $1`,
		requestID).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count requested reviewers: %w", err)
	}
	reviewers, err := db.All(ctx, q, "list requested reviewers", func(row db.Scanner) (Reviewer, error) {
		var r Reviewer
		var requestedBy sql.Null[id.User]
		var created int64
		err := row.Scan(&r.User, &r.Revision, &requestedBy, &created)
		r.RequestedBy, r.CreatedAt = requestedBy.V, time.UnixMicro(created).UTC()
		return r, err
	}, `
		SELECT user_id, revision_id, requested_by, created_at FROM change_request_reviewer
		WHERE change_request_id = $1 AND (created_at, user_id) > ($2, $3) ORDER BY created_at, user_id LIMIT $4`,
		requestID, at, last, page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return reviewers, count, nil
}

func listContributors(ctx context.Context, q db.Querier, requestID id.ChangeRequest,
	page paging.Request) ([]Contributor, int, error) {
	at, last, err := page.Time(0, "")
	if err != nil {
		return nil, 0, err
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM change_request_contributor WHERE change_request_id = $1`,
		requestID).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count contributors: %w", err)
	}
	// A change request has few contributors: they are sorted as they are read.
	contributors, err := db.All(ctx, q, "list contributors", func(row db.Scanner) (Contributor, error) {
		var c Contributor
		var created, updated int64
		err := row.Scan(&c.User, &c.Revisions, &created, &updated)
		c.CreatedAt, c.UpdatedAt = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
		return c, err
	}, `
		SELECT user_id, revision_count, created_at, updated_at FROM change_request_contributor
		WHERE change_request_id = $1 AND (created_at, user_id) > ($2, $3) ORDER BY created_at, user_id LIMIT $4`,
		requestID, at, last, page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return contributors, count, nil
}

func microText(t time.Time) string { return strconv.FormatInt(t.UnixMicro(), 10) }
