package reader

import (
	"maps"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// pairBlocks finds, among siblings, the end of every tag and every expandable that has one. The result holds for each
// index the index of its partner, or -1. Pairs nest properly; a start that others close over has no partner.
func pairBlocks(siblings []ast.Node) []int {
	partners := make([]int, len(siblings))
	var open []int
	waiting := map[string]int{}
	for i, node := range siblings {
		partners[i] = -1
		start, end := blockName(node)
		if start != "" {
			open = append(open, i)
			waiting[start]++
		}
		for end != "" && waiting[end] > 0 {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			name, _ := blockName(siblings[last])
			waiting[name]--
			if name == end {
				partners[last], partners[i] = i, last
				break
			}
		}
	}
	return partners
}

// blockName returns the name of what a node starts or ends.
func blockName(node ast.Node) (start, end string) {
	switch n := node.(type) {
	case *tagNode:
		if !n.complete {
			return "", ""
		}
		if end := n.closes(); end != "" {
			return "", end
		}
		return n.name, ""
	case *detailsNode:
		switch {
		case n.end:
			return "", "<details"
		case !n.closed && (!n.waiting || !n.hasSummary):
			return "<details", ""
		}
	}
	return "", ""
}

// tag converts a tag, with its end tag and what is between them, and returns the index after it.
func (c *converter) tag(n *tagNode, siblings []ast.Node, partners []int, i, depth int) ([]*doc.Node, int) {
	if !n.complete {
		return []*doc.Node{c.asText(&n.leafNode)}, i + 1
	}
	if node := c.integration(n); node != nil {
		return []*doc.Node{node}, i + 1
	}
	arguments := c.tagArguments(n)
	spec := dialect.TagNamed(n.name)
	partner := partners[i]
	if n.name == dialect.InlineOperation.Name && !hasSource(arguments) {
		spec = &dialect.InlineOperation
	}
	if spec == nil || partner < 0 && (spec.Form == dialect.ContainerForm || spec.Form == dialect.CodeForm) {
		return c.rawTag(n), i + 1
	}
	node := doc.NewBlock(spec.Node, nil)
	dialect.SetDefaults(node)
	spec.Read(node.Data, arguments)
	if partner < 0 {
		return []*doc.Node{node}, i + 1
	}
	if !c.fill(node, spec, siblings, partners, i, depth) {
		return c.rawTag(n), i + 1
	}
	return []*doc.Node{node}, partner + 1
}

// fill gives a node what stands between its tags. It reports false when that does not belong there; it decides so
// before it converts anything that may nest, so that a failure costs no second conversion of what is inside.
func (c *converter) fill(node *doc.Node, spec *dialect.Tag, siblings []ast.Node, partners []int, i, depth int) bool {
	from, to := i+1, partners[i]
	if spec.Parent != "" && c.parent != spec.Parent || !c.mayHold(spec, siblings, partners, from, to) {
		return false
	}
	if spec.Form == dialect.VoidForm {
		return true
	}
	if spec == &dialect.InlineOperation {
		outermost := !c.inOperation
		c.inOperation = true
		node.Nodes = c.operation(siblings, partners, from, to, depth+1)
		if outermost {
			c.inOperation = false
			c.composed = append(c.composed, node)
		}
		return true
	}
	outer := c.parent
	c.parent = spec.Name
	content := c.blocks(siblings, partners, from, to, depth+1)
	c.parent = outer
	if spec.Child != "" {
		c.guard.deeper(max(siblings[i].Pos(), 0), depth+2, doc.MaxBlockDepth)
		content = adoptComments(content, dialect.TagNamed(spec.Child).Node)
	}
	switch spec.Form {
	case dialect.CaptionForm:
		if caption := onlyParagraphs(content); caption != nil {
			node.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, caption...)}
		}
		return len(content) == 0 || len(node.Fragments) > 0
	case dialect.CodeForm:
		if len(content) != 1 || content[0].Type != doc.Code {
			return false
		}
		// The wrapper's attributes win over those that the code has itself.
		spec.Read(content[0].Data, c.tagArguments(siblings[i].(*tagNode)))
		node.Data, node.Nodes = content[0].Data, content[0].Nodes
		return true
	}
	switch spec.Node {
	case doc.Prompt:
		if len(content) != 1 || content[0].Type != doc.Code {
			return false
		}
	case doc.Hint:
		content = dialect.AtLeastParagraph(content)
	}
	node.Nodes = content
	return true
}

// mayHold reports whether a tag may hold a range of siblings, by their kinds.
func (c *converter) mayHold(spec *dialect.Tag, siblings []ast.Node, partners []int, from, to int) bool {
	switch {
	case spec.Child != "":
		return onlyTags(spec.Child, siblings, partners, from, to, c.isComment)
	case spec.Form == dialect.CaptionForm:
		for _, node := range siblings[from:to] {
			html, ok := node.(*htmlNode)
			if !ast.IsParagraph(node) && node.Kind() != ast.KindTextBlock && (!ok || html.name != "p") {
				return false
			}
		}
	case spec.Form == dialect.CodeForm:
		return to-from == 1 && isCode(siblings[from])
	case spec.Node == doc.Prompt:
		return to-from == 1 && isCode(siblings[from]) || to-from == 3 && onlyTags("code", siblings, partners, from, to,
			nil)
	}
	return true
}

func isCode(node ast.Node) bool {
	switch n := node.(type) {
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		return true
	case *htmlNode:
		return n.name == "pre"
	}
	return false
}

// onlyTags reports whether a range of siblings holds pairs of one tag and nothing else but, next to such pairs, what
// besides accepts.
func onlyTags(name string, siblings []ast.Node, partners []int, from, to int, besides func(ast.Node) bool) bool {
	pairs, others := 0, 0
	for i := from; i < to; i++ {
		tag, ok := siblings[i].(*tagNode)
		switch {
		case ok && tag.name == name && partners[i] > i:
			pairs++
			i = partners[i]
		case besides != nil && besides(siblings[i]):
			others++
		default:
			return false
		}
	}
	return pairs > 0 || others == 0
}

// isComment reports whether a block is a comment and nothing else.
func (c *converter) isComment(node ast.Node) bool {
	html, ok := node.(*htmlNode)
	if !ok || html.name != "<!--" {
		return false
	}
	source := strings.TrimSpace(html.source(c.text))
	return strings.Index(source, "-->") == len(source)-len("-->")
}

// adoptComments moves the comments that stand between the parts of a block into the part before, or else the first.
func adoptComments(nodes []*doc.Node, part doc.Type) []*doc.Node {
	var parts, waiting []*doc.Node
	for _, n := range nodes {
		switch {
		case n.Type == part:
			n.Nodes = append(waiting, n.Nodes...)
			parts, waiting = append(parts, n), nil
		case len(parts) == 0:
			waiting = append(waiting, n)
		default:
			last := parts[len(parts)-1]
			last.Nodes = append(last.Nodes, n)
		}
	}
	return parts
}

// onlyParagraphs returns the nodes when there are any and all are paragraphs.
func onlyParagraphs(nodes []*doc.Node) []*doc.Node {
	for _, n := range nodes {
		if n.Type != doc.Paragraph {
			return nil
		}
	}
	return nodes
}

// tagArguments returns what stands in a tag after its name.
func (c *converter) tagArguments(n *tagNode) []dialect.Argument {
	arguments := c.argumentText(n)
	switch n.name {
	case "if":
		return []dialect.Argument{{Value: strings.TrimSpace(strings.ReplaceAll(arguments, "\n", " "))}}
	case "include":
		path := strings.TrimSpace(arguments)
		if len(path) >= 2 && (path[0] == '"' || path[0] == '\'') && path[len(path)-1] == path[0] {
			path = path[1 : len(path)-1]
		}
		return []dialect.Argument{{Value: dialect.IncludedPath(path)}}
	}
	return dialect.ParseArguments(arguments)
}

// argumentText returns the text between a tag's name and its "%}".
func (c *converter) argumentText(n *tagNode) string {
	source := strings.TrimSpace(n.source(c.text))
	source = strings.TrimSuffix(source, "%}")
	_, arguments, _ := dialect.CutTag([]byte(source))
	return string(arguments)
}

// integration converts {% @integration/block prop="…" %}; nil when it is something else.
func (c *converter) integration(n *tagNode) *doc.Node {
	if !strings.HasPrefix(n.name, "@") {
		return nil
	}
	return integrationOf(n.name, c.argumentText(n))
}

// integrationOf makes the block of an integration's tag; nil when it is none.
func integrationOf(name, source string) *doc.Node {
	name, ok := strings.CutPrefix(name, "@")
	if !ok {
		return nil
	}
	data := &doc.IntegrationData{Props: map[string]any{}}
	data.Integration, data.Block, ok = strings.Cut(name, "/")
	if !ok || data.Integration == "" || data.Block == "" || strings.Contains(data.Block, "/") {
		return nil
	}
	arguments, ok := dialect.ParseProps(source)
	if !ok {
		return nil
	}
	for _, argument := range arguments {
		text, isText := argument.Value.(string)
		object, isObject := argument.Value.(map[string]any)
		switch {
		case argument.Key == "fullWidth" && (text == "true" || text == "false"):
			data.FullWidth = new(text == "true")
		case argument.Key == "action" && isObject:
			data.Action = object
		case argument.Key == "props" && isObject:
			maps.Copy(data.Props, object)
		case argument.Key == "url" && isText:
			data.URL = text
			if _, set := data.Props["url"]; !set {
				data.Props["url"] = text
			}
		default:
			data.Props[argument.Key] = argument.Value
		}
	}
	return doc.NewBlock(doc.Integration, data)
}

// rawTag keeps a tag that the dialect does not know, or that stands where it cannot.
func (c *converter) rawTag(n *tagNode) []*doc.Node {
	return []*doc.Node{doc.NewBlock(doc.Raw, &doc.RawData{Source: strings.Trim(n.source(c.text), " \t\n"),
		Syntax: "tag"})}
}

// asText turns lines that no parser read into a paragraph.
func (c *converter) asText(n *leafNode) *doc.Node {
	return doc.NewParagraph(doc.NewText(strings.Join(strings.Fields(n.source(c.text)), " ")))
}
