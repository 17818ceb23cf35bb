package oas

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Schema says what a value may be, ready to be shown: references are followed, allOf is put together, and cycles and
// what is too deep or too much are cut.
type Schema struct {
	// Name is that of the model, "" for a schema without one.
	Name  string
	Title string
	// Types are JSON types without null; none means anything.
	Types  []string
	Format string
	// Description is Markdown.
	Description             string
	Nullable, Deprecated    bool
	ReadOnly, WriteOnly     bool
	Properties              []Property
	Items                   *Schema
	Additional              *Schema // of other properties; nil when nothing is said
	OneOf, AnyOf            []*Schema
	Not                     *Schema
	Enum                    []*Node // at most maxEnum
	MoreEnum                int     // values that Enum leaves out
	Default, Const, Example *Node
	Constraints             []string
	// Pattern is a regular expression that a text matches.
	Pattern string
	// Discriminator is the member whose value says which of the choices is meant; of such a choice, Selector is that
	// value. Selectors are the values where a schema has a discriminator without choices.
	Discriminator, Selector string
	Selectors               []string
	// family is the member whose value says which model of several with the same base a value is, values are that value
	// by the name of the model.
	family string
	values map[string]string
	// Recursive says that the model is being shown around this place already.
	Recursive bool
	// hidden are members that are left out since they do not go with a request, or do not come with a response.
	hidden []string
	// Cut says that what is inside is left out: the model is being shown around this place already, or there is too
	// much.
	Cut bool
}

// Property is a member of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema
}

// Bounds of a schema as it is shown.
const (
	maxSchemaDepth = 8
	maxEnum        = 50
	maxProperties  = 300
)

// Budget bounds what an operation or a page may cost: how many schemas are unfolded, and how many bytes of Markdown are
// read. The zero value has nothing left.
type Budget struct {
	Schemas, Text int
	// Model says where readers of the page find a model by its name. Nil means nowhere: then types have no links.
	Model func(name string) (doc.Ref, bool)
}

// NewBudget returns a budget that is enough for a page of large operations.
func NewBudget() *Budget { return &Budget{Schemas: 8000, Text: 1 << 20} }

// Schema returns a model by its name; nil when there is none. Other models in it are named, not unfolded: they have
// their own entries.
func (d *Document) Schema(name string, b *Budget) *Schema {
	n := d.root().object("components").object("schemas").Get(name)
	if n == nil || internal(n) {
		return nil
	}
	return (&schemaBuilder{budget: b, shallow: true, name: name}).build(n)
}

// use says what a schema describes.
type use uint8

const (
	inModel    use = iota // a model by itself, or a parameter
	inRequest             // what is sent: members that are read only are left out
	inResponse            // what comes back: members that are write only are left out
)

func schemaFrom(n *Node, as use, b *Budget) *Schema {
	if n == nil {
		return nil
	}
	return (&schemaBuilder{budget: b, use: as}).build(n)
}

type schemaBuilder struct {
	budget  *Budget
	around  []*Node // schemas that the current one is in
	shallow bool    // names other models
	name    string  // of the model that is built, where no reference says it
	use     use
}

// leavesOut reports whether a member is not for what the schema describes.
func (b *schemaBuilder) leavesOut(s *Schema) bool {
	return b.use == inRequest && s.ReadOnly || b.use == inResponse && s.WriteOnly
}

func (b *schemaBuilder) build(n *Node) *Schema { return b.make(n, b.shallow && len(b.around) > 0) }

// make builds a schema; nameOnly leaves out what is inside one that is a model.
func (b *schemaBuilder) make(n *Node, nameOnly bool) *Schema {
	s := &Schema{}
	if ref := n.Get("$ref"); ref != nil && ref.Kind == String && n.target != nil {
		s.Name = modelName(ref.Text)
		s.Description = n.text("description") // beside a reference, as 3.1 allows
		n = n.follow()
	}
	if len(b.around) == 0 {
		s.Name = cmp.Or(s.Name, b.name)
	}
	if n == nil || n.Kind != Object {
		return s
	}
	s.Title = n.text("title")
	b.describe(s, n)
	b.budget.Schemas--
	if slices.Contains(b.around, n) || len(b.around) >= maxSchemaDepth || b.budget.Schemas < 0 || nameOnly &&
		s.Name != "" {
		s.Recursive = slices.Contains(b.around, n)
		s.Cut = len(n.list("allOf"))+len(n.list("oneOf"))+len(n.list("anyOf")) > 0 || n.Get("properties") != nil ||
			n.Get("items") != nil
		return s
	}
	b.around = append(b.around, n)
	b.unfold(s, n)
	b.around = b.around[:len(b.around)-1]
	return s
}

// modelName is the name in a reference to a shared part.
func modelName(ref string) string {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	if i := strings.LastIndexByte(name, '#'); i >= 0 {
		name = name[i+1:]
	}
	return strings.NewReplacer("~1", "/", "~0", "~", "%20", " ").Replace(name)
}

// describe takes what a schema says of the value as a whole.
func (b *schemaBuilder) describe(s *Schema, n *Node) {
	if s.Description == "" {
		s.Description = n.text("description")
	}
	kind := n.Get("type")
	if kind != nil && kind.Kind == String {
		s.addType(kind.Text)
	} else if kind != nil {
		for _, entry := range kind.Items {
			s.addType(cmp.Or(entry.Text, "null"))
		}
	}
	if s.Format == "" {
		s.Format = n.text("format")
	}
	s.Nullable = s.Nullable || n.flag("nullable")
	s.Deprecated = s.Deprecated || n.flag("deprecated")
	s.ReadOnly = s.ReadOnly || n.flag("readOnly")
	s.WriteOnly = s.WriteOnly || n.flag("writeOnly")
	for _, value := range n.list("enum") {
		if len(s.Enum) < maxEnum {
			s.Enum = append(s.Enum, value)
		} else {
			s.MoreEnum++
		}
	}
	s.Default = cmp.Or(s.Default, n.Get("default"))
	s.Const = cmp.Or(s.Const, n.Get("const"))
	s.Example = cmp.Or(s.Example, n.Get("example"))
	if examples := n.list("examples"); s.Example == nil && len(examples) > 0 {
		s.Example = examples[0]
	}
	s.Constraints = append(s.Constraints, constraints(n)...)
	s.Pattern = cmp.Or(s.Pattern, n.text("pattern"))
}

func (s *Schema) addType(name string) {
	if name == "null" {
		s.Nullable = true
	} else if !slices.Contains(s.Types, name) && len(s.Types) < 7 {
		s.Types = append(s.Types, name)
	}
}

// constraints lists the limits of a value, for people.
func constraints(n *Node) []string {
	var list []string
	bounds := func(least, most, unit string) {
		low, high := n.Get(least), n.Get(most)
		switch {
		case low != nil && high != nil && low.scalar() && low.Text == high.Text:
			list = append(list, "exactly "+low.Text+unit)
		case low != nil && high != nil && low.scalar() && high.scalar():
			list = append(list, low.Text+" to "+high.Text+unit)
		case low != nil && low.scalar():
			list = append(list, "at least "+low.Text+unit)
		case high != nil && high.scalar():
			list = append(list, "at most "+high.Text+unit)
		}
	}
	bounds("minimum", "maximum", "")
	if v := n.Get("exclusiveMinimum"); v != nil && v.Kind == Number {
		list = append(list, "more than "+v.Text)
	}
	if v := n.Get("exclusiveMaximum"); v != nil && v.Kind == Number {
		list = append(list, "less than "+v.Text)
	}
	bounds("minLength", "maxLength", " characters")
	bounds("minItems", "maxItems", " entries")
	bounds("minProperties", "maxProperties", " members")
	if v := n.Get("multipleOf"); v != nil && v.Kind == Number {
		list = append(list, "a multiple of "+v.Text)
	}
	if n.flag("uniqueItems") {
		list = append(list, "no entry twice")
	}
	return list
}

// unfold takes what is inside a schema.
func (b *schemaBuilder) unfold(s *Schema, n *Node) {
	required := map[string]bool{}
	for _, name := range n.texts("required") {
		required[name] = true
	}
	if properties := n.object("properties"); properties != nil {
		for i, item := range properties.Items {
			if internal(item) || len(s.Properties) >= maxProperties {
				continue
			}
			name := properties.Keys[i].Text
			built := b.build(item)
			if b.leavesOut(built) {
				s.hidden = append(s.hidden, name)
				continue
			}
			s.addProperty(Property{Name: name, Required: required[name], Schema: built})
		}
	}
	for i := range s.Properties {
		s.Properties[i].Required = s.Properties[i].Required || required[s.Properties[i].Name]
	}
	if items := n.Get("items"); items != nil && items.Kind == Object {
		s.Items = b.build(items)
	}
	if additional := n.Get("additionalProperties"); additional != nil && additional.Kind == Object &&
		len(additional.Keys) > 0 {
		s.Additional = b.build(additional)
	}
	if not := n.object("not"); not != nil {
		s.Not = b.build(not)
	}
	b.choices(s, &s.OneOf, n.list("oneOf"))
	b.choices(s, &s.AnyOf, n.list("anyOf"))
	parts := n.list("allOf")
	if len(parts) == 1 && s.plain() {
		b.stand(s, parts[0])
		parts = nil
	}
	for _, part := range parts {
		b.merge(s, b.make(part, false))
	}
	s.discriminate(n.object("discriminator"))
	if len(parts) > 0 && n.object("discriminator") == nil {
		s.identify()
	}
	for i := range s.Properties {
		s.Properties[i].Required = s.Properties[i].Required || required[s.Properties[i].Name]
	}
}

// plain reports whether nothing is known of what is inside a schema.
func (s *Schema) plain() bool {
	return len(s.Properties) == 0 && len(s.OneOf)+len(s.AnyOf) == 0 && s.Items == nil && s.Additional == nil
}

// stand makes a schema what the only one that it is made of is: descriptions wrap a reference to say more of it.
func (b *schemaBuilder) stand(s *Schema, only *Node) {
	built := b.make(only, b.shallow && len(b.around) > 1)
	b.merge(s, built)
	s.Name, s.Title = cmp.Or(s.Name, built.Name), cmp.Or(s.Title, built.Title)
}

// choices builds what a value may be, into a list of the schema. That it may be null is no choice, and one choice alone
// is what the value is.
func (b *schemaBuilder) choices(s *Schema, into *[]*Schema, list []*Node) {
	var others []*Node
	for _, choice := range list {
		if choice.isNull() {
			s.Nullable = true
		} else if len(others) < maxEnum {
			others = append(others, choice)
		}
	}
	if len(others) == 1 && s.plain() {
		b.stand(s, others[0])
		return
	}
	for _, choice := range others {
		*into = append(*into, b.build(choice))
	}
}

// isNull reports whether a schema describes null alone.
func (n *Node) isNull() bool {
	if values := n.list("enum"); len(values) == 1 && values[0].Kind == Null {
		return true
	}
	if types := n.texts("type"); len(types) > 0 {
		return len(types) == 1 && types[0] == "null"
	}
	return n.text("type") == "null"
}

// identify says of a model which value of the member that tells it from others of its base it has.
func (s *Schema) identify() {
	if s.family == "" || s.Name == "" || len(s.OneOf)+len(s.AnyOf) > 0 {
		return
	}
	for i, property := range s.Properties {
		if property.Name == s.family && property.Schema != nil {
			value := *property.Schema
			value.Enum, value.MoreEnum, value.Default, value.Example = nil, 0, nil, nil
			value.Const = &Node{Kind: String, Text: cmp.Or(s.values[s.Name], s.Name)}
			s.Properties[i].Schema = &value
			s.Discriminator, s.Selectors = "", nil
		}
	}
}

// discriminate notes which value selects which choice.
func (s *Schema) discriminate(n *Node) {
	if n.text("propertyName") == "" {
		return
	}
	s.Discriminator = n.text("propertyName")
	values := map[string]string{} // by the name of the model
	if mapping := n.object("mapping"); mapping != nil {
		for i, key := range mapping.Keys {
			if len(s.Selectors) < maxEnum {
				s.Selectors = append(s.Selectors, key.Text)
			}
			values[modelName(mapping.Items[i].Text)] = key.Text
		}
	}
	s.family, s.values = s.Discriminator, values
	choices := slices.Concat(s.OneOf, s.AnyOf)
	for _, choice := range choices {
		choice.Selector = cmp.Or(values[choice.Name], choice.Name)
	}
	if len(choices) > 0 {
		s.Selectors = nil
	}
}

func (s *Schema) addProperty(p Property) {
	for i := range s.Properties {
		if s.Properties[i].Name == p.Name {
			s.Properties[i].Required = s.Properties[i].Required || p.Required
			return
		}
	}
	s.Properties = append(s.Properties, p)
}

// merge puts a part of an allOf into a schema.
func (b *schemaBuilder) merge(s, built *Schema) {
	for _, kind := range built.Types {
		s.addType(kind)
	}
	s.Format, s.Description = cmp.Or(s.Format, built.Format), cmp.Or(s.Description, built.Description)
	for _, property := range built.Properties {
		if len(s.Properties) < maxProperties {
			s.addProperty(property)
		}
	}
	s.Items, s.Additional, s.Not = cmp.Or(s.Items, built.Items), cmp.Or(s.Additional, built.Additional),
		cmp.Or(s.Not, built.Not)
	s.OneOf, s.AnyOf = append(s.OneOf, built.OneOf...), append(s.AnyOf, built.AnyOf...)
	s.Enum, s.MoreEnum = append(s.Enum, built.Enum...), s.MoreEnum+built.MoreEnum
	s.Default, s.Const, s.Example = cmp.Or(s.Default, built.Default), cmp.Or(s.Const, built.Const),
		cmp.Or(s.Example, built.Example)
	s.Constraints = append(s.Constraints, built.Constraints...)
	s.Deprecated, s.ReadOnly, s.WriteOnly = s.Deprecated || built.Deprecated, s.ReadOnly || built.ReadOnly,
		s.WriteOnly || built.WriteOnly
	s.Cut, s.Recursive = s.Cut || built.Cut, s.Recursive || built.Recursive
	s.Pattern, s.Discriminator = cmp.Or(s.Pattern, built.Pattern), cmp.Or(s.Discriminator, built.Discriminator)
	s.hidden = append(s.hidden, built.hidden...)
	if s.family == "" {
		s.family, s.values = built.family, built.values
	}
	if len(s.Selectors) == 0 {
		s.Selectors = built.Selectors
	}
	if s.Name == "" && len(s.Properties) == 0 {
		s.Name = built.Name
	}
}

// TypeName says what a value is in a few words: "array of Pet", "string <date> or null".
func (s *Schema) TypeName() string {
	var name strings.Builder
	for _, part := range s.typeParts(0) {
		name.WriteString(part.text)
	}
	return name.String()
}

// typePart is a piece of what TypeName says.
type typePart struct {
	text  string
	model bool // it is the name of a model
}

func (s *Schema) typeParts(depth int) []typePart {
	if s == nil || depth > 4 {
		return []typePart{{text: "any"}}
	}
	var parts []typePart
	say := func(text string) { parts = append(parts, typePart{text: text}) }
	switch {
	case s.Items != nil && (len(s.Types) == 0 || slices.Equal(s.Types, []string{"array"})):
		say("array of ")
		parts = append(parts, s.Items.typeParts(depth+1)...)
	case s.Name != "":
		parts = append(parts, typePart{s.Name, true})
	case len(s.Types) > 0:
		say(strings.Join(s.Types, " or "))
	case len(s.OneOf) > 0 || len(s.AnyOf) > 0:
		var names []string
		for _, choice := range slices.Concat(s.OneOf, s.AnyOf) {
			if name := choice.TypeName(); !slices.Contains(names, name) && len(names) < 6 {
				if names = append(names, name); len(names) > 1 {
					say(" or ")
				}
				parts = append(parts, choice.typeParts(depth+1)...)
			}
		}
	case len(s.Properties) > 0 || s.Additional != nil:
		say("object")
	case len(s.Enum) > 0 || s.Const != nil:
		say("enum")
	default:
		say("any")
	}
	if s.Format != "" && s.Name == "" {
		say(" <" + s.Format + ">")
	}
	if s.Nullable {
		say(" or null")
	}
	return parts
}
