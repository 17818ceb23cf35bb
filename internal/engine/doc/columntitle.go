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

// ColumnTitle returns the inlines of a column's title, formatted or not; nil when there is none.
func (n *Node) ColumnTitle(column string) []*Node {
	if formatted := n.FormattedTitle(column); formatted != nil {
		return formatted
	}
	data, ok := n.Data.(*TableData)
	if !ok || data.Definition[column] == nil || data.Definition[column].Title == "" {
		return nil
	}
	return []*Node{NewText(data.Definition[column].Title)}
}

// IsColumnTitle reports whether a node is the fragment of a column's formatted title.
func IsColumnTitle(n *Node) bool {
	return n.Object == ObjectFragment && strings.HasPrefix(n.Fragment, FragmentColumnTitle)
}
