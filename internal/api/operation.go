package api

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// audience says who may call an operation at all; what they may do with a resource is the domain's to decide.
type audience int

const (
	// authenticated operations need a valid token.
	authenticated audience = iota
	// public operations answer anybody.
	public
)

// operation is one row of the table: what it is called, where it answers, who may call it, and its handler.
// The table drives routing, authentication, limits, metrics and the published OpenAPI document.
type operation struct {
	huma.Operation
	audience audience
	// scope is what a limited token has to have: the resource and read or write, such as "spaces:read".
	scope string
	// answers is the type whose schema documents the success body of an operation that writes ready-made bytes.
	answers reflect.Type
	// streams is the body of an operation that reads it as it comes.
	streams *huma.RequestBody
	// accepts is the type whose schema documents a 202, the answer while the work goes on.
	accepts reflect.Type
	// creates is the type whose schema documents a 201 of an operation that otherwise answers 200.
	creates  reflect.Type
	register func(huma.API, operation, *API)
}

// option adjusts a row of the table.
type option func(*operation)

// handler is the shape of every handler: decoding, validation, status and errors belong to the adapter.
type handler[In, Out any] func(ctx context.Context, in *In) (*Out, error)

// row makes one row of the operation table. id is the operation's name in the public client, pattern its path,
// tag the group it is listed under.
func row[In, Out any](id, method, pattern, tag, summary string, h handler[In, Out], options ...option) operation {
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
		op.Security = []map[string][]string{{"token": {}}}
		op.Errors = append(op.Errors, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests)
	}
	op.register = func(target huma.API, op operation, a *API) {
		huma.Register(target, op.Operation, func(ctx context.Context, in *In) (*Out, error) {
			out, err := h(ctx, in)
			if err != nil {
				body, defect := wireError(err)
				if defect {
					a.logDefect(ctx, op.OperationID, err)
				}
				return nil, body
			}
			return out, nil
		})
	}
	return op
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

// reads says that an operation changes nothing although its method is not GET, so that a token for reading covers it.
func reads() option {
	return func(op *operation) { op.scope = strings.ToLower(op.Tags[0]) + ":read" }
}

// deprecated marks an operation that another one replaces.
func deprecated() option { return func(op *operation) { op.Deprecated = true } }

// takes sets the largest request body, in bytes.
func takes(size int64) option { return func(op *operation) { op.MaxBodyBytes = size } }
