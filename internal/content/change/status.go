package change

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Edit is the input of Update: what is absent stays as it is.
type Edit struct {
	// Subject may not be null.
	Subject optional.Value[string]
	// Description is Markdown; null takes it away.
	Description optional.Value[string]
	// Status may not be null.
	Status optional.Value[Status]
}

// Update changes a change request and returns it as it is then. It needs the role edit. A move that Status does not
// allow, and any change of a merged one, is an errs.Conflict error.
func (s *Service) Update(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	edit Edit) (Request, error) {
	var after Request
	attempt := func() error {
		return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			_, before, err := load(ctx, q, caller, spaceID, idOrNumber, access.EditSpace)
			if err != nil {
				return err
			}
			after, err = s.apply(ctx, q, caller, before, edit)
			return err
		})
	}
	var err error
	if status, _ := edit.Status.Get(); status == Archived {
		err = s.atRest(ctx, caller, spaceID, idOrNumber, access.EditSpace, func() error {
			if _, _, err := s.current(ctx, caller, spaceID, idOrNumber, access.EditSpace); err != nil {
				return err
			}
			return attempt()
		})
	} else {
		err = again(attempt)
	}
	if err != nil {
		return Request{}, err
	}
	return after, nil
}

// apply changes a change request in a transaction.
func (s *Service) apply(ctx context.Context, q db.Querier, caller account.Caller, before Request,
	edit Edit) (Request, error) {
	after, err := edit.apply(before)
	if err != nil || after == before {
		return before, err
	}
	if before.Status == Merged {
		return before, errs.Conflictf("The change request is merged and stays as it is.")
	}
	if after.Status != before.Status {
		if err := recount(ctx, q, before.Space, before.Status, after.Status); err != nil {
			return before, err
		}
	}
	if after.Status == Archived && before.Status != Archived {
		if before.Unwritten {
			return before, errMoved
		}
		if err := s.hooks.Get().Closed(ctx, q, after); err != nil {
			return before, err
		}
	}
	after.UpdatedAt = s.after(before)
	if err := noteChange(ctx, q, before, after, caller.User.ID); err != nil {
		return before, err
	}
	return after, updateRequest(ctx, q, after)
}

// apply returns the change request as the edit makes it.
func (e Edit) apply(r Request) (Request, error) {
	const refused = "may not be null; leave it out to keep it as it is"
	if e.Subject.IsNull() {
		return r, errs.Invalidf("subject", refused)
	}
	if e.Status.IsNull() {
		return r, errs.Invalidf("status", refused)
	}
	var err error
	if subject, ok := e.Subject.Get(); ok {
		if r.Subject, err = field.Text("subject", subject, 0, MaxSubject); err != nil {
			return r, err
		}
	}
	if e.Description.IsSet() {
		r.Description = e.Description.Or("")
		if err = checkDescription(r.Description); err != nil {
			return r, err
		}
	}
	if status, ok := e.Status.Get(); ok {
		r.Status, err = r.Status.to(status)
	}
	return r, err
}

// to returns the status after a move that somebody asks for; merging is not among those.
func (s Status) to(next Status) (Status, error) {
	if err := field.OneOf("status", next, Draft, Open, Archived, Merged); err != nil {
		return s, err
	}
	switch {
	case s == next:
		return s, nil
	case s == Merged:
		return s, errs.Conflictf("The change request is merged; that is final. To take its changes back, undo it.")
	case next == Merged:
		return s, errs.Conflictf("A change request becomes merged by merging it, not by setting its status.")
	}
	return next, nil
}
