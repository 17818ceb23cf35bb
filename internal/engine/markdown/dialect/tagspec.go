package dialect

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// tagForm says what stands between a block tag and its end tag.
type tagForm int

const (
	ContainerForm tagForm = iota // blocks, or the tags of one kind that child names; the end tag is required
	VoidForm                     // nothing that counts: a link for readers of the source; the end tag is optional
	CaptionForm                  // a caption; the end tag is optional
	CodeForm                     // one code block, which takes the attributes
)

// Tag says how one block of the dialect is written. The same attributes are spelled fullWidth="true" in a block
// tag and data-full-width="true" in the HTML that stands for the tag inside cells and list items.
type Tag struct {
	Name       string
	Node       doc.Type
	Form       tagForm
	Child      string      // the only tag that may stand inside
	Parent     string      // the only tag that this one may stand in
	Argument   *Attribute  // what stands bare after the name: an expression, a quoted path
	Attributes []Attribute // in the order in which they are written
}

// Attribute maps one attribute to a field of the node's data. get returns "" for an absent one.
type Attribute struct {
	name string
	Get  func(data any) string
	Set  func(data any, value string)
}

// TagNamed returns the spelling of a tag, or nil when the dialect does not know it.
func TagNamed(name string) *Tag {
	for i := range tagSpecs {
		if tagSpecs[i].Name == name {
			return &tagSpecs[i]
		}
	}
	return nil
}

// specFor returns the spelling of a type of block, or nil when it is not written as a tag.
func specFor(t doc.Type) *Tag {
	for i := range tagSpecs {
		if tagSpecs[i].Node == t {
			return &tagSpecs[i]
		}
	}
	return nil
}

// StandInName returns the attribute's name in HTML.
func (a *Attribute) StandInName() string {
	var b strings.Builder
	b.WriteString("data-")
	for _, r := range a.name {
		if unicode.IsUpper(r) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// tagSpecs is the table of block tags. The first entry of a type of block is the one that is written; later ones are
// older spellings that are only read.
var tagSpecs = []Tag{
	{Name: "hint", Node: doc.Hint, Attributes: []Attribute{
		choiceOf("style", func(d *doc.HintData) *string { return &d.Style }, "info", "success", "warning", "danger"),
		textOf("icon", func(d *doc.HintData) *string { return &d.Icon }),
	}},
	{Name: "tabs", Node: doc.Tabs, Child: "tab", Attributes: []Attribute{
		boolOf("fullWidth", func(d *doc.TabsData) **bool { return &d.FullWidth }),
	}},
	{Name: "tab", Node: doc.TabsItem, Parent: "tabs", Attributes: []Attribute{
		textOf("title", func(d *doc.TabsItemData) *string { return &d.Title }),
		textOf("icon", func(d *doc.TabsItemData) *string { return &d.Icon }),
		textOf("slug", func(d *doc.TabsItemData) *string { return &d.Slug }),
	}},
	{Name: "stepper", Node: doc.Stepper, Child: "step"},
	{Name: "step", Node: doc.StepperStep, Parent: "stepper", Attributes: []Attribute{
		textOf("icon", func(d *doc.StepperStepData) *string { return &d.Icon }),
	}},
	{Name: "columns", Node: doc.Columns, Child: "column", Attributes: []Attribute{
		boolOf("fullWidth", func(d *doc.TabsData) **bool { return &d.FullWidth }),
	}},
	{Name: "column", Node: doc.Column, Parent: "columns", Attributes: []Attribute{
		lengthOf("width", func(d *doc.ColumnData) **doc.Length { return &d.Width }),
		choiceOf("valign", func(d *doc.ColumnData) *string { return &d.VerticalAlignment }, "", "top", "middle",
			"bottom"),
	}},
	{Name: "updates", Node: doc.Updates, Child: "update", Attributes: []Attribute{
		choiceOf("format", func(d *doc.UpdatesData) *string { return &d.Format }, "", "full", "short", "numeric"),
	}},
	{Name: "update", Node: doc.Update, Parent: "updates", Attributes: []Attribute{
		textOf("date", func(d *doc.UpdateData) *string { return &d.Date }),
		{name: "tags", Get: updateTags, Set: setUpdateTags},
	}},
	{Name: "prompt", Node: doc.Prompt, Attributes: []Attribute{
		textOf("description", func(d *doc.PromptData) *string { return &d.Description }),
		textOf("icon", func(d *doc.PromptData) *string { return &d.Icon }),
		boolOf("openInAIProviders", func(d *doc.PromptData) **bool { return &d.OpenInAIProviders }),
		choiceOf("defaultExpanded", func(d *doc.PromptData) *string { return &d.DefaultExpanded },
			"", "hidden", "partial", "full"),
	}},
	{Name: "if", Node: doc.If,
		Argument: new(textOf("expression", func(d *doc.ExpressionData) *string { return &d.Expression }))},
	{Name: "code", Node: doc.Code, Form: CodeForm, Attributes: []Attribute{
		textOf("title", func(d *doc.CodeData) *string { return &d.Title }),
		choiceOf("overflow", func(d *doc.CodeData) *string { return &d.Overflow }, "", "scroll", "wrap"),
		boolOf("lineNumbers", func(d *doc.CodeData) **bool { return &d.LineNumbers }),
		boolOf("fullWidth", func(d *doc.CodeData) **bool { return &d.FullWidth }),
		boolOf("expandable", func(d *doc.CodeData) **bool { return &d.Expandable }),
		countOf("collapsedLineCount", func(d *doc.CodeData) **int { return &d.CollapsedLineCount }),
	}},
	{Name: "embed", Node: doc.Embed, Form: CaptionForm, Attributes: []Attribute{
		textOf("url", func(d *doc.EmbedData) *string { return &d.URL }),
		boolOf("fullWidth", func(d *doc.EmbedData) **bool { return &d.FullWidth }),
	}},
	{Name: "file", Node: doc.File, Form: CaptionForm, Attributes: []Attribute{
		refOf("src", func(d *doc.FileData) *doc.Ref { return &d.Ref }),
	}},
	{Name: "content-ref", Node: doc.ContentRefBlock, Form: VoidForm, Attributes: []Attribute{
		refOf("url", func(d *doc.ContentRefData) *doc.Ref { return &d.Ref }),
	}},
	{Name: "include", Node: doc.ReusableContent, Form: VoidForm,
		Argument: new(refOf("path", func(d *doc.ReusableContentData) *doc.Ref { return &d.Ref }))},
	{Name: "openapi", Node: doc.Swagger, Form: VoidForm, Attributes: []Attribute{
		refOf("src", openAPIRef), textOf("path", openAPIPath), textOf("method", openAPIMethod),
		boolOf("expanded", func(d *doc.OpenAPIData) **bool { return &d.Expanded }),
		boolOf("fullWidth", func(d *doc.OpenAPIData) **bool { return &d.FullWidth }),
		boolOf("headless", openAPIHeadless),
	}},
	{Name: "openapi-operation", Node: doc.OpenAPIOperation, Form: VoidForm, Attributes: []Attribute{
		specRefOf("spec"), textOf("path", openAPIPath), textOf("method", openAPIMethod),
		boolOf("headless", openAPIHeadless),
	}},
	{Name: "openapi-schemas", Node: doc.OpenAPISchemas, Form: VoidForm, Attributes: []Attribute{
		specRefOf("spec"),
		{name: "schemas", Get: schemas, Set: setSchemas},
		boolOf("grouped", func(d *doc.OpenAPIData) **bool { return &d.Grouped }),
		textOf("title", func(d *doc.OpenAPIData) *string { return &d.Title }),
	}},
	{Name: "openapi-webhook", Node: doc.OpenAPIWebhook, Form: VoidForm, Attributes: []Attribute{
		specRefOf("spec"), textOf("name", func(d *doc.OpenAPIData) *string { return &d.Name }),
		textOf("method", openAPIMethod), boolOf("headless", openAPIHeadless),
	}},

	// Older spellings.
	{Name: "swagger", Node: doc.Swagger, Form: VoidForm, Attributes: []Attribute{
		refOf("src", openAPIRef), textOf("path", openAPIPath), textOf("method", openAPIMethod),
		boolOf("expanded", func(d *doc.OpenAPIData) **bool { return &d.Expanded }),
		boolOf("fullWidth", func(d *doc.OpenAPIData) **bool { return &d.FullWidth }),
	}},
	{Name: "page-ref", Node: doc.ContentRefBlock, Form: VoidForm, Attributes: []Attribute{
		refOf("page", func(d *doc.ContentRefData) *doc.Ref { return &d.Ref }),
	}},
	{Name: "code-tabs", Node: doc.Tabs, Child: "code-tabs-item"},
	{Name: "code-tabs-item", Node: doc.TabsItem, Parent: "code-tabs", Attributes: []Attribute{
		textOf("title", func(d *doc.TabsItemData) *string { return &d.Title }),
	}},
}

func openAPIRef(d *doc.OpenAPIData) *doc.Ref    { return &d.Ref }
func openAPIPath(d *doc.OpenAPIData) *string    { return &d.Path }
func openAPIMethod(d *doc.OpenAPIData) *string  { return &d.Method }
func openAPIHeadless(d *doc.OpenAPIData) **bool { return &d.Headless }
func schemas(data any) string                   { return strings.Join(data.(*doc.OpenAPIData).Schemas, ",") }
func setSchemas(data any, value string)         { data.(*doc.OpenAPIData).Schemas = splitList(value) }

func textOf[D any](name string, field func(*D) *string) Attribute {
	return Attribute{
		name: name,
		Get:  func(data any) string { return *field(data.(*D)) },
		Set:  func(data any, value string) { *field(data.(*D)) = value },
	}
}

// choiceOf is an attribute with few values; the first one stands for anything else.
func choiceOf[D any](name string, field func(*D) *string, choices ...string) Attribute {
	a := textOf(name, field)
	a.Set = func(data any, value string) {
		*field(data.(*D)) = choices[0]
		for _, choice := range choices {
			if value == choice {
				*field(data.(*D)) = choice
			}
		}
	}
	return a
}

func boolOf[D any](name string, field func(*D) **bool) Attribute {
	return Attribute{
		name: name,
		Get: func(data any) string {
			if value := *field(data.(*D)); value != nil {
				return strconv.FormatBool(*value)
			}
			return ""
		},
		Set: func(data any, value string) {
			switch value {
			case "true", "":
				*field(data.(*D)) = new(true)
			case "false":
				*field(data.(*D)) = new(false)
			}
		},
	}
}

func countOf[D any](name string, field func(*D) **int) Attribute {
	return Attribute{
		name: name,
		Get: func(data any) string {
			if value := *field(data.(*D)); value != nil {
				return strconv.Itoa(*value)
			}
			return ""
		},
		Set: func(data any, value string) {
			if n, err := strconv.Atoi(value); err == nil && n > 0 && n < 1_000_000 {
				*field(data.(*D)) = &n
			}
		},
	}
}

func lengthOf[D any](name string, field func(*D) **doc.Length) Attribute {
	return Attribute{
		name: name,
		Get: func(data any) string {
			if value := *field(data.(*D)); value != nil {
				return FormatLength(*value)
			}
			return ""
		},
		Set: func(data any, value string) {
			if length, ok := ParseLength(value); ok {
				*field(data.(*D)) = &length
			}
		},
	}
}

func refOf[D any](name string, field func(*D) *doc.Ref) Attribute {
	return Attribute{
		name: name,
		Get:  func(data any) string { return field(data.(*D)).Destination() },
		Set:  func(data any, value string) { *field(data.(*D)) = doc.URL(value) },
	}
}

// specRefOf is the slug of an OpenAPI specification.
func specRefOf(name string) Attribute {
	return Attribute{
		name: name,
		Get:  func(data any) string { return stableForm(data.(*doc.OpenAPIData).Ref).Spec },
		Set: func(data any, value string) {
			data.(*doc.OpenAPIData).Ref = doc.Ref{Kind: doc.RefOpenAPI, Spec: value}
		},
	}
}

// stableForm is a reference by what it names, also where that stands in an address ("/openapi/SLUG", "/tags/TAG").
func stableForm(ref doc.Ref) doc.Ref {
	if ref.Kind == doc.RefURL {
		return doc.ParseDestination(ref.URL)
	}
	return ref
}

func updateTags(data any) string {
	var tags []string
	for _, ref := range data.(*doc.UpdateData).Tags {
		tags = append(tags, stableForm(ref).Tag)
	}
	return strings.Join(tags, ",")
}

func setUpdateTags(data any, value string) {
	update := data.(*doc.UpdateData)
	update.Tags = nil
	for _, tag := range splitList(value) {
		update.Tags = append(update.Tags, doc.Ref{Kind: doc.RefTag, Tag: tag})
	}
}

// splitList splits "a, b" at its commas, without empty entries.
func splitList(value string) []string {
	var list []string
	for entry := range strings.SplitSeq(value, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, entry)
		}
	}
	return list
}

// ParseLength reads "300", "300px" or "50%".
func ParseLength(s string) (doc.Length, bool) {
	s = strings.TrimSpace(s)
	digits := strings.TrimRight(s, "%abcdefghijklmnopqrstuvwxyz")
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil || value < 0 || value > 1e6 || strings.ContainsAny(digits, "xXpPnN_") {
		return doc.Length{}, false
	}
	return doc.Length{Unit: s[len(digits):], Value: value}, true
}

// FormatLength writes what ParseLength reads.
func FormatLength(l doc.Length) string {
	return strconv.FormatFloat(l.Value, 'f', -1, 64) + l.Unit
}

// OpenTag writes the start tag of a block.
func (s *Tag) OpenTag(data any) string {
	parts := []string{"{%", s.Name}
	if s.Argument != nil {
		argument := s.Argument.Get(data)
		if s.Name == "include" {
			argument = `"` + argument + `"`
		}
		if argument != "" {
			parts = append(parts, argument)
		}
	}
	for i := range s.Attributes {
		if value := s.Attributes[i].Get(data); value != "" {
			parts = append(parts, formatArgument(s.Attributes[i].name, value))
		}
	}
	return strings.Join(append(parts, "%}"), " ")
}

// Read sets the attributes of a node's data.
func (s *Tag) Read(data any, arguments []Argument) {
	for _, argument := range arguments {
		if s.Argument != nil {
			s.Argument.Set(data, argument.Value.(string))
			continue
		}
		for i := range s.Attributes {
			if s.Attributes[i].name == argument.Key {
				s.Attributes[i].Set(data, argument.Value.(string))
			}
		}
	}
}

// InlineOperation is how an operation of an API is spelled that is described in the page itself: a swagger tag without
// src. It is written with the blocks that it was read as; operationParts are older spellings that are only read.
var InlineOperation = Tag{Name: "swagger", Node: doc.Swagger, Attributes: []Attribute{
	textOf("method", openAPIMethod), textOf("path", openAPIPath),
	textOf("baseUrl", func(d *doc.OpenAPIData) *string { return &d.BaseURL }),
	textOf("summary", func(d *doc.OpenAPIData) *string { return &d.Title }),
	boolOf("expanded", func(d *doc.OpenAPIData) **bool { return &d.Expanded }),
	boolOf("fullWidth", func(d *doc.OpenAPIData) **bool { return &d.FullWidth }),
}}

// Spelling returns how a block is written; nil when it is not written as a tag.
func Spelling(node *doc.Node) *Tag {
	if data, ok := node.Data.(*doc.OpenAPIData); ok && node.Type == doc.Swagger && data.IsInline() {
		return &InlineOperation
	}
	return specFor(node.Type)
}
