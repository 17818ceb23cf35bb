package live

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
)

// maxPosition is beyond every position of a text.
const maxPosition = 1 << 30

// See notes where the client is, and tells the others.
func (w *Watcher) See(ctx context.Context, cursor Cursor) error {
	for _, position := range []*int64{cursor.Anchor, cursor.Head} {
		if position != nil && (*position < 0 || *position > maxPosition) {
			return errs.Invalidf("anchor", "and head are from 0 to %d, or null", maxPosition)
		}
	}
	if cursor.Version < 0 || cursor.Version > maxPosition {
		return errs.Invalidf("version", "is from 0 to %d", maxPosition)
	}
	if !w.room.moved(w.client, cursor) {
		return nil
	}
	w.service.tell(ctx, notice{Session: w.Session, Kind: noticeCursor, Client: w.client, Cursor: &cursor})
	return nil
}

// moved notes a cursor and reports whether it has moved.
func (r *room) moved(client string, cursor Cursor) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if before, known := r.cursors[client]; known && same(before, cursor) {
		return false
	}
	if len(r.cursors) >= 4*maxRoom {
		clear(r.cursors)
	}
	r.cursors[client] = cursor
	for _, w := range r.watchers {
		if w.client != client {
			w.moved[client] = true
			w.wake()
		}
	}
	return true
}

func same(a, b Cursor) bool {
	equal := func(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
	return a.Version == b.Version && equal(a.Anchor, b.Anchor) && equal(a.Head, b.Head)
}

// Require refuses a caller who may not take part in the sessions of a change request.
func (s *Service) Require(ctx context.Context, caller account.Caller, place Place) error {
	_, err := s.deps.Changes.Require(ctx, s.deps.DB.Read(), caller, place.Space, place.ChangeRequest, access.EditSpace)
	return err
}

// RequirePage refuses a caller who may not take part, and a page that the change request does not have.
func (s *Service) RequirePage(ctx context.Context, caller account.Caller, place Place) error {
	request, err := s.deps.Changes.Require(ctx, s.deps.DB.Read(), caller, place.Space, place.ChangeRequest,
		access.EditSpace)
	if err != nil {
		return err
	}
	view, err := s.deps.Content.BranchHead(ctx, place.Space, request.Branch)
	if err == nil {
		_, err = pageIn(ctx, view, place.Page)
	}
	return err
}

// Check refuses a caller who may not take part any more, and returns them as they are now.
func (w *Watcher) Check(ctx context.Context, caller account.Caller) (account.Caller, error) {
	now, err := w.service.deps.Again(ctx, caller)
	if err != nil {
		return account.Caller{}, err
	}
	_, err = access.RequireSpace(ctx, w.service.deps.DB.Read(), now, w.space, access.EditSpace)
	if err != nil {
		return account.Caller{}, err
	}
	return now, nil
}

// stay notes that the room's clients are still there, now and then, and looks who else is.
func (r *room) stay(ctx context.Context) {
	now := r.service.now()
	r.mutex.Lock()
	if r.session == "" || now.Sub(r.stayed) < seenEvery || len(r.watchers) == 0 {
		r.mutex.Unlock()
		return
	}
	r.stayed = now
	clients := slices.Sorted(maps.Keys(r.watchers))
	r.mutex.Unlock()
	if err := stayPeople(ctx, r.service.deps.DB.Write(), r.session, clients, now.UnixMicro()); err != nil {
		r.warn(ctx, "note who is in a live session", err)
	}
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	r.peopleChanged(inside)
}

// peopleChanged reads anew who is in the session.
func (r *room) peopleChanged(ctx context.Context) {
	people, err := peopleOf(ctx, r.service.deps.DB.Read(), r.service.now().Add(-present), `l.id = $1`, r.row.id)
	if err != nil {
		r.warn(ctx, "read who is in a live session", err)
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if slices.Equal(r.people, people) {
		return
	}
	r.people = people
	there := map[string]bool{}
	for _, p := range people {
		there[p.Client] = true
	}
	for client := range r.cursors {
		if !there[client] {
			delete(r.cursors, client)
		}
	}
	for _, w := range r.watchers {
		w.people = true
		w.wake()
	}
}

// People returns who is on which page of a change request, for everybody who may read it.
func (s *Service) People(ctx context.Context, caller account.Caller, spaceID id.Space,
	request id.ChangeRequest) ([]Person, error) {
	found, err := s.deps.Changes.Get(ctx, caller, spaceID, request)
	if err != nil {
		return nil, err
	}
	people, err := peopleOf(ctx, s.deps.DB.Read(), s.now().Add(-present), `l.change_request_id = $1`, found.ID)
	if err != nil {
		return nil, fmt.Errorf("list people of change request %s: %w", found.ID, err)
	}
	return people, nil
}
