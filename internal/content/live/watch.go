package live

import (
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
)

// Hello is how a client begins.
type Hello struct {
	Client string
	// Schema is the fingerprint of the schema that the client has.
	Schema string
	// Session and Version say where it was; "" when it begins anew.
	Session id.LiveSession
	Version int64
}

// Watcher is a client in a session. It is safe for use by many goroutines; Next is for one at a time.
type Watcher struct {
	service *Service
	room    *room
	client  string
	user    id.User
	space   id.Space
	signal  chan struct{}
	// State is what the client begins with; nil when it goes on from the version that it has.
	State *State
	// Session, Version and Revision say where it goes on.
	Session  id.LiveSession
	Version  int64
	Revision id.Revision

	// Of the room's mutex.

	next     int64
	revision Revision
	page     int
	people   bool
	moved    map[string]bool // clients whose cursors have moved
	closed   Reason
	left     bool
}

// CheckClient refuses what no client may call itself, with an errs.Invalid.
func CheckClient(name string) error {
	if !validName(name) || name == ServerClient {
		return errs.Invalidf("client", "%s", nameAdvice("a client"))
	}
	return nil
}

func validName(name string) bool {
	if name == "" || len(name) > MaxName {
		return false
	}
	return !slices.ContainsFunc([]byte(name), func(c byte) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
	})
}

func nameAdvice(of string) string {
	return fmt.Sprintf("The id of %s has 1 to %d letters, digits, hyphens, underscores and dots.", of, MaxName)
}

// Join lets a client into the session of a page, which begins when there is none. A reason other than "" says that it
// cannot be let in now. The caller has to be allowed to edit the change request.
func (s *Service) Join(ctx context.Context, caller account.Caller, place Place, hello Hello) (*Watcher, Reason, error) {
	if err := CheckClient(hello.Client); err != nil {
		return nil, "", err
	}
	request, err := s.deps.Changes.Require(ctx, s.deps.DB.Read(), caller, place.Space, place.ChangeRequest,
		access.EditSpace)
	if err != nil {
		return nil, "", err
	}
	if reason := closedBy(request); reason != "" {
		return nil, reason, nil
	}
	schema, err := s.currentSchema(ctx)
	if err != nil {
		return nil, "", err
	}
	if hello.Schema != schema {
		return nil, Schema, nil
	}
	for range maxTries {
		w, reason, err := s.join(ctx, caller, request, roomKey{request.ID, place.Page}, hello)
		if reason != again || err != nil {
			return w, reason, err
		}
	}
	return nil, Closed, nil
}

// closedBy says why a change request takes no text.
func closedBy(request change.Request) Reason {
	switch request.Status {
	case change.Merged:
		return Merged
	case change.Archived:
		return Archived
	}
	return ""
}

// again is the reason of a room that has just ended; the next one may let in.
const again Reason = "again"

func (s *Service) join(ctx context.Context, caller account.Caller, request change.Request, key roomKey,
	hello Hello) (*Watcher, Reason, error) {
	r := s.hold(key)
	defer r.release()
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return nil, "", err
	}
	defer leave()
	if r.isOver() {
		return nil, again, nil
	}
	if err := r.begin(inside, request); err != nil {
		if r.row.id == "" {
			r.finish(Closed)
		}
		return nil, "", err
	}
	if err := r.takeIn(inside); err != nil {
		return nil, "", err
	}
	if r.isOver() {
		return nil, again, nil
	}
	w := &Watcher{
		service: s, room: r, client: hello.Client, user: caller.User.ID, space: request.Space,
		signal:  make(chan struct{}, 1),
		Session: r.row.id, Revision: r.row.revision, people: true, moved: map[string]bool{},
	}
	if err := w.place(inside, hello); err != nil {
		return nil, "", err
	}
	switch err := seePerson(inside, s.deps.DB.Write(), r.row.id, w.client, w.user, s.now().UnixMicro()); {
	case err == errRace:
		return nil, "", errs.Conflictf("This id of a client is somebody else's; make another one.")
	case err != nil:
		return nil, "", err
	}
	if err := r.admit(w); err != nil {
		return nil, "", err
	}
	r.peopleChanged(inside)
	s.tell(inside, notice{Session: r.row.id, Kind: noticePeople})
	return w, "", nil
}

// place decides where the client begins.
func (w *Watcher) place(ctx context.Context, hello Hello) error {
	r := w.room
	w.next, w.revision = r.row.version, Revision{r.row.revision, r.row.written}
	if hello.Session == r.row.id && hello.Version >= 0 && hello.Version <= r.row.version {
		batches, err := batchesFrom(ctx, r.service.deps.DB.Read(), r.row.id, hello.Version)
		if err != nil {
			return err
		}
		if hello.Version == r.row.version || len(batches) > 0 && batches[0].Version == hello.Version {
			w.next, w.Version = hello.Version, hello.Version
			return nil
		}
	}
	if err := r.ready(ctx); err != nil {
		return err
	}
	node, err := r.engine.Snapshot()
	if err != nil {
		r.drop()
		return err
	}
	w.Version = r.row.version
	w.State = &State{Session: r.row.id, Version: r.row.version, Node: node, Revision: r.row.revision,
		Written: r.row.written}
	return nil
}

// admit puts a watcher among those of the room, in the place of an earlier one of the same client.
func (r *room) admit(w *Watcher) error {
	s := r.service
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r.mutex.Lock()
	defer r.mutex.Unlock()
	earlier := r.watchers[w.client]
	switch {
	case s.closed:
		return errs.New(errs.Unavailable, "The server is about to end; try again in a moment.")
	case earlier == nil && s.persons[w.user] >= maxPerson:
		return errs.New(errs.TooMany, "You have %d pages open to write together; close some of them.", maxPerson)
	case earlier == nil && len(r.watchers) >= maxRoom:
		return errs.New(errs.TooMany, "There are %d people and tabs in this page; try again when some have left.",
			maxRoom)
	case earlier == nil:
		s.persons[w.user]++
	default:
		earlier.left, earlier.closed = true, Closed
		earlier.wake()
		s.members.Done()
	}
	s.members.Add(1)
	w.page = r.page
	for client := range r.cursors {
		w.moved[client] = true
	}
	r.watchers[w.client] = w
	return nil
}

// Leave takes the client out of the session. When it is the last one, the text is written.
func (w *Watcher) Leave(ctx context.Context) {
	s, r := w.service, w.room
	s.mutex.Lock()
	r.mutex.Lock()
	left := w.left
	last := false
	if !left {
		w.left = true
		delete(r.watchers, w.client)
		delete(r.cursors, w.client)
		last = len(r.watchers) == 0
		r.left = s.now()
		if s.persons[w.user]--; s.persons[w.user] == 0 {
			delete(s.persons, w.user)
		}
	}
	r.mutex.Unlock()
	s.mutex.Unlock()
	if left {
		return
	}
	defer s.members.Done()
	ctx = context.WithoutCancel(ctx)
	if err := seePerson(ctx, s.deps.DB.Write(), w.Session, w.client, w.user, 0); err != nil && err != errRace {
		r.warn(ctx, "note that somebody has left a live session", err)
	}
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	r.peopleChanged(inside)
	s.tell(inside, notice{Session: w.Session, Kind: noticePeople})
	if last && !r.isOver() {
		if err := r.write(inside); err != nil {
			r.warn(ctx, "write a live session into its branch", err)
		}
	}
}

// wake lets Next look. The caller holds the room's mutex.
func (w *Watcher) wake() {
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

// Wait ends when there may be something for Next.
func (w *Watcher) Wait() <-chan struct{} { return w.signal }

// maxEvents is about how many bytes of steps Next returns at once.
const maxEvents = 1 << 20

// Next returns what has happened since it was called last, without waiting. After an event with Ended there is nothing.
func (w *Watcher) Next(ctx context.Context) ([]Event, error) {
	events, ended, err := w.steps(ctx)
	if err != nil {
		return nil, err
	}
	r := w.room
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if w.people {
		w.people = false
		people := make([]Person, 0, len(r.people))
		for _, p := range r.people {
			if cursor, known := r.cursors[p.Client]; known {
				p.Cursor = &cursor
			}
			people = append(people, p)
		}
		events = append(events, Event{People: people})
	}
	for client := range w.moved {
		delete(w.moved, client)
		if cursor, known := r.cursors[client]; known && client != w.client {
			events = append(events, Event{Cursor: &Person{Client: client, Cursor: &cursor}})
		}
	}
	// Only what the client has: a revision says that its steps are written.
	if w.revision != r.revision && r.revision.Version <= w.next {
		w.revision = r.revision
		events = append(events, Event{Revision: &Revision{r.revision.ID, r.revision.Version}})
	}
	if w.page != r.page {
		w.page = r.page
		events = append(events, Event{Page: true})
	}
	if ended != "" && w.next >= r.version || w.closed != "" {
		reason := ended
		if w.closed != "" {
			reason = w.closed
		}
		events = append(events, Event{Ended: reason})
	} else if w.next < r.version {
		w.wake()
	}
	return events, nil
}

// steps returns the batches that the client does not have.
func (w *Watcher) steps(ctx context.Context) (events []Event, ended Reason, err error) {
	r := w.room
	r.mutex.Lock()
	from, until, ended := w.next, r.version, r.ended
	batches, whole := r.recentFrom(from)
	r.mutex.Unlock()
	if from >= until {
		return nil, ended, nil
	}
	if !whole {
		if batches, err = batchesFrom(ctx, r.service.deps.DB.Read(), w.Session, from); err != nil {
			return nil, "", err
		}
		if len(batches) == 0 || batches[0].Version != from {
			return []Event{{Ended: Closed}}, Closed, nil
		}
	}
	size := 0
	for i := range batches {
		if batches[i].Version >= until || size > maxEvents {
			break
		}
		for _, step := range batches[i].Steps {
			size += len(step)
		}
		events = append(events, Event{Batch: &batches[i]})
		from = batches[i].end()
	}
	r.mutex.Lock()
	w.next = from
	r.mutex.Unlock()
	return events, ended, nil
}

// recentFrom returns the batches in memory from a version on, and false when they do not reach so far back. The caller
// holds the mutex.
func (r *room) recentFrom(version int64) ([]Batch, bool) {
	at, found := slices.BinarySearchFunc(r.recent, version, func(b Batch, version int64) int {
		return int(b.Version - version)
	})
	if !found {
		return nil, version == r.version
	}
	return slices.Clone(r.recent[at:]), true
}
