package archtest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"
)

// Limits on the size of a package.
const (
	maxPackageLines = 5000
	// In a package of more files than manyFiles, no circle holds more than half of them.
	manyFiles = 20
)

// TestPackagesAreSmall holds that nobody has to read more than 5,000 lines to know a package.
func TestPackagesAreSmall(t *testing.T) {
	for _, each := range loadTypes(t) {
		lines := 0
		for _, file := range each.Syntax {
			lines += each.Fset.File(file.FileStart).LineCount()
		}
		if lines > maxPackageLines {
			t.Errorf("%s has %d lines, the limit is %d", each.PkgPath, lines, maxPackageLines)
		}
	}
}

// TestFilesStandOnEachOther holds that a large package can be read file by file: no circle of references holds more
// than half of its files.
func TestFilesStandOnEachOther(t *testing.T) {
	for _, each := range loadTypes(t) {
		if len(each.Syntax) <= manyFiles {
			continue
		}
		circle := largestCircle(each.Fset, checkedOf(each))
		t.Logf("%s: %d of %d files are in one circle", shortName(each.PkgPath), len(circle), len(each.Syntax))
		if len(circle) > len(each.Syntax)/2 {
			t.Errorf("%s: %d of its %d files refer to each other in one circle: %v", each.PkgPath, len(circle),
				len(each.Syntax), circle)
		}
	}
}

// largestCircle returns the files of the largest circle of references in a package, none when no two files refer to
// each other. A file refers to another when it uses a name, a method or a field that is declared there.
func largestCircle(set *token.FileSet, p checked) []string {
	name := func(position token.Pos) string { return filepath.Base(set.Position(position).Filename) }
	refers := map[string]map[string]bool{}
	for _, file := range p.files {
		from := name(file.FileStart)
		refers[from] = map[string]bool{}
		ast.Inspect(file, func(n ast.Node) bool {
			identifier, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if used := p.info.Uses[identifier]; used != nil && used.Pkg() == p.types && used.Pos().IsValid() {
				if to := name(used.Pos()); to != from {
					refers[from][to] = true
				}
			}
			return true
		})
	}
	var largest []string
	for _, circle := range circles(refers) {
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	return largest
}

// circles returns the strongly connected components of a graph that have more than one member (R. Tarjan, "Depth-first
// search and linear graph algorithms", 1972).
func circles(refers map[string]map[string]bool) [][]string {
	var found [][]string
	var stack []string
	number, low, open := map[string]int{}, map[string]int{}, map[string]bool{}
	var visit func(string)
	visit = func(at string) {
		number[at] = len(number) + 1
		low[at] = number[at]
		stack, open[at] = append(stack, at), true
		for to := range refers[at] {
			if number[to] == 0 {
				visit(to)
				low[at] = min(low[at], low[to])
			} else if open[to] {
				low[at] = min(low[at], number[to])
			}
		}
		if low[at] != number[at] {
			return
		}
		for first := len(stack) - 1; ; first-- {
			open[stack[first]] = false
			if stack[first] == at {
				if circle := stack[first:]; len(circle) > 1 {
					found = append(found, append([]string(nil), circle...))
				}
				stack = stack[:first]
				return
			}
		}
	}
	for at := range refers {
		if number[at] == 0 {
			visit(at)
		}
	}
	return found
}

// TestLargestCircleFindsIt shows that the check can fail.
func TestLargestCircleFindsIt(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  int
	}{
		{"none", map[string]string{"a.go": "func A() { B() }", "b.go": "func B() {}", "c.go": "func C() { B() }"}, 0},
		{"two", map[string]string{"a.go": "func A() { B() }", "b.go": "func B() { A() }", "c.go": "func C() { B() }"},
			2},
		{"by a method", map[string]string{"a.go": "type A struct{}\nfunc (A) F() { B() }",
			"b.go": "func B() { A{}.F() }"}, 2},
		{"by a field", map[string]string{"a.go": "type A struct{ f int }\nvar x = b()",
			"b.go": "func b() int { return A{}.f }"}, 2},
		{"by a receiver", map[string]string{"a.go": "type A struct{}\nvar x = A{}.F", "b.go": "func (A) F() {}"}, 2},
		{"three", map[string]string{"a.go": "func A() { B() }", "b.go": "func B() { C() }", "c.go": "func C() { A() }"},
			3},
		{"local names", map[string]string{"a.go": "func A() { B() }", "b.go": "func B() { A := 1; _ = A }"}, 0},
	}
	for _, test := range tests {
		set := token.NewFileSet()
		var p checked
		for name, source := range test.files {
			file, err := parser.ParseFile(set, name, "package p\n"+source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, file)
		}
		p.info = &types.Info{Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: importer.Default()}
		var err error
		if p.types, err = config.Check("p", set, p.files, p.info); err != nil {
			t.Fatal(err)
		}
		if got := largestCircle(set, p); len(got) != test.want {
			t.Errorf("%s: got %v, want %d files", test.name, got, test.want)
		}
	}
}
