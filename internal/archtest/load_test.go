package archtest

import (
	"go/ast"
	"go/types"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
)

// loadTypes returns all packages of the module, without their tests, with syntax and types.
func loadTypes(t *testing.T) []*packages.Package {
	t.Helper()
	loaded, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded) < 10 {
		t.Fatalf("only %d packages were found", len(loaded))
	}
	for _, each := range loaded {
		for _, problem := range each.Errors {
			t.Fatal(problem)
		}
	}
	return loaded
}

var loadOnce = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Dir: "../..",
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedExportFile,
	}, "./...")
})

// shortName returns a package's path below the module.
func shortName(path string) string { return strings.TrimPrefix(path, Module+"/") }

// checked is a package whose types are known.
type checked struct {
	files []*ast.File
	info  *types.Info
	types *types.Package
}

func checkedOf(p *packages.Package) checked { return checked{p.Syntax, p.TypesInfo, p.Types} }
