package edit

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// unreadable are the conditions of a document's blocks that cannot be read, with what is wrong with them.
func unreadable(document *doc.Document) map[string]error {
	var found map[string]error
	document.Walk(func(node *doc.Node) bool {
		if node.Type != doc.If {
			return true
		}
		condition := node.Data.(*doc.ExpressionData).Expression
		if _, err := expr.Parse(condition); err != nil {
			if found == nil {
				found = map[string]error{}
			}
			found[condition] = err
		}
		return true
	})
	return found
}

// checkConditions refuses blocks whose condition cannot be read: they would show to nobody. Those that the present body
// has do not keep it from being edited.
func (w *work) checkConditions(ctx context.Context, e *entity.Entry, document *doc.Document) error {
	broken := unreadable(document)
	if len(broken) == 0 {
		return nil
	}
	body, err := w.body(ctx, e)
	if err != nil {
		return err
	}
	var before map[string]error
	if present, err := markdown.Parse(body); err == nil {
		before = unreadable(present)
	}
	for condition, err := range broken {
		if _, known := before[condition]; known {
			continue
		}
		refusal, ok := errors.AsType[*errs.Error](err)
		if !ok {
			return err
		}
		return errs.Invalidf("document", "the condition %.80q of a block cannot be read: %s", condition,
			refusal.Message)
	}
	return nil
}
