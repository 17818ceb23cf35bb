package confluence

import (
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// htmlExport is an HTML export while it is read.
type htmlExport struct {
	*export
	space  string
	pages  map[string]*source.Page // by file
	byID   map[string]*source.Page
	listed map[string]bool
}

// readHTML reads an HTML export: index.html has the hierarchy, every other file is a page.
func (e *export) readHTML() error {
	h := &htmlExport{export: e, pages: map[string]*source.Page{}, byID: map[string]*source.Page{},
		listed: map[string]bool{}}
	for _, file := range e.archive.Files() {
		if strings.Contains(file.Path, "/") || file.Path == "index.html" ||
			strings.ToLower(path.Ext(file.Path)) != ".html" {
			continue
		}
		page := &source.Page{Place: file.Path, Base: file.Path}
		page.Entry.Type = entity.PageDocument
		h.pages[file.Path] = page
		if found := pageIDInFile.FindStringSubmatch(file.Path); found != nil {
			h.byID[found[1]] = page
		}
	}
	index, err := h.parse("index.html")
	if err != nil {
		return err
	}
	h.space = spaceName(index)
	for _, list := range topLists(index) {
		e.tree.Pages = append(e.tree.Pages, h.listPages(list)...)
	}
	for _, file := range e.archive.Files() {
		page := h.pages[file.Path]
		if page == nil {
			continue
		}
		if err := h.fill(page); err != nil {
			return err
		}
		if !h.listed[file.Path] {
			e.tree.Pages = append(e.tree.Pages, page)
		}
	}
	return nil
}

func (h *htmlExport) parse(file string) (*html.Node, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	data, err := h.archive.Read(file, maxPageBytes)
	if err != nil {
		return nil, err
	}
	return markup.Parse(data, file)
}

// spaceName returns the space's title from the table of its details.
func spaceName(index *html.Node) string {
	for _, row := range markup.FindAll(index, func(n *html.Node) bool { return n.Data == "tr" }) {
		head := markup.Find(row, func(n *html.Node) bool { return n.Data == "th" })
		cell := markup.Find(row, func(n *html.Node) bool { return n.Data == "td" })
		if head != nil && cell != nil && strings.EqualFold(strings.TrimSuffix(markup.TextOf(head), ":"), "name") {
			return markup.TextOf(cell)
		}
	}
	return ""
}

// topLists returns the lists of the table of contents that are in no other list.
func topLists(n *html.Node) []*html.Node {
	var lists []*html.Node
	for child := range n.ChildNodes() {
		switch {
		case markup.Is(child, "ul"):
			lists = append(lists, child)
		case !markup.HasClass(child, "greybox"):
			lists = append(lists, topLists(child)...)
		}
	}
	return lists
}

// listPages returns the pages of a list with those below them. What is below an item that is no page moves up.
func (h *htmlExport) listPages(list *html.Node) []*source.Page {
	var pages []*source.Page
	for item := range list.ChildNodes() {
		if !markup.Is(item, "li", "ul") {
			continue
		}
		if item.Data == "ul" {
			below := h.listPages(item)
			if len(pages) > 0 {
				pages[len(pages)-1].Children = append(pages[len(pages)-1].Children, below...)
			} else {
				pages = append(pages, below...)
			}
			continue
		}
		page, below := h.listItem(item)
		if page == nil {
			pages = append(pages, below...)
			continue
		}
		page.Children = append(page.Children, below...)
		pages = append(pages, page)
	}
	return pages
}

// listItem returns the page that an item of a list links to, nil for none, and the pages of the lists in it.
func (h *htmlExport) listItem(item *html.Node) (page *source.Page, below []*source.Page) {
	for child := range item.ChildNodes() {
		switch {
		case markup.Is(child, "ul"):
			below = append(below, h.listPages(child)...)
		case markup.Is(child, "a"):
			file := localFile(markup.Attr(child, "href"))
			if found := h.pages[file]; page == nil && found != nil && !h.listed[file] {
				h.listed[file] = true
				page = found
				page.Entry.Title = markup.TextOf(child)
			}
		case child.Type == html.ElementNode:
			inner, more := h.listItem(child)
			if page == nil {
				page = inner
			} else if inner != nil {
				below = append(below, inner)
			}
			below = append(below, more...)
		}
	}
	return page, below
}

// localFile returns the path of a relative reference, "" for another address.
func localFile(reference string) string {
	u, err := url.Parse(reference)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" {
		return ""
	}
	return strings.TrimPrefix(path.Clean("/"+u.Path), "/")
}

// fill reads a page's file.
func (h *htmlExport) fill(page *source.Page) error {
	root, err := h.parse(page.Place)
	if err != nil {
		return err
	}
	if title := h.title(root); title != "" {
		page.Entry.Title = title
	}
	if page.Entry.Title == "" {
		page.Entry.Title = markup.FileTitle(page.Place)
	}
	content := markup.Find(root, func(n *html.Node) bool { return markup.Attr(n, "id") == "main-content" })
	if content == nil {
		content = markup.Find(root, func(n *html.Node) bool { return markup.HasClass(n, "wiki-content") })
	}
	h.takeAttachments(root)
	if content == nil {
		h.tree.Report.NotUnderstood.Addf(page.Place,
			"the file has no content as Confluence writes it; the page is empty")
		return nil
	}
	h.rewrite(content)
	h.losses.Report(page.Place, &h.tree.Report.NotUnderstood)
	markup.Fill(page, content, hypertext.Options{
		Link:  func(href string) string { return h.link(page, href) },
		Image: func(src string) string { return h.image(page, src) },
	}, h.tree)
	return nil
}

// title returns a page's title without the space's before it.
func (h *htmlExport) title(root *html.Node) string {
	element := markup.Find(root, func(n *html.Node) bool { return markup.Attr(n, "id") == "title-text" })
	if element == nil {
		element = markup.Find(root, func(n *html.Node) bool { return n.Data == "title" })
	}
	title := markup.TextOf(element)
	if rest, ok := strings.CutPrefix(title, h.space+" : "); ok && h.space != "" {
		return rest
	}
	if _, rest, ok := strings.Cut(title, " : "); ok && h.space == "" {
		return rest
	}
	return title
}

// takeAttachments takes the files that a page lists below its content, under the names that they have there.
func (h *htmlExport) takeAttachments(root *html.Node) {
	for _, section := range markup.FindAll(root, func(n *html.Node) bool { return markup.HasClass(n, "greybox") }) {
		for _, link := range markup.FindAll(section, func(n *html.Node) bool { return n.Data == "a" }) {
			name := localFile(markup.Attr(link, "href"))
			if file := h.file(name); strings.HasPrefix(name, "attachments/") && file != nil {
				if shown := markup.TextOf(link); shown != "" {
					file.Name = path.Base(shown)
				}
				h.take(file)
			}
		}
	}
}

// link returns where a link of a page leads.
func (h *htmlExport) link(from *source.Page, href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return href
	}
	if name := localFile(href); name != "" {
		if page := h.pages[name]; page != nil {
			return h.targets.Page(page, u.Fragment)
		}
		if file := h.file(name); file != nil {
			return h.take(file)
		}
		h.broken(from.Place, href, "the export has no such page or file")
		return href
	}
	if page := h.byID[pageID(href)]; page != nil {
		return h.targets.Page(page, u.Fragment)
	}
	return href
}

// image returns where an image's bytes are.
func (h *htmlExport) image(from *source.Page, src string) string {
	name := localFile(src)
	if name == "" {
		if strings.HasPrefix(src, "data:") {
			h.tree.Report.NotUnderstood.Addf(from.Place, "left out: image written into the page")
			return ""
		}
		return src
	}
	file := h.file(name)
	if file == nil {
		h.broken(from.Place, src, "the export has no such image")
		return src
	}
	return h.take(file)
}

// rewrite turns what Confluence's macros have built into what package hypertext knows.
func (h *htmlExport) rewrite(content *html.Node) {
	for _, n := range markup.FindAll(content, func(*html.Node) bool { return true }) {
		if n.Parent == nil {
			continue // it was replaced with something around it
		}
		switch {
		case markup.HasClass(n, "toc-macro"):
			h.losses.Add("left out: table of contents")
			markup.Remove(n)
		case markup.HasClass(n, "confluence-information-macro"):
			h.rewriteCallout(n)
		case markup.HasClass(n, "panel") && markup.HasClass(n, "code", "preformatted"):
			rewriteCode(n)
		case markup.HasClass(n, "panel"):
			title := takeText(n, "panelHeader")
			markup.Replace(n, callout("panel", title, markup.Children(n)))
		case markup.HasClass(n, "expand-container"):
			title := takeText(n, "expand-control")
			body := markup.Find(n, func(d *html.Node) bool { return markup.HasClass(d, "expand-content") })
			if body == nil {
				body = n
			}
			markup.Replace(n, expandable(title, markup.Children(body)))
		case markup.HasClass(n, "status-macro"):
			markup.Replace(n, strong(markup.TextOf(n)))
		case markup.Is(n, "li") && markup.HasClass(n.Parent, "inline-task-list"):
			task(n, markup.HasClass(n, "checked"))
		case markup.Is(n, "a") && markup.HasClass(n, "confluence-userlink", "user-mention"):
			markup.Replace(n, markup.Children(n)...)
		case markup.Is(n, "img") && markup.HasClass(n.Parent, "jira-issue-key"):
			markup.Remove(n)
		case markup.Is(n, "img"):
			rewriteImage(n)
		}
	}
}

// takeText takes the element of a class out of a container and returns its text.
func takeText(n *html.Node, class string) string {
	found := markup.Find(n, func(d *html.Node) bool { return markup.HasClass(d, class) })
	if found == nil {
		return ""
	}
	text := markup.TextOf(found)
	markup.Remove(found)
	return strings.Trim(text, "\u00a0 ")
}

func (h *htmlExport) rewriteCallout(n *html.Node) {
	kind := "info"
	for class := range strings.FieldsSeq(markup.Attr(n, "class")) {
		if rest, ok := strings.CutPrefix(class, "confluence-information-macro-"); ok {
			kind = rest
		}
	}
	title := ""
	for child := range n.ChildNodes() {
		if markup.Is(child, "p") && markup.HasClass(child, "title") {
			title = markup.TextOf(child)
		}
	}
	body := markup.Find(n, func(d *html.Node) bool { return markup.HasClass(d, "confluence-information-macro-body") })
	if body == nil {
		body = n
	}
	markup.Replace(n, callout(kind, title, markup.Children(body)))
}

// rewriteCode turns a panel of code into a code block.
func rewriteCode(n *html.Node) {
	title := takeText(n, "panelHeader")
	pre := markup.Find(n, func(d *html.Node) bool { return d.Data == "pre" })
	if pre == nil {
		return
	}
	language := ""
	for part := range strings.SplitSeq(markup.Attr(pre, "data-syntaxhighlighter-params"), ";") {
		if brush, ok := strings.CutPrefix(strings.TrimSpace(part), "brush:"); ok {
			language = strings.TrimSpace(brush)
		}
	}
	var code strings.Builder
	for d := range pre.Descendants() {
		if d.Type == html.TextNode {
			code.WriteString(d.Data)
		}
	}
	markup.Replace(n, listing(language, title, code.String()))
}

// rewriteImage gives an image its full size, and makes an emoticon the character that it shows.
func rewriteImage(n *html.Node) {
	if markup.HasClass(n, "emoticon") {
		shown := markup.Attr(n, "data-emoji-fallback")
		if shown == "" {
			shown = emoticon(strings.Trim(markup.Attr(n, "alt"), "()"))
		}
		markup.Replace(n, markup.Text(shown))
		return
	}
	if full := markup.Attr(n, "data-image-src"); localFile(full) != "" && strings.Contains(markup.Attr(n, "src"),
		"thumbnails") {
		markup.SetAttr(n, "src", full)
	}
}
