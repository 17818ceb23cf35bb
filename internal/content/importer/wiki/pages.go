package wiki

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/convert"
	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/content/importer/folder"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// maxPageBytes is the largest file that is read as a page, in bytes.
const maxPageBytes = 16 << 20

// otherMarkup are extensions of pages in markup that is not read.
var otherMarkup = map[string]string{
	".rst": "reStructuredText", ".asciidoc": "AsciiDoc", ".adoc": "AsciiDoc", ".textile": "Textile",
	".mediawiki": "MediaWiki", ".wiki": "MediaWiki",
	".org": "Org", ".creole": "Creole", ".pod": "Pod", ".rdoc": "RDoc",
}

// wiki is what is known of a wiki while it is read.
type wiki struct {
	files  *filetree.Tree
	tree   *source.Tree
	host   string // of the pages' own addresses
	prefix string // path of the pages' own addresses, with a final slash
	pages  map[string]*source.Page
	assets map[string]*source.File
	oids   map[string]string // of the files that were read, by path
}

// readPages reads what was fetched. A repository that is no wiki is a folder of Markdown like any other.
func readPages(ctx context.Context, files *filetree.Tree, repository string,
	texts *source.Texts) (*source.Tree, error) {
	if !isWiki(files) {
		tree, err := folder.Read(ctx, files, folder.Options{Name: nameOfRepository(repository),
			Convert: convert.HTML}, texts)
		if err == nil {
			tree.Close = files.Close
		}
		return tree, err
	}
	w := &wiki{files: files, tree: &source.Tree{Close: files.Close, Texts: texts}, pages: map[string]*source.Page{},
		assets: map[string]*source.File{}, oids: map[string]string{}}
	w.tree.Resolve = w.resolve
	if u, err := url.Parse(repository); err == nil {
		w.host, w.prefix = u.Host, strings.TrimSuffix(u.Path, ".wiki.git")+"/wiki/"
	}
	var names []string
	for _, file := range files.Files() {
		base := path.Base(file.Path)
		if kind := otherMarkup[strings.ToLower(path.Ext(base))]; kind != "" {
			w.tree.Report.Skipped.Addf(file.Path, "the page is in %s; only Markdown is read", kind)
			continue
		}
		if !folder.IsPage(base, ".md") {
			continue
		}
		if isFurniture(base) {
			if strings.ToLower(stem(base)) != "_sidebar" {
				w.tree.Report.Skipped.Addf(file.Path, "it is shown around every page of the wiki, and is no page")
			}
			continue
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read wiki: %w", context.Cause(ctx))
		}
		key := keyOf(base)
		if w.pages[key] != nil {
			w.tree.Report.Skipped.Addf(file.Path, "another page has the same name: %s", w.pages[key].Place)
			continue
		}
		page, err := w.page(file.Path)
		if err != nil {
			return nil, err
		}
		w.pages[key] = page
		names = append(names, key)
	}
	if len(names) == 0 {
		return nil, errs.New(errs.Invalid, "there is no Markdown page in the wiki")
	}
	if err := w.arrange(names); err != nil {
		return nil, err
	}
	return w.tree, w.takeAssets()
}

// isWiki reports whether a repository is a wiki: its pages lie in the root, Home among them.
func isWiki(files *filetree.Tree) bool {
	for _, file := range files.Files() {
		switch strings.ToLower(file.Path) {
		case "home.md", "home.markdown", "_sidebar.md":
			return true
		}
	}
	return false
}

func nameOfRepository(repository string) string {
	return strings.TrimSuffix(path.Base(repository), ".git")
}

// isFurniture reports whether a file is shown around every page.
func isFurniture(base string) bool {
	switch strings.ToLower(stem(base)) {
	case "_sidebar", "_footer", "_header":
		return true
	}
	return false
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// keyOf is what links find a page by: its name in lower case with "-" for spaces.
func keyOf(name string) string {
	if folder.IsPage(name, ".md") {
		name = stem(name)
	}
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(name, "-", " ")), "-"))
}

// text reads a file as text.
func (w *wiki) text(name string) (string, error) {
	data, err := w.files.Read(name, maxPageBytes)
	if err != nil {
		return "", err
	}
	w.oids[name] = git.OID(data)
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return "", errs.New(errs.Invalid, "%s is not text in UTF-8; save the file as UTF-8", name)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n"), nil
}

// page reads a page. Its title is its name, which the text does not have to say again.
func (w *wiki) page(name string) (*source.Page, error) {
	text, err := w.text(name)
	if err != nil {
		return nil, err
	}
	page := &source.Page{Place: name, Base: name, OID: w.oids[name]}
	page.Entry.Type = entity.PageDocument
	page.Entry.Title = strings.TrimSpace(strings.ReplaceAll(stem(path.Base(name)), "-", " "))
	text, first := strings.TrimLeft(text, "\n"), 0
	if heading, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(heading, "# ") &&
		keyOf(strings.TrimSpace(heading[2:])) == keyOf(page.Entry.Title) {
		text, first = strings.TrimLeft(rest, "\n"), 1
		page.Entry.Title = strings.TrimSpace(heading[2:])
	}
	if first == 0 {
		page.FirstLine = 1
	}
	page.Body = w.tree.Texts.Keep([]byte(w.rewrite(name, text)))
	return page, nil
}

var wikiLink = regexp.MustCompile(`\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]*))?\]\]`)

// rewrite turns the wiki's own links into Markdown's, outside code.
func (w *wiki) rewrite(place, text string) string {
	if !strings.Contains(text, "[[") {
		return text
	}
	lines := strings.Split(text, "\n")
	fence := ""
	for i, line := range lines {
		content := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(content, fence) {
				fence = ""
			}
			continue
		case strings.HasPrefix(content, "```"), strings.HasPrefix(content, "~~~"):
			fence = content[:3]
			continue
		case strings.EqualFold(content, "[[_TOC_]]"):
			w.tree.Report.NotUnderstood.Addf(place, "left out: table of contents")
			lines[i] = ""
			continue
		}
		parts := strings.Split(line, "`")
		for at := 0; at < len(parts); at += 2 {
			parts[at] = wikiLink.ReplaceAllStringFunc(parts[at], func(link string) string {
				found := wikiLink.FindStringSubmatch(link)
				return markdownLink(found[1], found[2])
			})
		}
		lines[i] = strings.Join(parts, "`")
	}
	return strings.Join(lines, "\n")
}

// markdownLink writes a link of a wiki: [[Page]], [[text|Page]], [[image.png|alt=text]].
func markdownLink(first, second string) string {
	first, second = strings.TrimSpace(first), strings.TrimSpace(second)
	if folder.IsImage(first) {
		alt := ""
		for option := range strings.SplitSeq(second, "|") {
			if text, ok := strings.CutPrefix(strings.TrimSpace(option), "alt="); ok {
				alt = text
			}
		}
		return "![" + alt + "](" + escapeDestination(first) + ")"
	}
	text, target := first, first
	if second != "" {
		target = second
	}
	if strings.Contains(target, "://") {
		return "[" + text + "](" + target + ")"
	}
	name, anchor, hasAnchor := strings.Cut(target, "#")
	destination := escapeDestination(strings.ReplaceAll(name, " ", "-"))
	if hasAnchor {
		destination += "#" + anchor
	}
	return "[" + text + "](" + destination + ")"
}

func escapeDestination(name string) string {
	return strings.NewReplacer("(", "%28", ")", "%29").Replace((&url.URL{Path: name}).EscapedPath())
}

// resolve says where a destination leads that is written in the file base.
func (w *wiki) resolve(base, destination string) source.Resolution {
	u, err := url.Parse(destination)
	if err != nil {
		return source.Resolution{Kind: source.External}
	}
	name := u.Path
	switch {
	case u.Scheme != "" || u.Host != "":
		rest, own := strings.CutPrefix(u.Path, w.prefix)
		raw, isRaw := strings.CutPrefix(u.Path, "/wiki"+strings.TrimSuffix(w.prefix, "wiki/"))
		switch {
		case u.Host == w.host && own:
			name = "/" + rest
		case u.Host == "raw.githubusercontent.com" && isRaw:
			name = "/" + raw
		default:
			return source.Resolution{Kind: source.External}
		}
	case name == "":
		return source.Resolution{Kind: source.External}
	case strings.HasPrefix(name, w.prefix):
		name = "/" + strings.TrimPrefix(name, w.prefix)
	}
	for _, target := range []string{path.Join("/", path.Dir(base), name), path.Clean("/" + name)} {
		if file := strings.TrimPrefix(target, "/"); !folder.IsPage(file, ".md") {
			if found := w.asset(file); found != nil {
				return source.Resolution{Kind: source.ToFile, File: found}
			}
		}
	}
	last := path.Base(name)
	if last == "/" || last == "." || last == "wiki" {
		last = "Home"
	}
	if page := w.pages[keyOf(last)]; page != nil {
		return source.Resolution{Kind: source.ToPage, Page: page, Anchor: u.Fragment}
	}
	return source.Resolution{Kind: source.Broken, Reason: "the wiki has no such page or file"}
}

// asset takes a file along, nil when there is none.
func (w *wiki) asset(name string) *source.File {
	if known := w.assets[name]; known != nil {
		return known
	}
	size, ok := w.files.Size(name)
	if !ok {
		return nil
	}
	made := &source.File{
		Place: name, Name: path.Base(name), Path: name, Size: size,
		Open: func() (io.ReadCloser, error) { return w.files.Open(name) },
	}
	w.assets[name] = made
	w.tree.Files = append(w.tree.Files, made)
	return made
}

// takeAssets takes the files that pages name, and reports the others.
func (w *wiki) takeAssets() error {
	var failure error
	w.tree.Walk(func(page, _ *source.Page) {
		text, err := page.Body.Bytes()
		if err != nil {
			failure = err
		}
		for _, use := range links.All(text) {
			w.resolve(page.Base, use.Destination)
		}
	})
	if failure != nil {
		return failure
	}
	for _, file := range w.files.Files() {
		base := path.Base(file.Path)
		if w.assets[file.Path] == nil && !folder.IsPage(base, ".md") &&
			otherMarkup[strings.ToLower(path.Ext(base))] == "" {
			w.tree.Report.Skipped.Addf(file.Path, "no page names this file")
		}
	}
	return nil
}

var (
	sidebarItem    = regexp.MustCompile(`^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$`)
	sidebarHeading = regexp.MustCompile(`^(?:#{1,6}[ \t]+(.+?)[ \t#]*|\*\*([^*]+)\*\*:?)$`)
)

// arrange makes the tree: Home, then the pages of the sidebar with its headings as groups and its lists as levels, then
// those that it does not name.
func (w *wiki) arrange(names []string) error {
	listed := map[string]bool{}
	if home := w.pages["home"]; home != nil {
		w.tree.Pages = append(w.tree.Pages, home)
		listed["home"] = true
	}
	for _, file := range w.files.Files() {
		if strings.ToLower(stem(file.Path)) != "_sidebar" || !folder.IsPage(file.Path, ".md") {
			continue
		}
		text, err := w.text(file.Path)
		if err != nil {
			return err
		}
		w.sidebar(file.Path, w.rewrite(file.Path, text), listed)
	}
	slices.Sort(names)
	for _, name := range names {
		if !listed[name] {
			w.tree.Pages = append(w.tree.Pages, w.pages[name])
		}
	}
	w.tree.Pages = slices.DeleteFunc(w.tree.Pages, func(page *source.Page) bool {
		return page.Entry.Type == entity.PageGroup && len(page.Children) == 0
	})
	return nil
}

// sidebar reads the sidebar's text.
func (w *wiki) sidebar(place, text string, listed map[string]bool) {
	type level struct {
		indent int
		page   *source.Page
	}
	var group *source.Page
	var open []level
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n")
		if heading := sidebarHeading.FindStringSubmatch(strings.TrimSpace(line)); heading != nil &&
			!strings.Contains(line, "](") {
			group = &source.Page{Place: place}
			group.Entry.Type, group.Entry.Title = entity.PageGroup, strings.TrimSpace(heading[1]+heading[2])
			w.tree.Pages = append(w.tree.Pages, group)
			open = nil
			continue
		}
		indent := 0
		if item := sidebarItem.FindStringSubmatch(line); item != nil {
			indent = len(strings.ReplaceAll(item[1], "\t", "    "))
		} else if strings.TrimSpace(line) == "" {
			continue
		}
		for _, use := range links.All([]byte(line)) {
			found := w.resolve(place, use.Destination)
			if found.Kind != source.ToPage || listed[keyOf(path.Base(found.Page.Base))] {
				continue
			}
			listed[keyOf(path.Base(found.Page.Base))] = true
			for len(open) > 0 && open[len(open)-1].indent >= indent {
				open = open[:len(open)-1]
			}
			switch {
			case len(open) > 0:
				parent := open[len(open)-1].page
				parent.Children = append(parent.Children, found.Page)
			case group != nil:
				group.Children = append(group.Children, found.Page)
			default:
				w.tree.Pages = append(w.tree.Pages, found.Page)
			}
			open = append(open, level{indent, found.Page})
			break
		}
	}
}
