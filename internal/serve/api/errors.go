package api

import (
	"errors"
	"net/http"

	"github.com/rectodocs/recto/internal/base/errs"
)

// ErrorBody is the one shape of every failure: {"error": {"code", "message", "details"}}.
type ErrorBody struct {
	Info ErrorInfo `json:"error"`

	header http.Header
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

// statusOf is the one table from error kinds to HTTP statuses.
var statusOf = map[errs.Kind]int{
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

// internalMessage is all that a caller learns of a defect; the log has the rest under the request id.
const internalMessage = "Something went wrong on the server. Try again; if it stays, give the request id " +
	"(X-Request-Id) to your administrator."

// newError makes the wire error of a status.
func newError(status int, message string, details ...errs.Detail) *ErrorBody {
	body := &ErrorBody{Info: ErrorInfo{Code: status, Message: message, Details: details}, header: http.Header{}}
	switch status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		body.header.Set("Retry-After", "1")
	case http.StatusUnauthorized:
		body.header.Set("WWW-Authenticate", `Bearer realm="recto"`)
	}
	return body
}

// wireError turns any error of the domain into the wire error, and says whether it has to be logged as a defect.
func wireError(err error) (body *ErrorBody, defect bool) {
	if body, ok := errors.AsType[*ErrorBody](err); ok {
		return body, false
	}
	refusal, ok := errors.AsType[*errs.Error](err)
	if !ok || refusal.Kind == errs.Internal {
		return newError(http.StatusInternalServerError, internalMessage), true
	}
	status, ok := statusOf[refusal.Kind]
	if !ok {
		return newError(http.StatusInternalServerError, internalMessage), true
	}
	return newError(status, refusal.Message, refusal.Details...), refusal.Kind == errs.Unavailable
}
