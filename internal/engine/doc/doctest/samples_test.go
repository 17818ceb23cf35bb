package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// TestEveryTypeIsSampled holds that samples are made of all types that package doc names.
func TestEveryTypeIsSampled(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../doc.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && len(spec.Values) == 1 {
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
				value, _ := strconv.Unquote(literal.Value)
				named[of.Name] = append(named[of.Name], value)
			}
		}
		return true
	})
	var types, marks []string
	for _, each := range slices.Concat(Blocks, Inlines) {
		types = append(types, string(each))
	}
	for _, each := range Marks {
		marks = append(marks, string(each))
	}
	if diff := cmp.Diff(named["Type"], types); diff != "" {
		t.Errorf("types (-named +sampled):\n%s", diff)
	}
	if diff := cmp.Diff(named["MarkType"], marks); diff != "" {
		t.Errorf("marks (-named +sampled):\n%s", diff)
	}
	for _, each := range Blocks {
		if doc.IsInline(each) {
			t.Errorf("%s is an inline", each)
		}
	}
}
