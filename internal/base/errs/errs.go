// Package errs owns the vocabulary of failures that people can mend.
//
// A domain function that refuses something returns an *Error with one of the kinds below and a message that says
// what is wrong and how to mend it. Any other error is a defect or an outage: the edge answers 500 or 503, says
// nothing about it, and logs it once with the request id. The package imports the standard library only.
package errs

import (
	"errors"
	"fmt"
)

// Kind classifies a refusal. The API maps each kind to one HTTP status, the command line to one exit text.
type Kind int

// Kinds of refusal, with the HTTP status that each becomes.
const (
	Internal     Kind = iota // 500: a defect; also the kind of errors that are not an *Error
	Invalid                  // 400: malformed or invalid input
	Unauthorized             // 401: no token, or a bad one
	Forbidden                // 403: known, but not allowed
	NotFound                 // 404: not there, or not visible to the caller
	Conflict                 // 409: the state of the resource does not allow it
	Precondition             // 412: something else has to happen first
	TooLarge                 // 413: over a stated limit
	Unsupported              // 415: a media type we do not read
	TooMany                  // 429: slow down
	Unavailable              // 503: try again later
	Unreachable              // 400: a server elsewhere that the caller named does not answer; later it may
)

// Detail says what is wrong with one part of an input.
type Detail struct {
	// Path locates the part: "body.title", "query.limit", or a line and column in a file.
	Path string `json:"path"`
	// Message says what is wrong with it and what would be accepted.
	Message string `json:"message"`
}

// Error is a refusal with a message for the person who made the request.
type Error struct {
	Kind    Kind
	Message string
	Details []Detail
	// Cause is for the log only; it is never shown to the caller.
	Cause error
}

// Error returns the message, with the cause behind it when there is one.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// New returns an error of a kind with a formatted message. A %w verb keeps the cause for errors.Is and the log
// without showing it to the caller only when the message does not print it; use Wrap for that.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns an error of a kind whose cause goes to the log but not to the caller.
func Wrap(cause error, kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), Cause: cause}
}

// Invalidf returns an Invalid error for one part of the input.
func Invalidf(path, format string, args ...any) *Error {
	message := fmt.Sprintf(format, args...)
	return &Error{Kind: Invalid, Message: path + ": " + message, Details: []Detail{{Path: path, Message: message}}}
}

// NotFoundf returns a NotFound error.
func NotFoundf(format string, args ...any) *Error { return New(NotFound, format, args...) }

// Conflictf returns a Conflict error.
func Conflictf(format string, args ...any) *Error { return New(Conflict, format, args...) }

// Forbiddenf returns a Forbidden error.
func Forbiddenf(format string, args ...any) *Error { return New(Forbidden, format, args...) }

// KindOf returns the kind of the first *Error in err's chain, and Internal when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a refusal of the given kind.
func Is(err error, kind Kind) bool { return err != nil && KindOf(err) == kind }
