package archtest

import (
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// maxPlaces is the most files that name one flag of a page, or one part of a layout: where it is declared, the two
// types of the API, and what acts on it.
const maxPlaces = 5

// actsMore are those that more code acts on: import, links, search, PDFs and sites know hidden pages; PDFs and pages
// made from API specifications leave descriptions out.
var actsMore = map[string]int{"hidden": 8, "description": 6}

// TestFlagsAreNamedInFewPlaces holds that a flag of a page is carried by its table in package entity.
func TestFlagsAreNamedInFewPlaces(t *testing.T) {
	loaded := loadTypes(t)
	limit := func(name string) int { return max(maxPlaces, actsMore[name]) }
	for _, flag := range entity.PageFlags() {
		if files := placesOf(loaded, "Flags", flag.Name); len(files) > limit(flag.Name) || len(files) < 3 {
			t.Errorf("the flag %s is named in %d files: %v", flag.Name, len(files), files)
		}
	}
	for _, part := range entity.LayoutParts() {
		if files := placesOf(loaded, "Layout", part.Name); len(files) > limit(part.Name) || len(files) < 3 {
			t.Errorf("the part %s of a layout is named in %d files: %v", part.Name, len(files), files)
		}
	}
}

// placesOf returns the files that name a member of one of package entity's types: by its field, by a switch of that
// name on the wire, or, for names that are no common word, as a text.
func placesOf(loaded []*packages.Package, owner, name string) []string {
	const entityPath = Module + "/internal/engine/entity"
	files := map[string]bool{}
	for _, each := range loaded {
		belongs := func(t types.Type) bool {
			if pointer, ok := t.(*types.Pointer); ok {
				t = pointer.Elem()
			}
			named, ok := t.(*types.Named)
			return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == entityPath &&
				(named.Obj().Name() == owner || owner == "Flags" && named.Obj().Name() == "Entry")
		}
		for _, file := range each.Syntax {
			path := shortName(each.PkgPath) + "/" + filepath.Base(each.Fset.Position(file.FileStart).Filename)
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					if chosen := each.TypesInfo.Selections[n]; chosen != nil && belongs(chosen.Recv()) &&
						strings.EqualFold(n.Sel.Name, name) {
						files[path] = true
					}
				case *ast.CompositeLit:
					if t := each.TypesInfo.TypeOf(n); t == nil || !belongs(t) {
						return true
					}
					for _, element := range n.Elts {
						pair, _ := element.(*ast.KeyValueExpr)
						if pair == nil {
							continue
						}
						if key, ok := pair.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, name) {
							files[path] = true
						}
					}
				case *ast.Field:
					if n.Tag != nil && wireName(n.Tag.Value) == name && isSwitch(each.TypesInfo.TypeOf(n.Type)) {
						files[path] = true
					}
				case *ast.BasicLit:
					if strings.ToLower(name) != name && n.Value == `"`+name+`"` {
						files[path] = true
					}
				}
				return true
			})
		}
	}
	return slices.Sorted(maps.Keys(files))
}

// wireName is the name in the JSON tag of a field.
func wireName(tag string) string {
	name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(tag, "`")).Get("json"), ",")
	return name
}

// isSwitch reports whether a field is on or off, and maybe neither.
func isSwitch(t types.Type) bool {
	text := t.String()
	return text == "bool" || text == "*bool" || strings.HasSuffix(text, "[bool]")
}
