package notion

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/hypertext"
	"github.com/rectodocs/recto/internal/content/importer/markup"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
)

// fill reads the file of a page. inDatabase says that the page is a row of a database.
func (e *export) fill(name string, inDatabase bool) error {
	data, err := e.files.Read(name, maxPageBytes)
	if err != nil {
		return err
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	page := e.pages[name]
	if strings.EqualFold(path.Ext(name), ".html") {
		return e.fillHTML(page, data)
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return errs.New(errs.Invalid, "%s is not text in UTF-8; export the pages again", name)
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	if strings.EqualFold(path.Ext(name), ".csv") {
		return e.fillDatabase(page, text)
	}
	page.Body = e.tree.Texts.Keep([]byte(e.markdownBody(page, text, inDatabase)))
	return nil
}

var property = regexp.MustCompile(`^([^\s:][^:\n]{0,80}): (.*)$`)

// markdownBody turns the Markdown of a page into the dialect's: the title is taken off, properties become a list,
// headings move below the title's level, and call-outs become hints.
func (e *export) markdownBody(page *source.Page, text string, inDatabase bool) string {
	lines := strings.Split(strings.TrimLeft(text, "\n"), "\n")
	if title, ok := strings.CutPrefix(lines[0], "# "); ok {
		if title = strings.TrimSpace(title); title != "" {
			page.Entry.Title = title
		}
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	var out []string
	if inDatabase {
		for len(lines) > 0 {
			found := property.FindStringSubmatch(lines[0])
			if found == nil {
				break
			}
			out = append(out, "* **"+escapeInline(found[1])+":** "+found[2])
			lines = lines[1:]
		}
		if len(out) > 0 && len(lines) > 0 && strings.TrimSpace(lines[0]) != "" {
			out = append(out, "")
		}
	}
	out = append(out, rewriteLines(lines)...)
	return strings.Trim(strings.Join(out, "\n"), "\n") + "\n"
}

// escapeInline keeps characters from being read as Markdown.
func escapeInline(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`").Replace(
		text)
}

// rewriteLines rewrites headings and call-outs outside code.
func rewriteLines(lines []string) []string {
	shift := ""
	walkText(lines, func(_ int, line string) {
		if strings.HasPrefix(line, "# ") {
			shift = "#" // the highest heading has the title's level
		}
	})
	out := append([]string(nil), lines...)
	walkText(lines, func(i int, line string) {
		content := strings.TrimLeft(line, " \t")
		indent := line[:len(line)-len(content)]
		switch {
		case strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " "):
			out[i] = shift + line
		case strings.HasPrefix(content, "<aside>"):
			rest := strings.TrimSpace(strings.TrimPrefix(content, "<aside>"))
			first := rest
			for j := i + 1; first == "" && j < len(lines) && j < i+5; j++ {
				first = strings.TrimSpace(lines[j])
			}
			out[i] = indent + `{% hint style="` + hintStyle(first) + `" %}`
			if rest != "" {
				out[i] += "\n" + indent + rest
			}
		case strings.HasSuffix(content, "</aside>"):
			out[i] = indent + "{% endhint %}"
			if rest := strings.TrimSpace(strings.TrimSuffix(content, "</aside>")); rest != "" {
				out[i] = indent + rest + "\n" + out[i]
			}
		}
	})
	return out
}

// walkText visits the lines that are not fenced code.
func walkText(lines []string, visit func(i int, line string)) {
	fence := ""
	for i, line := range lines {
		content := strings.TrimSpace(line)
		marker := ""
		for _, c := range []string{"```", "~~~"} {
			if strings.HasPrefix(content, c) {
				marker = c
			}
		}
		switch {
		case fence != "":
			if marker == fence {
				fence = ""
			}
		case marker != "":
			fence = marker
		default:
			visit(i, line)
		}
	}
}

// hintStyle is the style of a hint by the emoji that it starts with.
func hintStyle(text string) string {
	for style, marks := range map[string][]string{
		"warning": {"⚠", "❗", "❕", "🚧", "🔔"}, "danger": {"🚨", "❌", "⛔", "🛑", "🔥"}, "success": {"✅", "☑", "🎉", "👍", "🟢"},
	} {
		for _, mark := range marks {
			if strings.HasPrefix(text, mark) {
				return style
			}
		}
	}
	return "info"
}

// fillDatabase makes a table of a database.
func (e *export) fillDatabase(page *source.Page, text string) error {
	reader := csv.NewReader(strings.NewReader(text))
	reader.LazyQuotes, reader.FieldsPerRecord = true, -1
	table := markup.Element("table")
	rows := e.rowPages(page.Base)
	size, left := 0, 0
	for number := 0; ; number++ {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errs.Wrap(err, errs.Invalid, "%s cannot be read as CSV", page.Place)
		}
		for _, value := range record {
			size += len(value) + 20
		}
		if size > store.MaxBodySize*2/3 {
			left++
			continue
		}
		markup.Append(table, e.row(record, number == 0, rows))
	}
	if left > 0 {
		e.tree.Report.NotUnderstood.Addf(page.Place,
			"the database is larger than a page may be; its last %d rows were left out of the table", left)
	}
	markup.Fill(page, markup.Append(markup.Element("div"), table), hypertext.Options{}, e.tree)
	return nil
}

// rowPages returns the files of the pages of a database's rows, by their titles.
func (e *export) rowPages(database string) map[string]string {
	full := strings.TrimSuffix(stem(database), "_all")
	bare, _ := cutID(full)
	rows := map[string]string{}
	for _, folder := range []string{full, bare} {
		for _, file := range e.folders[folder] {
			title, _ := cutID(path.Base(stem(file)))
			rows[strings.ToLower(strings.TrimSpace(title))] = file
		}
		if len(rows) > 0 {
			break
		}
	}
	return rows
}

// row makes a row of a table. The first cell links to the page of the row.
func (e *export) row(record []string, heading bool, pages map[string]string) *html.Node {
	row := markup.Element("tr")
	for i, value := range record {
		name := "td"
		if heading {
			name = "th"
		}
		cell := markup.Element(name)
		text := markup.Text(strings.TrimSpace(value))
		if file := pages[strings.ToLower(strings.TrimSpace(value))]; i == 0 && !heading && file != "" {
			text = markup.Append(markup.Element("a", "href", "/"+escapePath(file)), text)
		}
		markup.Append(row, markup.Append(cell, text))
	}
	return row
}
