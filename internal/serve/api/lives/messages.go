package lives

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ClientMessage is what a client says. Type says which of the other fields count.
type ClientMessage struct {
	Type    string            `json:"type" enum:"hello,steps,cursor,flush,bye" doc:"hello comes first, and again to begin anew."`
	Client  string            `json:"client,omitempty" maxLength:"64" doc:"Of hello: an id that a tab makes for each time it opens a page."`
	Schema  string            `json:"schema,omitempty" maxLength:"200" doc:"Of hello: the fingerprint of the schema of documents that the client has."`
	Session *id.LiveSession   `json:"session,omitempty" nullable:"true" maxLength:"64" doc:"Of hello: the session that it was in, to go on from version."`
	Version *int64            `json:"version,omitempty" nullable:"true" doc:"The number of steps that the client has, or that its steps or cursor are made on."`
	ID      string            `json:"id,omitempty" maxLength:"64" doc:"Of steps: the client's name for the batch. One that is sent twice counts once."`
	Steps   []json.RawMessage `json:"steps,omitempty" maxItems:"200" doc:"Of steps: what prosemirror-transform makes."`
	Anchor  *int64            `json:"anchor,omitempty" nullable:"true" doc:"Of cursor: a position, or null when the text has no focus."`
	Head    *int64            `json:"head,omitempty" nullable:"true"`
}

// Person is a user as others in a session see them.
type Person struct {
	ID          id.User `json:"id"`
	DisplayName string  `json:"displayName"`
	PhotoURL    string  `json:"photoURL,omitempty" format:"uri"`
}

func person(user wire.User) *Person {
	return &Person{ID: user.ID, DisplayName: user.DisplayName, PhotoURL: user.PhotoURL}
}

// orNull is an object that may be missing.
type orNull[T any] struct{ value *T }

// MarshalJSON writes the object, or null.
func (n orNull[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// Schema tells huma that it is one of the two.
func (orNull[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{wire.SchemaOf[T](r), {Type: "null"}}}
}

// Messages of the server.
type (
	// StateMessage begins a session for a client that has nothing of it.
	StateMessage struct {
		Type     string          `json:"type" enum:"state"`
		Session  id.LiveSession  `json:"session"`
		Version  int64           `json:"version"`
		Node     json.RawMessage `json:"node" doc:"The document as ProseMirror's JSON."`
		Revision id.Revision     `json:"revision" doc:"The revision of the change request that the session has taken in."`
	}
	// ResumeMessage lets a client go on: the steps from version on follow.
	ResumeMessage struct {
		Type     string         `json:"type" enum:"resume"`
		Session  id.LiveSession `json:"session"`
		Version  int64          `json:"version"`
		Revision id.Revision    `json:"revision"`
	}
	// StepsMessage is a batch that is on disk.
	StepsMessage struct {
		Type    string            `json:"type" enum:"steps"`
		Version int64             `json:"version" doc:"The number of steps before these."`
		ID      string            `json:"id"`
		Client  string            `json:"client" doc:"Who sent it; server for what the server has taken in."`
		User    orNull[Person]    `json:"user"`
		Steps   []json.RawMessage `json:"steps"`
	}
	// BehindMessage says that there are other steps: take what comes up to version, rebase, and send again.
	BehindMessage struct {
		Type    string `json:"type" enum:"behind"`
		ID      string `json:"id"`
		Version int64  `json:"version"`
	}
	// RefusedMessage says that a batch is never taken.
	RefusedMessage struct {
		Type    string `json:"type" enum:"refused"`
		ID      string `json:"id"`
		Message string `json:"message"`
	}
	// PeopleMessage says who is there.
	PeopleMessage struct {
		Type   string          `json:"type" enum:"people"`
		People []PersonPresent `json:"people"`
	}
	// CursorMessage says where somebody is.
	CursorMessage struct {
		Type    string `json:"type" enum:"cursor"`
		Client  string `json:"client"`
		Version int64  `json:"version"`
		Anchor  *int64 `json:"anchor"`
		Head    *int64 `json:"head"`
	}
	// RevisionMessage says that all steps up to version are in a revision.
	RevisionMessage struct {
		Type     string      `json:"type" enum:"revision"`
		Revision id.Revision `json:"revision"`
		Version  int64       `json:"version"`
	}
	// PageMessage says that other fields of the page have changed.
	PageMessage struct {
		Type string `json:"type" enum:"page"`
	}
	// EndedMessage is the last one.
	EndedMessage struct {
		Type    string      `json:"type" enum:"ended"`
		Reason  live.Reason `json:"reason" enum:"merged,archived,deleted,access,schema,closed" doc:"schema: the app is older than the server. closed: say hello again."`
		Message string      `json:"message"`
	}
)

// PersonPresent is a client in a session.
type PersonPresent struct {
	Client string              `json:"client"`
	User   Person              `json:"user"`
	Cursor orNull[live.Cursor] `json:"cursor"`
}

// ServerMessage is one of the messages of the server.
type ServerMessage struct{ message any }

// MarshalJSON writes the message.
func (m ServerMessage) MarshalJSON() ([]byte, error) { return json.Marshal(m.message) }

// Schema tells huma that it is one of them.
func (ServerMessage) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		wire.SchemaOf[StateMessage](r), wire.SchemaOf[ResumeMessage](r), wire.SchemaOf[StepsMessage](r),
		wire.SchemaOf[BehindMessage](r), wire.SchemaOf[RefusedMessage](r), wire.SchemaOf[PeopleMessage](r),
		wire.SchemaOf[CursorMessage](r), wire.SchemaOf[RevisionMessage](r), wire.SchemaOf[PageMessage](r),
		wire.SchemaOf[EndedMessage](r),
	}}
}

// endings say in words why a session has ended.
var endings = map[live.Reason]string{
	live.Merged:   "The change request is merged; make a new one for further changes.",
	live.Archived: "The change request is archived; set its status to open to go on with it.",
	live.Deleted:  "The page is not in the change request any more, or has no text of its own.",
	live.Access:   "You may not change this change request any more.",
	live.Schema:   "The server has a newer version; load the page again.",
	live.Closed:   "The connection is closed; begin again.",
}

func ended(reason live.Reason) ServerMessage {
	return ServerMessage{EndedMessage{"ended", reason, endings[reason]}}
}
