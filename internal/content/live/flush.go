package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Flush writes what the sessions of a change request hold into its branch. It is for change.Hooks.Flush.
func (s *Service) Flush(ctx context.Context, request change.Request) error {
	sessions, err := openSessions(ctx, s.deps.DB.Read(), request.ID)
	if err != nil {
		return err
	}
	waiting := 0
	for _, row := range sessions {
		if row.version == row.written {
			continue
		}
		waiting++
		if err := s.flush(ctx, row); err != nil {
			return err
		}
	}
	if waiting > 0 {
		return nil
	}
	// The sessions that had something are gone.
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return noteUnwritten(ctx, q, request.ID)
	})
}

// flush writes one session.
func (s *Service) flush(ctx context.Context, row session) error {
	r := s.hold(roomKey{row.request, row.page})
	defer r.release()
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if r.row.id == "" {
		r.know(row)
	}
	if r.isOver() || r.row.id != row.id {
		return nil
	}
	err = r.write(inside)
	if err != nil {
		r.warn(ctx, "write a live session into its branch", err)
	}
	return err
}

// Flush writes what the session holds, and returns the revision that has it.
func (w *Watcher) Flush(ctx context.Context) (Revision, error) {
	inside, leave, err := w.room.enter(ctx)
	if err != nil {
		return Revision{}, err
	}
	defer leave()
	if !w.room.isOver() {
		if err := w.room.write(inside); err != nil {
			w.room.warn(ctx, "write a live session into its branch", err)
			return Revision{}, err
		}
	}
	w.room.mutex.Lock()
	defer w.room.mutex.Unlock()
	return w.room.revision, nil
}

// later sees to it that the text which has just come becomes a revision.
func (r *room) later() {
	now := r.service.now()
	if r.first.IsZero() {
		r.first = now
	}
	wait := min(quiet, max(0, r.first.Add(longest).Sub(now)))
	if r.flush == nil {
		r.flush = time.AfterFunc(wait, r.flushNow)
		return
	}
	r.flush.Reset(wait)
}

// retryAfter is how long a flush that failed waits.
const retryAfter = 5 * time.Second

// flushNow writes what the room has, after a pause.
func (r *room) flushNow() {
	ctx := context.Background()
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	if r.isOver() {
		return
	}
	if err := r.write(inside); err != nil {
		r.warn(ctx, "write a live session into its branch", err)
		r.flush.Reset(retryAfter)
	}
}

// write makes a revision of what is not written yet.
func (r *room) write(ctx context.Context) error {
	for range maxTries {
		if err := r.catchUp(ctx); err != nil {
			return err
		}
		if err := r.takeIn(ctx); err != nil {
			return err
		}
		if r.isOver() || r.row.version == r.row.written {
			r.first = time.Time{}
			return nil
		}
		err := r.commit(ctx)
		_, conflict := errors.AsType[*store.ConflictError](err)
		switch {
		case err == nil:
			r.first = time.Time{}
			return nil
		case !conflict && !errors.Is(err, errRace):
			return err
		}
	}
	return errs.Wrap(errRace, errs.Unavailable, "Others keep changing this page; try again in a moment.")
}

// commit makes a revision of the document on what the session has taken in.
func (r *room) commit(ctx context.Context) error {
	body, err := r.text(ctx)
	if err != nil {
		return err
	}
	s, row := r.service, r.row
	writers, err := writersOf(ctx, s.deps.DB.Read(), row.id, row.written, row.version)
	if err != nil {
		return err
	}
	made, err := s.deps.Edits.Keep(ctx, edit.Kept{
		Space: row.space, Branch: row.branch, Base: row.revision, Page: row.page, Body: body, Author: row.author,
		Also: func(ctx context.Context, q db.Querier, made store.Revision, stayed bool) error {
			// What was merged with a head that the session has not taken in is not what it holds.
			if stayed && made.ID != row.revision || !stayed && !slices.Contains(made.Parents, row.revision) {
				return errRace
			}
			if err := setWritten(ctx, q, row, made.ID, row.version); err != nil {
				return err
			}
			for _, writer := range writers {
				if stayed || writer == made.Author {
					continue
				}
				if err := change.Contributed(ctx, q, row.request, writer, made.CreatedAt); err != nil {
					return err
				}
			}
			return noteUnwritten(ctx, q, row.request)
		},
	})
	if err != nil {
		return err
	}
	r.row.revision, r.row.written = made.ID, row.version
	r.publishRevision(false)
	s.tell(ctx, notice{Session: row.id, Kind: noticeRow})
	return nil
}

// noteUnwritten notes whether a change request has text that is not written.
func noteUnwritten(ctx context.Context, q db.Querier, request id.ChangeRequest) error {
	still, err := unwritten(ctx, q, request)
	if err != nil {
		return err
	}
	return change.SetUnwritten(ctx, q, request, still)
}

// publishRevision tells the watchers what the session has taken in and what is written of it.
func (r *room) publishRevision(fields bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.revision = Revision{r.row.revision, r.row.written}
	if fields {
		r.page++
	}
	r.signal()
}

// takeIn brings what the head of the branch has into the session.
func (r *room) takeIn(ctx context.Context) error {
	for range maxTries {
		if r.isOver() {
			return nil
		}
		head, err := r.service.deps.Content.BranchHead(ctx, r.row.space, r.row.branch)
		if err != nil {
			return err
		}
		if head.Revision().ID == r.row.revision {
			return nil
		}
		err = r.merge(ctx, head)
		if !errors.Is(err, errRace) {
			return err
		}
		if err := r.catchUp(ctx); err != nil {
			return err
		}
	}
	return errRace
}

// versions are the page as the session had it taken in, and as the head has it.
type versions struct {
	base, head         *entity.Entry
	baseBody, headBody []byte
}

func (r *room) versions(ctx context.Context, head *store.View) (v versions, err error) {
	base, err := r.view(ctx)
	if err != nil {
		return v, err
	}
	if v.base, err = base.Entry(ctx, r.key.page); err != nil {
		return v, err
	}
	if v.head, err = head.Entry(ctx, r.key.page); err != nil || !isDocument(v.head) {
		return v, err
	}
	if v.baseBody, err = base.Body(ctx, v.base); err != nil {
		return v, err
	}
	v.headBody, err = head.Body(ctx, v.head)
	return v, err
}

// merge merges the session's body with that of a head over what both have begun from.
func (r *room) merge(ctx context.Context, head *store.View) error {
	v, err := r.versions(ctx, head)
	if errs.Is(err, errs.NotFound) || err == nil && !isDocument(v.head) {
		// Who deletes a page ends its session in the same transaction; this one began meanwhile.
		if err := r.service.end(ctx, r.row, Deleted); err != nil {
			return err
		}
		return r.catchUp(ctx)
	}
	if err != nil {
		return err
	}
	var batches []Batch
	written := r.row.written
	if v.base.Body != v.head.Body {
		mine, err := r.text(ctx)
		if err != nil {
			return err
		}
		merged, conflicts := merge.Body(v.baseBody, mine, v.headBody)
		if len(conflicts) > 0 {
			// Nothing that was acknowledged is lost: both are kept, one after the other.
			merged, err = merge.SettleBody(v.baseBody, mine, v.headBody, slices.Repeat([]merge.Side{merge.Both},
				len(conflicts)))
			if err != nil {
				return fmt.Errorf("keep both in a live session: %w", err)
			}
		}
		if batches, err = r.batchesFor(merged); err != nil {
			return err
		}
		if string(merged) == string(v.headBody) {
			written = r.row.version
			for _, b := range batches {
				written = b.end()
			}
		}
	}
	if err := r.insertTaken(ctx, head.Revision().ID, batches, written); err != nil {
		return err
	}
	for _, b := range batches {
		r.apply(ctx, b)
		r.row.version = b.end()
		r.publish(b)
	}
	r.row.revision, r.row.written = head.Revision().ID, written
	before, after := v.base.Clone(), v.head.Clone()
	for _, e := range []*entity.Entry{before, after} {
		e.Body, e.CreatedAt, e.UpdatedAt = "", 0, 0
	}
	r.publishRevision(!entity.Equal(before, after))
	r.service.tell(ctx, notice{Session: r.row.id, Kind: noticeRow})
	if r.row.version > written {
		r.later()
	}
	return nil
}

// serverBatch is how many steps of a change go into one batch.
const serverBatch = 100

// batchesFor returns the batches that turn the document into that of a body.
func (r *room) batchesFor(body []byte) ([]Batch, error) {
	document, err := edit.DocumentOf(body)
	if err != nil {
		return nil, err
	}
	changes, err := r.engine.Change(document)
	if err != nil {
		r.drop()
		return nil, err
	}
	var batches []Batch
	version := r.row.version
	for part := range slices.Chunk(changes, serverBatch) {
		batches = append(batches, Batch{ID: id.New("taken"), Version: version, Client: ServerClient, Steps: part})
		version += int64(len(part))
	}
	return batches, nil
}

// insertTaken notes that the session has taken in a revision, by these batches.
func (r *room) insertTaken(ctx context.Context, revision id.Revision, batches []Batch, written int64) error {
	s, row := r.service, r.row
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		for _, b := range batches {
			if err := appendBatch(ctx, q, row.id, b, s.now()); err != nil {
				return err
			}
		}
		if err := setWritten(ctx, q, row, revision, written); err != nil {
			return err
		}
		return noteUnwritten(ctx, q, row.request)
	})
}
