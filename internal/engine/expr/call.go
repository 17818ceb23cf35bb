package expr

import (
	"github.com/dop251/goja/ast"

	"github.com/rectodocs/recto/internal/base/errs"
)

// call evaluates a call. Calling what is not a function makes the whole expression undefined.
func (e *evaluator) call(n *ast.CallExpression) (any, error) {
	callee, err := e.eval(n.Callee)
	if err != nil {
		return nil, err
	}
	function, ok := callee.(*callable)
	if !ok {
		if e.scope != nil {
			return nil, errs.New(errs.Invalid, "the expression calls something that is not a function")
		}
		return e.fail()
	}
	arguments := make([]any, 0, len(n.ArgumentList))
	for _, node := range n.ArgumentList {
		spread, isSpread := node.(*ast.SpreadElement)
		if isSpread {
			node = spread.Expression
		}
		value, err := e.eval(node)
		if err != nil {
			return nil, err
		}
		if _, missing := value.(Missing); missing || e.failed {
			return e.fail()
		}
		if !isSpread {
			arguments = append(arguments, value)
			continue
		}
		list, ok := value.([]any)
		if !ok {
			return nil, errs.New(errs.Invalid, "only a list can be spread over arguments")
		}
		arguments = append(arguments, list...)
		if err := e.grown(len(arguments)); err != nil {
			return nil, err
		}
	}
	return e.invoke(function, arguments)
}

func (e *evaluator) invoke(function *callable, arguments []any) (any, error) {
	if err := e.step(); err != nil {
		return nil, err
	}
	return function.call(arguments)
}

func (e *evaluator) arrow(n *ast.ArrowFunctionLiteral) (any, error) {
	if n.Async {
		return nil, unsupported("an async function", "values are there at once")
	}
	switch body := n.Body.(type) {
	case *ast.ExpressionBody:
		return e.closure("", n.ParameterList, func() (any, error) { return e.eval(body.Expression) })
	case *ast.BlockStatement:
		return e.closure("", n.ParameterList, func() (any, error) { return e.body(body) })
	}
	return nil, unsupported("this function", "write x => value")
}

func (e *evaluator) function(n *ast.FunctionLiteral) (any, error) {
	if n.Async || n.Generator {
		return nil, unsupported("an async or generator function", "values are there at once")
	}
	name := ""
	if n.Name != nil {
		name = n.Name.Name.String()
	}
	return e.closure(name, n.ParameterList, func() (any, error) { return e.body(n.Body) })
}

// closure makes a callback of plain parameters; other parameters make the whole expression undefined.
func (e *evaluator) closure(name string, parameters *ast.ParameterList, body func() (any, error)) (any, error) {
	var names []string
	for _, binding := range parameters.List {
		target, ok := binding.Target.(*ast.Identifier)
		if !ok || binding.Initializer != nil {
			return e.fail()
		}
		names = append(names, target.Name.String())
	}
	if parameters.Rest != nil {
		return e.fail()
	}
	defined := e.scope
	return &callable{name: name, call: func(arguments []any) (any, error) {
		values := make([]any, len(names))
		for i := range values {
			values[i] = argument(arguments, i)
		}
		calledFrom, literals := e.scope, e.literals
		e.scope, e.literals = &scope{names: names, values: values, parent: defined}, 0
		defer func() { e.scope, e.literals = calledFrom, literals }()
		return body()
	}}, nil
}

// body runs the statements of a function: expressions up to a return.
func (e *evaluator) body(block *ast.BlockStatement) (any, error) {
	for _, statement := range block.List {
		switch s := statement.(type) {
		case *ast.EmptyStatement:
		case *ast.ExpressionStatement:
			if _, err := e.eval(s.Expression); err != nil {
				return nil, err
			}
		case *ast.ReturnStatement:
			if s.Argument == nil {
				return Undefined{}, nil
			}
			return e.eval(s.Argument)
		default:
			return nil, unsupported("a statement", "a function may hold expressions and a return")
		}
	}
	return Undefined{}, nil
}

// argument is the argument at a place, undefined past the end.
func argument(arguments []any, i int) any {
	if i < len(arguments) {
		return normal(arguments[i])
	}
	return Undefined{}
}

// given reports whether an argument was passed and is not undefined.
func given(arguments []any, i int) bool {
	_, undefined := argument(arguments, i).(Undefined)
	return !undefined
}

func method(name string, call func(arguments []any) (any, error)) *callable {
	return &callable{name: name, call: call}
}

// member is a property of a value that is there.
func (e *evaluator) member(receiver any, name string) any {
	switch v := receiver.(type) {
	case map[string]any:
		if value, ok := v[name]; ok {
			return normal(value)
		}
	case []any:
		return e.listMember(v, name)
	case string:
		return e.textMember(v, name)
	case float64:
		if m := e.numberMember(v, name); m != nil {
			return m
		}
	case *pattern:
		return e.patternMember(v, name)
	case *callable:
		return e.functionMember(v, name)
	case Missing:
		return Undefined{}
	}
	if m := objectMethod(name); m != nil {
		return method(name, func(arguments []any) (any, error) { return m(e, receiver, arguments) })
	}
	return Undefined{}
}

// objectMethod is what every object inherits.
func objectMethod(name string) func(e *evaluator, receiver any, arguments []any) (any, error) {
	switch name {
	case "hasOwnProperty", "propertyIsEnumerable":
		return func(e *evaluator, receiver any, arguments []any) (any, error) {
			key, err := e.text(argument(arguments, 0))
			if err != nil {
				return nil, err
			}
			return hasOwn(receiver, key), nil
		}
	case "isPrototypeOf":
		return func(*evaluator, any, []any) (any, error) { return false, nil }
	case "toString", "toLocaleString":
		return func(e *evaluator, receiver any, _ []any) (any, error) { return e.text(receiver) }
	case "valueOf":
		return func(_ *evaluator, receiver any, _ []any) (any, error) { return receiver, nil }
	}
	return nil
}

func hasOwn(receiver any, key string) bool {
	switch v := receiver.(type) {
	case map[string]any:
		_, ok := v[key]
		return ok && !unsafeName(key)
	case []any:
		i, ok := index(key)
		return key == "length" || ok && i < len(v)
	case string:
		i, ok := index(key)
		return key == "length" || ok && i < unitLength(v)
	case *pattern:
		return key == "lastIndex"
	}
	return false
}

// index reads a property name that is a list index.
func index(name string) (int, bool) {
	if name == "" || len(name) > 9 || len(name) > 1 && name[0] == '0' {
		return 0, false
	}
	n := 0
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return 0, false
		}
		n = n*10 + int(name[i]-'0')
	}
	return n, true
}

func (e *evaluator) functionMember(function *callable, name string) any {
	switch name {
	case "name":
		return function.name
	case "call":
		return method(name, func(arguments []any) (any, error) {
			if len(arguments) > 0 {
				arguments = arguments[1:]
			}
			return e.invoke(function, arguments)
		})
	case "apply":
		return method(name, func(arguments []any) (any, error) {
			list, _ := argument(arguments, 1).([]any)
			return e.invoke(function, list)
		})
	}
	if m := objectMethod(name); m != nil {
		return method(name, func(arguments []any) (any, error) { return m(e, function, arguments) })
	}
	return Undefined{}
}
