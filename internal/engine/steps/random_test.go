package steps

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf16"
)

// node is a node of the editor, as snapshots and steps have it.
type node struct {
	Type    string         `json:"type"`
	Attrs   map[string]any `json:"attrs,omitempty"`
	Content []*node        `json:"content,omitempty"`
	Text    string         `json:"text,omitempty"`
	Marks   []any          `json:"marks,omitempty"`
}

// leaves are the nodes of the schema that have no content.
var leaves = []string{
	"divider", "contentRef", "math", "reusable", "integration", "apiOperation", "apiSchemas", "apiWebhook", "swagger",
	"hardBreak", "emoji", "icon", "expression", "inlineMath", "inlineImage", "mention", "button", "rawInline",
	"rawBlock",
}

// size is how many positions a node takes.
func (n *node) size() int {
	switch {
	case n.Type == "text":
		return len(utf16.Encode([]rune(n.Text)))
	case slices.Contains(leaves, n.Type):
		return 1
	}
	return n.inner() + 2
}

func (n *node) inner() int {
	sum := 0
	for _, child := range n.Content {
		sum += child.size()
	}
	return sum
}

// placedNode is a node and where it begins.
type placedNode struct {
	*node
	pos, end, depth int
	parent          *placedNode
}

// placedNodes returns all nodes below a document.
func placedNodes(document *node) (all []*placedNode) {
	var walk func(of *node, at int, parent *placedNode, depth int)
	walk = func(of *node, at int, parent *placedNode, depth int) {
		for _, child := range of.Content {
			each := &placedNode{child, at, at + child.size(), depth, parent}
			all = append(all, each)
			walk(child, at+1, each, depth+1)
			at = each.end
		}
	}
	walk(document, 0, nil, 1)
	return all
}

// typist makes random steps.
type typist struct{ r *rand.Rand }

func (y typist) one(of ...any) any { return of[y.r.IntN(len(of))] }

func (y typist) word() string {
	return y.one("x", "word", " ", "ß", "日本", "🙂", "👩‍💻", "e\u0301", "\u202e", "\u0000", "\n", "<b>",
		"\u2028", "a long text with several words").(string)
}

func (y typist) marks() []any {
	if y.r.IntN(2) == 0 {
		return nil
	}
	return []any{y.mark()}
}

func (y typist) mark() any {
	plain := func(name string) any { return map[string]any{"type": name} }
	return y.one(plain("bold"), plain("italic"), plain("code"), plain("keyboard"), plain("strikethrough"),
		plain("superscript"), plain("subscript"), plain("highlighted"), plain("nothing"),
		map[string]any{"type": "color", "attrs": map[string]any{"data": map[string]any{
			"text": "red", "background": "default"}}},
		map[string]any{"type": "color", "attrs": map[string]any{"data": 5}},
		map[string]any{"type": "link", "attrs": map[string]any{"run": y.r.IntN(2), "data": map[string]any{
			"ref": map[string]any{"kind": "url", "url": "https://example.org"}}}},
		map[string]any{"type": "annotation", "attrs": map[string]any{"run": 0, "fragments": []any{map[string]any{
			"object": "fragment", "fragment": "annotation-body", "type": "annotation-body", "nodes": []any{}}}}})
}

// step returns a step for a document: mostly one that an editor could make, sometimes one that nobody would.
func (y typist) step(document *node) json.RawMessage {
	all := placedNodes(document)
	size := document.inner()
	at := all[y.r.IntN(len(all))]
	inside := func(s *placedNode) int { return s.pos + y.r.IntN(s.end-s.pos+1) }
	from, to := inside(at), inside(at)
	if from > to {
		from, to = to, from
	}
	made := map[string]any{"stepType": "replace", "from": from, "to": to}
	slice := func(openStart, openEnd int, content ...*node) {
		value := map[string]any{"content": content}
		if openStart > 0 {
			value["openStart"] = openStart
		}
		if openEnd > 0 {
			value["openEnd"] = openEnd
		}
		made["slice"] = value
	}
	texts := func() *node { return &node{Type: "text", Text: y.word(), Marks: y.marks()} }
	lines := slices.DeleteFunc(slices.Clone(all), func(s *placedNode) bool { return s.Type != "text" })
	switch y.r.IntN(16) {
	case 0, 1, 2: // types
		if len(lines) > 0 {
			made["from"] = inside(lines[y.r.IntN(len(lines))])
			made["to"] = made["from"]
		}
		slice(0, 0, texts())
	case 3: // deletes
	case 4: // deletes anything
		made["to"] = from + y.r.IntN(size-from+1)
	case 5: // puts a copy of one block beside another
		other := all[y.r.IntN(len(all))]
		made["from"], made["to"] = at.pos, at.pos
		slice(0, 0, other.node)
	case 6: // exchanges a block
		other := all[y.r.IntN(len(all))]
		made["from"], made["to"] = at.pos, at.end
		slice(0, 0, other.node)
	case 7: // splits
		depth := 1 + y.r.IntN(min(3, at.depth))
		made["from"] = inside(at)
		made["to"] = made["from"]
		around := at
		if around.Type == "text" && around.parent != nil {
			around = around.parent
		}
		var left, right *node
		for i := 0; i < depth && around != nil; i++ {
			end, begin := &node{Type: around.Type, Attrs: around.Attrs}, &node{Type: around.Type, Attrs: around.Attrs}
			if left != nil {
				end.Content, begin.Content = []*node{left}, []*node{right}
			}
			left, right, around = end, begin, around.parent
		}
		slice(depth, depth, left, right)
		made["structure"] = y.r.IntN(2) == 0
	case 8: // joins
		made["from"], made["to"] = max(0, at.pos-1), min(size, at.pos+1)
		made["structure"] = true
	case 9: // wraps
		made["stepType"] = "replaceAround"
		made["from"], made["to"], made["gapFrom"], made["gapTo"] = at.pos, at.end, at.pos, at.end
		outer := &node{Type: y.one("blockquote", "hint", "listItem", "listUnordered", "condition", "column").(string)}
		made["insert"] = 1
		if outer.Type == "listUnordered" {
			outer.Content, made["insert"] = []*node{{Type: "listItem"}}, 2
		}
		slice(0, 0, outer)
		made["structure"] = true
	case 10: // lifts
		if at.parent != nil {
			made["stepType"] = "replaceAround"
			made["from"], made["to"] = at.parent.pos, at.parent.end
			made["gapFrom"], made["gapTo"], made["insert"] = at.pos, at.end, 0
			made["structure"] = y.r.IntN(2) == 0
		}
	case 11: // makes a block another one
		made["stepType"] = "replaceAround"
		made["from"], made["to"], made["gapFrom"], made["gapTo"] = at.pos, at.end, at.pos+1, max(at.pos+1, at.end-1)
		made["insert"] = 1
		slice(0, 0, &node{Type: y.one("heading1", "paragraph", "codeBlock", "blockquote", "taskItem", "image",
			"table").(string)})
	case 12:
		made["stepType"], made["mark"] = y.one("addMark", "removeMark"), y.mark()
	case 13:
		made = map[string]any{"stepType": y.one("addNodeMark", "removeNodeMark"), "pos": at.pos, "mark": y.mark()}
	case 14:
		made = map[string]any{"stepType": "attr", "pos": at.pos, "attr": y.one("data", "meta", "filler", "column",
			"value", "view", "colspan", "run", "json", "__proto__", "width"), "value": y.value()}
	default: // nonsense
		made = map[string]any{"stepType": y.one("replace", "replaceAround", "docAttr", "addMark", "attr", "toString"),
			"from": y.value(), "to": y.value(), "gapFrom": y.r.IntN(9), "gapTo": y.r.IntN(9), "insert": y.value(),
			"pos": y.value(), "attr": "data", "value": y.value(), "mark": y.value(), "slice": y.value()}
	}
	raw, err := json.Marshal(made)
	if err != nil {
		panic(err)
	}
	return raw
}

func (y typist) value() any {
	return y.one(nil, true, 0, 1, -1, 1.5, 1e300, "", "text", []any{}, map[string]any{},
		map[string]any{"style": "danger"},
		map[string]any{"checked": true}, map[string]any{"id": "anchor"}, map[string]any{"align": "center"},
		map[string]any{"type": "number"}, map[string]any{"type": "grid", "hideHeader": true},
		map[string]any{"title": "A"},
		map[string]any{"ref": map[string]any{"kind": "url", "url": "x"}},
		map[string]any{"__proto__": map[string]any{"a": 1}},
		map[string]any{"content": []any{map[string]any{"type": "paragraph"}}, "openStart": 1, "openEnd": -1},
		map[string]any{"type": "bold"},
		map[string]any{"object": "block", "type": "divider", "isVoid": true, "data": map[string]any{}})
}

// document returns what an engine has, as the editor does.
func document(t testing.TB, e *Engine) *node {
	t.Helper()
	snapshot, err := e.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var n node
	if err := json.Unmarshal(snapshot, &n); err != nil {
		t.Fatal(err)
	}
	return &n
}
