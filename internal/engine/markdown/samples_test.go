package markdown

import (
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
)

// unwritten are attributes that the dialect has no spelling for, by type: Normalize takes them away.
var unwritten = []string{
	"content-ref.Title", "list-tasks.Start", "list-unordered.Start", "mention.Title",
	// The four blocks of specifications share their attributes.
	"openapi-operation.BaseURL", "openapi-operation.Expanded", "openapi-operation.FullWidth",
	"openapi-operation.Grouped", "openapi-operation.Name",
	"openapi-operation.Schemas", "openapi-operation.Title",
	"openapi-schemas.BaseURL", "openapi-schemas.Expanded", "openapi-schemas.FullWidth", "openapi-schemas.Headless",
	"openapi-schemas.Method",
	"openapi-schemas.Name", "openapi-schemas.Path",
	"openapi-webhook.BaseURL", "openapi-webhook.Expanded", "openapi-webhook.FullWidth", "openapi-webhook.Grouped",
	"openapi-webhook.Path",
	"openapi-webhook.Schemas", "openapi-webhook.Title",
	"swagger.BaseURL", "swagger.Grouped", "swagger.Name", "swagger.Schemas", "swagger.Title",
}

// TestSamples holds the laws for documents that show every type of block, inline and mark with every attribute in every
// place, and that each attribute is really written and read.
func TestSamples(t *testing.T) {
	targets := doctest.Targets{
		Links:    []doc.Ref{{Kind: doc.RefPage, Page: "p"}, doc.URL("a b.md#c"), {Kind: doc.RefUser, User: "u"}},
		Files:    []doc.Ref{{Kind: doc.RefFile, File: "f"}, doc.URL("x (1).png")},
		Reusable: doc.Ref{Kind: doc.RefReusableContent, ReusableContent: "r"},
	}
	survived, missing := map[string]bool{}, map[string]bool{}
	for _, sample := range doctest.Samples(targets) {
		written := Write(sample.Document)
		read, err := Parse(written)
		if err != nil {
			t.Fatalf("%s: %v\n%s", sample.Name, err, written)
		}
		read.Walk(func(n *doc.Node) bool { n.Key, n.ID, n.Source = "", "", doc.Span{}; return true })
		if normal := Normalize(sample.Document); !doc.Equal(normal, read) {
			t.Errorf("%s: Parse(Write(d)) is not Normalize(d)\n%s", sample.Name, cmp.Diff(normal, read))
		}
		checkLaws(t, written)
		sample.Document.Walk(func(n *doc.Node) bool { attributes(n, missing); return true })
		read.Walk(func(n *doc.Node) bool { attributes(n, survived); return true })
	}
	for name := range survived {
		delete(missing, name)
	}
	var lost []string
	for name := range missing {
		lost = append(lost, name)
	}
	slices.Sort(lost)
	if diff := cmp.Diff(unwritten, lost); diff != "" {
		t.Errorf("attributes that do not come back (-known +found):\n%s", diff)
	}
}

// attributes notes which attributes of a node are set.
func attributes(n *doc.Node, set map[string]bool) {
	if n.Data == nil {
		return
	}
	set[string(n.Type)] = true
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		for i := range v.NumField() {
			field := name + "." + v.Type().Field(i).Name
			if v.Field(i).Type() == reflect.TypeFor[doc.TableView]() {
				walk(field, v.Field(i))
				continue
			}
			if !v.Field(i).IsZero() {
				set[field] = true
			}
		}
	}
	walk(string(n.Type), reflect.ValueOf(n.Data).Elem())
}
