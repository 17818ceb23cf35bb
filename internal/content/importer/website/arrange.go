package website

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// place is a page or a title in the tree that is being put together.
type place struct {
	entry    *entry // nil for a title
	title    string
	parent   *place
	children []*place
}

// arrangement puts pages into their order and nesting.
type arrangement struct {
	crawl  *crawl
	root   *place
	placed map[*entry]*place
}

// settle returns the entry that a key stands for in the end, nil when it is not known.
func (c *crawl) settle(k string) *entry {
	e := c.entries[k]
	for range 20 {
		if e == nil || e.canonical == "" || e.canonical == e.key {
			break
		}
		e = c.entries[e.canonical]
	}
	return e
}

// tree makes the result of a crawl.
func (c *crawl) tree() *source.Tree {
	a := &arrangement{crawl: c, root: &place{}, placed: map[*entry]*place{}}
	a.placeStart()
	for _, shown := range c.navigations {
		a.merge(shown)
	}
	a.placeRest()
	pages := map[*entry]*source.Page{}
	result := &source.Tree{Texts: c.options.Texts, Pages: c.sourcePages(a.root.children, pages), Report: c.report}
	seen := map[*source.File]bool{}
	addFile := func(file *source.File) {
		if file != nil && !seen[file] {
			seen[file] = true
			result.Files = append(result.Files, file)
		}
	}
	for _, e := range c.queue {
		e = c.settle(e.key)
		if e == nil {
			continue
		}
		addFile(e.file)
		if e.page != nil {
			for _, image := range e.page.images {
				addFile(c.images[image])
			}
		}
	}
	result.Resolve = func(_, destination string) source.Resolution { return c.resolve(destination, pages) }
	return result
}

// placeStart puts the start page first, unless its own navigation has a place for it.
func (a *arrangement) placeStart() {
	for _, shown := range a.crawl.navigations {
		if shown.on == a.crawl.start && !shown.nav.inContent && names(shown.nav.items, a.crawl.start.key) {
			return
		}
	}
	a.add(a.root, nil, a.crawl.start)
}

func names(items []*navItem, k string) bool {
	for _, item := range items {
		if item.key == k || names(item.children, k) {
			return true
		}
	}
	return false
}

// merge adds what a navigation shows to the arrangement. Pages that have a place keep it; new ones come after the one
// before them in the navigation.
func (a *arrangement) merge(shown pageNavigation) {
	parent := a.root
	if shown.nav.inContent && shown.on != a.crawl.start {
		// A table of contents in a page is of what is below that page.
		if on := a.placed[shown.on]; on != nil {
			parent = on
		}
	}
	a.mergeItems(parent, shown.nav.items)
}

func (a *arrangement) mergeItems(parent *place, items []*navItem) {
	var previous *place
	for _, item := range items {
		var here *place
		switch {
		case item.key == "":
			here = a.title(parent, previous, item.title)
		default:
			e := a.crawl.settle(item.key)
			if e == nil || e.page == nil {
				// A page that is not there still may have children that are.
				a.mergeItems(parent, item.children)
				continue
			}
			if here = a.placed[e]; here == nil {
				here = a.add(parent, previous, e)
			}
			if here.title == "" {
				here.title = item.title
			}
		}
		a.mergeItems(here, item.children)
		if here.parent == parent {
			previous = here
		}
	}
}

// title returns the title of that name below a parent, a new one after previous when there is none.
func (a *arrangement) title(parent, previous *place, title string) *place {
	for _, child := range parent.children {
		if child.entry == nil && child.title == title {
			return child
		}
	}
	return insert(parent, previous, &place{title: title})
}

func (a *arrangement) add(parent, previous *place, e *entry) *place {
	made := insert(parent, previous, &place{entry: e})
	a.placed[e] = made
	return made
}

// insert puts a place after previous, at the end when previous is nil.
func insert(parent, previous, made *place) *place {
	made.parent = parent
	at := len(parent.children)
	if previous != nil {
		at = indexOf(parent, previous) + 1
	}
	parent.children = append(parent.children[:at:at], append([]*place{made}, parent.children[at:]...)...)
	return made
}

func indexOf(parent, child *place) int {
	// New entries come at the end most of the time.
	for i := len(parent.children) - 1; i >= 0; i-- {
		if parent.children[i] == child {
			return i
		}
	}
	return -1
}

// placeRest puts pages that no navigation shows below the page of the folder that they are in, else at the end.
func (a *arrangement) placeRest() {
	var rest []*entry
	for _, e := range a.crawl.queue {
		if e = a.crawl.settle(e.key); e != nil && e.page != nil && a.placed[e] == nil {
			rest = append(rest, e)
			a.placed[e] = &place{entry: e}
		}
	}
	for _, e := range rest {
		parent := a.root
		if above := a.folderPage(e); above != nil && !a.below(above, a.placed[e]) {
			parent = above
		}
		a.placed[e].parent = parent
		parent.children = append(parent.children, a.placed[e])
	}
}

// below reports whether a place is the other one or lies below it.
func (a *arrangement) below(candidate, other *place) bool {
	for ; candidate != nil; candidate = candidate.parent {
		if candidate == other {
			return true
		}
	}
	return false
}

// folderPage returns the place of the closest page whose address is a folder around an entry, except the start page.
func (a *arrangement) folderPage(e *entry) *place {
	p := strings.TrimSuffix(withoutQuery(e.key), "/")
	for {
		slash := strings.LastIndexByte(p, '/')
		if slash < len(a.crawl.scope.prefix) {
			return nil
		}
		p = p[:slash]
		for _, k := range []string{p + "/", p, p + ".html"} {
			if above := a.crawl.settle(k); above != nil && above != e && above != a.crawl.start &&
				a.placed[above] != nil {
				return a.placed[above]
			}
		}
	}
}

// sourcePages turns places into pages. Titles become groups at the root, pages without text further down.
func (c *crawl) sourcePages(places []*place, pages map[*entry]*source.Page) []*source.Page {
	return c.sourcePagesAt(places, pages, 0)
}

func (c *crawl) sourcePagesAt(places []*place, pages map[*entry]*source.Page, depth int) []*source.Page {
	var out []*source.Page
	for _, p := range places {
		page := c.sourcePage(p, depth)
		page.Children = c.sourcePagesAt(p.children, pages, depth+1)
		if p.entry == nil && len(page.Children) == 0 {
			continue
		}
		if p.entry != nil {
			pages[p.entry] = page
		}
		out = append(out, page)
	}
	return out
}

func (c *crawl) sourcePage(p *place, depth int) *source.Page {
	if p.entry == nil {
		page := &source.Page{Place: c.start.address.String(), Entry: entity.Entry{Type: entity.PageGroup,
			Title: p.title}}
		if depth > 0 {
			page.Entry.Type = entity.PageDocument
		}
		return page
	}
	address := p.entry.address.String()
	content := p.entry.page
	page := &source.Page{Place: address, Base: address, Body: content.kept, Anchors: content.anchors}
	page.Entry = entity.Entry{Type: entity.PageDocument, Title: content.title,
		Description: c.description(content.description)}
	if page.Entry.Title == "" {
		page.Entry.Title = p.title
	}
	if page.Entry.Title == "" {
		page.Entry.Title = strings.ReplaceAll(slugOf(p.entry.key), "-", " ")
	}
	if p.title != "" && p.entry != c.start && withoutNumber(p.title) != withoutNumber(page.Entry.Title) &&
		utf8.RuneCountInString(p.title) <= entity.MaxLinkTitleLength {
		page.Entry.LinkTitle = p.title
	}
	if slug := slugOf(p.entry.key); slug != "" && p.entry != c.start {
		page.Entry.Slug = slug
	}
	return page
}

// chapterNumber matches the number that tools put before the title of a chapter.
var chapterNumber = regexp.MustCompile(
	`^(?:(?:Part|Chapter|Appendix|Section)\s+)?(?:[0-9]+|[IVX]+|[A-Z])(?:[.-][0-9]+)*[.:)]?\s+`)

// withoutNumber returns a title without the number of its chapter: a navigation that only adds or drops it says nothing
// else than the title.
func withoutNumber(title string) string {
	return strings.TrimPrefix(title, chapterNumber.FindString(title))
}

// description returns a page's own description: one that many pages share says nothing about them.
func (c *crawl) description(text string) string {
	if text == "" || utf8.RuneCountInString(text) > entity.MaxDescriptionLength {
		return ""
	}
	if c.descriptions == nil {
		c.descriptions = map[string]int{}
		for _, e := range c.entries {
			if e.page != nil {
				c.descriptions[e.page.description]++
			}
		}
	}
	if c.descriptions[text] > 1 {
		return ""
	}
	return text
}

// resolve says where an address leads.
func (c *crawl) resolve(destination string, pages map[*entry]*source.Page) source.Resolution {
	if file := c.images[destination]; file != nil {
		return source.Resolution{Kind: source.ToFile, File: file}
	}
	if why, failed := c.imageErrors[destination]; failed {
		return source.Resolution{Kind: source.Broken, Reason: why}
	}
	u, err := url.Parse(destination)
	if err != nil || u.Host == "" || !c.scope.contains(u) {
		return source.Resolution{Kind: source.External}
	}
	e := c.settle(key(u))
	if e == nil || e.page == nil && e.file == nil && u.RawQuery != "" {
		if plain := c.settle(withoutQuery(key(u))); plain != nil && plain.page != nil {
			e = plain
		}
	}
	switch {
	case e == nil:
		return source.Resolution{Kind: source.External}
	case e.page != nil && pages[e] != nil:
		return source.Resolution{Kind: source.ToPage, Page: pages[e], Anchor: u.Fragment}
	case e.file != nil:
		return source.Resolution{Kind: source.ToFile, File: e.file}
	case e.external != "":
		return source.Resolution{Kind: source.External, URL: e.external}
	case e.missing:
		return source.Resolution{Kind: source.Broken, Reason: e.problem}
	}
	return source.Resolution{Kind: source.External}
}
