package docx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/markup"
)

// run is what is known while the runs of a paragraph are read.
type run struct {
	*paragraph
	code bool // no text in other letters was met
}

// field is a computed text: what computes it, and since "separate" its last result.
type field struct {
	instruction strings.Builder
	separated   bool
	href        string
	contents    bool
}

// inContents reports whether what is read belongs to a table of contents.
func (p *part) inContents() bool {
	for _, f := range p.fields {
		if f.contents {
			return true
		}
	}
	return false
}

// inline reads one part of a paragraph into a holder.
func (p *part) inline(e element, state *run, holder *html.Node) error {
	if err := p.grow(); err != nil {
		return err
	}
	visit := func(into *html.Node) func(element) error {
		return func(e element) error { return p.inline(e, state, into) }
	}
	switch e.Name {
	case "r":
		return p.run(state, holder)
	case "hyperlink":
		return p.link(p.hrefOf(e), holder, visit)
	case "fldSimple":
		f := &field{}
		f.instruction.WriteString(e.Attr("instr"))
		p.settleField(f)
		if f.contents {
			return p.Skip()
		}
		return p.link(f.href, holder, visit)
	case "bookmarkStart":
		if name := e.Attr("name"); name != "" && name != "_GoBack" {
			markup.Append(holder, markup.Element("a", "id", name))
		}
	case "ins", "moveTo", "smartTag", "customXml", "dir", "bdo", "sdtContent":
		return p.Children(visit(holder))
	case "sdt":
		return p.control(state, holder)
	case "del", "moveFrom":
		p.losses.Add("left out: text deleted under change tracking")
	case "oMath", "oMathPara":
		return p.formula(e, state, holder)
	case "AlternateContent":
		return p.alternative(visit(holder))
	}
	return p.Skip()
}

// hrefOf returns where a hyperlink leads, "" for nowhere.
func (p *part) hrefOf(e element) string {
	target := p.relations[e.Attr("id")]
	href, anchor := target.target, e.Attr("anchor")
	if href == "" || !target.external {
		href = ""
	}
	if anchor != "" {
		href += "#" + anchor
	}
	return href
}

// link reads what stands in a link.
func (p *part) link(href string, holder *html.Node, visit func(*html.Node) func(element) error) error {
	if href == "" {
		return p.Children(visit(holder))
	}
	anchor := markup.Element("a", "href", href)
	markup.Append(holder, anchor)
	return p.Children(visit(anchor))
}

// control reads a content control within a paragraph. A check box becomes the mark of a task when it starts one.
func (p *part) control(state *run, holder *html.Node) error {
	var box *html.Node
	return p.Children(func(e element) error {
		switch e.Name {
		case "sdtPr":
			return p.Children(func(e element) error {
				if e.Name != "checkbox" {
					return p.Skip()
				}
				box = markup.Element("input", "type", "checkbox")
				return p.Children(func(e element) error {
					if e.Name == "checked" && e.On() {
						markup.SetAttr(box, "checked", "")
					}
					return p.Skip()
				})
			})
		case "sdtContent":
			if box != nil && state.checkbox == nil && !state.text && state.number.list != "" {
				state.checkbox = box
				return p.Skip()
			}
			return p.Children(func(e element) error { return p.inline(e, state, holder) })
		}
		return p.Skip()
	})
}

// run reads a run of text that looks the same throughout.
func (p *part) run(state *run, holder *html.Node) error {
	var look runLook
	settled := false
	return p.Children(func(e element) error {
		if e.Name == "rPr" {
			return p.runLook(&look)
		}
		if !settled {
			settled = true
			p.settle(&look)
		}
		return p.runPart(e, state, holder, look)
	})
}

func (p *part) runPart(e element, state *run, holder *html.Node, look runLook) error {
	switch e.Name {
	case "t":
		text, err := p.Text()
		if err != nil {
			return err
		}
		p.addText(text, state, holder, look)
		return nil
	case "tab", "ptab":
		p.addText("\t", state, holder, look)
	case "noBreakHyphen":
		p.addText("\u2011", state, holder, look)
	case "sym":
		p.addText(p.symbol(e), state, holder, look)
	case "br", "cr":
		if kind := e.Attr("type"); (kind == "" || kind == "textWrapping") && look.hidden != on {
			p.place(markup.Element("br"), holder)
		}
	case "fldChar":
		p.fieldMark(e.Attr("fldCharType"))
	case "instrText":
		text, err := p.Text()
		if len(p.fields) > 0 && err == nil && p.fields[len(p.fields)-1].instruction.Len() < 8<<10 {
			p.fields[len(p.fields)-1].instruction.WriteString(text)
		}
		return err
	case "footnoteReference", "endnoteReference":
		p.note(strings.TrimSuffix(e.Name, "Reference")+e.Attr("id"), state, holder)
	case "commentReference":
		p.losses.Add("left out: comment")
	case "drawing", "pict", "object":
		return p.drawing(state, holder)
	case "AlternateContent":
		return p.alternative(func(e element) error { return p.runPart(e, state, holder, look) })
	}
	return p.Skip()
}

// addText adds text with its marks.
func (p *part) addText(text string, state *run, holder *html.Node, look runLook) {
	if look.hidden == on || text == "" || p.inInstruction() {
		return
	}
	if strings.TrimSpace(text) != "" {
		state.text = true
		state.code = state.code && look.code == on
	}
	made := markup.Text(text)
	for _, mark := range []struct {
		set  bool
		name string
	}{
		{look.code == on, "code"}, {look.raised == "superscript", "sup"}, {look.raised == "subscript", "sub"},
		{look.strike == on, "s"}, {look.italic == on, "em"}, {look.bold == on, "strong"},
	} {
		if mark.set {
			made = markup.Append(markup.Element(mark.name), made)
		}
	}
	p.place(made, holder)
}

// place puts a node into a holder, inside a link when the field at hand is one.
func (p *part) place(n, holder *html.Node) {
	href := ""
	for _, f := range p.fields {
		if f.separated && f.href != "" {
			href = f.href
		}
	}
	if href == "" || markup.Is(holder, "a") {
		markup.Append(holder, n)
		return
	}
	if last := holder.LastChild; markup.Is(last, "a") && markup.Attr(last, "href") == href {
		markup.Append(last, n)
		return
	}
	markup.Append(holder, markup.Append(markup.Element("a", "href", href), n))
}

// symbols are characters of the fonts of symbols that documents use most.
var symbols = map[string]string{
	"F0FC": "✓", "F0FB": "✗", "F0FE": "☑", "F0A8": "☐", "F06F": "☐", "F0E0": "→", "F0DF": "←", "F0B7": "•", "F0A7": "▪",
	"F0D8": "➢", "F04A": "🙂", "F0AE": "→",
}

func (p *part) symbol(e element) string {
	code := strings.ToUpper(e.Attr("char"))
	if known := symbols[code]; known != "" {
		return known
	}
	if point, err := strconv.ParseUint(code, 16, 32); err == nil && point > 0x20 && point < 0xE000 {
		return string(rune(point))
	}
	p.losses.Add("left out: symbol of a special font")
	return ""
}

// inInstruction reports whether what is read is how a field is computed, not its result.
func (p *part) inInstruction() bool {
	return len(p.fields) > 0 && !p.fields[len(p.fields)-1].separated
}

// maxFields bounds how many fields stand inside each other.
const maxFields = 50

// fieldMark reads the mark that begins, divides or ends a field.
func (p *part) fieldMark(kind string) {
	last := len(p.fields) - 1
	switch kind {
	case "begin":
		if len(p.fields) < maxFields {
			p.fields = append(p.fields, &field{})
		}
	case "separate":
		if last >= 0 && !p.fields[last].separated {
			p.fields[last].separated = true
			p.settleField(p.fields[last])
		}
	case "end":
		if last >= 0 {
			p.fields = p.fields[:last]
		}
	}
}

// settleField finds out what a field means: a link, a table of contents, or just its result.
func (p *part) settleField(f *field) {
	words := fieldWords(f.instruction.String())
	if len(words) == 0 {
		return
	}
	switch strings.ToUpper(words[0]) {
	case "HYPERLINK":
		address, anchor := "", ""
		for i := 1; i < len(words); i++ {
			switch strings.ToLower(words[i]) {
			case `\l`:
				if i++; i < len(words) {
					anchor = words[i]
				}
			case `\o`, `\t`:
				i++
			case `\n`, `\m`, `\h`:
			default:
				address = words[i]
			}
		}
		if anchor != "" {
			address += "#" + anchor
		}
		f.href = address
	case "REF", "PAGEREF":
		if len(words) > 1 {
			f.href = "#" + words[1]
		}
	case "TOC", "INDEX":
		f.contents = true
		p.losses.Add("left out: table of contents")
	}
}

// fieldWords splits an instruction at spaces, with quoted words whole.
func fieldWords(instruction string) []string {
	var words []string
	for rest := strings.TrimSpace(instruction); rest != ""; rest = strings.TrimSpace(rest) {
		word, after, found := "", "", false
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			word, after, found = strings.Cut(quoted, `"`)
		} else {
			word, after, found = strings.Cut(rest, " ")
		}
		words = append(words, word)
		if !found {
			break
		}
		rest = after
	}
	return words
}

// note adds the mark of a footnote.
func (p *part) note(key string, state *run, holder *html.Node) {
	body := p.notes[key]
	if body == nil {
		return
	}
	body.used = true
	markup.Append(holder, markup.Append(markup.Element("a", "class", "footnote-ref", "href", "#"+body.anchor),
		markup.Text("*")))
	state.text = true
}
