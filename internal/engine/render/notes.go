package render

import (
	"strconv"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// annotation appends annotated words and a reference to their note, which is printed at the end of the page.
func (p *page) annotation(n *doc.Node) {
	p.raw(`<span class="annotation">`)
	p.inlines(n.Nodes)
	p.noteReference(n)
	p.raw(`</span>`)
}

// noteReference registers the note of an annotation and appends the reference to it. Inside a link, where no other
// link can stand, it is only a number.
func (p *page) noteReference(n *doc.Node) {
	body := n.FragmentNamed(doc.FragmentAnnotationBody)
	if body == nil || len(body.Nodes) == 0 || len(p.annotations) >= maxNotes {
		return
	}
	number := strconv.Itoa(len(p.annotations) + 1)
	note := annotation{number: number, id: p.newID("note-" + number), body: body.Nodes}
	if p.linked > 0 {
		p.raw(`<sup class="annotation-ref">`, number, `</sup>`)
	} else {
		note.refID = p.newID("note-ref-" + number)
		p.open("a", "class", "annotation-ref", "id", note.refID, "href", "#"+note.id, "role", "doc-noteref",
			"aria-label", label(p.labels.Note, number))
		p.raw(number, "</a>")
	}
	p.annotations = append(p.annotations, note)
}

// maxNotes bounds notes, which may themselves hold annotated words.
const maxNotes = 5000

// notes appends the notes that the page referred to, and those that notes refer to.
func (p *page) notes() {
	if len(p.annotations) == 0 {
		return
	}
	p.open("section", "class", "annotations", "role", "doc-endnotes", "aria-label", p.labels.Notes)
	p.raw("<ol>\n")
	for i := 0; i < len(p.annotations) && p.failure == nil; i++ {
		note := p.annotations[i]
		p.open("li", "id", note.id)
		p.bareBlocks(note.body, blockContext{})
		if note.refID != "" {
			p.raw(" ")
			p.open("a", "class", "annotation-back", "href", "#"+note.refID, "aria-label", p.labels.BackToText)
			p.raw("↩</a>")
		}
		p.raw("</li>\n")
	}
	p.raw("</ol></section>\n")
}
