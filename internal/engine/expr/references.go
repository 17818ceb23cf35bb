package expr

import (
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
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
	each := func(nodes ...ast.Expression) {
		for _, child := range nodes {
			if child != nil {
				walk(child, parameters, found)
			}
		}
	}
	if chain := path(node); chain != "" {
		root, _, _ := strings.Cut(chain, ".")
		if !slices.Contains(parameters, root) {
			found[chain] = true
		}
		return
	}
	switch n := node.(type) {
	case *ast.TemplateLiteral:
		each(n.Expressions...)
	case *ast.ArrayLiteral:
		each(n.Value...)
	case *ast.SpreadElement:
		each(n.Expression)
	case *ast.ObjectLiteral:
		for _, property := range n.Value {
			switch p := property.(type) {
			case *ast.PropertyShort:
				each(&p.Name)
			case *ast.PropertyKeyed:
				each(p.Key, p.Value)
			case *ast.SpreadElement:
				each(p.Expression)
			}
		}
	case *ast.DotExpression:
		each(n.Left)
	case *ast.BracketExpression:
		each(n.Left, n.Member)
	case *ast.CallExpression:
		each(n.Callee)
		each(n.ArgumentList...)
	case *ast.ConditionalExpression:
		each(n.Test, n.Consequent, n.Alternate)
	case *ast.BinaryExpression:
		each(n.Left, n.Right)
	case *ast.UnaryExpression:
		each(n.Operand)
	case *ast.SequenceExpression:
		each(n.Sequence...)
	case *ast.AssignExpression:
		each(n.Left, n.Right)
	case *ast.ArrowFunctionLiteral:
		walkFunction(n.ParameterList, n.Body, parameters, found)
	case *ast.FunctionLiteral:
		walkFunction(n.ParameterList, n.Body, parameters, found)
	}
}

func walkFunction(list *ast.ParameterList, body ast.Node, parameters []string, found map[string]bool) {
	parameters = slices.Clone(parameters)
	for _, binding := range list.List {
		if name, ok := binding.Target.(*ast.Identifier); ok {
			parameters = append(parameters, name.Name.String())
		}
	}
	switch b := body.(type) {
	case *ast.ExpressionBody:
		walk(b.Expression, parameters, found)
	case *ast.BlockStatement:
		for _, statement := range b.List {
			switch s := statement.(type) {
			case *ast.ExpressionStatement:
				walk(s.Expression, parameters, found)
			case *ast.ReturnStatement:
				if s.Argument != nil {
					walk(s.Argument, parameters, found)
				}
			}
		}
	}
}
