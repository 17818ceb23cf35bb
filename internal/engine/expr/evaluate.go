package expr

import (
	"context"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/rectodocs/recto/internal/base/errs"
)

// evaluator is the state of one evaluation.
type evaluator struct {
	ctx    context.Context
	limits Limits
	// variables is the caller's context; assigned holds what ++ and -- changed, so that the context stays as it was.
	variables map[string]any
	assigned  map[string]any
	steps     int
	depth     int
	work      int
	// literals counts the array and object literals around the current node: an unknown name inside one is an error.
	literals int
	// failed makes every value from here on undefined, which is what a Missing operand does to the whole expression.
	failed bool
	// scope holds the parameters of the callback that runs; nil outside.
	scope *scope
}

// scope is one call's parameters and those of the functions around it.
type scope struct {
	names  []string
	values []any
	parent *scope
}

func (s *scope) lookup(name string) (any, bool) {
	for ; s != nil; s = s.parent {
		for i, n := range s.names {
			if n == name {
				return s.values[i], true
			}
		}
	}
	return nil, false
}

func newEvaluator(ctx context.Context, variables map[string]any, limits Limits) *evaluator {
	return &evaluator{ctx: ctx, limits: limits, variables: variables}
}

func (e *evaluator) run(root ast.Expression) (any, error) { return e.eval(root) }

// charge counts bytes produced or scanned against the evaluation's budget.
func (e *evaluator) charge(bytes int) error {
	e.work += bytes
	if e.work > e.limits.Work {
		return errs.New(errs.TooLarge, "the expression handles more than %d bytes of text and lists", e.limits.Work)
	}
	return e.share(bytes)
}

// share counts units of work against the budget over several evaluations.
func (e *evaluator) share(work int) error {
	if e.limits.Shared == nil {
		return nil
	}
	if *e.limits.Shared -= work; *e.limits.Shared < 0 {
		return errs.New(errs.TooLarge, "the expressions of this document together take too long")
	}
	return nil
}

// stepWork is what a step costs of a shared budget.
const stepWork = 32

func (e *evaluator) step() error {
	e.steps++
	if e.steps > e.limits.Steps {
		return errs.New(errs.TooLarge, "the expression takes more than %d steps", e.limits.Steps)
	}
	if e.steps%256 == 0 && e.ctx.Err() != nil {
		return e.ctx.Err()
	}
	return e.share(stepWork)
}

// fail records that a Missing value met something it cannot meet.
func (e *evaluator) fail() (any, error) {
	e.failed = true
	return Undefined{}, nil
}

func (e *evaluator) eval(node ast.Expression) (any, error) {
	if err := e.step(); err != nil {
		return nil, err
	}
	e.depth++
	defer func() { e.depth-- }()
	if e.depth > e.limits.Depth {
		return nil, errs.New(errs.TooLarge, "the expression nests deeper than %d levels", e.limits.Depth)
	}
	value, err := e.visit(node)
	if err != nil {
		return nil, err
	}
	if e.failed {
		return Undefined{}, nil
	}
	return value, nil
}

func (e *evaluator) visit(node ast.Expression) (any, error) {
	switch n := node.(type) {
	case *ast.NullLiteral:
		return nil, nil
	case *ast.BooleanLiteral:
		return n.Value, nil
	case *ast.NumberLiteral:
		return numberLiteral(n.Literal)
	case *ast.StringLiteral:
		return n.Value.String(), nil
	case *ast.TemplateLiteral:
		return e.template(n)
	case *ast.RegExpLiteral:
		return compilePattern(n.Pattern, n.Flags)
	case *ast.Identifier:
		return e.identifier(n.Name.String())
	case *ast.ArrayLiteral:
		return e.array(n)
	case *ast.ObjectLiteral:
		return e.object(n)
	case *ast.DotExpression:
		return e.dot(n)
	case *ast.BracketExpression:
		return e.bracket(n)
	case *ast.CallExpression:
		return e.call(n)
	case *ast.ConditionalExpression:
		return e.conditional(n)
	case *ast.BinaryExpression:
		return e.binary(n)
	case *ast.UnaryExpression:
		return e.unary(n)
	case *ast.SequenceExpression:
		return e.sequence(n)
	case *ast.AssignExpression:
		return e.assign(n)
	case *ast.ArrowFunctionLiteral:
		return e.arrow(n)
	case *ast.FunctionLiteral:
		return e.function(n)
	case *ast.NewExpression:
		// Nothing in reach is a constructor.
		return e.fail()
	case *ast.ThisExpression:
		return Undefined{}, nil
	case *ast.OptionalChain, *ast.Optional:
		return nil, unsupported("?.", "use a condition: a && a.b")
	case *ast.AwaitExpression:
		return nil, unsupported("await", "values are there at once")
	case *ast.ClassLiteral:
		return nil, unsupported("class", "an expression only computes a value")
	}
	return nil, errs.New(errs.Invalid, "the expression uses syntax that cannot be evaluated")
}

func unsupported(what, instead string) error {
	return errs.New(errs.Invalid, "%s cannot be used in an expression; %s", what, instead)
}

// unsafeName lists the property names that no expression may reach.
func unsafeName(name string) bool {
	switch name {
	case "constructor", "prototype", "__proto__", "__defineGetter__":
		return true
	}
	return false
}

func (e *evaluator) identifier(name string) (any, error) {
	if unsafeName(name) {
		return Undefined{}, nil
	}
	if value, ok := e.scope.lookup(name); ok {
		return value, nil
	}
	if name == "undefined" && (e.literals == 0 || e.scope != nil) {
		return Undefined{}, nil
	}
	if value, ok := e.assigned[name]; ok {
		return value, nil
	}
	if value, ok := e.variables[name]; ok {
		return normal(value), nil
	}
	if e.literals > 0 || e.scope != nil {
		return nil, errs.New(errs.Invalid, "%s is not defined", name)
	}
	return Undefined{}, nil
}

func (e *evaluator) template(n *ast.TemplateLiteral) (any, error) {
	if n.Tag != nil {
		return nil, unsupported("a tagged template", "write a plain one")
	}
	var out strings.Builder
	for i, element := range n.Elements {
		out.WriteString(element.Parsed.String())
		if i < len(n.Expressions) {
			value, err := e.eval(n.Expressions[i])
			if err != nil {
				return nil, err
			}
			text, err := e.text(value)
			if err != nil {
				return nil, err
			}
			out.WriteString(text)
		}
		if out.Len() > e.limits.Text {
			break
		}
	}
	return out.String(), e.produced(out.String())
}

// produced checks a string that an operation made.
func (e *evaluator) produced(s string) error {
	if len(s) > e.limits.Text {
		return errs.New(errs.TooLarge, "the expression makes a text longer than %d bytes", e.limits.Text)
	}
	return e.charge(len(s))
}

// grown checks the length of an array that an operation made.
func (e *evaluator) grown(length int) error {
	if length > e.limits.Elements {
		return errs.New(errs.TooLarge, "the expression makes a list longer than %d elements", e.limits.Elements)
	}
	return e.charge(16 * length)
}

func (e *evaluator) array(n *ast.ArrayLiteral) (any, error) {
	e.literals++
	defer func() { e.literals-- }()
	out := make([]any, 0, len(n.Value))
	for _, element := range n.Value {
		if element == nil {
			return nil, errs.New(errs.Invalid, "a list in an expression has no value between two commas")
		}
		spread, isSpread := element.(*ast.SpreadElement)
		if isSpread {
			element = spread.Expression
		}
		value, err := e.eval(element)
		if err != nil {
			return nil, err
		}
		if _, missing := value.(Missing); missing || e.failed {
			return e.fail()
		}
		if !isSpread {
			out = append(out, value)
		} else if list, ok := value.([]any); ok {
			out = append(out, list...)
		}
		if len(out) > e.limits.Elements {
			return nil, e.grown(len(out))
		}
	}
	return out, e.grown(len(out))
}

func (e *evaluator) object(n *ast.ObjectLiteral) (any, error) {
	e.literals++
	defer func() { e.literals-- }()
	out := make(map[string]any, len(n.Value))
	for _, property := range n.Value {
		if err := e.property(out, property); err != nil {
			return nil, err
		}
		if err := e.grown(len(out)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (e *evaluator) property(out map[string]any, property ast.Property) error {
	put := func(name string, value any) {
		if !unsafeName(name) {
			out[name] = value
		}
	}
	switch p := property.(type) {
	case *ast.PropertyShort:
		if p.Initializer != nil {
			return errs.New(errs.Invalid, "the expression uses syntax that cannot be evaluated")
		}
		value, err := e.eval(&p.Name)
		if err != nil {
			return err
		}
		put(p.Name.Name.String(), value)
	case *ast.PropertyKeyed:
		if p.Kind != ast.PropertyKindValue {
			return unsupported("a method in an object", "write name: value")
		}
		key, err := e.eval(p.Key)
		if err != nil {
			return err
		}
		name, err := e.text(key)
		if err != nil {
			return err
		}
		value, err := e.eval(p.Value)
		if err != nil {
			return err
		}
		put(name, value)
	case *ast.SpreadElement:
		value, err := e.eval(p.Expression)
		if err != nil {
			return err
		}
		e.spreadInto(put, value)
	}
	return nil
}

func (e *evaluator) spreadInto(put func(string, any), value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, element := range v {
			put(name, normal(element))
		}
	case []any:
		for i, element := range v {
			put(formatNumber(float64(i)), normal(element))
		}
	case string:
		for i, unit := range units(v) {
			put(formatNumber(float64(i)), fromUnits([]uint16{unit}))
		}
	}
}

func (e *evaluator) dot(n *ast.DotExpression) (any, error) {
	receiver, err := e.eval(n.Left)
	if err != nil {
		return nil, err
	}
	return e.memberNamed(receiver, n.Identifier.Name.String())
}

// memberNamed is receiver.name: Missing on a falsy receiver, undefined and the end of it all on an unsafe name.
func (e *evaluator) memberNamed(receiver any, name string) (any, error) {
	if e.failed {
		return Undefined{}, nil
	}
	if !truthy(receiver) {
		return e.absent(receiver, name)
	}
	if unsafeName(name) {
		return e.fail()
	}
	return e.member(receiver, name), nil
}

// absent is a member of a falsy value. Callbacks are plain JavaScript: there a primitive has its members and the rest
// is an error.
func (e *evaluator) absent(receiver any, name string) (any, error) {
	if e.scope == nil {
		return Missing{}, nil
	}
	switch receiver.(type) {
	case nil, Undefined:
		return nil, errs.New(errs.Invalid, "%s is read from a value that is not there", name)
	}
	if unsafeName(name) {
		return e.fail()
	}
	return e.member(receiver, name), nil
}

func (e *evaluator) bracket(n *ast.BracketExpression) (any, error) {
	receiver, err := e.eval(n.Left)
	if err != nil {
		return nil, err
	}
	if e.failed {
		return Undefined{}, nil
	}
	if !truthy(receiver) && e.scope == nil {
		return Missing{}, nil
	}
	key, err := e.eval(n.Member)
	if err != nil {
		return nil, err
	}
	if key == nil || e.failed {
		return Undefined{}, nil
	}
	name, err := e.text(key)
	if err != nil {
		return nil, err
	}
	if !truthy(receiver) {
		return e.absent(receiver, name)
	}
	if unsafeName(name) {
		return Undefined{}, nil
	}
	return e.member(receiver, name), nil
}

func (e *evaluator) conditional(n *ast.ConditionalExpression) (any, error) {
	test, err := e.eval(n.Test)
	if err != nil {
		return nil, err
	}
	if truthy(test) {
		return e.eval(n.Consequent)
	}
	return e.eval(n.Alternate)
}

func (e *evaluator) sequence(n *ast.SequenceExpression) (any, error) {
	var value any = Undefined{}
	for _, part := range n.Sequence {
		var err error
		if value, err = e.eval(part); err != nil {
			return nil, err
		}
	}
	return value, nil
}

// assign is an error, but for "text =~ /pattern/", which parses as an assignment of a complement.
func (e *evaluator) assign(n *ast.AssignExpression) (any, error) {
	right, ok := n.Right.(*ast.UnaryExpression)
	if n.Operator != token.ASSIGN || !ok || right.Operator != token.BITWISE_NOT || e.scope != nil {
		return nil, unsupported("an assignment", "compare with == or ===")
	}
	value, err := e.eval(n.Left)
	if err != nil {
		return nil, err
	}
	operand, err := e.eval(right.Operand)
	if err != nil {
		return nil, err
	}
	expression, ok := operand.(*pattern)
	if !ok {
		return nil, unsupported("an assignment", "compare with == or ===")
	}
	text, err := e.text(value)
	if err != nil {
		return nil, err
	}
	return e.test(expression, text)
}
