package render

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// blocks appends blocks in order.
func (p *page) blocks(nodes []*doc.Node, in blockContext) {
	for _, n := range nodes {
		if p.failure != nil {
			return
		}
		p.block(n, in)
	}
}

// block appends one block. Text where a block belongs becomes a paragraph.
func (p *page) block(n *doc.Node, in blockContext) {
	if err := p.ctx.Err(); err != nil {
		p.fail(err)
		return
	}
	switch n.Object {
	case doc.ObjectText, doc.ObjectInline:
		p.raw("<p>")
		p.inlines([]*doc.Node{n})
		p.raw("</p>\n")
		return
	case doc.ObjectFragment, doc.ObjectDocument:
		if n.Fragment == doc.FragmentChoices {
			p.choices(n, in)
			return
		}
		p.blocks(n.Nodes, in)
		return
	}
	p.key = p.keyOf(n)
	defer func() { p.key = "" }()
	switch n.Type {
	case doc.Paragraph:
		p.open("p", "class", oneOf("align-", dataOf[doc.ParagraphData](n).Align, "center", "end"))
		p.inlines(n.Nodes)
		p.raw("</p>\n")
	case doc.Heading1, doc.Heading2, doc.Heading3:
		p.heading(n)
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
		p.list(n, in)
	case doc.ListItem:
		p.raw(`<ul class="list list-unordered">`)
		p.item(n, in)
		p.raw("</ul>\n")
	case doc.Divider:
		p.open("hr", "class", "block-divider")
		p.raw("\n")
	case doc.Blockquote:
		p.raw(`<blockquote class="block-quote">`)
		p.blocks(n.Nodes, in)
		p.raw("</blockquote>\n")
	case doc.Hint:
		p.hint(n, in)
	case doc.Code:
		if block := p.fence(n); block == nil || !p.shown(block) {
			p.code(n, codeView{})
		}
	case doc.CodeLine:
		p.code(doc.NewBlock(doc.Code, nil, n), codeView{})
	case doc.Math:
		p.math("div", "block-math math", "block", dataOf[doc.FormulaData](n).Formula)
		p.raw("\n")
	case doc.Table:
		p.table(n, in)
	case doc.If:
		// Conditions are resolved before printing; one that was not hides its content.
	case doc.Raw:
		p.rawBlock(dataOf[doc.RawData](n))
	default:
		p.container(n, in)
	}
}

// keyOf is the key of a block that stands for something, where keys are wanted.
func (p *page) keyOf(n *doc.Node) string {
	if !p.options.Keys || strings.Contains(n.Key, ".") {
		return ""
	}
	if n.Type == doc.Images || doc.IsVoid(n.Type) && n.Object == doc.ObjectBlock && n.Type != doc.Raw {
		return n.Key
	}
	return ""
}

// container appends the blocks that arrange others, and media.
func (p *page) container(n *doc.Node, in blockContext) {
	switch n.Type {
	case doc.Expandable:
		p.expandable(n, in)
	case doc.Tabs:
		p.tabs(n, in)
	case doc.TabsItem:
		p.tabs(doc.NewBlock(doc.Tabs, nil, n), in)
	case doc.Stepper:
		p.stepper(n, in)
	case doc.Columns:
		p.columns(n, in)
	case doc.Updates:
		p.updates(n, in)
	case doc.Prompt:
		p.prompt(n, in)
	case doc.Images:
		p.images(n, in)
	case doc.Image:
		p.images(doc.NewBlock(doc.Images, nil, n), in)
	case doc.Drawing:
		p.drawing(n, in)
	case doc.File:
		p.file(n, in)
	case doc.Embed:
		p.embed(n, in)
	case doc.ContentRefBlock:
		p.contentRef(n)
	case doc.ReusableContent:
		p.open("div", "class", "block-missing", "role", "note")
		p.text(p.labels.NotAvailable)
		p.raw("</div>\n")
	case doc.Integration:
		p.integration(n)
	case doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook:
		p.openAPI(n, in)
	default:
		// A block of a type that we do not know shows what it holds.
		p.blocks(n.Nodes, in)
		for _, fragment := range n.Fragments {
			p.blocks(fragment.Nodes, in)
		}
	}
}

// bareBlocks appends blocks where one paragraph needs no tags of its own: captions, cells, items.
func (p *page) bareBlocks(nodes []*doc.Node, in blockContext) {
	if len(nodes) == 1 && nodes[0].Type == doc.Paragraph && dataOf[doc.ParagraphData](nodes[0]).Align == "" {
		p.inlines(nodes[0].Nodes)
		return
	}
	p.blocks(nodes, in)
}

func (p *page) heading(n *doc.Node) {
	level, tag := "1", "h2"
	switch n.Type {
	case doc.Heading2:
		level, tag = "2", "h3"
	case doc.Heading3:
		level, tag = "3", "h4"
	}
	id := p.id(n)
	p.open("div", "class", classes("block-heading", "heading-"+level, oneOf("align-", dataOf[doc.HeadingData](n).Align,
		"center", "end")))
	p.open(tag, "id", id)
	p.inlines(n.Nodes)
	p.close(tag)
	if id != "" {
		title := shorten(strings.Join(strings.Fields(n.PlainText()), " "), 120)
		p.open("a", "class", "heading-anchor", "href", "#"+id, "aria-label", label(p.labels.LinkTo, title))
		p.icon("link")
		p.raw("</a>")
	}
	p.raw("</div>\n")
}

func (p *page) list(n *doc.Node, in blockContext) {
	if in.described && n.Type == doc.ListUnordered && slices.ContainsFunc(n.Nodes, isMember) {
		p.members(n, in)
		return
	}
	tag := "ul"
	switch n.Type {
	case doc.ListOrdered:
		tag = "ol"
		start := ""
		if data := dataOf[doc.ListData](n); data.Start != nil && *data.Start != 1 {
			start = strconv.Itoa(*data.Start)
		}
		p.open(tag, "class", "list list-ordered", "start", start, "type", []string{"", "a", "i"}[in.ordered%3])
		in.ordered++
	case doc.ListTasks:
		p.open(tag, "class", "list list-tasks")
	default:
		p.open(tag, "class", "list list-unordered")
	}
	for _, child := range n.Nodes {
		if child.Type == doc.ListItem {
			p.item(child, in)
			continue
		}
		p.raw("<li>")
		p.block(child, in)
		p.raw("</li>\n")
	}
	p.close(tag)
	p.raw("\n")
}

func (p *page) item(n *doc.Node, in blockContext) {
	checked := dataOf[doc.ListItemData](n).Checked
	if checked == nil {
		p.raw("<li>")
		p.itemBody(n.Nodes, in)
		p.raw("</li>\n")
		return
	}
	state := p.labels.NotDone
	if *checked {
		state = p.labels.Done
	}
	p.open("li", "class", classes("task", when(*checked, "is-done")))
	p.open("input", "class", "task-box", "type", "checkbox", "disabled", bare, "checked", present(*checked),
		"aria-label", state)
	p.raw(`<div class="task-body">`)
	p.itemBody(n.Nodes, in)
	p.raw("</div></li>\n")
}

// itemBody appends an item's blocks. A leading paragraph is bare when only lists follow it.
func (p *page) itemBody(nodes []*doc.Node, in blockContext) {
	for i, n := range nodes {
		isList := n.Type == doc.ListOrdered || n.Type == doc.ListUnordered || n.Type == doc.ListTasks
		if i > 0 && !isList {
			p.blocks(nodes, in)
			return
		}
	}
	if len(nodes) > 0 {
		p.bareBlocks(nodes[:1], in)
		p.blocks(nodes[1:], in)
	}
}

func (p *page) hint(n *doc.Node, in blockContext) {
	data := dataOf[doc.HintData](n)
	style, icon, name := "info", "circle-info", p.labels.Info
	switch data.Style {
	case "success":
		style, icon, name = "success", "circle-check", p.labels.Success
	case "warning":
		style, icon, name = "warning", "triangle-exclamation", p.labels.Warning
	case "danger":
		style, icon, name = "danger", "circle-exclamation", p.labels.Danger
	}
	p.open("div", "class", "block-hint hint-"+style, "role", "note", "aria-label", name)
	p.icon(firstText(safeName(data.Icon), icon), "hint-icon")
	p.raw(`<div class="hint-body">`)
	p.blocks(n.Nodes, in)
	p.raw("</div></div>\n")
}

func (p *page) expandable(n *doc.Node, in blockContext) {
	title, body := n.FragmentNamed(doc.FragmentExpandableTitle), n.FragmentNamed(doc.FragmentExpandableBody)
	p.open("details", "class", "block-expandable", "id", p.id(n), "open",
		present(dataOf[doc.ExpandableData](n).DefaultExpanded))
	p.raw("<summary>")
	p.icon("chevron-right", "expandable-icon")
	p.raw(`<span class="expandable-title">`)
	if title != nil {
		for _, paragraph := range title.Nodes {
			p.inlines(paragraph.Nodes)
		}
	}
	p.raw(`</span></summary><div class="expandable-body">`)
	if body != nil {
		p.blocks(body.Nodes, in)
	}
	p.raw("</div></details>\n")
}

func (p *page) tabs(n *doc.Node, in blockContext) {
	p.open("div", "class", classes("block-tabs", when(isSet(dataOf[doc.TabsData](n).FullWidth), "is-full")),
		"data-tabs", bare)
	for i, tab := range n.Nodes {
		data := dataOf[doc.TabsItemData](tab)
		id := firstText(p.id(tab), p.newID("tab"))
		titleID := p.newID(strings.TrimPrefix(id, p.options.IDPrefix) + "-title")
		p.open("div", "class", "tab", "id", id, "role", "group", "aria-labelledby", titleID, "data-tab", tabSlug(tab))
		p.open("div", "class", "tab-title", "id", titleID)
		if data.Icon != "" {
			p.icon(data.Icon)
		}
		p.text(firstText(data.Title, label(p.labels.Tab, strconv.Itoa(i+1))))
		p.raw(`</div><div class="tab-panel">`)
		p.blocks(tab.Nodes, in)
		p.raw("</div></div>\n")
	}
	p.raw("</div>\n")
}

func (p *page) stepper(n *doc.Node, in blockContext) {
	p.raw(`<ol class="block-stepper">`)
	for _, step := range n.Nodes {
		p.raw(`<li class="step"><div class="step-marker" aria-hidden="true">`)
		if icon := dataOf[doc.StepperStepData](step).Icon; icon != "" {
			p.icon(icon)
		}
		p.raw(`</div><div class="step-body">`)
		if step.Type == doc.StepperStep {
			p.blocks(step.Nodes, in)
		} else {
			p.block(step, in)
		}
		p.raw("</div></li>\n")
	}
	p.raw("</ol>\n")
}

func (p *page) columns(n *doc.Node, in blockContext) {
	p.open("div", "class", classes("block-columns", when(isSet(dataOf[doc.TabsData](n).FullWidth), "is-full")))
	for _, column := range n.Nodes {
		data := dataOf[doc.ColumnData](column)
		p.open("div", "class", classes("column", columnWidth(data.Width), oneOf("valign-", data.VerticalAlignment,
			"top", "middle", "bottom")))
		if column.Type == doc.Column {
			p.blocks(column.Nodes, in)
		} else {
			p.block(column, in)
		}
		p.raw("</div>")
	}
	p.raw("</div>\n")
}

// textWidth is the width in pixels that a column's pixel width is a share of.
const textWidth = 768

// columnWidth is the class of a column's width, in steps of five percent: style attributes would need a looser
// content security policy.
func columnWidth(width *doc.Length) string {
	if width == nil || !(width.Value > 0) {
		return ""
	}
	percent := width.Value
	if width.Unit != "%" {
		percent = width.Value / textWidth * 100
	}
	return "column-width-" + strconv.Itoa(5*int(min(max(percent/5+0.5, 1), 20)))
}

func (p *page) updates(n *doc.Node, in blockContext) {
	format := firstText(oneOf("", dataOf[doc.UpdatesData](n).Format, "full", "short", "numeric"), "full")
	p.open("div", "class", "block-updates updates-"+format)
	for _, update := range n.Nodes {
		if update.Type != doc.Update {
			p.block(update, in)
			continue
		}
		data := dataOf[doc.UpdateData](update)
		id := p.id(update)
		p.open("article", "class", "update", "id", id)
		p.raw(`<div class="update-meta">`)
		p.open("a", "class", "update-link", "href", "#"+id)
		text, machine := dateText(data.Date, format)
		p.open("time", "class", "update-date", "datetime", machine)
		p.text(text)
		p.raw("</time></a>")
		p.tags(data.Tags)
		p.raw(`</div><div class="update-body">`)
		p.blocks(update.Nodes, in)
		p.raw("</div></article>\n")
	}
	p.raw("</div>\n")
}

// dateText prints a date of the form YYYY-MM-DD; anything else as it is and without a machine form.
func dateText(date, format string) (text, machine string) {
	day, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		return date, ""
	case format == "short":
		return day.Format("Jan 2, 2006"), date
	case format == "numeric":
		return date, date
	}
	return day.Format("January 2, 2006"), date
}

func (p *page) tags(refs []doc.Ref) {
	if len(refs) == 0 {
		return
	}
	p.raw(`<ul class="update-tags">`)
	for _, ref := range refs {
		l := p.resolve(ref)
		p.open("li", "class", classes("tag", colorClass("color-", l.Color)))
		switch {
		case l.Emoji != "":
			p.raw(`<span class="emoji">`)
			p.text(l.Emoji)
			p.raw(`</span>`)
		case l.Icon != "":
			p.icon(l.Icon)
		}
		p.text(firstText(l.Title, ref.Tag, l.name()))
		p.raw("</li>")
	}
	p.raw("</ul>")
}

func (p *page) prompt(n *doc.Node, in blockContext) {
	data := dataOf[doc.PromptData](n)
	shown := data.DefaultExpanded == "partial" || data.DefaultExpanded == "full"
	p.open("div", "class", "block-prompt", "data-prompt", bare, "data-open-in-providers",
		present(isSet(data.OpenInAIProviders)))
	p.raw(`<div class="prompt-head">`)
	p.icon(firstText(safeName(data.Icon), "sparkles"))
	p.raw(`<p class="prompt-description">`)
	p.text(data.Description)
	p.raw(`</p></div>`)
	p.open("details", "class", "prompt-details", "open", present(shown))
	p.raw("<summary>")
	p.text(p.labels.ShowPrompt)
	p.raw("</summary>")
	for _, child := range n.Nodes {
		if child.Type == doc.Code {
			p.code(child, codeView{collapse: when(data.DefaultExpanded == "partial", "3")})
			continue
		}
		p.block(child, in)
	}
	p.raw("</details></div>\n")
}
