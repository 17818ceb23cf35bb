package render

import (
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// inlines appends the content of a paragraph, a heading, a link or the like.
func (p *page) inlines(nodes []*doc.Node) {
	open := rawStack{}
	for _, n := range nodes {
		p.inline(n, &open)
	}
	p.closeRaw(&open, 0)
}

// inline appends one text or inline. A block where a text belongs is reduced to its text.
func (p *page) inline(n *doc.Node, open *rawStack) {
	switch {
	case n.Object == doc.ObjectText:
		p.leaves(n.Leaves)
		return
	case n.Object == doc.ObjectBlock:
		p.breaks(n.PlainText())
		return
	}
	switch n.Type {
	case doc.Link:
		tag := p.openLink("link", p.resolve(dataOf[doc.ContentRefData](n).Ref))
		p.inlines(n.Nodes)
		p.closeLink(tag)
	case doc.Annotation:
		p.annotation(n)
	case doc.Emoji:
		if characters := doc.EmojiCharacters(dataOf[doc.EmojiData](n).Code); characters != "" {
			p.raw(`<span class="emoji">`)
			p.text(characters)
			p.raw(`</span>`)
		}
	case doc.Icon:
		data := dataOf[doc.IconData](n)
		p.icon(data.Icon, colorClass("color-", data.Color))
	case doc.Expression:
		// What could be computed was, before printing.
		p.raw(`<code class="expression is-broken">`)
		p.text("{{" + dataOf[doc.ExpressionData](n).Expression + "}}")
		p.raw(`</code>`)
	case doc.InlineMath:
		p.math("span", "math", "inline", dataOf[doc.FormulaData](n).Formula)
	case doc.InlineImage:
		data := dataOf[doc.InlineImageData](n)
		class := classes("inline-image", oneOf("image-", data.Size, "line"))
		p.picture(picture{ref: data.Ref, dark: data.RefDark, alt: firstText(data.Alt, data.Caption), class: class})
	case doc.Mention:
		p.mention(dataOf[doc.ContentRefData](n).Ref)
	case doc.Button:
		p.button(dataOf[doc.ButtonData](n))
	case doc.RawInline:
		p.rawInline(dataOf[doc.RawData](n), open)
	default:
		p.inlines(n.Nodes)
	}
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// markOrder is the nesting of marks, outermost first.
var markOrder = []doc.MarkType{doc.Color, doc.Strikethrough, doc.Italic, doc.Bold, doc.Superscript, doc.Subscript,
	doc.Keyboard, doc.CodeMark}

// leaves appends runs of text. Marks that neighbours share are opened once.
func (p *page) leaves(leaves []doc.Leaf) {
	var open []doc.Mark
	for _, leaf := range leaves {
		marks := orderedMarks(leaf.Marks)
		shared := 0
		for shared < len(open) && shared < len(marks) && open[shared] == marks[shared] {
			shared++
		}
		p.closeMarks(open[shared:])
		for _, mark := range marks[shared:] {
			p.openMark(mark)
		}
		open = marks
		p.breaks(leaf.Text)
	}
	p.closeMarks(open)
}

// orderedMarks returns the marks that print something, outermost first, without repeats.
func orderedMarks(marks []doc.Mark) []doc.Mark {
	if len(marks) == 0 {
		return nil
	}
	var out []doc.Mark
	for _, kind := range markOrder {
		for _, mark := range marks {
			if mark.Type != kind || len(out) > 0 && out[len(out)-1].Type == kind {
				continue
			}
			if kind == doc.Color && colorTag(mark) == "" {
				continue
			}
			out = append(out, mark)
		}
	}
	return out
}

func colorTag(mark doc.Mark) string {
	switch {
	case colorClass("background-", mark.Background) != "":
		return "mark"
	case colorClass("color-", mark.Text) != "":
		return "span"
	}
	return ""
}

// colorClass is the class of a colour of the dialect, "" for default and for what is none.
func colorClass(prefix, color string) string {
	return oneOf(prefix, strings.TrimPrefix(color, "$"), "green", "blue", "red", "orange", "yellow", "purple", "pink",
		"violet", "cyan", "primary", "info", "success", "warning", "danger", "tint")
}

func markTag(mark doc.Mark) string {
	switch mark.Type {
	case doc.Bold:
		return "strong"
	case doc.Italic:
		return "em"
	case doc.CodeMark:
		return "code"
	case doc.Keyboard:
		return "kbd"
	case doc.Strikethrough:
		return "s"
	case doc.Superscript:
		return "sup"
	case doc.Subscript:
		return "sub"
	}
	return colorTag(mark)
}

func (p *page) openMark(mark doc.Mark) {
	if mark.Type == doc.Color {
		p.open(markTag(mark), "class", classes(colorClass("background-", mark.Background),
			colorClass("color-", mark.Text)))
		return
	}
	p.open(markTag(mark))
}

func (p *page) closeMarks(marks []doc.Mark) {
	for _, mark := range slices.Backward(marks) {
		p.close(markTag(mark))
	}
}

// breaks appends text whose line breaks are kept.
func (p *page) breaks(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			p.raw("<br>")
		}
		p.text(line)
	}
}

// math appends a formula: its TeX as text, which a script turns into a drawing.
func (p *page) math(tag, class, display, formula string) {
	p.raw("<", tag, ` class="`, class, `"`)
	if p.key != "" {
		p.attribute("data-node", p.key)
		p.key = ""
	}
	p.required("data-tex", formula)
	p.raw(` data-display="`, display, `"><code class="math-source">`)
	p.text(formula)
	p.raw(`</code>`)
	p.close(tag)
}

func (p *page) mention(ref doc.Ref) {
	l := p.resolve(ref)
	kind := oneOf("mention-", string(ref.Kind), "url", "file", "page", "anchor", "user", "collection", "space",
		"reusable-content", "tag", "openapi")
	if l.Kind != "" && !l.Broken {
		kind = "mention-" + safeName(string(l.Kind))
	}
	tag := p.openLink(classes("mention", kind, colorClass("color-", l.Color)), l)
	switch {
	case l.Emoji != "":
		p.raw(`<span class="emoji">`)
		p.text(l.Emoji)
		p.raw(`</span>`)
	case l.Icon != "":
		p.icon(l.Icon)
	}
	p.text(l.name())
	p.closeLink(tag)
}

// button appends a call to action: a link, a search, or one without an effect.
func (p *page) button(data *doc.ButtonData) {
	class := classes("button", firstText(oneOf("button-", data.Kind, "primary", "secondary"), "button-primary"),
		firstText(oneOf("button-", data.Size, "small", "medium", "large"), "button-medium"))
	tag := "span"
	switch {
	case data.Ref != nil:
		tag = p.openLink(class, p.resolve(*data.Ref))
	case data.Action != nil && p.linked == 0:
		tag = p.action(class, data.Action)
	default:
		p.open("span", "class", classes(class, "is-disabled"), "role", "link", "aria-disabled", "true")
	}
	if data.Icon != "" {
		p.icon(data.Icon)
	}
	p.raw("<span>")
	p.text(data.Label)
	p.raw("</span>")
	p.closeLink(tag)
}

func (p *page) action(class string, action *doc.ButtonAction) string {
	name := oneOf("", action.Action, "search", "ask", "select")
	data := []string{"data-action", name, "data-query", action.Query, "data-slug", action.Slug}
	href := ""
	switch {
	case name == "select":
		href = p.tabHref(action.Slug)
	case name != "" && p.options.SearchURL != "":
		href, _ = safeAddress(p.options.SearchURL + url.QueryEscape(action.Query))
	}
	if href != "" {
		p.open("a", append([]string{"class", class, "href", href}, data...)...)
		p.linked++
		return "a"
	}
	p.open("button", append([]string{"type", "button", "class", class}, data...)...)
	return "button"
}

// tabHref is the fragment of the first tab with a slug, "" when there is none.
func (p *page) tabHref(slug string) string {
	if id := p.anchors.tabs[SelectSlug(slug)]; id != "" {
		return "#" + p.options.IDPrefix + id
	}
	return ""
}
