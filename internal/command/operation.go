// Package command owns the part of the command line that is made of the API's operations: a command for each, with its
// arguments, flags and help, and what a terminal shows of the answer.
//
// It knows the API by its OpenAPI document alone. Names follow one rule, which Name documents, and a small table of
// what reads badly by it. Nothing here is written by hand for one operation.
package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Operation is one operation of the API as its document describes it.
type Operation struct {
	ID, Method, Path     string
	Summary, Description string
	// Arguments are the parameters of the path in its order, the organization excepted.
	Arguments []string
	// Query are the parameters that become flags.
	Query []Field
	// Body are the fields of a JSON body that a flag can carry; those with more inside are given by --body.
	Body []Field
	// Media is the type of the body, empty without one.
	Media string
	// Organization tells that the path names an organization.
	Organization bool
	// Paged tells that the answer is one page of a list.
	Paged bool
	// List tells that the answer is a list.
	List bool
}

// Field is a parameter or a field of a body.
type Field struct {
	Name, Help string
	// Type is string, boolean, integer, number or array, the last one of text.
	Type     string
	Enum     []string
	Nullable bool
	Required bool
}

// schema is what of a JSON Schema a command line needs.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        any                `json:"type"`
	Description string             `json:"description"`
	Enum        []any              `json:"enum"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	AnyOf       []*schema          `json:"anyOf"`
	OneOf       []*schema          `json:"oneOf"`
}

type media map[string]struct {
	Schema *schema `json:"schema"`
}

type wireOperation struct {
	ID          string `json:"operationId"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
	Parameters  []struct {
		Name        string  `json:"name"`
		In          string  `json:"in"`
		Description string  `json:"description"`
		Required    bool    `json:"required"`
		Schema      *schema `json:"schema"`
	} `json:"parameters"`
	Body struct {
		Content media `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content media `json:"content"`
	} `json:"responses"`
}

type document struct {
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

// Operations reads an OpenAPI document and returns its operations in the order of their paths.
func Operations(raw []byte) ([]Operation, error) {
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	var operations []Operation
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete} {
			found, ok := d.Paths[path][strings.ToLower(method)]
			if !ok {
				continue
			}
			var wire wireOperation
			if err := json.Unmarshal(found, &wire); err != nil {
				return nil, fmt.Errorf("read the operation %s %s: %w", method, path, err)
			}
			operations = append(operations, d.operation(method, path, wire))
		}
	}
	return operations, nil
}

func (d *document) operation(method, path string, wire wireOperation) Operation {
	op := Operation{ID: wire.ID, Method: method, Path: path, Summary: wire.Summary, Description: wire.Description}
	for segment := range strings.SplitSeq(path, "/") {
		switch name := strings.Trim(segment, "{}"); {
		case name == segment:
		case name == organizationParameter:
			op.Organization = true
		default:
			op.Arguments = append(op.Arguments, name)
		}
	}
	pages := 0
	for _, parameter := range wire.Parameters {
		if parameter.In != "query" {
			continue
		}
		if parameter.Name == "page" || parameter.Name == "limit" {
			pages++
		}
		field, ok := d.field(parameter.Name, parameter.Schema)
		if ok {
			field.Help, field.Required = firstOf(parameter.Description, field.Help), parameter.Required
			op.Query = append(op.Query, field)
		}
	}
	if op.Paged = pages == 2 && method == http.MethodGet; op.Paged {
		op.Query = slices.DeleteFunc(op.Query, func(f Field) bool { return f.Name == "page" || f.Name == "limit" })
	}
	for _, kind := range []string{"application/json", "multipart/form-data", "application/octet-stream"} {
		if content, ok := wire.Body.Content[kind]; ok {
			op.Media = kind
			if kind == "application/json" {
				op.Body = d.fields(content.Schema)
			}
			break
		}
	}
	if answer := d.resolve(wire.Responses["200"].Content["application/json"].Schema); answer != nil {
		_, items := answer.Properties["items"]
		op.List = items && method == http.MethodGet || op.Paged
	}
	return op
}

// fields returns the fields of a body that flags can carry, by name.
func (d *document) fields(of *schema) []Field {
	var fields []Field
	of = d.resolve(of)
	if of == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		if field, ok := d.field(name, of.Properties[name]); ok {
			field.Required = slices.Contains(of.Required, name)
			fields = append(fields, field)
		}
	}
	return fields
}

// field reads one value, and reports whether a flag can carry it.
func (d *document) field(name string, of *schema) (Field, bool) {
	out := Field{Name: name}
	if of == nil {
		return out, false
	}
	out.Help = of.Description
	of = d.resolve(of)
	out.Help = firstOf(out.Help, of.Description)
	var types []string
	switch kind := of.Type.(type) {
	case string:
		types = []string{kind}
	case []any:
		for _, each := range kind {
			if text, ok := each.(string); ok && text == "null" {
				out.Nullable = true
			} else {
				types = append(types, text)
			}
		}
	}
	if len(types) != 1 || types[0] == "object" {
		return out, false
	}
	out.Type = types[0]
	values := of.Enum
	if out.Type == "array" {
		items := d.resolve(of.Items)
		if items == nil || items.Type != "string" {
			return out, false
		}
		values = items.Enum
	}
	for _, value := range values {
		if text, ok := value.(string); ok {
			out.Enum = append(out.Enum, text)
		}
	}
	return out, true
}

// resolve follows references, a bounded number of them.
func (d *document) resolve(of *schema) *schema {
	for range 8 {
		if of == nil || of.Ref == "" {
			return of
		}
		of = d.Components.Schemas[of.Ref[strings.LastIndexByte(of.Ref, '/')+1:]]
	}
	return of
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
