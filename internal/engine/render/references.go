package render

import (
	"encoding/json"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// contentRef appends a card that leads to a page, a file or another target.
func (p *page) contentRef(n *doc.Node) {
	l := p.resolve(dataOf[doc.ContentRefData](n).Ref)
	tag := "div"
	if l.href == "" || p.linked > 0 {
		p.open(tag, "class", classes("block-content-ref", when(l.Broken, "is-broken")), "data-broken", p.brokenText(l))
	} else {
		tag = "a"
		p.open(tag, p.anchorAttributes("block-content-ref", l)...)
	}
	switch {
	case l.Emoji != "":
		p.raw(`<span class="emoji">`)
		p.text(l.Emoji)
		p.raw(`</span>`)
	case l.Icon != "":
		p.icon(l.Icon)
	case l.external:
		p.icon("arrow-up-right")
	default:
		p.icon("page")
	}
	p.raw(`<span class="content-ref-body"><span class="content-ref-title">`)
	p.text(l.name())
	p.raw(`</span>`)
	if l.Description != "" {
		p.raw(`<span class="content-ref-description">`)
		p.text(l.Description)
		p.raw(`</span>`)
	}
	p.raw(`</span>`)
	p.icon("arrow-right", "content-ref-arrow")
	p.close(tag)
	p.raw("\n")
}

// shown appends what Options.Integration says that a block shows, and reports whether it says anything.
func (p *page) shown(data *doc.IntegrationData) bool {
	if p.options.Integration == nil {
		return false
	}
	shown, ok := p.options.Integration(p.ctx, data)
	if !ok {
		return false
	}
	p.raw(shown)
	return true
}

// fence returns the block that a code block stands for, nil for code.
func (p *page) fence(n *doc.Node) *doc.IntegrationData {
	if syntax := dataOf[doc.CodeData](n).Syntax; p.options.Fence != nil && syntax != "" {
		return p.options.Fence(syntax, CodeText(n))
	}
	return nil
}

// CodeText is the source of a code block.
func CodeText(n *doc.Node) string {
	lines := codeLines(n)
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.text
	}
	return strings.Join(texts, "\n")
}

// integration appends a block of an integration: what Options.Integration shows, or else what the block holds, inert.
// Diagrams are code that a script of ours draws.
func (p *page) integration(n *doc.Node) {
	data := dataOf[doc.IntegrationData](n)
	if p.shown(data) {
		return
	}
	content, _ := data.Props["content"].(string)
	if data.Integration == "mermaid" && content != "" {
		code := doc.NewCode(&doc.CodeData{Syntax: "mermaid", FullWidth: data.FullWidth},
			strings.Split(strings.TrimSpace(content), "\n")...)
		p.code(code, codeView{diagram: "mermaid"})
		return
	}
	p.open("div", "class", classes("block-integration", when(isSet(data.FullWidth), "is-full")),
		"data-integration", safeName(data.Integration), "data-block", safeName(data.Block),
		"data-props", p.blockProps(data))
	p.raw(`<div class="integration-name">`)
	p.icon("plug")
	p.text(data.Integration)
	if data.Block != "" {
		p.text(" / " + data.Block)
	}
	p.raw(`</div>`)
	address := data.URL
	if address == "" {
		address, _ = data.Props["url"].(string)
	}
	if address != "" {
		l := p.resolve(doc.URL(address))
		tag := p.openLink("integration-link", l)
		p.text(address)
		p.closeLink(tag)
	}
	if text := integrationText(data.Props, content); text != "" {
		p.raw(`<pre class="integration-content" tabindex="0"><code>`)
		p.text(text)
		p.raw(`</code></pre>`)
	}
	p.raw("</div>\n")
}

// blockProps are the properties of a block as JSON, where Options asks for them.
func (p *page) blockProps(data *doc.IntegrationData) string {
	if !p.options.BlockProps {
		return ""
	}
	props := data.Props
	if props == nil {
		props = map[string]any{}
	}
	encoded, err := json.Marshal(props)
	if err != nil {
		return ""
	}
	return string(encoded)
}

// integrationText is the content of a block, or its other properties.
func integrationText(props map[string]any, content string) string {
	if content != "" {
		return content
	}
	rest := make(map[string]any, len(props))
	for name, value := range props {
		if name != "url" {
			rest[name] = value
		}
	}
	if len(rest) == 0 {
		return ""
	}
	encoded, err := json.MarshalIndent(rest, "", "  ")
	if err != nil {
		return ""
	}
	return string(encoded)
}
