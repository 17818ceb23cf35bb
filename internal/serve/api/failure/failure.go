// Package failure owns what a request gets that fails: one JSON body for all, the table from kinds of errors to HTTP
// statuses, and what is logged and not told.
package failure

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// ErrorBody is the one shape of every failure: {"error": {"code", "message", "details"}}.
type ErrorBody struct {
	Info ErrorInfo `json:"error"`

	// Header has the headers that the answer needs besides those of every one.
	Header http.Header `json:"-"`
}

// ErrorInfo says what is wrong and how to mend it.
type ErrorInfo struct {
	// Code is the HTTP status.
	Code int `json:"code" format:"int32" doc:"HTTP status of the response."`
	// Message is for the person who made the request.
	Message string `json:"message" doc:"What is wrong and how to mend it."`
	// Details name the parts of an invalid input.
	Details []errs.Detail `json:"details,omitempty" doc:"The parts of an invalid input, each with its path."`
}

// Error returns the message.
func (e *ErrorBody) Error() string { return e.Info.Message }

// statuses is the one table from error kinds to HTTP statuses.
var statuses = map[errs.Kind]int{
	errs.Internal:     http.StatusInternalServerError,
	errs.Invalid:      http.StatusBadRequest,
	errs.Unauthorized: http.StatusUnauthorized,
	errs.Forbidden:    http.StatusForbidden,
	errs.NotFound:     http.StatusNotFound,
	errs.Conflict:     http.StatusConflict,
	errs.Precondition: http.StatusPreconditionFailed,
	errs.TooLarge:     http.StatusRequestEntityTooLarge,
	errs.Unsupported:  http.StatusUnsupportedMediaType,
	errs.TooMany:      http.StatusTooManyRequests,
	errs.Unavailable:  http.StatusServiceUnavailable,
	errs.Unreachable:  http.StatusBadRequest,
}

// InternalMessage is all that a caller learns of a defect; the log has the rest under the request id.
const InternalMessage = "Something went wrong on the server. Try again; if it stays, give the request id " +
	"(X-Request-Id) to your administrator."

// New makes the wire error of a status.
func New(status int, message string, details ...errs.Detail) *ErrorBody {
	body := &ErrorBody{Info: ErrorInfo{Code: status, Message: message, Details: details}, Header: http.Header{}}
	switch status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		body.Header.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		body.Header.Set("WWW-Authenticate", `Bearer realm="recto"`)
	}
	return body
}

// Of turns any error of the domain into the wire error, and says whether it has to be logged as a defect.
func Of(err error) (body *ErrorBody, defect bool) {
	if body, ok := errors.AsType[*ErrorBody](err); ok {
		return body, false
	}
	refusal, ok := errors.AsType[*errs.Error](err)
	if !ok || refusal.Kind == errs.Internal {
		return New(http.StatusInternalServerError, InternalMessage), true
	}
	status, ok := statuses[refusal.Kind]
	if !ok {
		return New(http.StatusInternalServerError, InternalMessage), true
	}
	return New(status, refusal.Message, refusal.Details...), refusal.Kind == errs.Unavailable
}

// Write writes an error from outside a handler: the router's misses, and refusals before the handler ran.
func Write(w http.ResponseWriter, body *ErrorBody) {
	for name, values := range body.Header {
		if _, set := w.Header()[name]; !set {
			w.Header()[name] = values
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(body.Info.Code)
	_ = json.NewEncoder(w).Encode(body) // the client went away: nobody is left to tell
}

// Log logs an error that the caller must not see. The request id is in the context's log attributes.
func Log(ctx context.Context, log *slog.Logger, operationID string, err error) {
	if ctx.Err() != nil {
		return // the caller went away; nobody is waiting for this answer
	}
	log.ErrorContext(ctx, "api operation failed",
		slog.String("operation", operationID),
		slog.String("requestId", httpx.RequestID(ctx)),
		slog.Any("error", err))
}

// Shorten is a name that anybody may have made up, for a path in an answer.
func Shorten(name string) string {
	const most = 60
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}
