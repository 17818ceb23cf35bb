package contentkit

import (
	"bytes"
	"context"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Options say how to print what an output only names.
type Options struct {
	// Icon returns the drawing of a name as an SVG element that is trusted, "" for none. Nil draws none.
	Icon func(name string) string
	// Labels are the words of the interface. Empty ones are English.
	Labels Labels
	// IDPrefix begins every id, so that several outputs stand on one page.
	IDPrefix string
	// Shared reports whether a host is one that this server answers at. A web frame of such a host gets no origin of
	// its own, since that would be the one of the page or of the app. Nil means that every host is.
	Shared func(host string) bool
	// NewTab opens links in a new tab.
	NewTab bool
	// Code are the options that Markdown and code inside of the output are rendered with.
	Code render.Options
}

// Labels are the words of the interface.
type Labels struct{ Frame, Next, Finish, Choose string }

func (l Labels) withDefaults() Labels {
	for _, each := range []struct {
		into *string
		text string
	}{{&l.Frame, "Embedded content"}, {&l.Next, "Next"}, {&l.Finish, "Finish"},
		{&l.Choose, "Choose"}} {
		if *each.into == "" {
			*each.into = each.text
		}
	}
	return l
}

// HTML returns an output as HTML, "" for a complete one. Every text is escaped, and there is no script, style attribute
// or event handler in it. What a script of the page may do is said by data attributes:
//
//	data-kit-press    the action of a button, as JSON; data-kit-confirm what is asked before
//	data-kit-state    the name that a field changes in the state; data-kit-change the action that is sent then
//	data-kit-frame    a web frame, with the state that it is told of as JSON
//
// What opens an address is a link and needs no script.
func HTML(ctx context.Context, out *Output, options Options) (string, error) {
	if out.Complete {
		return "", nil
	}
	options.Labels = options.Labels.withDefaults()
	p := &printer{ctx: ctx, options: options, state: stateOf(out)}
	p.element(out.Element)
	return p.out.String(), p.failure
}

// stateOf is the state of an output with what its fields begin with.
func stateOf(out *Output) map[string]any {
	state := make(map[string]any, len(out.State))
	maps.Copy(state, out.State)
	out.Element.walk(func(e *Element) {
		if _, known := state[e.State]; e.State != "" && !known && e.Initial != nil {
			state[e.State] = e.Initial
		}
	})
	return state
}

// printer writes the elements of one output.
type printer struct {
	ctx     context.Context
	out     bytes.Buffer
	options Options
	state   map[string]any
	ids     int
	failure error
	// labelled is the id of the label of the field that is written, described that of its hint.
	labelled, described string
	// inline says that what is written stands in a line of text.
	inline bool
}

func (p *printer) raw(markup string) { p.out.WriteString(markup) }

func (p *printer) text(text string) {
	p.out.WriteString(html.EscapeString(strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")))
}

// open writes a start tag with pairs of names and values; one without a value is left out, see bare and empty.
func (p *printer) open(tag string, attributes ...string) {
	p.raw("<" + tag)
	for i := 0; i+1 < len(attributes); i += 2 {
		switch attributes[i+1] {
		case "":
		case bare:
			p.raw(" " + attributes[i])
		case empty:
			p.raw(" " + attributes[i] + `=""`)
		default:
			p.raw(" " + attributes[i] + `="`)
			p.text(attributes[i+1])
			p.raw(`"`)
		}
	}
	p.raw(">")
}

func (p *printer) close(tag string) { p.raw("</" + tag + ">") }

// bare stands for the value of an attribute that has none, empty for one that is an empty text.
const (
	bare  = "\x00"
	empty = "\x00\x00"
)

func when(is bool) string {
	if is {
		return bare
	}
	return ""
}

// id returns an id that nothing else on the page has.
func (p *printer) id() string {
	p.ids++
	return p.options.IDPrefix + "kit-" + strconv.Itoa(p.ids)
}

func (p *printer) icon(name string, picture Address) {
	if address := picture.pictureURL(p.state); address != "" {
		p.open("img", "class", "kit-icon", "src", address, "alt", empty, "loading", "lazy")
		return
	}
	if name == "" || p.options.Icon == nil {
		return
	}
	if drawing := p.options.Icon(name); drawing != "" {
		p.raw(`<span class="kit-icon icon" aria-hidden="true">` + drawing + `</span>`)
	}
}

func (p *printer) elements(list []Element) {
	for i := range list {
		p.element(&list[i])
	}
}

// oneOf returns a class for a value that is among some, "" for every other.
func oneOf(class, value string, allowed ...string) string {
	if slices.Contains(allowed, value) {
		return " " + class + value
	}
	return ""
}

func (p *printer) element(e *Element) {
	if p.failure != nil {
		return
	}
	switch e.Type {
	case Words:
		p.text(e.Words)
	case Block, Configuration:
		p.block(e)
	case Modal:
		p.modal(e)
	case VStack, HStack:
		p.raw(`<div class="kit-` + string(e.Type) + oneOf("is-", e.Align, "start", "center", "end") + `">`)
		p.elements(e.Children)
		p.close("div")
	case Box, Step:
		grows := ""
		if e.Grows {
			grows = " is-grown"
		}
		p.raw(`<div class="kit-box` + grows + `">`)
		p.elements(e.Children)
		p.close("div")
	case Divider:
		p.raw(`<hr class="kit-divider` + oneOf("is-", e.Size, "small", "medium", "large") + `">`)
	case Text:
		p.styled(e)
	case Hint:
		p.raw(`<p class="kit-hint">`)
		p.line(e.Children)
		p.close("p")
	case Link:
		p.link(e)
	case Image:
		p.image(e)
	case Card:
		p.card(e)
	case Button:
		p.button(e)
	case CodeBlock:
		p.code(e)
	case Markdown:
		p.markdown(e.Content.In(p.state))
	case WebFrame:
		p.frame(e)
	case Stepper:
		p.stepper(e)
	case Input:
		p.input(e)
	default:
		p.field(e)
	}
}

// line writes elements that stand in a line of text.
func (p *printer) line(list []Element) {
	before := p.inline
	p.inline = true
	p.elements(list)
	p.inline = before
}

func (p *printer) block(e *Element) {
	p.raw(`<div class="kit-` + string(e.Type) + `">`)
	p.elements(e.Children)
	p.close("div")
}

func (p *printer) modal(e *Element) {
	p.open("div", "class", "kit-modal"+oneOf("is-", e.Size, "medium", "xlarge", "fullscreen"),
		"data-kit-return", jsonOf(e.ReturnValue))
	if e.Title != "" {
		p.raw(`<h2 class="kit-modal-title">`)
		p.text(e.Title)
		p.close("h2")
	}
	if len(e.Hint) > 0 {
		p.raw(`<p class="kit-modal-subtitle">`)
		p.line(e.Hint)
		p.close("p")
	}
	p.raw(`<div class="kit-modal-body">`)
	p.elements(e.Children)
	p.close("div")
	p.buttons(e.Buttons)
	p.close("div")
}

func (p *printer) buttons(list []Element) {
	if len(list) == 0 {
		return
	}
	p.raw(`<div class="kit-buttons">`)
	p.elements(list)
	p.close("div")
}

var textTags = map[string]string{"bold": "strong", "italic": "em", "code": "code", "strikethrough": "s"}

func (p *printer) styled(e *Element) {
	tag := textTags[e.Style]
	if tag == "" {
		tag = "span"
	}
	p.open(tag, "class", "kit-text")
	p.line(e.Children)
	p.close(tag)
}

func (p *printer) link(e *Element) {
	address := e.URL.In(p.state)
	if address == "" {
		p.elements(e.Children)
		return
	}
	p.anchor(address, "kit-link", "", "")
	p.elements(e.Children)
	p.close("a")
}

// anchor opens a link to another place.
func (p *printer) anchor(address, class, label, title string) {
	target := ""
	if p.options.NewTab {
		target = "_blank"
	}
	p.open("a", "class", class, "href", address, "rel", "noopener noreferrer nofollow", "target", target,
		"aria-label", label, "title", title)
}

// imageWidth stands for the width of a picture of which only the ratio is known.
const imageWidth = 1000

func (p *printer) image(e *Element) {
	address := e.URL.pictureURL(p.state)
	if address == "" {
		return
	}
	class, width, height := "kit-image", "", ""
	if p.inline {
		class += " is-inline"
	} else if e.AspectRatio > 0 {
		width, height = strconv.Itoa(imageWidth), strconv.Itoa(max(1, int(imageWidth/e.AspectRatio)))
	}
	p.open("img", "class", class, "src", address, "alt", empty, "width", width, "height", height,
		"loading", "lazy")
}

func (p *printer) card(e *Element) {
	class := "kit-card"
	if e.Press.JSON != nil {
		class += " is-pressable"
	}
	p.open("div", "class", class)
	if e.Title != "" || e.Icon != "" || e.Picture.pictureURL(p.state) != "" || len(e.Hint) > 0 {
		p.raw(`<div class="kit-card-head">`)
		p.icon(e.Icon, e.Picture)
		p.raw(`<div class="kit-card-titles">`)
		p.cardTitle(e)
		if len(e.Hint) > 0 {
			p.raw(`<div class="kit-card-hint">`)
			p.line(e.Hint)
			p.close("div")
		}
		p.raw(`</div></div>`)
	}
	if len(e.Children) > 0 {
		p.raw(`<div class="kit-card-body">`)
		p.elements(e.Children)
		p.close("div")
	}
	p.buttons(e.Buttons)
	p.close("div")
}

// cardTitle writes the title, which is what is pressed where the card can be.
func (p *printer) cardTitle(e *Element) {
	if e.Title == "" {
		return
	}
	switch {
	case e.Press.URL != "":
		p.anchor(e.Press.URL, "kit-card-title", "", "")
		p.text(e.Title)
		p.close("a")
	case e.Press.JSON != nil:
		p.open("button", "type", "button", "class", "kit-card-title", "data-kit-press", string(e.Press.JSON),
			"data-kit-confirm", jsonOf(e.Confirm))
		p.text(e.Title)
		p.close("button")
	default:
		p.raw(`<div class="kit-card-title">`)
		p.text(e.Title)
		p.close("div")
	}
}

func (p *printer) button(e *Element) {
	class := "kit-button" + oneOf("is-", e.Style, "primary", "secondary", "danger")
	label := ""
	if e.Label == "" {
		if label = e.Tooltip; label == "" {
			label = e.Press.Name
		}
	}
	tag := "button"
	if e.Press.URL != "" && !e.Disabled && e.Confirm == nil {
		tag = "a"
		p.anchor(e.Press.URL, class, label, e.Tooltip)
	} else {
		p.open(tag, "type", "button", "class", class, "data-kit-press", string(e.Press.JSON), "data-kit-confirm",
			jsonOf(e.Confirm), "disabled", when(e.Disabled || e.Press.JSON == nil), "aria-label", label,
			"title", e.Tooltip)
	}
	p.icon(e.Icon, e.Picture)
	if e.Label != "" {
		p.raw("<span>")
		p.text(e.Label)
		p.raw("</span>")
	}
	p.icon(e.TrailingIcon, Address{})
	p.close(tag)
}

func (p *printer) code(e *Element) {
	p.raw(`<div class="kit-code">`)
	if len(e.Header) > 0 {
		p.raw(`<div class="kit-code-header">`)
		p.elements(e.Header)
		p.close("div")
	}
	content := e.Content.In(p.state)
	if e.Change.JSON != nil || e.State != "" {
		// The block is edited in place.
		p.open("textarea", "class", "kit-control-field is-code", "spellcheck", "false", "rows",
			strconv.Itoa(min(30, max(3, strings.Count(content, "\n")+1))), "data-kit-state",
			firstOf(e.State, e.Content.State),
			"data-kit-change", string(e.Change.JSON), "aria-labelledby", p.labelled, "aria-label",
			unless(p.labelled, firstOf(e.Syntax, "Code")))
		p.raw("\n")
		p.text(content)
		p.close("textarea")
	} else {
		data := &doc.CodeData{Syntax: e.Syntax, LineNumbers: &e.LineNumbers}
		p.document(&doc.Document{Nodes: []*doc.Node{doc.NewCode(data, strings.Split(strings.TrimSuffix(content, "\n"),
			"\n")...)}})
	}
	p.buttons(e.Buttons)
	if len(e.Footer) > 0 {
		p.raw(`<div class="kit-code-footer">`)
		p.elements(e.Footer)
		p.close("div")
	}
	p.close("div")
}

func (p *printer) markdown(content string) {
	document, err := markdown.Parse([]byte(content))
	if err != nil {
		p.raw(`<p class="kit-markdown">`)
		p.text(content)
		p.close("p")
		return
	}
	p.raw(`<div class="kit-markdown">`)
	p.document(document)
	p.close("div")
}

// document writes a document of its own, which is never that of the page: nothing in it may be an anchor there, and it
// holds no blocks of integrations that would be asked for in turn.
func (p *printer) document(document *doc.Document) {
	options := p.options.Code
	options.IDPrefix = p.id() + "-"
	options.Resolver, options.Reusable, options.OpenAPI = nil, nil, nil
	options.Integration, options.Fence = nil, nil
	if err := render.HTML(p.ctx, &p.out, document, options); err != nil && p.failure == nil {
		p.failure = err
	}
}

func (p *printer) frame(e *Element) {
	address := e.URL.In(p.state)
	origin := originOf(address)
	if origin == "" {
		return
	}
	sandbox := "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads"
	_, host, _ := strings.Cut(origin, "://")
	if p.options.Shared != nil && !p.options.Shared(host) {
		sandbox += " allow-same-origin"
	}
	data := make(map[string]any, len(e.Data))
	for name, value := range e.Data {
		if value.State != "" {
			data[name] = p.state[value.State]
		} else {
			data[name] = value.Text
		}
	}
	p.raw(`<div class="kit-frame">`)
	p.open("iframe", "src", address, "title", p.options.Labels.Frame, "sandbox", sandbox, "loading", "lazy",
		"allow", "fullscreen; clipboard-write", "referrerpolicy", "strict-origin-when-cross-origin",
		"data-kit-frame", jsonOf(data), "data-kit-bindings", jsonOf(bindings(e.Data)),
		"data-kit-ratio", ratio(e.AspectRatio))
	p.close("iframe")
	p.buttons(e.Buttons)
	p.close("div")
}

// bindings are the names in the state that a frame's data comes from, by the names that the frame knows.
func bindings(data map[string]Value) map[string]string {
	bound := map[string]string{}
	for name, value := range data {
		if value.State != "" {
			bound[name] = value.State
		}
	}
	return bound
}

func ratio(value float64) string {
	if value == 0 {
		return ""
	}
	return strconv.FormatFloat(value, 'f', 4, 64)
}

func (p *printer) stepper(e *Element) {
	active := slices.IndexFunc(e.Children, func(step Element) bool { return step.Type == Step && step.ID == e.Active })
	if active < 0 {
		active = slices.IndexFunc(e.Children, func(step Element) bool { return step.Type == Step })
	}
	if active < 0 {
		return
	}
	p.raw(`<div class="kit-stepper"><ol class="kit-steps">`)
	for i, step := range e.Children {
		if step.Type != Step {
			continue
		}
		current := ""
		if i == active {
			current = "step"
		}
		p.open("li", "aria-current", current)
		p.text(firstOf(step.Title, step.ID))
		p.close("li")
	}
	p.raw(`</ol>`)
	p.element(&e.Children[active])
	if e.Children[active].Next {
		label, action := p.options.Labels.Finish, e.Complete
		if next := active + 1; next < len(e.Children) && e.Children[next].Type == Step {
			label, action = p.options.Labels.Next, e.Change.with("step", e.Children[next].ID)
		}
		p.buttons([]Element{{Type: Button, Label: label, Style: "primary", Press: action}})
	}
	p.close("div")
}

func firstOf(texts ...string) string {
	for _, each := range texts {
		if each != "" {
			return each
		}
	}
	return ""
}

// unless returns a text where another is empty.
func unless(other, text string) string {
	if other != "" {
		return ""
	}
	return text
}
