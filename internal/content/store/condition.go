package store

import (
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
)

// checkCondition refuses a condition that nobody can read: its page would be hidden from everybody, and its author
// would think that it is there for some. One that the page had before, from when that was not checked, does not keep it
// from being edited.
func checkCondition(before, after *entity.Entry) error {
	if after.Condition == "" || before != nil && before.Condition == after.Condition {
		return nil
	}
	_, err := expr.ParseCondition(after.Condition)
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		return errs.Invalidf("condition", "%s", refusal.Message)
	}
	return err
}
