package expr

import (
	"math"
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"

	"github.com/rectodocs/recto/internal/base/errs"
)

// binary evaluates the operators that take two operands, the logical ones with their right side only when needed.
// A Missing operand makes the whole expression undefined.
func (e *evaluator) binary(n *ast.BinaryExpression) (any, error) {
	left, err := e.eval(n.Left)
	if err != nil {
		return nil, err
	}
	if _, missing := left.(Missing); missing {
		return e.fail()
	}
	switch n.Operator {
	case token.LOGICAL_AND:
		if !truthy(left) {
			return left, nil
		}
		return e.operand(n.Right)
	case token.LOGICAL_OR:
		if truthy(left) {
			return left, nil
		}
		return e.operand(n.Right)
	case token.COALESCE:
		if !nullish(left) {
			return left, nil
		}
		return e.operand(n.Right)
	}
	right, err := e.operand(n.Right)
	if err != nil {
		return nil, err
	}
	return e.apply(n.Operator, left, right)
}

// operand evaluates the right side of a binary operator.
func (e *evaluator) operand(node ast.Expression) (any, error) {
	value, err := e.eval(node)
	if err != nil {
		return nil, err
	}
	if _, missing := value.(Missing); missing {
		return e.fail()
	}
	return value, nil
}

func (e *evaluator) apply(operator token.Token, left, right any) (any, error) {
	switch operator {
	case token.PLUS:
		return e.add(left, right)
	case token.STRICT_EQUAL:
		return strictEqual(left, right), nil
	case token.STRICT_NOT_EQUAL:
		return !strictEqual(left, right), nil
	case token.EQUAL:
		return e.looseEqual(left, right)
	case token.NOT_EQUAL:
		equal, err := e.looseEqual(left, right)
		return !equal, err
	case token.LESS, token.GREATER, token.LESS_OR_EQUAL, token.GREATER_OR_EQUAL:
		return e.compare(operator, left, right)
	case token.IN:
		return e.in(left, right)
	case token.INSTANCEOF:
		return nil, errs.New(errs.Invalid,
			"instanceof needs a class on its right, and expressions know none; use typeof")
	}
	return e.arithmetic(operator, left, right)
}

func (e *evaluator) arithmetic(operator token.Token, left, right any) (any, error) {
	a, err := e.number(left)
	if err != nil {
		return nil, err
	}
	b, err := e.number(right)
	if err != nil {
		return nil, err
	}
	switch operator {
	case token.MINUS:
		return a - b, nil
	case token.MULTIPLY:
		return a * b, nil
	case token.SLASH:
		return a / b, nil
	case token.REMAINDER:
		return math.Mod(a, b), nil
	case token.EXPONENT:
		return power(a, b), nil
	case token.AND:
		return float64(int32Of(a) & int32Of(b)), nil
	case token.OR:
		return float64(int32Of(a) | int32Of(b)), nil
	case token.EXCLUSIVE_OR:
		return float64(int32Of(a) ^ int32Of(b)), nil
	case token.SHIFT_LEFT:
		return float64(int32Of(a) << (uint32(int32Of(b)) & 31)), nil
	case token.SHIFT_RIGHT:
		return float64(int32Of(a) >> (uint32(int32Of(b)) & 31)), nil
	case token.UNSIGNED_SHIFT_RIGHT:
		return float64(uint32(int32Of(a)) >> (uint32(int32Of(b)) & 31)), nil
	}
	return nil, unsupported("this operator", "see the list of operators in the manual")
}

// power is ** of ECMA-262 (Number::exponentiate), which differs from math.Pow where the base is one and the exponent
// is infinite or not a number.
func power(a, b float64) float64 {
	if math.IsNaN(b) || math.Abs(a) == 1 && math.IsInf(b, 0) {
		return math.NaN()
	}
	return math.Pow(a, b)
}

// int32Of is ToInt32 of ECMA-262: modulo 2^32, not a saturating conversion.
func int32Of(f float64) int32 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	f = math.Mod(math.Trunc(f), 1<<32)
	if f < 0 {
		f += 1 << 32
	}
	return int32(uint32(f))
}

func (e *evaluator) add(left, right any) (any, error) {
	left, right, err := e.primitives(left, right)
	if err != nil {
		return nil, err
	}
	_, leftText := left.(string)
	_, rightText := right.(string)
	if leftText || rightText {
		a, err := e.text(left)
		if err != nil {
			return nil, err
		}
		b, err := e.text(right)
		if err != nil {
			return nil, err
		}
		if err := e.charge(len(a) + len(b)); err != nil {
			return nil, err
		}
		return a + b, e.produced(a + b)
	}
	a, err := e.number(left)
	if err != nil {
		return nil, err
	}
	b, err := e.number(right)
	return a + b, err
}

func (e *evaluator) compare(operator token.Token, left, right any) (any, error) {
	left, right, err := e.primitives(left, right)
	if err != nil {
		return nil, err
	}
	a, aText := left.(string)
	b, bText := right.(string)
	if aText && bText {
		order := slices.Compare(units(a), units(b))
		return ordered(operator, order < 0, order == 0), e.charge(len(a) + len(b))
	}
	x, err := e.number(left)
	if err != nil {
		return nil, err
	}
	y, err := e.number(right)
	if err != nil {
		return nil, err
	}
	if math.IsNaN(x) || math.IsNaN(y) {
		return false, nil
	}
	return ordered(operator, x < y, x == y), nil
}

func ordered(operator token.Token, less, equal bool) bool {
	switch operator {
	case token.LESS:
		return less
	case token.LESS_OR_EQUAL:
		return less || equal
	case token.GREATER:
		return !less && !equal
	}
	return !less
}

// in is the operator of JavaScript, and "contains" on the right of a string or a list.
func (e *evaluator) in(left, right any) (any, error) {
	switch container := right.(type) {
	case string:
		text, err := e.text(left)
		if err != nil {
			return nil, err
		}
		return strings.Contains(container, text), e.charge(len(container))
	case []any:
		return e.contains(container, left)
	case map[string]any:
		name, err := e.text(left)
		if err != nil {
			return nil, err
		}
		if _, own := container[name]; own {
			return true, nil
		}
		return objectMethod(name) != nil, nil
	}
	return nil, errs.New(errs.Invalid, "in needs a text, a list or an object on its right")
}

func (e *evaluator) contains(list []any, value any) (bool, error) {
	for _, element := range list {
		element = normal(element)
		if strictEqual(element, value) || isNaN(element) && isNaN(value) {
			return true, nil
		}
	}
	return false, e.charge(len(list))
}

func isNaN(value any) bool {
	f, ok := value.(float64)
	return ok && math.IsNaN(f)
}

func (e *evaluator) unary(n *ast.UnaryExpression) (any, error) {
	switch n.Operator {
	case token.INCREMENT, token.DECREMENT:
		return e.update(n)
	case token.DELETE:
		return e.remove(n)
	}
	value, err := e.eval(n.Operand)
	if err != nil {
		return nil, err
	}
	switch n.Operator {
	case token.NOT:
		return !truthy(value), nil
	case token.TYPEOF:
		return typeOf(value), nil
	case token.VOID:
		return Undefined{}, nil
	}
	number, err := e.number(value)
	if err != nil {
		return nil, err
	}
	switch n.Operator {
	case token.PLUS:
		return number, nil
	case token.MINUS:
		return -number, nil
	case token.BITWISE_NOT:
		return float64(^int32Of(number)), nil
	}
	return nil, unsupported("this operator", "see the list of operators in the manual")
}

// update is ++ and --, prefix or postfix alike: the value is the changed one, kept for the rest of this evaluation
// when the operand is a plain name.
func (e *evaluator) update(n *ast.UnaryExpression) (any, error) {
	value, err := e.eval(n.Operand)
	if err != nil {
		return nil, err
	}
	if _, missing := value.(Missing); missing {
		return nil, notANumber()
	}
	var updated any
	if n.Operator == token.INCREMENT {
		updated, err = e.add(value, 1.0)
	} else {
		updated, err = e.arithmetic(token.MINUS, value, 1.0)
	}
	if err != nil {
		return nil, err
	}
	if name, ok := n.Operand.(*ast.Identifier); ok && e.scope == nil && !unsafeName(name.Name.String()) {
		if e.assigned == nil {
			e.assigned = map[string]any{}
		}
		e.assigned[name.Name.String()] = updated
	}
	return updated, nil
}

// remove is delete: true on a property of an object, else undefined. Values are immutable, so nothing goes away.
func (e *evaluator) remove(n *ast.UnaryExpression) (any, error) {
	var object ast.Expression
	switch operand := n.Operand.(type) {
	case *ast.DotExpression:
		object = operand.Left
	case *ast.BracketExpression:
		object = operand.Left
	default:
		return nil, errs.New(errs.Invalid, "delete needs a property: delete a.b")
	}
	value, err := e.eval(object)
	if err != nil {
		return nil, err
	}
	if _, ok := value.(map[string]any); ok {
		return true, nil
	}
	return Undefined{}, nil
}
