package change

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Outcome says what a merge, an update or an undo did, or would do.
type Outcome struct {
	// Request is the change request afterwards; of an undo the new one, or the one that was undone.
	Request Request
	// Revision is the head of the branch that was to move: main, or that of the change request.
	Revision id.Revision
	// Changed says that there is, or would be, a new revision.
	Changed bool
	// Conflicts are in the way. After an update they wait to be settled; after a merge or an undo nothing has changed.
	Conflicts []Conflict
}

// errMoved says that the change request has changed since it was read: read it again.
var errMoved = errors.New("the change request has changed meanwhile")

// MaxMessage is the most characters of what the history of main says of a merge.
const MaxMessage = 250

// maxMoves is how often an operation starts over because somebody has changed the change request meanwhile.
const maxMoves = 20

// again runs an attempt until it does not fail with errMoved.
func again(attempt func() error) error {
	for range maxMoves {
		if err := attempt(); !errors.Is(err, errMoved) {
			return err
		}
	}
	return errs.Wrap(errMoved, errs.Unavailable, "Others keep changing this change request; try again in a moment.")
}

// atRest is again for what needs a change request without unwritten text, with the action that it takes. Where people
// write without a pause there is always some, so after a first attempt in vain it holds the change request meanwhile.
func (s *Service) atRest(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	action access.SpaceAction, attempt func() error) error {
	if err := attempt(); !errors.Is(err, errMoved) {
		return err
	}
	_, found, err := load(ctx, s.deps.DB.Read(), caller, spaceID, idOrNumber, action)
	if err != nil {
		return err
	}
	if err := setHeld(ctx, s.deps.DB.Write(), found.ID, s.clock().Add(holdTime).UnixMicro()); err != nil {
		return err
	}
	defer func() {
		// A hold that cannot be ended ends by itself.
		_ = setHeld(context.WithoutCancel(ctx), s.deps.DB.Write(), found.ID, 0)
	}()
	return again(attempt)
}

// Merge brings a change request into main and makes it merged. It needs the role review. A merge makes one revision of
// store.TypeMerge, or none when the change request changes nothing. With conflicts, be it that main has moved on or
// that those of an update are not settled, nothing changes. A change request that is merged or archived, and one that
// does not meet the merge rules, is refused with an errs.Conflict error that names each rule. dryRun finds out what
// would happen, and changes nothing. message is what the history of main says of the merge; "" names the change
// request.
func (s *Service) Merge(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	message string, dryRun bool) (Outcome, error) {
	message, err := field.Text("message", message, 0, MaxMessage)
	if err != nil {
		return Outcome{}, err
	}
	var outcome Outcome
	attempt := func() error {
		_, r, err := s.current(ctx, caller, spaceID, idOrNumber, access.MergeSpace)
		if err != nil {
			return err
		}
		outcome, err = s.merge(ctx, caller, r, message, dryRun)
		return err
	}
	if dryRun {
		err = again(attempt)
	} else {
		err = s.atRest(ctx, caller, spaceID, idOrNumber, access.MergeSpace, attempt)
	}
	return outcome, err
}

// merge makes one attempt with the change request as it was read.
func (s *Service) merge(ctx context.Context, caller account.Caller, r Request, message string,
	dryRun bool) (Outcome, error) {
	if err := r.requireMergeable(); err != nil {
		return Outcome{}, err
	}
	rules, err := rulesFor(ctx, s.deps.DB.Read(), r)
	if err != nil {
		return Outcome{}, err
	}
	more, err := s.moreFacts(ctx, rules, r)
	if err != nil {
		return Outcome{}, err
	}
	if err := rules.require(ctx, s.deps.DB.Read(), r, caller.User.ID, more); err != nil {
		return Outcome{}, err
	}
	if r.Conflicts > 0 {
		open, err := openConflicts(ctx, s.deps.DB.Read(), r.ID)
		if err != nil {
			return Outcome{}, err
		}
		return Outcome{Request: r, Revision: r.main, Conflicts: open}, s.fill(ctx, r.Space, open)
	}
	if message == "" {
		message = r.title("Merge")
	}
	merged := r
	result, err := s.deps.Content.MergeBranch(ctx, store.MergeRequest{
		Space: r.Space, Branch: r.Branch, Author: caller.User.ID, Message: message, DryRun: dryRun,
		Also: func(ctx context.Context, q db.Querier, made store.Revision) error {
			var err error
			merged, err = s.markMerged(ctx, q, caller, r, made, more)
			return err
		},
	})
	if err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Request: merged, Revision: result.Revision.ID, Changed: result.Changed}
	if len(result.Conflicts) > 0 {
		outcome.Conflicts, err = s.foresee(ctx, r)
	}
	return outcome, err
}

// markMerged makes a change request merged, in the transaction in which main has moved to what was made.
func (s *Service) markMerged(ctx context.Context, q db.Querier, caller account.Caller, before Request,
	made store.Revision,
	more map[string]any) (Request, error) {
	now, err := find(ctx, q, before.Space, before.ID)
	if err != nil {
		return Request{}, err
	}
	if err := now.requireMergeable(); err != nil {
		return Request{}, err
	}
	if now.Head != before.Head || now.Conflicts > 0 || now.Unwritten {
		return Request{}, errMoved
	}
	// What the rules look at is the change request as it was until now: the merge has already made it part of main.
	main := made.ID
	if made.MergedFrom == now.Branch && len(made.Parents) == 2 && made.Parents[1] == now.Head {
		main = made.Parents[0]
	}
	judged := now
	judged.Base, judged.Outdated = before.Base, before.Base != main
	rules, err := rulesFor(ctx, q, now)
	if err != nil {
		return Request{}, err
	}
	if err := rules.require(ctx, q, judged, caller.User.ID, more); err != nil {
		return Request{}, err
	}
	if err := recount(ctx, q, now.Space, now.Status, Merged); err != nil {
		return Request{}, err
	}
	now.Status, now.Merged, now.MergedBy, now.Outdated = Merged, made.ID, caller.User.ID, false
	now.UpdatedAt = s.after(now)
	now.MergedAt = now.UpdatedAt
	if err := setMerged(ctx, q, now); err != nil {
		return Request{}, err
	}
	if err := s.hooks.Get().Closed(ctx, q, now); err != nil {
		return Request{}, err
	}
	return now, s.tell(ctx, q, now, notification.Merge, caller.User.ID, now.MergedAt, true)
}

func (r Request) requireMergeable() error {
	switch r.Status {
	case Merged:
		return errs.Conflictf("The change request is merged already, as revision %s.", r.Merged)
	case Archived:
		return errs.Conflictf("The change request is archived; set its status to open to merge it.")
	}
	return nil
}

// title is the message of a revision about a change request.
func (r Request) title(verb string) string {
	title := fmt.Sprintf("%s change request #%d", verb, r.Number)
	if r.Subject != "" {
		title += ": " + r.Subject
	}
	return title
}

// foresee returns the conflicts that an update would meet, presentable.
func (s *Service) foresee(ctx context.Context, r Request) ([]Conflict, error) {
	conflicts, err := s.ahead(ctx, r)
	if err != nil {
		return nil, err
	}
	return conflicts, s.fill(ctx, r.Space, conflicts)
}

// ahead returns the conflicts that an update would meet, with the hashes of bodies. Settlements of before count.
func (s *Service) ahead(ctx context.Context, r Request) ([]Conflict, error) {
	choices, err := choicesOf(ctx, s.deps.DB.Read(), r.ID)
	if err != nil {
		return nil, err
	}
	preview, err := s.deps.Content.PreviewMerge(ctx, r.Space, r.Base, r.Head, r.main, choices)
	if err != nil {
		return nil, err
	}
	conflicts := make([]Conflict, 0, len(preview.Conflicts))
	for i, found := range preview.Conflicts {
		c := newConflict(r.ID, found)
		c.Ahead, c.position = true, i
		conflicts = append(conflicts, c)
	}
	return conflicts, nil
}

// present makes the conflicts of an undo presentable.
func (s *Service) present(ctx context.Context, r Request, found []merge.Conflict) ([]Conflict, error) {
	conflicts := make([]Conflict, 0, len(found))
	for _, c := range found {
		conflicts = append(conflicts, newConflict(r.ID, c))
	}
	return conflicts, s.fill(ctx, r.Space, conflicts)
}
