package folder

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/folder/asciidoc"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/source"
)

// isOther reports whether a file is a page in other markup than Markdown and HTML.
func isOther(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".rst", ".adoc", ".asciidoc":
		return true
	}
	return false
}

// isAsciiDoc reports whether a file is a page in AsciiDoc.
func isAsciiDoc(file string) bool {
	extension := strings.ToLower(path.Ext(file))
	return extension == ".adoc" || extension == ".asciidoc"
}

// asciiDoc returns a page of AsciiDoc with the files that it includes, and reports what is not there.
func (r *reader) asciiDoc(file, text string) string {
	in := inclusion{reader: r, file: file}
	made, missing := asciidoc.Includes(file, text, func(file string, around []string) (string, string, bool) {
		text, _, ok := in.readHere(file, around)
		return text, file, ok
	})
	for _, mark := range missing {
		r.tree.Report.NotUnderstood.Addf(r.place(file),
			"%s: what it names is not part of the import; it is left out", strings.TrimSpace(mark))
	}
	return made
}

// readOther reads a page that a program makes HTML of.
func (r *reader) readOther(ctx context.Context, file string) (*source.Page, error) {
	text, err := r.text(file)
	if err != nil {
		return nil, err
	}
	if r.options.Convert == nil {
		return nil, errs.New(errs.Unsupported, "it is in %s, which is not read here", path.Ext(file))
	}
	if strings.EqualFold(path.Ext(file), ".rst") {
		// Tables of contents are the navigation.
		text = r.roles(file, toctree.ReplaceAllString(r.sphinxIncludes(file, text), "\n"))
	}
	if isAsciiDoc(file) {
		text = r.asciiDoc(file, text)
	}
	converted, err := r.options.Convert(ctx, r.place(file), []byte(text))
	if err != nil {
		return nil, err
	}
	// Programs write UTF-8, and nothing but what the page says.
	root, err := html.ParseWithOptions(bytes.NewReader(converted), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "%s cannot be read", r.place(file))
	}
	return r.pageOfHTML(file, hypertext.Whole(root), ""), nil
}

var (
	titledRole = regexp.MustCompile(":(?:doc|ref|any):`([^`<>]+?)\\s*<([^`<>]+)>`")
	bareRole   = regexp.MustCompile(":(?:doc|any):`([^`<>]+)`")
	refRole    = regexp.MustCompile(":ref:`([^`<>]+)`")
	plainRole  = regexp.MustCompile(":(?:py:|c:|cpp:|js:)?(?:func|class|meth|mod|attr|exc|data|const|obj|file|" +
		"command|program|option|envvar|term|guilabel|menuselection|kbd|samp|code):`~?!?([^`<>]+)`")
	toctree = regexp.MustCompile(`(?m)^\.\. toctree::[^\n]*\n(?:[ \t]+[^\n]*\n|[ \t]*\n)*`)
)

var (
	toctreeOption = regexp.MustCompile(`^:(\w+):\s*(.*)$`)
	toctreeTitled = regexp.MustCompile(`^(.*?)\s*<([^<>]+)>$`)
)

// startSphinx takes the navigation from the tables of contents, the first document first.
func (r *reader) startSphinx() {
	for _, first := range []string{"index.rst", "index.md", "contents.rst"} {
		if !r.files.Has(first) {
			continue
		}
		if below := r.sphinxNav(first, map[string]bool{}, 0); len(below) > 0 {
			r.layout.nav = append([]*item{{target: "/" + first}}, below...)
			r.layout.navPlace = r.place(first)
		}
		return
	}
}

// mystContents is a table of contents in Markdown.
var mystContents = regexp.MustCompile("(?ms)^(?:`{3,}|:{3,})\\{toctree\\}[ \t]*\n(.*?)^(?:`{3,}|:{3,})[ \t]*$")

// tablesOfContents returns the tables of contents of a document, be it in reStructuredText or in Markdown.
func tablesOfContents(text string) []string {
	blocks := toctree.FindAllString(text, -1)
	for _, found := range mystContents.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, "\n"+found[1])
	}
	return blocks
}

// sphinxNav reads the tables of contents from the first document on: what a page names stands below it, what the first
// one names at the root.
func (r *reader) sphinxNav(file string, seen map[string]bool, depth int) []*item {
	data, err := r.files.Read(file, maxPageBytes)
	if err != nil || depth > maxNavDepth {
		return nil
	}
	var items []*item
	for _, block := range tablesOfContents(string(data)) {
		var below []*item
		caption := ""
		for line := range strings.Lines(strings.TrimPrefix(block, ".. toctree::")) {
			line = strings.TrimSpace(line)
			if option := toctreeOption.FindStringSubmatch(line); option != nil {
				if option[1] == "caption" {
					caption = option[2]
				}
				continue
			}
			if line == "" || line == "self" || strings.ContainsAny(line, "*") {
				continue
			}
			title := ""
			if titled := toctreeTitled.FindStringSubmatch(line); titled != nil {
				title, line = titled[1], titled[2]
			}
			if withScheme.MatchString(line) {
				below = append(below, &item{title: title, target: line})
				continue
			}
			joined, inside := r.join(file, line)
			if !inside || seen[joined] {
				continue
			}
			seen[joined] = true
			for _, candidate := range append(r.candidates(joined), joined+".rst") {
				if r.files.Has(candidate) {
					below = append(below, &item{title: title, target: "/" + candidate,
						children: r.sphinxNav(candidate, seen, depth+1)})
					break
				}
			}
		}
		if caption != "" && len(below) > 0 {
			below = []*item{section(caption, "", below, depth)}
		}
		items = append(items, below...)
	}
	return items
}
