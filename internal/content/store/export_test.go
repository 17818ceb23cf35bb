package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Index returns the whole path index, for tests that compare it with the entries.
func (v *View) Index(ctx context.Context) (map[string]string, error) {
	index := map[string]string{}
	for item, err := range v.paths().All(ctx, v.revision.Paths) {
		if err != nil {
			return nil, err
		}
		index[item.Key] = string(item.Value)
	}
	return index, nil
}

// CollectAround is Collect with something happening after everything in use is marked and before the rest is swept.
func (s *Service) CollectAround(ctx context.Context, between func()) (CollectReport, error) {
	c := s.newCollection()
	for _, step := range []func(context.Context) error{c.purge, c.mark} {
		if err := step(ctx); err != nil {
			return c.report, err
		}
	}
	between()
	for _, step := range []func(context.Context) error{c.sweepNodes, c.sweepBodies, c.sweepBlobs, c.sweepStrays} {
		if err := step(ctx); err != nil {
			return c.report, err
		}
	}
	return c.report, nil
}

// DeleteBodies is the last step of a sweep for bodies that were found to be garbage.
func (s *Service) DeleteBodies(ctx context.Context, hashes [][]byte) (int, error) {
	return s.newCollection().deleteRows(ctx, "content_body", hashes)
}

// MergeBase returns the newest revision that two revisions of one space both contain; false when they have none. Where
// there are several that do not contain each other, as after merges crosswise, it is one of the highest generation, the
// same for both orders of the arguments. It reads the revisions that came after it, each once.
func (s *Service) MergeBase(ctx context.Context, a, b id.Revision) (Revision, bool, error) {
	first, err := s.Revision(ctx, a)
	if err != nil {
		return Revision{}, false, err
	}
	second, err := s.Revision(ctx, b)
	if err != nil {
		return Revision{}, false, err
	}
	// Going down by generation, a revision comes up after everything that contains it. The first that both sides
	// have reached is a newest one that both contain.
	sides := map[id.Revision]int{}
	open := map[id.Revision]Revision{}
	reach := func(r Revision, side int) { sides[r.ID] |= side; open[r.ID] = r }
	reach(first, 1)
	reach(second, 2)
	for len(open) > 0 {
		at := newest(open)
		if sides[at.ID] == 3 {
			return at, true, nil
		}
		delete(open, at.ID)
		for _, id := range at.Parents {
			parent, err := s.Revision(ctx, id)
			if err != nil {
				return Revision{}, false, err
			}
			reach(parent, sides[at.ID])
		}
	}
	return Revision{}, false, nil
}

// newest returns the revision of the highest generation, of these the one with the highest id.
func newest(open map[id.Revision]Revision) Revision {
	var best Revision
	for _, r := range open {
		if r.Generation > best.Generation || r.Generation == best.Generation && r.ID > best.ID {
			best = r
		}
	}
	return best
}

// HeadID returns the id of the head of a space's main branch. It reads one row by an index.
func (s *Service) HeadID(ctx context.Context, spaceID id.Space) (id.Revision, error) {
	var head id.Revision
	err := s.deps.DB.Read().QueryRowContext(ctx,
		`SELECT head_revision_id FROM content_branch WHERE space_id = $1 AND kind = 'main'`, spaceID).Scan(&head)
	if errors.Is(err, db.ErrNoRows) {
		return "", errs.NotFoundf("there is no content for a space %q", spaceID)
	}
	if err != nil {
		return "", fmt.Errorf("read head: %w", err)
	}
	return head, nil
}
