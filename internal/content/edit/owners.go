package edit

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
)

// setOwner says who is asked about a page: somebody who may read it. Who is it already stays so.
func (w *work) setOwner(ctx context.Context, e *entity.Entry, owner optional.Value[string]) error {
	if !owner.IsSet() {
		return nil
	}
	userID := owner.Or("")
	if userID == e.Owner || userID == "" {
		e.Owner = userID
		return nil
	}
	if !id.Valid("user", id.User(userID)) {
		return errs.Invalidf("owner", "%.60q is not the id of a user", userID)
	}
	reads, err := w.reads(ctx, id.User(userID))
	if err != nil {
		return err
	}
	if !reads {
		return errs.Invalidf("owner", "%.80q is nobody who may read the space; give them access first", userID)
	}
	e.Owner = userID
	return nil
}

// reads says whether somebody may read the space.
func (w *work) reads(ctx context.Context, userID id.User) (bool, error) {
	caller := account.Caller{User: account.User{ID: userID}}
	_, err := w.service.access.RequireSpace(ctx, caller, w.target.space, access.ViewSpace)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
		return false, nil
	}
	return err == nil, err
}

// nameOf returns what somebody is called who may read the space, "" of others: a writer learns no names by their ids.
func (w *work) nameOf(ctx context.Context, userID id.User) (string, error) {
	if !id.Valid("user", userID) {
		return "", nil
	}
	if reads, err := w.reads(ctx, userID); err != nil || !reads {
		return "", err
	}
	user, err := w.service.deps.Accounts.UserByID(ctx, userID)
	if errs.Is(err, errs.NotFound) {
		return "", nil
	}
	return user.DisplayName, err
}
