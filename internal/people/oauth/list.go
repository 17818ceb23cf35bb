package oauth

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// List returns a page of what the caller lets programs do, the newest first. Who came in by an organization's word
// alone sees what they agreed to so, and nothing else.
func (s *Service) List(ctx context.Context, caller account.Caller,
	page paging.Request) (paging.Page[Authorization], error) {
	var list paging.Page[Authorization]
	after, err := page.OneKey()
	if err != nil {
		return list, err
	}
	const of = `WHERE a.user_id = $1 AND ($2 = '' OR a.vouched_by = $2) AND a.ended_at IS NULL
		AND a.code_used_at IS NOT NULL AND a.expires_at > $3`
	now := s.moment().UnixMicro()
	if err := s.db.Read().QueryRowContext(ctx, `SELECT count(*) FROM oauth_authorization a `+of, caller.User.ID,
		caller.VouchedBy(), now).Scan(&list.Count); err != nil {
		return list, fmt.Errorf("count authorizations: %w", err)
	}
	found, err := db.All(ctx, s.db.Read(), "list authorizations", scan, `
		SELECT `+authorizationColumns+authorizationTables+of+` AND ($4 = '' OR a.id < $4)
		ORDER BY a.id DESC LIMIT $5`, caller.User.ID, caller.VouchedBy(), now, after, page.Size()+1)
	if err != nil {
		return list, err
	}
	for _, each := range found {
		list.Items = append(list.Items, each.Authorization)
	}
	list.Cut(page.Size(), func(a Authorization) []string { return []string{a.ID} })
	return list, nil
}

// End ends what the caller let a program do, with all its tokens, at once.
func (s *Service) End(ctx context.Context, caller account.Caller, authorizationID string) error {
	none := errs.NotFoundf("You let in no such program; open the list again.")
	if !id.Valid("authorization", authorizationID) {
		return none
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := scan(q.QueryRowContext(ctx, `
			SELECT `+authorizationColumns+authorizationTables+`
			WHERE a.id = $1 AND a.user_id = $2 AND ($3 = '' OR a.vouched_by = $3)`, authorizationID, caller.User.ID,
			caller.VouchedBy()))
		if errors.Is(err, db.ErrNoRows) {
			return none
		}
		if err != nil {
			return fmt.Errorf("select authorization: %w", err)
		}
		return s.end(ctx, q, found, "by the person")
	})
}

// EndVouched ends, in the transaction in which the address of an account is proven, what only an organization's word
// stood behind. The tokens themselves are ended by package account.
func EndVouched(ctx context.Context, q db.Querier, userID id.User) error {
	_, err := q.ExecContext(ctx, `
		UPDATE oauth_authorization SET ended_at = refreshed_at
		WHERE user_id = $1 AND vouched_by <> '' AND ended_at IS NULL`, userID)
	if err != nil {
		return fmt.Errorf("end authorizations that are not proven: %w", err)
	}
	return nil
}

// EndAll ends all that a user let programs do, in the transaction in which package account revokes all of their tokens.
func EndAll(ctx context.Context, q db.Querier, userID id.User) error {
	_, err := q.ExecContext(ctx,
		`UPDATE oauth_authorization SET ended_at = refreshed_at WHERE user_id = $1 AND ended_at IS NULL`, userID)
	if err != nil {
		return fmt.Errorf("end authorizations: %w", err)
	}
	return nil
}
