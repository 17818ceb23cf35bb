package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// rowReaders are the packages that go along the rows of a statement themselves.
var rowReaders = []string{
	Module + "/internal/platform/db", // has the one loop
}

// TestRowsAreReadInOnePlace holds that statements which return rows are run by db.All and its like, so that no reader
// of rows forgets to close them or to ask what ended them.
func TestRowsAreReadInOnePlace(t *testing.T) {
	eachFunction(t, func(path, at string, function ast.Node) {
		if slices.Contains(rowReaders, path) {
			return
		}
		if readsRows(function) {
			t.Errorf("%s: takes rows from QueryContext; use db.All, db.Each, db.One or db.Find", at)
		}
	})
}

// TestListsAreOneResult holds that a page of a list is a paging.Page, not its parts.
func TestListsAreOneResult(t *testing.T) {
	eachFunction(t, func(_, at string, function ast.Node) {
		if kind, ok := function.(*ast.FuncType); ok && returnsPageInParts(kind) {
			t.Errorf("%s: returns the items, the count and more; return a paging.Page", at)
		}
	})
}

// eachFunction calls visit for each type of a function and each call in the code of the module, with the path of its
// package and its place.
func eachFunction(t *testing.T, visit func(path, at string, node ast.Node)) {
	t.Helper()
	for _, file := range parseCode(t) {
		ast.Inspect(file.syntax, func(node ast.Node) bool {
			switch node.(type) {
			case *ast.FuncType, *ast.CallExpr:
				visit(file.path, fmt.Sprintf("%s:%d", file.name, file.set.Position(node.Pos()).Line), node)
			}
			return true
		})
	}
}

// codeFile is a file of the module that is no test: the path of its package, its own name below the module, and its
// syntax, whose places are those of set.
type codeFile struct {
	path, name string
	syntax     *ast.File
	set        *token.FileSet
}

var parsed struct {
	once  sync.Once
	files []codeFile
	err   error
}

// parseCode returns the files of the module without its tests. They are read once for all tests.
func parseCode(t *testing.T) []codeFile {
	t.Helper()
	packages := listPackages(t)
	parsed.once.Do(func() {
		for _, each := range packages {
			for _, name := range each.GoFiles {
				file := codeFile{each.ImportPath, each.ImportPath + "/" + name, nil, token.NewFileSet()}
				file.syntax, parsed.err = parser.ParseFile(file.set, filepath.Join(each.Dir, name), nil,
					parser.SkipObjectResolution)
				if parsed.err != nil {
					return
				}
				parsed.files = append(parsed.files, file)
			}
		}
	})
	if parsed.err != nil {
		t.Fatal(parsed.err)
	}
	return parsed.files
}

// readsRows tells whether a node is a call of a method QueryContext.
func readsRows(node ast.Node) bool {
	call, ok := node.(*ast.CallExpr)
	if !ok {
		return false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "QueryContext"
}

// returnsPageInParts tells whether a function returns a slice, then an int among others, and an error.
func returnsPageInParts(kind *ast.FuncType) bool {
	if kind.Results == nil {
		return false
	}
	var results []ast.Expr
	for _, field := range kind.Results.List {
		for range max(1, len(field.Names)) {
			results = append(results, field.Type)
		}
	}
	if len(results) < 4 {
		return false
	}
	items, ok := results[0].(*ast.ArrayType)
	isNamed := func(name string) func(ast.Expr) bool {
		return func(e ast.Expr) bool {
			identifier, ok := e.(*ast.Ident)
			return ok && identifier.Name == name
		}
	}
	return ok && items.Len == nil && isNamed("error")(results[len(results)-1]) &&
		slices.ContainsFunc(results[1:], isNamed("int"))
}

// TestRowChecksFindThem shows that the checks can fail.
func TestRowChecksFindThem(t *testing.T) {
	tests := []struct {
		source      string
		rows, parts bool
	}{
		{`func f() ([]int, int, []string, error)`, false, true},
		{`func f() (items []int, count int, more bool, err error)`, false, true},
		{`func f() ([]int, int, error)`, false, false},
		{`func f() (hash [4]byte, count int, more bool, err error)`, false, false},
		{`func f() ([]int, bool, []string, error)`, false, false},
		{`func f() { rows, err := q.QueryContext(ctx, "") }`, true, false},
		{`func f() { err := q.QueryRowContext(ctx, "") }`, false, false},
	}
	for _, test := range tests {
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\n\n"+test.source,
			parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		rows, parts := false, false
		ast.Inspect(file, func(node ast.Node) bool {
			rows = rows || readsRows(node)
			if kind, ok := node.(*ast.FuncType); ok {
				parts = parts || returnsPageInParts(kind)
			}
			return true
		})
		if rows != test.rows || parts != test.parts {
			t.Errorf("%s: rows %t, parts %t", test.source, rows, parts)
		}
	}
}
