package folder

import (
	"bytes"
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/flavor"
	"github.com/rectodocs/recto/internal/content/importer/folder/front"
	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// readPage reads a file as a page. navTitle is what the table of contents calls it, "" when there is none. A file that
// cannot be read is left out and reported, and its page is nil: one file must not keep the others out.
func (r *reader) readPage(ctx context.Context, file, navTitle string) (*source.Page, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if r.left[file] {
		return nil, nil // it is reported once
	}
	var page *source.Page
	var err error
	switch {
	case IsPage(file, ".html"):
		page, err = r.readHTML(file)
	case isOther(file):
		page, err = r.readOther(ctx, file)
	default:
		page, err = r.readMarkdown(file, navTitle)
	}
	if err == nil && page.Body.Len() > markdown.MaxBody {
		err = errs.New(errs.TooLarge, "%s has %d bytes of text, a page has at most %d; split it", r.place(file),
			page.Body.Len(), markdown.MaxBody)
	}
	if err != nil {
		return nil, r.leaveOut(ctx, file, err)
	}
	if front.IsDraft(page.Entry.Extra, r.layout.generator) {
		r.left[file] = true
		r.tree.Report.Skipped.Addf(r.place(file), "it is a draft, which %s does not publish", r.layout.generator)
		return nil, nil
	}
	page.Place, page.Base, page.OID = r.place(file), file, r.oids[file]
	page.Entry.Type = entity.PageDocument
	if front.IsUnlisted(page.Entry.Extra, r.layout.generator) {
		hide(page)
	}
	navTitle = strings.TrimSpace(navTitle)
	if page.Entry.Title == "" {
		page.Entry.Title = navTitle
	}
	if page.Entry.Title == "" {
		page.Entry.Title = humanize(withoutNumber(r.nameOf(file), 2))
	}
	if navTitle != "" && navTitle != page.Entry.Title && page.Entry.LinkTitle == "" {
		page.Entry.LinkTitle = navTitle
	}
	r.pages[file] = page
	page.Addresses = r.addresses(file, page)
	return page, nil
}

// leaveOut reports a file that cannot be read. It returns the error that ends the import, when the import was
// cancelled.
func (r *reader) leaveOut(ctx context.Context, file string, err error) error {
	if cancelled := checkContext(ctx); cancelled != nil {
		return cancelled
	}
	refused, ok := errors.AsType[*errs.Error](err)
	if !ok || refused.Kind == errs.Internal {
		return err
	}
	if r.failure == nil {
		r.failure = err
	}
	r.left[file] = true
	r.tree.Report.Skipped.Addf(r.place(file), "it is left out: %s", refused.Message)
	return nil
}

// nameOf returns the name that a page has by its file: that of its folder when it is the folder's page.
func (r *reader) nameOf(file string) string {
	base := path.Base(file)
	if r.isIndex(base) {
		if dir := path.Dir(file); dir != "." {
			return path.Base(dir)
		}
		return "readme"
	}
	return stem(base)
}

// isIndex reports whether a file is the page of its folder.
func (r *reader) isIndex(base string) bool {
	if base == "README.md" {
		return true
	}
	if r.dialect {
		return false
	}
	switch strings.ToLower(base) {
	case "readme.md", "readme.markdown", "readme.mdx", "index.md", "index.markdown", "index.mdx", "_index.md",
		"index.html", "index.htm", "readme.html", "index.rst", "readme.rst", "index.adoc", "readme.adoc":
		return true
	}
	return false
}

func (r *reader) readMarkdown(file, navTitle string) (*source.Page, error) {
	text, err := r.text(file)
	if err != nil {
		return nil, err
	}
	page := &source.Page{}
	lines := r.book == nil
	moved := 0
	if r.book == nil && !r.dialect {
		text, moved = front.AsYAML(text, r.layout.generator)
	}
	switch {
	case r.book != nil:
		text = hoistTitle(r.book.chapter(file, text))
	case r.dialect || r.layout.generator == generator.GitBook:
		text, lines = mendBody(text)
	case r.layout.summary == "":
		text, lines = r.rewriteFlavor(file, text, page)
	}
	parsed, err := treefile.ParsePage([]byte(text))
	if err != nil {
		return nil, inFile(r.place(file), err)
	}
	body := skipBlank(parsed.Body)
	if lines {
		page.FirstLine = 1 + moved + strings.Count(text[:len(text)-len(body)], "\n")
	}
	if tags, changed := r.labels.Rename(parsed.FrontMatter.Tags); changed {
		// What is kept of how it was spelled has the labels, too.
		parsed.FrontMatter.Tags = tags
		parsed.FrontMatter, err = treefile.ParseFrontMatter(parsed.FrontMatter.Written())
		if err != nil {
			return nil, inFile(r.place(file), err)
		}
	}
	fields := frontmatter.Read(parsed.FrontMatter, &page.Entry)
	if fields.Refused != nil {
		return nil, inFile(r.place(file), fields.Refused)
	}
	page.Cover, page.CoverDark = fields.Cover, fields.CoverDark
	for _, problem := range fields.Problems {
		r.tree.Report.NotUnderstood.Addf(r.place(file), "front matter: %s", problem)
	}
	page.Entry.Title = strings.TrimSpace(parsed.Title)
	if page.Entry.Title == "" && !r.dialect && fields.Title == "" {
		page.Entry.Title, body = promote(body, navTitle)
	}
	if title, shown := front.Home(page.Entry.Extra, r.layout.generator); len(shown) > 0 {
		body = append(shown, body...)
		if page.Entry.Title == "" && fields.Title == "" {
			page.Entry.Title = title
		}
	}
	if title, before, below := r.operation(file, page.Entry.Extra); title != "" {
		body = skipBlank(slices.Concat([]byte(before), bytes.TrimRight(body, "\n"), []byte("\n\n"+below)))
		if page.Entry.Title == "" && fields.Title == "" {
			page.Entry.Title = title
		}
	}
	frontmatter.OtherTitles(&page.Entry, fields.Title)
	frontmatter.TakeSlug(&page.Entry)
	frontmatter.Keep(parsed.FrontMatter, &page.Entry)
	page.Body = r.tree.Texts.Keep(r.labels.Updates(body))
	return page, nil
}

// operation returns what shows the operation of an API that the front matter of a page of Mintlify names, before and
// below its text, and what to call it; nothing for other pages.
func (r *reader) operation(file string, given map[string]any) (title, before, below string) {
	if r.layout.references == nil {
		return "", "", ""
	}
	if manual := front.Text(given, "api"); manual != "" {
		return manual, "`" + strings.ReplaceAll(manual, "`", "") + "`\n\n", ""
	}
	named := front.Text(given, "openapi")
	if named == "" {
		return "", "", ""
	}
	operation, ok := r.layout.references.Find(named)
	if !ok {
		r.tree.Report.NotUnderstood.Addf(r.place(file), "openapi: no description among the files has %s", named)
		return "", "", ""
	}
	return operation.Title, "", operation.Block()
}

// mendBody mends what stands behind the front matter.
func mendBody(text string) (mended string, lines bool) {
	front := len(text) - len(withoutFront(text))
	mended, lines = mend(text[front:])
	return text[:front] + mended, lines
}

// withoutFront returns a text without its front matter.
func withoutFront(text string) string {
	if strings.HasPrefix(text, "---") {
		return afterFrontMatter(text)
	}
	return text
}

// rewriteFlavor rewrites what other tools add to Markdown in the words of the dialect, and reports whether lines are
// where they were.
func (r *reader) rewriteFlavor(file, text string, page *source.Page) (string, bool) {
	rest := withoutFront(text)
	included, put := r.includeFiles(file, rest)
	rewritten := flavor.Rewrite(included, r.layout.generator, r.layout.extensions...)
	for _, name := range rewritten.Unknown {
		what := "shortcode"
		if strings.HasPrefix(name, "<") {
			what = "component"
		}
		r.tree.Report.NotUnderstood.Addf(r.place(file), "the %s %s is not known; it stays as it is", what, name)
	}
	for _, id := range rewritten.Top {
		if page.Anchors == nil {
			page.Anchors = map[string]string{}
		}
		page.Anchors[id] = ""
	}
	return text[:len(text)-len(rest)] + rewritten.Text, rewritten.Lines && !put
}

// readHTML reads an HTML file as a page.
func (r *reader) readHTML(file string) (*source.Page, error) {
	data, err := r.files.Read(file, maxPageBytes)
	if err != nil {
		return nil, err
	}
	r.oids[file] = git.OID(data)
	root, err := parseHTML(data)
	if err != nil {
		return nil, errs.Wrap(err, errs.Invalid, "%s cannot be read as HTML", r.place(file))
	}
	return r.pageOfHTML(file, hypertext.Content(root, nil), headTitle(root)), nil
}

// pageOfHTML makes a page of its content in HTML. Links stay as written.
func (r *reader) pageOfHTML(file string, content *html.Node, title string) *source.Page {
	converted := hypertext.Convert(content, hypertext.Options{Name: title})
	page := &source.Page{Body: r.tree.Texts.Keep(markdown.Write(converted.Document)), Anchors: map[string]string{}}
	for anchor, node := range converted.Anchors {
		page.Anchors[anchor] = ""
		if node != nil {
			page.Anchors[anchor] = node.ID
		}
	}
	for what, count := range converted.Lost {
		r.tree.Report.NotUnderstood.Addf(r.place(file), "left out: %s (%s)", what, strconv.Itoa(count))
	}
	page.Entry.Title = converted.Title
	if page.Entry.Title == "" {
		page.Entry.Title = title
	}
	return page
}

func headTitle(root *html.Node) string {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "title" && n.Namespace == "" && n.FirstChild != nil {
			return strings.Join(strings.Fields(n.FirstChild.Data), " ")
		}
	}
	return ""
}

// hoistTitle moves the comments and anchors that stand before a chapter's title behind it.
func hoistTitle(text string) string {
	lines := strings.SplitAfter(text, "\n")
	inComment := false
	for i, line := range lines {
		content := strings.TrimSpace(line)
		switch {
		case inComment:
			inComment = !strings.Contains(content, "-->")
		case strings.HasPrefix(content, "<!--"):
			inComment = !strings.Contains(content, "-->")
		case content == "", strings.HasPrefix(content, "<a id") && strings.HasSuffix(content, "</a>"):
		case i > 0 && headingLevel(line) > 0:
			rest := lines[i+1:]
			if len(rest) > 0 && strings.TrimSpace(rest[0]) == "" && strings.TrimSpace(lines[i-1]) == "" {
				rest = rest[1:]
			}
			return line + "\n" + strings.Join(lines[:i], "") + strings.Join(rest, "")
		default:
			return text
		}
	}
	return text
}

// headingLevel returns the level of a line that is a heading, else 0.
func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level == 0 || level > 6 || level < len(line) && !strings.ContainsRune(" \t\r\n", rune(line[level])) {
		return 0
	}
	return level
}

// promote makes a title of the heading that a body starts with when it is the highest one, and raises all others by as
// much. When another heading is as high, the first one goes only if it says what the table of contents says.
func promote(body []byte, navTitle string) (string, []byte) {
	lines := bytes.SplitAfter(body, []byte("\n"))
	first := 0
	for first < len(lines) && len(bytes.TrimSpace(lines[first])) == 0 {
		first++
	}
	if first == len(lines) {
		return "", body
	}
	level := headingLevel(string(lines[first]))
	if level == 0 {
		return "", body
	}
	title := plainText(strings.Trim(string(lines[first]), "# \t\r\n"))
	var fence fenceState
	highest := 7
	for _, line := range lines[first+1:] {
		if fence.step(string(line)); fence.open == "" {
			if other := headingLevel(string(line)); other > 0 {
				highest = min(highest, other)
			}
		}
	}
	if highest <= level && title != navTitle {
		return "", body
	}
	shift := 0
	if highest > level {
		shift = level - 1
	}
	var out bytes.Buffer
	fence = fenceState{}
	rest := lines[first+1:]
	for len(rest) > 0 && len(bytes.TrimSpace(rest[0])) == 0 {
		rest = rest[1:]
	}
	for _, line := range rest {
		if fence.step(string(line)); fence.open == "" && headingLevel(string(line)) > shift {
			line = line[shift:]
		}
		out.Write(line)
	}
	return title, out.Bytes()
}
