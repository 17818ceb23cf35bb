package markdown

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// tagForm says what stands between a block tag and its end tag.
type tagForm int

const (
	containerForm tagForm = iota // blocks, or the tags of one kind that child names; the end tag is required
	voidForm                     // nothing that counts: a link for readers of the source; the end tag is optional
	captionForm                  // a caption; the end tag is optional
	codeForm                     // one code block, which takes the attributes
)

// tagSpec says how one block of the dialect is written. The same attributes are spelled fullWidth="true" in a block
// tag and data-full-width="true" in the HTML that stands for the tag inside cells and list items.
type tagSpec struct {
	name       string
	node       doc.Type
	form       tagForm
	child      string         // the only tag that may stand inside
	parent     string         // the only tag that this one may stand in
	argument   *tagAttribute  // what stands bare after the name: an expression, a quoted path
	attributes []tagAttribute // in the order in which they are written
}

// tagAttribute maps one attribute to a field of the node's data. get returns "" for an absent one.
type tagAttribute struct {
	name string
	get  func(data any) string
	set  func(data any, value string)
}

// specOf returns the spelling of a tag, or nil when the dialect does not know it.
func specOf(name string) *tagSpec {
	for i := range tagSpecs {
		if tagSpecs[i].name == name {
			return &tagSpecs[i]
		}
	}
	return nil
}

// specFor returns the spelling of a type of block, or nil when it is not written as a tag.
func specFor(t doc.Type) *tagSpec {
	for i := range tagSpecs {
		if tagSpecs[i].node == t {
			return &tagSpecs[i]
		}
	}
	return nil
}

// standInName returns the attribute's name in HTML.
func (a *tagAttribute) standInName() string {
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
var tagSpecs = []tagSpec{
	{name: "hint", node: doc.Hint, attributes: []tagAttribute{
		choiceOf("style", func(d *doc.HintData) *string { return &d.Style }, "info", "success", "warning", "danger"),
		textOf("icon", func(d *doc.HintData) *string { return &d.Icon }),
	}},
	{name: "tabs", node: doc.Tabs, child: "tab", attributes: []tagAttribute{
		boolOf("fullWidth", func(d *doc.TabsData) **bool { return &d.FullWidth }),
	}},
	{name: "tab", node: doc.TabsItem, parent: "tabs", attributes: []tagAttribute{
		textOf("title", func(d *doc.TabsItemData) *string { return &d.Title }),
		textOf("icon", func(d *doc.TabsItemData) *string { return &d.Icon }),
		textOf("slug", func(d *doc.TabsItemData) *string { return &d.Slug }),
	}},
	{name: "stepper", node: doc.Stepper, child: "step"},
	{name: "step", node: doc.StepperStep, parent: "stepper", attributes: []tagAttribute{
		textOf("icon", func(d *doc.StepperStepData) *string { return &d.Icon }),
	}},
	{name: "columns", node: doc.Columns, child: "column", attributes: []tagAttribute{
		boolOf("fullWidth", func(d *doc.TabsData) **bool { return &d.FullWidth }),
	}},
	{name: "column", node: doc.Column, parent: "columns", attributes: []tagAttribute{
		lengthOf("width", func(d *doc.ColumnData) **doc.Length { return &d.Width }),
		choiceOf("valign", func(d *doc.ColumnData) *string { return &d.VerticalAlignment }, "", "top", "middle",
			"bottom"),
	}},
	{name: "updates", node: doc.Updates, child: "update", attributes: []tagAttribute{
		choiceOf("format", func(d *doc.UpdatesData) *string { return &d.Format }, "", "full", "short", "numeric"),
	}},
	{name: "update", node: doc.Update, parent: "updates", attributes: []tagAttribute{
		textOf("date", func(d *doc.UpdateData) *string { return &d.Date }),
		{name: "tags", get: updateTags, set: setUpdateTags},
	}},
	{name: "prompt", node: doc.Prompt, attributes: []tagAttribute{
		textOf("description", func(d *doc.PromptData) *string { return &d.Description }),
		textOf("icon", func(d *doc.PromptData) *string { return &d.Icon }),
		boolOf("openInAIProviders", func(d *doc.PromptData) **bool { return &d.OpenInAIProviders }),
		choiceOf("defaultExpanded", func(d *doc.PromptData) *string { return &d.DefaultExpanded },
			"", "hidden", "partial", "full"),
	}},
	{name: "if", node: doc.If,
		argument: new(textOf("expression", func(d *doc.ExpressionData) *string { return &d.Expression }))},
	{name: "code", node: doc.Code, form: codeForm, attributes: []tagAttribute{
		textOf("title", func(d *doc.CodeData) *string { return &d.Title }),
		choiceOf("overflow", func(d *doc.CodeData) *string { return &d.Overflow }, "", "scroll", "wrap"),
		boolOf("lineNumbers", func(d *doc.CodeData) **bool { return &d.LineNumbers }),
		boolOf("fullWidth", func(d *doc.CodeData) **bool { return &d.FullWidth }),
		boolOf("expandable", func(d *doc.CodeData) **bool { return &d.Expandable }),
		countOf("collapsedLineCount", func(d *doc.CodeData) **int { return &d.CollapsedLineCount }),
	}},
	{name: "embed", node: doc.Embed, form: captionForm, attributes: []tagAttribute{
		textOf("url", func(d *doc.EmbedData) *string { return &d.URL }),
		boolOf("fullWidth", func(d *doc.EmbedData) **bool { return &d.FullWidth }),
	}},
	{name: "file", node: doc.File, form: captionForm, attributes: []tagAttribute{
		refOf("src", func(d *doc.FileData) *doc.Ref { return &d.Ref }),
	}},
	{name: "content-ref", node: doc.ContentRefBlock, form: voidForm, attributes: []tagAttribute{
		refOf("url", func(d *doc.ContentRefData) *doc.Ref { return &d.Ref }),
	}},
	{name: "include", node: doc.ReusableContent, form: voidForm,
		argument: new(refOf("path", func(d *doc.ReusableContentData) *doc.Ref { return &d.Ref }))},
	{name: "openapi", node: doc.Swagger, form: voidForm, attributes: []tagAttribute{
		refOf("src", openAPIRef), textOf("path", openAPIPath), textOf("method", openAPIMethod),
		boolOf("expanded", func(d *doc.OpenAPIData) **bool { return &d.Expanded }),
		boolOf("fullWidth", func(d *doc.OpenAPIData) **bool { return &d.FullWidth }),
	}},
	{name: "openapi-operation", node: doc.OpenAPIOperation, form: voidForm, attributes: []tagAttribute{
		specRefOf("spec"), textOf("path", openAPIPath), textOf("method", openAPIMethod),
		boolOf("headless", openAPIHeadless),
	}},
	{name: "openapi-schemas", node: doc.OpenAPISchemas, form: voidForm, attributes: []tagAttribute{
		specRefOf("spec"),
		{name: "schemas", get: schemas, set: setSchemas},
		boolOf("grouped", func(d *doc.OpenAPIData) **bool { return &d.Grouped }),
		textOf("title", func(d *doc.OpenAPIData) *string { return &d.Title }),
	}},
	{name: "openapi-webhook", node: doc.OpenAPIWebhook, form: voidForm, attributes: []tagAttribute{
		specRefOf("spec"), textOf("name", func(d *doc.OpenAPIData) *string { return &d.Name }),
		textOf("method", openAPIMethod), boolOf("headless", openAPIHeadless),
	}},

	// Older spellings.
	{name: "swagger", node: doc.Swagger, form: voidForm, attributes: []tagAttribute{
		refOf("src", openAPIRef), textOf("path", openAPIPath), textOf("method", openAPIMethod),
		boolOf("expanded", func(d *doc.OpenAPIData) **bool { return &d.Expanded }),
		boolOf("fullWidth", func(d *doc.OpenAPIData) **bool { return &d.FullWidth }),
	}},
	{name: "page-ref", node: doc.ContentRefBlock, form: voidForm, attributes: []tagAttribute{
		refOf("page", func(d *doc.ContentRefData) *doc.Ref { return &d.Ref }),
	}},
	{name: "code-tabs", node: doc.Tabs, child: "code-tabs-item"},
	{name: "code-tabs-item", node: doc.TabsItem, parent: "code-tabs", attributes: []tagAttribute{
		textOf("title", func(d *doc.TabsItemData) *string { return &d.Title }),
	}},
}

func openAPIRef(d *doc.OpenAPIData) *doc.Ref    { return &d.Ref }
func openAPIPath(d *doc.OpenAPIData) *string    { return &d.Path }
func openAPIMethod(d *doc.OpenAPIData) *string  { return &d.Method }
func openAPIHeadless(d *doc.OpenAPIData) **bool { return &d.Headless }
func schemas(data any) string                   { return strings.Join(data.(*doc.OpenAPIData).Schemas, ",") }
func setSchemas(data any, value string)         { data.(*doc.OpenAPIData).Schemas = splitList(value) }

func textOf[D any](name string, field func(*D) *string) tagAttribute {
	return tagAttribute{
		name: name,
		get:  func(data any) string { return *field(data.(*D)) },
		set:  func(data any, value string) { *field(data.(*D)) = value },
	}
}

// choiceOf is an attribute with few values; the first one stands for anything else.
func choiceOf[D any](name string, field func(*D) *string, choices ...string) tagAttribute {
	a := textOf(name, field)
	a.set = func(data any, value string) {
		*field(data.(*D)) = choices[0]
		for _, choice := range choices {
			if value == choice {
				*field(data.(*D)) = choice
			}
		}
	}
	return a
}

func boolOf[D any](name string, field func(*D) **bool) tagAttribute {
	return tagAttribute{
		name: name,
		get: func(data any) string {
			if value := *field(data.(*D)); value != nil {
				return strconv.FormatBool(*value)
			}
			return ""
		},
		set: func(data any, value string) {
			switch value {
			case "true", "":
				*field(data.(*D)) = new(true)
			case "false":
				*field(data.(*D)) = new(false)
			}
		},
	}
}

func countOf[D any](name string, field func(*D) **int) tagAttribute {
	return tagAttribute{
		name: name,
		get: func(data any) string {
			if value := *field(data.(*D)); value != nil {
				return strconv.Itoa(*value)
			}
			return ""
		},
		set: func(data any, value string) {
			if n, err := strconv.Atoi(value); err == nil && n > 0 && n < 1_000_000 {
				*field(data.(*D)) = &n
			}
		},
	}
}

func lengthOf[D any](name string, field func(*D) **doc.Length) tagAttribute {
	return tagAttribute{
		name: name,
		get: func(data any) string {
			if value := *field(data.(*D)); value != nil {
				return formatLength(*value)
			}
			return ""
		},
		set: func(data any, value string) {
			if length, ok := parseLength(value); ok {
				*field(data.(*D)) = &length
			}
		},
	}
}

func refOf[D any](name string, field func(*D) *doc.Ref) tagAttribute {
	return tagAttribute{
		name: name,
		get:  func(data any) string { return field(data.(*D)).Destination() },
		set:  func(data any, value string) { *field(data.(*D)) = doc.URL(value) },
	}
}

// specRefOf is the slug of an OpenAPI specification.
func specRefOf(name string) tagAttribute {
	return tagAttribute{
		name: name,
		get:  func(data any) string { return stableForm(data.(*doc.OpenAPIData).Ref).Spec },
		set: func(data any, value string) {
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

// parseLength reads "300", "300px" or "50%".
func parseLength(s string) (doc.Length, bool) {
	s = strings.TrimSpace(s)
	digits := strings.TrimRight(s, "%abcdefghijklmnopqrstuvwxyz")
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil || value < 0 || value > 1e6 || strings.ContainsAny(digits, "xXpPnN_") {
		return doc.Length{}, false
	}
	return doc.Length{Unit: s[len(digits):], Value: value}, true
}

func formatLength(l doc.Length) string {
	return strconv.FormatFloat(l.Value, 'f', -1, 64) + l.Unit
}
