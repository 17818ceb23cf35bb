package render

import (
	"math"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// picture is an image as it is printed, with its dark variant if there is one.
type picture struct {
	ref           doc.Ref
	dark          *doc.Ref
	alt, class    string
	width, height *doc.Length
}

// picture appends one img element, or two of which style sheets show one by theme. A broken image is its alternative
// text.
func (p *page) picture(image picture) {
	light := p.resolve(image.ref)
	if light.href == "" {
		p.open("span", "class", "image-missing is-broken", "data-broken", p.brokenText(light))
		p.text(firstText(image.alt, light.name()))
		p.raw("</span>")
		return
	}
	var dark link
	if image.dark != nil {
		dark = p.resolve(*image.dark)
	}
	p.img(light, image, when(dark.href != "", "light-only"))
	if dark.href != "" {
		p.img(dark, image, "dark-only")
	}
}

func (p *page) img(source link, image picture, theme string) {
	p.raw("<img")
	if class := classes(image.class, theme); class != "" {
		p.attribute("class", class)
	}
	p.attribute("src", source.href)
	p.required("alt", image.alt)
	width, height := dimension(image.width), dimension(image.height)
	if width == "" && height == "" && source.Width > 0 && source.Height > 0 {
		// The size keeps the page from moving while the image loads.
		width, height = strconv.Itoa(source.Width), strconv.Itoa(source.Height)
	} else if wide, err := strconv.Atoi(width); err == nil && height == "" && source.Width > 0 && source.Height > 0 {
		// The style sheet gives it the height that it has; this is the shape of its room.
		height = strconv.Itoa(max(1, int(math.Round(float64(wide)*float64(source.Height)/float64(source.Width)))))
	}
	if width != "" {
		p.attribute("width", width)
	}
	if height != "" {
		p.attribute("height", height)
	}
	p.raw(` loading="lazy" decoding="async">`)
}

// dimension is a length as a width or height attribute takes it: whole pixels or a percentage.
func dimension(length *doc.Length) string {
	if length == nil || !(length.Value > 0) || length.Value > 100_000 {
		return ""
	}
	value := strconv.Itoa(max(int(math.Round(length.Value)), 1))
	switch length.Unit {
	case "", "px":
		return value
	case "%":
		return value + "%"
	}
	return ""
}

func (p *page) images(n *doc.Node, in blockContext) {
	data := dataOf[doc.ImagesData](n)
	p.open("div", "class", classes("block-images", oneOf("align-", data.Align, "left", "center", "right"),
		when(isSet(data.WithFrame), "images-framed"), when(isSet(data.FullWidth), "is-full"),
		when(len(n.Nodes) > 1, "images-many")))
	for _, child := range n.Nodes {
		if child.Type != doc.Image {
			p.block(child, in)
			continue
		}
		image := dataOf[doc.ImageData](child)
		p.raw(`<figure class="image">`)
		p.picture(picture{ref: image.Ref, dark: image.RefDark, alt: image.Alt, width: image.Width,
			height: image.Height})
		p.caption(child, "figcaption", "", in)
		p.raw("</figure>")
	}
	p.raw("</div>\n")
}

// caption appends a node's caption if it says something.
func (p *page) caption(n *doc.Node, tag, class string, in blockContext) {
	caption := n.FragmentNamed(doc.FragmentCaption)
	if caption == nil || !speaks(caption) {
		return
	}
	p.open(tag, "class", class)
	p.bareBlocks(caption.Nodes, in)
	p.close(tag)
}

// speaks reports whether a node holds text or anything else that shows.
func speaks(n *doc.Node) bool {
	found := false
	n.Walk(func(n *doc.Node) bool {
		switch {
		case n.Object == doc.ObjectInline && doc.IsVoid(n.Type), n.Object == doc.ObjectBlock && doc.IsVoid(n.Type):
			found = true
		case n.Object == doc.ObjectText:
			for _, leaf := range n.Leaves {
				found = found || strings.TrimSpace(leaf.Text) != ""
			}
		}
		return !found
	})
	return found
}

func (p *page) drawing(n *doc.Node, in blockContext) {
	p.raw(`<div class="block-images block-drawing"><figure class="image">`)
	alt := firstText(fragmentText(n, doc.FragmentCaption), p.labels.Drawing)
	p.picture(picture{ref: dataOf[doc.FileData](n).Ref, alt: alt})
	p.caption(n, "figcaption", "", in)
	p.raw("</figure></div>\n")
}

func (p *page) file(n *doc.Node, in blockContext) {
	l := p.resolve(dataOf[doc.FileData](n).Ref)
	name := firstText(l.Title, fileName(l.written), p.labels.File)
	p.raw(`<div class="block-file">`)
	tag := "div"
	if l.href == "" || p.linked > 0 {
		p.open(tag, "class", classes("file-link", when(l.Broken, "is-broken")), "data-broken", p.brokenText(l))
	} else {
		tag = "a"
		p.open(tag, append(p.anchorAttributes("file-link", l), "download", bare)...)
	}
	p.icon("file-arrow-down", "file-icon")
	p.raw(`<span class="file-body"><span class="file-name">`)
	p.text(name)
	p.raw("</span>")
	if meta := FileMeta(name, l.Size); meta != "" {
		p.raw(`<span class="file-meta">`)
		p.text(meta)
		p.raw("</span>")
	}
	p.raw("</span>")
	p.close(tag)
	p.caption(n, "div", "file-caption", in)
	p.raw("</div>\n")
}

// fileName is the last part of an address, decoded.
func fileName(address string) string {
	place, _, _ := strings.Cut(address, "#")
	place, _, _ = strings.Cut(place, "?")
	name := path.Base(place)
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if name == "." || name == "/" {
		return ""
	}
	return name
}

// FileMeta describes a file by its name and its size in bytes: "PDF · 1.2 MB"; "" when neither says anything.
func FileMeta(name string, size int64) string {
	kind := strings.ToUpper(strings.TrimPrefix(path.Ext(name), "."))
	if len(kind) > 5 {
		kind = ""
	}
	amount := ""
	switch {
	case size >= 1<<20:
		amount = strconv.FormatFloat(float64(size)/(1<<20), 'f', 1, 64) + " MB"
	case size >= 1<<10:
		amount = strconv.FormatInt((size+512)/1024, 10) + " KB"
	case size > 0:
		amount = strconv.FormatInt(size, 10) + " B"
	}
	if kind != "" && amount != "" {
		return kind + " · " + amount
	}
	return kind + amount
}

// provider is a site whose content can be shown in a frame.
type provider struct {
	name, title string
	// video says that what it shows are videos.
	video bool
	// origin serves the frames.
	origin string
	// frame makes the address of a frame from that of a page, "" when it is none of theirs.
	frame func(u *url.URL) string
}

var providers = []provider{
	{"youtube", "YouTube", true, "https://www.youtube-nocookie.com", youtubeFrame},
	{"vimeo", "Vimeo", true, "https://player.vimeo.com", func(u *url.URL) string {
		return frameOf(u, "vimeo.com", "", "https://player.vimeo.com/video/", isDigits)
	}},
	{"loom", "Loom", true, "https://www.loom.com", func(u *url.URL) string {
		return frameOf(u, "loom.com", "share/", "https://www.loom.com/embed/", isToken)
	}},
	{"codepen", "CodePen", false, "https://codepen.io", codepenFrame},
	{"figma", "Figma", false, "https://www.figma.com", func(u *url.URL) string {
		if host(u) != "figma.com" || !strings.Contains(u.Path, "/") || len(u.Path) < 6 {
			return ""
		}
		return "https://www.figma.com/embed?embed_host=share&url=" + url.QueryEscape("https://www.figma.com"+
			u.EscapedPath())
	}},
}

// EmbedOrigins returns the origins that data-embed-src addresses have, for the frame-src of a content security policy.
func EmbedOrigins() []string {
	origins := make([]string, len(providers))
	for i, p := range providers {
		origins[i] = p.origin
	}
	return origins
}

func host(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func isToken(s string) bool {
	return s != "" && len(s) <= 64 &&
		strings.Trim(s, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == ""
}

// frameOf makes a frame's address from the id that follows a prefix of the path.
func frameOf(u *url.URL, site, prefix, frame string, valid func(string) bool) string {
	id, ok := strings.CutPrefix(strings.TrimPrefix(u.Path, "/"), prefix)
	if host(u) != site || !ok || !valid(id) {
		return ""
	}
	return frame + id
}

func youtubeFrame(u *url.URL) string {
	const frame = "https://www.youtube-nocookie.com/embed/"
	id := ""
	switch host(u) {
	case "youtu.be":
		id = strings.TrimPrefix(u.Path, "/")
	case "youtube.com", "m.youtube.com", "youtube-nocookie.com":
		id = u.Query().Get("v")
		for _, prefix := range []string{"/embed/", "/shorts/", "/live/"} {
			if rest, ok := strings.CutPrefix(u.Path, prefix); ok {
				id = rest
			}
		}
	}
	if !isToken(id) {
		return ""
	}
	return frame + id
}

func codepenFrame(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if host(u) != "codepen.io" || len(parts) != 3 || parts[1] != "pen" || !isToken(parts[0]) || !isToken(parts[2]) {
		return ""
	}
	return "https://codepen.io/" + parts[0] + "/embed/" + parts[2]
}

// providerOf returns the provider that shows an address in a frame, with the frame's address; nil for none.
func providerOf(u *url.URL) (*provider, string) {
	for i := range providers {
		if frame := providers[i].frame(u); frame != "" {
			return &providers[i], frame
		}
	}
	return nil, ""
}

func embedTitle(u *url.URL, found *provider, labels Labels) string {
	switch {
	case found == nil:
		return label(labels.Embedded, host(u))
	case found.video:
		return label(labels.Video, found.title)
	}
	return found.title
}

// EmbedTitle is what a page calls what it embeds from an address, in English; "" for one that no page embeds.
func EmbedTitle(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	found, _ := providerOf(u)
	return embedTitle(u, found, Labels{}.withDefaults())
}

// EmbedFrame returns the address of the frame in which a site that is known shows what is at an address; "" for another
// site. It asks nobody.
func EmbedFrame(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	_, frame := providerOf(u)
	return frame
}

// embed appends a link to embedded content. Nothing is loaded from elsewhere until a reader asks for it.
func (p *page) embed(n *doc.Node, in blockContext) {
	data := dataOf[doc.EmbedData](n)
	l := p.resolve(doc.URL(data.URL))
	kind, frame, icon := "link", "", "arrow-up-right"
	title := l.Title
	if u, err := url.Parse(l.href); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		found, shown := providerOf(u)
		if found != nil {
			kind, frame, icon = found.name, shown, "play"
		}
		if title == "" {
			title = embedTitle(u, found, p.labels)
		}
	}
	p.open("figure", "class", classes("block-embed", when(isSet(data.FullWidth), "is-full")), "data-embed", kind,
		"data-embed-src", frame)
	tag := p.openLink("embed-link", l)
	p.icon(icon, "embed-icon")
	p.raw(`<span class="embed-body"><span class="embed-title">`)
	p.text(firstText(title, l.name()))
	p.raw(`</span><span class="embed-url">`)
	p.text(shorten(strings.TrimPrefix(strings.TrimPrefix(data.URL, "https://"), "http://"), 120))
	p.raw(`</span></span>`)
	p.closeLink(tag)
	p.caption(n, "figcaption", "", in)
	p.raw("</figure>\n")
}
