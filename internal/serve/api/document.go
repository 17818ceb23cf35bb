package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// finishDocument brings the OpenAPI document into its last form. Objects of requests take no other fields. Objects that
// answers hold as well stay open in it, because answers may get fields that a client does not know yet.
func finishDocument(document *huma.OpenAPI) {
	answers, requests := reached{}, reached{}
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op == nil {
				continue
			}
			for _, response := range op.Responses {
				for _, media := range response.Content {
					answers.add(document.Components.Schemas, media.Schema)
				}
			}
			if op.RequestBody == nil {
				continue
			}
			for _, media := range op.RequestBody.Content {
				requests.add(document.Components.Schemas, media.Schema)
			}
		}
	}
	for schema := range documented(document) {
		// huma's own word for what a pattern means; clients read the description.
		if schema.PatternDescription != "" && schema.Description == "" {
			schema.Description = "It has to be " + schema.PatternDescription + "."
		}
		schema.PatternDescription = ""
	}
	for schema := range requests {
		if open, ok := schema.AdditionalProperties.(bool); ok && open && len(schema.Properties) > 0 &&
			!answers[schema] {
			schema.AdditionalProperties = false
		}
	}
}

// documented are all schemas of a document: of components, parameters, bodies and answers.
func documented(document *huma.OpenAPI) reached {
	registry, all := document.Components.Schemas, reached{}
	for _, schema := range registry.Map() {
		all.add(registry, schema)
	}
	for _, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch} {
			if op == nil {
				continue
			}
			for _, parameter := range op.Parameters {
				all.add(registry, parameter.Schema)
			}
			if op.RequestBody != nil {
				for _, media := range op.RequestBody.Content {
					all.add(registry, media.Schema)
				}
			}
		}
	}
	return all
}

// reached are all schemas that lead from some.
type reached map[*huma.Schema]bool

func (r reached) add(registry huma.Registry, schema *huma.Schema) {
	if schema == nil || r[schema] {
		return
	}
	r[schema] = true
	if strings.HasPrefix(schema.Ref, "#/") {
		r.add(registry, registry.SchemaFromRef(schema.Ref))
	}
	for _, parts := range [][]*huma.Schema{schema.OneOf, schema.AnyOf, schema.AllOf, {schema.Items, schema.Not}} {
		for _, part := range parts {
			r.add(registry, part)
		}
	}
	for _, property := range schema.Properties {
		r.add(registry, property)
	}
	if more, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		r.add(registry, more)
	}
}
