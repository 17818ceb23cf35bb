package audience

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

// Limits of a schema.
const (
	maxSchemaBytes = 64 << 10
	maxSchemaDepth = 8
	maxProperties  = 500
	maxClaimName   = 100
	maxDescription = 500
	maxEnum        = 200
	maxEnumText    = 256
)

// Words of the restricted schema.
const (
	draft07             = "http://json-schema.org/draft-07/schema#"
	unsignedName        = "unsigned"
	unsignedDescription = "Unsigned claims of the site visitor."
)

// Kind is what a claim is.
type Kind string

// Kinds of claims. A choice is a text that is one of a list.
const (
	KindBoolean Kind = "boolean"
	KindText    Kind = "string"
	KindChoice  Kind = "enum"
	KindNumber  Kind = "number"
	KindList    Kind = "array"
	KindObject  Kind = "object"
)

// Claim describes one claim, or for KindObject those in it.
type Claim struct {
	Name        string
	Kind        Kind
	Description string
	// Choices are the texts of a KindChoice.
	Choices []string
	// Element is what a KindList holds.
	Element *Claim
	// Claims are those in a KindObject, by name.
	Claims []Claim
}

// child returns the claim with a name in an object; nil when there is none.
func (c *Claim) child(name string) *Claim {
	i, ok := slices.BinarySearchFunc(c.Claims, name, func(each Claim, name string) int {
		return strings.Compare(each.Name, name)
	})
	if !ok {
		return nil
	}
	return &c.Claims[i]
}

// Schema is what a site may know of its visitors. It does not change.
type Schema struct {
	// JSON is the schema as its owner gets it back.
	JSON json.RawMessage
	// Signed are the claims of tokens, Unsigned those that visitors may make up.
	Signed, Unsigned Claim

	// The parts of the schema that a value is held against, by the name of the claim.
	signed, unsigned map[string]*jsonschema.Schema
}

// ParseSchema reads a JSON Schema of the accepted form: draft-07, objects of named claims that are booleans, texts,
// numbers, lists of these or such objects. Anything else is an errs.Invalid that names the path, such as
// "jsonSchema.properties.plan.pattern".
func ParseSchema(text []byte) (*Schema, error) {
	if len(text) > maxSchemaBytes {
		return nil, errs.Invalidf("jsonSchema", "has %d bytes; up to %d are accepted", len(text), maxSchemaBytes)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var raw any
	if err := decoder.Decode(&raw); err != nil {
		return nil, errs.Invalidf("jsonSchema", "is not JSON")
	}
	r := &schemaReader{}
	root, err := r.members("jsonSchema", raw, "$schema", "type", "description", "title", "properties",
		"additionalProperties")
	if err != nil {
		return nil, err
	}
	if draft, ok := root["$schema"]; ok && draft != draft07 && draft != strings.TrimSuffix(draft07, "#") {
		return nil, errs.Invalidf("jsonSchema.$schema", "has to be %s", draft07)
	}
	for _, name := range []string{"description", "title"} {
		if _, ok := root[name]; ok {
			return nil, errs.Invalidf("jsonSchema."+name, "is not accepted here; describe each claim")
		}
	}
	s := &Schema{}
	claims, err := r.object("jsonSchema", root, 1)
	if err != nil {
		return nil, err
	}
	for _, claim := range claims {
		if claim.Name == unsignedName {
			s.Unsigned = claim
		} else {
			s.Signed.Claims = append(s.Signed.Claims, claim)
		}
	}
	s.Signed.Kind, s.Unsigned.Kind = KindObject, KindObject
	if s.JSON, err = json.Marshal(root); err != nil {
		return nil, fmt.Errorf("encode the schema: %w", err)
	}
	return s, s.compile(root)
}

// schemaReader counts what a schema has.
type schemaReader struct{ properties int }

// members are those of a JSON object that may have only the given ones.
func (r *schemaReader) members(path string, value any, accepted ...string) (map[string]any, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errs.Invalidf(path, "has to be an object")
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(accepted, name) {
			return nil, errs.Invalidf(path+"."+clip(name), "is not accepted; only %s are", strings.Join(accepted, ", "))
		}
	}
	return object, nil
}

// object reads the claims of an object, by name. It sets what may be left out, so that all read it alike.
func (r *schemaReader) object(path string, object map[string]any, depth int) ([]Claim, error) {
	if object["type"] != "object" {
		return nil, errs.Invalidf(path+".type", `has to be "object"`)
	}
	if object["additionalProperties"] != false {
		return nil, errs.Invalidf(path+".additionalProperties",
			"has to be false: a claim that has no name here is not used")
	}
	if depth > maxSchemaDepth {
		return nil, errs.Invalidf(path, "is nested deeper than %d levels", maxSchemaDepth)
	}
	properties, ok := object["properties"].(map[string]any)
	if !ok {
		return nil, errs.Invalidf(path+".properties", "has to be an object with the claims")
	}
	claims := make([]Claim, 0, len(properties))
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		at := path + ".properties." + clip(name)
		if r.properties++; r.properties > maxProperties {
			return nil, errs.Invalidf(at, "is one claim too many; up to %d are accepted", maxProperties)
		}
		if err := checkName(at, name); err != nil {
			return nil, err
		}
		var claim Claim
		var err error
		if depth == 1 && name == unsignedName {
			claim, err = r.unsigned(at, properties[name])
		} else {
			claim, err = r.claim(at, properties[name], depth+1)
		}
		if err != nil {
			return nil, err
		}
		claim.Name = name
		claims = append(claims, claim)
	}
	return claims, nil
}

// checkName refuses names that no expression could ask for.
func checkName(path, name string) error {
	switch name {
	case "constructor", "prototype", "__proto__", "__defineGetter__":
		return errs.Invalidf(path, "is a name that expressions cannot read; choose another one")
	}
	if n := utf8.RuneCountInString(name); n < 1 || n > maxClaimName || !field.Storable(name) {
		return errs.Invalidf(path, "is not accepted as a name; 1 to %d characters are", maxClaimName)
	}
	return nil
}

func (r *schemaReader) unsigned(path string, value any) (Claim, error) {
	object, err := r.members(path, value, "type", "description", "properties", "additionalProperties")
	if err != nil {
		return Claim{}, err
	}
	if given, ok := object["description"]; ok && given != unsignedDescription {
		return Claim{}, errs.Invalidf(path+".description", "has to be %q", unsignedDescription)
	}
	object["description"] = unsignedDescription
	claims, err := r.object(path, object, 2)
	return Claim{Kind: KindObject, Description: unsignedDescription, Claims: claims}, err
}

// claim reads one claim.
func (r *schemaReader) claim(path string, value any, depth int) (Claim, error) {
	object, ok := value.(map[string]any)
	if !ok {
		return Claim{}, errs.Invalidf(path, "has to be an object with a type")
	}
	claim := Claim{}
	switch object["type"] {
	case "boolean", "number":
		claim.Kind = Kind(object["type"].(string))
		if _, err := r.members(path, object, "type", "description"); err != nil {
			return Claim{}, err
		}
	case "string":
		if _, err := r.members(path, object, "type", "description", "enum"); err != nil {
			return Claim{}, err
		}
		claim.Kind = KindText
		if choices, ok := object["enum"]; ok {
			claim.Kind = KindChoice
			var err error
			if claim.Choices, err = readChoices(path+".enum", choices); err != nil {
				return Claim{}, err
			}
		}
	case "array":
		if _, err := r.members(path, object, "type", "description", "items"); err != nil {
			return Claim{}, err
		}
		element, err := r.claim(path+".items", object["items"], depth+1)
		if err != nil {
			return Claim{}, err
		}
		if element.Kind == KindList || element.Kind == KindObject {
			return Claim{}, errs.Invalidf(path+".items.type", "has to be boolean, string or number")
		}
		claim.Kind, claim.Element = KindList, &element
	case "object":
		if _, err := r.members(path, object, "type", "description", "properties", "additionalProperties"); err != nil {
			return Claim{}, err
		}
		claims, err := r.object(path, object, depth)
		if err != nil {
			return Claim{}, err
		}
		claim.Kind, claim.Claims = KindObject, claims
	default:
		return Claim{}, errs.Invalidf(path+".type", "has to be boolean, string, number, array or object")
	}
	description, ok := object["description"]
	if !ok {
		description, object["description"] = "", ""
	}
	if claim.Description, ok = description.(string); !ok ||
		utf8.RuneCountInString(claim.Description) > maxDescription || !field.Storable(claim.Description) {
		return Claim{}, errs.Invalidf(path+".description", "has to be a text of up to %d characters", maxDescription)
	}
	return claim, nil
}

func readChoices(path string, value any) ([]string, error) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 || len(list) > maxEnum {
		return nil, errs.Invalidf(path, "has to be a list of 1 to %d texts", maxEnum)
	}
	choices := make([]string, 0, len(list))
	for i, each := range list {
		text, ok := each.(string)
		if !ok || utf8.RuneCountInString(text) > maxEnumText || !field.Storable(text) {
			return nil, errs.Invalidf(path+"."+strconv.Itoa(i), "has to be a text of up to %d characters", maxEnumText)
		}
		if slices.Contains(choices, text) {
			return nil, errs.Invalidf(path+"."+strconv.Itoa(i), "is there twice")
		}
		choices = append(choices, text)
	}
	return choices, nil
}

func clip(s string) string {
	if utf8.RuneCountInString(s) > 60 {
		return string([]rune(s)[:60]) + "…"
	}
	return s
}

// compile prepares the schema for holding claims against it, each by itself: one that is wrong takes no other with it.
func (s *Schema) compile(root map[string]any) error {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	const name = "urn:recto:claims"
	if err := compiler.AddResource(name, root); err != nil {
		return fmt.Errorf("take in the schema: %w", err)
	}
	compile := func(claims []Claim, at string) (map[string]*jsonschema.Schema, error) {
		compiled := make(map[string]*jsonschema.Schema, len(claims))
		for _, claim := range claims {
			schema, err := compiler.Compile(name + "#" + at + "/properties/" + pointerEscape(claim.Name))
			if err != nil {
				return nil, fmt.Errorf("compile the schema of a claim: %w", err)
			}
			compiled[claim.Name] = schema
		}
		return compiled, nil
	}
	var err error
	if s.signed, err = compile(s.Signed.Claims, ""); err != nil {
		return err
	}
	s.unsigned, err = compile(s.Unsigned.Claims, "/properties/"+unsignedName)
	return err
}

// pointerEscape writes a name as a segment of a JSON pointer in a URI fragment.
func pointerEscape(name string) string {
	name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' ||
			c == '~' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
