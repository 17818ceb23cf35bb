package render

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Section is a part of a page that search finds and links to.
type Section struct {
	// ID is the anchor of its heading, tab, expandable or update; "" for what stands before the first of them.
	ID string
	// Title is the text of its heading; "" for what stands before the first.
	Title string
	// Level is 1 to 3 for headings, one more than the heading around it for the others, 0 for what stands before.
	Level int
	// Kind is the type of block that opens the section; "" for what stands before the first.
	Kind doc.Type
	// Text is what it says, without its title: one line for each paragraph, item or row.
	Text string
}

// Sections cuts the document into the parts that search indexes: what stands before the first heading, then one part
// for each heading, tab, expandable and update, in reading order. After a tab, an expandable or an update the text goes
// on in the part around it. Nothing is left out but what is not resolved (see Evaluate). The first part is there only
// when it has text. A document over the default Limits gives none.
func Sections(d *doc.Document) []Section {
	if !acceptable(d) {
		return nil
	}
	list := &sectionList{anchors: anchorsOf(d), parts: []*sectionPart{{}}}
	w := textWriter{sections: list}
	w.blocks(d.Nodes)
	list.leave(&w)
	var out []Section
	for _, part := range list.parts {
		part.Text = strings.TrimSpace(part.text.String())
		if part.Kind != "" || part.Text != "" {
			out = append(out, part.Section)
		}
	}
	return out
}

type sectionPart struct {
	Section
	text strings.Builder
}

// sectionList is the state of one Sections call.
type sectionList struct {
	anchors anchors
	parts   []*sectionPart
	// current is the part that text goes to.
	current int
}

// leave moves what was written since to the current part.
func (l *sectionList) leave(w *textWriter) {
	l.parts[l.current].text.WriteString(w.String())
	w.Reset()
}

func (l *sectionList) enter(w *textWriter, n *doc.Node, title string, level int) {
	l.leave(w)
	title = strings.Join(strings.Fields(title), " ")
	l.parts = append(l.parts, &sectionPart{Section: Section{ID: l.anchors.ids[n], Title: title, Level: level,
		Kind: n.Type}})
	l.current = len(l.parts) - 1
}

// begin starts a part at a node that opens one, and reports whether it wrote the node.
func (l *sectionList) begin(w *textWriter, n *doc.Node) bool {
	if n.Object != doc.ObjectBlock || l.anchors.ids[n] == "" {
		return false
	}
	inside := func(title string, nodes []*doc.Node) bool {
		around := l.current
		l.enter(w, n, title, l.parts[around].Level+1)
		w.blocks(nodes)
		l.leave(w)
		l.current = around
		return true
	}
	switch n.Type {
	case doc.Heading1, doc.Heading2, doc.Heading3:
		l.enter(w, n, inlineText(n.Nodes, nil), headingLevel(n.Type))
		return true
	case doc.TabsItem:
		return inside(dataOf[doc.TabsItemData](n).Title, n.Nodes)
	case doc.Update:
		return inside(dataOf[doc.UpdateData](n).Date, n.Nodes)
	case doc.Expandable:
		title, body := n.FragmentNamed(doc.FragmentExpandableTitle), n.FragmentNamed(doc.FragmentExpandableBody)
		text, nodes := "", []*doc.Node(nil)
		if title != nil {
			for _, paragraph := range title.Nodes {
				text += " " + inlineText(paragraph.Nodes, nil)
			}
		}
		if body != nil {
			nodes = body.Nodes
		}
		return inside(text, nodes)
	}
	return false
}

func headingLevel(t doc.Type) int {
	switch t {
	case doc.Heading1:
		return 1
	case doc.Heading2:
		return 2
	}
	return 3
}

// Heading is an entry of a page's outline.
type Heading struct {
	// ID is the anchor, without Options.IDPrefix.
	ID    string
	Title string
	// Level is 1 or 2.
	Level int
}

// Outline lists the headings of the first two levels, also those in columns, steppers, updates and what Evaluate put in
// the place of conditions and reusable contents; not those in tabs, expandables, hints, lists and tables, which a
// reader may not see when jumping to them. What headings mention is called as a resolver says, which may be nil. A
// document over the default Limits gives none.
func Outline(d *doc.Document, resolver Resolver) []Heading {
	if !acceptable(d) {
		return nil
	}
	a := anchorsOf(d)
	var out []Heading
	var collect func(nodes []*doc.Node)
	collect = func(nodes []*doc.Node) {
		for _, n := range nodes {
			switch n.Type {
			case doc.Heading1, doc.Heading2:
				title := strings.Join(strings.Fields(inlineText(n.Nodes, resolver)), " ")
				if title != "" {
					out = append(out, Heading{ID: a.ids[n], Title: title, Level: headingLevel(n.Type)})
				}
			case doc.Columns, doc.Column, doc.Stepper, doc.StepperStep, doc.Updates, doc.Update:
				collect(n.Nodes)
			}
		}
	}
	collect(d.Nodes)
	return out
}
