package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// openAPI appends an API block: what describes it, where Options.OpenAPI has given that, else what it points at.
func (p *page) openAPI(n *doc.Node, in blockContext) {
	data := dataOf[doc.OpenAPIData](n)
	kind := strings.TrimPrefix(string(n.Type), "openapi-")
	p.open("div", "class", classes("block-openapi", "openapi-"+kind, when(isSet(data.FullWidth), "is-full"),
		when(len(n.Nodes) > 0, "is-described")), "id", p.id(n))
	p.openAPIHead(data)
	if len(n.Nodes) > 0 {
		p.described(n.Nodes, in)
		p.raw("</div>\n")
		return
	}
	if len(data.Schemas) > 0 {
		p.raw(`<ul class="openapi-schemas-list">`)
		for _, schema := range data.Schemas {
			p.raw("<li><code>")
			p.text(schema)
			p.raw("</code></li>")
		}
		p.raw(`</ul>`)
	}
	if data.IsInline() {
		p.raw("</div>\n")
		return
	}
	p.raw(`<p class="openapi-note">`)
	p.text(p.labels.OpenAPIPending)
	if l := p.resolve(data.Ref); l.href != "" && p.linked == 0 {
		p.raw(" ")
		p.open("a", p.anchorAttributes("link", l)...)
		p.text(p.labels.OpenAPISource)
		p.raw("</a>")
	} else if name := l.name(); name != "" && name != "." {
		p.text(" (" + name + ")")
	}
	p.raw("</p></div>\n")
}

// openAPIHead appends what a block is about: the models of a page by themselves are about nothing more.
func (p *page) openAPIHead(data *doc.OpenAPIData) {
	target := data.Target()
	if data.Title == "" && data.Method == "" && target == "" {
		return
	}
	p.raw(`<div class="openapi-head">`)
	if data.Title != "" {
		p.raw(`<span class="openapi-title">`)
		p.text(data.Title)
		p.raw(`</span>`)
	}
	if data.Method != "" {
		p.open("span", "class", "openapi-method method-"+safeName(data.Method))
		p.text(strings.ToUpper(data.Method))
		p.raw(`</span>`)
	}
	if target != "" {
		p.raw(`<code class="openapi-path">`)
		p.text(target)
		p.raw(`</code>`)
	}
	p.raw(`</div>`)
}

// described appends the description of an operation or of models: what is said first, the examples that stand beside
// it where there is room, and the rest.
func (p *page) described(nodes []*doc.Node, in blockContext) {
	in.described = true
	at := slices.IndexFunc(nodes, func(n *doc.Node) bool { return n.Fragment == doc.FragmentExample })
	if at < 0 {
		p.raw(`<div class="openapi-body">`)
		p.blocks(nodes, in)
		p.raw("</div>")
		return
	}
	p.raw(`<div class="openapi-columns"><div class="openapi-body openapi-intro">`)
	p.blocks(nodes[:at], in)
	p.raw(`</div><div class="openapi-examples">`)
	p.blocks(nodes[at].Nodes, in)
	p.raw(`</div><div class="openapi-body openapi-rest">`)
	p.blocks(nodes[at+1:], in)
	p.raw("</div></div>")
}

// isMember reports whether an item of a list is a member of a model or a parameter: these have anchors.
func isMember(n *doc.Node) bool { return n.Type == doc.ListItem && n.ID != "" }

// members appends a list of members. What is in them is folded, but for what is folded with them.
func (p *page) members(n *doc.Node, in blockContext) {
	p.raw(`<ul class="members">`)
	for _, item := range n.Nodes {
		if !isMember(item) || len(item.Nodes) == 0 {
			p.item(item, in)
			continue
		}
		id := p.id(item)
		p.open("li", "class", "member", "id", id)
		p.raw(`<p class="member-line">`)
		p.inlines(item.Nodes[0].Nodes)
		name := firstText(item.Nodes[0].Nodes[0].PlainText(), id)
		p.open("a", "class", "member-anchor", "href", "#"+id, "aria-label", label(p.labels.LinkTo, name))
		p.icon("link")
		p.raw("</a></p>")
		rest := item.Nodes[1:]
		inside := slices.IndexFunc(rest, holdsMembers)
		if inside < 0 {
			inside = len(rest)
		}
		p.blocks(rest[:inside], in)
		if inside < len(rest) {
			p.fold(name, rest[inside:], in)
		}
		p.raw("</li>\n")
	}
	p.raw("</ul>\n")
}

// holdsMembers reports whether a block is what is inside of a member.
func holdsMembers(n *doc.Node) bool {
	return n.Fragment == doc.FragmentChoices || n.Type == doc.ListUnordered && slices.ContainsFunc(n.Nodes, isMember)
}

// fold appends what is inside of a member, closed.
func (p *page) fold(name string, nodes []*doc.Node, in blockContext) {
	count := 0
	for _, n := range nodes {
		if n.Type == doc.ListUnordered {
			count += len(n.Nodes)
		} else if len(n.Nodes) > 0 {
			count += len(n.Nodes[0].Nodes)
		}
	}
	p.raw(`<details class="member-fold"><summary>`)
	p.icon("chevron-right", "expandable-icon")
	p.raw("<span>")
	p.text(label(p.labels.ShowMembers, strconv.Itoa(count)))
	p.raw(`<span class="visually-hidden">: `)
	p.text(name)
	p.raw(`</span></span></summary><div class="member-fold-body">`)
	p.blocks(nodes, in)
	p.raw("</div></details>")
}

// choices appends what a value may be as tabs. Each is an item of a list, the first paragraph of which is its title.
func (p *page) choices(n *doc.Node, in blockContext) {
	var items []*doc.Node
	for _, list := range n.Nodes {
		items = append(items, list.Nodes...)
	}
	tabs := doc.NewBlock(doc.Tabs, nil)
	for _, item := range items {
		if len(item.Nodes) == 0 {
			continue
		}
		title := strings.TrimSpace(item.Nodes[0].PlainText())
		tabs.Nodes = append(tabs.Nodes, doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: title}, item.Nodes[1:]...))
	}
	p.raw(`<div class="openapi-choices">`)
	p.tabs(tabs, in)
	p.raw("</div>\n")
}
