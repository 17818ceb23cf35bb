package doc

import "iter"

// Limits on nesting that decoding and parsing accept, counted from 1 for a top-level block, fragments included. Walks
// over a document may recurse: the limits keep their stacks small.
const (
	// MaxDepth is the deepest level of any node.
	MaxDepth = 100
	// MaxBlockDepth is the deepest level of a block; it leaves room for the texts and inlines in it.
	MaxBlockDepth = 88
)

// Walk calls visit for every node of the document in reading order: a node before its children, fragments after
// nodes. Returning false skips what is below the node.
func (d *Document) Walk(visit func(n *Node) bool) {
	for _, n := range d.Nodes {
		n.Walk(visit)
	}
}

// Walk calls visit for the node and everything below it, in the order of Document.Walk.
func (n *Node) Walk(visit func(n *Node) bool) {
	if !visit(n) {
		return
	}
	for _, child := range n.Nodes {
		child.Walk(visit)
	}
	for _, fragment := range n.Fragments {
		fragment.Walk(visit)
	}
}

// All returns the nodes of the document in the order of Walk.
func (d *Document) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		running := true
		d.Walk(func(n *Node) bool {
			running = running && yield(n)
			return running
		})
	}
}

// FragmentNamed returns the fragment of that name, or nil.
func (n *Node) FragmentNamed(name string) *Node {
	for _, fragment := range n.Fragments {
		if fragment.Fragment == name || fragment.Fragment == "" && string(fragment.Type) == name {
			return fragment
		}
	}
	return nil
}

// Clone returns a deep copy of the document.
func (d *Document) Clone() *Document {
	return &Document{Nodes: cloneNodes(d.Nodes)}
}

// Clone returns a deep copy of the node, attributes included.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	c.Data = cloneData(n.Data)
	c.Nodes = cloneNodes(n.Nodes)
	c.Fragments = cloneNodes(n.Fragments)
	if n.Leaves != nil {
		c.Leaves = make([]Leaf, len(n.Leaves))
		for i, leaf := range n.Leaves {
			c.Leaves[i] = Leaf{Text: leaf.Text, Marks: append([]Mark(nil), leaf.Marks...)}
		}
	}
	return &c
}

func cloneNodes(nodes []*Node) []*Node {
	if nodes == nil {
		return nil
	}
	c := make([]*Node, len(nodes))
	for i, n := range nodes {
		c[i] = n.Clone()
	}
	return c
}
