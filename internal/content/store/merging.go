package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/platform/db"
)

// MergeRequest asks for one branch to be brought into another.
type MergeRequest struct {
	Space id.Space
	// Branch is the id of the change request's branch.
	Branch  id.Branch
	Author  id.User
	Message string
	// DryRun finds out what would happen and changes nothing.
	DryRun bool
	// Choices settle conflicts, by their ids.
	Choices map[string]merge.Choice
	// KeepOurs, for UpdateBranch, takes what can be merged and leaves the change request's own version where there is a
	// conflict; the conflicts are returned all the same.
	KeepOurs bool
	// Also runs in the transaction that moves the head, not with DryRun.
	Also Also
	// Found, if not nil, is set before Also runs to what the result is going to be, but for Revision.
	Found *MergeResult
}

// MergeResult says what a merge or update did, or would do.
type MergeResult struct {
	// Conflicts are what is in the way: with any of them nothing was changed, unless KeepOurs was set. Ours is the
	// branch that the content comes into.
	Conflicts []merge.Conflict
	// Revision is the new head; the present one when nothing had to be changed, and with conflicts.
	Revision Revision
	// Changed says that there is, or would be, a new revision.
	Changed bool
}

// MergeBranch brings a change request into main with a revision of TypeMerge, whose parents are main's head and the
// change request's. It costs the same for a change of any size when main has not moved since the change request was
// last up to date. When the two cannot be merged the result has conflicts and nothing changes. A change request without
// changes makes no revision.
func (s *Service) MergeBranch(ctx context.Context, request MergeRequest) (MergeResult, error) {
	if request.KeepOurs {
		return MergeResult{}, errs.New(errs.Invalid,
			"A merge into main keeps both sides or does nothing; settle its conflicts one by one.")
	}
	var result MergeResult
	r, err := s.join(request, "", &result).run(ctx, func(ctx context.Context, _ Branch,
		main Revision) (mergePlan, error) {
		b, tip, err := s.changeRequest(ctx, request)
		if err != nil {
			return mergePlan{}, err
		}
		base, err := s.Revision(ctx, b.Base)
		if err != nil {
			return mergePlan{}, err
		}
		return mergePlan{
			base: base, ours: main, theirs: tip, kind: TypeMerge, mergedFrom: b.ID,
			guard: func(ctx context.Context, q db.Querier) error {
				if err := markMerged(ctx, q, b.ID, tip.ID); err != nil {
					return err
				}
				return copyOrigin(ctx, q, request.Space, b.ID)
			},
		}, nil
	})
	return result.finish(r, err)
}

// markMerged notes in a change request that main now contains it. An edit that came to it meanwhile must not be left
// behind: then the merge starts over.
func markMerged(ctx context.Context, q db.Querier, branchID id.Branch, tip id.Revision) error {
	result, err := q.ExecContext(ctx,
		`UPDATE content_branch SET base_revision_id = $1 WHERE id = $2 AND head_revision_id = $1`, tip, branchID)
	if err != nil {
		return fmt.Errorf("mark branch as merged: %w", err)
	}
	changed, err := result.RowsAffected()
	if err == nil && changed == 0 {
		return errLost
	}
	return err
}

// UpdateBranch brings main into a change request with a revision of TypeUpdate on its branch, whose parents are the
// change request's head and main's. A change request that is up to date gets no revision.
func (s *Service) UpdateBranch(ctx context.Context, request MergeRequest) (MergeResult, error) {
	var result MergeResult
	if request.Branch == "" {
		return MergeResult{}, errs.Invalidf("branch", "is missing: name the branch of a change request")
	}
	r, err := s.join(request, request.Branch, &result).run(ctx, func(ctx context.Context, b Branch,
		tip Revision) (mergePlan, error) {
		if b.Kind != ChangeRequest {
			return mergePlan{}, errs.Invalidf("branch", "%s is not the branch of a change request", b.ID)
		}
		_, main, err := readBranch(ctx, s.deps.DB.Read(), request.Space, "")
		if err != nil {
			return mergePlan{}, err
		}
		if b.Base == main.ID {
			return mergePlan{nothing: true}, nil
		}
		base, err := s.Revision(ctx, b.Base)
		if err != nil {
			return mergePlan{}, err
		}
		return mergePlan{base: base, ours: tip, theirs: main, kind: TypeUpdate, newBase: main.ID, always: true}, nil
	})
	return result.finish(r, err)
}

// RevertRequest asks for the inverse of one revision.
type RevertRequest struct {
	Space id.Space
	// Branch is where the inverse goes; "" is main.
	Branch id.Branch
	// Revision is what to undo: what it changed against its first parent is changed back, later edits stay.
	Revision id.Revision
	Author   id.User
	Message  string
	DryRun   bool
	Choices  map[string]merge.Choice
	Also     Also
}

// Revert undoes one revision with a new one of TypeEdits. When later edits stand in the way the result has conflicts
// and nothing changes.
func (s *Service) Revert(ctx context.Context, request RevertRequest) (MergeResult, error) {
	undone, err := s.Revision(ctx, request.Revision)
	if err != nil {
		return MergeResult{}, err
	}
	if undone.Space != request.Space {
		return MergeResult{}, errs.NotFoundf("Space %q has no revision %q.", request.Space, request.Revision)
	}
	if len(undone.Parents) == 0 {
		return MergeResult{}, errs.Conflictf("The first revision of a space cannot be undone.")
	}
	before, err := s.Revision(ctx, undone.Parents[0])
	if err != nil {
		return MergeResult{}, err
	}
	var result MergeResult
	asked := MergeRequest{
		Space: request.Space, Author: request.Author, Message: request.Message, DryRun: request.DryRun,
		Choices: request.Choices, Also: request.Also,
	}
	r, err := s.join(asked, request.Branch, &result).run(ctx, func(_ context.Context, _ Branch,
		head Revision) (mergePlan, error) {
		return mergePlan{base: undone, ours: head, theirs: before, kind: TypeEdits, single: true}, nil
	})
	return result.finish(r, err)
}

// RollbackRequest asks for a branch to go back to an earlier content.
type RollbackRequest struct {
	Space   id.Space
	Branch  id.Branch   // "" is main
	To      id.Revision // the id of any revision of the space
	Author  id.User
	Message string
	Also    Also
}

// Rollback makes a new revision of TypeRollback with exactly the content of an earlier one, redirects included. It
// copies nothing. What was changed since stays in the history.
func (s *Service) Rollback(ctx context.Context, request RollbackRequest) (Revision, error) {
	to, err := s.Revision(ctx, request.To)
	if err != nil {
		return Revision{}, err
	}
	if to.Space != request.Space {
		return Revision{}, errs.NotFoundf("Space %q has no revision %q.", request.Space, request.To)
	}
	return advance{
		service: s, space: request.Space, branch: request.Branch, author: request.Author, message: request.Message,
		also: request.Also, alone: true,
		propose: func(_ context.Context, _ Branch, head Revision) (*proposal, error) {
			if head.Root == to.Root {
				return &proposal{same: true}, nil
			}
			return &proposal{root: to.Root, paths: to.Paths, kind: TypeRollback, parents: []id.Revision{head.ID},
				generation: nextGeneration(head)}, nil
		},
	}.run(ctx)
}

// changeRequest reads the branch that a request names and its head.
func (s *Service) changeRequest(ctx context.Context, request MergeRequest) (Branch, Revision, error) {
	if request.Branch == "" {
		return Branch{}, Revision{}, errs.Invalidf("branch", "is missing: name the branch of a change request")
	}
	b, tip, err := readBranch(ctx, s.deps.DB.Read(), request.Space, request.Branch)
	if err == nil && b.Kind != ChangeRequest {
		err = errs.Invalidf("branch", "%s is not the branch of a change request", b.ID)
	}
	return b, tip, err
}

// mergePlan is what a merge is made of: theirs comes into ours.
type mergePlan struct {
	base, ours, theirs Revision
	kind               string
	mergedFrom         id.Branch
	newBase            id.Revision
	// single leaves theirs out of the parents.
	single bool
	// always makes a revision also when the content stays the same.
	always bool
	// nothing says that there is nothing to do.
	nothing bool
	guard   func(ctx context.Context, q db.Querier) error
}

// mergeRun runs a merge onto a branch.
type mergeRun struct {
	service *Service
	request MergeRequest
	target  id.Branch // the branch that moves
	result  *MergeResult
}

func (s *Service) join(request MergeRequest, target id.Branch, result *MergeResult) mergeRun {
	return mergeRun{service: s, request: request, target: target, result: result}
}

// errStop ends an advance without moving the head; the result says why.
var errStop = errors.New("nothing is to be moved")

func (r *MergeResult) finish(head Revision, err error) (MergeResult, error) {
	switch err {
	case nil:
		r.Revision = head
	case errStop:
		err = nil
	default:
		return MergeResult{}, err
	}
	return *r, nil
}

// run moves the head to what prepare gives, merged.
func (j mergeRun) run(ctx context.Context, prepare func(ctx context.Context, b Branch,
	head Revision) (mergePlan, error)) (Revision, error) {
	return advance{
		service: j.service, space: j.request.Space, branch: j.target, author: j.request.Author,
		message: j.request.Message, also: j.request.Also,
		propose: func(ctx context.Context, b Branch, head Revision) (*proposal, error) {
			*j.result = MergeResult{Revision: head}
			parts, err := prepare(ctx, b, head)
			if err != nil {
				return nil, err
			}
			p, err := j.propose(ctx, parts)
			if err != nil {
				return nil, err
			}
			j.result.Changed = p != nil && !p.same
			if j.request.Found != nil {
				*j.request.Found = *j.result
			}
			if j.request.DryRun || len(j.result.Conflicts) > 0 && !j.request.KeepOurs {
				return nil, errStop
			}
			return p, nil
		},
	}.run(ctx)
}

// propose merges and makes the revision to be; nil when conflicts are in the way.
func (j mergeRun) propose(ctx context.Context, parts mergePlan) (*proposal, error) {
	if parts.nothing {
		return &proposal{same: true}, nil
	}
	p, err := j.content(ctx, parts)
	if err != nil || p == nil {
		return nil, err
	}
	if p.root == parts.ours.Root && !parts.always {
		return &proposal{same: true, guard: parts.guard}, nil
	}
	p.kind, p.mergedFrom, p.base, p.guard = parts.kind, parts.mergedFrom, parts.newBase, parts.guard
	p.parents, p.generation = []id.Revision{parts.ours.ID, parts.theirs.ID}, nextGeneration(parts.ours, parts.theirs)
	if parts.single {
		p.parents, p.generation = p.parents[:1], nextGeneration(parts.ours)
	}
	return p, nil
}

// content makes the merged tries; nil when conflicts are in the way.
func (j mergeRun) content(ctx context.Context, parts mergePlan) (*proposal, error) {
	same := func(r Revision) *proposal { return &proposal{root: r.Root, paths: r.Paths} }
	switch {
	case parts.theirs.Root == parts.base.Root, parts.theirs.Root == parts.ours.Root:
		return same(parts.ours), nil
	case parts.ours.Root == parts.base.Root:
		// Fast forward: the merged content is theirs as it is.
		return same(parts.theirs), nil
	}
	s := j.service
	q := s.deps.DB.Read()
	base, ours, theirs := s.viewOf(q, parts.base), s.viewOf(q, parts.ours), s.viewOf(q, parts.theirs)
	way := threeWay{base: base, keepOurs: j.request.KeepOurs, choices: j.request.Choices}
	var err error
	if way.ours, err = changesBetween(ctx, base, ours); err != nil {
		return nil, err
	}
	if way.theirs, err = changesBetween(ctx, base, theirs); err != nil {
		return nil, err
	}
	merged, err := way.merge(ctx, func(c merge.Conflict) { j.result.Conflicts = append(j.result.Conflicts, c) })
	if err != nil {
		return nil, err
	}
	if len(merged.Conflicts) > 0 {
		j.result.Conflicts = merged.Conflicts
		return nil, nil
	}
	d, err := settleOn(ctx, ours, merged.Changes, nil, nil)
	if err != nil {
		return nil, err
	}
	if err := d.settleRedirects(ctx, s.micros()); err != nil {
		return nil, err
	}
	p, err := s.proposeChanges(ctx, parts.ours, d.before, d.changes())
	if err != nil {
		return nil, err
	}
	if p.same {
		return same(parts.ours), nil
	}
	p.load.bodies = merged.NewBodies
	return p, nil
}
