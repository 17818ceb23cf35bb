package errs_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestRefusalsSayKindAndMessage(t *testing.T) {
	for name, test := range map[string]struct {
		err  *errs.Error
		kind errs.Kind
		says string
	}{
		"new":       {errs.New(errs.TooLarge, "%d bytes; at most %d", 3, 2), errs.TooLarge, "3 bytes; at most 2"},
		"not found": {errs.NotFoundf("no %q", "page"), errs.NotFound, `no "page"`},
		"conflict":  {errs.Conflictf("%s is merged", "it"), errs.Conflict, "it is merged"},
		"forbidden": {errs.Forbiddenf("needs %s", "edit"), errs.Forbidden, "needs edit"},
		"invalid": {errs.Invalidf("body.title", "has %d characters", 0), errs.Invalid,
			"body.title: has 0 characters"},
		// What a caller gives as an argument is never read as a format.
		"a verb in an argument": {errs.New(errs.Invalid, "%s", "100%d"), errs.Invalid, "100%d"},
	} {
		if test.err.Kind != test.kind || test.err.Message != test.says || test.err.Error() != test.says {
			t.Errorf("%s: kind %d, %q, want %d, %q", name, test.err.Kind, test.err, test.kind, test.says)
		}
		if test.err.Unwrap() != nil {
			t.Errorf("%s has the cause %v", name, test.err.Unwrap())
		}
	}
}

func TestInvalidNamesTheField(t *testing.T) {
	err := errs.Invalidf("query.limit", "is %d", -1)
	if want := []errs.Detail{{Path: "query.limit", Message: "is -1"}}; !slices.Equal(err.Details, want) {
		t.Errorf("details are %v, want %v", err.Details, want)
	}
}

// TestCauseStaysInTheLog holds that the message, which callers see, is without the cause, and that the log and
// errors.Is have it.
func TestCauseStaysInTheLog(t *testing.T) {
	err := errs.Wrap(fmt.Errorf("read 10.0.0.1: %w", io.ErrUnexpectedEOF), errs.Unavailable, "try again in %s",
		"a moment")
	if err.Message != "try again in a moment" {
		t.Errorf("callers see %q", err.Message)
	}
	if want := "try again in a moment: read 10.0.0.1: unexpected EOF"; err.Error() != want {
		t.Errorf("the log has %q, want %q", err, want)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is lost")
	}
}

func TestKindOf(t *testing.T) {
	inner := errs.NotFoundf("no such page")
	for name, test := range map[string]struct {
		err  error
		want errs.Kind
	}{
		"none":              {nil, errs.Internal},
		"a stranger":        {io.EOF, errs.Internal},
		"a refusal":         {inner, errs.NotFound},
		"a wrapped refusal": {fmt.Errorf("load: %w", inner), errs.NotFound},
		"joined":            {errors.Join(io.EOF, inner), errs.NotFound},
		// The outermost decides: who wraps a refusal in another one means the other.
		"a refusal for a refusal": {errs.Wrap(inner, errs.Conflict, "it went meanwhile"), errs.Conflict},
	} {
		if got := errs.KindOf(test.err); got != test.want {
			t.Errorf("%s: kind %d, want %d", name, got, test.want)
		}
		for kind := errs.Internal; kind <= errs.Unreachable; kind++ {
			if got, want := errs.Is(test.err, kind), test.err != nil && kind == test.want; got != want {
				t.Errorf("%s: Is(%d) is %v, want %v", name, kind, got, want)
			}
		}
	}
}
