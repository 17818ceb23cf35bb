package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// openness says who may call an operation at all; what they may do with a resource is the domain's to decide.
type openness int

const (
	// authenticated operations need a valid token.
	authenticated openness = iota
	// public operations answer anybody.
	public
)

// operation is one row of the table: what it is called, where it answers, who may call it, and its handler.
// The table drives routing, authentication, limits, metrics and the published OpenAPI document.
type operation struct {
	huma.Operation
	audience openness
	// scope is what a limited token has to have: the resource and read or write, such as "spaces:read".
	scope string
	// answers is the type whose schema documents the success body of an operation that writes ready-made bytes.
	answers reflect.Type
	// streams is the body of an operation that reads it as it comes.
	streams *huma.RequestBody
	// accepts is the type whose schema documents a 202, the answer while the work goes on.
	accepts reflect.Type
	// creates is the type whose schema documents a 201 of an operation that otherwise answers 200.
	creates reflect.Type
	// in and out are the struct types of the handler's input and output; bindInput and bindOutput say what their fields
	// mean.
	in, out reflect.Type
	// call is the handler: it takes a pointer to in and returns one to out.
	call func(ctx context.Context, in any) (out any, err error)
}

// option adjusts a row of the table.
type option func(*operation)

// handler is the shape of every handler: decoding, validation, status and errors belong to the adapter.
type handler[In, Out any] func(ctx context.Context, in *In) (*Out, error)

// row makes one row of the operation table. id is the operation's name in the public client, pattern its path,
// tag the group it is listed under.
func row[In, Out any](id, method, pattern, tag, summary string, h handler[In, Out], options ...option) operation {
	op := newOperation(id, method, pattern, tag, summary, options)
	op.in, op.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	op.call = func(ctx context.Context, in any) (any, error) { return h(ctx, in.(*In)) }
	return op
}

// newOperation makes what a row is but for its handler. It is apart from row because the compiler writes generic code
// anew for each pair of types.
func newOperation(id, method, pattern, tag, summary string, options []option) operation {
	op := operation{Operation: huma.Operation{
		OperationID:  id,
		Method:       method,
		Path:         pattern,
		Tags:         []string{tag},
		Summary:      summary,
		MaxBodyBytes: maxBodyBytes,
		Errors:       []int{http.StatusBadRequest},
	}}
	op.scope = strings.ToLower(tag) + ":write"
	if method == http.MethodGet {
		op.scope = strings.ToLower(tag) + ":read"
	}
	for _, option := range options {
		option(&op)
	}
	if op.audience == authenticated {
		op.Security = []map[string][]string{{"token": {}}, {"session": {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
			http.StatusTooManyRequests)
	}
	return op
}

// register documents an operation and serves it.
func (a *API) register(op operation) {
	registry := a.huma.OpenAPI().Components.Schemas
	in := bindInput(&op.Operation, registry, op.in)
	in.ignored = op.ignore()
	out := bindOutput(&op.Operation, registry, op.out)
	documentErrors(&op.Operation, registry)
	if op.streams != nil {
		op.RequestBody = op.streams
	}
	a.huma.OpenAPI().AddOperation(&op.Operation)
	a.huma.Adapter().Handle(&op.Operation, op.Middlewares.Handler(func(ctx huma.Context) {
		input, refusal := in.read(a.huma, ctx)
		if refusal != nil {
			_, w := humago.Unwrap(ctx)
			a.writeError(w, refusal)
			return
		}
		output, err := op.call(ctx.Context(), input)
		if err != nil {
			a.fail(ctx, err)
			return
		}
		out.write(a, ctx, output)
	}))
}

// fail answers with an error of the domain.
func (a *API) fail(ctx huma.Context, err error) {
	body, defect := wireError(err)
	if defect {
		a.logDefect(ctx.Context(), ctx.Operation().OperationID, err)
	}
	_, w := humago.Unwrap(ctx)
	a.writeError(w, body)
}

// maxBodyBytes bounds a JSON request body.
const maxBodyBytes = 8 << 20

// status sets the success status.
func status(code int) option { return func(op *operation) { op.DefaultStatus = code } }

// anyone lets callers without a token in.
func anyone() option { return func(op *operation) { op.audience = public } }

// describe adds the long description.
func describe(text string) option { return func(op *operation) { op.Description = text } }

// may adds statuses that the operation can answer with beyond those of every operation.
func may(codes ...int) option { return func(op *operation) { op.Errors = append(op.Errors, codes...) } }

// background documents the body of a 202: what is known of work that goes on.
func background[T any]() option {
	return func(op *operation) { op.accepts = reflect.TypeFor[T]() }
}

// answers documents the success body of an operation that writes ready-made bytes: the schema of T under status 200.
func answers[T any]() option {
	return func(op *operation) { op.answers = reflect.TypeFor[T]() }
}

// creates documents the body of a 201 beside that of the 200.
func creates[T any]() option {
	return func(op *operation) { op.creates = reflect.TypeFor[T]() }
}

// empty documents another status, of an answer without a body.
func empty(code int, text string) option {
	return func(op *operation) {
		op.Responses = map[string]*huma.Response{strconv.Itoa(code): {Description: text}}
	}
}

// reads says that an operation changes nothing although its method is not GET, so that a token for reading covers it.
func reads() option {
	return func(op *operation) { op.scope = strings.ToLower(op.Tags[0]) + ":read" }
}

// deprecated marks an operation that another one replaces.
func deprecated() option { return func(op *operation) { op.Deprecated = true } }

// takes sets the largest request body, in bytes.
func takes(size int64) option { return func(op *operation) { op.MaxBodyBytes = size } }
