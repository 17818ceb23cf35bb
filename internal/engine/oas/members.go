package oas

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// anchorPart makes a name a part of an anchor: without spaces, of bounded length.
func anchorPart(name string) string {
	part := strings.Join(strings.Fields(strings.ReplaceAll(name, ".", "-")), "-")
	return strings.ToValidUTF8(part[:min(len(part), 60)], "")
}

// parameterList lists the parameters of one place; nil when there are none.
func parameterList(anchor string, parameters []Parameter, in string, b *Budget) *doc.Node {
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, p := range parameters {
		if p.In != in {
			continue
		}
		schema := cmp.Or(p.Schema, &Schema{})
		about := prose(cmp.Or(p.Description, schema.Description), b)
		if facts := factsOf(schema, p.Example, true); facts != nil {
			about = append(about, facts)
		}
		line := memberLine(p.Name, p.Required, p.Deprecated || schema.Deprecated, schema, b)
		item := append([]*doc.Node{line}, about...)
		at := anchor + "." + cmp.Or(in, "header") + "." + anchorPart(p.Name)
		block := doc.NewBlock(doc.ListItem, nil, append(item, nested(at, schema, 0, b)...)...)
		block.ID = at
		list.Nodes = append(list.Nodes, block)
	}
	if len(list.Nodes) == 0 {
		return nil
	}
	return list
}

// shownEnum is how many values of an enumeration are named before the rest is counted.
const shownEnum = 24

// factsOf says what limits a value: its values, its default and other bounds; nil when there is nothing to say. What
// the first line of a member says is left out below it.
func factsOf(s *Schema, example *Node, below bool) *doc.Node {
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
	if len(enum) > shownEnum {
		enum, more = enum[:shownEnum], more+len(enum)-shownEnum
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
	if s.Default != nil && !(below && s.shortDefault()) {
		sentence(doc.NewText("Default: "), code(valueText(s.Default)))
	}
	if len(s.Constraints) > 0 {
		text := clean(strings.Join(s.Constraints, ", "))
		sentence(doc.NewText(strings.ToUpper(text[:1]) + text[1:]))
	}
	if s.Pattern != "" {
		sentence(doc.NewText("Matches "), code(s.Pattern))
	}
	if s.Discriminator != "" {
		values := []*doc.Node{code(s.Discriminator), doc.NewText(" says which one it is")}
		for i, value := range s.Selectors {
			values = append(values, doc.NewText([]string{": ", ", "}[min(i, 1)]), code(value))
		}
		sentence(values...)
	}
	if example = cmp.Or(example, s.Example); example != nil && example.scalar() && example.Kind != Null &&
		example.Text != "" && len(parts) < 12 {
		sentence(doc.NewText("Example: "), code(valueText(example)))
	}
	if len(parts) == 0 {
		return nil
	}
	return doc.NewParagraph(parts...)
}

// shortDefault reports whether the default stands in the first line of a member, beside the type.
func (s *Schema) shortDefault() bool {
	return s.Default != nil && s.Default.scalar() && len(valueText(s.Default)) <= maxShort
}

// maxShort is the length of a default, in bytes, that has room beside the type.
const maxShort = 32

func valueText(n *Node) string {
	if n.Kind == String {
		if n.Text == "" {
			return `""`
		}
		return n.Text
	}
	return compact(n)
}

func bodyBlocks(anchor string, body *Body, b *Budget) []*doc.Node {
	nodes := []*doc.Node{heading("Request body")}
	if !body.Required {
		nodes[0] = heading("Request body (optional)")
	}
	nodes = append(nodes, prose(body.Description, b)...)
	return append(nodes, contentBlocks(anchor, body.Content, b)...)
}

// form is media types whose bodies say the same.
type form struct {
	types  []string
	schema *Schema
}

// contentBlocks describes the forms of a body. Forms that say the same come together; of several, one shows.
func contentBlocks(anchor string, content []Media, b *Budget) []*doc.Node {
	var forms []form
	for _, media := range content {
		i := slices.IndexFunc(forms, func(f form) bool {
			return f.schema == media.Schema || f.schema != nil && media.Schema != nil && f.schema.Name != "" &&
				f.schema.TypeName() == media.Schema.TypeName()
		})
		if i < 0 {
			forms = append(forms, form{schema: media.Schema})
			i = len(forms) - 1
		}
		forms[i].types = append(forms[i].types, media.Type)
	}
	var nodes []*doc.Node
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, f := range forms {
		var line, body []*doc.Node
		for i, name := range f.types {
			if i > 0 {
				line = append(line, doc.NewText(", "))
			}
			line = append(line, code(name))
		}
		if f.schema != nil {
			body = schemaBlocks(anchor, f.schema, b)
		}
		if len(forms) > 1 {
			item := append([]*doc.Node{doc.NewParagraph(line...)}, body...)
			list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, item...))
			continue
		}
		if f.schema != nil {
			line = append(append(line, doc.NewText(" ")), typeNodes(f.schema, b)...)
		}
		nodes = append(append(nodes, doc.NewParagraph(line...)), body...)
	}
	if len(list.Nodes) > 0 {
		nodes = append(nodes, doc.NewFragment(doc.FragmentChoices, list))
	}
	return nodes
}

// schemaBlocks lists what is in a value.
func schemaBlocks(anchor string, s *Schema, b *Budget) []*doc.Node {
	var nodes []*doc.Node
	nodes = append(nodes, prose(s.Description, b)...)
	if facts := factsOf(s, nil, false); facts != nil {
		nodes = append(nodes, facts)
	}
	return append(nodes, members(anchor, s, 0, b)...)
}

// maxListDepth bounds how deep the lists of members nest.
const maxListDepth = 6

// members is the members of an object, of the entries of a list, and the choices; nil when there are none.
func members(anchor string, s *Schema, depth int, b *Budget) []*doc.Node {
	if s == nil || depth > maxListDepth {
		return nil
	}
	for s.Items != nil && len(s.Properties) == 0 && len(s.OneOf)+len(s.AnyOf) == 0 {
		s = s.Items
	}
	var nodes []*doc.Node
	list := doc.NewBlock(doc.ListUnordered, nil)
	for _, p := range s.Properties {
		list.Nodes = append(list.Nodes, member(anchor+"."+anchorPart(p.Name), p.Name, p.Required, p.Schema, depth, b))
	}
	if s.Additional != nil {
		list.Nodes = append(list.Nodes, member(anchor+".*", "other members", false, s.Additional, depth, b))
	}
	if len(list.Nodes) > 0 {
		nodes = append(nodes, list)
	}
	if choices := choiceList(anchor, slices.Concat(s.OneOf, s.AnyOf), depth, b); choices != nil {
		nodes = append(nodes, choices)
	}
	return nodes
}

// choiceList is what a value may be, one of several; nil when nothing in them could be shown beyond their types.
func choiceList(anchor string, choices []*Schema, depth int, b *Budget) *doc.Node {
	list := doc.NewBlock(doc.ListUnordered, nil)
	telling := false
	for i, choice := range choices {
		title := cmp.Or(choice.Name, choice.Title, choice.TypeName())
		var body []*doc.Node
		if choice.Selector != "" && choice.Selector != title {
			body = append(body, doc.NewParagraph(doc.NewText("For "), code(choice.Selector), doc.NewText(".")))
		}
		body = append(body, schemaIn(anchor+"."+strconv.Itoa(i+1), choice, depth, b)...)
		telling = telling || len(body) > 0
		item := append([]*doc.Node{doc.NewParagraph(code(title))}, body...)
		list.Nodes = append(list.Nodes, doc.NewBlock(doc.ListItem, nil, item...))
	}
	if !telling {
		return nil // the type names them already
	}
	return doc.NewFragment(doc.FragmentChoices, list)
}

// schemaIn is what there is to say of a choice.
func schemaIn(anchor string, s *Schema, depth int, b *Budget) []*doc.Node {
	nodes := prose(s.Description, b)
	if facts := factsOf(s, nil, false); facts != nil {
		nodes = append(nodes, facts)
	}
	return append(nodes, members(anchor, s, depth+1, b)...)
}

// memberLine is the first line of a member: its name, its type, and what is special about it.
func memberLine(name string, required, deprecated bool, s *Schema, b *Budget) *doc.Node {
	marks := []doc.Mark{{Type: doc.CodeMark}}
	if deprecated {
		marks = append(marks, doc.Mark{Type: doc.Strikethrough})
	}
	line := []*doc.Node{doc.NewText(clean(name), marks...), doc.NewText(" ")}
	line = append(line, typeNodes(s, b)...)
	note := func(text string, mark doc.MarkType) {
		line = append(line, doc.NewText(", "), doc.NewText(text, doc.Mark{Type: mark}))
	}
	if s.shortDefault() {
		line = append(line, doc.NewText(", default "), code(valueText(s.Default)))
	}
	if required {
		note("required", doc.Bold)
	}
	if deprecated {
		note("deprecated", doc.Italic)
	}
	if s.ReadOnly {
		note("read only", doc.Italic)
	}
	if s.WriteOnly {
		note("write only", doc.Italic)
	}
	if s.Recursive || s.Items != nil && s.Items.Recursive {
		note("recursive", doc.Italic)
	}
	return doc.NewParagraph(line...)
}

// typeNodes says what a value is, with links to the models that readers find.
func typeNodes(s *Schema, b *Budget) []*doc.Node {
	var nodes []*doc.Node
	text := ""
	for _, part := range s.typeParts(0) {
		if part.model && b.Model != nil {
			if ref, ok := b.Model(part.text); ok {
				if text != "" {
					nodes = append(nodes, doc.NewText(clipped(text)))
				}
				link := doc.NewInline(doc.Link, &doc.ContentRefData{Ref: ref}, doc.NewText(clean(part.text)))
				nodes, text = append(nodes, link), ""
				continue
			}
		}
		if text = text + part.text; len(text) > maxLine {
			break
		}
	}
	if text = clipped(text); text != "" {
		nodes = append(nodes, doc.NewText(text))
	}
	return nodes
}

// member is an entry of a list of members.
func member(anchor, name string, required bool, s *Schema, depth int, b *Budget) *doc.Node {
	item := []*doc.Node{memberLine(name, required, s.Deprecated, s, b)}
	item = append(item, prose(s.Description, b)...)
	if facts := factsOf(s, nil, true); facts != nil {
		item = append(item, facts)
	}
	block := doc.NewBlock(doc.ListItem, nil, append(item, nested(anchor, s, depth, b)...)...)
	block.ID = anchor
	return block
}

// nested is what is inside a member.
func nested(anchor string, s *Schema, depth int, b *Budget) []*doc.Node {
	return members(anchor, s, depth+1, b)
}

func responseBlocks(anchor string, responses []Response, b *Budget) []*doc.Node {
	if len(responses) == 0 {
		return nil
	}
	nodes := []*doc.Node{heading("Responses")}
	open := max(0, slices.IndexFunc(responses, func(r Response) bool { return strings.HasPrefix(r.Status, "2") }))
	for i, response := range responses {
		at := anchor + "." + anchorPart(response.Status)
		body := prose(response.Description, b)
		if list := parameterList(at, response.Headers, "", b); list != nil {
			body = append(body, doc.NewParagraph(bold("Headers")), list)
		}
		body = append(body, contentBlocks(at, response.Content, b)...)
		if len(body) == 0 {
			body = []*doc.Node{paragraph("No body.")}
		}
		nodes = append(nodes, foldable(at, i == open, body, doc.NewText(statusTitle(response.Status))))
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

// modelBlock describes a model.
func modelBlock(name string, s *Schema, b *Budget) *doc.Node {
	anchor := ModelAnchor(name)
	body := schemaBlocks(anchor, s, b)
	if len(body) == 0 {
		body = []*doc.Node{doc.NewParagraph(code(s.TypeName()))}
	}
	return foldable(anchor, false, body, code(name))
}
