package live

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/platform/db"
)

// channel is where the processes on one database tell each other what has happened.
const channel = "recto_live"

// Kinds of notices.
const (
	noticeRow    = "row"    // the session has other steps, or is written or ended
	noticeHead   = "head"   // the head of its branch has moved
	noticePeople = "people" // somebody has come or left
	noticeCursor = "cursor"
)

// notice is what processes tell each other. Whatever matters is in the tables.
type notice struct {
	From    string         `json:"from"`
	Session id.LiveSession `json:"session"`
	Kind    string         `json:"kind"`
	Client  string         `json:"client,omitempty"`
	Cursor  *Cursor        `json:"cursor,omitempty"`
}

// tell tells other processes. What is lost they find by themselves.
func (s *Service) tell(ctx context.Context, n notice) {
	if s.deps.DB.Dialect() != db.Postgres {
		return
	}
	n.From = s.process
	encoded, err := json.Marshal(n)
	if err == nil {
		err = s.deps.DB.Notify(context.WithoutCancel(ctx), channel, string(encoded))
	}
	if err != nil {
		s.deps.Log.WarnContext(ctx, "tell other processes of a live session", slog.Any("error", err))
	}
}

// tellAfter tells this process and others of what a transaction does when it has committed.
func (s *Service) tellAfter(q db.Querier, n notice) {
	db.AfterCommit(q, func() {
		go func() {
			ctx := context.Background() // that of the transaction is over
			s.heard(ctx, n)
			s.tell(ctx, n)
		}()
	})
}

// heard does what a notice of another process is about.
func (s *Service) heard(ctx context.Context, n notice) {
	r := s.roomOf(n.Session)
	if r == nil {
		return
	}
	switch n.Kind {
	case noticeCursor:
		if n.Cursor != nil {
			r.moved(n.Client, *n.Cursor)
		}
	case noticePeople:
		r.lookAtPeople(ctx)
	default:
		r.look(ctx, n.Kind == noticeHead)
	}
}

// roomOf returns the room of a session, nil when this process does not have it.
func (s *Service) roomOf(sessionID id.LiveSession) *room {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range s.rooms {
		r.mutex.Lock()
		is := r.session == sessionID
		r.mutex.Unlock()
		if is {
			return r
		}
	}
	return nil
}

// look takes what others have done to the session, and when the head has moved, what is new there.
func (r *room) look(ctx context.Context, head bool) {
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	if r.isOver() || r.row.id == "" {
		return
	}
	err = r.catchUp(inside)
	if err == nil && head {
		err = r.takeIn(inside)
	}
	if err != nil && !errors.Is(err, errRace) {
		r.warn(ctx, "look at a live session", err)
	}
}

// lookAtPeople reads who is there, and tells other processes where the own clients are, which they may not know.
func (r *room) lookAtPeople(ctx context.Context) {
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return
	}
	r.peopleChanged(inside)
	leave()
	r.mutex.Lock()
	own := map[string]Cursor{}
	for client := range r.watchers {
		if cursor, known := r.cursors[client]; known {
			own[client] = cursor
		}
	}
	r.mutex.Unlock()
	for client, cursor := range own {
		r.service.tell(ctx, notice{Session: r.session, Kind: noticeCursor, Client: client, Cursor: &cursor})
	}
}

// OnHead ends the sessions of pages that a move of a head takes away, and lets the others take in what is new. It is
// for store.Hooks.OnHead.
func (s *Service) OnHead(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
	if moved.Branch.Kind != store.ChangeRequest || moved.Before == nil {
		return nil
	}
	sessions, err := openSessionsOfBranch(ctx, q, moved.Branch.ID)
	if err != nil {
		return err
	}
	for _, row := range sessions {
		e, err := moved.After.Entry(ctx, row.page)
		switch {
		case errs.Is(err, errs.NotFound) || err == nil && !isDocument(e):
			err = s.endIn(ctx, q, row, Deleted)
		case err == nil:
			s.tellAfter(q, notice{Session: row.id, Kind: noticeHead})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// RequestClosed ends the sessions of a change request that is merged or archived. It is for change.Hooks.Closed.
func (s *Service) RequestClosed(ctx context.Context, q db.Querier, request change.Request) error {
	sessions, err := openSessions(ctx, q, request.ID)
	if err != nil {
		return err
	}
	for _, row := range sessions {
		if err := s.endIn(ctx, q, row, closedBy(request)); err != nil {
			return err
		}
	}
	return nil
}

// Run hears what other processes tell, writes what is left unwritten, and forgets what is old, until ctx ends. Then it
// sends everybody away and writes what there is.
func (s *Service) Run(ctx context.Context) {
	var done sync.WaitGroup
	done.Go(func() { s.listen(ctx) })
	done.Go(func() { every(ctx, lookEvery, s.lookAround) })
	done.Go(func() { every(ctx, sweepEvery, s.sweep) })
	done.Wait()
	s.close(context.WithoutCancel(ctx))
}

func every(ctx context.Context, interval time.Duration, work func(context.Context)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			work(ctx)
		}
	}
}

func (s *Service) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.deps.DB.Listen(ctx, channel, func() { s.lookAround(ctx) }, func(message string) {
			var n notice
			if err := json.Unmarshal([]byte(message), &n); err != nil || n.From == s.process {
				return
			}
			if n.Kind == noticeCursor {
				s.heard(ctx, n) // in their order
				return
			}
			go s.heard(ctx, n)
		})
		if ctx.Err() != nil {
			return
		}
		s.deps.Log.WarnContext(ctx, "listen for live sessions of other processes", slog.Any("error", err))
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// all returns the rooms that this process has.
func (s *Service) all() []*room {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rooms := make([]*room, 0, len(s.rooms))
	for _, r := range s.rooms {
		rooms = append(rooms, r)
	}
	return rooms
}

// lookAround looks at every room, whatever this process was told, and gives up those that nobody has open.
func (s *Service) lookAround(ctx context.Context) {
	for _, r := range s.all() {
		if ctx.Err() != nil {
			return
		}
		r.look(ctx, true)
		r.stay(ctx)
		r.giveUp(ctx)
	}
}

// giveUp forgets a room that nobody has had open for a while, when its text is written.
func (r *room) giveUp(ctx context.Context) {
	s := r.service
	unused := func() bool {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		return len(r.watchers) == 0 && r.users == 0 && s.now().Sub(r.left) > idle
	}
	if !unused() {
		return
	}
	inside, leave, err := r.enter(ctx)
	if err != nil {
		return
	}
	defer leave()
	if !r.isOver() && r.row.id != "" {
		if err = r.write(inside); err == nil {
			err = r.snap(inside, true)
		}
		if err != nil {
			r.warn(ctx, "put a live session away", err)
			return
		}
	}
	s.mutex.Lock()
	if s.rooms[r.key] == r && unused() {
		delete(s.rooms, r.key)
		r.mutex.Lock()
		r.gone = true
		r.mutex.Unlock()
	}
	s.mutex.Unlock()
	if r.isOver() {
		r.drop()
	}
}

// sweep writes what a process that is gone has left, and deletes what is old.
func (s *Service) sweep(ctx context.Context) {
	sessions, err := leftBehind(ctx, s.deps.DB.Read(), s.now().Add(-longest-sweepEvery))
	if err == nil {
		for _, row := range sessions {
			_ = s.flush(ctx, row) // it is logged, and tried again
		}
		err = dropOld(ctx, s.deps.DB.Write(), s.now())
	}
	if err != nil && ctx.Err() == nil {
		s.deps.Log.ErrorContext(ctx, "sweep live sessions", slog.Any("error", err))
	}
}

// awaitLeaving waits until clients were told that they are sent away, and have left.
func (s *Service) awaitLeaving() {
	left := make(chan struct{})
	go func() { s.members.Wait(); close(left) }()
	select {
	case <-left:
	case <-time.After(leaveTime):
	}
}

// leaveTime is how long clients may take to hear that they are sent away.
const leaveTime = 3 * time.Second

// closeTime is how long the end may take.
const closeTime = 8 * time.Second

// close sends everybody away, and writes what there is.
func (s *Service) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	s.mutex.Lock()
	s.closed = true
	s.mutex.Unlock()
	rooms := s.all()
	for _, r := range rooms {
		r.mutex.Lock()
		for _, w := range r.watchers {
			w.closed = Closed
			w.wake()
		}
		r.mutex.Unlock()
	}
	s.awaitLeaving()
	for _, r := range rooms {
		inside, leave, err := r.enter(ctx)
		if err != nil {
			return
		}
		if !r.isOver() && r.row.id != "" {
			if err := r.write(inside); err != nil {
				r.warn(ctx, "write a live session into its branch", err)
			} else if err := r.snap(inside, true); err != nil {
				r.warn(ctx, "take a snapshot of a live session", err)
			}
		}
		r.finish(Closed)
		leave()
	}
}
