package doc

import (
	"reflect"
	"slices"
)

// Equal reports whether two documents say the same: the same nodes, attributes, texts and marks in the same order.
// What is derived does not count: keys, meta ids, source spans and what mentions are called. Documents that differ only
// in form (adjacent texts, absent attributes) are unequal until both went through Normalize.
func Equal(a, b *Document) bool {
	return slices.EqualFunc(a.Nodes, b.Nodes, EqualNodes)
}

// EqualNodes is Equal for two nodes.
func EqualNodes(a, b *Node) bool {
	if a.Object != b.Object || a.Type != b.Type || a.Fragment != b.Fragment {
		return false
	}
	if len(a.Nodes) != len(b.Nodes) || len(a.Fragments) != len(b.Fragments) || len(a.Leaves) != len(b.Leaves) {
		return false
	}
	for i := range a.Leaves {
		if a.Leaves[i].Text != b.Leaves[i].Text || !slices.Equal(a.Leaves[i].Marks, b.Leaves[i].Marks) {
			return false
		}
	}
	if !equalData(a.Data, b.Data) && !(a.Type == Mention && equalMentions(a.Data, b.Data)) {
		return false
	}
	return slices.EqualFunc(a.Nodes, b.Nodes, EqualNodes) && slices.EqualFunc(a.Fragments, b.Fragments, EqualNodes)
}

// equalMentions compares what is mentioned: what stands for it in Markdown is of no weight.
func equalMentions(a, b any) bool {
	one, ok := a.(*ContentRefData)
	other, also := b.(*ContentRefData)
	return ok && also && one.Ref == other.Ref
}

func equalData(a, b any) bool {
	// The types that make up most of a page are compared without reflection.
	switch a := a.(type) {
	case *ParagraphData:
		b, ok := b.(*ParagraphData)
		return ok && *a == *b
	case *HeadingData:
		b, ok := b.(*HeadingData)
		return ok && *a == *b
	case *CodeLineData:
		b, ok := b.(*CodeLineData)
		return ok && *a == *b
	case *EmptyData:
		_, ok := b.(*EmptyData)
		return ok
	}
	return reflect.DeepEqual(a, b)
}
