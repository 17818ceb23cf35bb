package folder

import (
	"path"
	"time"

	"github.com/rectodocs/recto/internal/content/importer/folder/menu"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// What the files "_meta" of one site may cost together, since each may be a program.
const (
	maxMenus    = 1000
	maxMenuTime = 20 * time.Second
)

// menus counts what reading them has cost.
type menus struct {
	read int
	took time.Duration
}

// arrange gives the pages of a folder the titles and places that the site says beside them, and adds what leads
// elsewhere. own is the page of the folder itself, where it stands among them.
func (r *reader) arrange(dir string, siblings []sibling, own []*source.Page) []sibling {
	switch r.layout.generator {
	case generator.Nextra:
		return r.arrangeNextra(dir, siblings, own)
	case generator.Hugo:
		for i, each := range siblings {
			said, ok := menu.Front(each.page.Entry.Extra)
			if !ok {
				said = r.layout.menus[path.Join(dir, each.name)]
			}
			if each.weight == noWeight && said.Weight != 0 {
				siblings[i].weight = said.Weight
			}
			r.call(path.Join(dir, each.name), each.page, said.Title)
		}
	}
	return siblings
}

func (r *reader) arrangeNextra(dir string, siblings []sibling, own []*source.Page) []sibling {
	file := menu.NextraFile(r.files, dir)
	if file == "" {
		return siblings
	}
	if r.menus.read++; r.menus.read > maxMenus || r.menus.took > maxMenuTime {
		r.tree.Report.NotUnderstood.Addf(r.place(file), "the order in it is left out: files like it take too long")
		return siblings
	}
	start := time.Now()
	said, err := menu.Nextra(r.files, file)
	r.menus.took += time.Since(start)
	if err != nil {
		r.tree.Report.NotUnderstood.Addf(r.place(file), "it cannot be read, so names give the order of the pages: %s",
			shortened(err))
		return siblings
	}
	for _, each := range said.Ignored {
		r.tree.Report.NotUnderstood.Addf(r.place(file), "the %s is left out", each)
	}
	listed := map[string]bool{}
	for _, page := range own {
		r.call(dir, page, said.Entries["index"].Title)
	}
	for i, each := range siblings {
		listed[each.name] = true
		entry, ok := said.Entries[each.name]
		if !ok {
			siblings[i].weight = noWeight
			continue
		}
		siblings[i].weight = entry.Weight
		if entry.Unlisted {
			hide(each.page)
		}
		r.call(path.Join(dir, each.name), each.page, entry.Title)
	}
	for name, entry := range said.Entries {
		if entry.Link == "" || listed[name] || entry.Unlisted {
			continue
		}
		link := &source.Page{Place: r.place(file), Base: file, Target: entry.Link,
			Entry: entity.Entry{Type: entity.PageLink, Title: entry.Title}}
		if link.Entry.Title == "" {
			link.Entry.Title = humanize(name)
		}
		siblings = append(siblings, sibling{name, entry.Weight, link})
	}
	return siblings
}

// call gives a page the title that navigation has for it: to a folder without a page of its own as its only one.
func (r *reader) call(at string, page *source.Page, title string) {
	switch {
	case title == "" || title == page.Entry.Title:
	case r.groups[at] == page:
		page.Entry.Title = title
	case page.Entry.LinkTitle == "":
		page.Entry.LinkTitle = title
	}
}
