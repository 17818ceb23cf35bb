// Package expr owns the expression language of pages: the conditions of {% if %} blocks, pages and site parts, and the
// values of inline expressions.
//
// The grammar is that of one JavaScript expression; the values are those of the estree evaluator that existing
// content was written for, its quirks included (see Missing). Where JavaScript has an answer without them, it is the
// same here: TestAgreesWithJavaScript asks an engine, and TestOutsideJavaScript lists what is apart.
//
// A tree-walking evaluator runs over the syntax tree of a kept JavaScript parser; there is no virtual machine, no host
// object, no clock, no randomness and no global, so the same expression over the same context always gives the same
// value.
//
// Hostile input is expected. The source is capped before it reaches the parser, evaluation is capped in steps, in
// depth and in bytes produced, and regular expressions that need backtracking run under a clock. Values are
// immutable: methods that change their receiver in JavaScript return what they would return and leave it alone.
package expr

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Caps on the source of an expression, in bytes.
const (
	// MaxSource is the longest expression that Parse accepts.
	MaxSource = 4096
	// MaxCondition is the longest condition that the API stores.
	MaxCondition = 1024
)

// Undefined is the value of what does not exist: an unknown identifier, an absent property, a call that cannot be
// made. It is not nil, which is JavaScript's null.
type Undefined struct{}

// MarshalJSON writes null.
func (Undefined) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Missing is the value of a property of something that is itself absent or falsy ("visitor.claims.missing.deep").
// It is truthy by itself, and makes the whole expression undefined when it meets a binary operator, a call or a list.
// A property of Missing is Undefined again.
type Missing struct{}

// MarshalJSON writes null.
func (Missing) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// Limits bounds one evaluation. A zero field means its default.
type Limits struct {
	// Steps is the number of syntax nodes visited and callbacks called. Default 20,000.
	Steps int
	// Depth is how deep evaluation may nest, calls included. Default 512.
	Depth int
	// Text is the longest string that may be produced, in bytes. Default 65,536.
	Text int
	// Elements is the longest array that may be produced. Default 10,000.
	Elements int
	// Work is the sum of bytes that all operations together may produce or scan. Default 2,000,000.
	Work int
	// Shared is a budget over several evaluations, in units of work: a byte costs 1 and a step 32. It is counted down;
	// at zero every further evaluation is an error of kind TooLarge. Nil is no such budget.
	Shared *int
}

func (l Limits) withDefaults() Limits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&l.Steps, 20_000)
	set(&l.Depth, 512)
	set(&l.Text, 64<<10)
	set(&l.Elements, 10_000)
	set(&l.Work, 2_000_000)
	return l
}

// Program is a parsed expression. It is immutable and safe for concurrent use.
type Program struct {
	source string
	root   ast.Expression
}

// Parse reads one expression. A trailing semicolon and comments are allowed; an empty source, a second statement, a
// statement that is not an expression and a source over MaxSource are errors of kind Invalid or TooLarge.
func Parse(source string) (*Program, error) {
	if err := guard(source); err != nil {
		return nil, err
	}
	// Source map comments make the parser read files unless told not to.
	tree, err := parser.ParseFile(nil, "", source, 0, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, errs.New(errs.Invalid, "this is not an expression: %s", parseMessage(err))
	}
	if len(tree.Body) == 0 {
		return nil, errs.New(errs.Invalid,
			"the expression is empty; write a condition such as visitor.claims.plan == \"pro\"")
	}
	if len(tree.Body) > 1 {
		return nil, errs.New(errs.Invalid, "an expression is one statement; remove what follows the first one")
	}
	statement, ok := tree.Body[0].(*ast.ExpressionStatement)
	if !ok {
		return nil, errs.New(errs.Invalid, "only an expression is allowed here; put an object literal in parentheses")
	}
	return &Program{source: source, root: statement.Expression}, nil
}

func parseMessage(err error) string {
	if list, ok := errors.AsType[parser.ErrorList](err); ok && len(list) > 0 {
		err = list[0]
	}
	return strings.TrimPrefix(err.Error(), "(anonymous): ")
}

// ParseCondition reads an expression that is to be stored as a condition: at most MaxCondition characters.
func ParseCondition(source string) (*Program, error) {
	if n := utf8.RuneCountInString(source); n > MaxCondition {
		return nil, errs.New(errs.TooLarge, "a condition may have %d characters; this one has %d", MaxCondition, n)
	}
	return Parse(source)
}

// Source returns the text that the program was parsed from.
func (p *Program) Source() string { return p.source }

// Eval computes the value over a context such as {"visitor": {"claims": …}, "space": {"vars": …}, "page": {"vars": …}},
// made of the values of encoding/json (integers of other types are taken too). The context is never changed.
//
// The result is nil, bool, float64, string, []any, map[string]any, Undefined, Missing or an opaque function or
// regular expression. An error is of kind Invalid (the expression cannot be computed) or TooLarge (over a limit).
func (p *Program) Eval(ctx context.Context, variables map[string]any, limits Limits) (any, error) {
	return newEvaluator(ctx, variables, limits.withDefaults()).run(p.root)
}

// Boolean says whether a condition holds: a blank one does, one that fails to parse or to compute does not, any other
// by the truth of its value. Limits are the defaults.
func Boolean(ctx context.Context, source string, variables map[string]any) bool {
	if strings.TrimSpace(source) == "" {
		return true
	}
	program, err := Parse(source)
	if err != nil {
		return false
	}
	value, err := program.Eval(ctx, variables, Limits{})
	return err == nil && truthy(value)
}

// Format prints the value of an inline expression: a string as it is, a number or a boolean as JavaScript prints it,
// anything else as nothing.
func Format(value any) string {
	switch v := normal(value).(type) {
	case string:
		return v
	case bool:
		if v {
			return "true"
		}
		return "false"
	case float64:
		return formatNumber(v)
	}
	return ""
}

// Plain turns a result of Eval into values that encoding/json writes: what JSON has no word for (undefined, missing,
// functions, NaN and infinities) becomes nil.
func Plain(value any) any {
	switch v := normal(value).(type) {
	case nil, bool, string:
		return v
	case float64:
		if v != v || v-v != 0 {
			return nil
		}
		return v
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			out[i] = Plain(element)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, element := range v {
			out[key] = Plain(element)
		}
		return out
	}
	return nil
}

// Holds says whether a result of Eval lets something be seen: it is true, and not because something is missing in
// something that is missing. A condition on a claim that nobody has must not open what it guards.
func Holds(value any) bool {
	value = normal(value)
	_, missing := value.(Missing)
	return !missing && truthy(value)
}

// Truthy says whether a result of Eval counts as true in a condition.
func Truthy(value any) bool { return truthy(normal(value)) }
