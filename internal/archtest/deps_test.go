package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// TestDepsStandOnEarlierPackages holds that a package below serve stands on packages that it may import: no function in
// its Deps runs code of another one. What it asks of those is among its Hooks.
func TestDepsStandOnEarlierPackages(t *testing.T) {
	literals := 0
	for _, each := range loadTypes(t) {
		found, made := lateDeps(each.Fset, checkedOf(each))
		literals += made
		for _, sentence := range found {
			t.Error(sentence)
		}
	}
	if literals < 10 {
		t.Errorf("only %d fields with functions were found", literals)
	}
}

// lateDeps returns a sentence for each function in a field of a Deps that runs code of a package that the Deps' package
// may not import, and how many such fields a package sets. Functions of the package itself are looked into.
func lateDeps(set *token.FileSet, p checked) (found []string, fields int) {
	table, bodies := Table(), map[types.Object]*ast.BlockStmt{}
	for _, file := range p.files {
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				bodies[p.info.Defs[function.Name]] = function.Body
			}
		}
	}
	check := func(of types.Type, field string, value ast.Expr) {
		rule, ok := depsRule(table, of)
		if !ok || !holdsFunctions(p.info.TypeOf(value)) {
			return
		}
		fields++
		for _, used := range runs(p.info, bodies, value) {
			if refused(table, rule, used.Pkg().Path()) != "" {
				found = append(found, fmt.Sprintf("%s: Deps.%s of %s runs %s.%s, which comes later: make it a Hook",
					set.Position(value.Pos()), field, rule.Path, shortName(used.Pkg().Path()), used.Name()))
			}
		}
	}
	for _, file := range p.files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, element := range n.Elts {
					pair, ok := element.(*ast.KeyValueExpr)
					if !ok {
						continue
					}
					if name, ok := pair.Key.(*ast.Ident); ok {
						check(p.info.TypeOf(n), name.Name, pair.Value)
					}
				}
			case *ast.AssignStmt:
				for i, target := range n.Lhs {
					selector, ok := target.(*ast.SelectorExpr)
					if ok && len(n.Lhs) == len(n.Rhs) {
						check(p.info.TypeOf(selector.X), selector.Sel.Name, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return found, fields
}

// runs returns the functions of other packages that code names, also in the bodies of the functions that it names.
func runs(info *types.Info, bodies map[types.Object]*ast.BlockStmt, code ast.Node) (found []*types.Func) {
	seen := map[types.Object]bool{}
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		identifier, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		used, ok := info.Uses[identifier].(*types.Func)
		if !ok || used.Pkg() == nil || seen[used] {
			return true
		}
		seen[used] = true
		if body := bodies[used.Origin()]; body != nil {
			ast.Inspect(body, look)
		} else {
			found = append(found, used)
		}
		return true
	}
	ast.Inspect(code, look)
	return found
}

// depsRule returns the rule of the package that declares a type, when it is the Deps of one below serve.
func depsRule(table []Rule, of types.Type) (Rule, bool) {
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	named, ok := of.(*types.Named)
	if !ok || named.Obj().Name() != "Deps" {
		return Rule{}, false
	}
	rule, ok := ruleOf(table, named.Obj().Pkg().Path())
	serves := slices.IndexFunc(Layers(), func(l Layer) bool { return l.Path == "internal/serve" })
	return rule, ok && slices.ContainsFunc(Layers()[:serves], func(l Layer) bool { return l.Path == rule.Layer })
}

// holdsFunctions reports whether a type is that of a function, or of several.
func holdsFunctions(of types.Type) bool {
	switch of := of.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		return holdsFunctions(of.Elem())
	case *types.Struct:
		for field := range of.Fields() {
			if field.Exported() && holdsFunctions(field.Type()) {
				return true
			}
		}
	}
	return false
}

// TestLateDepsFindsWhatIsLate tries the check on a program that is wrong.
func TestLateDepsFindsWhatIsLate(t *testing.T) {
	made := map[string]*types.Package{}
	var app checked
	set := token.NewFileSet()
	for _, each := range []struct{ path, source string }{
		{"internal/platform/db", `package db; func Now() int { return 0 }`},
		{"internal/people/account", `package account
			type Several struct { First func() int }
			type Deps struct {
				Early, Late, Behind, Literal, Set func() int
				List []func() int
				More Several
				Value int
			}
			type Hooks struct { Late func() int }`},
		{"internal/content/store", `package store; type Service struct{}; func (*Service) Late() int { return 0 }`},
		{"internal/serve/web", `package web; type Deps struct { Any func() int }`},
		{"internal/app", `package app
			import ("` + Module + `/internal/content/store"; "` + Module + `/internal/people/account"
				"` + Module + `/internal/platform/db"; "` + Module + `/internal/serve/web")
			var s *store.Service
			func behind() int { return further() }
			func further() int { return behind() + s.Late() }
			func own() int { return db.Now() }
			func wire() {
				deps := account.Deps{Early: db.Now, Late: s.Late, Behind: behind,
					Literal: func() int { return s.Late() }, List: []func() int{own, s.Late},
					More: account.Several{First: s.Late}, Value: s.Late()}
				deps.Set = s.Late
				deps.Early = own
				_, _ = account.Hooks{Late: s.Late}, web.Deps{Any: s.Late}
			}`},
	} {
		file, err := parser.ParseFile(set, each.path+".go", each.source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		app = checked{[]*ast.File{file}, &types.Info{Uses: map[*ast.Ident]types.Object{},
			Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}, nil}
		config := types.Config{Importer: importers(made)}
		path := Module + "/" + each.path
		if app.types, err = config.Check(path, set, app.files, app.info); err != nil {
			t.Fatal(err)
		}
		made[path] = app.types
	}
	found, fields := lateDeps(set, app)
	var got []string
	for _, sentence := range found {
		_, after, _ := strings.Cut(sentence, "Deps.")
		name, rest, _ := strings.Cut(after, " ")
		if !strings.HasPrefix(rest, "of internal/people/account runs internal/content/store.Late,") {
			t.Error(sentence)
		}
		got = append(got, name)
	}
	if want := []string{"Late", "Behind", "Literal", "List", "More", "Set"}; !slices.Equal(got, want) || fields != 8 {
		t.Errorf("got %q of %d fields, want %q of 8", got, fields, want)
	}
}

// importers are packages that are there already.
type importers map[string]*types.Package

func (i importers) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("there is no package %s", path)
}
