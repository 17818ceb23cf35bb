package oas

// Kind is what a value is.
type Kind uint8

// Kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

// String names the kind for messages.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a text", "a list", "an object"}[k]
}

// Node is a value of a description with its place in the file. Objects keep the order that they were written in. A node
// is not changed once Read or Open has returned; several parents may share one.
type Node struct {
	Kind         Kind
	Line, Column int32
	// Text is the value of a scalar: that of a text, "true" or "false", a number as JSON writes it.
	Text string
	// Items are the entries of a list, or the values of an object beside its Keys.
	Items []*Node
	Keys  []Key

	index  map[string]int32 // of Keys, for large objects
	target *Node            // what the member "$ref" names
}

// Key is the name of a member with its place.
type Key struct {
	Text         string
	Line, Column int32
}

// indexed is the number of members from which an object has an index.
const indexed = 16

// at returns the place of a member, -1 when there is none.
func (n *Node) at(name string) int {
	if n.index != nil {
		if i, ok := n.index[name]; ok {
			return int(i)
		}
		return -1
	}
	for i := range n.Keys {
		if n.Keys[i].Text == name {
			return i
		}
	}
	return -1
}

// Get returns a member of an object, nil when there is none or n is no object or nil.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	if i := n.at(name); i >= 0 {
		return n.Items[i]
	}
	return nil
}

// text returns a member that is a text; "" for anything else.
func (n *Node) text(name string) string {
	if v := n.Get(name); v != nil && v.Kind == String {
		return v.Text
	}
	return ""
}

// flag reports whether a member is true.
func (n *Node) flag(name string) bool {
	v := n.Get(name)
	return v != nil && v.Kind == Bool && v.Text == "true"
}

// list returns the entries of a member that is a list.
func (n *Node) list(name string) []*Node {
	if v := n.Get(name); v != nil && v.Kind == List {
		return v.Items
	}
	return nil
}

// object returns a member that is an object, nil for anything else.
func (n *Node) object(name string) *Node {
	if v := n.Get(name); v != nil && v.Kind == Object {
		return v
	}
	return nil
}

// scalar reports whether a node is neither list nor object.
func (n *Node) scalar() bool { return n.Kind < List }

// texts returns the entries of a member that is a list of texts.
func (n *Node) texts(name string) []string {
	var texts []string
	for _, entry := range n.list(name) {
		if entry.Kind == String {
			texts = append(texts, entry.Text)
		}
	}
	return texts
}

// set puts a member, at the end when it is new.
func (n *Node) set(name string, value *Node) {
	if i := n.at(name); i >= 0 {
		n.Items[i] = value
		return
	}
	if n.index != nil {
		n.index[name] = int32(len(n.Keys))
	}
	n.Keys = append(n.Keys, Key{Text: name, Line: value.Line, Column: value.Column})
	n.Items = append(n.Items, value)
	if len(n.Keys) == indexed {
		n.makeIndex()
	}
}

// remove takes members away.
func (n *Node) remove(names ...string) {
	for _, name := range names {
		i := n.at(name)
		if i < 0 {
			continue
		}
		n.Keys = append(n.Keys[:i:i], n.Keys[i+1:]...)
		n.Items = append(n.Items[:i:i], n.Items[i+1:]...)
		if n.index != nil {
			n.makeIndex()
		}
	}
}

func (n *Node) makeIndex() {
	n.index = make(map[string]int32, len(n.Keys))
	for i := range n.Keys {
		n.index[n.Keys[i].Text] = int32(i)
	}
}

// make returns a new node at the place of another.
func (n *Node) make(kind Kind, text string) *Node {
	return &Node{Kind: kind, Line: n.Line, Column: n.Column, Text: text}
}

// objectOf returns a new object at the place of another node.
func (n *Node) objectOf() *Node { return n.make(Object, "") }

// follow returns what a reference leads to in the end, and the node itself when it is none. A cycle of references leads
// to nil.
func (n *Node) follow() *Node {
	for range 32 {
		if n == nil || n.target == nil {
			return n
		}
		n = n.target
	}
	return nil
}

// nodes hands out nodes in blocks: fewer and denser allocations than one each.
type nodes struct{ block []Node }

func (s *nodes) take() *Node {
	if len(s.block) == 0 {
		s.block = make([]Node, 256)
	}
	n := &s.block[0]
	s.block = s.block[1:]
	return n
}
