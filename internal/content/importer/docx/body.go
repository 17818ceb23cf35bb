package docx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/markup"
)

// noteBody is the text of a footnote or endnote.
type noteBody struct {
	content *html.Node
	used    bool
	anchor  string
}

// readBody reads the main part into a container.
func (d *document) readBody(main string, into *html.Node) error {
	p, closePart, err := d.open(main)
	if err != nil {
		return err
	}
	defer closePart()
	if p.relations, err = d.readRelations(main); err != nil {
		return err
	}
	out := &paragraphs{document: d, into: into}
	err = p.Root(func(e element) error {
		if e.Name == "body" {
			return p.blocks(out)
		}
		return p.Skip()
	})
	if err != nil {
		return err
	}
	d.appendNotes(into)
	return nil
}

// readNotes reads the footnotes or endnotes.
func (d *document) readNotes(kind, file string) error {
	if !d.files.Has(file) {
		return nil
	}
	p, closePart, err := d.open(file)
	if err != nil {
		return err
	}
	defer closePart()
	if p.relations, err = d.readRelations(file); err != nil {
		return err
	}
	return p.Root(func(e element) error {
		if e.Name != kind || e.Attr("type") != "" && e.Attr("type") != "normal" {
			return p.Skip() // the rule above the notes is kept as a note
		}
		key := kind + e.Attr("id")
		body := &noteBody{content: markup.Element("div"), anchor: "fn-" + key}
		d.notes[key] = body
		return p.blocks(&paragraphs{document: d, into: body.content, inNote: true})
	})
}

// appendNotes puts the notes that the text names behind it, where package hypertext looks for them.
func (d *document) appendNotes(into *html.Node) {
	var section *html.Node
	for _, note := range d.notes {
		if !note.used {
			continue
		}
		if section == nil {
			section = markup.Append(into, markup.Element("section", "class", "footnotes")).LastChild
		}
		markup.SetAttr(note.content, "id", note.anchor)
		markup.Append(section, note.content)
	}
}

// grow counts nodes of the page against the limit.
func (d *document) grow() error {
	if d.nodes++; d.nodes > maxNodes {
		return errs.New(errs.TooLarge, "%s has more than %d pieces of text and formatting; split the document", d.name,
			maxNodes)
	}
	return nil
}

// blocks reads paragraphs and tables, and what wraps them, up to the end of the element that was read last.
func (p *part) blocks(out *paragraphs) error {
	fields := p.fields
	defer func() { p.fields = fields }()
	if out.inNote || out.inBox {
		p.fields = nil
	}
	err := p.Children(func(e element) error { return p.block(e, out) })
	out.finish()
	if !out.inNote && !out.inBox {
		fields = p.fields
	}
	return err
}

func (p *part) block(e element, out *paragraphs) error {
	if err := p.grow(); err != nil {
		return err
	}
	switch e.Name {
	case "p":
		inContents := p.inContents() // its end may be in this paragraph
		read, err := p.paragraph()
		if err != nil {
			return err
		}
		if !inContents && !p.inContents() {
			out.add(read)
		}
		for _, box := range p.boxes {
			out.finish()
			markup.Append(out.into, markup.Children(box.into)...)
		}
		p.boxes = nil
		return nil
	case "tbl":
		table, err := p.table()
		if err != nil {
			return err
		}
		if !p.inContents() {
			out.finish()
			out.begin()
			markup.Append(out.into, table)
		}
		return nil
	case "sdt":
		return p.wrapped(out)
	case "customXml", "smartTag", "ins", "moveTo":
		return p.Children(func(e element) error { return p.block(e, out) })
	case "del", "moveFrom":
		p.losses.Add("left out: text deleted under change tracking")
	case "altChunk":
		p.losses.Add("left out: document inside the document")
	case "AlternateContent":
		return p.alternative(func(e element) error { return p.block(e, out) })
	}
	return p.Skip()
}

// wrapped reads a content control: its content, unless that is a table of contents.
func (p *part) wrapped(out *paragraphs) error {
	contents := false
	return p.Children(func(e element) error {
		switch e.Name {
		case "sdtPr":
			return p.Children(func(e element) error {
				if e.Name != "docPartObj" {
					return p.Skip()
				}
				return p.Children(func(e element) error {
					contents = contents || e.Name == "docPartGallery" && strings.EqualFold(e.Attr("val"),
						"table of contents")
					return p.Skip()
				})
			})
		case "sdtContent":
			if contents {
				p.losses.Add("left out: table of contents")
				return p.Skip()
			}
			return p.Children(func(e element) error { return p.block(e, out) })
		}
		return p.Skip()
	})
}

// alternative reads the first choice of content that is there in several forms.
func (p *part) alternative(visit func(e element) error) error {
	taken := false
	return p.Children(func(e element) error {
		if taken || e.Name != "Choice" && e.Name != "Fallback" {
			return p.Skip()
		}
		taken = true
		return p.Children(visit)
	})
}

// paragraphLook is what a paragraph's properties say, as far as it means something.
type paragraphLook struct {
	style   string
	outline int
	number  listPlace
	ruled   bool // a line below
}

// paragraphLook reads the properties of a paragraph, whose element was read last.
func (p *part) paragraphLook(look *paragraphLook) error {
	return p.Children(func(e element) error {
		switch e.Name {
		case "pStyle":
			look.style = e.Attr("val")
		case "outlineLvl":
			if level, err := strconv.Atoi(e.Attr("val")); err == nil {
				look.outline = level
			}
		case "numPr":
			return p.Children(func(e element) error {
				switch e.Name {
				case "ilvl":
					look.number.level = levelOf(e.Attr("val"))
				case "numId":
					look.number.list = e.Attr("val")
				}
				return p.Skip()
			})
		case "pBdr":
			return p.Children(func(e element) error {
				look.ruled = look.ruled || e.Name == "bottom" && e.Attr("val") != "nil" && e.Attr("val") != "none"
				return p.Skip()
			})
		}
		return p.Skip()
	})
}

// paragraph is one paragraph as it was read.
type paragraph struct {
	paragraphLook
	holder *html.Node
	// text and image say what there is, code that all text has letters of one width.
	text, image, code bool
	checkbox          *html.Node
}

// paragraph reads a paragraph, whose element was read last.
func (p *part) paragraph() (*paragraph, error) {
	read := &paragraph{holder: markup.Element("p")}
	read.outline = -1
	state := &run{paragraph: read, code: true}
	err := p.Children(func(e element) error {
		if e.Name == "pPr" {
			return p.paragraphLook(&read.paragraphLook)
		}
		return p.inline(e, state, read.holder)
	})
	read.code = read.text && state.code
	return read, err
}

// paragraphs turns paragraphs into blocks of a container: those of a list, a listing or a quotation belong together.
type paragraphs struct {
	*document
	into          *html.Node
	inNote, inBox bool
	lists         []openList
	code, quote   *html.Node
}

// openList is a list that goes on.
type openList struct {
	node, item *html.Node
	place      listPlace
	ordered    bool
}

// finish ends what goes on.
func (out *paragraphs) finish() { out.lists, out.code, out.quote = nil, nil, nil }

// add adds a paragraph.
func (out *paragraphs) add(read *paragraph) {
	kind := out.roleOf(read.style)
	if kind == contentsRole {
		out.losses.Add("left out: table of contents")
		return
	}
	if !read.text && !read.image {
		out.addEmpty(read, kind)
		return
	}
	if out.addHeading(read, kind) {
		return
	}
	if number, ordered, ok := out.document.lists.count(out.listOf(read)); ok {
		out.code, out.quote = nil, nil
		out.addItem(read, number, ordered)
		return
	}
	switch {
	case kind == codeRole || read.code && !read.image:
		out.addCode(read)
	case kind == quoteRole:
		out.lists, out.code = nil, nil
		if out.quote == nil {
			out.quote = markup.Element("blockquote")
			markup.Append(out.into, out.quote)
		}
		markup.Append(out.quote, read.holder)
	case kind == captionRole && out.caption(read):
	case kind == continueRole && len(out.lists) > 0:
		markup.Append(out.lists[len(out.lists)-1].item, read.holder)
	default:
		out.finish()
		markup.Append(out.into, read.holder)
	}
	out.begin()
}

// addEmpty keeps what an empty paragraph stands for: a rule, a blank line of code, bookmarks.
func (out *paragraphs) addEmpty(read *paragraph, kind role) {
	switch {
	case kind == codeRole && out.code != nil:
		markup.Append(out.code, markup.Text("\n"))
	case read.ruled:
		out.finish()
		markup.Append(out.into, markup.Element("hr"))
	case read.holder.FirstChild != nil:
		markup.Append(out.into, markup.Children(read.holder)...)
	}
}

// begin notes that the text has begun: a title is only what comes before it.
func (out *paragraphs) begin() { out.started = out.started || !out.inNote }

// addHeading adds a paragraph that is the title or a heading.
func (out *paragraphs) addHeading(read *paragraph, kind role) bool {
	level := out.headingLevel(read.style)
	if read.outline >= 0 && read.outline < 9 {
		level = read.outline + 1
	}
	if kind == titleRole && !out.inNote && !out.inBox {
		if !out.started && out.title == "" {
			out.title = markup.TextOf(read.holder)
			return true
		}
		level = 1
	}
	if level == 0 {
		return false
	}
	out.finish()
	out.begin()
	heading := markup.Element("h" + strconv.Itoa(min(level+1, 6)))
	markup.Append(heading, markup.Children(read.holder)...)
	markup.Append(out.into, heading)
	return true
}

// listOf returns where a paragraph stands in a list: by itself, else by its style.
func (out *paragraphs) listOf(read *paragraph) listPlace {
	place := read.number
	if place.list != "" {
		return place
	}
	out.lineage(read.style, func(s *style) bool {
		if s.number.list == "" {
			return true
		}
		place.list = s.number.list
		place.level = max(read.number.level, s.number.level)
		// "List Bullet 2" is a list of its own that stands a level deeper.
		if digit := s.name[len(s.name)-1:]; strings.HasPrefix(s.name, "list ") && digit >= "2" && digit <= "9" &&
			place.level == 0 {
			place.level = int(digit[0] - '1')
		}
		return false
	})
	return place
}

// addItem adds a paragraph that is an item of a list.
func (out *paragraphs) addItem(read *paragraph, number int, ordered bool) {
	place := out.listOf(read)
	for len(out.lists) > 0 && out.lists[len(out.lists)-1].place.level > place.level {
		out.lists = out.lists[:len(out.lists)-1]
	}
	if top := len(out.lists) - 1; top >= 0 && out.lists[top].place.level == place.level &&
		(out.lists[top].ordered != ordered || ordered && out.lists[top].place.list != place.list) {
		out.lists = out.lists[:top]
	}
	if top := len(out.lists) - 1; top < 0 || out.lists[top].place.level < place.level {
		made := openList{node: markup.Element("ul"), place: place, ordered: ordered}
		if ordered {
			made.node = markup.Element("ol", "start", strconv.Itoa(number))
		}
		if top < 0 {
			markup.Append(out.into, made.node)
		} else {
			markup.Append(out.lists[top].item, made.node)
		}
		out.lists = append(out.lists, made)
	}
	top := &out.lists[len(out.lists)-1]
	if read.checkbox != nil {
		read.holder.InsertBefore(markup.Text(" "), read.holder.FirstChild)
		read.holder.InsertBefore(read.checkbox, read.holder.FirstChild)
	}
	top.item = markup.Append(markup.Element("li"), read.holder)
	markup.Append(top.node, top.item)
	out.begin()
}

// addCode adds a line, or several, to a listing.
func (out *paragraphs) addCode(read *paragraph) {
	out.lists, out.quote = nil, nil
	if out.code == nil {
		out.code = markup.Element("pre")
		markup.Append(out.into, out.code)
	}
	var text strings.Builder
	for n := range read.holder.Descendants() {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
		case markup.Is(n, "br"):
			text.WriteByte('\n')
		}
	}
	text.WriteByte('\n')
	markup.Append(out.code, markup.Text(text.String()))
}

// caption makes a figure of the image before a caption, and reports whether there is one.
func (out *paragraphs) caption(read *paragraph) bool {
	last := out.into.LastChild
	if !markup.Is(last, "p") || markup.TextOf(last) != "" || markup.Find(last, func(n *html.Node) bool {
		return n.Data == "img"
	}) == nil {
		return false
	}
	out.finish()
	figure := markup.Element("figure")
	markup.Replace(last, figure)
	markup.Append(figure, markup.Children(last)...)
	markup.Append(figure, markup.Append(markup.Element("figcaption"), markup.Children(read.holder)...))
	return true
}
