// Package archtest owns the import table: which package of this module may import which. Its tests hold the table
// against the code, and with it a few rules of the house that a machine can check.
//
// The table is the short form of docs/ARCHITECTURE.md. Who adds a package adds its row.
package archtest

import (
	"fmt"
	"slices"
	"strings"
)

// Module is the path of this module.
const Module = "github.com/rectodocs/recto"

// Layer is a group of packages. A package may import every package of the layers named in mayImport.
type Layer string

// The layers, from the bottom up.
const (
	Leaf     Layer = "leaf"     // vocabulary; standard library only
	Platform Layer = "platform" // knows nothing of documentation
	Engine   Layer = "engine"   // pure: no database, no HTTP
	Domain   Layer = "domain"   // rules, and the SQL of their own tables
	Delivery Layer = "delivery" // what answers requests; never imports its like
	Client   Layer = "client"   // the command line's side of the API
	App      Layer = "app"      // composition root
	Command  Layer = "command"  // the program
	Check    Layer = "check"    // looks at code, is imported by nothing
	Measure  Layer = "measure"  // benchmarks of any of it, is imported by nothing
)

// mayImport says which whole layers each layer may import.
var mayImport = map[Layer][]Layer{
	Leaf:     nil,
	Platform: {Leaf},
	Engine:   {Leaf},
	Domain:   {Leaf, Platform, Engine},
	Delivery: {Leaf, Platform, Engine, Domain},
	Client:   {Leaf},
	App:      {Leaf, Platform, Engine, Domain, Delivery},
	Command:  {Leaf, App, Client},
	Check:    nil,
	Measure:  {Leaf, Platform, Engine, Domain, Delivery, App},
}

// Rule is a row of the table: where a package belongs, and what it may import of its own layer or besides. A rule covers
// the packages below its own, too.
type Rule struct {
	// Path is the package's path below the module.
	Path string
	// Layer is where it belongs.
	Layer Layer
	// Also names packages that it may import beyond its layer's.
	Also string
}

// domainOrder is the order of the domain packages: each may import those before it. What a lower one needs of a higher
// one is a function value that app passes in.
const domainOrder = "audit account org identity access space content link change print comment search spec site audience translation integration importer edit"

// Table returns the import table.
func Table() []Rule {
	table := []Rule{
		{"internal/errs", Leaf, ""},
		{"internal/id", Leaf, ""},
		{"internal/optional", Leaf, ""},
		{"internal/coalesce", Leaf, ""},
		{"internal/field", Leaf, "errs"},
		{"internal/git", Leaf, "errs"},
		{"internal/strict", Leaf, ""},
		{"internal/mask", Leaf, ""},
		{"internal/paging", Leaf, "errs"},

		{"internal/config", Platform, ""},
		{"internal/db", Platform, ""},
		{"internal/blob", Platform, ""},
		{"internal/folder", Platform, ""},
		{"internal/cache", Platform, ""},
		{"internal/job", Platform, "db"},
		{"internal/httpx", Platform, ""},
		{"internal/fetch", Platform, ""},
		{"internal/seal", Platform, ""},
		{"internal/mail", Platform, "db job seal"},

		{"internal/doc", Engine, ""},
		{"internal/expr", Engine, ""},
		{"internal/trie", Engine, ""},
		{"internal/entity", Engine, ""},
		{"internal/markdown", Engine, "doc"},
		{"internal/render", Engine, "doc markdown expr"},
		{"internal/merge", Engine, "entity doc markdown"},
		{"internal/oas", Engine, "doc markdown entity"},
		{"internal/pdf", Engine, "doc render"},
		{"internal/segment", Engine, "doc markdown merge"},
		{"internal/gettext", Engine, ""},
		{"internal/xliff", Engine, "segment"},

		{"internal/api", Delivery, ""},
		{"internal/pub", Delivery, ""},
		{"internal/web", Delivery, ""},
		{"internal/client", Client, ""},
		{"internal/app", App, ""},
		{"internal/archtest", Check, ""},
		{"bench", Measure, ""},
		{"docs/manual", Leaf, ""},
		// Commands read their settings; everything else goes through app.
		{"cmd/recto", Command, "config"},
	}
	var before []string
	for name := range strings.FieldsSeq(domainOrder) {
		table = append(table, Rule{"internal/" + name, Domain, strings.Join(before, " ")})
		before = append(before, name)
	}
	return table
}

// Package is what the check needs to know about a package.
type Package struct {
	// Path is the import path.
	Path string
	// Imports are the paths that its code, without its tests, imports.
	Imports []string
}

// purityBans are what no engine may reach through packages of this module, with the reason.
var purityBans = map[string]string{
	"database/sql":          "engines know no database",
	"net/http":              "engines know no HTTP",
	Module + "/internal/db": "engines know no database",
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
			found = append(found, fmt.Sprintf("%s has no rule: add a row to the table in internal/archtest", each.Path))
			continue
		}
		for _, imported := range each.Imports {
			if reason := refused(table, rule, imported); reason != "" {
				found = append(found, fmt.Sprintf("%s imports %s: %s", each.Path, imported, reason))
			}
		}
		if rule.Layer == Engine {
			for banned, chain := range reach(known, each.Path) {
				found = append(found, fmt.Sprintf("%s reaches %s through %s: %s", each.Path, banned, strings.Join(chain, ", "), purityBans[banned]))
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
		if first, _, _ := strings.Cut(imported, "/"); rule.Layer == Leaf && strings.Contains(first, ".") {
			return "leaves import the standard library only"
		}
		return ""
	}
	target, ok := ruleOf(table, imported)
	if !ok {
		return "" // reported for the package itself
	}
	if target.Path == rule.Path || slices.Contains(mayImport[rule.Layer], target.Layer) {
		return ""
	}
	for also := range strings.FieldsSeq(rule.Also) {
		if target.Path == "internal/"+also {
			return ""
		}
	}
	if target.Layer == rule.Layer {
		return fmt.Sprintf("both are of the layer %s, and the table does not let this one import that one", rule.Layer)
	}
	return fmt.Sprintf("the layer %s may not import the layer %s", rule.Layer, target.Layer)
}

// reach returns the banned packages that a package imports, itself or through packages of this module, each with the way
// to it.
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
