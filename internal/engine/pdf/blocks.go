package pdf

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pdf/fonts"
	"github.com/rectodocs/recto/internal/engine/render"
)

// blocks lays out blocks in order.
func (b *builder) blocks(c *column, nodes []*doc.Node) {
	var previous *doc.Node
	for _, n := range nodes {
		if silent(n) {
			continue
		}
		if previous != nil {
			c.gap(spaceBefore(n, previous))
		}
		b.block(c, n)
		previous = n
	}
}

// silent reports whether a block prints nothing, so that there is no space around it.
func silent(n *doc.Node) bool {
	switch n.Type {
	case doc.If: // conditions are resolved before; one that was not hides its content
		return true
	case doc.Raw:
		return len(readRaw(n)) == 0
	case doc.Paragraph:
		// Anchors and comments in HTML are paragraphs of nothing that shows.
		return len(n.Nodes) > 0 && !slices.ContainsFunc(n.Nodes, func(child *doc.Node) bool {
			return child.Type == doc.RawInline && len(readRaw(child)) > 0 || child.Type != doc.RawInline &&
				(child.Object != doc.ObjectText || strings.TrimSpace(child.PlainText()) != "")
		})
	}
	return false
}

// spaceBefore is the space between two blocks.
func spaceBefore(n, previous *doc.Node) float64 {
	switch n.Type {
	case doc.Heading1:
		return 18
	case doc.Heading2, doc.Heading3:
		return 13
	}
	switch previous.Type {
	case doc.Heading1, doc.Heading2, doc.Heading3:
		return 4
	}
	return 8
}

// block lays out one block. Text where a block belongs becomes a paragraph.
func (b *builder) block(c *column, n *doc.Node) {
	if err := b.ctx.Err(); err != nil {
		panic(stop{err})
	}
	switch n.Object {
	case doc.ObjectText, doc.ObjectInline:
		c.text(b, b.spans([]*doc.Node{n}, c.base, c.width), c.base, false, nil)
		return
	case doc.ObjectFragment, doc.ObjectDocument:
		b.blocks(c, n.Nodes)
		return
	}
	switch n.Type {
	case doc.Paragraph:
		c.aligned(b, b.spans(n.Nodes, c.base, c.width), c.base, false, dataOf[doc.ParagraphData](n).Align, nil)
	case doc.Heading1, doc.Heading2, doc.Heading3:
		b.heading(c, n)
	case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
		b.list(c, n, 0)
	case doc.ListItem:
		b.list(c, doc.NewBlock(doc.ListUnordered, nil, n), 0)
	case doc.Divider:
		c.add(piece{height: 8, draw: func(s *sheet, y float64) { s.rule(c.x, y+4, c.width, faint) }})
	case doc.Blockquote:
		quote := b.barred(c, faint, none)
		quote.base.colour = muted
		b.blocks(quote, n.Nodes)
	case doc.Hint:
		b.hint(c, n)
	case doc.Code:
		b.code(c, n)
	case doc.CodeLine:
		b.code(c, doc.NewBlock(doc.Code, nil, n))
	case doc.Math:
		b.verbatim(c, dataOf[doc.FormulaData](n).Formula, "")
	case doc.Table:
		b.table(c, n)
	case doc.If:
	case doc.Raw:
		b.raw(c, n)
	default:
		b.container(c, n)
	}
}

// container lays out the blocks that arrange others, and what a document only points at.
func (b *builder) container(c *column, n *doc.Node) {
	switch n.Type {
	case doc.Expandable:
		b.expandable(c, n)
	case doc.Tabs:
		for i, tab := range n.Nodes {
			if i > 0 {
				c.gap(8)
			}
			b.titled(c, tab.ID, firstText(dataOf[doc.TabsItemData](tab).Title, "Tab "+strconv.Itoa(i+1)), tab.Nodes)
		}
	case doc.TabsItem:
		b.container(c, doc.NewBlock(doc.Tabs, nil, n))
	case doc.Stepper:
		b.stepper(c, n)
	case doc.Columns:
		for i, part := range n.Nodes {
			if i > 0 {
				c.gap(8)
			}
			if part.Type == doc.Column {
				b.blocks(c, part.Nodes)
				continue
			}
			b.block(c, part)
		}
	case doc.Updates:
		b.updates(c, n)
	case doc.Prompt:
		b.titled(c, "", firstText(dataOf[doc.PromptData](n).Description, "Prompt"), n.Nodes)
	case doc.Images:
		b.imageList(c, n)
	case doc.Image:
		b.imageList(c, doc.NewBlock(doc.Images, nil, n))
	case doc.File, doc.Drawing:
		b.reference(c, "File", dataOf[doc.FileData](n).Ref, n)
	case doc.Embed:
		address := dataOf[doc.EmbedData](n).URL
		b.reference(c, firstText(render.EmbedTitle(address), "Embedded"), doc.URL(address), n)
	case doc.ContentRefBlock:
		b.reference(c, "", dataOf[doc.ContentRefData](n).Ref, n)
	case doc.ReusableContent:
		b.remark(c, "This content is not available.")
	case doc.Integration:
		b.integration(c, n)
	case doc.Swagger, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook:
		b.openAPI(c, n)
	default:
		// A block of a type that we do not know shows what it holds.
		b.blocks(c, n.Nodes)
		for _, fragment := range n.Fragments {
			b.blocks(c, fragment.Nodes)
		}
	}
}

func (b *builder) heading(c *column, n *doc.Node) {
	l := look{size: 16, bold: true, colour: ink, background: none}
	depth := 1
	switch n.Type {
	case doc.Heading2:
		l.size, depth = 13, 2
	case doc.Heading3:
		l.size, depth = 11, 3
	}
	title := strings.Join(strings.Fields(n.PlainText()), " ")
	page := b.page
	c.aligned(b, b.spans(n.Nodes, l, c.width), l, true, dataOf[doc.HeadingData](n).Align, func(s *sheet, y float64) {
		if n.ID != "" {
			s.place(anchorPlace(page.ID, n.ID), y)
		}
		if depth > 2 || title == "" || !b.open(c) {
			return
		}
		b.file.Outline(title, page.Level+depth, false, s.page, sheetHeight-y+8)
		if len(b.book.Pages) == 1 {
			b.entries = append(b.entries, entry{title: title, level: depth, place: anchorPlace(page.ID, n.ID),
				number: len(b.flow.sheets) + 1})
		}
	})
}

// open reports whether a column is the page's own, not one in a table.
func (b *builder) open(c *column) bool {
	f, ok := c.out.(*flow)
	return ok && f == b.flow
}

// anchor notes where a block with an id of its own begins.
func (b *builder) anchor(c *column, id string) func(s *sheet, y float64) {
	if id == "" {
		return nil
	}
	name := anchorPlace(b.page.ID, id)
	return func(s *sheet, y float64) { s.place(name, y) }
}

func (b *builder) list(c *column, n *doc.Node, depth int) {
	number := 1
	if start := dataOf[doc.ListData](n).Start; start != nil {
		number = *start
	}
	indent := 16.0
	if n.Type == doc.ListOrdered {
		last := number + len(n.Nodes)
		indent = 12 + 5.5*float64(len(strconv.Itoa(last)))
	}
	for i, item := range n.Nodes {
		if i > 0 {
			c.gap(3)
		}
		inner := c.inset(indent, 0)
		label := []string{"•", "◦", "▪"}[depth%3]
		if n.Type == doc.ListOrdered {
			label = strconv.Itoa(number+i) + "."
		}
		inner.marker = &marker{draw: b.bullet(c, inner, label, n.Type == doc.ListOrdered,
			dataOf[doc.ListItemData](item).Checked)}
		nodes := item.Nodes
		if item.Type != doc.ListItem {
			nodes = []*doc.Node{item}
		}
		if len(nodes) == 0 {
			nodes = []*doc.Node{doc.NewParagraph()}
		}
		for j, child := range nodes {
			if j > 0 {
				inner.gap(3)
			}
			switch child.Type {
			case doc.ListOrdered, doc.ListUnordered, doc.ListTasks:
				b.list(inner, child, depth+1)
			default:
				b.block(inner, child)
			}
		}
	}
}

// bullet returns what draws the mark of a list item before its first line.
func (b *builder) bullet(outer, inner *column, label string, ordered bool, checked *bool) func(s *sheet, y float64) {
	base := outer.base
	return func(s *sheet, y float64) {
		baseline := y + base.size*1.1
		if checked != nil {
			side := base.size * 0.8
			left := inner.x - side - 5
			s.frame(left, baseline-side, side, side, muted)
			if *checked {
				tick := base
				tick.bold, tick.colour = true, accent
				sign := b.text.shaper.Single("✓", fonts.Symbols)
				s.text(left+side*0.08, baseline-side*0.08, single(sign, tick.size), tick)
			}
			return
		}
		mark := base
		mark.colour = muted
		words := b.text.shape(label, mark)
		x := inner.x - 11
		if ordered {
			x = inner.x - 5 - words.width
		}
		s.text(x, baseline, words, mark)
	}
}

// barred returns a column with a bar at its left, and a background.
func (b *builder) barred(c *column, bar, fill colour) *column {
	inner := c
	if fill != none {
		inner = inner.backed(c.x, c.width, fill)
	}
	return inner.backed(c.x, 2.5, bar).inset(13, 10)
}

func (b *builder) hint(c *column, n *doc.Node) {
	name, tone := "Info", colour(0x0969da)
	switch dataOf[doc.HintData](n).Style {
	case "success":
		name, tone = "Success", 0x1a7f37
	case "warning":
		name, tone = "Warning", 0x9a6700
	case "danger":
		name, tone = "Danger", 0xcf222e
	}
	inner := b.barred(c, tone, pale(tone))
	inner.lead(6)
	label := look{size: 8.5, bold: true, colour: tone, background: none}
	inner.text(b, []span{{text: name, look: label}}, label, true, nil)
	b.blocks(inner, n.Nodes)
	inner.tail(7)
}

func (b *builder) expandable(c *column, n *doc.Node) {
	title := "Details"
	if fragment := n.FragmentNamed(doc.FragmentExpandableTitle); fragment != nil {
		title = firstText(strings.TrimSpace(fragment.PlainText()), title)
	}
	var nodes []*doc.Node
	if body := n.FragmentNamed(doc.FragmentExpandableBody); body != nil {
		nodes = body.Nodes
	}
	b.titled(c, n.ID, title, nodes)
}

// titled lays out a block that opens on the screen: its title, and its content beside a bar.
func (b *builder) titled(c *column, id, title string, nodes []*doc.Node) {
	inner := b.barred(c, faint, none)
	l := c.base
	l.bold = true
	inner.text(b, []span{{text: title, look: l}}, l, true, b.anchor(c, id))
	inner.lead(3)
	b.blocks(inner, nodes)
	inner.tail(2)
}

func (b *builder) stepper(c *column, n *doc.Node) {
	for i, step := range n.Nodes {
		if i > 0 {
			c.gap(10)
		}
		inner := c.inset(26, 0)
		inner.marker = &marker{draw: func(s *sheet, y float64) {
			s.fill(c.x, y+1, 17, 17, accent)
			number := look{size: 9, bold: true, colour: 0xffffff, background: none}
			words := b.text.shape(strconv.Itoa(i+1), number)
			s.text(c.x+8.5-words.width/2, y+12.8, words, number)
		}}
		if step.Type == doc.StepperStep {
			b.blocks(inner, step.Nodes)
			continue
		}
		b.block(inner, step)
	}
}

func (b *builder) updates(c *column, n *doc.Node) {
	for i, update := range n.Nodes {
		if i > 0 {
			c.gap(12)
		}
		if update.Type != doc.Update {
			b.block(c, update)
			continue
		}
		data := dataOf[doc.UpdateData](update)
		date := data.Date
		if day, err := time.Parse(time.DateOnly, date); err == nil {
			date = day.Format("January 2, 2006")
		}
		l := c.base
		l.bold = true
		spans := []span{{text: date, look: l}}
		tag := c.base
		tag.size, tag.background, tag.colour = 8, markFill, muted
		for _, ref := range data.Tags {
			_, found := b.resolve(ref)
			spans = append(spans, span{text: "   ", look: c.base},
				span{text: " " + firstText(found.Title, ref.Tag) + " ", look: tag})
		}
		c.text(b, spans, l, true, b.anchor(c, update.ID))
		c.gap(4)
		b.blocks(c, update.Nodes)
	}
}

func (b *builder) imageList(c *column, n *doc.Node) {
	align := dataOf[doc.ImagesData](n).Align
	for i, image := range n.Nodes {
		if i > 0 {
			c.gap(8)
		}
		if image.Type != doc.Image {
			b.block(c, image)
			continue
		}
		data := dataOf[doc.ImageData](image)
		caption := image.FragmentNamed(doc.FragmentCaption)
		b.imageBlock(c, data.Ref, data.Width, data.Alt, align, caption != nil && len(caption.Nodes) > 0)
		if caption != nil && len(caption.Nodes) > 0 {
			below := c.inset(0, 0)
			below.base.size, below.base.colour = 8.5, muted
			for _, part := range caption.Nodes {
				nodes := part.Nodes
				if part.Object != doc.ObjectBlock {
					nodes = []*doc.Node{part}
				}
				below.aligned(b, b.spans(nodes, below.base, below.width), below.base, false, firstText(align, "center"),
					nil)
			}
		}
	}
}

// imageBlock lays out one picture, or a frame with its name when it cannot be shown.
func (b *builder) imageBlock(c *column, ref doc.Ref, width *doc.Length, alt, align string, keep bool) {
	p := b.picture(ref)
	if p.missing {
		l := look{size: 8.5, colour: muted, background: none}
		text := "Image not shown: " + p.name
		if alt != "" && alt != p.name {
			text += " (" + alt + ")"
		}
		to, _ := b.resolve(ref)
		words := b.text.fit(text, l, c.width-20)
		c.add(piece{height: 28, keep: keep, draw: func(s *sheet, y float64) {
			s.frame(c.x, y+1, c.width, 24, faint)
			s.text(c.x+10, y+16, words, l)
			s.link(c.x, y+1, c.width, 24, to)
		}})
		return
	}
	shown, height := p.fit(c.width, textHeight*0.82, width)
	x := c.x
	switch b.text.side(align) {
	case atStart:
	case atEnd:
		x += c.width - shown
	default:
		x += (c.width - shown) / 2
	}
	c.add(piece{height: height + 4, keep: keep, draw: func(s *sheet, y float64) {
		s.image(x, y, shown, height, p.image)
	}})
}

// reference lays out a block that leads somewhere: a file, embedded content, a page.
func (b *builder) reference(c *column, kind string, ref doc.Ref, n *doc.Node) {
	to, found := b.resolve(ref)
	l := c.base
	l.bold = true
	title := firstText(found.Title, found.URL, ref.Destination())
	inner := c.backed(c.x, c.width, codeFill).inset(12, 12)
	inner.lead(5)
	var spans []span
	if kind != "" {
		label := c.base
		label.colour = muted
		spans = append(spans, span{text: kind + ": ", look: label})
	}
	inner.text(b, append(spans, span{text: title, look: linked(l, to)}), l, found.Description != "", nil)
	if found.Description != "" {
		about := c.base
		about.size, about.colour = 8.5, muted
		inner.text(b, []span{{text: found.Description, look: about}}, about, false, nil)
	}
	if caption := n.FragmentNamed(doc.FragmentCaption); caption != nil {
		b.blocks(inner, caption.Nodes)
	}
	inner.tail(6)
}

func (b *builder) remark(c *column, text string) {
	l := c.base
	l.italic, l.colour = true, muted
	c.text(b, []span{{text: text, look: l}}, l, false, nil)
}

func (b *builder) integration(c *column, n *doc.Node) {
	data := dataOf[doc.IntegrationData](n)
	content, _ := data.Props["content"].(string)
	if content == "" && len(data.Props) > 0 {
		if encoded, err := json.MarshalIndent(data.Props, "", "  "); err == nil {
			content = string(encoded)
		}
	}
	if data.Integration != "mermaid" {
		b.remark(c, strings.TrimSuffix(fmt.Sprintf("%s / %s", data.Integration, data.Block), " / "))
		c.gap(3)
	}
	if data.URL != "" {
		b.reference(c, "Embedded", doc.URL(data.URL), n)
	}
	if content != "" {
		b.verbatim(c, content, data.Integration)
	}
}

func (b *builder) openAPI(c *column, n *doc.Node) {
	data := dataOf[doc.OpenAPIData](n)
	l := c.base
	l.bold, l.mono = true, true
	text := strings.TrimSpace(strings.ToUpper(data.Method) + " " + firstText(data.Target(),
		strings.Join(data.Schemas, ", ")))
	if len(n.Nodes) > 0 && n.Type == doc.OpenAPISchemas && data.Title == "" {
		b.blocks(c, n.Nodes) // each model says its name
		return
	}
	inner := c.backed(c.x, c.width, codeFill).inset(12, 12)
	inner.lead(5)
	first := b.anchor(c, n.ID)
	if data.Title != "" {
		title := c.base
		title.bold = true
		inner.text(b, []span{{text: data.Title, look: title}}, title, true, first)
		first = nil
	}
	if text != "" {
		inner.text(b, []span{{text: text, look: l}}, l, true, first)
	}
	if len(n.Nodes) == 0 && !data.IsInline() {
		to, found := b.resolve(data.Ref)
		inner.text(b, []span{{text: firstText(found.Title, found.URL, "API description"), look: linked(c.base, to)}},
			c.base, false, nil)
	}
	inner.tail(6)
	if len(n.Nodes) > 0 {
		c.gap(8)
		nodes := n.Nodes
		if !data.IsInline() {
			nodes = onePerSample(nodes)
		}
		b.blocks(c, nodes)
	}
}

// onePerSample leaves of samples in several languages the first one: on paper nobody chooses among tabs.
func onePerSample(nodes []*doc.Node) []*doc.Node {
	out := make([]*doc.Node, 0, len(nodes))
	for _, n := range nodes {
		onlyCode := n.Type == doc.Tabs && len(n.Nodes) > 0
		for _, tab := range n.Nodes {
			onlyCode = onlyCode && len(tab.Nodes) == 1 && tab.Nodes[0].Type == doc.Code
		}
		if onlyCode {
			n = n.Nodes[0].Nodes[0]
		}
		out = append(out, n)
	}
	return out
}

// endnotes lays out the notes of a page.
func (b *builder) endnotes(c *column) {
	if len(b.notes) == 0 {
		return
	}
	c.gap(16)
	c.add(piece{height: 8, keep: true, draw: func(s *sheet, y float64) { s.rule(c.x, y+2, c.width/4, faint) }})
	small := c.inset(18, 0)
	small.base.size = 8.5
	// A note may have notes of its own, which come behind.
	for i := 0; i < len(b.notes); i++ {
		number := i + 1
		first := b.anchor(c, "note "+strconv.Itoa(number))
		small.marker = &marker{draw: func(s *sheet, y float64) {
			if first != nil {
				first(s, y)
			}
			s.text(c.x, y+small.base.size*1.1, b.text.shape(strconv.Itoa(number), small.base), small.base)
		}}
		b.blocks(small, b.notes[i].Nodes)
		small.gap(3)
	}
}
