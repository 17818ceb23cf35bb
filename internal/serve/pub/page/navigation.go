package page

import (
	"fmt"
	"html"
	"html/template"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
	"github.com/rectodocs/recto/internal/serve/pub/theme"
	"github.com/rectodocs/recto/internal/serve/pub/words"
)

// A navigation of at most wholeTree pages is in every page with all its branches, so that a script can open them
// where they are. A larger one has only the branches that lead to the current page, and of a level at most
// levelWindow pages around the current one: what a page costs does not grow with the space.
const (
	wholeTree   = 300
	levelWindow = 120
)

// treeWriter writes the navigation around one page.
type treeWriter struct {
	strings.Builder
	edition *edition.Edition
	icons   *theme.Icons
	// url returns where a page is; external says that it is a link to somewhere else.
	url     func(*store.TreeNode) (address string, external bool)
	index   string // address of the list of all pages
	current *store.TreeNode
	path    map[*store.TreeNode]bool // the current page and its ancestors
	whole   bool
	count   int
	words   *words.Words
	newTab  bool // links to other places open in one
}

// Navigation returns the tree of pages as HTML, "" when there is nothing to list.
func Navigation(s *scope.Scope, current *store.TreeNode) template.HTML {
	w := &treeWriter{edition: s.Edition, icons: s.Services.Themes.Icons, url: s.LinkTo, index: s.Home + "~/pages",
		current: current, path: map[*store.TreeNode]bool{}, words: s.Theme().Words,
		newTab: s.Customization().ExternalLinks.Target == "blank"}
	for n := current; n != nil; n = n.Parent {
		w.path[n] = true
	}
	w.whole = s.Edition.Listed <= wholeTree
	w.roots()
	return template.HTML(w.String())
}

// roots writes the top level: runs of pages, and groups under their titles.
func (w *treeWriter) roots() {
	var run []*store.TreeNode
	flush := func() {
		if len(run) > 0 {
			w.WriteString(`<div class="tree-group">`)
			w.list(run, `<ul class="tree">`)
			w.WriteString(`</div>`)
		}
		run = nil
	}
	for _, node := range w.edition.Children(nil) {
		if node.Entry.Type != entity.PageGroup {
			run = append(run, node)
			continue
		}
		flush()
		children := w.edition.Children(node)
		if len(children) == 0 {
			continue
		}
		id := w.id()
		w.WriteString(`<div class="tree-group" role="group" aria-labelledby="` + id +
			`"><p class="tree-group-title" id="` + id + `">`)
		w.icon(node.Entry)
		w.WriteString(`<span>` + string(inlineTitle(edition.Label(node.Entry))) + `</span></p>`)
		w.list(children, `<ul class="tree">`)
		w.WriteString(`</div>`)
	}
	flush()
}

func (w *treeWriter) id() string {
	w.count++
	return "tree-" + strconv.Itoa(w.count)
}

// list writes one level.
func (w *treeWriter) list(nodes []*store.TreeNode, open string) {
	first, last := 0, len(nodes)
	if len(nodes) > levelWindow {
		at := 0
		for i, node := range nodes {
			if w.path[node] {
				at = i
				break
			}
		}
		first = max(0, min(at-levelWindow/2, len(nodes)-levelWindow))
		last = first + levelWindow
	}
	w.WriteString(open)
	if first > 0 {
		w.rest(first, w.words.MoreBefore)
	}
	for _, node := range nodes[first:last] {
		w.item(node)
	}
	if last < len(nodes) {
		w.rest(len(nodes)-last, w.words.MoreAfter)
	}
	w.WriteString(`</ul>`)
}

func (w *treeWriter) rest(count int, word string) {
	w.WriteString(`<li class="tree-rest"><a href="` + html.EscapeString(w.index) + `">` +
		html.EscapeString(fmt.Sprintf(word, count)) + `</a></li>`)
}

const (
	chevron       = `<svg class="glyph" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m9 18 6-6-6-6"/></svg>`
	outwardsArrow = `<svg class="glyph external" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M7 17 17 7M8 7h9v9"/></svg>`
)

// item writes a page and, where they are to be seen, the pages below it.
func (w *treeWriter) item(node *store.TreeNode) {
	children := w.edition.Children(node)
	open := len(children) > 0 && w.path[node]
	w.WriteString(`<li class="tree-item`)
	if open {
		w.WriteString(` is-open`)
	}
	w.WriteString(`"><div class="tree-row`)
	if len(children) > 0 {
		w.WriteString(` has-children`)
	}
	if w.path[node] && node != w.current {
		w.WriteString(` is-ancestor`)
	}
	w.WriteString(`">`)
	w.link(node)
	id := ""
	switch {
	case len(children) == 0:
	case w.whole:
		id = w.id()
		w.WriteString(`<button type="button" class="tree-toggle" aria-expanded="` + strconv.FormatBool(open) +
			`" aria-controls="` + id +
			`" aria-label="` + html.EscapeString(words.Fill(w.words.PagesIn,
			edition.PlainTitle(edition.Label(node.Entry)))) + `">` +
			chevron + `</button>`)
	default:
		w.WriteString(`<span class="tree-more">` + chevron + `</span>`)
	}
	w.WriteString(`</div>`)
	if open || w.whole && len(children) > 0 {
		start := `<ul class="tree-children"`
		if id != "" {
			start += ` id="` + id + `"`
		}
		if !open {
			start += ` hidden`
		}
		w.list(children, start+`>`)
	}
	w.WriteString(`</li>`)
}

func (w *treeWriter) link(node *store.TreeNode) {
	address, external := w.url(node)
	w.WriteString(`<a class="tree-link" href="` + html.EscapeString(address) + `"`)
	if node == w.current {
		w.WriteString(` aria-current="page"`)
	}
	if external {
		w.WriteString(` rel="noopener noreferrer"`)
		if w.newTab {
			w.WriteString(` target="_blank"`)
		}
	}
	w.WriteString(`>`)
	w.icon(node.Entry)
	title := string(inlineTitle(edition.Label(node.Entry)))
	if w.edition.Deprecated(node) {
		title = "<del>" + title + "</del>"
	}
	w.WriteString(`<span class="tree-text">` + title + `</span>`)
	w.WriteString(string(methodBadge(w.edition.Method(node))))
	if external {
		w.WriteString(outwardsArrow)
	}
	w.WriteString(`</a>`)
}

func (w *treeWriter) icon(e *entity.Entry) { w.WriteString(string(pageIcon(w.icons, e))) }

// pageIcon is the emoji or icon of a page, "" when it has none.
func pageIcon(icons *theme.Icons, e *entity.Entry) template.HTML {
	if e.Emoji != "" {
		return template.HTML(`<span class="emoji" aria-hidden="true">` + html.EscapeString(edition.EmojiText(e.Emoji)) +
			`</span>`)
	}
	if e.Icon != "" {
		if svg := icons.SVG(e.Icon); svg != "" {
			return template.HTML(`<span class="icon" aria-hidden="true">` + svg + `</span>`)
		}
	}
	return ""
}

// inlineTitle is a title as HTML: text between backquotes is code.
func inlineTitle(title string) template.HTML {
	if strings.Count(title, "`")%2 == 1 {
		return template.HTML(html.EscapeString(title))
	}
	var b strings.Builder
	for i, part := range strings.Split(title, "`") {
		if i%2 == 1 {
			b.WriteString("<code>" + html.EscapeString(part) + "</code>")
		} else {
			b.WriteString(html.EscapeString(part))
		}
	}
	return template.HTML(b.String())
}

// crumbs are the pages above a page. Groups are no pages to go to.
func crumbs(s *scope.Scope, node *store.TreeNode) []linkView {
	var links []linkView
	for _, above := range edition.Ancestors(node) {
		link := linkView{Title: edition.PlainTitle(edition.Label(above.Entry))}
		if above.Entry.Type == entity.PageDocument {
			link.URL = s.PageURL(above)
		}
		links = append(links, link)
	}
	return links
}
