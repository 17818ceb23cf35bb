package comment

import (
	"context"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
)

// room is a scope as one caller sees it.
type room struct {
	access.Space
	// changeRequest is the id of the change request; "" for the space itself.
	changeRequest string
	// head is the scope's current revision.
	head string
}

// door is a scope that has been found, before it is known who may go in.
type door struct {
	space         string
	changeRequest string
	head          string
}

// find finds the change request of a scope. What it is called never changes, so it need not be in the transaction that
// checks access.
func (s *Service) find(ctx context.Context, caller account.Caller, scope Scope) (door, error) {
	if scope.ChangeRequest == "" {
		return door{space: scope.Space}, nil
	}
	return door{}, errs.NotFoundf("There is no such change request, or you may not see it.")
}

// enter lets a caller into a scope who may read the space; the space may not be in the trash.
func (d door) enter(ctx context.Context, q db.Querier, caller account.Caller) (room, error) {
	space, err := access.LoadSpace(ctx, q, caller, d.space)
	if err != nil {
		return room{}, err
	}
	if space.Trashed {
		return room{}, errs.NotFoundf("The space is in the trash, and its discussions are out of reach; restore it first.")
	}
	r := room{Space: space, changeRequest: d.changeRequest, head: d.head}
	if d.changeRequest == "" {
		r.head = space.Head
	}
	return r, nil
}

// take is enter for a caller who is to take part in the discussion.
func (d door) take(ctx context.Context, q db.Querier, caller account.Caller) (room, error) {
	r, err := d.enter(ctx, q, caller)
	if err == nil {
		err = r.Require(access.CommentOnSpace)
	}
	return r, err
}
