package change

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Undo takes back what the merge of a change request has changed in main, and nothing else: later edits stay. The
// inverse becomes a new draft with the role edit, or, when direct, a revision of main itself, which needs the role
// review and a space that is not locked. Where later edits stand in the way the outcome has conflicts and nothing
// changes. A change request that is not merged, that changed nothing, or whose changes are gone from main already is
// refused with an errs.Conflict error.
func (s *Service) Undo(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	direct bool) (Outcome, error) {
	action := access.EditSpace
	if direct {
		action = access.MergeSpace
	}
	allowed, r, err := load(ctx, s.deps.DB.Read(), caller, spaceID, idOrNumber, action)
	if err != nil {
		return Outcome{}, err
	}
	if r.Status != Merged {
		return Outcome{}, errs.Conflictf("The change request is %s; only a merged one can be undone.", r.Status)
	}
	if direct {
		if err := allowed.RequireDirectWrite(); err != nil {
			return Outcome{}, err
		}
	}
	made, err := s.deps.Content.Revision(ctx, r.Merged)
	if err != nil {
		return Outcome{}, err
	}
	if made.MergedFrom != r.Branch {
		return Outcome{}, errs.Conflictf(
			"The change request changed nothing when it was merged; there is nothing to undo.")
	}
	inverse := store.RevertRequest{Space: spaceID, Revision: made.ID, Author: caller.User.ID, Message: r.title("Undo")}
	if direct {
		return s.undoDirectly(ctx, caller, r, inverse)
	}
	return s.undoByRequest(ctx, caller, r, inverse)
}

func (s *Service) undoDirectly(ctx context.Context, caller account.Caller, r Request,
	inverse store.RevertRequest) (Outcome, error) {
	inverse.Also = func(ctx context.Context, q db.Querier, made store.Revision) error {
		// The space may have been locked since.
		allowed, err := access.RequireSpace(ctx, q, caller, r.Space, access.MergeSpace)
		if err != nil {
			return err
		}
		if err := allowed.RequireDirectWrite(); err != nil {
			return err
		}
		return note(ctx, q, r.ID, Event{Kind: EventUndone, Actor: caller.User.ID, CreatedAt: made.CreatedAt})
	}
	result, err := s.deps.Content.Revert(ctx, inverse)
	if err != nil {
		return Outcome{}, err
	}
	return s.undone(ctx, r, r, result)
}

// undoByRequest makes a change request with the inverse. It begins from the very revision of main that the inverse was
// tried on, so that the second try gives the same.
func (s *Service) undoByRequest(ctx context.Context, caller account.Caller, r Request,
	inverse store.RevertRequest) (Outcome, error) {
	trial := inverse
	trial.DryRun = true
	tried, err := s.deps.Content.Revert(ctx, trial)
	if err != nil {
		return Outcome{}, err
	}
	if len(tried.Conflicts) > 0 || !tried.Changed {
		return s.undone(ctx, r, r, tried)
	}
	subject := []rune(r.title("Undo"))
	made, err := s.Create(ctx, caller, r.Space, New{Subject: string(subject[:min(len(subject), MaxSubject)]),
		From: tried.Revision.ID})
	if err != nil {
		return Outcome{}, err
	}
	inverse.Branch = made.Branch
	inverse.Also = func(ctx context.Context, q db.Querier, revision store.Revision) error {
		return note(ctx, q, r.ID, Event{Kind: EventUndone, Actor: caller.User.ID, Number: made.Number,
			CreatedAt: revision.CreatedAt})
	}
	result, err := s.deps.Content.Revert(ctx, inverse)
	if err != nil {
		return Outcome{}, err
	}
	after, err := find(ctx, s.deps.DB.Read(), r.Space, made.ID)
	if err != nil {
		return Outcome{}, err
	}
	return s.undone(ctx, r, after, result)
}

// undone is the outcome of an undo. after is what the answer is about.
func (s *Service) undone(ctx context.Context, r, after Request, result store.MergeResult) (Outcome, error) {
	outcome := Outcome{Request: after, Revision: result.Revision.ID, Changed: result.Changed}
	if len(result.Conflicts) > 0 {
		// Here ours is main as it is, and theirs what it was before the merge.
		var err error
		outcome.Conflicts, err = s.present(ctx, r, result.Conflicts)
		for i := range outcome.Conflicts {
			c := &outcome.Conflicts[i]
			c.Main, c.Own = c.Own, c.Main
			for j := range c.Hunks {
				h := &c.Hunks[j]
				h.Main, h.Own, h.OwnStart, h.OwnEnd = h.Own, h.Main, 0, 0
			}
		}
		return outcome, err
	}
	if !result.Changed {
		return Outcome{}, errs.Conflictf(
			"What the change request changed is not in the main content any more; there is nothing to undo.")
	}
	return outcome, nil
}
