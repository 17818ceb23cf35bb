package edit

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// request is the content of a change request for a caller who may write to it.
func (s *Service) request(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest) (target, change.Request, error) {
	found, err := s.deps.Changes.Require(ctx, s.deps.DB.Read(), caller, spaceID, idOrNumber, access.EditSpace)
	if err != nil {
		return target{}, change.Request{}, err
	}
	// Package change refuses the move of the branch in any case; saying so early spares the work before it.
	if found.Status == change.Merged || found.Status == change.Archived {
		return target{}, change.Request{},
			errs.Conflictf("The change request is %s; its content does not change any more.", found.Status)
	}
	readsSpecs, err := s.access.ReadsSpecs(ctx, caller, found.Organization)
	if err != nil {
		return target{}, change.Request{}, err
	}
	return target{
		space: spaceID, branch: found.Branch, origin: string(found.Base), author: caller.User.ID,
		readsSpecs: readsSpecs,
		guard: func(ctx context.Context, q db.Querier) error {
			_, err := s.deps.Changes.Require(ctx, q, caller, spaceID, found.ID, access.EditSpace)
			return err
		},
	}, found, nil
}

// UpdateChangeRequest applies a batch to the content of a change request, which is named by its id or its number in the
// space. It needs the role edit; a locked space takes it, a change request that is merged or archived does not. It
// returns the change request as it is afterwards. A page that is set back to no revision in particular goes back to
// what the change request and main have in common.
func (s *Service) UpdateChangeRequest(ctx context.Context, caller account.Caller, idOrNumber id.ChangeRequest,
	batch Batch) (Result, change.Request, error) {
	at, found, err := s.request(ctx, caller, batch.Space, idOrNumber)
	if err != nil {
		return Result{}, change.Request{}, err
	}
	result, err := s.apply(ctx, at, batch)
	if err != nil {
		return Result{}, change.Request{}, err
	}
	found, err = s.deps.Changes.Get(ctx, caller, batch.Space, found.ID)
	return result, found, err
}

// UploadToChangeRequest is UploadToSpace for a change request.
func (s *Service) UploadToChangeRequest(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest, next func() (Upload, error)) (Result, change.Request, error) {
	at, found, err := s.request(ctx, caller, spaceID, idOrNumber)
	if err != nil {
		return Result{}, change.Request{}, err
	}
	result, err := s.upload(ctx, at, next)
	return result, found, err
}

// ReplaceInChangeRequest is ReplaceInSpace for a change request.
func (s *Service) ReplaceInChangeRequest(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest, fileID string, next func() (Upload, error)) (Result, error) {
	at, _, err := s.request(ctx, caller, spaceID, idOrNumber)
	if err != nil {
		return Result{}, err
	}
	return s.replace(ctx, at, fileID, next)
}
