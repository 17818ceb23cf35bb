package api

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

//go:embed docs/page.html docs/page.css docs/page.js
var docsFiles embed.FS

// mountDocs serves the OpenAPI document and its page for people. They describe the operations and are none themselves.
func (a *API) mountDocs() {
	document := sync.OnceValues(func() ([]byte, error) { return newDocument(a.Deps).openAPI.MarshalJSON() })
	page := sync.OnceValues(func() ([]byte, error) { return newDocument(a.Deps).page() })
	file := func(name string) func() ([]byte, error) {
		return func() ([]byte, error) { return docsFiles.ReadFile("docs/" + name) }
	}

	a.mux.HandleFunc("GET /v1/openapi.json", a.static("application/json", document))
	a.mux.HandleFunc("GET /v1/docs", a.static("text/html; charset=utf-8", page))
	a.mux.HandleFunc("GET /v1/docs.css", a.static("text/css; charset=utf-8", file("page.css")))
	a.mux.HandleFunc("GET /v1/docs.js", a.static("text/javascript; charset=utf-8", file("page.js")))
	if a.Font != nil {
		a.mux.HandleFunc("GET /v1/docs.woff2", a.static("font/woff2", func() ([]byte, error) { return a.Font, nil }))
	}
}

// docsPolicy is the Content-Security-Policy of the page for people.
const docsPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; base-uri 'none'; " +
	"form-action 'none'; frame-ancestors 'none'"

// static serves bytes that stay the same while the process lives.
func (a *API) static(contentType string, read func() ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := read()
		if err != nil {
			failure.Log(r.Context(), a.Log, "docs", err)
			failure.Write(w, failure.New(http.StatusInternalServerError, failure.InternalMessage))
			return
		}
		header := w.Header()
		header.Set("Content-Type", contentType)
		header.Set("Cache-Control", "no-cache")
		httpx.SecurityHeaders{ContentSecurityPolicy: docsPolicy}.Set(header)
		if httpx.NotModified(w, r, httpx.ETag(string(raw))) {
			return
		}
		_, _ = w.Write(raw) // the client went away: nobody is left to tell
	}
}

// docsGroup is one resource on the page for people.
type docsGroup struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary, Description string
	// Short is the method in the list, where there is little room.
	Short string
	// Command is a call with curl.
	Command      string
	Scope        string
	Public       bool
	Parameters   []docsField
	Body         []docsField
	Answer       string
	AnswerSchema string
	Statuses     []string
}

type docsField struct {
	Name, In, Type, Doc string
	Required            bool
}

// page renders the page for people from the same table and document that drive the server.
func (d *document) page() ([]byte, error) {
	tmpl, err := template.ParseFS(docsFiles, "docs/page.html")
	if err != nil {
		return nil, fmt.Errorf("parse the docs template: %w", err)
	}
	var groups []docsGroup
	for _, op := range d.table {
		tag := op.Tags[0]
		at := slices.IndexFunc(groups, func(g docsGroup) bool { return g.Name == tag })
		if at < 0 {
			groups = append(groups, docsGroup{Name: tag})
			at = len(groups) - 1
		}
		groups[at].Operations = append(groups[at].Operations, d.docsOperation(op))
	}
	var out bytes.Buffer
	err = tmpl.Execute(&out, struct {
		BaseURL, Version string
		Description      []string // paragraphs
		Groups           []docsGroup
	}{d.baseURL, d.version, strings.Split(description, "\n\n"), groups})
	if err != nil {
		return nil, fmt.Errorf("render the docs page: %w", err)
	}
	return out.Bytes(), nil
}

func (d *document) docsOperation(op operation.Operation) docsOperation {
	out := docsOperation{
		ID: op.OperationID, Method: op.Method, Path: op.Path, Summary: op.Summary, Description: op.Description,
		Short: op.Method, Command: d.command(op), Scope: op.Scope, Public: op.Audience == operation.Public,
	}
	if op.Method == http.MethodDelete {
		out.Short = "DEL"
	}
	for _, parameter := range op.Parameters {
		out.Parameters = append(out.Parameters, docsField{
			Name: parameter.Name, In: parameter.In, Type: d.typeOf(parameter.Schema), Doc: parameter.Description,
			Required: parameter.Required,
		})
	}
	if op.RequestBody != nil {
		if media := op.RequestBody.Content["application/json"]; media != nil {
			schema := d.resolved(media.Schema)
			for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
				property := schema.Properties[name]
				out.Body = append(out.Body, docsField{
					Name: name, Type: d.typeOf(property), Doc: property.Description,
					Required: slices.Contains(schema.Required, name),
				})
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(op.Responses)) {
		out.Statuses = append(out.Statuses, code)
		if strings.HasPrefix(code, "2") {
			out.Answer = code + " " + op.Responses[code].Description
			if media := op.Responses[code].Content["application/json"]; media != nil {
				if raw, err := json.MarshalIndent(d.example(media.Schema, 0), "", "  "); err == nil {
					out.AnswerSchema = string(raw)
				}
			}
		}
	}
	return out
}

// command returns a call of an operation with curl, with the fields of its body that have to be there.
func (d *document) command(op operation.Operation) string {
	var command strings.Builder
	command.WriteString("curl")
	if op.Method != http.MethodGet {
		command.WriteString(" -X " + op.Method)
	}
	if op.Audience != operation.Public {
		command.WriteString(` -H "Authorization: Bearer $RECTO_TOKEN"`)
	}
	command.WriteString(" \\\n")
	if op.RequestBody != nil {
		if media := op.RequestBody.Content["application/json"]; media != nil {
			schema := d.resolved(media.Schema)
			fields := map[string]any{}
			for _, name := range schema.Required {
				fields[name] = placeholder(d.resolved(schema.Properties[name]))
			}
			// A map of placeholders is always written, and in the order of its names.
			body, _ := json.Marshal(fields)
			command.WriteString("  --json '" + string(body) + "' \\\n")
		}
	}
	command.WriteString("  '" + d.baseURL + op.Path + "'")
	return command.String()
}

// placeholder is a value of the kind that a schema asks for.
func placeholder(schema *huma.Schema) any {
	switch {
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case schema.Type == "boolean":
		return true
	case schema.Type == "integer", schema.Type == "number":
		return 1
	case schema.Type == "array":
		return []any{}
	case schema.Type == "object":
		return map[string]any{}
	}
	return "…"
}

// resolved follows a reference to the schema it names.
func (d *document) resolved(schema *huma.Schema) *huma.Schema {
	if schema.Ref == "" {
		return schema
	}
	return d.openAPI.Components.Schemas.SchemaFromRef(schema.Ref)
}

// typeOf says in a few words what a schema accepts.
func (d *document) typeOf(schema *huma.Schema) string {
	if schema == nil {
		return ""
	}
	if name, ok := strings.CutPrefix(schema.Ref, "#/components/schemas/"); ok {
		return name
	}
	if len(schema.Enum) > 0 {
		words := make([]string, 0, len(schema.Enum))
		for _, value := range schema.Enum {
			words = append(words, fmt.Sprint(value))
		}
		return strings.Join(words, " | ")
	}
	text := schema.Type
	if schema.Type == "array" {
		text = "array of " + d.typeOf(schema.Items)
	}
	if schema.MaxLength != nil {
		text += fmt.Sprintf(", at most %d characters", *schema.MaxLength)
	}
	if schema.Maximum != nil {
		text += fmt.Sprintf(", at most %v", *schema.Maximum)
	}
	if schema.Nullable {
		text += " or null"
	}
	return text
}

// example makes a value of the schema's shape, with type names for values.
func (d *document) example(schema *huma.Schema, depth int) any {
	if schema == nil || depth > 4 {
		return "…"
	}
	schema = d.resolved(schema)
	switch {
	case schema.Type == "array":
		return []any{d.example(schema.Items, depth+1)}
	case len(schema.Properties) > 0:
		object := map[string]any{}
		for name, property := range schema.Properties {
			object[name] = d.example(property, depth+1)
		}
		return object
	}
	return d.typeOf(schema)
}
