package live

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/steps"
	"github.com/rectodocs/recto/internal/platform/db"
)

// room is a session as one process has it.
type room struct {
	service *Service
	key     roomKey
	// gate lets in one at a time, in the order in which they came.
	gate chan struct{}

	// Of whoever is in the gate.

	row     session // as this process knows it; its id is "" before the first
	engine  Engine  // nil when there is none ready
	applied int64   // the version that the engine has
	// snapped is the version of the last snapshot.
	snapped int64
	// weight is a guess of the size of the document, and of the number of its nodes.
	weight, nodes int
	// first is when the oldest text that is not written came; zero when all is.
	first time.Time
	flush *time.Timer

	mutex sync.Mutex
	// session is the id of the row.
	session id.LiveSession
	users   int // who holds the room beside its watchers
	left    time.Time
	gone    bool // out of the service's map
	ended   Reason

	version  int64
	recent   []Batch // the last ones, without gaps, up to version
	size     int     // of recent, in bytes
	revision Revision
	page     int // counts changes of other fields
	watchers map[string]*Watcher
	people   []Person
	cursors  map[string]Cursor
	stayed   time.Time
}

// recentSize is how many bytes of batches a room keeps in memory for those who are a little behind.
const recentSize = 1 << 20

// workTime bounds what is done in a room for one caller.
const workTime = time.Minute

// hold returns the room of a key, which stays until it is released.
func (s *Service) hold(key roomKey) *room {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r := s.rooms[key]
	if r == nil {
		r = &room{
			service: s, key: key, gate: make(chan struct{}, 1), watchers: map[string]*Watcher{},
			cursors: map[string]Cursor{}, left: s.now(),
		}
		s.rooms[key] = r
	}
	r.mutex.Lock()
	r.users++
	r.mutex.Unlock()
	return r
}

func (r *room) release() {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.users--
	r.left = r.service.now()
}

// enter waits for the gate. What is done inside goes on when ctx ends, so that the room stays true to the tables.
func (r *room) enter(ctx context.Context) (inside context.Context, leave func(), err error) {
	select {
	case r.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	inside, cancel := context.WithTimeout(context.WithoutCancel(ctx), workTime)
	return inside, func() { cancel(); <-r.gate }, nil
}

// begin finds the session of the page, or makes one of the head of the branch.
func (r *room) begin(ctx context.Context, request change.Request) error {
	s := r.service
	schema, err := s.currentSchema(ctx)
	if err != nil {
		return err
	}
	for range maxTries {
		if r.row.id != "" {
			return r.catchUp(ctx)
		}
		found, ok, err := openSession(ctx, s.deps.DB.Read(), r.key)
		if err != nil {
			return err
		}
		if ok {
			r.know(found)
			if found.schema == schema {
				return r.catchUp(ctx)
			}
			return r.replace(ctx)
		}
		if err := r.create(ctx, request, schema); !errors.Is(err, errRace) {
			return err
		}
	}
	return errRace
}

// know takes what the tables say of the session.
func (r *room) know(row session) {
	r.row = row
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.session, r.version, r.revision = row.id, row.version, Revision{row.revision, row.written}
	r.recent, r.size = nil, 0
}

// create makes the session of a page at the head of its branch.
func (r *room) create(ctx context.Context, request change.Request, schema string) error {
	s := r.service
	view, err := s.deps.Content.BranchHead(ctx, request.Space, request.Branch)
	if err != nil {
		return err
	}
	e, err := pageIn(ctx, view, r.key.page)
	if err != nil {
		return err
	}
	body, err := view.Body(ctx, e)
	if err != nil {
		return err
	}
	engine, snapshot, err := s.begun(ctx, body)
	if err != nil {
		return err
	}
	row := session{
		id: id.LiveSession(id.New("live")), space: request.Space, request: request.ID, branch: request.Branch,
		page:     r.key.page,
		revision: view.Revision().ID, schema: schema,
	}
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, there, err := openSession(ctx, q, r.key)
		if err == nil && there {
			err = errRace
		}
		if err != nil {
			return err
		}
		return insertSession(ctx, q, row, snapshot, s.now())
	})
	if err != nil {
		engine.Close()
		if db.IsUnique(err) {
			err = errRace
		}
		return err
	}
	r.know(row)
	r.weight, r.nodes = len(body), 0
	r.engine, r.applied, r.snapped = engine, 0, 0
	s.use(r)
	return nil
}

// pageIn returns a page that has a body; what is none is an errs.NotFound.
func pageIn(ctx context.Context, view *store.View, page string) (*entity.Entry, error) {
	e, err := view.Entry(ctx, page)
	if errs.Is(err, errs.NotFound) || err == nil && !isDocument(e) {
		return nil, errs.NotFoundf("There is no page with a body %.80q in this change request.", page)
	}
	return e, err
}

// isDocument reports whether an entry is a page with a body.
func isDocument(e *entity.Entry) bool {
	return e.Kind == entity.KindPage && e.Type == entity.PageDocument
}

// replace ends a session that another version of the server has begun, when its text is written.
func (r *room) replace(ctx context.Context) error {
	if err := r.write(ctx); err != nil {
		if isPassing(err) {
			return err
		}
		// The page must not stay closed for it. Snapshot and steps are kept, see dropOld.
		r.warn(ctx, "the text of a live session of another version of the server cannot be written; it is kept in "+
			"live_session and live_batch for a week", err)
	}
	err := r.service.end(ctx, r.row, Schema)
	if err == nil {
		err = r.catchUp(ctx)
	}
	return err
}

// catchUp takes what others have done to the session.
func (r *room) catchUp(ctx context.Context) error {
	q := r.service.deps.DB.Read()
	row, found, err := sessionByID(ctx, q, r.row.id)
	if err != nil {
		return err
	}
	if !found {
		row, row.ended, row.reason = r.row, true, Deleted
	}
	version := r.row.version
	for {
		batches, err := batchesFrom(ctx, q, r.row.id, version)
		if err != nil {
			return err
		}
		for _, b := range batches {
			if b.Version != version {
				return errors.New("a batch of a live session is missing")
			}
			r.apply(ctx, b)
			version = b.end()
			r.publish(b)
		}
		if len(batches) < maxRead {
			break
		}
	}
	r.row.version = version
	r.see(ctx, row)
	if row.ended {
		r.finish(row.reason)
	}
	return nil
}

// see takes the part of a row that says what is written, and by whom.
func (r *room) see(ctx context.Context, row session) {
	before := r.row
	r.row.revision, r.row.written, r.row.author = row.revision, row.written, row.author
	r.row.ended, r.row.reason = row.ended, row.reason
	if before.revision == row.revision && before.written == row.written {
		return
	}
	changed, err := r.fieldsChanged(ctx, before.revision, row.revision)
	if err != nil {
		r.warn(ctx, "compare what a live session has taken in", err)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.revision = Revision{row.revision, row.written}
	if changed {
		r.page++
	}
	r.signal()
}

// fieldsChanged reports whether other fields of the page than its body differ between two revisions.
func (r *room) fieldsChanged(ctx context.Context, before, after id.Revision) (bool, error) {
	if before == after {
		return false, nil
	}
	var entries [2]*entity.Entry
	for i, revision := range []id.Revision{before, after} {
		view, err := r.service.deps.Content.View(ctx, revision)
		if err != nil {
			return false, err
		}
		e, err := view.Entry(ctx, r.key.page)
		if err != nil {
			return false, err
		}
		e = e.Clone()
		e.Body, e.CreatedAt, e.UpdatedAt = "", 0, 0
		entries[i] = e
	}
	return !entity.Equal(entries[0], entries[1]), nil
}

// apply takes a batch that is in the table into the engine, when there is one at its version.
func (r *room) apply(ctx context.Context, b Batch) {
	if r.engine == nil || r.applied != b.Version {
		return
	}
	if _, err := r.engine.Apply(b.Steps); err != nil {
		r.warn(ctx, "apply the steps of a live session", err)
		r.drop()
		return
	}
	r.applied = b.end()
	r.weigh(b)
}

// weigh adds a batch to the guess of the document's size.
func (r *room) weigh(b Batch) {
	for _, step := range b.Steps {
		r.weight += len(step)
		r.nodes += countNodes(step)
	}
}

// publish tells the watchers of a batch that is in the table.
func (r *room) publish(b Batch) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if b.Version != r.version {
		r.recent, r.size = nil, 0
	}
	r.version = b.end()
	r.recent = append(r.recent, b)
	for _, step := range b.Steps {
		r.size += len(step)
	}
	for r.size > recentSize && len(r.recent) > 1 {
		for _, step := range r.recent[0].Steps {
			r.size -= len(step)
		}
		r.recent = r.recent[1:]
	}
	r.signal()
}

// signal wakes all watchers. The caller holds the mutex.
func (r *room) signal() {
	for _, w := range r.watchers {
		w.wake()
	}
}

// finish ends the room for everybody.
func (r *room) finish(reason Reason) {
	r.drop()
	if r.flush != nil {
		r.flush.Stop()
	}
	s := r.service
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.rooms[r.key] == r {
		delete(s.rooms, r.key)
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.gone = true
	if r.ended == "" {
		r.ended = reason
	}
	r.signal()
}

// isOver reports whether the room has ended.
func (r *room) isOver() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.ended != "" || r.gone
}

// end ends a session for good.
func (s *Service) end(ctx context.Context, row session, reason Reason) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return s.endIn(ctx, q, row, reason)
	})
}

func (s *Service) endIn(ctx context.Context, q db.Querier, row session, reason Reason) error {
	if err := endSession(ctx, q, row.id, reason, s.now()); err != nil {
		return err
	}
	still, err := unwritten(ctx, q, row.request)
	if err != nil {
		return err
	}
	if err := change.SetUnwritten(ctx, q, row.request, still); err != nil {
		return err
	}
	s.tellAfter(q, notice{Session: row.id, Kind: noticeRow})
	return nil
}

// view is what the session has taken in.
func (r *room) view(ctx context.Context) (*store.View, error) {
	return r.service.deps.Content.View(ctx, r.row.revision)
}

func (r *room) warn(ctx context.Context, doing string, err error) {
	r.service.deps.Log.ErrorContext(ctx, doing, slog.String("session", string(r.row.id)),
		slog.String("changeRequest", string(r.key.request)), slog.String("page", r.key.page), slog.Any("error", err))
}

// isPassing reports whether what has failed may do another time.
func isPassing(err error) bool {
	return errors.Is(err, errRace) || errs.Is(err, errs.Unavailable) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded)
}

// refusedBy returns the words of a refusal of steps, and false for other errors.
func refusedBy(err error) (string, bool) {
	if refused, ok := errors.AsType[*steps.Refused](err); ok {
		return refused.Error(), true
	}
	if refusal, ok := errors.AsType[*errs.Error](err); ok && (refusal.Kind == errs.Invalid ||
		refusal.Kind == errs.TooLarge || refusal.Kind == errs.Forbidden) {
		return refusal.Message, true
	}
	return "", false
}
