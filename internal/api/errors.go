package api

import (
	"errors"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"github.com/rectodocs/recto/internal/errs"
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

// GetStatus returns the HTTP status; huma asks for it.
func (e *ErrorBody) GetStatus() int { return e.Info.Code }

// GetHeaders returns the headers that go with the error (Retry-After, WWW-Authenticate).
func (e *ErrorBody) GetHeaders() http.Header { return e.header }

// ContentType keeps errors plain JSON whatever huma would negotiate.
func (e *ErrorBody) ContentType(string) string { return "application/json" }

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
}

// internalMessage is all that a caller learns of a defect; the log has the rest under the request id.
const internalMessage = "Something went wrong on the server. Try again; if it stays, give the request id (X-Request-Id) to your administrator."

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

// installErrors points huma's package-level error constructor at our shape. huma has no per-API setting for it, so
// this is the one process-wide effect of the package; it is idempotent.
var installErrors = sync.OnceFunc(func() {
	huma.NewError = func(status int, message string, causes ...error) huma.StatusError {
		if status == http.StatusUnprocessableEntity {
			status = http.StatusBadRequest // one status for every invalid input
		}
		details := make([]errs.Detail, 0, len(causes))
		for _, cause := range causes {
			if cause == nil {
				continue
			}
			if detailer, ok := cause.(huma.ErrorDetailer); ok {
				detail := detailer.ErrorDetail()
				text := detail.Message
				if text == validation.MsgExpectedMatchExactlyOneSchema {
					text = "has none of the forms that are accepted; /v1/docs shows them"
				}
				details = append(details, errs.Detail{Path: detail.Location, Message: text})
				continue
			}
			details = append(details, errs.Detail{Path: "body", Message: cause.Error()})
		}
		return newError(status, inputMessage(status, message, details), details...)
	}
	huma.NewErrorWithContext = func(_ huma.Context, status int, message string, causes ...error) huma.StatusError {
		return huma.NewError(status, message, causes...)
	}
})

// inputMessage says in one sentence what the details say in full, since many clients show the message alone.
func inputMessage(status int, message string, details []errs.Detail) string {
	switch {
	case status == http.StatusInternalServerError:
		return internalMessage
	case len(details) == 0:
		return message
	}
	parts := make([]string, 0, len(details))
	for _, detail := range details {
		parts = append(parts, detail.Path+": "+detail.Message)
	}
	return "The request is not valid. " + strings.Join(parts, "; ") + "."
}
