package comment

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// room is a scope as one caller sees it.
type room struct {
	access.Space
	// changeRequest is the id of the change request; "" for the space itself.
	changeRequest id.ChangeRequest
	// head is the scope's current revision.
	head id.Revision
	// number and subject are those of the change request; 0 and "" for the space itself.
	number  int
	subject string
}

// enter lets a caller into a scope who may read the space; the space may not be in the trash. It runs in the caller's
// transaction, or outside one.
func (s *Service) enter(ctx context.Context, q db.Querier, caller account.Caller, scope Scope) (room, error) {
	space, err := access.LoadSpace(ctx, q, caller, scope.Space)
	if err != nil {
		return room{}, err
	}
	if space.Trashed {
		return room{}, errs.NotFoundf(
			"The space is in the trash, and its discussions are out of reach; restore it first.")
	}
	if scope.ChangeRequest == "" {
		return room{Space: space, head: space.Head}, nil
	}
	request, err := s.changes.Require(ctx, q, caller, space.ID, scope.ChangeRequest, access.ViewSpace)
	if err != nil {
		return room{}, err
	}
	return room{Space: space, changeRequest: request.ID, head: request.Head, number: request.Number,
		subject: request.Subject}, nil
}

// take is enter for a caller who is to take part in the discussion.
func (s *Service) take(ctx context.Context, q db.Querier, caller account.Caller, scope Scope) (room, error) {
	r, err := s.enter(ctx, q, caller, scope)
	if err == nil {
		err = r.Require(access.CommentOnSpace)
	}
	return r, err
}
