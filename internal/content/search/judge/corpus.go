package judge

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Page is a page of the texts, the same for every engine.
type Page struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Summary  string    `json:"summary,omitempty"`
	Sections []Section `json:"sections"`
}

// Section is what stands below one heading; the first has none.
type Section struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Markdown reads the pages of a tree of Markdown. The first heading of a file is its title.
func Markdown(tree fs.FS) ([]Page, error) {
	var pages []Page
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" || path.Base(name) == "SUMMARY.md" {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		document, err := markdown.Parse(content)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		made := Page{ID: strings.TrimSuffix(name, ".md")}
		for _, each := range render.Sections(document) {
			if made.Title == "" && each.Title != "" {
				made.Title, each.Title = each.Title, ""
			}
			made.Sections = append(made.Sections, Section{each.Title, each.Text})
		}
		pages = append(pages, made)
		return nil
	})
	return pages, err
}

// AsMarkdown is the body of a page, for an engine that reads Markdown.
func (p Page) AsMarkdown() []byte {
	var out bytes.Buffer
	for _, section := range p.Sections {
		if section.Title != "" {
			out.WriteString("## " + escape(section.Title) + "\n\n")
		}
		for line := range strings.Lines(section.Text) {
			out.WriteString(escape(strings.TrimSpace(line)) + "\n\n")
		}
	}
	return out.Bytes()
}

var signs = regexp.MustCompile("[\\\\`*_{}\\[\\]<>()#+.!|~$&:^@-]")

func escape(text string) string { return signs.ReplaceAllString(text, `\$0`) }

// Installed are the texts that scripts/search-texts installs, by corpus: the folder, and how its pages are read.
var Installed = map[string]func() ([]Page, error){
	"git":       func() ([]Page, error) { return folder("/usr/share/doc/git/html", whole) },
	"postgres":  func() ([]Page, error) { return folder("/usr/share/doc/postgresql-doc-15/html", whole) },
	"languages": func() ([]Page, error) { return folder("/usr/share/debian-reference", chapters) },
	"sqlite": func() ([]Page, error) {
		return folder("/usr/share/doc/sqlite3", titled, ".", "c3ref")
	},
	"python": func() ([]Page, error) {
		return folder("/usr/share/doc/python3.11/html", titled, "tutorial", "library", "reference", "howto", "faq",
			"using")
	},
	"django": func() ([]Page, error) {
		return folder("/usr/share/doc/python-django-doc/html", titled, djangoFolders...)
	},
	"apache": func() ([]Page, error) {
		return folder("/usr/share/doc/apache2-doc/manual/en", titled, ".", "developer", "faq", "howto", "misc", "mod",
			"platform", "programs", "rewrite", "ssl", "vhosts")
	},
	"node": func() ([]Page, error) {
		dir, err := cached("nodejs-doc", "usr", "share", "doc", "nodejs", "api")
		if err != nil {
			return nil, err
		}
		pages, err := folder(dir, titled)
		// One page repeats all others.
		return slices.DeleteFunc(pages, func(p Page) bool { return p.ID == "all" }), err
	},
	"pytest": func() ([]Page, error) {
		return folder("/usr/share/doc/python-pytest-doc/html", titled, ".", "example", "explanation", "how-to",
			"proposals", "reference")
	},
	"cmake": func() ([]Page, error) {
		dir, err := cached("cmake-doc", "usr", "share", "doc", "cmake-data", "html")
		if err != nil {
			return nil, err
		}
		return folder(dir, titled, "command", "cpack_gen", "envvar", "generator", "guide/ide-integration",
			"guide/importing-exporting", "guide/tutorial", "guide/user-interaction", "guide/using-dependencies",
			"manual", "module", "policy", "prop_cache", "prop_dir", "prop_gbl", "prop_inst", "prop_sf", "prop_test",
			"prop_tgt", "variable")
	},
	"sphinx": func() ([]Page, error) {
		dir, err := cached("sphinx-doc", "usr", "share", "doc", "sphinx-doc", "html")
		if err != nil {
			return nil, err
		}
		pages, err := folder(dir, titled, ".", "development", "development/tutorials", "extdev", "internals", "man",
			"tutorial", "usage", "usage/advanced", "usage/advanced/websupport", "usage/builders", "usage/extensions",
			"usage/restructuredtext")
		// The index repeats the headings of all others.
		return slices.DeleteFunc(pages, func(p Page) bool { return p.ID == "genindex" }), err
	},
	"fastify": func() ([]Page, error) {
		dir, err := cached("node_modules", "fastify", "docs")
		if err != nil {
			return nil, err
		}
		pages, err := Markdown(os.DirFS(dir))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not there: run scripts/search-texts", dir)
		}
		for i := range pages {
			pages[i].dropBanner("Fastify")
		}
		return pages, err
	},
}

// cached is the path of a folder of what scripts/search-texts keeps in the user's cache.
func cached(names ...string) (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(append([]string{cache, "recto", "search-texts"}, names...)...), err
}

// dropBanner takes the first heading for the title when what stands above it is the name of the product, as on each
// page.
func (p *Page) dropBanner(name string) {
	if p.Title != name {
		return
	}
	if at := slices.IndexFunc(p.Sections, func(s Section) bool { return s.Title != "" }); at >= 0 {
		p.Title, p.Sections[at].Title = p.Sections[at].Title, ""
	}
}

// djangoFolders are those of its manual, without what each of hundreds of releases has changed.
var djangoFolders = []string{"faq", "howto", "howto/deployment", "howto/deployment/asgi", "howto/deployment/wsgi",
	"howto/static-files", "internals", "internals/contributing", "internals/contributing/writing-code", "intro", "misc",
	"ref", "ref/class-based-views", "ref/contrib", "ref/contrib/admin", "ref/contrib/gis", "ref/contrib/gis/install",
	"ref/contrib/postgres", "ref/files", "ref/forms", "ref/models", "ref/templates", "topics", "topics/auth",
	"topics/class-based-views", "topics/db", "topics/db/examples", "topics/forms", "topics/http", "topics/i18n",
	"topics/testing"}

// folder reads the files of a folder, or of some folders below it. A page is named by its file.
func folder(dir string, read func(name string, root *html.Node) []Page, below ...string) ([]Page, error) {
	if len(below) == 0 {
		below = []string{"."}
	}
	var names []string
	for _, each := range below {
		here, err := filepath.Glob(filepath.Join(dir, each, "*.html"))
		if err != nil {
			return nil, err
		}
		if len(here) == 0 {
			return nil, fmt.Errorf("%s is not there: run scripts/search-texts", filepath.Join(dir, each))
		}
		names = append(names, here...)
	}
	var pages []Page
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		root, err := html.Parse(bytes.NewReader(content))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		short, err := filepath.Rel(dir, name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, read(strings.TrimSuffix(filepath.ToSlash(short), ".html"), root)...)
	}
	return pages, nil
}

// whole reads a file as one page.
func whole(name string, root *html.Node) []Page {
	sections := cut(root)
	made := Page{ID: name}
	for _, each := range sections {
		if made.Title == "" && each.Title != "" {
			made.Title, each.Title = each.Title, ""
		}
		made.Sections = append(made.Sections, Section{each.Title, each.Text})
	}
	return []Page{made}
}

// titled reads a file as one page that has the title of the file, without what is said of the whole manual behind it.
func titled(name string, root *html.Node) []Page {
	var title *html.Node
	for n := range root.Descendants() {
		if n.DataAtom == atom.Title {
			title = n
			break
		}
	}
	if title == nil {
		return whole(name, root)
	}
	said := ofManual.ReplaceAllString(textOf(title), "")
	made := Page{ID: name, Title: strings.Join(strings.Fields(said), " ")}
	for _, each := range cut(root) {
		if each.Title == made.Title {
			each.Title = ""
		}
		made.Sections = append(made.Sections, Section{each.Title, each.Text})
	}
	return []Page{made}
}

// ofManual is what the title of a page says of the manual, in the language of the page.
var ofManual = regexp.MustCompile(` — (Python|Django|CMake) \d.*$| — (pytest|Sphinx) documentation$` +
	`| \| Node\.js v.*$| - (Apache HTTP Server|Servidor HTTP Apache) .*$`)

// numbered is the title of a section of a chapter: its number and what it is called.
var numbered = regexp.MustCompile(`^(\d+\.\d+)\. (.+)$`)

// chapters reads each numbered section of a chapter as a page, which is named by its language and number.
func chapters(name string, root *html.Node) []Page {
	chapter, language, _ := strings.Cut(name, ".")
	if !strings.HasPrefix(chapter, "ch") {
		return nil
	}
	var pages []Page
	for _, each := range cut(root) {
		if title := numbered.FindStringSubmatch(each.Title); title != nil && each.level == 2 {
			pages = append(pages, Page{ID: language + "/" + title[1], Title: title[2],
				Sections: []Section{{Text: each.Text}}})
			continue
		}
		if last := len(pages) - 1; last >= 0 {
			_, title, _ := strings.Cut(each.Title, " ")
			pages[last].Sections = append(pages[last].Sections, Section{title, each.Text})
		}
	}
	return pages
}

// around are the classes and ids of what leads from page to page.
var around = []string{"navheader", "navfooter", "toc", "footer", "nosearch", "fancy_toc", "mobile-nav", "related",
	"sphinxsidebar", "headerlink", "hd", "ft", "sidebar", "page-header", "path", "toplang", "bottomlang", "quickview",
	"gtoc", "column2"}

type levelled struct {
	Section
	level int
}

// cut cuts a document at its headings, without what leads from page to page.
func cut(root *html.Node) []levelled {
	parts := []*strings.Builder{{}}
	sections := []levelled{{}}
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			parts[len(parts)-1].WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode {
			class := attribute(n, "class")
			switch n.DataAtom {
			case atom.Script, atom.Style, atom.Head, atom.Header, atom.Svg:
				return
			case atom.H1, atom.H2, atom.H3, atom.H4:
				title := strings.Join(strings.Fields(strings.ReplaceAll(textOf(n), "\u00a0", " ")), " ")
				if title != "" {
					parts = append(parts, &strings.Builder{})
					sections = append(sections, levelled{Section{Title: title}, int(n.Data[1] - '0')})
				}
				return
			}
			if slices.Contains(around, class) || slices.Contains(around, attribute(n, "id")) {
				return
			}
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
		switch n.DataAtom {
		case atom.P, atom.Div, atom.Li, atom.Tr, atom.Pre, atom.Dt, atom.Dd, atom.Br:
			parts[len(parts)-1].WriteString("\n")
		case atom.Td, atom.Th:
			parts[len(parts)-1].WriteString(" ")
		}
	}
	walk(root)
	kept := sections[:0]
	for i, each := range sections {
		var lines []string
		for line := range strings.Lines(parts[i].String()) {
			if words := strings.Fields(line); len(words) > 0 {
				lines = append(lines, strings.Join(words, " "))
			}
		}
		each.Text = strings.Join(lines, "\n")
		if each.Title != "" || each.Text != "" {
			kept = append(kept, each)
		}
	}
	return kept
}

func attribute(n *html.Node, key string) string {
	for _, each := range n.Attr {
		if each.Key == key {
			return each.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var text strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		text.WriteString(textOf(child))
	}
	return text.String()
}
