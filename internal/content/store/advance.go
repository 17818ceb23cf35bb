package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/trie"
	"github.com/rectodocs/recto/internal/platform/db"
)

// errLost says that the head was moved by somebody else in the meantime.
var errLost = errors.New("the head has moved")

// maxRaces is how often a writer tries again after losing a race. Writers of one process queue up after the first
// time, so only those of other processes can still win.
const maxRaces = 60

// Also is called in the transaction that moves a head, with the new revision, for what has to become true together
// with it; when nothing changed, in a transaction of its own with the head as it is. It may run several times, as the
// function of db.DB.Tx; an error undoes everything.
type Also func(ctx context.Context, q db.Querier, r Revision) error

// advance moves the head of one branch.
type advance struct {
	service *Service
	space   id.Space
	branch  id.Branch // branch "" is main
	author  id.User
	message string
	origin  *git.Source
	also    Also
	// alone makes the writer queue up before its first attempt: for changes that are prepared quickly.
	alone bool
	// propose makes the next revision for a head. It runs again with the new head after a lost race.
	propose func(ctx context.Context, b Branch, head Revision) (*proposal, error)
}

// proposal is a revision to be.
type proposal struct {
	// same says that the head is to stay where it is; only guard counts then.
	same        bool
	root, paths trie.Hash
	load        load
	kind        string // the revision's type
	parents     []id.Revision
	generation  int64
	mergedFrom  id.Branch
	// base becomes the branch's Base, unless it is "".
	base id.Revision
	// guard runs in the transaction before the head moves; errLost from it starts over.
	guard func(ctx context.Context, q db.Querier) error
}

// run moves the head, over as many lost races as it takes. It returns the new revision, or the head when there was
// nothing to change.
func (a advance) run(ctx context.Context) (Revision, error) {
	if len(a.message) > MaxMessageSize {
		return Revision{}, errs.New(errs.TooLarge, "The message has %d bytes, at most %d are allowed.", len(a.message),
			MaxMessageSize)
	}
	w := a.service.newWriter()
	for race := 0; ; race++ {
		r, err := a.attempt(ctx, w, a.alone || race > 0)
		if !errors.Is(err, errLost) {
			return r, err
		}
		if race == maxRaces {
			return Revision{}, errs.Wrap(err, errs.Unavailable,
				"Too many others are changing the same content; try again in a moment.")
		}
		// Whoever won is in another process or has just left; do not run into the same one again.
		pause := time.NewTimer(rand.N(min(time.Millisecond<<min(race, 10), 100*time.Millisecond)))
		select {
		case <-ctx.Done():
			pause.Stop()
			return Revision{}, ctx.Err()
		case <-pause.C:
		}
	}
}

func (a advance) attempt(ctx context.Context, w *writer, queue bool) (Revision, error) {
	s := a.service
	if queue {
		leave, err := s.lanes.enter(ctx, string(a.space)+"/"+string(a.branch))
		if err != nil {
			return Revision{}, err
		}
		defer leave()
	}
	b, head, err := readBranch(ctx, s.deps.DB.Read(), a.space, a.branch)
	if err != nil {
		return Revision{}, err
	}
	p, err := a.propose(ctx, b, head)
	if err != nil {
		return Revision{}, err
	}
	if p.same {
		return head, a.unchanged(ctx, p, head)
	}
	rest, err := w.ahead(ctx, &p.load)
	if err != nil {
		return Revision{}, err
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	next := Revision{
		ID: id.Revision(id.New("revision")), Space: a.space, Branch: b.ID, Parents: p.parents, Generation: p.generation,
		Type: p.kind,
		Root: p.root, Paths: p.paths, Author: a.author, Message: a.message, MergedFrom: p.mergedFrom, Origin: a.origin,
		CreatedAt: now,
	}
	after := b
	after.Head, after.MovedAt = next.ID, now
	if p.base != "" {
		after.Base = p.base
	}
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return a.move(ctx, q, w, p, rest, head, next, after)
	})
	if err != nil {
		return Revision{}, err
	}
	s.revisions.Set(string(next.ID), next)
	for hash, encoded := range p.load.nodes {
		s.nodes.Set(hash, encoded)
	}
	return next, nil
}

// move is the one transaction: the rest of the content, the revision, the head, and what others do along with it.
func (a advance) move(ctx context.Context, q db.Querier, w *writer, p *proposal, rest []piece, head, next Revision,
	after Branch) error {
	s := a.service
	// Looking first spares a writer that has lost the work of the rest; the update below is what decides.
	var current id.Revision
	err := q.QueryRowContext(ctx, `SELECT head_revision_id FROM content_branch WHERE id = $1`, after.ID).Scan(&current)
	if errors.Is(err, db.ErrNoRows) {
		return errs.NotFoundf("The content of space %q has been deleted meanwhile.", after.Space)
	}
	if err != nil {
		return fmt.Errorf("read head: %w", err)
	}
	if current != head.ID {
		return errLost
	}
	if p.guard != nil {
		if err := p.guard(ctx, q); err != nil {
			return err
		}
	}
	if err := w.finish(ctx, q, rest); err != nil {
		return err
	}
	switch err := insertRevision(ctx, q, next); {
	case db.IsUnique(err):
		// On PostgreSQL the winner may have committed since the look at the head: the branch has this generation.
		return errLost
	case err != nil:
		return err
	}
	result, err := q.ExecContext(ctx,
		`UPDATE content_branch SET head_revision_id = $1, base_revision_id = $2, moved_at = $3
		WHERE id = $4 AND head_revision_id = $5`, after.Head, after.Base, after.MovedAt.UnixMicro(), after.ID, head.ID)
	if err != nil {
		return fmt.Errorf("move head: %w", err)
	}
	if changed, err := result.RowsAffected(); err != nil || changed != 1 {
		return errors.Join(errLost, err)
	}
	if len(s.hooks.Get().OnHead) > 0 {
		// What is not committed yet can be read from the cache, or through the transaction.
		if err := s.headMoved(ctx, q, HeadMoved{Branch: after, Before: s.viewOf(q, head),
			After: s.viewOf(q, next)}); err != nil {
			return err
		}
	}
	if a.also != nil {
		return a.also(ctx, q, next)
	}
	return nil
}

// unchanged runs what should happen along with a change that turned out to be none.
func (a advance) unchanged(ctx context.Context, p *proposal, head Revision) error {
	if a.also == nil {
		return nil
	}
	return a.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if p.guard != nil {
			if err := p.guard(ctx, q); err != nil {
				return err
			}
		}
		return a.also(ctx, q, head)
	})
}

// nextGeneration is the generation of a revision with these parents.
func nextGeneration(parents ...Revision) int64 {
	highest := int64(0)
	for _, parent := range parents {
		highest = max(highest, parent.Generation)
	}
	return highest + 1
}
