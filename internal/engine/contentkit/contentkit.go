// Package contentkit owns what blocks of integrations look like: it reads the answers of a script to ui_render and
// makes HTML, text and Markdown of them.
//
// A script is not trusted. Parse bounds size, depth and number of elements, Element keeps nothing that it does not
// know, and HTML escapes every text and prints no address but those that open a page or show a picture. An element of a
// kind that is not known shows nothing, with all that it holds; Output.Unknown names its kind, so that the author finds
// out. A value of another type than the contract has counts as absent.
//
// The controls of a block, which are for those who write, are left out: the app draws blocks by itself.
//
// The package is pure. It draws no icons and reads no Markdown by itself: Options say how.
package contentkit

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Bounds of an answer.
const (
	// MaxSize is how many bytes of JSON an answer has.
	MaxSize = 1 << 20
	// maxDepth is how deep elements nest, maxElements how many there are.
	maxDepth    = 32
	maxElements = 4000
	// maxOptions is how many options a select has.
	maxOptions = 1000
	// maxAddress is the length of an address in bytes; those of pictures that hold the picture may be longer.
	maxAddress = 4 << 10
)

// Type is the kind of an element.
type Type string

// Kinds of elements. A piece of text is an element of the kind Words.
const (
	Words         Type = ""
	Block         Type = "block"
	Modal         Type = "modal"
	Configuration Type = "configuration"
	Box           Type = "box"
	Button        Type = "button"
	Card          Type = "card"
	Checkbox      Type = "checkbox"
	CodeBlock     Type = "codeblock"
	Divider       Type = "divider"
	Hint          Type = "hint"
	HStack        Type = "hstack"
	Image         Type = "image"
	Input         Type = "input"
	Link          Type = "link"
	Markdown      Type = "markdown"
	Radio         Type = "radio"
	Select        Type = "select"
	Step          Type = "step"
	Stepper       Type = "stepper"
	Switch        Type = "switch"
	Text          Type = "text"
	TextInput     Type = "textinput"
	VStack        Type = "vstack"
	WebFrame      Type = "webframe"
)

var types = []Type{Block, Modal, Configuration, Box, Button, Card, Checkbox, CodeBlock, Divider, Hint, HStack, Image,
	Input, Link, Markdown, Radio, Select, Step, Stepper, Switch, Text, TextInput, VStack, WebFrame}

// Output is an answer to ui_render.
type Output struct {
	// Complete says that there is nothing to show: a modal is closed, a configuration is done, or the component draws
	// nothing.
	Complete bool
	// ReturnValue is what a completed component gives to the one that opened it; nil for nothing.
	ReturnValue map[string]any
	// Element is what to show: a block, a modal or a configuration. Nil when Complete. Steps that stand alone are in a
	// configuration.
	Element *Element
	// State and Props are what the next call begins with. They are never nil.
	State, Props map[string]any
	// Unknown are the kinds of elements that were left out, sorted.
	Unknown []string
}

// Element is an element. Which fields are set depends on its kind.
type Element struct {
	Type Type
	// Words is the text of an element of the kind Words.
	Words    string
	Children []Element
	// Title of a card, modal or step; Label of a button or input.
	Title, Label, Placeholder, Tooltip string
	// Style of buttons, texts and confirmations; Size of dividers and modals; Align of stacks.
	Style, Size, Align string
	// Hint is below the label of an input or the title of a card or modal.
	Hint []Element
	// Header and Footer are of code blocks; Buttons of cards, code blocks, frames and of a modal, whose last one is
	// the one that submits.
	Header, Footer, Buttons []Element
	Icon, TrailingIcon      string
	Picture                 Address // in place of an icon
	// State names what a field changes in the state. ID is that of a step; Active the step of a stepper that shows.
	State, ID, Active string
	// Value is what a radio or checkbox stands for; Initial what a field begins with where the state has nothing.
	Value, Initial any
	Content        Value
	Syntax         string
	LineNumbers    bool
	Options        []Option
	// OptionsURL answers with options; OpenAPI says that they are the organization's API descriptions.
	OptionsURL                       Address
	OpenAPI                          bool
	Multiple, AcceptInput, Multiline bool
	// InputType is text, password or email.
	InputType        string
	Disabled         bool
	Press            Action // of buttons, controls and cards
	Change, Complete Action
	Confirm          *Confirm
	URL              Address // of images, links and frames
	AspectRatio      float64
	Grows            bool
	Data             map[string]Value
	// Next says that a step has a button to the next one.
	Next        bool
	ReturnValue map[string]any
}

// Value is a text, or what the state has under a name.
type Value struct{ Text, State string }

// In returns the value in a state.
func (v Value) In(state map[string]any) string {
	if v.State == "" {
		return v.Text
	}
	return textOf(state[v.State])
}

// Address is an address as it is written, or one that is made from the state.
type Address struct {
	Written        string
	Host, Pathname string
	Query          map[string]Value
}

// In returns the address in a state; "" for one that a browser must not open.
func (a Address) In(state map[string]any) string {
	written := a.Written
	if a.Host != "" {
		made := url.URL{Scheme: "https", Host: a.Host, Path: "/" + strings.TrimPrefix(a.Pathname, "/")}
		query := url.Values{}
		for name, value := range a.Query {
			query.Set(name, value.In(state))
		}
		made.RawQuery = query.Encode()
		written = made.String()
	}
	return SafeURL(written)
}

// SafeURL returns an address that a browser may open from a page, "" for every other: it has a scheme that runs
// nothing, and a host where its scheme has one.
func SafeURL(address string) string {
	address = strings.TrimSpace(address)
	if len(address) > maxAddress || strings.ContainsFunc(address, isControl) {
		return ""
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	switch strings.ToLower(parsed.Scheme) {
	case "http", "https":
		if parsed.Hostname() == "" || parsed.User != nil {
			return ""
		}
		return address
	case "mailto", "tel":
		return address
	}
	return ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// pictureTypes are the kinds of pictures that an address may hold itself.
var pictureTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml", "image/avif"}

// pictureURL is the address of a picture in a state; "" for one that a page must not load.
func (a Address) pictureURL(state map[string]any) string {
	if kind, ok := strings.CutPrefix(a.Written, "data:"); ok {
		kind, _, _ = strings.Cut(kind, ",")
		kind, _, _ = strings.Cut(kind, ";")
		if slices.Contains(pictureTypes, strings.ToLower(kind)) {
			return a.Written
		}
		return ""
	}
	address := a.In(state)
	if !strings.HasPrefix(strings.ToLower(address), "http") {
		return ""
	}
	return address
}

// Option is one of a select.
type Option struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Icon  string `json:"icon,omitempty"`
}

// Confirm is asked before an action is sent.
type Confirm struct {
	Title   string `json:"title"`
	Text    string `json:"text"`
	Confirm string `json:"confirm"`
	Style   string `json:"style,omitempty"`
}

// Action is what a field or button sends, as the JSON object that it is; nil for none. Name is its "action".
type Action struct {
	Name string
	JSON json.RawMessage
	// URL is where an action of the kind @ui.url.open leads.
	URL string
}

// Actions that a page carries out itself: one leads to an address, the other shows a component in a modal.
const (
	openURL   = "@ui.url.open"
	openModal = "@ui.modal.open"
)

// textOf is a scalar of the state as text.
func textOf(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case nil:
		return ""
	case []any, map[string]any:
		encoded, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(encoded)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(encoded)
}

// Frames returns the origins of the web frames of an output, sorted: what a page's policy has to allow.
func (o *Output) Frames() []string {
	var origins []string
	o.Element.walk(func(e *Element) {
		if e.Type != WebFrame {
			return
		}
		if origin := originOf(e.URL.In(o.State)); origin != "" && !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	})
	slices.Sort(origins)
	return origins
}

// OpensModal reports whether something in an output opens a modal, of which nobody knows before what it frames.
func (o *Output) OpensModal() bool {
	found := false
	o.Element.walk(func(e *Element) {
		found = found || e.Press.Name == openModal || e.Change.Name == openModal || e.Complete.Name == openModal
	})
	return found
}

// originOf is the origin of an http address in the form of a policy's source; "" for one that a policy cannot name.
func originOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Host == "" ||
		strings.ContainsAny(parsed.Host, " ;,'\"*") {
		return ""
	}
	return parsed.Scheme + "://" + strings.ToLower(parsed.Host)
}

// walk visits an element and all in it, in reading order.
func (e *Element) walk(visit func(*Element)) {
	if e == nil {
		return
	}
	visit(e)
	for _, list := range [][]Element{e.Header, e.Hint, e.Children, e.Footer, e.Buttons} {
		for i := range list {
			list[i].walk(visit)
		}
	}
}
