package embedding

import (
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Reason says in one word why an endpoint gives no vectors, for those who have to mend it.
type Reason string

// Why an endpoint gives none.
const (
	// WrongKey is that it refuses the key.
	WrongKey Reason = "key"
	// WrongSettings is that there is no endpoint at the address, or that it does not know the model.
	WrongSettings Reason = "settings"
	// RefusedTexts is that it takes none of the texts.
	RefusedTexts Reason = "texts"
	// Busy is that it asks for patience, Failing that it fails by itself, Away that it does not answer.
	Busy    Reason = "busy"
	Failing Reason = "failing"
	Away    Reason = "away"
	// WrongAnswer is that what it answers are no vectors for the texts.
	WrongAnswer Reason = "answer"
	// Unknown is anything else.
	Unknown Reason = "unknown"
)

// failure is a refusal with its reason.
type failure struct {
	refusal *errs.Error
	reason  Reason
}

func (f *failure) Error() string { return f.refusal.Error() }

// Unwrap returns the refusal, so that its kind is found.
func (f *failure) Unwrap() error { return f.refusal }

func because(reason Reason, refusal *errs.Error) error { return &failure{refusal, reason} }

// ReasonOf returns why Embed has failed.
func ReasonOf(err error) Reason {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.reason
	}
	return Unknown
}
