package archtest

import (
	"go/ast"
	"go/parser"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestErrorsHaveOneForm holds how errors read. One about a field of the input is what is said of the field, without a
// full stop, since the field's name stands before it: "title: has 300 characters, at most 250 are allowed". So is what
// engines and importers say, because a report names the file or the place before it. Every other one is a sentence.
func TestErrorsHaveOneForm(t *testing.T) {
	seen := 0
	eachFunction(t, func(path, at string, node ast.Node) {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return
		}
		maker, text := errorText(call)
		if text == "" || text == "%s" { // another's text as it is
			return
		}
		seen++
		if problem := formOf(maker, text, isEmbedded(path)); problem != "" {
			t.Errorf("%s: %q %s", at, text, problem)
		}
	})
	if seen < 500 {
		t.Errorf("only %d errors were found", seen)
	}
}

// isEmbedded tells whether the errors of a package stand behind the name of what they are about.
func isEmbedded(path string) bool {
	within := func(folder string) bool { return strings.HasPrefix(path+"/", Module+"/internal/"+folder+"/") }
	return within("engine") || within("content/importer") || within("platform") && !within("platform/db")
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
	at, known := map[string]int{
		"Invalidf": 1, "NotFoundf": 0, "Conflictf": 0, "Forbiddenf": 0, "New": 1, "Wrap": 2,
	}[selector.Sel.Name]
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

// formOf says what is wrong with the form of an error; "" for nothing. An embedded one stands behind a name.
func formOf(maker, text string, embedded bool) string {
	first, _ := utf8.DecodeRuneInString(text)
	ends := strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?")
	field, _, named := strings.Cut(text, ": ")
	named = named && !strings.Contains(field, " ")
	part := maker == "Invalidf" || embedded && (maker == "New" || maker == "Wrap")
	switch {
	case part && ends:
		return "stands behind the name of what it is about, and takes no full stop"
	case part && unicode.IsUpper(first) && !isName(text):
		return "stands behind the name of what it is about, and begins with a small letter"
	case !part && !ends:
		return "is a sentence, and ends with a full stop"
	case !part && unicode.IsLower(first) && !named:
		return "is a sentence, and begins with a capital letter"
	}
	return ""
}

// isName tells whether a text begins with the name of a file, such as SUMMARY.md.
func isName(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return strings.Contains(word, ".")
}

// TestFormOf shows that the check can fail.
func TestFormOf(t *testing.T) {
	for _, test := range []struct {
		source   string
		fails    bool
		embedded bool
	}{
		{`errs.Invalidf("title", "has %d characters", 3)`, false, false},
		{`errs.Invalidf("title", "has too many.")`, true, false},
		{`errs.Invalidf("title", "Has too many")`, true, false},
		{`errs.NotFoundf("There is no page %q.", x)`, false, false},
		{`errs.NotFoundf("There is no page %q", x)`, true, false},
		{`errs.NotFoundf("there is no page.")`, true, false},
		{`errs.Conflictf("page: revision %s has none.", x)`, false, false},
		{`errs.Conflictf("%s is gone. " + "Make another.", x)`, false, false},
		{`errs.Conflictf("%s is gone" + ", make another", x)`, true, false},
		{`errs.New(errs.TooLarge, "the file has %d bytes")`, true, false},
		{`errs.New(errs.TooLarge, "the file has %d bytes")`, false, true},
		{`errs.New(errs.TooLarge, "The file has %d bytes.")`, false, false},
		{`errs.Wrap(err, errs.TooLarge, "The file has %d bytes.")`, true, true},
		{`errs.Wrap(err, errs.TooLarge, "SUMMARY.md has %d bytes")`, false, true},
	} {
		expression, err := parser.ParseExpr(test.source)
		if err != nil {
			t.Fatal(err)
		}
		maker, text := errorText(expression.(*ast.CallExpr))
		if text == "" {
			t.Errorf("%s has no text", test.source)
		}
		if problem := formOf(maker, text, test.embedded); (problem != "") != test.fails {
			t.Errorf("%s: %q", test.source, problem)
		}
	}
}
