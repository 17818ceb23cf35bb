package api

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/strict"
	"github.com/rectodocs/recto/internal/serve/api/failure"
)

// This file refuses what an operation does not know: a parameter of the query, a field of the body. Passed over,
// "visiblity" would make a site public and "author" would return what everybody wrote (ADR 42).

// noBody is how much is read of a body that an operation does not take: enough to see that it says nothing.
const noBody = 1 << 10

// mostUnknown is how many unknown names one answer tells.
const mostUnknown = 10

// parameterAdvice says which parameter was meant. Lists have one spelling, name=a&name=b: that of the family's clients.
func parameterAdvice(name string, known []string, repeats map[string]bool) string {
	if list, _, found := strings.Cut(name, "["); found && slices.Contains(known, list) {
		if repeats[list] {
			return "a list is sent by repeating the name: " + list + "=one&" + list + "=two"
		}
		return "is sent as " + list + ", without brackets"
	}
	return strict.Advice(name, known)
}

// unknownFields goes through a body beside the schemas that it may follow.
type unknownFields struct {
	binding  *inputBinding
	problems *huma.ValidateResult
	told     int
}

func (u *unknownFields) walk(schemas []*huma.Schema, value any, path string) {
	switch value := value.(type) {
	case []any:
		var items []*huma.Schema
		for _, schema := range u.forms(schemas) {
			if schema.Items != nil {
				items = append(items, schema.Items)
			}
		}
		for i, item := range value {
			u.walk(items, item, path+"["+strconv.Itoa(i)+"]")
		}
	case map[string]any:
		u.walkObject(schemas, value, path)
	}
}

func (u *unknownFields) walkObject(schemas []*huma.Schema, value map[string]any, path string) {
	known := map[string][]*huma.Schema{}
	var others []*huma.Schema // of members by any name
	free, object := false, false
	for _, schema := range u.forms(schemas) {
		if schema.Type != huma.TypeObject {
			free = free || schema.Type == ""
			continue
		}
		object = true
		for name, member := range schema.Properties {
			known[name] = append(known[name], member)
		}
		switch more := schema.AdditionalProperties.(type) {
		case *huma.Schema:
			free, others = true, append(others, more)
		case bool:
			// Structs say true as well, so that documents of answers leave room; a map is what has no fields of its
			// own.
			free = free || more && len(schema.Properties) == 0
		}
	}
	for _, name := range slices.Sorted(maps.Keys(value)) {
		place := path + "." + failure.Shorten(name)
		members, ok := known[name]
		switch {
		case u.binding.ignored[path+"."+name]:
			delete(value, name)
		case ok:
			u.walk(members, value[name], place)
		case free:
			u.walk(others, value[name], place)
		case object:
			delete(value, name)
			u.tell(place, strict.Advice(name, slices.Sorted(maps.Keys(known))))
		}
	}
}

func (u *unknownFields) tell(place, message string) {
	if u.told++; u.told <= mostUnknown {
		u.problems.Errors = append(u.problems.Errors, &huma.ErrorDetail{Location: place, Message: message})
	}
}

// forms resolves references and unions: the schemas one of which a value follows.
func (u *unknownFields) forms(schemas []*huma.Schema) []*huma.Schema {
	var forms []*huma.Schema
	for _, schema := range schemas {
		for schema != nil && schema.Ref != "" {
			schema = u.binding.registry.SchemaFromRef(schema.Ref)
		}
		if schema == nil {
			continue
		}
		parts := slices.Concat(schema.OneOf, schema.AnyOf, schema.AllOf)
		forms = append(forms, u.forms(parts)...)
		if len(parts) == 0 || schema.Type != "" {
			forms = append(forms, schema)
		}
	}
	return forms
}
