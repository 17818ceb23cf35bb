// Package archtest owns the laws of the layout: which package of this module may import which. Its tests hold them
// against the code, and with them a few rules that a machine can check.
//
// A package's layer is its first folder below internal. Each layer imports those before it, and what its own order
// says of its packages. docs/ARCHITECTURE.md shows the same as a picture. Who adds a package to a layer adds its name
// to the layer's order.
package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path of this module.
const Module = "github.com/rectodocs/recto"

// Layer is a folder of packages and what it may import.
type Layer struct {
	// Path is the folder's path below the module.
	Path string
	// Imports names the layers that all of its packages may import, by their paths below the module.
	Imports string
	// Order names its packages, each with what it may import of its own layer: "*" is every package named before it. A
	// name covers the packages below it, too, unless they are named themselves. A layer without an order is one
	// package.
	Order []Row
}

// Row is a package of a layer, by its path below the layer's, and the packages of that layer that it may import.
type Row struct {
	Name, Imports string
}

// rows makes rows of packages that may import each of those before them.
func rows(names string) []Row {
	var made []Row
	for name := range strings.FieldsSeq(names) {
		made = append(made, Row{name, "*"})
	}
	return made
}

// Layers returns the layers, from the bottom up.
func Layers() []Layer {
	// What every resource of the API may import of the layer serve.
	const shared = "api/failure api/operation api/download api/upload api/wire"
	return []Layer{
		// Vocabulary; the standard library only.
		{"internal/base", "", []Row{
			{"errs", ""}, {"id", ""}, {"optional", ""}, {"strict", ""}, {"required", ""}, {"field", "errs"},
			{"paging", "errs"}, {"lzstring", ""}, {"propertytest", ""},
		}},
		// Knows nothing of documentation.
		{"internal/platform", "base", []Row{
			{"mask", ""}, {"coalesce", ""}, {"config", "mask embedding"}, {"db", ""}, {"blob", ""}, {"folder", ""},
			{"cache", ""}, {"dns", ""},
			{"httpx", ""},
			{"fetch", ""}, {"embedding", "fetch"}, {"seal", ""}, {"job", "db mask"}, {"mail", "db job seal"},
		}},
		// Pure: no database, no HTTP.
		{"internal/engine", "base", []Row{
			{"doc", ""}, {"expr", ""}, {"trie", ""}, {"git", ""}, {"entity", "doc git"},
			{"markdown/dialect", "doc"}, {"markdown/reader", "doc markdown/dialect"}, {"markdown", "doc"},
			{"treefile", "doc entity markdown"}, {"pagefile", "doc expr entity markdown treefile"},
			{"render", "doc markdown expr"}, {"contentkit", "doc markdown render"},
			{"hunk", ""}, {"merge", "entity git doc markdown hunk"},
			{"compare", "doc hunk"}, {"snippet", ""}, {"oas", "doc markdown entity snippet"}, {"endpoint", "doc"},
			{"direction", ""}, {"language", ""}, {"pdf", "doc render direction"}, {"social", "pdf direction"},
			{"segment", "doc markdown merge"}, {"exchange/gettext", ""}, {"exchange/xliff", "segment"},
			{"steps", "doc markdown"}, {"script/subtle", ""}, {"script", "script/subtle"},
		}},
		// Rules, and the SQL of their own tables. What a lower package needs of a higher one is a function among its
		// Hooks, which app sets.
		{"internal/people", "base platform engine",
			rows("audit secrets account oauth org invite identity access notification")},
		{"internal/content", "base platform engine people",
			rows("space store page link change print comment search spec translation importer edit live")},
		{"internal/publish", "base platform engine people content",
			rows("renderer site feedback audience preview integration dispatch blocks computed visit")},
		// What answers requests; never imports its like.
		{"internal/serve", "base platform engine people content publish", []Row{
			{"web", ""}, {"endpoints", ""}, {"programs", ""},
			// Resources of the API import what they share, never each other; api imports all that is below it.
			{"api/failure", ""}, {"api/operation", ""}, {"api/download", ""}, {"api/upload", "api/operation"},
			{"api/wire", "api/failure api/operation api/download"},
			{"api/audits", shared},
			{"api/changes", shared},
			{"api/comments", shared},
			{"api/contents", shared},
			{"api/edits", shared},
			{"api/identities", shared},
			{"api/imports", shared},
			{"api/integrations", shared},
			{"api/links", shared},
			{"api/lives", shared},
			{"api/notifications", shared},
			{"api/orgs", shared},
			{"api/prints", shared},
			{"api/searches", shared},
			{"api/sites", shared},
			{"api/spaces", shared},
			{"api/specs", shared},
			{"api/translations", shared},
			{"api/urls", shared},
			{"api/users", shared},
			{"api/reference", ""},
			{"api", ""},
			// pub imports all that is below it.
			{"pub/words", ""}, {"pub/response", ""}, {"pub/theme", "pub/words pub/response"},
			{"pub/agents", ""}, {"pub/edition", ""}, {"pub/scope", "pub/edition pub/theme pub/words pub/response"},
			{"pub/machine", "pub/scope pub/edition pub/agents pub/response"},
			{"pub/page", "pub/scope pub/edition pub/theme pub/words pub/response"},
			{"pub/download", "pub/page pub/scope pub/edition pub/words pub/response"},
			{"pub/gate", "pub/page pub/scope pub/edition pub/agents pub/theme pub/words pub/response"},
			{"pub/inspect", "pub/gate pub/page pub/scope pub/edition pub/words pub/response"}, {"pub", ""},
		}},
		// The composition root.
		{"internal/app", "base platform engine people content publish serve docs/manual ui", nil},
		// The command line's side of the API.
		{"internal/client", "base engine/git", nil},
		// What authors of integrations do on their own computer.
		{"internal/author", "base engine/script client", nil},
		// Commands made of the API's operations.
		{"internal/command", "base client", nil},
		// Looks at code, and is imported by nothing.
		{"internal/archtest", "", nil},
		{"docs/manual", "", nil},
		// The built files of the app that people work in.
		{"ui", "", nil},
		// Commands read their settings; everything else goes through app.
		{"cmd/recto", "base app client author command platform/config docs/manual", nil},
		// Measures any of it, and is imported by nothing.
		{"bench", "base platform engine people content publish serve app", nil},
	}
}

// Rule is where a package belongs, and what it may import of this module, by paths below the module. A rule covers the
// packages below its own, too.
type Rule struct {
	Path    string
	Layer   string
	Imports []string
}

// Table returns the rules that the layers make.
func Table() []Rule {
	var table []Rule
	for _, layer := range Layers() {
		var shared []string
		for name := range strings.FieldsSeq(layer.Imports) {
			if name != "ui" && !strings.HasPrefix(name, "docs/") {
				name = "internal/" + name
			}
			shared = append(shared, name)
		}
		order := layer.Order
		if order == nil {
			table = append(table, Rule{layer.Path, layer.Path, shared})
		}
		var before []string
		for _, row := range order {
			also := strings.Fields(row.Imports)
			if row.Imports == "*" {
				also = before
			}
			rule := Rule{layer.Path + "/" + row.Name, layer.Path, slices.Clone(shared)}
			for _, name := range also {
				rule.Imports = append(rule.Imports, layer.Path+"/"+name)
			}
			table = append(table, rule)
			before = append(before, row.Name)
		}
	}
	return table
}

// Package is what the check needs to know about a package.
type Package struct {
	// Path is the import path.
	Path string
	// Imports are the paths that its code, without its tests, imports, and TestImports those that its tests do.
	Imports, TestImports []string
}

// wholeProgram runs the whole program for tests: for those of what answers requests and of app, since all others test
// their own package on what is below it.
const wholeProgram = Module + "/internal/app/apptest"

// SupportsTests reports whether a package exists for tests alone, which its name says.
func SupportsTests(path string) bool { return strings.HasSuffix(path, "test") }

// forTests says why a package may not import a path that is for tests; empty when it may.
func forTests(each Package, imported string, inTest bool) string {
	switch {
	case !strings.HasPrefix(imported, Module+"/") || !SupportsTests(imported):
		return ""
	case !inTest && !SupportsTests(each.Path) && each.Path != Module+"/bench": // which measures what tests look at
		return "only tests and what supports them may"
	case imported == wholeProgram && !strings.HasPrefix(each.Path, Module+"/internal/serve/") &&
		each.Path != Module+"/internal/app" && each.Path != wholeProgram:
		return "only tests of serve and app run the whole program"
	}
	return ""
}

// purityBans are what no engine may reach through packages of this module, with the reason.
var purityBans = map[string]string{
	"database/sql":                   "engines know no database",
	"net/http":                       "engines know no HTTP",
	Module + "/internal/platform/db": "engines know no database",
}

// Violations returns what in the packages breaks the table, one sentence each, sorted.
func Violations(table []Rule, packages []Package) []string {
	known := map[string]Package{}
	for _, each := range packages {
		known[each.Path] = each
	}
	var found []string
	for _, each := range packages {
		rule, ok := ruleOf(table, each.Path)
		if !ok {
			found = append(found, fmt.Sprintf("%s has no rule: add it to the order of its layer in internal/archtest",
				each.Path))
			continue
		}
		for _, imported := range each.Imports {
			if reason := refused(table, rule, imported); reason != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", each.Path, imported, reason))
			}
			if reason := forTests(each, imported, false); reason != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", each.Path, imported, reason))
			}
		}
		for _, imported := range each.TestImports {
			if reason := forTests(each, imported, true); reason != "" {
				found = append(found, fmt.Sprintf("a test of %s imports %s: %s", each.Path, imported, reason))
			}
		}
		if rule.Layer == "internal/engine" {
			for banned, chain := range reach(known, each.Path) {
				found = append(found, fmt.Sprintf("%s reaches %s through %s: %s", each.Path, banned,
					strings.Join(chain, ", "), purityBans[banned]))
			}
		}
	}
	slices.Sort(found)
	return found
}

// ruleOf returns the rule of a package: the one with the longest path that it lies at or below.
func ruleOf(table []Rule, path string) (Rule, bool) {
	var best Rule
	for _, rule := range table {
		full := Module + "/" + rule.Path
		if (path == full || strings.HasPrefix(path, full+"/")) && len(rule.Path) > len(best.Path) {
			best = rule
		}
	}
	return best, best.Path != ""
}

// refused says why a package under the rule may not import a path; empty when it may.
func refused(table []Rule, rule Rule, imported string) string {
	if imported != Module && !strings.HasPrefix(imported, Module+"/") {
		if first, _, _ := strings.Cut(imported, "/"); rule.Layer == "internal/base" && strings.Contains(first, ".") {
			return "base imports the standard library only"
		}
		return ""
	}
	target, ok := ruleOf(table, imported)
	if !ok {
		return "" // reported for the package itself
	}
	for _, allowed := range append([]string{rule.Path}, rule.Imports...) {
		if target.Path == allowed || strings.HasPrefix(target.Path, allowed+"/") {
			return ""
		}
	}
	if target.Layer == rule.Layer {
		return fmt.Sprintf("both are of the layer %s, and its order does not let this one import that one", rule.Layer)
	}
	return fmt.Sprintf("the layer %s may not import the layer %s", rule.Layer, target.Layer)
}

// reach returns the banned packages that a package imports, itself or through packages of this module, each with the
// way to it.
func reach(known map[string]Package, path string) map[string][]string {
	found := map[string][]string{}
	seen := map[string]bool{}
	var walk func(path string, chain []string)
	walk = func(path string, chain []string) {
		if seen[path] {
			return
		}
		seen[path] = true
		chain = append(slices.Clip(chain), strings.TrimPrefix(path, Module+"/"))
		for _, imported := range known[path].Imports {
			if _, banned := purityBans[imported]; banned {
				if _, twice := found[imported]; !twice {
					found[imported] = chain
				}
				continue
			}
			if _, ours := known[imported]; ours {
				walk(imported, chain)
			}
		}
	}
	walk(path, nil)
	return found
}
