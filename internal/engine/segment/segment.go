// Package segment owns what of a document is translated: its units (the texts of paragraphs, headings, cells, captions,
// titles), each as a line of text in which numbered placeholders stand for marks, links, images and expressions; and
// how a translated document follows its source.
//
// It promises that a unit put back as it was leaves the document as it was; that what a placeholder stands for reaches
// no translator and comes back as it was; that a translation is lost only where its source block has changed or gone;
// and that the state of each unit (translated, stale, missing) is a function of the two texts and of the memory of
// pairs, whatever way led there. The package is pure: no database, no network, no clock.
package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Code is what a placeholder stands for.
type Code struct {
	// Marks are those of a run of text; such a code is a pair around it.
	Marks []doc.Mark `json:"marks,omitempty"`
	// Node is an inline without its children, or a text that is not translated (code, keys).
	Node *doc.Node `json:"node,omitempty"`
	// Pair says that the code stands around text, such as a link.
	Pair bool `json:"pair,omitempty"`
}

// Content is the text of a unit. Placeholder n is Codes[n-1]: <n>…</n> for a pair, <n/> for the others. In the text
// &amp;, &lt; and &gt; stand for the characters.
type Content struct {
	Text  string `json:"text"`
	Codes []Code `json:"codes,omitempty"`
}

// Plain returns the content of a text without placeholders.
func Plain(text string) Content { return Content{Text: escape(text)} }

// Hash identifies the content: the text with all that its placeholders stand for.
func (c Content) Hash() string {
	h := sha256.New()
	h.Write([]byte(c.Text))
	if len(c.Codes) > 0 {
		encoded, err := json.Marshal(c.Codes)
		if err != nil {
			encoded = []byte(err.Error()) // nodes of a document that was parsed can be written
		}
		h.Write([]byte{0})
		h.Write(encoded)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Words counts the words of a text, each ideograph as one.
func (c Content) Words() int {
	count, inside := 0, false
	for _, run := range Split(c.Text) {
		if run.Kind != RunText {
			continue
		}
		inside = false
		for _, r := range run.Text {
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
				count, inside = count+1, false
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				if !inside {
					count++
				}
				inside = true
			case r != '\'' && r != '’' && r != '-':
				inside = false
			}
		}
	}
	return count
}

// Speaks reports whether the text has letters outside its placeholders: otherwise there is nothing to translate.
func (c Content) Speaks() bool {
	for _, run := range Split(c.Text) {
		if run.Kind == RunText && strings.ContainsFunc(run.Text, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// Markdown returns what placeholder n (from 1) stands for: what opens it and, for a pair, what closes it.
func (c Content) Markdown(n int) (before, after string) {
	code := c.Codes[n-1]
	if code.Node != nil && !code.Pair {
		return written(restored(code, nil, nil)), ""
	}
	const inside = "x"
	whole := written(restored(code, []*doc.Node{doc.NewText(inside)}, nil))
	before, after, found := strings.Cut(whole, inside)
	if !found {
		return whole, ""
	}
	return before, after
}

func written(nodes []*doc.Node) string {
	return strings.TrimSpace(string(markdown.Write(&doc.Document{Nodes: []*doc.Node{doc.NewParagraph(nodes...)}})))
}

// Unit is one text of a document.
type Unit struct {
	// Kind is the type of the block, or the name of the attribute, that the text belongs to.
	Kind string
	Content
	hash string
	node *doc.Node    // whose children the text is
	set  func(string) // puts an attribute: instead of node, or in step with it
}

// Hash is Content.Hash, kept.
func (u *Unit) Hash() string {
	if u.hash == "" {
		u.hash = u.Content.Hash()
	}
	return u.hash
}

// Field returns the unit of a text that stands beside a document, such as a page's title.
func Field(kind, text string) *Unit { return &Unit{Kind: kind, Content: Plain(text)} }

// Kinds of units that are attributes.
const (
	KindTab         = "tab-title"
	KindAlternative = "image-alt"
	KindColumn      = "column-title"
	KindOption      = "option-label"
	KindPrompt      = "prompt-description"
	KindOpenAPI     = "openapi-title"
)

// Units returns the texts of a document in reading order, those without letters too (see Content.Speaks).
func Units(d *doc.Document) []*Unit {
	var units []*Unit
	attribute := func(kind string, value *string) {
		if *value != "" {
			units = append(units, &Unit{Kind: kind, Content: Plain(*value), set: func(s string) { *value = s }})
		}
	}
	titles := map[*doc.Node]*doc.TableDefinition{} // the columns of formatted titles
	d.Walk(func(n *doc.Node) bool {
		switch data := n.Data.(type) {
		case *doc.TabsItemData:
			attribute(KindTab, &data.Title)
		case *doc.ImageData:
			attribute(KindAlternative, &data.Alt)
		case *doc.PromptData:
			attribute(KindPrompt, &data.Description)
		case *doc.OpenAPIData:
			attribute(KindOpenAPI, &data.Title)
		case *doc.TableData:
			for _, name := range columns(data) {
				definition := data.Definition[name]
				if n.FormattedTitle(name) != nil {
					titles[n.FragmentNamed(doc.FragmentColumnTitle + name).Nodes[0]] = definition
				} else {
					attribute(KindColumn, &definition.Title)
				}
				for i := range definition.Options {
					attribute(KindOption, &definition.Options[i].Label)
				}
			}
		}
		if n.Object != doc.ObjectBlock || !doc.HoldsText(n.Type) || n.Type == doc.CodeLine || len(n.Nodes) == 0 {
			return n.Type != doc.Code
		}
		unit := &Unit{Kind: string(n.Type), Content: read(n.Nodes), node: n}
		if definition := titles[n]; definition != nil {
			unit.Kind, unit.set = KindColumn, func(title string) { definition.Title = title }
		}
		units = append(units, unit)
		return true
	})
	return units
}

// columns returns the names of a table's columns, those that are shown first.
func columns(data *doc.TableData) []string {
	names := make([]string, 0, len(data.Definition))
	for _, name := range data.View.Columns {
		if data.Definition[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

// put replaces the text of a unit in its document.
func (u *Unit) put(c Content) {
	if u.node == nil {
		if u.set != nil {
			u.set(plainText(c.Text))
		}
		return
	}
	u.node.Nodes = c.nodes(attachments(u.node.Nodes))
	if u.set != nil {
		u.set(u.node.PlainText())
	}
}

// plainText is the text of a content without its placeholders.
func plainText(text string) string {
	var b strings.Builder
	for _, run := range Split(text) {
		if run.Kind == RunText {
			b.WriteString(run.Text)
		}
	}
	return b.String()
}

// PlainText returns the words without placeholders.
func (c Content) PlainText() string { return plainText(c.Text) }

// attachments are the annotations below nodes, in order: what they say is a unit of its own and stays with the
// document.
func attachments(nodes []*doc.Node) []*doc.Node {
	var found []*doc.Node
	for _, n := range nodes {
		if n.Object == doc.ObjectInline && len(n.Fragments) > 0 {
			found = append(found, n)
		}
		found = append(found, attachments(n.Nodes)...)
	}
	return found
}

// reader makes the content of a list of inlines.
type reader struct {
	text  strings.Builder
	codes []Code
}

func read(nodes []*doc.Node) Content {
	r := &reader{}
	r.nodes(nodes)
	return Content{Text: r.text.String(), Codes: r.codes}
}

func (r *reader) nodes(nodes []*doc.Node) {
	for _, n := range nodes {
		r.node(n)
	}
}

func (r *reader) node(n *doc.Node) {
	if n.Object == doc.ObjectText {
		for _, leaf := range n.Leaves {
			r.leaf(leaf)
		}
		return
	}
	bare := doc.Node{Object: n.Object, Type: n.Type, Data: n.Data}
	// What is said of an image and on a button stands between the halves of its placeholder.
	label := ""
	switch data := n.Data.(type) {
	case *doc.InlineImageData:
		silent := *data
		silent.Alt, label, bare.Data = "", data.Alt, &silent
	case *doc.ButtonData:
		silent := *data
		silent.Label, label, bare.Data = "", data.Label, &silent
	}
	if label != "" {
		r.pair(Code{Node: &bare, Pair: true}, func() { r.text.WriteString(escape(label)) })
		return
	}
	if doc.IsVoid(n.Type) {
		r.single(Code{Node: &bare})
		return
	}
	r.pair(Code{Node: &bare, Pair: true}, func() { r.nodes(n.Nodes) })
}

func (r *reader) leaf(leaf doc.Leaf) {
	if leaf.Text == "" {
		return
	}
	for _, mark := range leaf.Marks {
		if mark.Type == doc.CodeMark || mark.Type == doc.Keyboard {
			r.single(Code{Node: doc.NewText(leaf.Text, leaf.Marks...)})
			return
		}
	}
	if len(leaf.Marks) == 0 {
		r.text.WriteString(escape(leaf.Text))
		return
	}
	r.pair(Code{Marks: leaf.Marks, Pair: true}, func() { r.text.WriteString(escape(leaf.Text)) })
}

func (r *reader) single(c Code) {
	r.codes = append(r.codes, c)
	r.text.WriteString("<" + strconv.Itoa(len(r.codes)) + "/>")
}

func (r *reader) pair(c Code, inside func()) {
	r.codes = append(r.codes, c)
	number := strconv.Itoa(len(r.codes))
	r.text.WriteString("<" + number + ">")
	inside()
	r.text.WriteString("</" + number + ">")
}
