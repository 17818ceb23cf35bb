package oas

import (
	"slices"
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

// blocks describes an operation: what it does, examples to stand beside it, how to sign it, what it takes and answers.
func (o *Operation) blocks(b *Budget) []*doc.Node {
	var nodes []*doc.Node
	if o.Deprecated {
		nodes = append(nodes, doc.NewBlock(doc.Hint, &doc.HintData{Style: "warning"},
			paragraph("This operation is deprecated.")))
	}
	nodes = append(nodes, prose(o.Description, b)...)
	body, responses := o.Body(b), o.Responses(b)
	if examples := o.exampleBlocks(body, responses, b); len(examples) > 0 {
		nodes = append(nodes, doc.NewFragment(doc.FragmentExample, examples...))
	}
	nodes = append(nodes, o.securityBlocks(b)...)
	nodes = append(nodes, o.taken(anchorOf(o), body, b)...)
	nodes = append(nodes, responseBlocks(anchorOf(o), responses, b)...)
	return append(nodes, o.callbackBlocks(b)...)
}

// taken describes the parameters and the body of a request.
func (o *Operation) taken(anchor string, body *Body, b *Budget) []*doc.Node {
	var nodes []*doc.Node
	parameters := o.Parameters(b)
	for _, place := range []struct{ in, title string }{
		{"path", "Path parameters"}, {"query", "Query parameters"}, {"header", "Header parameters"},
		{"cookie", "Cookie parameters"},
	} {
		if list := parameterList(anchor, parameters, place.in, b); list != nil {
			nodes = append(nodes, heading(place.title), list)
		}
	}
	if body != nil {
		nodes = append(nodes, bodyBlocks(anchor+".body", body, b)...)
	}
	return nodes
}

// callbackBlocks describes the requests that the API sends in the course of the operation.
func (o *Operation) callbackBlocks(b *Budget) []*doc.Node {
	var nodes []*doc.Node
	for _, callback := range o.Callbacks() {
		called := callback.Operation
		anchor := anchorOf(o) + "." + anchorPart(callback.Name)
		body := prose(called.Description, b)
		if called.named {
			body = append([]*doc.Node{doc.NewParagraph(bold(called.Summary))}, body...)
		}
		body = append(body, called.taken(anchor, called.Body(b), b)...)
		body = append(body, responseBlocks(anchor, called.Responses(b), b)...)
		nodes = append(nodes, foldable(anchor, false, body, code(callback.Name),
			doc.NewText(" "+strings.ToUpper(called.Method)+" "), code(called.Path)))
	}
	if len(nodes) == 0 {
		return nil
	}
	return append([]*doc.Node{heading("Callbacks")}, nodes...)
}

// foldable is an expandable block.
func foldable(anchor string, open bool, body []*doc.Node, title ...*doc.Node) *doc.Node {
	block := doc.NewBlock(doc.Expandable, &doc.ExpandableData{DefaultExpanded: open})
	block.ID = anchor
	block.Fragments = []*doc.Node{
		doc.NewFragment(doc.FragmentExpandableTitle, doc.NewParagraph(title...)),
		doc.NewFragment(doc.FragmentExpandableBody, body...),
	}
	return block
}

func heading(title string) *doc.Node {
	return doc.NewBlock(doc.Heading3, nil, doc.NewText(title))
}

func paragraph(text string) *doc.Node { return doc.NewParagraph(doc.NewText(clean(text))) }

func code(text string) *doc.Node { return doc.NewText(clean(text), doc.Mark{Type: doc.CodeMark}) }

func bold(text string) *doc.Node { return doc.NewText(clean(text), doc.Mark{Type: doc.Bold}) }

// clean puts a text on one line of bounded length.
func clean(text string) string {
	return clipped(strings.Join(strings.Fields(text), " "))
}

// clipped bounds the length of a text.
func clipped(text string) string {
	if len(text) > maxLine {
		return strings.ToValidUTF8(text[:maxLine], "") + "…"
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
