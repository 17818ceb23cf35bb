package treefile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// Page is the file of a page: front matter, the title's line and the body.
type Page struct {
	FrontMatter FrontMatter
	// Title is the text of the first-level heading that the file starts with, "" when it starts otherwise.
	Title string
	// Body is everything after the title, with the bytes of the file.
	Body []byte

	// head is what stood before the body; it is written again while headTitle is still the title and the front matter
	// says the same.
	head      []byte
	headTitle string
	// heading is where the title's lines start in head.
	heading int
}

// Untitled returns what follows the front matter, as it was read: the heading that Title was taken from and the body.
func (p Page) Untitled() []byte { return slices.Concat(p.head[p.heading:], p.Body) }

// byteOrderMark may start a file; it is no part of the page.
const byteOrderMark = "\ufeff"

// ParsePage splits the file of a page. Front matter that is not YAML is refused with errs.Invalid, a file that is too
// large with errs.TooLarge; the body itself is not read.
func ParsePage(file []byte) (Page, error) {
	if len(file) > markdown.MaxBody+MaxFrontMatter {
		return Page{}, errs.New(errs.TooLarge, "the file has %d bytes; a page may have at most %d", len(file),
			markdown.MaxBody)
	}
	start := 0
	if bytes.HasPrefix(file, []byte(byteOrderMark)) {
		start = len(byteOrderMark)
	}
	var page Page
	yaml, after, found := cutFrontMatter(file[start:])
	if found {
		frontMatter, isMapping, err := parseFrontMatter(yaml)
		switch {
		case err != nil:
			return Page{}, err
		case isMapping:
			frontMatter.open, frontMatter.end = around(file[start:start+after], yaml)
			page.FrontMatter = frontMatter
			start += after
		}
	}
	page.heading = skipBlankLines(file, start)
	title, size := cutTitle(file[start:])
	if title == "" && page.FrontMatter.read != nil {
		size = skipBlankLines(file[start:], 0)
	}
	page.Title, page.headTitle = title, title
	start += size
	page.head, page.Body = file[:start:start], file[start:]
	page.heading = min(page.heading, start)
	return page, nil
}

// WritePage joins the parts of a page. What ParsePage read and nobody changed keeps its bytes; the rest is written in
// the conventions of the dialect.
func WritePage(page Page) []byte {
	if page.head != nil && page.Title == page.headTitle && page.FrontMatter.unchanged() {
		return slices.Concat(page.head, page.Body)
	}
	var b bytes.Buffer
	b.Write(page.FrontMatter.write())
	if page.Title != "" {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		heading := doc.NewBlock(doc.Heading1, nil, doc.NewText(page.Title))
		// A heading of the tree is one level below the title's.
		text := strings.TrimSpace(string(markdown.Write(&doc.Document{Nodes: []*doc.Node{heading}})))
		b.WriteString(strings.TrimPrefix(text, "#") + "\n")
	}
	if len(page.Body) > 0 {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.Write(page.Body)
	}
	return b.Bytes()
}

// cutFrontMatter finds the YAML between "---" lines at the start of a file, and where the rest starts.
func cutFrontMatter(file []byte) (yaml []byte, after int, found bool) {
	first := dialect.LineEnd(file, 0)
	if strings.TrimRight(string(file[:first]), " \t\r") != "---" || first == len(file) {
		return nil, 0, false
	}
	start := first + 1
	for at := start; at < len(file); {
		end := dialect.LineEnd(file, at)
		switch strings.TrimRight(string(file[at:end]), " \t\r") {
		case "---", "...":
			return file[start:at], min(end+1, len(file)), true
		}
		at = end + 1
	}
	return nil, 0, false
}

// around returns the lines before and behind the YAML of a front matter.
func around(source, yaml []byte) (open, end []byte) {
	first := min(dialect.LineEnd(source, 0)+1, len(source))
	return source[:first:first], source[first+len(yaml):]
}

// cutTitle reads the first-level heading that a text starts with, and how many bytes it and the blank lines around it
// take; 0 when the text starts otherwise.
func cutTitle(text []byte) (title string, size int) {
	at := skipBlankLines(text, 0)
	end := dialect.LineEnd(text, at)
	line := strings.TrimRight(string(text[at:end]), " \t\r")
	indent := len(line) - len(strings.TrimLeft(line, " "))
	switch {
	case indent > 3 || line == "":
		return "", 0
	case strings.HasPrefix(line[indent:], "# ") || line[indent:] == "#":
	case end < len(text) && isTitleUnderline(text[end+1:dialect.LineEnd(text, end+1)]):
		// "Title" over a line of "=".
		end = dialect.LineEnd(text, end+1)
		line += "\n==="
	default:
		return "", 0
	}
	p, err := reader.Read([]byte(line))
	if err != nil || len(p.Document.Nodes) != 1 || p.Document.Nodes[0].Type != doc.Heading1 {
		return "", 0
	}
	return dialect.SingleSpaced(p.Document.Nodes[0].PlainText()), skipBlankLines(text, min(end+1, len(text)))
}

func isTitleUnderline(line []byte) bool {
	trimmed := bytes.TrimRight(line, " \t\r")
	return len(trimmed) > 0 && len(bytes.Trim(trimmed, "=")) == 0
}

// skipBlankLines returns where the first line that is not blank starts.
func skipBlankLines(text []byte, at int) int {
	for at < len(text) {
		end := dialect.LineEnd(text, at)
		if len(dialect.TrimBlank(text[at:end])) > 0 {
			return at
		}
		at = min(end+1, len(text))
	}
	return at
}
