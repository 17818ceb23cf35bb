package doc

import "strconv"

// NewBlock returns a block of a type with its attributes; nil data becomes the type's empty attributes.
func NewBlock(t Type, data any, nodes ...*Node) *Node {
	if data == nil {
		data = DataFor(t)
	}
	return &Node{Object: ObjectBlock, Type: t, Data: data, Nodes: nodes}
}

// NewInline returns an inline of a type with its attributes; nil data becomes the type's empty attributes.
func NewInline(t Type, data any, nodes ...*Node) *Node {
	if data == nil {
		data = DataFor(t)
	}
	return &Node{Object: ObjectInline, Type: t, Data: data, Nodes: nodes}
}

// NewText returns a text node with one leaf, or with none when the text is empty.
func NewText(text string, marks ...Mark) *Node {
	n := &Node{Object: ObjectText}
	if text != "" {
		n.Leaves = []Leaf{{Text: text, Marks: marks}}
	}
	return n
}

// NewParagraph returns a paragraph of the given texts and inlines.
func NewParagraph(nodes ...*Node) *Node { return NewBlock(Paragraph, &ParagraphData{}, nodes...) }

// NewFragment returns a fragment with a name. The names that the schema types (expandable parts, annotation bodies)
// get their type as well.
func NewFragment(name string, nodes ...*Node) *Node {
	f := &Node{Object: ObjectFragment, Fragment: name, Nodes: nodes}
	switch name {
	case FragmentExpandableTitle, FragmentExpandableBody, FragmentAnnotationBody:
		f.Type = Type(name)
	}
	return f
}

// NewCode returns a code block with one line node for each line of source.
func NewCode(data *CodeData, lines ...string) *Node {
	n := NewBlock(Code, data)
	if data == nil {
		n.Data = &CodeData{}
	}
	for _, line := range lines {
		n.Nodes = append(n.Nodes, NewCodeLine(line))
	}
	return n
}

// NewCodeLine returns one line of a code block; an empty line has no children.
func NewCodeLine(line string) *Node {
	n := NewBlock(CodeLine, &CodeLineData{})
	if line != "" {
		n.Nodes = []*Node{NewText(line)}
	}
	return n
}

// URL returns a reference that holds a destination as written.
func URL(destination string) Ref { return Ref{Kind: RefURL, URL: destination} }

// NewTextTable returns a table with a column for each title and a list of blocks in each cell of each row.
func NewTextTable(titles []string, rows [][][]*Node) *Node {
	data := &TableData{View: TableView{Type: "grid"}, Records: map[string]TableRecord{},
		Definition: map[string]*TableDefinition{}}
	n := NewBlock(Table, data)
	for i, title := range titles {
		id := "c" + strconv.Itoa(i+1)
		data.Definition[id] = &TableDefinition{ID: id, Title: title, Type: "text", TextAlignment: "left"}
		data.View.Columns = append(data.View.Columns, id)
	}
	for i, row := range rows {
		digits := strconv.Itoa(i + 1)
		record := TableRecord{OrderIndex: "000000"[:max(6-len(digits), 0)] + digits, Values: map[string]any{}}
		for j, cell := range row {
			if len(cell) > 0 {
				name := "r" + digits + "c" + strconv.Itoa(j+1)
				record.Values["c"+strconv.Itoa(j+1)] = name
				n.Fragments = append(n.Fragments, NewFragment(name, cell...))
			}
		}
		data.Records["r"+digits] = record
	}
	return n
}

// PlainText returns the text of a node and everything below it: leaves joined as they are, lines of code separated
// by line breaks, buttons by their labels, emoji as characters. It is what a title, an anchor or an alternative text
// is made of; package render has the reading text of a whole document.
func (n *Node) PlainText() string {
	var b textBuilder
	b.node(n)
	return b.String()
}
