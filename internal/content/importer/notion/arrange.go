package notion

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// read reads all pages and makes the tree of them.
func (e *export) read() error {
	var names []string
	for _, file := range e.files.Files() {
		if isPage(file.Path) {
			e.folders[path.Dir(file.Path)] = append(e.folders[path.Dir(file.Path)], file.Path)
		}
		if e.isOwnPage(file.Path) {
			names = append(names, file.Path)
			page := &source.Page{Place: file.Path, Base: file.Path}
			page.Entry.Type = entity.PageDocument
			title, id := cutID(strings.TrimSuffix(stem(file.Path), "_all"))
			page.Entry.Title = strings.TrimSpace(path.Base(title))
			e.pages[file.Path] = page
			if id != "" {
				e.byID[id] = page
			}
		}
	}
	if len(names) == 0 {
		return errs.New(errs.Invalid, "there is no page in the export: no Markdown, HTML or CSV file")
	}
	parents := e.parents(names)
	for _, name := range names {
		if err := e.check(); err != nil {
			return err
		}
		if err := e.fill(name, e.isDatabase(parents[name])); err != nil {
			return err
		}
	}
	if err := e.arrange(names, parents); err != nil {
		return err
	}
	return e.takeAssets()
}

// isOwnPage reports whether a file becomes a page by itself: the index does not, nor the shorter version of a database,
// nor a database that is there as HTML too.
func (e *export) isOwnPage(name string) bool {
	if !isPage(name) || path.Base(name) == "index.html" && path.Dir(name) == "." {
		return false
	}
	if !strings.EqualFold(path.Ext(name), ".csv") {
		return true
	}
	plain := strings.TrimSuffix(stem(name), "_all")
	if e.files.Has(plain+".html") || e.files.Has(plain+".md") {
		return false
	}
	return strings.HasSuffix(stem(name), "_all") || !e.files.Has(stem(name)+"_all.csv")
}

// isDatabase reports whether the pages below a page are the rows of a database.
func (e *export) isDatabase(name string) bool {
	plain := strings.TrimSuffix(stem(name), "_all")
	return name != "" && (strings.EqualFold(path.Ext(name), ".csv") || e.files.Has(plain+".csv"))
}

// parents returns the file of each page's parent: the page whose folder it lies in. Folders without a page are taken
// as groups, under their own path.
func (e *export) parents(names []string) map[string]string {
	owners := map[string]string{} // of folders
	for _, name := range names {
		full := strings.TrimSuffix(stem(name), "_all")
		bare, _ := cutID(full)
		owners[full] = name
		if owners[bare] == "" {
			owners[bare] = name
		}
	}
	parents := map[string]string{}
	for _, name := range names {
		e.findParent(name, owners, parents)
	}
	return parents
}

// findParent notes the parent of a file or of a folder that is a page.
func (e *export) findParent(name string, owners, parents map[string]string) {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if owner := owners[folder]; owner != "" && owner != name {
			parents[name] = owner
			return
		}
		title, _ := cutID(path.Base(folder))
		if title == "" || strings.HasPrefix(title, "Export-") {
			continue // what the export wraps around everything
		}
		page := &source.Page{Place: folder, Base: folder}
		page.Entry.Title = title
		e.pages[folder], owners[folder] = page, folder
		e.groups = append(e.groups, folder)
		e.findParent(folder, owners, parents)
		page.Entry.Type = entity.PageDocument
		if parents[folder] == "" {
			page.Entry.Type = entity.PageGroup // groups stand in the root only
		}
		parents[name] = folder
		return
	}
}

// arrange hangs pages below their parents, in the order in which the parent links to them, then by title.
func (e *export) arrange(names []string, parents map[string]string) error {
	names = append(names, e.groups...)
	rank := map[*source.Page]int{}
	for _, name := range names {
		page := e.pages[name]
		text, err := page.Body.Bytes()
		if err != nil {
			return err
		}
		for at, use := range links.All(text) {
			if found := e.resolve(page.Base, use.Destination); found.Kind == source.ToPage &&
				e.pages[parents[found.Page.Base]] == page && rank[found.Page] == 0 {
				rank[found.Page] = at + 1
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		p, q := e.pages[a], e.pages[b]
		return cmp.Or(cmp.Compare(position(rank[p]), position(rank[q])), cmp.Compare(p.Entry.Title, q.Entry.Title),
			cmp.Compare(a, b))
	})
	for _, name := range names {
		page := e.pages[name]
		if parent := e.pages[parents[name]]; parent != nil && parents[name] != name {
			parent.Children = append(parent.Children, page)
			continue
		}
		e.tree.Pages = append(e.tree.Pages, page)
	}
	return nil
}

// position puts pages that nobody links to behind those that somebody does.
func position(rank int) int {
	if rank == 0 {
		return 1 << 30
	}
	return rank
}
