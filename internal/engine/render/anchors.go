package render

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// anchors are the ids of a document's nodes: unique, without spaces, the same in HTML, outline, sections and links.
type anchors struct {
	ids   map[*doc.Node]string
	taken map[string]bool
	next  map[string]int
	// tabs are the ids of tabs by the slug that selects them, the first of each.
	tabs map[string]string
}

// anchorsOf gives every node that can be linked to its id: the one that the parser assigned, the one that its author
// wrote, else one made from its text. A second node with the same id gets a number.
func anchorsOf(d *doc.Document) anchors {
	a := anchors{ids: map[*doc.Node]string{}, taken: map[string]bool{}, next: map[string]int{},
		tabs: map[string]string{}}
	d.Walk(func(n *doc.Node) bool {
		if id := wantedID(n); id != "" {
			if _, known := a.ids[n]; !known {
				a.ids[n] = a.take(id)
			}
			if slug := tabSlug(n); slug != "" && a.tabs[slug] == "" {
				a.tabs[slug] = a.ids[n]
			}
		}
		return !doc.HoldsText(n.Type)
	})
	return a
}

// take makes an id unique and remembers it.
func (a anchors) take(id string) string {
	unique := id
	for a.taken[unique] {
		a.next[id]++
		unique = id + "-" + strconv.Itoa(a.next[id])
	}
	a.taken[unique] = true
	return unique
}

// wantedID is the id that a node asks for, "" for nodes that have none.
func wantedID(n *doc.Node) string {
	if n.Object != doc.ObjectBlock {
		return ""
	}
	switch n.Type {
	case doc.Heading1, doc.Heading2, doc.Heading3:
		return firstID(n.ID, dataOf[doc.HeadingData](n).ID, doc.Anchor(n.PlainText()), "section")
	case doc.Expandable:
		return firstID(n.ID, doc.Anchor(fragmentText(n, doc.FragmentExpandableTitle)), "expandable")
	case doc.TabsItem:
		return firstID(n.ID, doc.Anchor(dataOf[doc.TabsItemData](n).Title), "tab")
	case doc.Update:
		return firstID(n.ID, doc.Anchor("update-"+dataOf[doc.UpdateData](n).Date), "update")
	case doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook, doc.ListItem:
		return firstID(n.ID) // an item of a list has one where it is a member of a model
	}
	return ""
}

// firstID returns the first usable id: not empty, at most 200 bytes, without spaces and control characters.
func firstID(candidates ...string) string {
	for _, id := range candidates {
		if id != "" && len(id) <= 200 && utf8.ValidString(id) && strings.IndexFunc(id, unfit) < 0 {
			return id
		}
	}
	return ""
}

func unfit(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// tabSlug is the slug that selects a tab, "" for other nodes: the one that its author wrote, else its title's.
func tabSlug(n *doc.Node) string {
	if n.Type != doc.TabsItem {
		return ""
	}
	data := dataOf[doc.TabsItemData](n)
	return SelectSlug(firstText(data.Slug, data.Title))
}

// SelectSlug makes the slug that selects tabs: NFKC, control and format characters dropped, lower case, letters,
// numbers, marks and + # . _ kept, other runs one dash, at most 64 characters.
func SelectSlug(title string) string {
	var b strings.Builder
	dash, count := false, 0
	for _, r := range norm.NFKC.String(shorten(title, 1000)) {
		switch {
		case unicode.Is(unicode.C, r):
			continue
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || strings.ContainsRune("+#._", r):
			if dash && b.Len() > 0 {
				b.WriteByte('-')
				count++
			}
			dash = false
			b.WriteRune(unicode.ToLower(r))
			count++
		default:
			dash = true
		}
		if count >= 64 {
			break
		}
	}
	return b.String()
}

// id is the id of a node as it is printed, "" when it has none.
func (p *page) id(n *doc.Node) string {
	if id := p.anchors.ids[n]; id != "" {
		return p.options.IDPrefix + id
	}
	return ""
}

// newID takes an id for something that is not a node.
func (p *page) newID(id string) string { return p.options.IDPrefix + p.anchors.take(id) }

func fragmentText(n *doc.Node, name string) string {
	fragment := n.FragmentNamed(name)
	if fragment == nil {
		return ""
	}
	return strings.TrimSpace(fragment.PlainText())
}
