package store

import (
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// SpecsShown returns the API specifications that a body shows to its readers: those that its blocks name, each by the
// slug or id that it is named by. Links to specifications show nothing of them.
func SpecsShown(body []byte) []string {
	document, err := markdown.Parse(body)
	if err != nil {
		return nil // a body that cannot be read shows its text
	}
	document.ReadDestinations()
	return SpecsIn(document)
}

// SpecsIn returns the API specifications that a document shows.
func SpecsIn(document *doc.Document) []string {
	var names []string
	document.Walk(func(n *doc.Node) bool {
		if data, ok := n.Data.(*doc.OpenAPIData); ok && data.Ref.Kind == doc.RefOpenAPI && !slices.Contains(names,
			data.Ref.Spec) {
			names = append(names, data.Ref.Spec)
		}
		return true
	})
	return names
}

// SpecComputed returns the API specifications that a computed page is made from; nil when it is made from none.
func SpecComputed(computed *entity.Computed) []string {
	if computed == nil {
		return nil
	}
	var names []string
	for _, dependency := range computed.Dependencies {
		from, _ := dependency.(map[string]any)
		ref, _ := from["ref"].(map[string]any)
		if name, _ := ref["spec"].(string); ref["kind"] == "openapi" && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// RefuseSpecs is for a change by somebody who may not read the organization's specifications: it refuses those that
// content shows after it and did not before, because whoever names one would then read it.
func RefuseSpecs(place string, before, after []string) error {
	for _, name := range after {
		if !slices.Contains(before, name) {
			return errs.Forbiddenf("%s shows the API specification %.100q, which you may not read. Ask a member of "+
				"the organization to put it there.", place, name)
		}
	}
	return nil
}
