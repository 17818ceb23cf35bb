package doc

import "strings"

// FormattedTitle returns the inlines that a column's title was written with. A title is plain text in the definition
// of its column; one with links, images or marks has a fragment besides, of one paragraph that reads like the title.
// Nil when there is none, or when the title was changed since.
func (n *Node) FormattedTitle(column string) []*Node {
	data, ok := n.Data.(*TableData)
	if !ok || data.Definition[column] == nil {
		return nil
	}
	fragment := n.FragmentNamed(FragmentColumnTitle + column)
	if fragment == nil || len(fragment.Nodes) != 1 || fragment.Nodes[0].Type != Paragraph ||
		fragment.Nodes[0].PlainText() != data.Definition[column].Title {
		return nil
	}
	return fragment.Nodes[0].Nodes
}

// IsColumnTitle reports whether a node is the fragment of a column's formatted title.
func IsColumnTitle(n *Node) bool {
	return n.Object == ObjectFragment && strings.HasPrefix(n.Fragment, FragmentColumnTitle)
}
