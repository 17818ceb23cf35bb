package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/content/live"
	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/translation"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/identity"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/people/oauth"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/embedding"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/blocks"
	"github.com/rectodocs/recto/internal/publish/computed"
	"github.com/rectodocs/recto/internal/publish/dispatch"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/integration"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/renderer"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/visit"
	"github.com/rectodocs/recto/internal/serve/api"
	"github.com/rectodocs/recto/internal/serve/endpoints"
	"github.com/rectodocs/recto/internal/serve/programs"
	"github.com/rectodocs/recto/internal/serve/pub"
	"github.com/rectodocs/recto/internal/serve/web"
)

// constructors make the services and handlers of the server, each of its Deps.
var constructors = []any{
	account.New, org.New, invite.New, identity.New, notification.New, space.New, store.New, link.New,
	change.NewService, print.New,
	live.New, comment.New, search.New, spec.New, translation.New, importer.New, edit.New, site.New, feedback.New,
	audience.New, integration.New, dispatch.New, blocks.New, computed.New, api.New, pub.New, web.New,
	endpoints.New, oauth.New, programs.New, visit.New, renderer.New, preview.New,
}

// TestEveryServiceIsRefusedWithoutWhatItNeeds leaves out each required field of the Deps of each constructor that the
// package calls, and of the Hooks of what it returns.
func TestEveryServiceIsRefusedWithoutWhatItNeeds(t *testing.T) {
	called := constructed(t)
	for _, constructor := range constructors {
		create := reflect.ValueOf(constructor)
		deps := create.Type().In(0)
		name, _, _ := strings.Cut(deps.String(), ".")
		if !called[name] {
			t.Errorf("the server makes no %s", name)
		}
		delete(called, name)
		leaveOut(t, deps, func(given reflect.Value) { create.Call([]reflect.Value{given}) })
		service := create.Type().Out(0)
		set, takesHooks := service.MethodByName("SetHooks")
		if _, hasHooks := service.Elem().FieldByName("hooks"); hasHooks != takesHooks {
			t.Errorf("%s has hooks: %t; it has SetHooks: %t", name, hasHooks, takesHooks)
		}
		if !takesHooks {
			continue
		}
		leaveOut(t, set.Type.In(1), func(given reflect.Value) {
			set.Func.Call([]reflect.Value{reflect.New(service.Elem()), given})
		})
		twice := func() {
			made, given := reflect.New(service.Elem()), whole(t, set.Type.In(1))
			set.Func.Call([]reflect.Value{made, given})
			set.Func.Call([]reflect.Value{made, given})
		}
		if said := panicOf(twice); !strings.Contains(said, name+".Hooks were set before") {
			t.Errorf("Hooks of %s that are set twice: %q", name, said)
		}
	}
	if len(called) > 0 {
		t.Errorf("the server makes what the table does not have: %v", slices.Sorted(maps.Keys(called)))
	}
}

// leaveOut calls a function with a struct of a type, each time without another of its required fields, and holds that
// it panics and names the field.
func leaveOut(t *testing.T, of reflect.Type, take func(given reflect.Value)) {
	t.Helper()
	if err := required.Check(whole(t, of).Interface()); err != nil {
		t.Fatalf("nothing is left out of %s: %v", of, err)
	}
	for i := range of.NumField() {
		field := of.Field(i)
		why, optional := field.Tag.Lookup("optional")
		if optional && why == "" {
			t.Errorf("%s.%s may be left out, and nothing says why", of, field.Name)
		}
		given := whole(t, of)
		switch given.Field(i).Kind() {
		case reflect.Func, reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.String:
		case reflect.Struct: // is looked into, and named with what it lacks
			if field.Type.NumField() == 0 || optional || required.Check(reflect.Zero(field.Type).Interface()) == nil {
				continue
			}
		default:
			continue
		}
		if optional {
			continue
		}
		given.Field(i).SetZero()
		said := panicOf(func() { take(given) })
		if !strings.Contains(said, fmt.Sprintf("%s.%s", of, field.Name)) || !strings.Contains(said, "is not set") {
			t.Errorf("without %s.%s: %q", of, field.Name, said)
		}
	}
}

// panicOf returns what a function panics with.
func panicOf(do func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	do()
	return ""
}

// whole returns a struct of a type in which everything is there, and nothing works.
func whole(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	made := reflect.New(of).Elem()
	for i := range of.NumField() {
		field := made.Field(i)
		switch kind := field.Type(); kind.Kind() {
		case reflect.Func:
			field.Set(reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value { panic("called") }))
		case reflect.Pointer:
			if isPlain(kind.Elem()) {
				field.Set(whole(t, kind.Elem()).Addr())
			} else {
				field.Set(reflect.New(kind.Elem()))
			}
		case reflect.Slice:
			field.Set(reflect.MakeSlice(kind, 1, 1))
		case reflect.Map:
			field.Set(reflect.MakeMap(kind))
		case reflect.String:
			field.SetString("https://example.com")
		case reflect.Struct:
			if isPlain(kind) {
				field.Set(whole(t, kind))
			}
		case reflect.Interface:
			field.Set(implementation(t, kind))
		}
	}
	return made
}

// isPlain reports whether a type is a struct that others may fill.
func isPlain(of reflect.Type) bool {
	if of.Kind() != reflect.Struct {
		return false
	}
	for field := range of.Fields() {
		if !field.IsExported() {
			return false
		}
	}
	return true
}

// implementation returns something of an interface.
func implementation(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	for _, each := range []any{&blob.Verified{}, &translation.Completions{}, &embedding.Client{}, fstest.MapFS{}} {
		if reflect.TypeOf(each).Implements(of) {
			return reflect.ValueOf(each)
		}
	}
	t.Fatalf("add an implementation of %s to this test", of)
	return reflect.Value{}
}

// constructed returns the packages whose Deps the code of this package makes.
func constructed(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if literal, ok := node.(*ast.CompositeLit); ok {
				if of, ok := literal.Type.(*ast.SelectorExpr); ok && of.Sel.Name == "Deps" {
					made[fmt.Sprint(of.X)] = true
				}
			}
			return true
		})
	}
	return made
}
