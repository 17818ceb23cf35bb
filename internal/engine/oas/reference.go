package oas

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Expand returns the blocks that describe what an API block names: its operation, webhook or models. It returns nil
// when the description has none of that name. The budget is that of the whole page: what is past it is named only.
func (d *Document) Expand(block doc.Type, data *doc.OpenAPIData, b *Budget) []*doc.Node {
	switch block {
	case doc.OpenAPIOperation, doc.Swagger:
		if o := d.Operation(data.Method, data.Path); o != nil {
			return o.titled(data, b)
		}
	case doc.OpenAPIWebhook:
		if o := d.Webhook(data.Method, data.Name); o != nil {
			return o.titled(data, b)
		}
	case doc.OpenAPISchemas:
		var nodes []*doc.Node
		for i, name := range data.Schemas {
			if s := d.Schema(name, b); s != nil && i < maxParts {
				nodes = append(nodes, modelBlock(name, s, b))
			}
		}
		return nodes
	}
	return nil
}

// titled is blocks below what the operation is called, unless the block is without its head: the page says it then.
func (o *Operation) titled(data *doc.OpenAPIData, b *Budget) []*doc.Node {
	nodes := o.blocks(b)
	if !o.named || data.Headless != nil && *data.Headless {
		return nodes
	}
	title := doc.NewParagraph(doc.NewText(clean(o.Summary), doc.Mark{Type: doc.Bold}))
	return append([]*doc.Node{title}, nodes...)
}

// blocks describes an operation: what it does, how to sign it, what it takes and answers, and a sample.
func (o *Operation) blocks(b *Budget) []*doc.Node {
	var nodes []*doc.Node
	if o.Deprecated {
		nodes = append(nodes, doc.NewBlock(doc.Hint, &doc.HintData{Style: "warning"},
			paragraph("This operation is deprecated.")))
	}
	nodes = append(nodes, prose(o.Description, b)...)
	nodes = append(nodes, o.securityBlocks()...)
	parameters := o.Parameters(b)
	for _, place := range []struct{ in, title string }{
		{"path", "Path parameters"}, {"query", "Query parameters"}, {"header", "Header parameters"},
		{"cookie", "Cookie parameters"},
	} {
		if table := parameterTable(parameters, place.in, b); table != nil {
			nodes = append(nodes, heading(place.title), table)
		}
	}
	if body := o.Body(b); body != nil {
		nodes = append(nodes, bodyBlocks(body, b)...)
	}
	nodes = append(nodes, responseBlocks(o.Responses(b), b)...)
	if !o.Webhook {
		nodes = append(nodes, heading("Example request"), sampleTabs(o.Samples(b)))
	}
	return nodes
}

func heading(title string) *doc.Node {
	return doc.NewBlock(doc.Heading3, nil, doc.NewText(title))
}

func paragraph(text string) *doc.Node { return doc.NewParagraph(doc.NewText(clean(text))) }

func code(text string) *doc.Node { return doc.NewText(clean(text), doc.Mark{Type: doc.CodeMark}) }

func bold(text string) *doc.Node { return doc.NewText(clean(text), doc.Mark{Type: doc.Bold}) }

// clean puts a text on one line of bounded length.
func clean(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}

// Bounds of texts, in bytes.
const (
	maxLine  = 500
	maxProse = 32 << 10
	// maxProseDepth bounds how deep the blocks of a text nest: they are put into lists that nest themselves.
	maxProseDepth = 16
)

// prose reads a Markdown text of a description. It keeps plain formatting only: nothing in it may include other
// content, run an expression or open a heading of the page.
func prose(text string, b *Budget) []*doc.Node {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	if len(text) > maxProse {
		text = strings.ToValidUTF8(text[:maxProse], "") + "…"
	}
	if b.Text -= len(text); b.Text < 0 {
		return []*doc.Node{paragraph(text)}
	}
	parsed, err := markdown.Parse([]byte(text))
	if err != nil || deeper(parsed.Nodes, maxProseDepth) {
		return []*doc.Node{paragraph(text)}
	}
	return plain(parsed.Nodes)
}

// deeper reports whether nodes nest deeper than a number of levels.
func deeper(nodes []*doc.Node, levels int) bool {
	if len(nodes) > 0 && levels == 0 {
		return true
	}
	return slices.ContainsFunc(nodes, func(n *doc.Node) bool {
		return deeper(n.Nodes, levels-1) || deeper(n.Fragments, levels-1)
	})
}

// plain keeps of a list of nodes what a description may hold. Parts of what it does not keep come in its place.
func plain(nodes []*doc.Node) []*doc.Node {
	var kept []*doc.Node
	for _, n := range nodes {
		n.ID = ""
		switch n.Type {
		case doc.Heading1, doc.Heading2, doc.Heading3:
			kept = append(kept, doc.NewParagraph(bold(n.PlainText())))
			continue
		case doc.If, doc.Tabs, doc.TabsItem, doc.Stepper, doc.StepperStep, doc.Columns, doc.Column, doc.Updates,
			doc.Update, doc.Prompt:
			kept = append(kept, plain(n.Nodes)...)
			continue
		case doc.ReusableContent, doc.Integration, doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas,
			doc.OpenAPIWebhook, doc.Embed,
			doc.ContentRefBlock, doc.File, doc.Drawing, doc.Expression, doc.Mention, doc.Annotation, doc.Button,
			doc.Expandable:
			if text := n.PlainText(); strings.TrimSpace(text) != "" && doc.IsInline(n.Type) {
				kept = append(kept, doc.NewText(text))
			}
			continue
		}
		n.Nodes = plain(n.Nodes)
		for _, fragment := range n.Fragments {
			fragment.Nodes = plain(fragment.Nodes)
		}
		kept = append(kept, n)
	}
	return kept
}

func (o *Operation) securityBlocks() []*doc.Node {
	ways := o.Security()
	if len(ways) == 0 {
		return nil
	}
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, together := range ways {
		var parts []*doc.Node
		for i, c := range together {
			if i > 0 {
				parts = append(parts, doc.NewText(" and "))
			}
			parts = append(parts, bold(c.Name), doc.NewText(": "+c.explain()))
		}
		if len(together) == 0 {
			parts = []*doc.Node{doc.NewText("none")}
		}
		list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, doc.NewParagraph(parts...)))
	}
	return []*doc.Node{heading("Authorization"), list}
}

// explain says in a few words where a credential goes.
func (c Credential) explain() string {
	text := clean(c.Kind)
	switch {
	case c.Kind == "http" && c.Scheme == "basic":
		text = "user name and password, in the header Authorization"
	case c.Kind == "http":
		text = clean(c.Scheme) + " token in the header Authorization"
	case c.Kind == "apiKey":
		text = "API key in the " + clean(c.In) + " parameter " + clean(c.Parameter)
		if c.In == "header" || c.In == "cookie" {
			text = "API key in the " + c.In + " " + clean(c.Parameter)
		}
	case c.Kind == "oauth2":
		text = "OAuth 2.0 token in the header Authorization"
	}
	if len(c.Scopes) > 0 {
		text += "; scopes " + clean(strings.Join(c.Scopes, ", "))
	}
	return text
}

// parameterTable lists the parameters of one place; nil when there are none.
func parameterTable(parameters []Parameter, in string, b *Budget) *doc.Node {
	var rows [][][]*doc.Node
	for _, p := range parameters {
		if p.In != in {
			continue
		}
		name := []*doc.Node{code(p.Name)}
		if p.Required {
			name = append(name, doc.NewText(" "), doc.NewText("required", doc.Mark{Type: doc.Italic}))
		}
		about := prose(p.Description, b)
		if p.Deprecated {
			about = append([]*doc.Node{paragraph("Deprecated.")}, about...)
		}
		if p.Schema != nil {
			if len(about) == 0 {
				about = prose(p.Schema.Description, b)
			}
			if facts := factsOf(p.Schema); facts != nil {
				about = append(about, facts)
			}
		}
		rows = append(rows, [][]*doc.Node{{doc.NewParagraph(name...)}, {doc.NewParagraph(code(p.Schema.TypeName()))},
			about})
	}
	if rows == nil {
		return nil
	}
	return doc.NewTextTable([]string{"Name", "Type", "Description"}, rows)
}

// factsOf says what limits a value: its values, its default and other bounds; nil when there is nothing to say.
func factsOf(s *Schema) *doc.Node {
	var parts []*doc.Node
	sentence := func(nodes ...*doc.Node) {
		if len(parts) > 0 {
			parts = append(parts, doc.NewText(" "))
		}
		parts = append(append(parts, nodes...), doc.NewText("."))
	}
	enum, more, lead := s.Enum, s.MoreEnum, "One of "
	if s.Items != nil && len(enum) == 0 {
		enum, more, lead = s.Items.Enum, s.Items.MoreEnum, "Each one of "
	}
	if len(enum) > 0 {
		values := []*doc.Node{doc.NewText(lead)}
		for i, value := range enum {
			if i > 0 {
				values = append(values, doc.NewText(", "))
			}
			values = append(values, code(valueText(value)))
		}
		if more > 0 {
			values = append(values, doc.NewText(" and "+strconv.Itoa(more)+" more"))
		}
		sentence(values...)
	}
	if s.Const != nil {
		sentence(doc.NewText("Always "), code(valueText(s.Const)))
	}
	if s.Default != nil {
		sentence(doc.NewText("Default: "), code(valueText(s.Default)))
	}
	if len(s.Constraints) > 0 {
		text := clean(strings.Join(s.Constraints, ", "))
		sentence(doc.NewText(strings.ToUpper(text[:1]) + text[1:]))
	}
	if len(parts) == 0 {
		return nil
	}
	return doc.NewParagraph(parts...)
}

func valueText(n *Node) string {
	if n.Kind == String {
		if n.Text == "" {
			return `""`
		}
		return n.Text
	}
	return compact(n)
}

func bodyBlocks(body *Body, b *Budget) []*doc.Node {
	nodes := []*doc.Node{heading("Request body")}
	if !body.Required {
		nodes[0] = heading("Request body (optional)")
	}
	nodes = append(nodes, prose(body.Description, b)...)
	return append(nodes, contentBlocks(body.Content, b)...)
}

// contentBlocks describes the forms of a body. Forms that say the same come together.
func contentBlocks(content []Media, b *Budget) []*doc.Node {
	var nodes []*doc.Node
	for i, media := range content {
		if i > 0 && media.Schema.TypeName() == content[i-1].Schema.TypeName() && media.Schema != nil &&
			media.Schema.Name != "" {
			continue
		}
		line := []*doc.Node{code(media.Type)}
		if media.Schema != nil {
			line = append(line, doc.NewText(" "), doc.NewText(clean(media.Schema.TypeName())))
		}
		nodes = append(nodes, doc.NewParagraph(line...))
		if media.Schema != nil {
			nodes = append(nodes, schemaBlocks(media.Schema, b)...)
		}
	}
	return nodes
}

// schemaBlocks lists what is in a value.
func schemaBlocks(s *Schema, b *Budget) []*doc.Node {
	var nodes []*doc.Node
	nodes = append(nodes, prose(s.Description, b)...)
	if facts := factsOf(s); facts != nil {
		nodes = append(nodes, facts)
	}
	if list := memberList(s, 0, b); list != nil {
		nodes = append(nodes, list)
	}
	return nodes
}

// maxListDepth bounds how deep the lists of members nest.
const maxListDepth = 6

// memberList is the members of an object, of the entries of a list, or the choices; nil when there are none.
func memberList(s *Schema, depth int, b *Budget) *doc.Node {
	if s == nil || depth > maxListDepth {
		return nil
	}
	for s.Items != nil && len(s.Properties) == 0 && len(s.OneOf)+len(s.AnyOf) == 0 {
		s = s.Items
	}
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, p := range s.Properties {
		list.Nodes = append(list.Nodes, member(p.Name, p.Required, p.Schema, depth, b))
	}
	if s.Additional != nil {
		list.Nodes = append(list.Nodes, member("other members", false, s.Additional, depth, b))
	}
	for _, choice := range slices.Concat(s.OneOf, s.AnyOf) {
		item := []*doc.Node{doc.NewParagraph(doc.NewText("either "), code(choice.TypeName()))}
		list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, append(item, nested(choice, depth, b)...)...))
	}
	if len(list.Nodes) == 0 {
		return nil
	}
	return list
}

// member is an entry of a list of members.
func member(name string, required bool, s *Schema, depth int, b *Budget) *doc.Node {
	line := []*doc.Node{code(name), doc.NewText(" "), doc.NewText(clean(s.TypeName()))}
	var notes []string
	if required {
		notes = append(notes, "required")
	}
	if s.Deprecated {
		notes = append(notes, "deprecated")
	}
	if s.ReadOnly {
		notes = append(notes, "read only")
	}
	if s.WriteOnly {
		notes = append(notes, "write only")
	}
	if len(notes) > 0 {
		line = append(line, doc.NewText(", "), doc.NewText(strings.Join(notes, ", "), doc.Mark{Type: doc.Italic}))
	}
	item := []*doc.Node{doc.NewParagraph(line...)}
	item = append(item, prose(s.Description, b)...)
	if facts := factsOf(s); facts != nil {
		item = append(item, facts)
	}
	return doc.NewBlock(doc.ListItem, nil, append(item, nested(s, depth, b)...)...)
}

// nested is what is inside a member.
func nested(s *Schema, depth int, b *Budget) []*doc.Node {
	if list := memberList(s, depth+1, b); list != nil {
		return []*doc.Node{list}
	}
	return nil
}

func responseBlocks(responses []Response, b *Budget) []*doc.Node {
	if len(responses) == 0 {
		return nil
	}
	nodes := []*doc.Node{heading("Responses")}
	for i, response := range responses {
		title := statusTitle(response.Status)
		body := prose(response.Description, b)
		if table := parameterTable(response.Headers, "", b); table != nil {
			body = append(body, doc.NewParagraph(bold("Headers")), table)
		}
		body = append(body, contentBlocks(response.Content, b)...)
		if media := preferred(response.Content); media != nil && isJSON(media.Type) {
			if sample := sampleOf(*media); sample != nil && (sample.Kind != Null || len(media.Examples) > 0) {
				if text := indented(sample); text != "" {
					body = append(body, doc.NewCode(&doc.CodeData{Syntax: "json", Title: "Example"},
						strings.Split(text, "\n")...))
				}
			}
		}
		if len(body) == 0 {
			body = []*doc.Node{paragraph("No body.")}
		}
		block := doc.NewBlock(doc.Expandable, &doc.ExpandableData{DefaultExpanded: i == 0})
		block.Fragments = []*doc.Node{
			doc.NewFragment(doc.FragmentExpandableTitle, paragraph(title)), doc.NewFragment(doc.FragmentExpandableBody,
				body...),
		}
		nodes = append(nodes, block)
	}
	return nodes
}

// statusTitle names a status: "404 Not Found".
func statusTitle(status string) string {
	if status == "default" {
		return "Other statuses"
	}
	if number, err := strconv.Atoi(status); err == nil {
		if text := statusText(number); text != "" {
			return status + " " + text
		}
	}
	return status
}

func sampleTabs(samples []Sample) *doc.Node {
	tabs := doc.NewBlock(doc.Tabs, nil)
	for _, sample := range samples {
		block := doc.NewCode(&doc.CodeData{Syntax: sample.Syntax}, strings.Split(sample.Code, "\n")...)
		tabs.Nodes = append(tabs.Nodes, doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: sample.Title}, block))
	}
	return tabs
}

// modelBlock describes a model.
func modelBlock(name string, s *Schema, b *Budget) *doc.Node {
	body := schemaBlocks(s, b)
	if len(body) == 0 {
		body = []*doc.Node{doc.NewParagraph(code(s.TypeName()))}
	}
	block := doc.NewBlock(doc.Expandable, nil)
	block.Fragments = []*doc.Node{
		doc.NewFragment(doc.FragmentExpandableTitle, doc.NewParagraph(code(name))),
		doc.NewFragment(doc.FragmentExpandableBody, body...),
	}
	return block
}
