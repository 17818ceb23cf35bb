package folder

import (
	"maps"
	"path"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

// addresses returns where a page was published before. A tree of the dialect says in its own configuration where its
// pages are.
func (r *reader) addresses(file string, page *source.Page) []string {
	if r.layout.config != nil && r.layout.generator == generator.GitBook {
		return nil
	}
	if r.layout.book {
		file = strings.TrimPrefix(file, strings.TrimPrefix(path.Dir(r.layout.summary)+"/", "./"))
	}
	front := page.Entry.Extra
	if slug := page.Entry.Slug; slug != "" && front["slug"] == nil {
		// A page takes a slug over from its front matter.
		front = map[string]any{"slug": slug}
		maps.Copy(front, page.Entry.Extra)
	}
	return r.layout.rules.Addresses(generator.Page{File: file, Title: page.Entry.Title, FrontMatter: front})
}

// atAddress returns the page at an address of the generator's site, as a browser goes there from the page of a file;
// nil for none. It is asked when all pages are known.
func (r *reader) atAddress(base, written string) *source.Page {
	if r.dialect || r.layout.summary != "" {
		return nil
	}
	if r.byAddress == nil {
		r.byAddress = map[string]*source.Page{}
		r.tree.Walk(func(page, _ *source.Page) {
			for _, address := range page.Addresses {
				if _, taken := r.byAddress[address]; !taken {
					r.byAddress[address] = page
				}
			}
		})
	}
	from := "/"
	if page := r.pages[base]; page != nil && len(page.Addresses) > 0 {
		from = "/" + page.Addresses[0]
	}
	if !r.layout.rules.Slash() {
		from = path.Dir(from)
	}
	if strings.HasPrefix(written, "/") {
		from = "/"
	}
	address := strings.Trim(path.Join(from, written), "/")
	for _, spelled := range []string{address, strings.ToLower(address), strings.TrimSuffix(address, ".html")} {
		if page := r.byAddress[spelled]; page != nil {
			return page
		}
	}
	return nil
}

// addRedirects adds what the configuration of a generator redirects.
func (r *reader) addRedirects() {
	for _, each := range r.layout.redirects {
		r.tree.Redirects = append(r.tree.Redirects, source.Redirect{Place: r.layout.navPlace, Base: "index.md",
			From: each[0], Destination: each[1]})
	}
}

// isPartial reports whether a file is a fragment that pages include, and no page.
func (r *reader) isPartial(file string) bool {
	switch r.layout.generator {
	case generator.GitBook, generator.MdBook, generator.Sphinx:
		return false
	case generator.Mintlify:
		if strings.HasPrefix(file, "snippets/") {
			return true
		}
	case generator.Hugo, generator.MkDocs:
		return false
	}
	for segment := range strings.SplitSeq(file, "/") {
		if !strings.HasPrefix(segment, "_") || strings.HasPrefix(segment, "_index.") {
			continue
		}
		if r.layout.generator == generator.Jekyll && !jekyllOwn[segment] && strings.HasPrefix(file, segment+"/") {
			continue // a collection
		}
		return true
	}
	return false
}

// jekyllOwn are the folders of Jekyll that hold no pages.
var jekyllOwn = map[string]bool{"_includes": true, "_layouts": true, "_sass": true, "_data": true, "_site": true,
	"_plugins": true, "_drafts": true}

var documentID = regexp.MustCompile(`(?m)^id:[ \t]*["']?([\w./-]+)["']?[ \t]*$`)

// findIDs notes the ids that Docusaurus gives to files, when the navigation names any.
func (r *reader) findIDs() {
	if !namesIDs(r.layout.nav) {
		return
	}
	r.ids = map[string]string{}
	rules := r.layout.rules
	for _, file := range r.files.Files() {
		if !IsPage(file.Path, ".md") {
			continue
		}
		plain := strings.TrimSuffix(file.Path, path.Ext(file.Path))
		if data, err := r.files.Read(file.Path, maxPageBytes); err == nil && strings.HasPrefix(string(data), "---") {
			head, _, _ := strings.Cut(string(data[3:]), "\n---")
			if found := documentID.FindStringSubmatch(head); found != nil {
				plain = path.Join(path.Dir(plain), found[1])
			}
		}
		r.ids[plain] = file.Path
		if without := rules.WithoutNumbers(plain); without != plain {
			if _, taken := r.ids[without]; !taken {
				r.ids[without] = file.Path
			}
		}
	}
}

func namesIDs(items []*item) bool {
	for _, each := range items {
		if each.byID || namesIDs(each.children) {
			return true
		}
	}
	return false
}
