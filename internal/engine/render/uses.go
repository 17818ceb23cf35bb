package render

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Relation says how a document needs what it points at.
type Relation string

// Relations of a link.
const (
	// Reference is a link, a mention, an image: the document stands without its target.
	Reference Relation = "reference"
	// DependsOn is content that the document shows as its own: a reusable content, an API description.
	DependsOn Relation = "dependsOn"
)

// LinkUse is one place of a document that holds a reference.
type LinkUse struct {
	Ref doc.Ref
	// Place is the type of the node that holds it: link, mention, button, image, table, update …
	Place doc.Type
	// Role tells references of one node apart: "dark" for the dark variant of an image, "tag" for an update's tag, the
	// column id for a table's value, "" otherwise.
	Role string
	// Relation is how the document needs the target.
	Relation Relation
	// Key is the key of the node, or of the nearest one around it that has a key.
	Key string
	// Anchor is the id of the heading, tab, expandable or update that the place belongs to; "" before the first.
	Anchor string
	// Text is what a reader sees of it: a link's text, an image's alternative text, a button's label.
	Text string
}

// Links lists every reference of the document in reading order, those in raw HTML too. Conditions and reusable contents
// are not resolved: what an {% if %} hides is listed, what a reusable content holds is not. A document over the default
// Limits gives none.
func Links(d *doc.Document) []LinkUse {
	if !acceptable(d) {
		return nil
	}
	l := linkList{anchors: anchorsOf(d)}
	l.nodes(d.Nodes, "")
	return l.uses
}

// linkList is the state of one Links call.
type linkList struct {
	anchors anchors
	// anchor is the id that the current place belongs to.
	anchor string
	uses   []LinkUse
}

func (l *linkList) nodes(nodes []*doc.Node, key string) {
	for _, n := range nodes {
		l.node(n, key)
	}
}

func (l *linkList) node(n *doc.Node, key string) {
	key = firstText(n.Key, key)
	around, id := l.anchor, l.anchors.ids[n]
	if id != "" {
		l.anchor = id
	}
	l.own(n, key)
	l.nodes(n.Nodes, key)
	l.nodes(n.Fragments, key)
	switch n.Type {
	case doc.Heading1, doc.Heading2, doc.Heading3:
	default:
		// What follows a tab or an expandable belongs to the heading around it; what follows a heading to that.
		if id != "" {
			l.anchor = around
		}
	}
}

// own lists the references that a node itself holds.
func (l *linkList) own(n *doc.Node, key string) {
	add := func(ref doc.Ref, role, text string) {
		relation := Reference
		switch n.Type {
		case doc.ReusableContent, doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook:
			relation = DependsOn
		}
		l.uses = append(l.uses, LinkUse{
			Ref: ref, Place: n.Type, Role: role, Relation: relation, Key: key, Anchor: l.anchor,
			Text: strings.Join(strings.Fields(text), " "),
		})
	}
	dark := func(ref *doc.Ref, text string) {
		if ref != nil {
			add(*ref, "dark", text)
		}
	}
	switch data := n.Data.(type) {
	case *doc.ContentRefData:
		add(data.Ref, "", inlineText(n.Nodes, nil))
	case *doc.ReusableContentData:
		add(data.Ref, "", "")
	case *doc.ImageData:
		add(data.Ref, "", data.Alt)
		dark(data.RefDark, data.Alt)
	case *doc.InlineImageData:
		add(data.Ref, "", data.Alt)
		dark(data.RefDark, data.Alt)
	case *doc.FileData:
		add(data.Ref, "", fragmentText(n, doc.FragmentCaption))
	case *doc.OpenAPIData:
		if !data.IsInline() {
			add(data.Ref, "", strings.TrimSpace(data.Method+" "+data.Path+data.Name))
		}
	case *doc.ButtonData:
		if data.Ref != nil {
			add(*data.Ref, "", data.Label)
		}
	case *doc.UpdateData:
		for _, tag := range data.Tags {
			add(tag, "tag", "")
		}
	case *doc.TableData:
		l.table(n, add)
	case *doc.RawData:
		rawRefs(data, add)
	}
}

func (l *linkList) table(n *doc.Node, add func(ref doc.Ref, role, text string)) {
	v := readTable(n)
	for _, row := range v.rows {
		for _, column := range slices.Sorted(maps.Keys(row.record.Values)) {
			value := row.record.Values[column]
			if ref, ok := refOf(value); ok {
				text := ""
				if record, ok := value.(doc.ImageRecord); ok {
					text = record.Alt
				}
				add(ref, column, text)
				continue
			}
			definition := v.data.Definition[column]
			if definition == nil {
				continue
			}
			for _, id := range stringsOf(value) {
				switch definition.Type {
				case "files", "image", "content-ref":
					add(fileRef(id), column, "")
				case "users":
					add(doc.Ref{Kind: doc.RefUser, User: id}, column, "")
				}
			}
		}
	}
}

// rawRefs lists the addresses in raw HTML that are printed.
func rawRefs(data *doc.RawData, add func(ref doc.Ref, role, text string)) {
	if data.Syntax != "html" || !strings.Contains(data.Source, "<") {
		return
	}
	tokens := html.NewTokenizer(strings.NewReader(data.Source))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := tokens.Token()
		address, text := "", ""
		switch token.Data {
		case "a":
			address = attribute(token.Attr, "href")
		case "img":
			address, text = attribute(token.Attr, "src"), attribute(token.Attr, "alt")
		}
		if address != "" {
			add(doc.URL(address), "", text)
		}
	}
}
