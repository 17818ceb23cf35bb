package comment

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Commenter is a member of the space's organization who takes part in a scope's discussion.
type Commenter struct {
	org.Member
	Person account.User
	// Posts is the number of their comments and replies in the scope; at least 1.
	Posts int
	// LastAt is when they posted last.
	LastAt time.Time
}

// Commenters returns a page of the members with comments or replies in a scope, in the order of their user ids, with
// the number of all of them and the keys of the next page (nil on the last). People who have left the organization are
// not among them.
func (s *Service) Commenters(ctx context.Context, caller account.Caller, scope Scope,
	page paging.Request) (commenters paging.Page[Commenter], err error) {
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		r, err := s.enter(ctx, q, caller, scope)
		if err != nil {
			return err
		}
		if commenters.Items, commenters.Count, err = listCommenters(ctx, q, r, page); err != nil {
			return err
		}
		commenters.Cut(page.Size(), func(c Commenter) []string { return []string{string(c.User)} })
		ids := make([]id.User, len(commenters.Items))
		for i, each := range commenters.Items {
			ids[i] = each.User
		}
		users, err := s.accounts.UsersIn(ctx, q, ids)
		for i := range commenters.Items {
			commenters.Items[i].Person = users[commenters.Items[i].User]
		}
		return err
	})
	if err != nil {
		return paging.Page[Commenter]{}, err
	}
	return commenters, nil
}

// OpenOnSpaces returns the number of open comments on spaces themselves, those on their change requests left out, by
// the ids of the spaces. A space without any is absent. It checks no access.
func (s *Service) OpenOnSpaces(ctx context.Context, spaceIDs []id.Space) (map[id.Space]int, error) {
	return countOpen(ctx, s.db.Read(), "space_id", "change_request_id = ''", nil, spaceIDs)
}

// OpenOnChangeRequests returns the number of open comments on change requests of a space, by the ids of the change
// requests. One without any is absent. It checks no access.
func (s *Service) OpenOnChangeRequests(ctx context.Context, spaceID id.Space,
	changeRequestIDs []id.ChangeRequest) (map[id.ChangeRequest]int, error) {
	return countOpen(ctx, s.db.Read(), "change_request_id", "space_id = $1", []any{spaceID}, changeRequestIDs)
}

// countPost notes that a user has posted once more in a scope.
func countPost(ctx context.Context, q db.Querier, r room, userID id.User, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO comment_commenter (space_id, change_request_id, user_id, posts, last_at) VALUES ($1, $2, $3, 1, $4)
		ON CONFLICT (space_id, change_request_id, user_id)
		DO UPDATE SET posts = comment_commenter.posts + 1, last_at = excluded.last_at`,
		r.ID, r.changeRequest, userID, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("count post: %w", err)
	}
	return nil
}

// discountPosts notes that some posts of a user are gone from a scope. There is nothing to note for accounts that are
// gone.
func discountPosts(ctx context.Context, q db.Querier, r room, userID id.User, posts int) error {
	if userID == "" {
		return nil
	}
	_, err := q.ExecContext(ctx, `
		DELETE FROM comment_commenter WHERE space_id = $1 AND change_request_id = $2 AND user_id = $3 AND posts <= $4`,
		r.ID, r.changeRequest, userID, posts)
	if err != nil {
		return fmt.Errorf("delete commenter: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		UPDATE comment_commenter SET posts = posts - $4 WHERE space_id = $1 AND change_request_id = $2 AND user_id = $3`,
		r.ID, r.changeRequest, userID, posts)
	if err != nil {
		return fmt.Errorf("discount posts: %w", err)
	}
	return nil
}

func listCommenters(ctx context.Context, q db.Querier, r room, page paging.Request) ([]Commenter, int, error) {
	const from = ` FROM comment_commenter c
		JOIN organization_member m ON m.user_id = c.user_id AND m.organization_id = $3
		WHERE c.space_id = $1 AND c.change_request_id = $2`
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*)`+from, r.ID, r.changeRequest, r.Organization).
		Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count commenters: %w", err)
	}
	after := ""
	if page.After != nil {
		if len(page.After) != 1 {
			return nil, 0, noCursor()
		}
		after = page.After[0]
	}
	commenters, err := db.All(ctx, q, "list commenters", func(row db.Scanner) (Commenter, error) {
		var (
			c              Commenter
			role           sql.Null[string]
			lastAt, joined int64
		)
		err := row.Scan(&c.User, &c.Posts, &lastAt, &role, &joined)
		c.Organization, c.Role = r.Organization, org.Role(role.V)
		c.JoinedAt, c.LastAt = time.UnixMicro(joined).UTC(), time.UnixMicro(lastAt).UTC()
		return c, err
	}, `
		SELECT c.user_id, c.posts, c.last_at, m.role, m.joined_at`+from+` AND c.user_id > $4
		ORDER BY c.user_id LIMIT $5`, r.ID, r.changeRequest, r.Organization, after, page.Size()+1)
	if err != nil {
		return nil, 0, err
	}
	return commenters, count, nil
}
