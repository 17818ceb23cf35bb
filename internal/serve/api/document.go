package api

import (
	"cmp"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// document describes the operations: for programs as the OpenAPI document, for people as a page, and for the server as
// the bindings. It holds some megabytes, so it is made when somebody asks for one of them, and not kept.
type document struct {
	openAPI *huma.OpenAPI
	// table has the rows of operations with all that the document says of them.
	table    []operation.Operation
	bindings []binding // of the rows, in their order
	baseURL  string
	version  string
}

// binding is what reads the requests of an operation and makes its answers.
type binding struct {
	in  *inputBinding
	out *outputBinding
}

// newDocument describes all operations. It panics on a type that makes no request or no response, which is a defect in
// the table.
func newDocument(deps Deps) *document {
	// What describes operations serves none of them, so the router and the handlers are empty.
	frame := humago.New(http.NewServeMux(), settings(deps))
	d := &document{openAPI: frame.OpenAPI(), table: handlers{}.operations(), baseURL: deps.BaseURL,
		version: deps.Version}
	for i := range d.table {
		d.bindings = append(d.bindings, d.add(&d.table[i]))
	}
	finishDocument(d.openAPI)
	return d
}

// add documents one operation.
func (d *document) add(op *operation.Operation) binding {
	d.addAnswers(op)
	registry := d.openAPI.Components.Schemas
	bound := binding{in: bindInput(&op.Operation, registry, op.In)}
	bound.in.ignored = ignore(op)
	bound.out = bindOutput(&op.Operation, registry, op.Out)
	documentErrors(&op.Operation, registry)
	if op.Streams != nil {
		op.RequestBody = op.Streams
	}
	d.openAPI.AddOperation(&op.Operation)
	return bound
}

// addAnswers describes answers that huma cannot see in a handler's types: of work that goes on in the background, and
// of operations that write ready-made bytes.
func (d *document) addAnswers(op *operation.Operation) {
	registry := d.openAPI.Components.Schemas
	if op.Accepts != nil {
		schema := registry.Schema(op.Accepts, true, op.OperationID+"Accepted")
		op.Responses = map[string]*huma.Response{
			"202": {Description: "Accepted: the work goes on in the background.",
				Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}},
		}
	}
	if op.Creates != nil {
		schema := registry.Schema(op.Creates, true, op.OperationID+"Created")
		op.Responses = map[string]*huma.Response{
			"201": {Description: "Created: Location has its address.",
				Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}},
		}
	}
	if op.Answers == nil {
		return
	}
	schema := registry.Schema(op.Answers, true, op.OperationID+"Response")
	op.Responses = map[string]*huma.Response{
		"200": {Description: "OK",
			Content: map[string]*huma.MediaType{cmp.Or(op.AnswersAs, "application/json"): {Schema: schema}}},
		"304": {Description: "Not Modified: the revision that If-None-Match names is still the current one."},
	}
}

// bindings returns those of the table's rows, in its order. They are made for the first request, because their schemas
// are half of what a server holds that nobody has asked anything. They are the same for every API of a process, and
// making them takes longer than starting all the rest of it.
var bindings = sync.OnceValue(func() []binding { return newDocument(Deps{}).requestBindings() })

// requestBindings returns the bindings and takes from their registry what no request is held against: they keep it,
// and most schemas are of answers. The document is of no more use then.
func (d *document) requestBindings() []binding {
	registry, requests := d.openAPI.Components.Schemas, reached{}
	for _, bound := range d.bindings {
		requests.add(registry, bound.in.schema)
		for _, parameter := range bound.in.parameters {
			requests.add(registry, parameter.schema)
		}
	}
	maps.DeleteFunc(registry.Map(), func(_ string, schema *huma.Schema) bool { return !requests[schema] })
	return d.bindings
}

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
