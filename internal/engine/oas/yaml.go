package oas

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// parseYAML reads a YAML file. Aliases share the node of their anchor, so that they cost nothing; what they would
// unfold to is bounded.
func parseYAML(source []byte, budget *int) (root *Node, problem *Problem) {
	defer func() {
		// The library is not ours: a defect in it must not end the process.
		if thrown := recover(); thrown != nil {
			root, problem = nil, &Problem{Message: "the file cannot be read as YAML"}
		}
	}()
	if yamlTokens(source) > maxValues*2 {
		return nil, &Problem{Message: fmt.Sprintf("the description has more than %d values", maxValues)}
	}
	var document yaml.Node
	limits := loaderlimits.New(loaderlimits.DepthValue(maxDepth), loaderlimits.AliasNone())
	if err := yaml.Load(source, &document, yaml.WithPlugin(limits)); err != nil {
		return nil, yamlProblem(err)
	}
	c := yamlReader{budget: budget, made: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{}, weights: map[*Node]int{}}
	content := &document
	if document.Kind == yaml.DocumentNode {
		if len(document.Content) == 0 {
			return nil, &Problem{Message: "the file is empty"}
		}
		content = document.Content[0]
	}
	root = c.value(content, 0)
	if c.problem == nil && c.weigh(root, 0) > maxUnfolded {
		c.problem = &Problem{Message: fmt.Sprintf("its aliases unfold to more than %d values", maxUnfolded)}
	}
	if c.problem != nil {
		return nil, c.problem
	}
	return root, nil
}

// yamlTokens guesses from above how many values a file has, before the library takes memory for each.
func yamlTokens(source []byte) int {
	count := bytes.Count(source, []byte("\n")) * 2
	for _, c := range []byte(",[{") {
		count += bytes.Count(source, []byte{c}) * 2
	}
	return count + bytes.Count(source, []byte(": ")) + bytes.Count(source, []byte("- "))
}

func yamlProblem(err error) *Problem {
	problem := &Problem{Message: "it is not valid YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	if where, ok := errors.AsType[*yaml.LoadError](err); ok {
		problem.Message = "it is not valid YAML: " + where.Message
		problem.Line, problem.Column = where.Mark.Line, where.Mark.Column
	}
	if len(problem.Message) > 500 {
		problem.Message = strings.ToValidUTF8(problem.Message[:500], "")
	}
	return problem
}

// yamlReader turns the library's nodes into ours.
type yamlReader struct {
	budget  *int
	nodes   nodes
	made    map[*yaml.Node]*Node // of anchors
	open    map[*yaml.Node]bool  // anchors that are being read
	aliased bool
	weights map[*Node]int
	problem *Problem
}

func (c *yamlReader) fail(n *yaml.Node, format string, args ...any) {
	if c.problem == nil {
		c.problem = &Problem{Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
	}
}

func (c *yamlReader) value(y *yaml.Node, depth int) *Node {
	if c.problem != nil {
		return nil
	}
	if depth > maxDepth {
		c.fail(y, "values nest deeper than %d levels", maxDepth)
		return nil
	}
	if y.Kind == yaml.AliasNode {
		return c.alias(y)
	}
	if *c.budget--; *c.budget < 0 {
		c.fail(y, "the description has more than %d values", maxValues)
		return nil
	}
	n := c.nodes.take()
	n.Line, n.Column = int32(y.Line), int32(y.Column)
	if y.Anchor != "" {
		c.made[y], c.open[y] = n, true
		defer delete(c.open, y)
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Object
		c.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = List
		n.Items = make([]*Node, 0, len(y.Content))
		for _, entry := range y.Content {
			n.Items = append(n.Items, c.value(entry, depth+1))
		}
	case yaml.ScalarNode:
		scalarOf(n, y)
	}
	if y.Anchor == "" {
		y.Content = nil // is not needed again: the two trees do not lie in memory side by side
	}
	return n
}

func (c *yamlReader) alias(y *yaml.Node) *Node {
	c.aliased = true
	if y.Alias == nil || c.open[y.Alias] {
		c.fail(y, "the alias *%.40s holds itself", y.Value)
		return nil
	}
	made := c.made[y.Alias]
	if made == nil {
		c.fail(y, "the alias *%.40s names nothing before it", y.Value)
	}
	return made
}

func (c *yamlReader) mapping(n *Node, y *yaml.Node, depth int) {
	n.Keys = make([]Key, 0, len(y.Content)/2)
	n.Items = make([]*Node, 0, len(y.Content)/2)
	var merged []*Node
	for i := 0; i+1 < len(y.Content) && c.problem == nil; i += 2 {
		name := y.Content[i]
		if name.Kind == yaml.AliasNode && name.Alias != nil {
			name = name.Alias
		}
		if name.Kind != yaml.ScalarNode {
			c.fail(name, "a member's name has to be a text")
			return
		}
		value := c.value(y.Content[i+1], depth+1)
		if name.Value == "<<" && name.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 && value != nil {
			merged = append(merged, mergeSources(value)...)
			continue
		}
		if n.at(name.Value) >= 0 {
			c.fail(name, "%.80q is there twice in one object", name.Value)
			return
		}
		n.add(Key{Text: cleanText(name.Value), Line: int32(name.Line), Column: int32(name.Column)}, value)
	}
	for _, source := range merged {
		for i, key := range source.Keys {
			if *c.budget--; *c.budget < 0 {
				c.fail(y, "the description has more than %d values", maxValues)
				return
			}
			if n.at(key.Text) < 0 {
				n.add(key, source.Items[i])
			}
		}
	}
}

// mergeSources returns the objects that a merge key ("<<") brings.
func mergeSources(value *Node) []*Node {
	switch value.Kind {
	case Object:
		return []*Node{value}
	case List:
		var objects []*Node
		for _, entry := range value.Items {
			if entry != nil && entry.Kind == Object {
				objects = append(objects, entry)
			}
		}
		return objects
	}
	return nil
}

// weigh counts the values below a node with aliases written out.
func (c *yamlReader) weigh(n *Node, depth int) int {
	if n == nil || len(n.Items) == 0 {
		return 1
	}
	if c.aliased {
		if known, ok := c.weights[n]; ok {
			return known
		}
	}
	if depth > 4*maxDepth {
		return maxUnfolded + 1
	}
	weight := 1
	for _, item := range n.Items {
		weight += c.weigh(item, depth+1)
		if weight > maxUnfolded {
			weight = maxUnfolded + 1
			break
		}
	}
	if c.aliased {
		c.weights[n] = weight
	}
	return weight
}

// scalarOf reads a scalar by the core schema of YAML 1.2, which is that of JSON: no dates, no "yes".
func scalarOf(n *Node, y *yaml.Node) {
	n.Kind, n.Text = String, cleanText(y.Value)
	quoted := y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	if quoted || y.Tag == "!!str" || y.Tag == "!" {
		return
	}
	switch y.Value {
	case "", "~", "null", "Null", "NULL":
		n.Kind, n.Text = Null, ""
	case "true", "True", "TRUE":
		n.Kind, n.Text = Bool, "true"
	case "false", "False", "FALSE":
		n.Kind, n.Text = Bool, "false"
	default:
		if number, ok := numberOf(y.Value); ok {
			n.Kind, n.Text = Number, number
		}
	}
}

// numberOf returns a YAML number as JSON writes it.
func numberOf(text string) (string, bool) {
	if c := text[0]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') || len(text) > 400 {
		return "", false
	}
	if validNumber(text) {
		return text, true
	}
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0o") {
		value, err := strconv.ParseInt(text, 0, 64)
		return strconv.FormatInt(value, 10), err == nil
	}
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return "", false
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return "", false
	}
	return strconv.FormatFloat(value, 'g', -1, 64), true
}

// cleanText replaces the one character that no database and no page can hold.
func cleanText(text string) string {
	if strings.IndexByte(text, 0) < 0 {
		return text
	}
	return strings.ReplaceAll(text, "\x00", "\ufffd")
}
