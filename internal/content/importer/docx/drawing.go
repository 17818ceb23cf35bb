package docx

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/markup"
)

// emusPerPixel is how many of the format's units of length a pixel has.
const emusPerPixel = 9525

// picture is what is known of a drawing while it is read.
type picture struct {
	alt, href string
	width     int
	sources   []string
}

// drawing reads a drawing or an embedded object: its pictures, and the text of its boxes.
func (p *part) drawing(state *run, holder *html.Node) error {
	var found picture
	if err := p.Children(func(e element) error { return p.drawingPart(e, state, holder, &found) }); err != nil {
		return err
	}
	for _, src := range found.sources {
		image := markup.Element("img", "src", src, "alt", found.alt)
		if found.width > 0 && len(found.sources) == 1 {
			markup.SetAttr(image, "width", strconv.Itoa(found.width))
		}
		if found.href != "" && !markup.Is(holder, "a") {
			markup.Append(holder, markup.Append(markup.Element("a", "href", found.href), image))
		} else {
			p.place(image, holder)
		}
		state.image = true
	}
	return nil
}

func (p *part) drawingPart(e element, state *run, holder *html.Node, found *picture) error {
	switch e.Name {
	case "docPr":
		if found.alt = e.Attr("descr"); found.alt == "" {
			found.alt = e.Attr("title")
		}
	case "extent":
		if width, err := strconv.Atoi(e.Attr("cx")); err == nil {
			found.width = width / emusPerPixel
		}
	case "hlinkClick":
		if target := p.relations[e.Attr("id")]; target.external {
			found.href = target.target
		}
	case "blip":
		p.addPicture(e.Attr("embed"), e.Attr("link"), found)
		return p.Skip() // extensions hold the same picture in other formats
	case "imagedata":
		p.addPicture(e.Attr("id"), "", found)
		if title := e.Attr("title"); found.alt == "" {
			found.alt = title
		}
	case "rect":
		if e.Attr("hr") == "t" {
			markup.Append(holder, markup.Element("hr"))
			state.image = true
		}
	case "chart":
		p.losses.Add("left out: chart")
	case "relIds":
		p.losses.Add("left out: diagram")
	case "OLEObject":
		p.losses.Add("left out: embedded object; its picture is kept")
	case "txbxContent":
		box := &paragraphs{document: p.document, into: markup.Element("div"), inBox: true}
		waiting := p.boxes
		p.boxes = nil
		err := p.blocks(box)
		p.boxes = append(waiting, box)
		return err
	case "AlternateContent":
		return p.alternative(func(e element) error { return p.drawingPart(e, state, holder, found) })
	}
	return p.Children(func(e element) error { return p.drawingPart(e, state, holder, found) })
}

// maxPictures is how many pictures one drawing has at most.
const maxPictures = 200

// addPicture adds the picture behind a relationship: a file of the document, or an address.
func (p *part) addPicture(embedded, linked string, found *picture) {
	if len(found.sources) >= maxPictures {
		return
	}
	if file := p.file(embedded); file != nil {
		switch extension := strings.ToLower(file.Name[strings.LastIndexByte(file.Name, '.')+1:]); extension {
		case "emf", "wmf":
			p.losses.Add("changed: a picture in the format " + strings.ToUpper(extension) +
				" is kept, but browsers do not show it")
		}
		found.sources = append(found.sources, p.targets.File(file))
		return
	}
	for _, id := range []string{embedded, linked} {
		if relation := p.relations[id]; relation.external && (strings.HasPrefix(relation.target, "https://") ||
			strings.HasPrefix(relation.target, "http://")) {
			found.sources = append(found.sources, relation.target)
			return
		}
	}
	p.losses.Add("left out: picture that is not in the document")
}
