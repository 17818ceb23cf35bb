package api

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// walkJSON calls visit for every object, with its place.
func walkJSON(value any, place string, visit func(object map[string]any, place string)) {
	switch value := value.(type) {
	case map[string]any:
		visit(value, place)
		for name, member := range value {
			walkJSON(member, place+"/"+name, visit)
		}
	case []any:
		for _, item := range value {
			walkJSON(item, place, visit)
		}
	}
}

// TestTheDocumentIsWhatClientsAreMadeFrom holds what no validator of OpenAPI looks at. The validators run with the
// tests of the client.
func TestTheDocumentIsWhatClientsAreMadeFrom(t *testing.T) {
	raw, err := Describe("http://127.0.0.1", "test")
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	schemas := document["components"].(map[string]any)["schemas"].(map[string]any)
	telling := regexp.MustCompile(`^[A-Z][a-zA-Z]*$`)
	for name := range schemas {
		if !telling.MatchString(name) || strings.HasSuffix(name, "Struct") {
			t.Errorf("the schema %q has no telling name", name)
		}
	}
	used := map[string]bool{}
	walkJSON(document, "", func(object map[string]any, place string) {
		if reference, ok := object["$ref"].(string); ok {
			name, local := strings.CutPrefix(reference, "#/components/schemas/")
			if !local || schemas[name] == nil {
				t.Errorf("%s: %s leads nowhere", place, reference)
			}
			used[name] = true
		}
		if _, ok := object["patternDescription"].(string); ok {
			t.Errorf("%s has a word that OpenAPI does not know", place)
		}
		if types, ok := object["type"].([]any); ok {
			for _, each := range types {
				if each == "" {
					t.Errorf("%s has a type without a name", place)
				}
			}
		}
	})
	for name := range schemas {
		if !used[name] {
			t.Errorf("the schema %s is used nowhere", name)
		}
	}
	ids := map[string]bool{}
	for pattern, item := range document["paths"].(map[string]any) {
		inPath := map[string]bool{}
		for _, found := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(pattern, -1) {
			inPath[found[1]] = true
		}
		for method, each := range item.(map[string]any) {
			described := each.(map[string]any)
			id := described["operationId"].(string)
			if ids[id] || !regexp.MustCompile(`^[a-z][A-Za-z0-9]+$`).MatchString(id) {
				t.Errorf("%s %s: the id %s is taken or no name", method, pattern, id)
			}
			ids[id] = true
			named, parameters := map[string]bool{}, map[string]bool{}
			list, _ := described["parameters"].([]any)
			for _, parameter := range list {
				of := parameter.(map[string]any)
				key := of["in"].(string) + " " + of["name"].(string)
				if parameters[key] {
					t.Errorf("%s has the parameter %s twice", id, key)
				}
				parameters[key] = true
				if of["in"] == "path" {
					named[of["name"].(string)] = true
				}
			}
			for name := range inPath {
				if !named[name] {
					t.Errorf("%s does not describe {%s}", id, name)
				}
			}
			if len(named) != len(inPath) {
				t.Errorf("%s describes parameters that its path has not: %v", id, named)
			}
		}
	}
	if len(ids) < 290 {
		t.Errorf("only %d operations", len(ids))
	}
}

// TestRequestsKeepTheirSchemasAlone holds that the schemas of answers, which are most of them, are not kept, and that
// none is missing to hold a request against.
func TestRequestsKeepTheirSchemasAlone(t *testing.T) {
	all := len(newDocument(Deps{}).openAPI.Components.Schemas.Map())
	bindings := newDocument(Deps{}).requestBindings()
	if len(bindings) == 0 {
		t.Fatal("there are no operations")
	}
	kept := bindings[0].in.registry.Map()
	if len(kept) == 0 || len(kept) > all/2 {
		t.Errorf("%d of %d schemas are kept", len(kept), all)
	}
	reachable := reached{}
	for _, bound := range bindings {
		reachable.add(bound.in.registry, bound.in.schema)
		for _, parameter := range bound.in.parameters {
			reachable.add(bound.in.registry, parameter.schema)
		}
	}
	for schema := range reachable {
		if schema.Ref != "" && bindings[0].in.registry.SchemaFromRef(schema.Ref) == nil {
			t.Errorf("%s is missing", schema.Ref)
		}
	}
}
