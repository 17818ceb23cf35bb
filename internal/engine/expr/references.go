package expr

import (
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// Variables lists what the expression reads from its context, as dotted paths ("visitor.claims.unsigned.plan"), sorted
// and without repeats. A computed property ends a path. Parameters of callbacks are left out.
func (p *Program) Variables() []string {
	found := map[string]bool{}
	walk(p.root, nil, found)
	paths := make([]string, 0, len(found))
	for path := range found {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// UsesVisitor reports whether the value can differ between visitors: it reads the visitor, or a name that is neither
// space nor page.
func (p *Program) UsesVisitor() bool {
	for _, path := range p.Variables() {
		root, _, _ := strings.Cut(path, ".")
		if root != "space" && root != "page" && root != "undefined" {
			return true
		}
	}
	return false
}

// path is the dotted path of a chain of names, "" when it does not start at a name.
func path(node ast.Expression) string {
	switch n := node.(type) {
	case *ast.Identifier:
		return n.Name.String()
	case *ast.DotExpression:
		if parent := path(n.Left); parent != "" {
			return parent + "." + n.Identifier.Name.String()
		}
	}
	return ""
}

func walk(node ast.Expression, parameters []string, found map[string]bool) {
	if chain := path(node); chain != "" {
		root, _, _ := strings.Cut(chain, ".")
		if !slices.Contains(parameters, root) {
			found[chain] = true
		}
		return
	}
	below, own := children(node)
	if own != nil {
		parameters = slices.Concat(parameters, own)
	}
	for _, child := range below {
		walk(child, parameters, found)
	}
}

// visitAll calls a function with an expression and all that it is made of.
func visitAll(node ast.Expression, visit func(ast.Expression)) {
	visit(node)
	below, _ := children(node)
	for _, child := range below {
		visitAll(child, visit)
	}
}

// children are the expressions that one is made of, and of a function its parameters.
func children(node ast.Expression) (below []ast.Expression, parameters []string) {
	switch n := node.(type) {
	case *ast.TemplateLiteral:
		below = n.Expressions
	case *ast.ArrayLiteral:
		below = n.Value
	case *ast.SpreadElement:
		below = []ast.Expression{n.Expression}
	case *ast.ObjectLiteral:
		for _, property := range n.Value {
			switch p := property.(type) {
			case *ast.PropertyShort:
				below = append(below, &p.Name)
			case *ast.PropertyKeyed:
				below = append(below, p.Key, p.Value)
			case *ast.SpreadElement:
				below = append(below, p.Expression)
			}
		}
	case *ast.DotExpression:
		below = []ast.Expression{n.Left}
	case *ast.BracketExpression:
		below = []ast.Expression{n.Left, n.Member}
	case *ast.CallExpression:
		below = append([]ast.Expression{n.Callee}, n.ArgumentList...)
	case *ast.ConditionalExpression:
		below = []ast.Expression{n.Test, n.Consequent, n.Alternate}
	case *ast.BinaryExpression:
		below = []ast.Expression{n.Left, n.Right}
	case *ast.UnaryExpression:
		below = []ast.Expression{n.Operand}
	case *ast.SequenceExpression:
		below = n.Sequence
	case *ast.AssignExpression:
		below = []ast.Expression{n.Left, n.Right}
	case *ast.ArrowFunctionLiteral:
		below, parameters = bodyOf(n.Body), parametersOf(n.ParameterList)
	case *ast.FunctionLiteral:
		below, parameters = bodyOf(n.Body), parametersOf(n.ParameterList)
	}
	return slices.DeleteFunc(slices.Clone(below), func(child ast.Expression) bool { return child == nil }), parameters
}

func parametersOf(list *ast.ParameterList) []string {
	var names []string
	for _, binding := range list.List {
		if name, ok := binding.Target.(*ast.Identifier); ok {
			names = append(names, name.Name.String())
		}
	}
	return names
}

func bodyOf(body ast.Node) []ast.Expression {
	var found []ast.Expression
	switch b := body.(type) {
	case *ast.ExpressionBody:
		found = append(found, b.Expression)
	case *ast.BlockStatement:
		for _, statement := range b.List {
			switch s := statement.(type) {
			case *ast.ExpressionStatement:
				found = append(found, s.Expression)
			case *ast.ReturnStatement:
				if s.Argument != nil {
					found = append(found, s.Argument)
				}
			}
		}
	}
	return found
}

// Compared lists the plain values that the expression compares with what it reads, by the dotted paths of Variables:
// texts, numbers and booleans beside ===, !==, == and !=, and those that a list has to include.
func (p *Program) Compared() map[string][]any {
	found := map[string][]any{}
	add := func(name string, value any) {
		if name != "" && !slices.Contains(found[name], value) {
			found[name] = append(found[name], value)
		}
	}
	visitAll(p.root, func(node ast.Expression) {
		switch n := node.(type) {
		case *ast.BinaryExpression:
			switch n.Operator {
			case token.STRICT_EQUAL, token.STRICT_NOT_EQUAL, token.EQUAL, token.NOT_EQUAL:
			default:
				return
			}
			for _, sides := range [][2]ast.Expression{{n.Left, n.Right}, {n.Right, n.Left}} {
				if value, ok := plainLiteral(sides[1]); ok {
					add(path(sides[0]), value)
				}
			}
		case *ast.CallExpression:
			callee, ok := n.Callee.(*ast.DotExpression)
			if !ok || callee.Identifier.Name.String() != "includes" || len(n.ArgumentList) == 0 {
				return
			}
			if value, ok := plainLiteral(n.ArgumentList[0]); ok {
				add(path(callee.Left), value)
			}
			if list, ok := callee.Left.(*ast.ArrayLiteral); ok {
				for _, each := range list.Value {
					if value, ok := plainLiteral(each); ok {
						add(path(n.ArgumentList[0]), value)
					}
				}
			}
		}
	})
	return found
}

// plainLiteral is the value of a text, number or boolean that is written out.
func plainLiteral(node ast.Expression) (any, bool) {
	switch n := node.(type) {
	case *ast.StringLiteral:
		return n.Value.String(), true
	case *ast.BooleanLiteral:
		return n.Value, true
	case *ast.NumberLiteral:
		value, err := numberLiteral(n.Literal)
		return value, err == nil
	}
	return nil, false
}
