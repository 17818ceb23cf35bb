package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/engine/steps"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// maxTries is how often something starts over because others were quicker.
const maxTries = 20

// Send takes a batch of the watcher's client when it is the next one. An error of the kinds errs.Forbidden,
// errs.NotFound and errs.Unauthorized says that the caller may not take part any more; other errors leave open whether
// the batch was taken, and it has to be sent again.
func (w *Watcher) Send(ctx context.Context, caller account.Caller, b Batch) (Sent, error) {
	b.Client, b.User = w.client, caller.User.ID
	if !validName(b.ID) {
		return Sent{Answer: Refused, Message: nameAdvice("a batch")}, nil
	}
	if err := steps.Bound(b.Steps); err != nil {
		message, _ := refusedBy(err)
		return Sent{Answer: Refused, Message: message}, nil
	}
	for until := time.Now().Add(heldTime); ; {
		sent, err := w.send(ctx, caller, b)
		switch {
		case !errors.Is(err, errHeld):
			return sent, err
		case time.Now().After(until):
			return Sent{}, errs.Wrap(err, errs.Unavailable,
				"The change request is about to be merged; try again in a moment.")
		}
		select {
		case <-ctx.Done():
			return Sent{}, ctx.Err()
		case <-time.After(heldPause):
		}
	}
}

// How long a batch waits while its change request is held, and how often it is tried.
const (
	heldTime  = 15 * time.Second
	heldPause = 50 * time.Millisecond
)

// errHeld says that the change request takes no text now, see change.Request.IsHeld.
var errHeld = errors.New("the change request is held")

// send takes a batch as Send does, when the change request is not held.
func (w *Watcher) send(ctx context.Context, caller account.Caller, b Batch) (Sent, error) {
	inside, leave, err := w.room.enter(ctx)
	if err != nil {
		return Sent{}, err
	}
	defer leave()
	if w.room.isOver() {
		return Sent{Answer: Refused, Message: "The session has ended."}, nil
	}
	return w.room.take(inside, caller, b)
}

// tooMuch refuses a batch that an engine does not survive.
const tooMuch = "These changes are too much for the server at once; undo them, or make them in smaller parts."

// take decides about a batch.
func (r *room) take(ctx context.Context, caller account.Caller, b Batch) (Sent, error) {
	if b.Version > r.row.version {
		if err := r.catchUp(ctx); err != nil {
			return Sent{}, err
		}
	}
	if b.Version != r.row.version {
		return r.late(ctx, b)
	}
	sent, err := r.try(ctx, caller, b)
	if !errors.Is(err, errRace) {
		return sent, err
	}
	if err := r.catchUp(ctx); err != nil {
		return Sent{}, err
	}
	return r.late(ctx, b)
}

// late answers a batch at whose version there are other steps, or its own.
func (r *room) late(ctx context.Context, b Batch) (Sent, error) {
	there, found, err := batchByID(ctx, r.service.deps.DB.Read(), r.row.id, b.ID)
	switch {
	case err != nil:
		return Sent{}, err
	case !found:
		return Sent{Answer: Behind, Version: r.row.version}, nil
	case there.Client == b.Client && there.User == b.User:
		return Sent{Answer: Taken, Version: there.Version}, nil
	}
	return Sent{Answer: Refused, Message: "Somebody else has sent a batch with this id; give it another one."}, nil
}

// try takes a batch at the version of the room. It is errRace when another process was quicker.
func (r *room) try(ctx context.Context, caller account.Caller, b Batch) (Sent, error) {
	applied, err := r.attempt(ctx, b.Steps)
	if err != nil {
		if message, refused := refusedBy(err); refused {
			return Sent{Answer: Refused, Message: message}, nil
		}
		r.drop()
		if errors.Is(err, steps.ErrBroken) {
			return Sent{Answer: Refused, Message: tooMuch}, nil
		}
		return Sent{}, fmt.Errorf("apply a batch of a live session: %w", err)
	}
	err = r.check(ctx, caller, b, applied)
	if err == nil {
		err = r.insert(ctx, caller, b)
	}
	if err != nil {
		// The document is as it was, whatever became of the batch.
		if undo := r.engine.Undo(); undo != nil {
			r.drop()
		}
		if message, refused := refusedBy(err); refused && !errs.Is(err, errs.Forbidden) {
			return Sent{Answer: Refused, Message: message}, nil
		}
		if message, refused := errors.AsType[*refusal](err); refused {
			return Sent{Answer: Refused, Message: message.Error()}, nil
		}
		if refusal, ok := errors.AsType[*errs.Error](err); ok && refusal.Kind == errs.Conflict {
			// The change request is closed, and the session with it.
			return Sent{Answer: Refused, Message: refusal.Message}, r.catchUp(ctx)
		}
		return Sent{}, err
	}
	r.applied = b.end()
	r.row.version, r.row.author = b.end(), b.User
	r.publish(b)
	r.later()
	if err := r.snap(ctx, false); err != nil {
		r.warn(ctx, "take a snapshot of a live session", err)
	}
	return Sent{Answer: Taken, Version: b.Version}, nil
}

// attempt applies steps to the document of the room's version. An engine that breaks may have had too much before them,
// so a new one tries again. What breaks that one, too, takes too long or too much memory, and would be sent for good.
func (r *room) attempt(ctx context.Context, batch []json.RawMessage) (steps.Applied, error) {
	for again := false; ; again = true {
		if err := r.ready(ctx); err != nil {
			return steps.Applied{}, err
		}
		applied, err := r.engine.Apply(batch)
		if !errors.Is(err, steps.ErrBroken) {
			return applied, err
		}
		r.warn(ctx, "apply a batch of a live session", err)
		r.drop()
		if again {
			return steps.Applied{}, err
		}
	}
}

// refusal is what the caller may not bring into the page.
type refusal struct{ error }

// check refuses what the API would refuse of a document with the changed blocks.
func (r *room) check(ctx context.Context, caller account.Caller, b Batch, applied steps.Applied) error {
	if len(applied.Changed) > 0 {
		view, err := r.view(ctx)
		if err != nil {
			return err
		}
		err = r.service.deps.Edits.CheckBlocks(ctx, caller, view, r.key.page, applied.Changed)
		if message, refused := refusedBy(err); refused {
			return &refusal{errors.New(message)}
		}
		if err != nil {
			return err
		}
	}
	r.weigh(b)
	if !r.isHeavy() {
		return nil
	}
	document, err := r.engine.Document()
	if err != nil {
		return err
	}
	view, err := r.view(ctx)
	if err != nil {
		return err
	}
	body, err := r.service.deps.Edits.BodyOf(ctx, view, r.key.page, document)
	if err == nil {
		r.weight = len(body)
	}
	return err
}

// insert makes the batch the next one.
func (r *room) insert(ctx context.Context, caller account.Caller, b Batch) error {
	s := r.service
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		request, err := s.deps.Changes.Require(ctx, q, caller, r.row.space, r.key.request, access.EditSpace)
		if err == nil {
			err = request.RequireWritable()
		}
		if err == nil && request.IsHeld(s.now()) {
			err = errHeld
		}
		if err != nil {
			return err
		}
		if err := appendBatch(ctx, q, r.row.id, b, s.now()); err != nil {
			return err
		}
		if !request.Unwritten {
			return change.SetUnwritten(ctx, q, r.key.request, true)
		}
		return nil
	})
	if err == nil {
		s.tell(ctx, notice{Session: r.row.id, Kind: noticeRow})
	}
	return err
}
