package folder

import (
	"context"
	"iter"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// maxNavDepth is how deep sections of a navigation stand inside each other at most.
const maxNavDepth = 20

// mkdocsLayout returns the layout that mkdocs.yml in the root of a site says, and whether it says one: the folder of
// the pages and, where it is written out, the navigation. A file that is no YAML says nothing.
func mkdocsLayout(site *filetree.Tree, name string) (layout, bool) {
	data, err := site.Read(name, maxConfig)
	if err != nil {
		return layout{}, false
	}
	// Only the nodes are read: values may have tags of Python, which mean nothing here.
	var document yaml.Node
	if yaml.Unmarshal(data, &document) != nil {
		return layout{}, false
	}
	if len(document.Content) != 1 {
		document.Content = []*yaml.Node{{Kind: yaml.MappingNode}} // an empty file: all is as usual
	}
	found := layout{inner: "docs", navPlace: name, rules: generator.Rules{Name: generator.MkDocs}}
	if value := member(document.Content[0], "docs_dir"); value != nil && value.Kind == yaml.ScalarNode {
		found.inner = strings.Trim(path.Clean("/"+value.Value), "/")
	}
	if value := member(document.Content[0], "nav"); value != nil {
		found.nav = navItems(value, 0)
	}
	found.readExtensions(member(document.Content[0], "markdown_extensions"))
	found.readRedirects(member(document.Content[0], "plugins"))
	return found, len(site.Sub(found.inner).Files()) > 0
}

// maxRedirects is how many redirects of a configuration are taken, maxAppended how many files go below every page.
const (
	maxRedirects = 20_000
	maxAppended  = 20
)

// readExtensions reads the names of the extensions of Markdown that a site has, and what it appends to every page.
func (l *layout) readExtensions(list *yaml.Node) {
	for name, options := range named(list) {
		l.extensions = append(l.extensions, name)
		if name != "pymdownx.snippets" || options == nil {
			continue
		}
		for name, files := range map[string]*[]string{"base_path": &l.snippetFolders, "auto_append": &l.appended} {
			value := member(options, name)
			if value == nil {
				continue
			}
			for _, each := range append(value.Content, value) {
				if each.Kind == yaml.ScalarNode && each.Value != "" && len(*files) < maxAppended {
					*files = append(*files, each.Value)
				}
			}
		}
	}
}

// readRedirects reads what the plugin for redirects leads on: files that are gone, and the pages that stand for them.
func (l *layout) readRedirects(plugins *yaml.Node) {
	for name, options := range named(plugins) {
		if name != "redirects" || options == nil {
			continue
		}
		table := member(options, "redirect_maps")
		if table == nil || table.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(table.Content) && len(l.redirects) < maxRedirects; i += 2 {
			from, to := table.Content[i].Value, table.Content[i+1].Value
			if from == "" || to == "" {
				continue
			}
			for _, address := range l.rules.Addresses(generator.Page{File: from}) {
				l.redirects = append(l.redirects, [2]string{"/" + address, to})
			}
		}
	}
}

// named returns what a list or a mapping of YAML names, with the options of each; nil for one without.
func named(list *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		if list == nil {
			return
		}
		if list.Kind == yaml.MappingNode {
			for i := 0; i+1 < len(list.Content); i += 2 {
				if !yield(list.Content[i].Value, mappingOf(list.Content[i+1])) {
					return
				}
			}
			return
		}
		for _, each := range list.Content {
			name, options := each.Value, (*yaml.Node)(nil)
			if each.Kind == yaml.MappingNode && len(each.Content) == 2 {
				name, options = each.Content[0].Value, mappingOf(each.Content[1])
			}
			if !yield(name, options) {
				return
			}
		}
	}
}

// mappingOf returns a node that is a mapping, nil for any other.
func mappingOf(node *yaml.Node) *yaml.Node {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	return node
}

// member returns the value of a mapping's key, nil when there is none.
func member(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// navItems reads the entries of a navigation: "page.md", "Title: page.md" or "Title:" over more of them.
func navItems(list *yaml.Node, depth int) []*item {
	if list.Kind != yaml.SequenceNode || depth > maxNavDepth {
		return nil
	}
	var items []*item
	for _, entry := range list.Content {
		switch {
		case entry.Kind == yaml.ScalarNode && entry.Value != "":
			items = append(items, &item{target: entry.Value, line: entry.Line})
		case entry.Kind == yaml.MappingNode && len(entry.Content) == 2:
			title, value := entry.Content[0].Value, entry.Content[1]
			if value.Kind == yaml.ScalarNode && value.Value != "" {
				items = append(items, &item{title: title, target: value.Value, line: entry.Line})
				continue
			}
			if below := navItems(value, depth+1); len(below) > 0 {
				items = append(items, &item{title: title, group: depth == 0, section: depth > 0, children: below,
					line: entry.Line})
			}
		}
	}
	return items
}

// readNav makes the tree of pages from the navigation of a tool's configuration. Pages that it does not name are there
// all the same, as in that tool: hidden.
func (r *reader) readNav(ctx context.Context) error {
	r.findIDs()
	pages, err := r.summaryPages(ctx, r.layout.nav, 0)
	if err != nil {
		return err
	}
	first, err := r.landing(ctx)
	if err != nil {
		return err
	}
	pages = r.landingFirst(append(first, pages...))
	for _, file := range r.files.Files() {
		if r.pages[file.Path] != nil || !IsPage(file.Path, ".md") && !isOther(file.Path) || r.isPartial(file.Path) {
			continue
		}
		page, err := r.readPage(ctx, file.Path, "")
		if err != nil {
			return err
		}
		if page == nil {
			continue
		}
		setSlug(page, r.nameOf(file.Path))
		page.Entry.Hidden = true
		pages = append(pages, page)
	}
	r.tree.Pages = pages
	return nil
}

// landing returns the page at the root of a site that its navigation does not name: a navigation stands beside it. It
// is the first page here.
func (r *reader) landing(ctx context.Context) ([]*source.Page, error) {
	for _, file := range r.files.Files() {
		if strings.Contains(file.Path, "/") || !r.isIndex(file.Path) || r.isPartial(file.Path) {
			continue
		}
		if r.pages[file.Path] != nil {
			return nil, nil
		}
		page, err := r.readPage(ctx, file.Path, "")
		if err != nil || page == nil {
			return nil, err
		}
		setSlug(page, r.nameOf(file.Path))
		return []*source.Page{page}, nil
	}
	return nil, nil
}

// landingFirst puts the page at the root of a site first where a page that only stands over others would be: the first
// page is at the root here, too.
func (r *reader) landingFirst(pages []*source.Page) []*source.Page {
	var landing *source.Page
	for _, file := range r.files.Files() {
		if landing == nil && !strings.Contains(file.Path, "/") && r.isIndex(file.Path) {
			landing = r.pages[file.Path]
		}
	}
	shown := pages
	for len(shown) > 0 && shown[0].Entry.Type == entity.PageGroup {
		shown = shown[0].Children
	}
	if landing == nil || len(shown) == 0 || shown[0] == landing || shown[0].Base != "" || len(landing.Children) > 0 {
		return pages
	}
	var without func(list []*source.Page) []*source.Page
	without = func(list []*source.Page) []*source.Page {
		list = slices.DeleteFunc(list, func(page *source.Page) bool { return page == landing })
		for _, page := range list {
			page.Children = without(page.Children)
		}
		return list
	}
	return append([]*source.Page{landing}, without(pages)...)
}

// hide takes a page out of navigation.
func hide(page *source.Page) { page.Entry.Hidden = true }
