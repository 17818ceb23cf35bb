package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/objectpath"
)

// TestNamesHaveCallers holds that nothing is exported or wired for nobody: outside tests, every exported name of
// internal packages is used, and every function in a field of a struct is both set and called. A field that nobody sets
// is a wire that is missing.
func TestNamesHaveCallers(t *testing.T) {
	loaded := loadTypes(t)
	u := usesOf(loaded)
	var lonely []string
	for _, each := range loaded {
		if !strings.Contains(each.PkgPath, "/internal/") || SupportsTests(each.PkgPath) {
			continue
		}
		lonely = append(lonely, u.lonely(each)...)
	}
	slices.Sort(lonely)
	for _, sentence := range lonely {
		name, _, _ := strings.Cut(sentence, " ")
		if withoutCaller[name] == "" {
			t.Errorf("%s, in code that is no test", sentence)
		}
	}
	for name := range withoutCaller {
		if !slices.ContainsFunc(lonely, func(s string) bool { return strings.HasPrefix(s, name+" ") }) {
			t.Errorf("%s has a caller: take it from the exceptions", name)
		}
	}
}

// protocol has methods that the standard library asks values for without naming an interface.
var protocol = []string{"Unwrap", "Is", "As", "CloseWrite"}

// A clock is a field of this name: tests set it, and New sets one that nobody has set.
const clock = "Now"

// uses is what the code of the module, without tests, does with names.
type uses struct {
	// interfaces has the names of all methods of interfaces that the module uses: who calls them is not known.
	interfaces map[string]bool
	// used, set and read have the keys of names; set and read are of fields.
	used, set, read map[string]bool
}

// key names a declaration for all packages: the types of two packages that use it are not the same objects.
func key(o types.Object) string {
	if o == nil || o.Pkg() == nil || !strings.HasPrefix(o.Pkg().Path(), Module) {
		return ""
	}
	switch of := o.(type) {
	case *types.Func:
		o = of.Origin()
	case *types.Var:
		o = of.Origin()
	}
	if path, err := objectpath.For(o); err == nil {
		return o.Pkg().Path() + "#" + string(path)
	}
	return ""
}

func usesOf(loaded []*packages.Package) uses {
	u := uses{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	seen := map[*types.Package]bool{}
	var interfaces func(p *types.Package)
	interfaces = func(p *types.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, name := range p.Scope().Names() {
			if kind, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
				if i, ok := kind.Type().Underlying().(*types.Interface); ok {
					for method := range i.Methods() {
						u.interfaces[method.Name()] = true
					}
				}
			}
		}
		for _, imported := range p.Imports() {
			interfaces(imported)
		}
	}
	for _, each := range loaded {
		interfaces(each.Types)
		if SupportsTests(each.PkgPath) {
			continue
		}
		for _, file := range each.Syntax {
			u.add(each.TypesInfo, file)
		}
	}
	return u
}

// add notes what a file does with names.
func (u uses) add(info *types.Info, file *ast.File) {
	var within []types.Object
	assigned := map[*ast.Ident]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.InterfaceType:
			// An interface without a name has methods, too.
			if i, ok := info.TypeOf(n).(*types.Interface); ok {
				for method := range i.Methods() {
					u.interfaces[method.Name()] = true
				}
			}
		case *ast.CompositeLit:
			u.addLiteral(info, n, assigned)
		case *ast.AssignStmt:
			for _, target := range n.Lhs {
				if selector, ok := target.(*ast.SelectorExpr); ok {
					assigned[selector.Sel] = true
				}
			}
		case *ast.UnaryExpr:
			// Who takes a field's address may do both.
			if selector, ok := n.X.(*ast.SelectorExpr); ok && n.Op == token.AND {
				u.set[key(info.Uses[selector.Sel])] = true
			}
		}
		return true
	})
	for _, declaration := range file.Decls {
		within = within[:0]
		if function, ok := declaration.(*ast.FuncDecl); ok {
			within = append(within, info.Defs[function.Name])
			if function.Recv != nil {
				within = append(within, receiver(info, function))
			}
		}
		ast.Inspect(declaration, func(n ast.Node) bool {
			identifier, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			used := info.Uses[identifier]
			if used == nil || slices.Contains(within, used) {
				return true // neither does a function call itself, nor do its methods use a type
			}
			name := key(used)
			u.used[name] = true
			if assigned[identifier] {
				u.set[name] = true
			} else {
				u.read[name] = true
			}
			return true
		})
	}
}

// addLiteral notes the fields that a literal sets.
func (u uses) addLiteral(info *types.Info, literal *ast.CompositeLit, assigned map[*ast.Ident]bool) {
	of := info.TypeOf(literal)
	if pointer, ok := of.Underlying().(*types.Pointer); ok {
		of = pointer.Elem()
	}
	fields, ok := of.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				assigned[name] = true
				u.set[key(info.Uses[name])] = true
			}
		} else if i < fields.NumFields() {
			u.set[key(fields.Field(i))] = true
		}
	}
}

// lonely returns a sentence for each name of a package that has no caller.
func (u uses) lonely(p *packages.Package) []string {
	var found []string
	scope := p.Types.Scope()
	enumerated := enumerations(p)
	say := func(name, what string) { found = append(found, shortName(p.PkgPath)+"."+name+" "+what) }
	for _, name := range scope.Names() {
		declared := scope.Lookup(name)
		if declared.Exported() && !u.used[key(declared)] && !enumerated[declared] {
			say(name, "is not used")
		}
		kind, ok := declared.(*types.TypeName)
		if !ok || kind.IsAlias() {
			continue
		}
		named, ok := kind.Type().(*types.Named)
		if !ok {
			continue
		}
		for method := range named.Methods() {
			if method.Exported() && !slices.Contains(protocol, method.Name()) && !u.interfaces[method.Name()] &&
				!u.used[key(method)] {
				say(name+"."+method.Name(), "is not called")
			}
		}
		fields, ok := named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for field := range fields.Fields() {
			if _, ok := field.Type().Underlying().(*types.Signature); !ok || field.Embedded() || field.Name() == clock {
				continue
			}
			switch id := key(field); {
			case id == "":
			case !u.read[id]:
				say(name+"."+field.Name(), "is not called")
			case !u.set[id]:
				say(name+"."+field.Name(), "is not set")
			}
		}
	}
	return found
}

// receiver returns the type whose method a function is.
func receiver(info *types.Info, function *ast.FuncDecl) types.Object {
	of := info.Defs[function.Name].(*types.Func).Signature().Recv().Type()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	if named, ok := of.(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// enumerations returns the constants of a package that are one of several of a type: a value that is read from a
// database or a request needs no mention in code.
func enumerations(p *packages.Package) map[types.Object]bool {
	byType := map[types.Type][]types.Object{}
	for _, name := range p.Types.Scope().Names() {
		constant, ok := p.Types.Scope().Lookup(name).(*types.Const)
		if !ok {
			continue
		}
		if named, ok := constant.Type().(*types.Named); ok && named.Obj().Pkg() == p.Types {
			byType[named] = append(byType[named], constant)
		}
	}
	found := map[types.Object]bool{}
	for _, constants := range byType {
		for _, constant := range constants {
			found[constant] = len(constants) > 1
		}
	}
	return found
}

// TestLonelyNamesAreFound shows that the check can fail.
func TestLonelyNamesAreFound(t *testing.T) {
	const source = `package p
type T struct {
	Called, Unset, Uncalled func()
	Now func()
}
func (T) Used() {}
func (T) Unused() {}
func (T) String() string { return "" }
func (T) Unwrap() error { return nil }
type i interface{ String() string }
func Recursive() { Recursive() }
func init() { T{}.Used(); t := T{Called: Used, Uncalled: Used}; t.Called(); t.Unset(); var _ i = t }
func Used() {}
const Unused = 1
type Kind int
const (
	First Kind = iota
	Second
)
var _ Kind
type Alone struct{}
func (Alone) f() { Alone{}.f() }
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p := &packages.Package{PkgPath: Module + "/internal/p", Syntax: []*ast.File{file}, Fset: set}
	p.TypesInfo = &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}}
	if p.Types, err = new(types.Config).Check(p.PkgPath, set, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	got := usesOf([]*packages.Package{p}).lonely(p)
	slices.Sort(got)
	want := []string{"Alone is not used", "Recursive is not used", "T.Uncalled is not called", "T.Unset is not set",
		"T.Unused is not called", "Unused is not used"}
	for i := range want {
		want[i] = "internal/p." + want[i]
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
