package contentkit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// This file writes what readers fill in.

// jsonOf is a value as JSON, "" for nothing.
func jsonOf(value any) string {
	switch value := value.(type) {
	case *Confirm:
		if value == nil {
			return ""
		}
	case map[string]any:
		if value == nil {
			return ""
		}
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return ""
	}
	return strings.TrimSpace(encoded.String())
}

// with returns an action with one more field.
func (a Action) with(name, value string) Action {
	var o map[string]any
	if json.Unmarshal(a.JSON, &o) != nil {
		return a
	}
	o[name] = value
	return actionOf(o)
}

// input writes a field with its label and what is said about it.
func (p *printer) input(e *Element) {
	if len(e.Children) == 0 {
		return
	}
	field := &e.Children[0]
	beside := field.Type == Switch || field.Type == Checkbox || field.Type == Radio
	class := "kit-input"
	if beside {
		class += " is-beside"
	}
	label, hint := p.id(), ""
	p.open("div", "class", class)
	p.raw(`<div class="kit-input-about">`)
	p.open("span", "class", "kit-label", "id", label)
	p.text(e.Label)
	p.close("span")
	if len(e.Hint) > 0 {
		hint = p.id()
		p.open("span", "class", "kit-input-hint", "id", hint)
		p.line(e.Hint)
		p.close("span")
	}
	p.close("div")
	p.labelled, p.described = label, hint
	p.element(field)
	p.labelled, p.described = "", ""
	p.close("div")
}

// naming are the attributes that tell what a field is called: by its label, or by what is known of it else.
func (p *printer) naming(e *Element) []string {
	return []string{"aria-labelledby", p.labelled, "aria-describedby", p.described, "aria-label",
		unless(p.labelled, firstOf(e.Placeholder, e.Label, e.State))}
}

func (p *printer) field(e *Element) {
	common := append([]string{"data-kit-state", e.State, "data-kit-change", string(e.Change.JSON), "data-kit-confirm",
		jsonOf(e.Confirm), "disabled", when(e.Disabled)}, p.naming(e)...)
	value := p.state[e.State]
	switch e.Type {
	case TextInput:
		p.textInput(e, textOf(value), common)
	case Select:
		p.selectField(e, value, common)
	case Switch:
		p.open("input", append([]string{"type", "checkbox", "role", "switch", "class", "kit-switch", "checked",
			when(value == true), "data-kit-kind", "switch"}, common...)...)
	case Checkbox:
		chosen, _ := value.([]any)
		checked := value == true ||
			slices.ContainsFunc(chosen, func(each any) bool { return textOf(each) == textOf(e.Value) })
		p.open("input", append([]string{"type", "checkbox", "class", "kit-checkbox", "checked", when(checked), "value",
			textOf(e.Value), "data-kit-kind", "checkbox", "data-kit-value", jsonOf(e.Value)}, common...)...)
	case Radio:
		p.open("input", append([]string{"type", "radio", "class", "kit-radio", "name", p.options.IDPrefix + e.State,
			"checked", when(value != nil && textOf(value) == textOf(e.Value)), "value", textOf(e.Value),
			"data-kit-kind", "radio", "data-kit-value", jsonOf(e.Value)}, common...)...)
	}
}

func (p *printer) textInput(e *Element, value string, common []string) {
	if e.Multiline {
		p.open("textarea", append([]string{"class", "kit-field", "rows", "4", "placeholder", e.Placeholder},
			common...)...)
		p.raw("\n")
		p.text(value)
		p.close("textarea")
		return
	}
	kind := "text"
	if e.InputType == "password" || e.InputType == "email" {
		kind = e.InputType
	}
	completion := ""
	if kind == "password" {
		completion = "off"
	}
	p.open("input", append([]string{"type", kind, "class", "kit-field", "value", value, "placeholder", e.Placeholder,
		"autocomplete", completion}, common...)...)
}

func (p *printer) selectField(e *Element, value any, common []string) {
	address := e.OptionsURL.In(p.state)
	if e.AcceptInput && !e.Multiple {
		list := p.id()
		p.open("input", append([]string{"type", "text", "class", "kit-field", "value", textOf(value), "placeholder",
			e.Placeholder, "list", list, "data-kit-options", address}, common...)...)
		p.open("datalist", "id", list)
		for _, option := range e.Options {
			p.open("option", "value", option.ID)
			p.text(option.Label)
			p.close("option")
		}
		p.close("datalist")
		return
	}
	source := ""
	if e.OpenAPI {
		source = "openapi"
	}
	var chosen []string
	switch value := value.(type) {
	case []any:
		for _, each := range value {
			chosen = append(chosen, textOf(each))
		}
	case nil:
	default:
		chosen = []string{textOf(value)}
	}
	p.open("select", append([]string{"class", "kit-field", "multiple", when(e.Multiple), "data-kit-options", address,
		"data-kit-source", source, "data-kit-kind", "select", "data-kit-chosen", jsonOf(value)}, common...)...)
	if !e.Multiple {
		p.raw(`<option value="">`)
		p.text(firstOf(e.Placeholder, p.options.Labels.Choose))
		p.close("option")
	}
	for _, option := range e.Options {
		p.open("option", "value", option.ID, "selected", when(slices.Contains(chosen, option.ID)))
		p.text(firstOf(option.Label, option.ID))
		p.close("option")
	}
	p.close("select")
}
