package contentkit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Parse reads an answer to ui_render. It refuses, with errs.Invalid or errs.TooLarge, what is no such answer and what
// is larger than any block may be.
func Parse(raw []byte) (*Output, error) {
	if len(raw) > MaxSize {
		return nil, errs.New(errs.TooLarge, "answer: has more than 1 MB; show less at once, or show it in a web frame")
	}
	var wire struct {
		Type        string          `json:"type"`
		Element     json.RawMessage `json:"element"`
		State       json.RawMessage `json:"state"`
		Props       json.RawMessage `json:"props"`
		ReturnValue json.RawMessage `json:"returnValue"`
	}
	if !utf8.Valid(raw) || json.Unmarshal(raw, &wire) != nil {
		return nil, errs.Invalidf("element", "cannot be read: the answer of the integration is no JSON object")
	}
	out := &Output{State: objectOf(wire.State), Props: objectOf(wire.Props)}
	switch wire.Type {
	case "complete":
		out.Complete = true
		if value := objectOf(wire.ReturnValue); len(value) > 0 {
			out.ReturnValue = value
		}
		return out, nil
	case "", "element":
	default:
		return nil, errs.Invalidf("type", "is %q; element or complete is expected", clip(wire.Type))
	}
	var root any
	if len(wire.Element) > 0 {
		if err := json.Unmarshal(wire.Element, &root); err != nil {
			return nil, errs.Invalidf("element", "cannot be read")
		}
	}
	if root == nil && wire.Type == "element" {
		out.Complete = true // a component that draws nothing has nothing to show
		return out, nil
	}
	if root == nil {
		return nil, errs.Invalidf("element", "is missing: answer with a block, modal or configuration")
	}
	p := parser{}
	found := p.elements(root, 0)
	if p.over != nil {
		return nil, p.over
	}
	slices.Sort(p.unknown)
	out.Unknown = slices.Compact(p.unknown)
	if len(found) == 1 && found[0].Type == Stepper {
		found = []Element{{Type: Configuration, Children: found}}
	}
	if len(found) != 1 || found[0].Type != Block && found[0].Type != Modal && found[0].Type != Configuration {
		return nil, errs.Invalidf("element", "has to be one block, modal or configuration")
	}
	out.Element = &found[0]
	return out, nil
}

// clip shortens what is quoted from an answer.
func clip(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

func objectOf(raw json.RawMessage) map[string]any {
	var object map[string]any
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return map[string]any{}
	}
	return object
}

// parser reads elements within the bounds.
type parser struct {
	count   int
	unknown []string
	over    error
}

// elements reads what may stand where children do: an element, a text, or a list of such.
func (p *parser) elements(value any, depth int) []Element {
	if p.over != nil || value == nil {
		return nil
	}
	if depth > maxDepth {
		p.over = errs.New(errs.TooLarge, "element: is nested more than 32 deep")
		return nil
	}
	switch value := value.(type) {
	case []any:
		var list []Element
		for _, each := range value {
			list = append(list, p.elements(each, depth+1)...)
		}
		return list
	case string, float64:
		if !p.counted() {
			return nil
		}
		return []Element{{Words: textOf(value)}}
	case map[string]any:
		if !p.counted() {
			return nil
		}
		return p.element(value, depth)
	}
	return nil // true, false and null are what a condition leaves behind
}

func (p *parser) counted() bool {
	if p.count++; p.count > maxElements {
		p.over = errs.New(errs.TooLarge, "element: has more than 4,000 elements")
	}
	return p.over == nil
}

func (p *parser) element(o map[string]any, depth int) []Element {
	kind := Type(text(o["type"]))
	if kind == Words || !slices.Contains(types, kind) {
		p.unknown = append(p.unknown, clip(string(kind)))
		return nil
	}
	e := p.common(o, kind, depth)
	p.fields(&e, o)
	switch kind {
	case Input:
		e.Children = p.elements(o["element"], depth+1)
	case Modal:
		e.Hint = p.elements(o["subtitle"], depth+1)
		e.ReturnValue, _ = o["returnValue"].(map[string]any)
		e.Buttons = p.only(o["submit"], depth, Button)
	case Link:
		target, _ := o["target"].(map[string]any)
		e.URL = address(target["url"])
	case Image, WebFrame:
		source, _ := o["source"].(map[string]any)
		e.URL = address(source["url"])
		e.Data = values(o["data"])
	case Select:
		p.options(&e, o["options"])
	case Text, Hint:
		e.Children = slices.DeleteFunc(e.Children, func(child Element) bool { return !child.inline() })
	}
	return []Element{e}
}

// common reads the fields that several kinds share.
func (p *parser) common(o map[string]any, kind Type, depth int) Element {
	e := Element{
		Type: kind, Title: text(o["title"]), Label: text(o["label"]), Placeholder: text(o["placeholder"]),
		Tooltip: text(o["tooltip"]), Style: text(o["style"]), Size: text(o["size"]), Align: text(o["align"]),
		State: text(o["state"]), ID: text(o["id"]), Syntax: syntaxOf(o["syntax"]), InputType: text(o["inputType"]),
		Active: text(o["activeStep"]), Content: valueOf(o["content"]),
		Children: p.elements(o["children"], depth+1), Header: p.elements(o["header"], depth+1),
		Footer:   p.elements(o["footer"], depth+1),
		Buttons:  p.only(o["buttons"], depth, Button),
		Disabled: o["disabled"] == true, Multiple: o["multiple"] == true, Multiline: o["multiline"] == true,
		AcceptInput: o["acceptInput"] == true, Next: o["next"] != false, Confirm: confirmOf(o["confirm"]),
	}
	if kind == Input || kind == Card {
		e.Hint = slices.DeleteFunc(p.elements(o["hint"], depth+1), func(child Element) bool { return !child.inline() })
	}
	return e
}

// fields reads those whose values have types of their own.
func (p *parser) fields(e *Element, o map[string]any) {
	e.Icon, e.Picture = iconOf(o["icon"])
	e.TrailingIcon, _ = iconOf(o["trailingIcon"])
	e.Initial = o["initialValue"]
	switch value := o["value"].(type) {
	case string, float64:
		e.Value = value
	}
	switch numbers := o["lineNumbers"].(type) {
	case bool:
		e.LineNumbers = numbers
	case float64:
		e.LineNumbers = true
	}
	if ratio, ok := o["aspectRatio"].(float64); ok && ratio > 0.01 && ratio < 100 {
		e.AspectRatio = ratio
	}
	grow, _ := o["grow"].(float64)
	e.Grows = grow > 0
	e.Press, e.Complete = actionOf(o["onPress"]), actionOf(o["onComplete"])
	for _, name := range []string{"onValueChange", "onContentChange", "onStepChange"} {
		if action := actionOf(o[name]); action.JSON != nil {
			e.Change = action
		}
	}
}

// only reads elements of one kind.
func (p *parser) only(value any, depth int, kind Type) []Element {
	return slices.DeleteFunc(p.elements(value, depth+1), func(e Element) bool { return e.Type != kind })
}

func (p *parser) options(e *Element, value any) {
	switch value := value.(type) {
	case map[string]any:
		e.OpenAPI = value["source"] == "openapi"
		e.OptionsURL = address(value["url"])
	case []any:
		for _, each := range value {
			o, ok := each.(map[string]any)
			if !ok {
				continue
			}
			if len(e.Options) == maxOptions {
				return
			}
			icon, _ := iconOf(o["icon"])
			e.Options = append(e.Options, Option{ID: textOf(o["id"]), Label: text(o["label"]), Icon: icon})
		}
	}
}

// inline reports whether an element may stand in a line of text.
func (e Element) inline() bool {
	return e.Type == Words || e.Type == Text || e.Type == Link || e.Type == Image
}

func text(value any) string {
	read, _ := value.(string)
	return read
}

// syntaxOf reads the name of a language, "" for what is none.
func syntaxOf(value any) string {
	name := text(value)
	if len(name) > 40 || strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '+' && r != '#' && r != '.' && r != '_' && (r < '0' || r > '9') &&
			(r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) {
		return ""
	}
	return name
}

// valueOf reads a text or a binding.
func valueOf(value any) Value {
	switch value := value.(type) {
	case string:
		return Value{Text: value}
	case map[string]any:
		return Value{State: text(value["$state"])}
	}
	return Value{}
}

func values(value any) map[string]Value {
	o, _ := value.(map[string]any)
	if len(o) == 0 {
		return nil
	}
	read := make(map[string]Value, len(o))
	for name, each := range o {
		read[name] = valueOf(each)
	}
	return read
}

func address(value any) Address {
	switch value := value.(type) {
	case string:
		return Address{Written: value}
	case map[string]any:
		host := text(value["host"])
		if host == "" || strings.ContainsAny(host, "/\\@?# \t\r\n") {
			return Address{}
		}
		return Address{Host: host, Pathname: text(value["pathname"]), Query: values(value["query"])}
	}
	return Address{}
}

// iconOf reads the name of an icon, or a picture in its place.
func iconOf(value any) (string, Address) {
	switch value := value.(type) {
	case string:
		return iconNames[value], Address{}
	case map[string]any:
		if source, ok := value["source"].(map[string]any); ok {
			return "", address(source["url"])
		}
	}
	return "", Address{}
}

// iconNames are the icons of ContentKit and what they are called in the set of the platform.
var iconNames = map[string]string{
	"close": "xmark", "edit": "pencil", "github": "github", "gitlab": "gitlab", "maximize": "expand",
	"email": "envelope", "settings": "gear", "search": "magnifying-glass", "delete": "trash", "star": "star",
	"warning": "triangle-exclamation", "link": "link", "link-external": "arrow-up-right", "eye": "eye",
	"eye-off": "eye-slash", "lock": "lock", "check": "check", "check-circle": "circle-check",
}

func confirmOf(value any) *Confirm {
	o, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	return &Confirm{Title: text(o["title"]), Text: text(o["text"]), Confirm: text(o["confirm"]),
		Style: text(o["style"])}
}

// actionOf reads an action. One without a name is none.
func actionOf(value any) Action {
	o, ok := value.(map[string]any)
	if !ok || text(o["action"]) == "" {
		return Action{}
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(o) != nil {
		return Action{}
	}
	action := Action{Name: text(o["action"]), JSON: bytes.TrimSpace(encoded.Bytes())}
	if action.Name == openURL {
		if action.URL = SafeURL(text(o["url"])); action.URL == "" {
			return Action{}
		}
	}
	return action
}
