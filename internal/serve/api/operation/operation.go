// Package operation owns the rows of the table of operations: what an operation is called, where it answers, who may
// call it, its handler, and the shapes that handlers answer with. Package api serves them.
//
// A handler takes a struct whose fields are the parameters and the body of the request, and returns one whose fields
// are the answer; see package api for what their tags mean. Errors become answers by package failure.
package operation

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Openness says who may call an operation at all; what they may do with a resource is the domain's to decide.
type Openness int

const (
	// Authenticated operations need a valid token.
	Authenticated Openness = iota
	// Public operations answer anybody.
	Public
)

// Operation is one row of the table: what it is called, where it answers, who may call it, and its handler.
// The table drives routing, authentication, limits, metrics and the published OpenAPI document.
type Operation struct {
	huma.Operation
	Audience Openness
	// Scope is what a limited token has to have: the resource and read or write, such as "spaces:read".
	Scope string
	// Agents are the scopes of a manifest of which an integration that calls in its own name needs one. An empty text
	// asks for none, and no scopes at all mean that integrations do not call the operation.
	Agents []string
	// Answers is the type whose schema documents the success body of an operation that writes ready-made bytes.
	Answers reflect.Type
	// AnswersAs is the media type of Answers; "" for JSON.
	AnswersAs string
	// Streams is the body of an operation that reads it as it comes.
	Streams *huma.RequestBody
	// Accepts is the type whose schema documents a 202, the answer while the work goes on.
	Accepts reflect.Type
	// Creates is the type whose schema documents a 201 of an operation that otherwise answers 200.
	Creates reflect.Type
	// In and Out are the struct types of the handler's input and output; package api says what their
	// fields mean.
	In, Out reflect.Type
	// Visit is the handler for tokens of visits; nil for operations that those do not call.
	Visit func(ctx context.Context, in any) (out any, err error)
	// Previews says that it answers tokens of visits that read a preview.
	Previews bool
	// Optional says that an operation of Public also knows who calls, where somebody says so.
	Optional bool
	// Call is the handler: it takes a pointer to In and returns one to Out.
	Call func(ctx context.Context, in any) (out any, err error)
}

// Option adjusts a row of the table.
type Option func(*Operation)

// Handler is the shape of every handler: decoding, validation, status and errors belong to the adapter.
type Handler[In, Out any] func(ctx context.Context, in *In) (*Out, error)

// New makes one row of the operation table. id is the operation's name in the public client, pattern its path,
// tag the group it is listed under.
func New[In, Out any](id, method, pattern, tag, summary string, h Handler[In, Out], options ...Option) Operation {
	op := build(id, method, pattern, tag, summary, options)
	op.In, op.Out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	op.Call = func(ctx context.Context, in any) (any, error) { return h(ctx, in.(*In)) }
	return op
}

// build makes what a row is but for its handler. It is apart from row because the compiler writes generic code
// anew for each pair of types.
func build(id, method, pattern, tag, summary string, options []Option) Operation {
	op := Operation{Operation: huma.Operation{
		OperationID:  id,
		Method:       method,
		Path:         pattern,
		Tags:         []string{tag},
		Summary:      summary,
		MaxBodyBytes: maxBodyBytes,
		Errors:       []int{http.StatusBadRequest},
	}}
	op.Scope = strings.ToLower(tag) + ":write"
	if method == http.MethodGet {
		op.Scope = strings.ToLower(tag) + ":read"
	}
	for _, option := range options {
		option(&op)
	}
	if op.Audience == Authenticated {
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
			http.StatusTooManyRequests)
	}
	return op
}

// maxBodyBytes bounds a JSON request body.
const maxBodyBytes = 8 << 20

// Status sets the success status.
func Status(code int) Option { return func(op *Operation) { op.DefaultStatus = code } }

// Visited lets tokens of visits call an operation: for them it is answered by this handler and by no other, so that
// nothing which knows of people alone ever sees one.
func Visited[In, Out any](h Handler[In, Out]) Option {
	return func(op *Operation) {
		op.Visit = func(ctx context.Context, in any) (any, error) { return h(ctx, in.(*In)) }
	}
}

// Previewed lets tokens of visits call an operation for a preview, too: its handler for visits reads nothing but the
// spaces of the visit, at their heads.
func Previewed() Option { return func(op *Operation) { op.Previews = true } }

// AnyoneOrCaller lets callers without a token in, and knows the others.
func AnyoneOrCaller() Option {
	return func(op *Operation) { op.Audience, op.Optional = Public, true }
}

// Anyone lets callers without a token in.
func Anyone() Option { return func(op *Operation) { op.Audience = Public } }

// Describe adds the long description.
func Describe(text string) Option { return func(op *Operation) { op.Description = text } }

// May adds statuses that the operation can answer with beyond those of every operation.
func May(codes ...int) Option { return func(op *Operation) { op.Errors = append(op.Errors, codes...) } }

// Agents lets integrations call in their own name if their manifest has one of the scopes; "" asks for none.
func Agents(scopes ...string) Option { return func(op *Operation) { op.Agents = scopes } }

// Background documents the body of a 202: what is known of work that goes on.
func Background[T any]() Option {
	return func(op *Operation) { op.Accepts = reflect.TypeFor[T]() }
}

// Answers documents the success body of an operation that writes ready-made bytes: the schema of T under status 200.
func Answers[T any]() Option {
	return func(op *Operation) { op.Answers = reflect.TypeFor[T]() }
}

// AnswersStream documents a success body of server-sent events, each of which is a T.
func AnswersStream[T any]() Option {
	return func(op *Operation) { op.Answers, op.AnswersAs = reflect.TypeFor[T](), "text/event-stream" }
}

// Creates documents the body of a 201 beside that of the 200.
func Creates[T any]() Option {
	return func(op *Operation) { op.Creates = reflect.TypeFor[T]() }
}

// Empty documents another status, of an answer without a body.
func Empty(code int, text string) Option {
	return func(op *Operation) {
		op.Responses = map[string]*huma.Response{strconv.Itoa(code): {Description: text}}
	}
}

// Reads says that an operation changes nothing although its method is not GET, so that a token for reading covers it.
func Reads() Option {
	return func(op *Operation) { op.Scope = strings.ToLower(op.Tags[0]) + ":read" }
}

// Writes says that an operation changes something although its method is GET, so that a token for reading does not
// cover it.
func Writes() Option {
	return func(op *Operation) { op.Scope = strings.ToLower(op.Tags[0]) + ":write" }
}

// Deprecated marks an operation that another one replaces.
func Deprecated() Option { return func(op *Operation) { op.Deprecated = true } }

// Takes sets the largest request body, in bytes.
func Takes(size int64) Option { return func(op *Operation) { op.MaxBodyBytes = size } }

// RequestReader is an input that reads the body of its request itself, as it comes. ReadRequest is called when
// everything else of the input is good.
type RequestReader interface {
	ReadRequest(w http.ResponseWriter, r *http.Request)
}

// Scoped names the resource that a limited token has to cover, where the tag is more than one word.
func Scoped(resource string) Option {
	return func(op *Operation) {
		op.Scope = resource + ":write"
		if op.Method == http.MethodGet {
			op.Scope = resource + ":read"
		}
	}
}
