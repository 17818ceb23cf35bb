package contents

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ExpressionValue is what an expression comes to on a page.
type ExpressionValue struct {
	Object string `json:"object" enum:"expression-value"`
	Value  string `json:"value" doc:"The text that readers see in its place; empty when it has none."`
	Holds  bool   `json:"holds" doc:"Whether it lets something be seen, as a condition."`
	// Visitor says that the rest is true of a visitor of whom nothing is known alone.
	Visitor bool   `json:"visitor" doc:"It depends on who reads: value and holds are those of a visitor of whom nothing is known."`
	Fault   string `json:"fault,omitempty" doc:"What is wrong with it. Then there is no value."`
}

// ExpressionParams are an expression and the page that it would stand in.
type ExpressionParams struct {
	Page       string `path:"pageId"`
	Expression string `query:"expression" required:"true" minLength:"1" maxLength:"4096" doc:"As it would stand in the page."`
}

type evaluateInput struct {
	RevisionParams
	ExpressionParams
}

// evaluateInSpace answers what an expression comes to on a page of the main content.
func (h *Handlers) evaluateInSpace(ctx context.Context, in *evaluateInput) (*operation.Encoded, error) {
	return h.evaluate(ctx, in.RevisionParams, version{}, in.ExpressionParams)
}

type evaluateInChangeRequestInput struct {
	RevisionParams
	AtChangeRequest
	ExpressionParams
}

// evaluateInChangeRequest answers what an expression comes to on a page of a change request.
func (h *Handlers) evaluateInChangeRequest(ctx context.Context,
	in *evaluateInChangeRequestInput) (*operation.Encoded, error) {
	return h.evaluate(ctx, in.RevisionParams, in.version(), in.ExpressionParams)
}

func (h *Handlers) evaluate(ctx context.Context, params RevisionParams, at version,
	in ExpressionParams) (*operation.Encoded, error) {
	return h.versionRead(ctx, params, at, "expression/"+in.Page+"/"+in.Expression,
		func(ctx context.Context, view *store.View) (any, error) {
			entry, err := wire.PageEntry(ctx, view, in.Page)
			if err != nil {
				return nil, err
			}
			pages, err := page.Open(ctx, view)
			if err != nil {
				return nil, err
			}
			return valueOf(ctx, in.Expression, pages.Variables(entry, nil)), nil
		})
}

// valueOf computes an expression. What is wrong with it is part of the answer: it is the writer's to mend.
func valueOf(ctx context.Context, source string, variables map[string]any) ExpressionValue {
	answer := ExpressionValue{Object: "expression-value"}
	program, err := expr.Parse(source)
	if err != nil {
		answer.Fault = strings.TrimSpace(err.Error())
		return answer
	}
	answer.Visitor = program.UsesVisitor()
	result, err := program.Eval(ctx, variables, expr.Limits{})
	if err != nil {
		answer.Fault = strings.TrimSpace(err.Error())
		return answer
	}
	answer.Value, answer.Holds = expr.Format(result), expr.Holds(result)
	return answer
}
