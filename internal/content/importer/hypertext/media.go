package hypertext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// figure converts a figure, a picture or an image that stands by itself. A figure of something else is its content
// with its caption behind it.
func (c *converter) figure(n *html.Node, s state) []*doc.Node {
	for d := range n.Descendants() {
		c.anchor(d)
	}
	caption := c.figureCaption(n, s)
	sources := []*html.Node{n}
	if !isElement(n, "img", "picture", "svg") {
		sources = findAll(n, func(d *html.Node) bool { return isElement(d, "img", "picture", "svg") })
	}
	onlyImages := len(sources) > 0 && !c.hasText(n)
	if s.inCell || s.inLink || !onlyImages {
		blocks := c.figureContent(n, s)
		if len(caption) > 0 {
			blocks = append(blocks, doc.NewParagraph(caption...))
		}
		return blocks
	}
	images := doc.NewBlock(doc.Images, nil)
	for _, source := range sources {
		if data := c.image(source); data != nil {
			image := doc.NewBlock(doc.Image, data)
			image.Fragments = []*doc.Node{}
			images.Nodes = append(images.Nodes, image)
		}
	}
	if len(images.Nodes) == 0 {
		if len(caption) == 0 {
			return nil
		}
		return []*doc.Node{doc.NewParagraph(caption...)}
	}
	if len(caption) > 0 {
		last := images.Nodes[len(images.Nodes)-1]
		last.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, doc.NewParagraph(caption...))}
	}
	return []*doc.Node{images}
}

func (c *converter) figureContent(n *html.Node, s state) []*doc.Node {
	if isElement(n, "img", "picture", "svg") {
		var line inlines
		c.inline(&line, n, s)
		if nodes := line.finish(); len(nodes) > 0 {
			return []*doc.Node{doc.NewParagraph(nodes...)}
		}
		return nil
	}
	return c.blocks(n, s)
}

// figureCaption takes the caption out of a figure and returns its text.
func (c *converter) figureCaption(n *html.Node, s state) []*doc.Node {
	element := find(n, func(d *html.Node) bool {
		return isElement(d, "figcaption") || isElement(d, "p", "div") && hasClass(d, "caption")
	})
	if element == nil {
		return nil
	}
	dropPermalinks(element)
	var line inlines
	c.inlineChildren(&line, element, s)
	remove(element)
	return oneLine(line.finish())
}

func (c *converter) hasText(n *html.Node) bool {
	if isElement(n, "img", "picture", "svg") {
		return false
	}
	return collapse(textOf(n)) != "" || find(n, func(d *html.Node) bool {
		return isElement(d, "pre", "table", "iframe", "video")
	}) != nil
}

// image returns what an image element shows, nil when it is to be left out.
func (c *converter) image(n *html.Node) *doc.ImageData {
	if isElement(n, "svg") {
		return c.drawing(n)
	}
	img := n
	var dark string
	if isElement(n, "picture") {
		for _, source := range findAll(n, func(d *html.Node) bool { return d.Data == "source" }) {
			if strings.Contains(attr(source, "media"), "dark") {
				dark = firstOfSet(attr(source, "srcset"))
			}
		}
		if img = find(n, func(d *html.Node) bool { return d.Data == "img" }); img == nil {
			return nil
		}
	}
	src := imageSource(img)
	if src == "" {
		return nil
	}
	destination := c.options.Image(src)
	if destination == "" {
		return nil
	}
	c.settleAnchors()
	data := &doc.ImageData{Ref: doc.URL(destination)}
	if alt := collapse(clean(attr(img, "alt"))); alt != src {
		data.Alt = alt // generators without a text take the address
	}
	if width, err := strconv.Atoi(strings.TrimSuffix(attr(img, "width"), "px")); err == nil && width > 0 &&
		width < 10_000 {
		data.Width = &doc.Length{Value: float64(width)}
	}
	if dark != "" {
		if darkDestination := c.options.Image(dark); darkDestination != "" {
			ref := doc.URL(darkDestination)
			data.RefDark = &ref
		}
	}
	return data
}

// minDrawing is the size in pixels below which a drawing in a page is an icon.
const minDrawing = 64

// drawing returns a drawing that is written into the page as an image of its own; nil for icons.
func (c *converter) drawing(n *html.Node) *doc.ImageData {
	width, height := drawingSize(n)
	if max(width, height) < minDrawing {
		return nil
	}
	if c.options.Drawing == nil {
		c.lose("drawing (svg)")
		return nil
	}
	alt := ""
	if title := find(n, func(d *html.Node) bool { return d.Data == "title" }); title != nil {
		alt = collapse(clean(textOf(title)))
	}
	standalone := cloneTree(n)
	disarm(standalone)
	if !hasAttr(standalone, "xmlns") {
		standalone.Attr = append(standalone.Attr, html.Attribute{Key: "xmlns", Val: "http://www.w3.org/2000/svg"})
	}
	var out strings.Builder
	if err := html.Render(&out, standalone); err != nil {
		c.lose("drawing (svg)")
		return nil
	}
	destination := c.options.Drawing(clean(out.String()))
	if destination == "" {
		return nil
	}
	c.settleAnchors()
	return &doc.ImageData{Ref: doc.URL(destination), Alt: alt}
}

// drawingSize returns the size of a drawing in its own units: its width and height, else those of its view box.
func drawingSize(n *html.Node) (width, height float64) {
	number := func(s string) float64 {
		value, err := strconv.ParseFloat(strings.TrimRight(s, "pxtemch%"), 64)
		if err != nil {
			return 0
		}
		return value
	}
	width, height = number(attr(n, "width")), number(attr(n, "height"))
	if box := strings.FieldsFunc(attr(n, "viewBox"), func(r rune) bool { return r == ' ' || r == ',' }); width == 0 &&
		height == 0 && len(box) == 4 {
		return number(box[2]), number(box[3])
	}
	return width, height
}

// disarm takes scripts and what calls them out of a drawing.
func disarm(n *html.Node) {
	for _, script := range findAll(n, func(d *html.Node) bool { return strings.EqualFold(d.Data, "script") }) {
		remove(script)
	}
	for d := range n.Descendants() {
		d.Attr = withoutHandlers(d.Attr)
	}
	n.Attr = withoutHandlers(n.Attr)
}

func withoutHandlers(attributes []html.Attribute) []html.Attribute {
	var kept []html.Attribute
	for _, a := range attributes {
		value := strings.ToLower(strings.TrimSpace(a.Val))
		if strings.HasPrefix(strings.ToLower(a.Key), "on") || strings.HasPrefix(value, "javascript:") {
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

// imageSource returns the address of an image, also of one that loads late.
func imageSource(img *html.Node) string {
	src := clean(attr(img, "src"))
	if src == "" || strings.HasPrefix(src, "data:image/gif;base64,R0lGOD") {
		for _, name := range []string{"data-src", "data-original", "data-lazy-src"} {
			if late := clean(attr(img, name)); late != "" {
				return late
			}
		}
		if first := firstOfSet(clean(attr(img, "srcset"))); first != "" {
			return first
		}
	}
	return src
}

// firstOfSet returns the first address of a srcset.
func firstOfSet(set string) string {
	fields := strings.FieldsFunc(set, isHTMLSpace)
	if len(fields) == 0 {
		return ""
	}
	return strings.TrimSuffix(fields[0], ",")
}

// inlineImage adds an image to a line of text.
func (c *converter) inlineImage(line *inlines, n *html.Node) {
	data := c.image(n)
	if data == nil {
		return
	}
	line.add(doc.NewInline(doc.InlineImage, &doc.InlineImageData{Ref: data.Ref, RefDark: data.RefDark, Alt: data.Alt}))
}

// mediaSource returns the address that an embedded element plays.
func mediaSource(n *html.Node) string {
	for _, name := range []string{"src", "data-src", "data"} {
		if value := clean(attr(n, name)); value != "" {
			return value
		}
	}
	if source := find(n, func(d *html.Node) bool {
		return isElement(d, "source") && attr(d, "src") != ""
	}); source != nil {
		return clean(attr(source, "src"))
	}
	return ""
}

// media converts a frame, a video or a sound: an embed of its address.
func (c *converter) media(n *html.Node, s state) []*doc.Node {
	source := mediaSource(n)
	destination := ""
	if source != "" && !strings.HasPrefix(source, "about:") && !strings.HasPrefix(source, "data:") {
		destination = c.options.Link(source)
	}
	if destination == "" {
		c.lose(n.Data)
		return c.blocks(n, s)
	}
	if s.inCell || s.inList || s.inNote || s.inLink {
		var line inlines
		c.mediaLink(&line, n, s)
		return []*doc.Node{doc.NewParagraph(line.finish()...)}
	}
	return []*doc.Node{doc.NewBlock(doc.Embed, &doc.EmbedData{URL: destination})}
}

func (c *converter) mediaLink(line *inlines, n *html.Node, s state) {
	destination := mediaSource(n)
	if destination != "" {
		destination = c.options.Link(destination)
	}
	if destination == "" {
		c.lose(n.Data)
		return
	}
	text := attr(n, "title")
	if text == "" {
		text = destination
	}
	if s.inLink {
		line.text(text, s.marks)
		return
	}
	line.add(doc.NewInline(doc.Link, &doc.ContentRefData{Ref: doc.URL(destination)},
		doc.NewText(clean(text), s.marks...)))
}
