package doc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/strict"
)

// Limits of a decoded document.
const (
	// MaxJSON is the largest document JSON in bytes.
	MaxJSON = 16 << 20
	// MaxNodes is the largest number of nodes of a document.
	MaxNodes = 100_000
	// MaxColumns is the largest number of columns of a table.
	MaxColumns = 100
	// MaxCells is the largest number of cells of one table.
	MaxCells = 10_000
)

// UnmarshalJSON decodes a document JSON strictly: every node must have a known object and type, attributes must have
// the right JSON types and known values, texts and inlines stand where texts belong and blocks where blocks belong.
// Members that the schema does not know, and members with content that have no place in their node, are refused: passed
// over, they would take the content with them. Refusals are errs.Invalid or errs.TooLarge and name the path, such as
// "document.nodes[3].data.style".
//
// Keys and anchors of the input are kept; Finish assigns them anew.
func (d *Document) UnmarshalJSON(data []byte) error {
	if len(data) > MaxJSON {
		return errs.New(errs.TooLarge, "the document has %d bytes; it may have at most %d", len(data), MaxJSON)
	}
	var wire wireNode
	if err := decodeWire("document", data, &wire); err != nil {
		return err
	}
	if wire.Object != string(ObjectDocument) {
		return errs.Invalidf("document.object", "expected %q, not %q", ObjectDocument, abbreviate(wire.Object))
	}
	if wire.Nodes == nil {
		return errs.Invalidf("document.nodes", "is missing; an empty document has an empty list of nodes")
	}
	if err := wire.without("document", "fragments", "leaves"); err != nil {
		return err
	}
	decoder := documentDecoder{}
	nodes, err := decoder.list(wire.Nodes, "document.nodes", 1, blockPlace)
	if err != nil {
		return err
	}
	d.Nodes = nodes
	return nil
}

// UnmarshalJSON decodes one node with what is below it, as strictly as a document.
func (n *Node) UnmarshalJSON(data []byte) error {
	if len(data) > MaxJSON {
		return errs.New(errs.TooLarge, "the node has %d bytes; it may have at most %d", len(data), MaxJSON)
	}
	var wire wireNode
	if err := decodeWire("node", data, &wire); err != nil {
		return err
	}
	decoder := documentDecoder{}
	node, err := decoder.node(&wire, "node", 1, anyPlace)
	if err != nil {
		return err
	}
	*n = *node
	return nil
}

// wireNode is any node as JSON has it.
type wireNode struct {
	Object    string          `json:"object"`
	Type      string          `json:"type"`
	Key       string          `json:"key"`
	IsVoid    *bool           `json:"isVoid"` // written for readers; the type says it
	Fragment  string          `json:"fragment"`
	Data      json.RawMessage `json:"data"`
	Nodes     []wireNode      `json:"nodes"`
	Fragments []wireNode      `json:"fragments"`
	Leaves    []wireLeaf      `json:"leaves"`
	Meta      *wireMeta       `json:"meta"`
}

type wireMeta struct {
	ID string `json:"id"`
	// Token is what the family's servers give with a reusable content; here nothing needs it.
	Token string `json:"token"`
}

type wireLeaf struct {
	Object string     `json:"object"`
	Text   string     `json:"text"`
	Marks  []wireMark `json:"marks"`
}

type wireMark struct {
	Object string `json:"object"`
	Type   string `json:"type"`
	Data   *struct {
		Text       string `json:"text"`
		Background string `json:"background"`
	} `json:"data"`
}

func decodeWire(path string, data []byte, wire *wireNode) error {
	if err := strict.Unmarshal(data, wire); err != nil {
		return invalidJSON(path, err)
	}
	return nil
}

// without refuses content in lists that a node has no place for.
func (w *wireNode) without(path string, lists ...string) error {
	for _, list := range lists {
		filled := false
		switch list {
		case "nodes":
			filled = slices.ContainsFunc(w.Nodes, wireNode.hasContent)
		case "fragments":
			filled = slices.ContainsFunc(w.Fragments, wireNode.hasContent)
		case "leaves":
			filled = len(w.Leaves) > 0
		}
		if filled {
			return errs.Invalidf(path+"."+list, "a %s has no %s", cmp.Or(abbreviate(w.Type), abbreviate(w.Object)),
				list)
		}
	}
	return nil
}

// invalidJSON turns an error of encoding/json into a refusal that names the place.
func invalidJSON(path string, err error) error {
	if unknown, ok := errors.AsType[*strict.UnknownMember](err); ok {
		return errs.Invalidf(path+"."+unknown.Path, "%s", strict.Advice(unknown.Name, unknown.Known))
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field != "" {
			path += "." + wrong.Field
		}
		return errs.Invalidf(path, "a JSON %s does not belong here (byte %d)", wrong.Value, wrong.Offset)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errs.Invalidf(path, "the JSON is broken at byte %d: %s", syntax.Offset, syntax.Error())
	}
	return errs.Wrap(err, errs.Invalid, "%s: the JSON cannot be read", path)
}

// hasContent reports whether leaving a node out would lose something: a text, or a node that stands for itself.
func (w wireNode) hasContent() bool {
	if w.Object == string(ObjectText) {
		return slices.ContainsFunc(w.Leaves, func(leaf wireLeaf) bool { return leaf.Text != "" })
	}
	return len(w.Nodes) == 0 || slices.ContainsFunc(w.Nodes, wireNode.hasContent)
}

// place says what may stand somewhere in a document.
type place int

const (
	anyPlace place = iota
	blockPlace
	textPlace
	fragmentPlace
)

// documentDecoder turns wire nodes into nodes.
type documentDecoder struct{ nodes int }

func (d *documentDecoder) list(wires []wireNode, path string, depth int, p place) ([]*Node, error) {
	if len(wires) == 0 {
		return nil, nil
	}
	nodes := make([]*Node, len(wires))
	for i := range wires {
		node, err := d.node(&wires[i], path+"["+strconv.Itoa(i)+"]", depth, p)
		if err != nil {
			return nil, err
		}
		nodes[i] = node
	}
	return nodes, nil
}

func (d *documentDecoder) node(wire *wireNode, path string, depth int, p place) (*Node, error) {
	if depth > MaxDepth || depth > MaxBlockDepth && wire.Object == string(ObjectBlock) {
		return nil, errs.Invalidf(path, "blocks are nested deeper than %d levels", MaxBlockDepth)
	}
	if d.nodes++; d.nodes > MaxNodes {
		return nil, errs.New(errs.TooLarge, "%s: the document has more than %d nodes; split the page", path, MaxNodes)
	}
	if !utf8.ValidString(wire.Key) || len(wire.Key) > 256 {
		return nil, errs.Invalidf(path+".key", "a key has at most 256 characters")
	}
	node := &Node{Object: Object(wire.Object), Key: wire.Key}
	switch node.Object {
	case ObjectText:
		if p != textPlace && p != anyPlace {
			return nil, errs.Invalidf(path, "a text cannot stand here; put it into a paragraph")
		}
		if wire.Leaves == nil {
			return nil, errs.Invalidf(path+".leaves", "is missing; an empty text has an empty list of leaves")
		}
		if err := wire.without(path, "nodes", "fragments"); err != nil {
			return nil, err
		}
		leaves, err := decodeLeaves(wire.Leaves, path)
		node.Leaves = leaves
		return node, err
	case ObjectFragment:
		if p != fragmentPlace && p != anyPlace {
			return nil, errs.Invalidf(path, "a fragment cannot stand here")
		}
		if err := wire.without(path, "fragments", "leaves"); err != nil {
			return nil, err
		}
		node.Fragment, node.Type = wire.Fragment, Type(wire.Type)
		return node, d.children(node, wire, path, depth, blockPlace)
	case ObjectBlock, ObjectInline:
		return node, d.element(node, wire, path, depth, p)
	}
	return nil, errs.Invalidf(path+".object", "expected block, inline, text or fragment, not %q",
		abbreviate(wire.Object))
}

// element decodes a block or an inline.
func (d *documentDecoder) element(node *Node, wire *wireNode, path string, depth int, p place) error {
	node.Type = Type(wire.Type)
	node.Data = DataFor(node.Type)
	if node.Data == nil || IsInline(node.Type) != (node.Object == ObjectInline) {
		return errs.Invalidf(path+".type", "there is no %s of type %q", node.Object, abbreviate(wire.Type))
	}
	if p == blockPlace && node.Object != ObjectBlock || p == textPlace && node.Object != ObjectInline ||
		p == fragmentPlace {
		return errs.Invalidf(path, "a %s cannot stand here", node.Object)
	}
	if wire.Meta != nil {
		node.ID = wire.Meta.ID
	}
	if len(wire.Data) > 0 && !bytes.Equal(wire.Data, []byte("null")) {
		if err := strict.Unmarshal(wire.Data, node.Data); err != nil {
			if refusal, ok := errors.AsType[*errs.Error](err); ok {
				return errs.Invalidf(path+".data", "%s", refusal.Message)
			}
			return invalidJSON(path+".data", err)
		}
	}
	node.Reduce()
	if err := validate(node, path+".data"); err != nil {
		return err
	}
	if err := wire.without(path, "leaves"); err != nil {
		return err
	}
	inner := blockPlace
	if HoldsText(node.Type) || node.Object == ObjectInline {
		inner = textPlace
	}
	return d.children(node, wire, path, depth, inner)
}

func (d *documentDecoder) children(node *Node, wire *wireNode, path string, depth int, p place) error {
	var err error
	if !IsVoid(node.Type) || node.Object == ObjectFragment || node.Type == Swagger {
		if node.Nodes, err = d.list(wire.Nodes, path+".nodes", depth+1, p); err != nil {
			return err
		}
	} else if err := wire.without(path, "nodes"); err != nil {
		return err
	}
	node.Fragments, err = d.list(wire.Fragments, path+".fragments", depth+1, fragmentPlace)
	return err
}

func decodeLeaves(wires []wireLeaf, path string) ([]Leaf, error) {
	leaves := make([]Leaf, 0, len(wires))
	for i, wire := range wires {
		leafPath := path + ".leaves[" + strconv.Itoa(i) + "]"
		if wire.Object != "leaf" {
			return nil, errs.Invalidf(leafPath+".object", "expected \"leaf\", not %q", abbreviate(wire.Object))
		}
		leaf := Leaf{Text: wire.Text}
		if len(wire.Marks) > 64 {
			return nil, errs.Invalidf(leafPath+".marks", "a text has at most 64 marks")
		}
		for j, m := range wire.Marks {
			mark := Mark{Type: MarkType(m.Type)}
			switch mark.Type {
			case Bold, Italic, CodeMark, Keyboard, Strikethrough, Superscript, Subscript:
			case Color:
				mark.Text, mark.Background = "default", "default"
				if m.Data != nil {
					mark.Text, mark.Background = m.Data.Text, m.Data.Background
				}
				if !isColor(mark.Text) || !isColor(mark.Background) {
					return nil, errs.Invalidf(leafPath+".marks["+strconv.Itoa(j)+"].data", "not a colour")
				}
			default:
				return nil, errs.Invalidf(leafPath+".marks["+strconv.Itoa(j)+"].type", "there is no mark %q",
					abbreviate(m.Type))
			}
			leaf.Marks = append(leaf.Marks, mark)
		}
		leaves = append(leaves, leaf)
	}
	return leaves, nil
}

// colorPattern is what names a colour: "red", "$primary", "#ff0000".
var colorPattern = regexp.MustCompile(`^[$#]?[A-Za-z0-9-]{1,32}$`)

func isColor(name string) bool { return colorPattern.MatchString(name) }

// abbreviate shortens a text of the input for an error.
func abbreviate(s string) string {
	if len(s) <= 40 {
		return s
	}
	return fmt.Sprintf("%.40s…", s)
}
