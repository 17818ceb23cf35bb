package store

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// Preview is the content that a merge would give.
type Preview struct {
	// Changes lead from ours to the merged content: entries by id, nil for one that is deleted.
	Changes map[string]*entity.Entry
	// Bodies are the merged bodies that are not stored, by hash.
	Bodies map[string][]byte
	// Conflicts are those that no choice settles; there the content is as ours has it.
	Conflicts []merge.Conflict
}

// PreviewMerge finds out what the merge of two revisions with a base gives under some choices, and keeps the version of
// ours in every other conflict, as UpdateBranch with KeepOurs does. The revisions are any three of one space. It writes
// nothing, and the same arguments always give the same answer.
func (s *Service) PreviewMerge(ctx context.Context, spaceID id.Space, base, ours, theirs id.Revision,
	choices map[string]merge.Choice) (Preview, error) {
	var views [3]*View
	for i, id := range []id.Revision{base, ours, theirs} {
		view, err := s.View(ctx, id)
		if err != nil {
			return Preview{}, err
		}
		if view.Revision().Space != spaceID {
			return Preview{}, errs.NotFoundf("Space %q has no revision %q.", spaceID, id)
		}
		views[i] = view
	}
	way := threeWay{base: views[0], keepOurs: true, choices: choices}
	var err error
	if way.ours, err = changesBetween(ctx, views[0], views[1]); err != nil {
		return Preview{}, err
	}
	if way.theirs, err = changesBetween(ctx, views[0], views[2]); err != nil {
		return Preview{}, err
	}
	var preview Preview
	merged, err := way.merge(ctx, func(c merge.Conflict) { preview.Conflicts = append(preview.Conflicts, c) })
	if err != nil {
		return Preview{}, err
	}
	preview.Changes, preview.Bodies = merged.Changes, merged.NewBodies
	preview.Conflicts = append(preview.Conflicts, merged.Conflicts...)
	return preview, nil
}
