// Package live owns live sessions: the body of one page of a change request while several people write it together.
//
// A session is a cache over one page of a change request's branch. It begins with the body that the head has and grows
// by steps, which come in batches. The n-th step is whoever inserts it first, decided by a key of a table (ADR 54), so
// any number of processes may take batches of one session.
//
// # Promises
//
//   - A batch that was acknowledged is on disk, once, and every member of the session gets it.
//   - What a session holds becomes a revision of the branch: after a pause, when the last person leaves, and before
//     anybody reads the branch. Until then change.Request.Unwritten says that there is something.
//   - What others change in the branch meanwhile is taken in. Where both changed the same, both are kept.
//   - No merge happens while there is text that it would leave behind.
//   - Whoever takes part may edit the change request, at each batch.
//
// # Tables
//
// live_session, live_batch, live_person.
package live

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/steps"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Limits of what takes part.
const (
	// MaxName is the longest id of a client, of a session that a client names, and of a batch, in bytes.
	MaxName = 64
	// maxPerson is how many connections a person may have in a process, maxRoom how many there are in a session.
	maxPerson = 64
	maxRoom   = 256
	// maxEngines is how many documents a process holds ready to be changed. The least recently used one is closed; it
	// is loaded again from its snapshot.
	maxEngines = 48
)

// When a session does what.
const (
	// quiet is how long nobody writes before the text becomes a revision, longest how long they may write without that.
	quiet   = 2 * time.Second
	longest = 30 * time.Second
	// snapshotEvery is how many steps come between two snapshots.
	snapshotEvery = 300
	// idle is how long a process keeps a session that nobody has open.
	idle = time.Minute
	// seenEvery is how often a person is noted as present, present how long that counts.
	seenEvery = 20 * time.Second
	present   = 70 * time.Second
	// lookEvery is how often a process looks at sessions of its clients when nobody has told it anything.
	lookEvery = 2 * time.Second
	// sweepEvery is how often a process looks for text that nobody has written into its branch.
	sweepEvery = 15 * time.Second
	// keepOpen and keepEnded are how long batches are kept of sessions that are open, and how long ended sessions are.
	keepOpen  = 7 * 24 * time.Hour
	keepEnded = 24 * time.Hour
)

// ServerClient is the client of what the server has taken in.
const ServerClient = "server"

// Place is a page of a change request.
type Place struct {
	Space         id.Space
	ChangeRequest id.ChangeRequest
	Page          string
}

// Batch is what one client sends at once.
type Batch struct {
	// ID is the client's name for it. A batch whose id is there already counts once.
	ID string
	// Version is the number of steps before it.
	Version int64
	Client  string
	// User is "" for what the server has taken in, and of people who are gone.
	User  id.User
	Steps []json.RawMessage
}

// end is the version after the batch.
func (b Batch) end() int64 { return b.Version + int64(len(b.Steps)) }

// Answer says what has become of a batch.
type Answer int

// What becomes of a batch.
const (
	// Taken is on disk, now or since before.
	Taken Answer = iota
	// Behind means that there are other steps at its version: they have to be taken first.
	Behind
	// Refused is never taken.
	Refused
)

// Sent is what has become of a batch.
type Sent struct {
	Answer Answer
	// Version is that of the batch when it was taken, and that of the session when it is behind.
	Version int64
	// Message says why it is refused.
	Message string
}

// State is a session at one moment.
type State struct {
	Session id.LiveSession
	Version int64
	// Node is the document as the editor has it, as JSON.
	Node json.RawMessage
	// Revision is the revision that the session has taken in; all up to Written is in it.
	Revision id.Revision
	Written  int64
}

// Cursor is where somebody is in the text of a version. Null positions mean that the text has no focus.
type Cursor struct {
	Version int64  `json:"version"`
	Anchor  *int64 `json:"anchor"`
	Head    *int64 `json:"head"`
}

// Person is somebody in a session.
type Person struct {
	Client string
	User   id.User
	Page   string
	// Cursor is nil when nothing was heard of it.
	Cursor *Cursor
}

// Reason says why a session has ended, or why it has for one client.
type Reason string

// Reasons.
const (
	Merged   Reason = "merged"
	Archived Reason = "archived"
	Deleted  Reason = "deleted"
	Access   Reason = "access"
	Schema   Reason = "schema"
	// Closed means that the client may begin again.
	Closed Reason = "closed"
)

// Event is what a member of a session is told. One of its fields is set.
type Event struct {
	Batch    *Batch
	People   []Person
	Cursor   *Person
	Revision *Revision
	// Page says that other fields of the page have changed.
	Page  bool
	Ended Reason
}

// Revision says that all steps up to a version are in a revision.
type Revision struct {
	ID      id.Revision
	Version int64
}

// Engine applies steps to one document; see steps.Engine.
type Engine interface {
	Schema() string
	Load(document []byte) error
	Restore(snapshot []byte) error
	Apply(batch []json.RawMessage) (steps.Applied, error)
	Undo() error
	Snapshot() ([]byte, error)
	Document() ([]byte, error)
	Change(document []byte) ([]json.RawMessage, error)
	Close()
}

// Deps is what a Service needs.
type Deps struct {
	DB      *db.DB
	Content *store.Service
	Changes *change.Service
	Edits   *edit.Service
	// Again returns a caller as they are now, see account.Service.Again.
	Again func(ctx context.Context, caller account.Caller) (account.Caller, error)
	// NewEngine starts an engine with an empty document.
	NewEngine func(ctx context.Context) (Engine, error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
	Log *slog.Logger
}

// Service keeps live sessions. It is safe for use by many goroutines.
type Service struct {
	deps Deps
	// process names this one to others.
	process string

	mutex   sync.Mutex
	rooms   map[roomKey]*room
	persons map[id.User]int
	closed  bool
	// members are the watchers that have not left; none comes after closed.
	members sync.WaitGroup
	// loaded are the rooms with an engine, the one used last at the end.
	loaded []*room
	// schema is the fingerprint that engines have; "" before the first.
	schema string
}

// roomKey is what a process holds a session by.
type roomKey struct {
	request id.ChangeRequest
	page    string
}

// New returns a Service. Its OnHead has to be among store.Hooks.OnHead, and its Flush and RequestClosed among
// change.Hooks. Run has to run in every process that has clients.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{
		deps: deps, process: id.New("process"), rooms: map[roomKey]*room{}, persons: map[id.User]int{},
	}
}

func (s *Service) now() time.Time { return s.deps.Now().UTC().Truncate(time.Microsecond) }
