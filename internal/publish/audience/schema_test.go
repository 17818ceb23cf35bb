package audience_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/publish/audience"
)

// wholeSchema has a claim of every kind.
const wholeSchema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
	"isBeta":{"type":"boolean","description":"Takes part in the beta"},
	"plan":{"type":"string","enum":["free","pro \"plus\""],"description":"Plan"},
	"name":{"type":"string","description":"Name"},
	"seats":{"type":"number","description":"Seats"},
	"roles":{"type":"array","description":"Roles","items":{"type":"string","enum":["admin","author"],"description":"Role"}},
	"org":{"type":"object","description":"Organization","properties":{
		"isPartner":{"type":"boolean","description":""},
		"odd-name":{"type":"boolean","description":""}},"additionalProperties":false},
	"unsigned":{"type":"object","description":"Unsigned claims of the site visitor.","properties":{
		"language":{"type":"string","enum":["en","de"],"description":"Language"},
		"size":{"type":"number","description":""},
		"isDark":{"type":"boolean","description":""},
		"tags":{"type":"array","description":"","items":{"type":"string","description":""}},
		"shop":{"type":"object","description":"","properties":{"isOpen":{"type":"boolean","description":""}},"additionalProperties":false}
	},"additionalProperties":false}},"additionalProperties":false}`

func schema(t testing.TB, text string) *audience.Schema {
	t.Helper()
	s, err := audience.ParseSchema([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchemaIsReadBackAsItIs(t *testing.T) {
	var before, after any
	if err := json.Unmarshal([]byte(wholeSchema), &before); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(schema(t, wholeSchema).JSON, &after); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestSchemaRefusesWithThePath(t *testing.T) {
	claim := func(text string) string {
		return `{"type":"object","properties":{"a":` + text + `},"additionalProperties":false}`
	}
	deep := strings.Repeat(`{"type":"object","description":"","additionalProperties":false,"properties":{"a":`, 9) +
		`{"type":"boolean"}` + strings.Repeat(`}}`, 9)
	for text, path := range map[string]string{
		`[]`:                "jsonSchema",
		`{`:                 "jsonSchema",
		`{"type":"string"}`: "jsonSchema.type",
		`{"type":"object"}`: "jsonSchema.additionalProperties",
		`{"type":"object","additionalProperties":true,"properties":{}}`:                                                           "jsonSchema.additionalProperties",
		`{"type":"object","additionalProperties":false}`:                                                                          "jsonSchema.properties",
		`{"type":"object","additionalProperties":false,"properties":[]}`:                                                          "jsonSchema.properties",
		`{"type":"object","additionalProperties":false,"properties":{},"required":["a"]}`:                                         "jsonSchema.required",
		`{"type":"object","additionalProperties":false,"properties":{},"$schema":"https://json-schema.org/draft/2020-12/schema"}`: "jsonSchema.$schema",
		`{"type":"object","additionalProperties":false,"properties":{},"definitions":{}}`:                                         "jsonSchema.definitions",
		claim(`true`):                                 "jsonSchema.properties.a",
		claim(`{}`):                                   "jsonSchema.properties.a.type",
		claim(`{"type":["boolean"]}`):                 "jsonSchema.properties.a.type",
		claim(`{"type":"null"}`):                      "jsonSchema.properties.a.type",
		claim(`{"type":"integer"}`):                   "jsonSchema.properties.a.type",
		claim(`{"$ref":"#"}`):                         "jsonSchema.properties.a.type",
		claim(`{"type":"boolean","$ref":"#"}`):        "jsonSchema.properties.a.$ref",
		claim(`{"type":"boolean","default":true}`):    "jsonSchema.properties.a.default",
		claim(`{"type":"boolean","description":1}`):   "jsonSchema.properties.a.description",
		claim(`{"type":"string","pattern":"(a+)+$"}`): "jsonSchema.properties.a.pattern",
		claim(`{"type":"string","enum":[]}`):          "jsonSchema.properties.a.enum",
		claim(`{"type":"string","enum":["x",1]}`):     "jsonSchema.properties.a.enum.1",
		claim(`{"type":"string","enum":["x","x"]}`):   "jsonSchema.properties.a.enum.1",
		claim(`{"type":"number","minimum":1}`):        "jsonSchema.properties.a.minimum",
		claim(`{"type":"array"}`):                     "jsonSchema.properties.a.items",
		claim(
			`{"type":"array","items":{"type":"array","items":{"type":"string"}}}`): "jsonSchema.properties.a.items.type",
		claim(
			`{"type":"object","properties":{}}`): "jsonSchema.properties.a.additionalProperties",
		claim(deep): "jsonSchema" + strings.Repeat(".properties.a", 8),
		`{"type":"object","additionalProperties":false,"properties":{"constructor":{"type":"boolean"}}}`:                                                                             "jsonSchema.properties.constructor",
		`{"type":"object","additionalProperties":false,"properties":{"":{"type":"boolean"}}}`:                                                                                        "jsonSchema.properties.",
		`{"type":"object","additionalProperties":false,"properties":{"unsigned":{"type":"boolean"}}}`:                                                                                "jsonSchema.properties.unsigned.type",
		`{"type":"object","additionalProperties":false,"properties":{"unsigned":{"type":"object","description":"Mine","properties":{},"additionalProperties":false}}}`:               "jsonSchema.properties.unsigned.description",
		`{"type":"object","additionalProperties":false,"properties":{"unsigned":{"type":"object","properties":{"a":{"type":"boolean","const":true}},"additionalProperties":false}}}`: "jsonSchema.properties.unsigned.properties.a.const",
		`{"type":"object","additionalProperties":false,"properties":{"a":{"type":"boolean","description":"` +
			strings.Repeat("x", 64<<10) + `"}}}`: "jsonSchema",
	} {
		_, err := audience.ParseSchema([]byte(text))
		if !errs.Is(err, errs.Invalid) {
			t.Errorf("%.120s: %v", text, err)
			continue
		}
		if got, _, _ := strings.Cut(err.Error(), ": "); got != path {
			t.Errorf("%.120s: path %s, want %s (%v)", text, got, path, err)
		}
	}
}

func TestTemplateConditions(t *testing.T) {
	want := []string{
		`visitor.claims.isBeta === true`,
		`visitor.claims.org.isPartner === true`, `visitor.claims.org["odd-name"] === true`,
		`visitor.claims.plan === "free"`, `visitor.claims.plan === "pro \"plus\""`,
		`visitor.claims.roles.includes("admin")`, `visitor.claims.roles.includes("author")`,
		`visitor.claims.unsigned.isDark === true`, `visitor.claims.unsigned.language === "en"`,
		`visitor.claims.unsigned.language === "de"`,
		`visitor.claims.unsigned.shop.isOpen === true`,
	}
	made := schema(t, wholeSchema)
	var got []string
	nobody := map[string]any{"visitor": map[string]any{"claims": made.Visitor(audience.Token{}, nil)}}
	for _, each := range made.TemplateConditions() {
		got = append(got, each.Condition)
		if each.Description == "" {
			t.Errorf("%s has no description", each.Condition)
		}
		if _, err := expr.ParseCondition(each.Condition); err != nil {
			t.Errorf("%s: %v", each.Condition, err)
		}
		if expr.Boolean(t.Context(), each.Condition, nobody) {
			t.Errorf("%s holds for nobody", each.Condition)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	member := map[string]any{"visitor": map[string]any{"claims": made.Visitor(audience.Token{Claims: map[string]any{
		"plan": `pro "plus"`, "roles": []any{"author"}, "org": map[string]any{"odd-name": true},
	}}, map[string]any{"language": "de"})}}
	for condition, holds := range map[string]bool{want[2]: true, want[1]: false, want[4]: true, want[3]: false,
		want[6]: true, want[5]: false, want[9]: true} {
		if expr.Boolean(t.Context(), condition, member) != holds {
			t.Errorf("%s: want %v", condition, holds)
		}
	}
}
