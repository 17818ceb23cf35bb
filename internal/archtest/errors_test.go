package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestErrorsHaveOneForm holds how errors read. One about a field of the input is what is said of the field, without a
// full stop, since the field's name stands before it: "title: has 300 characters, at most 250 are allowed". Every other
// one is a sentence.
func TestErrorsHaveOneForm(t *testing.T) {
	seen := 0
	for _, each := range listPackages(t) {
		for _, name := range each.GoFiles {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, filepath.Join(each.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				maker, text := errorText(call)
				if text == "" {
					return true
				}
				seen++
				if problem := formOf(maker, text); problem != "" {
					t.Errorf("%s: %q %s", set.Position(call.Pos()), text, problem)
				}
				return true
			})
		}
	}
	if seen < 300 {
		t.Errorf("only %d errors were found", seen)
	}
}

// errorText returns the function of package errs that a call makes an error with, and the literal text of the error;
// no text for another call.
func errorText(call *ast.CallExpr) (maker, text string) {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if of, ok := selector.X.(*ast.Ident); !ok || of.Name != "errs" {
		return "", ""
	}
	at, known := map[string]int{"Invalidf": 1, "NotFoundf": 0, "Conflictf": 0, "Forbiddenf": 0}[selector.Sel.Name]
	if !known || len(call.Args) <= at {
		return "", ""
	}
	return selector.Sel.Name, literal(call.Args[at])
}

// literal returns the text of a string literal, or of several that are put together; "" for anything else.
func literal(of ast.Expr) string {
	switch e := of.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil {
			return text
		}
	case *ast.BinaryExpr:
		if left, right := literal(e.X), literal(e.Y); left != "" && right != "" {
			return left + right
		}
	}
	return ""
}

// formOf says what is wrong with the form of an error; "" for nothing.
func formOf(maker, text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	ends := strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?")
	field, _, named := strings.Cut(text, ": ")
	named = named && !strings.Contains(field, " ")
	switch {
	case maker == "Invalidf" && ends:
		return "is said of a field, and takes no full stop"
	case maker == "Invalidf" && unicode.IsUpper(first):
		return "is said of a field, and begins with a small letter"
	case maker != "Invalidf" && !ends:
		return "is a sentence, and ends with a full stop"
	case maker != "Invalidf" && unicode.IsLower(first) && !named:
		return "is a sentence, and begins with a capital letter"
	}
	return ""
}

// TestFormOf shows that the check can fail.
func TestFormOf(t *testing.T) {
	for _, test := range []struct {
		source string
		fails  bool
	}{
		{`errs.Invalidf("title", "has %d characters", 3)`, false},
		{`errs.Invalidf("title", "has too many.")`, true},
		{`errs.Invalidf("title", "Has too many")`, true},
		{`errs.NotFoundf("There is no page %q.", x)`, false},
		{`errs.NotFoundf("There is no page %q", x)`, true},
		{`errs.NotFoundf("there is no page.")`, true},
		{`errs.Conflictf("page: revision %s has none.", x)`, false},
		{`errs.Conflictf("%s is gone. " + "Make another.", x)`, false},
		{`errs.Conflictf("%s is gone" + ", make another", x)`, true},
	} {
		expression, err := parser.ParseExpr(test.source)
		if err != nil {
			t.Fatal(err)
		}
		maker, text := errorText(expression.(*ast.CallExpr))
		if text == "" {
			t.Errorf("%s has no text", test.source)
		}
		if problem := formOf(maker, text); (problem != "") != test.fails {
			t.Errorf("%s: %q", test.source, problem)
		}
	}
}
