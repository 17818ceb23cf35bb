package oas

import (
	"slices"
	"strings"
)

// exampleNodes bounds the values of an example that is made up.
const exampleNodes = 300

// ExampleOf makes a sample of a value from its schema: what the description gives, else something of the right kind.
func ExampleOf(s *Schema) *Node {
	m := exampleMaker{left: exampleNodes}
	return m.value(s, "", 0)
}

type exampleMaker struct{ left int }

func (m *exampleMaker) value(s *Schema, name string, depth int) *Node {
	m.left--
	if s == nil || m.left < 0 {
		return &Node{Kind: Null}
	}
	for _, given := range []*Node{s.Example, s.Const, s.Default} {
		if given != nil {
			return s.shown(given)
		}
	}
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	kind := ""
	if len(s.Types) > 0 {
		kind = s.Types[0]
	}
	switch {
	case len(s.Properties) > 0 || kind == "object":
		return m.object(s, depth)
	case s.Items != nil || kind == "array":
		list := &Node{Kind: List}
		if s.Items != nil && depth < maxSchemaDepth && !s.Items.Cut {
			list.Items = []*Node{m.value(s.Items, name, depth+1)}
		}
		return list
	case len(s.OneOf) > 0:
		return m.choice(s, s.OneOf[0], name, depth)
	case len(s.AnyOf) > 0:
		return m.choice(s, s.AnyOf[0], name, depth)
	case kind == "integer":
		return &Node{Kind: Number, Text: "1"}
	case kind == "number":
		return &Node{Kind: Number, Text: "1.5"}
	case kind == "boolean":
		return &Node{Kind: Bool, Text: "true"}
	}
	return &Node{Kind: String, Text: sampleText(s.Format)}
}

// choice is a sample of one of the choices of a schema, which says that it is that one.
func (m *exampleMaker) choice(s, choice *Schema, name string, depth int) *Node {
	made := m.value(choice, name, depth+1)
	if choice.Selector != "" && choice.Example == nil && made.Kind == Object && s.Discriminator != "" {
		made.set(s.Discriminator, &Node{Kind: String, Text: choice.Selector})
	}
	return made
}

// shown is a value that the description gives, without members that do not go with what the schema describes.
func (s *Schema) shown(given *Node) *Node {
	if given.Kind != Object || len(s.hidden) == 0 {
		return given
	}
	kept := &Node{Kind: Object}
	for i, key := range given.Keys {
		if !slices.Contains(s.hidden, key.Text) {
			kept.add(key, given.Items[i])
		}
	}
	return kept
}

func (m *exampleMaker) object(s *Schema, depth int) *Node {
	object := &Node{Kind: Object}
	if depth >= maxSchemaDepth {
		return object
	}
	for _, property := range s.Properties {
		if property.Schema == nil || property.Schema.Cut && !property.Required || m.left < 0 {
			continue
		}
		value := m.value(property.Schema, property.Name, depth+1)
		if property.Name == s.Discriminator && len(s.Selectors) > 0 && value.Text == sampleText("") {
			value = &Node{Kind: String, Text: s.Selectors[0]}
		}
		object.add(Key{Text: property.Name}, value)
	}
	if s.Additional != nil && len(s.Properties) == 0 {
		object.add(Key{Text: "key"}, m.value(s.Additional, "", depth+1))
	}
	for _, choices := range [][]*Schema{s.OneOf, s.AnyOf} {
		if len(choices) == 0 || choices[0] == nil {
			continue
		}
		if choices[0].Selector != "" && object.at(s.Discriminator) < 0 {
			object.add(Key{Text: s.Discriminator}, &Node{Kind: String, Text: choices[0].Selector})
		}
		for _, property := range choices[0].Properties {
			if object.at(property.Name) < 0 && m.left >= 0 {
				object.add(Key{Text: property.Name}, m.value(property.Schema, property.Name, depth+1))
			}
		}
	}
	return object
}

func sampleText(format string) string {
	switch format {
	case "date-time":
		return "2026-01-01T12:00:00Z"
	case "date":
		return "2026-01-01"
	case "time":
		return "12:00:00Z"
	case "uuid":
		return "123e4567-e89b-12d3-a456-426614174000"
	case "email":
		return "name@example.com"
	case "uri", "url", "uri-reference":
		return "https://example.com"
	case "hostname":
		return "example.com"
	case "ipv4":
		return "192.0.2.1"
	case "ipv6":
		return "2001:db8::1"
	case "binary", "byte":
		return "…"
	}
	return "text"
}

// sampleOf is the sample of a form of a body: what the description gives, else one made from the schema.
func sampleOf(m Media) *Node {
	if len(m.Examples) > 0 {
		return m.Examples[0].Value
	}
	if m.Schema == nil {
		return nil
	}
	return ExampleOf(m.Schema)
}

// isJSON reports whether a media type is a kind of JSON.
func isJSON(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	return media == "application/json" || strings.HasSuffix(media, "+json") || media == "*/*"
}

// preferred returns the form that samples use: JSON where there is one.
func preferred(content []Media) *Media {
	if len(content) == 0 {
		return nil
	}
	at := max(slices.IndexFunc(content, func(m Media) bool { return isJSON(m.Type) }), 0)
	return &content[at]
}
