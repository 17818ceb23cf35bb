package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/pub"
	"github.com/rectodocs/recto/internal/serve/web"
)

// allDeps are what the services and handlers of the server stand on.
var allDeps = []any{
	account.Deps{}, org.Deps{}, identity.Deps{}, space.Deps{}, store.Deps{}, link.Deps{}, change.Deps{}, print.Deps{},
	comment.Deps{}, search.Deps{}, spec.Deps{}, translation.Deps{}, importer.Deps{}, edit.Deps{}, site.Deps{},
	audience.Deps{}, integration.Deps{}, api.Deps{}, pub.Deps{}, web.Deps{},
}

// TestEveryServiceIsComplete holds that the server makes no service but through complete, which names what is missing,
// and that every wire that a service has is one that complete looks at, or says what is done without it.
func TestEveryServiceIsComplete(t *testing.T) {
	made := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		// The command line makes services without a server.
		if strings.HasSuffix(name, "_test.go") || name == "setup.go" || name == "verify.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			called, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !strings.HasPrefix(called.Sel.Name, "New") {
				return true
			}
			from, ok := called.X.(*ast.Ident)
			if !ok {
				return true
			}
			if given, ok := call.Args[0].(*ast.CallExpr); ok {
				if by, ok := given.Fun.(*ast.Ident); ok && by.Name == "complete" {
					made[from.Name] = true
				}
			}
			return true
		})
	}
	for _, deps := range allDeps {
		described := reflect.TypeOf(deps)
		service, _, _ := strings.Cut(described.String(), ".")
		if !made[service] {
			t.Errorf("the server makes %s without complete", service)
		}
		err := required.Check(deps)
		for field := range described.Fields() {
			why, optional := field.Tag.Lookup("optional")
			named := err != nil && strings.Contains(err.Error(), described.String()+"."+field.Name+" is not set")
			switch field.Type.Kind() {
			case reflect.Func, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.String:
				if named == optional || optional && why == "" {
					t.Errorf("%s.%s: refused without it: %t, may be left out: %q", described, field.Name, named, why)
				}
			}
		}
	}
	if len(made) != len(allDeps) {
		t.Errorf("%d services are complete, the table has %d: %v", len(made), len(allDeps), made)
	}
}

// TestIncompleteServerDoesNotStart leaves one wire out.
func TestIncompleteServerDoesNotStart(t *testing.T) {
	a := &App{}
	complete(a, edit.Deps{})
	if a.missing == nil || !strings.Contains(a.missing.Error(), "edit.Deps.Content is not set") {
		t.Errorf("%v", a.missing)
	}
}
