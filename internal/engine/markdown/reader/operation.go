package reader

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// Tags that stand in an inline operation.
const (
	descriptionTag = "swagger-description"
	parameterTag   = "swagger-parameter"
	responseTag    = "swagger-response"
)

// hasSource reports whether a swagger tag names a description.
func hasSource(arguments []dialect.Argument) bool {
	return slices.ContainsFunc(arguments, func(argument dialect.Argument) bool {
		return argument.Key == "src" && argument.Value != any("")
	})
}

// parameterPlaces are the places of parameters in the order in which they are shown.
var parameterPlaces = []struct{ in, title string }{
	{"path", "Path parameters"}, {"query", "Query parameters"}, {"header", "Header parameters"},
	{"cookie", "Cookie parameters"},
	{"body", "Request body"}, {"", "Parameters"},
}

// operation converts what stands in an inline operation. Descriptions and whatever else is there stay as they are;
// parameters become tables where the first of them stands, responses expandables.
func (c *converter) operation(siblings []ast.Node, partners []int, from, to, depth int) []*doc.Node {
	var nodes []*doc.Node
	rows := map[string][][][]*doc.Node{}
	parametersAt, responses := 0, 0
	for i := from; i < to; {
		tag, ok := siblings[i].(*tagNode)
		if !ok || partners[i] < i || tag.name != descriptionTag && tag.name != parameterTag && tag.name != responseTag {
			var converted []*doc.Node
			converted, i = c.block(siblings, partners, i, depth)
			nodes = append(nodes, converted...)
			continue
		}
		content := rawAsText(c.blocks(siblings, partners, i+1, partners[i], depth+2))
		attributes := map[string]string{}
		for _, argument := range c.tagArguments(tag) {
			attributes[argument.Key] = strings.Join(strings.Fields(argument.Value.(string)), " ")
		}
		switch tag.name {
		case descriptionTag:
			nodes = append(nodes, content...)
		case parameterTag:
			if len(rows) == 0 {
				parametersAt = len(nodes)
			}
			in := strings.ToLower(attributes["in"])
			if !slices.ContainsFunc(parameterPlaces, func(place struct{ in, title string }) bool {
				return place.in == in
			}) {
				in = ""
			}
			rows[in] = append(rows[in], parameterRow(attributes, content))
		case responseTag:
			if responses++; responses == 1 {
				nodes = append(nodes, operationHeading("Responses"))
			}
			nodes = append(nodes, responseBlock(attributes, content, responses == 1))
		}
		i = partners[i] + 1
	}
	var tables []*doc.Node
	for _, place := range parameterPlaces {
		if rows[place.in] != nil {
			tables = append(tables, operationHeading(place.title),
				doc.NewTextTable([]string{"Name", "Type", "Description"}, rows[place.in]))
		}
	}
	return slices.Insert(nodes, parametersAt, tables...)
}

// rawAsText turns what the dialect does not know into text: without the tags around it, in a cell or in an expandable
// it could begin or end something else.
func rawAsText(nodes []*doc.Node) []*doc.Node {
	for i, n := range nodes {
		data, raw := n.Data.(*doc.RawData)
		switch {
		case raw && n.Object == doc.ObjectBlock:
			nodes[i] = doc.NewParagraph(doc.NewText(strings.Join(strings.Fields(data.Source), " ")))
		case raw:
			nodes[i] = doc.NewText(data.Source)
		default:
			rawAsText(n.Nodes)
			rawAsText(n.Fragments)
		}
	}
	return nodes
}

func operationHeading(title string) *doc.Node {
	return doc.NewBlock(doc.Heading3, nil, doc.NewText(title))
}

func parameterRow(attributes map[string]string, about []*doc.Node) [][]*doc.Node {
	var name, kind []*doc.Node
	if attributes["name"] != "" {
		name = append(name, doc.NewText(attributes["name"], doc.Mark{Type: doc.CodeMark}))
	}
	if attributes["required"] == "true" {
		if name != nil {
			name = append(name, doc.NewText(" "))
		}
		name = append(name, doc.NewText("required", doc.Mark{Type: doc.Italic}))
	}
	if attributes["type"] != "" {
		kind = append(kind, doc.NewText(attributes["type"], doc.Mark{Type: doc.CodeMark}))
	}
	return [][]*doc.Node{{doc.NewParagraph(name...)}, {doc.NewParagraph(kind...)}, about}
}

// responseBlock is one answer, by its status: "200", "200: OK".
func responseBlock(attributes map[string]string, content []*doc.Node, open bool) *doc.Node {
	title := strings.TrimSpace(strings.Replace(attributes["status"], ":", "", 1))
	if title == "" {
		title = "Response"
	}
	if about := attributes["description"]; about != "" {
		content = slices.Insert(content, 0, doc.NewParagraph(doc.NewText(about)))
	}
	if len(content) == 0 {
		content = []*doc.Node{doc.NewParagraph(doc.NewText("No body."))}
	}
	block := doc.NewBlock(doc.Expandable, &doc.ExpandableData{DefaultExpanded: open})
	block.Fragments = []*doc.Node{
		doc.NewFragment(doc.FragmentExpandableTitle, doc.NewParagraph(doc.NewText(title))),
		doc.NewFragment(doc.FragmentExpandableBody, content...),
	}
	return block
}
