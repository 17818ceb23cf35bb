package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"
)

// plainIDs are parameters beside each other that may both be plain texts, with the reason.
var plainIDs = map[string]string{
	"entryID, segmentID": "a page and a text of it are texts to the engines that they are for",
}

// TestIDsHaveTypes holds that no function takes two ids beside each other as plain texts: the types of package id let
// the compiler tell one from the other. Which parameters are ids, their names say.
func TestIDsHaveTypes(t *testing.T) {
	used := map[string]bool{}
	eachFunction(t, func(_, at string, function ast.Node) {
		kind, ok := function.(*ast.FuncType)
		if !ok {
			return
		}
		for _, pair := range plainPairs(kind) {
			used[pair] = true
			if plainIDs[pair] == "" {
				t.Errorf("%s: takes the ids %s as plain texts; give one a type of package id", at, pair)
			}
		}
	})
	for pair := range plainIDs {
		if !used[pair] {
			t.Errorf("no function takes %s any more: take it from the exceptions", pair)
		}
	}
}

// plainPairs returns the names of each two parameters beside each other that are ids and plain texts.
func plainPairs(function *ast.FuncType) []string {
	var pairs []string
	last := ""
	for _, field := range function.Params.List {
		kind, ok := field.Type.(*ast.Ident)
		plain := ok && kind.Name == "string"
		if len(field.Names) == 0 {
			last = ""
		}
		for _, name := range field.Names {
			if !plain || name.Name != "id" && !strings.HasSuffix(name.Name, "ID") {
				last = ""
				continue
			}
			if last != "" {
				pairs = append(pairs, last+", "+name.Name)
			}
			last = name.Name
		}
	}
	return pairs
}

// TestPlainIDsAreFound shows that the check can fail.
func TestPlainIDsAreFound(t *testing.T) {
	for parameters, want := range map[string][]string{
		"spaceID, siteID string":                    {"spaceID, siteID"},
		"a int, spaceID string, id string":          {"spaceID, id"},
		"spaceID, siteID, userID string":            {"spaceID, siteID", "siteID, userID"},
		"spaceID id.Space, siteID string":           nil,
		"spaceID string, siteID id.Site, id string": nil,
		"spaceID, path, siteID string":              nil,
		"spaceID string, siteIDs []string":          nil,
		"string, string":                            nil,
		"path, idOrNumber string":                   nil,
	} {
		expression, err := parser.ParseExpr(fmt.Sprintf("func(%s) {}", parameters))
		if err != nil {
			t.Fatal(err)
		}
		if got := plainPairs(expression.(*ast.FuncLit).Type); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", parameters, got, want)
		}
	}
}
