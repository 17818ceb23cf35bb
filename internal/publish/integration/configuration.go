package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
)

// Configurations describe what can be configured: for an organization (account), for a space and for a site. A nil one
// says that there is nothing.
type Configurations struct {
	Account *Configuration `json:"account,omitempty"`
	Space   *Configuration `json:"space,omitempty"`
	Site    *Configuration `json:"site,omitempty"`
}

// Configuration describes what can be configured in one place: by properties, or by a component of the integration,
// which then decides what it keeps.
type Configuration struct {
	ComponentID string     `json:"componentId,omitempty"`
	Properties  Properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
}

// PropertyType is the type of a property.
type PropertyType string

// Types of properties. What a button holds is for the integration to say: it is any JSON, such as the keys that came of
// signing in to another service.
const (
	StringProperty  PropertyType = "string"
	NumberProperty  PropertyType = "number"
	BooleanProperty PropertyType = "boolean"
	ButtonProperty  PropertyType = "button"
)

// Property describes one value of a configuration.
type Property struct {
	Name          string          `json:"-"`
	Title         string          `json:"title,omitempty"`
	Description   string          `json:"description,omitempty"`
	Type          PropertyType    `json:"type"`
	Default       json.RawMessage `json:"default,omitempty"`
	Enum          []string        `json:"enum,omitempty"`
	CompletionURL string          `json:"completion_url,omitempty"`
	CallbackURL   string          `json:"callback_url,omitempty"`
	ButtonText    string          `json:"button_text,omitempty"`
}

// Properties are the properties of a configuration in the order in which they were written, which is the order in which
// people are asked for them. Their JSON is an object.
type Properties []Property

// MarshalJSON writes an object.
func (p Properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, each := range p {
		name, err := json.Marshal(each.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(each)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnmarshalJSON reads an object. A name that comes twice is an error.
func (p *Properties) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return fmt.Errorf("properties are not an object")
	}
	*p = Properties{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // names of an object's members are texts
		if slices.ContainsFunc(*p, func(each Property) bool { return each.Name == name }) {
			return fmt.Errorf("the property %.60q comes twice", name)
		}
		one := Property{}
		if err := decoder.Decode(&one); err != nil {
			return err
		}
		one.Name = name
		*p = append(*p, one)
	}
	_, err := decoder.Token()
	return err
}

// Bounds of configurations.
const (
	maxProperties = 50
	maxEnum       = 200
	maxValue      = 4096 // characters of a text in a description of a configuration
	// maxConfiguration is in bytes of JSON, maxConfigurationDepth in levels.
	maxConfiguration      = 64 << 10
	maxConfigurationDepth = 20
)

// namePattern is the form of names of integrations, properties and secrets.
var namePattern = regexp.MustCompile(`^[a-zA-Z0-9_.-]+$`)

// maxName is the most characters of such a name.
const maxName = 100

func (c Configurations) check() (Configurations, error) {
	for _, each := range []struct {
		name string
		of   *Configuration
	}{{"account", c.Account}, {"space", c.Space}, {"site", c.Site}} {
		if each.of == nil {
			continue
		}
		if err := each.of.check("configurations." + each.name); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *Configuration) check(path string) error {
	switch {
	case c.ComponentID != "" && c.Properties != nil:
		return errs.Invalidf(path, "has both properties and componentId; one of them describes a configuration")
	case c.ComponentID != "":
		var err error
		c.ComponentID, err = field.Text(path+".componentId", c.ComponentID, 1, maxName)
		return err
	case c.Properties == nil:
		return errs.Invalidf(path, "needs properties or componentId")
	case len(c.Properties) > maxProperties:
		return errs.Invalidf(path+".properties", "has %d properties; up to %d are accepted", len(c.Properties),
			maxProperties)
	}
	for i := range c.Properties {
		if err := c.Properties[i].check(path + ".properties"); err != nil {
			return err
		}
	}
	for i, name := range c.Required {
		at := fmt.Sprintf("%s.required[%d]", path, i)
		_, ok := c.property(name)
		switch {
		case !ok:
			return errs.Invalidf(at, "%.60q is none of the properties", name)
		case slices.Contains(c.Required[:i], name):
			return errs.Invalidf(at, "%q is there twice", name)
		}
	}
	return nil
}

func (c *Configuration) property(name string) (Property, bool) {
	for _, each := range c.Properties {
		if each.Name == name {
			return each, true
		}
	}
	return Property{}, false
}

func (p *Property) check(parent string) error {
	if len(p.Name) > maxName || !namePattern.MatchString(p.Name) {
		return errs.Invalidf(parent,
			"%.60q is no name of a property; 1 to %d characters of a-z, A-Z, 0-9, hyphen, dot and underscore are",
			p.Name, maxName)
	}
	path := parent + "." + p.Name
	if err := field.OneOf(path+".type", p.Type, StringProperty, NumberProperty, BooleanProperty,
		ButtonProperty); err != nil {
		return err
	}
	var err error
	if p.Title, err = field.Text(path+".title", p.Title, 0, 30); err != nil {
		return err
	}
	if p.Description, err = field.Text(path+".description", p.Description, 0, 100); err != nil {
		return err
	}
	if err := p.checkFields(path); err != nil {
		return err
	}
	if err := p.checkEnum(path); err != nil {
		return err
	}
	if string(p.Default) == "null" {
		p.Default = nil
	}
	if p.Default != nil {
		var value any
		if err := json.Unmarshal(p.Default, &value); err != nil {
			return errs.Invalidf(path+".default", "is not JSON")
		}
		return p.accepts(path+".default", value)
	}
	return nil
}

// checkFields refuses fields that belong to another type: they would be lost without a word.
func (p *Property) checkFields(path string) error {
	var err error
	isString, isButton := p.Type == StringProperty, p.Type == ButtonProperty
	switch {
	case !isString && p.Enum != nil:
		return errs.Invalidf(path+".enum", "is for properties of type string")
	case !isString && p.CompletionURL != "":
		return errs.Invalidf(path+".completion_url", "is for properties of type string")
	case isButton && p.Default != nil:
		return errs.Invalidf(path+".default", "is not for buttons, whose value the integration sets")
	case !isButton && (p.CallbackURL != "" || p.ButtonText != ""):
		return errs.Invalidf(path, "has callback_url or button_text, which are for properties of type button")
	case isButton:
		if p.ButtonText, err = field.Text(path+".button_text", p.ButtonText, 1, 100); err != nil {
			return err
		}
		p.CallbackURL, err = checkAddress(path+".callback_url", p.CallbackURL)
	case p.CompletionURL != "":
		p.CompletionURL, err = checkAddress(path+".completion_url", p.CompletionURL)
	}
	return err
}

func (p *Property) checkEnum(path string) error {
	if len(p.Enum) > maxEnum {
		return errs.Invalidf(path+".enum", "has %d values; up to %d are accepted", len(p.Enum), maxEnum)
	}
	for i, value := range p.Enum {
		at := fmt.Sprintf("%s.enum[%d]", path, i)
		if len(value) > maxValue || !field.Storable(value) {
			return errs.Invalidf(at, "is longer than %d bytes or not valid text", maxValue)
		}
		if slices.Contains(p.Enum[:i], value) {
			return errs.Invalidf(at, "%.60q is there twice", value)
		}
	}
	return nil
}

// checkAddress takes an http address, or a path below the integration's own endpoint.
func checkAddress(path, address string) (string, error) {
	if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && !strings.Contains(address, `\`) {
		return field.Text(path, address, 1, field.MaxURL)
	}
	return field.URL(path, address)
}

// accepts holds a decoded JSON value against a property.
func (p *Property) accepts(path string, value any) error {
	switch p.Type {
	case StringProperty:
		text, ok := value.(string)
		if !ok {
			return errs.Invalidf(path, "has to be a string")
		}
		if !field.Storable(text) {
			return errs.Invalidf(path, "has to be valid text")
		}
		if p.Enum != nil && !slices.Contains(p.Enum, text) {
			return errs.Invalidf(path, "%.60q is not accepted; one of %.400s is", text, strings.Join(p.Enum, ", "))
		}
	case NumberProperty:
		switch value.(type) {
		case float64, json.Number:
		default:
			return errs.Invalidf(path, "has to be a number")
		}
	case BooleanProperty:
		if _, ok := value.(bool); !ok {
			return errs.Invalidf(path, "has to be true or false")
		}
	case ButtonProperty:
	}
	return nil
}

// Values are what is configured: a JSON object.
type Values map[string]any

// parseValues reads a JSON object within the bounds.
func parseValues(data []byte) (Values, error) {
	const path = "configuration"
	if len(data) > maxConfiguration {
		return nil, errs.Invalidf(path, "has %d bytes; up to %d are accepted", len(data), maxConfiguration)
	}
	if depthOf(data) > maxConfigurationDepth {
		return nil, errs.Invalidf(path, "is more than %d levels deep", maxConfigurationDepth)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber() // large numbers come back as they were sent
	var values Values
	if err := decoder.Decode(&values); err != nil || values == nil {
		return nil, errs.Invalidf(path, "has to be a JSON object")
	}
	return values, nil
}

// depthOf returns how deep brackets nest in a JSON text, without building anything of it.
func depthOf(data []byte) int {
	depth, deepest, inText := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// checkValues holds values against a configuration: types and words of a list. What is required may be missing, since a
// configuration is filled in step by step: the status says so. Values of which the configuration says nothing are kept,
// since integrations keep state of their own there.
func (c *Configuration) checkValues(values Values) error {
	const path = "configuration"
	if c == nil || c.ComponentID != "" {
		return nil
	}
	for i := range c.Properties {
		property := &c.Properties[i]
		if value, ok := values[property.Name]; ok && value != nil {
			if err := property.accepts(path+"."+property.Name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// lacks reports whether a required property has neither a value nor a default.
func (c *Configuration) lacks(values Values) bool {
	if c == nil {
		return false
	}
	return slices.ContainsFunc(c.Required, func(name string) bool {
		if value, ok := values[name]; ok && value != nil {
			return false
		}
		property, ok := c.property(name)
		return ok && property.Default == nil
	})
}

// complete reports whether values are all that the configuration wants. Those that were accepted once may not be any
// more: it may have changed with a newer version.
func (c *Configuration) complete(values Values) bool {
	return c.checkValues(values) == nil && !c.lacks(values)
}

// withDefaults returns the values with those of the configuration for what has none.
func (c *Configuration) withDefaults(values Values) Values {
	all := Values{}
	if c != nil {
		for _, property := range c.Properties {
			if property.Default != nil {
				all[property.Name] = property.Default
			}
		}
	}
	for name, value := range values {
		if _, hasDefault := all[name]; value != nil || !hasDefault {
			all[name] = value
		}
	}
	return all
}
