// Package check owns what is wrong with the file of a page, with the place of each fault.
//
// Faults never make anything go away: what the dialect does not know stays in the file. They are for people who write
// Markdown, and say what keeps a page from being saved and what readers will not see.
package check

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// MaxFaults is the largest number of faults that are named; more of them help nobody.
const MaxFaults = 200

// Severity says what a fault does.
type Severity string

// Severities.
const (
	// Refused keeps the page from being saved.
	Refused Severity = "error"
	// Unknown stays in the file, and readers do not see what was meant.
	Unknown Severity = "warning"
	// Kept stays in the file and reaches readers as it is, cleaned of what could harm them.
	Kept Severity = "info"
)

// Place is a place in a file: line and column count from one, columns in characters.
type Place struct{ Line, Column int }

// Fault is something that is wrong in a file.
type Fault struct {
	Severity Severity
	Message  string
	From, To Place
}

// Page is what a file was read as.
type Page struct {
	Title string
	// Document is the body, nil for a file that is refused.
	Document *doc.Document
	// Lines are the lines at which the blocks of the document begin.
	Lines  []int
	Faults []Fault
}

// Read reads the file of a page.
func Read(file []byte) Page {
	c := &checker{file: file}
	parts, err := treefile.ParsePage(file)
	if err != nil {
		c.refused(err, 0, 1)
		return Page{Faults: c.faults}
	}
	c.frontMatter(parts.FrontMatter)
	start := len(file) - len(parts.Body)
	page := Page{Title: parts.Title}
	if page.Document, err = markdown.Parse(parts.Body); err != nil {
		c.refused(err, bytes.Count(file[:start], []byte{'\n'}), 1)
	} else {
		for _, block := range page.Document.Nodes {
			c.at, c.end = start+block.Source.Start, min(start+block.Source.End, len(file))
			page.Lines = append(page.Lines, c.place(c.at).Line)
			block.Walk(c.node)
		}
	}
	page.Faults = c.faults
	return page
}

type checker struct {
	file []byte
	// at and end are where what is looked for next stands.
	at, end int
	faults  []Fault
}

func (c *checker) add(severity Severity, from, to int, format string, values ...any) {
	if len(c.faults) < MaxFaults {
		c.faults = append(c.faults, Fault{Severity: severity, Message: fmt.Sprintf(format, values...),
			From: c.place(from), To: c.place(to)})
	}
}

func (c *checker) place(offset int) Place {
	offset = min(max(offset, 0), len(c.file))
	start := dialect.LineStart(c.file, offset)
	return Place{Line: 1 + bytes.Count(c.file[:start], []byte{'\n'}),
		Column: 1 + utf8.RuneCount(c.file[start:offset])}
}

var named = regexp.MustCompile(`line (\d+)(?:, column (\d+))?:? ?`)

// refused adds the error of a reader, which names the place in its text; above is how many lines of the file come
// before that, and otherwise the line for an error that names none.
func (c *checker) refused(err error, above, otherwise int) {
	message := err.Error()
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		message = refusal.Message
	}
	line, column := otherwise, 0
	if found := named.FindStringSubmatch(message); found != nil {
		line, _ = strconv.Atoi(found[1])
		column, _ = strconv.Atoi(found[2])
		message = strings.Replace(message, found[0], "", 1)
		// The lines of YAML count from below the dashes.
		if strings.HasPrefix(message, "the front matter") && above == 0 {
			line++
		}
	}
	from := c.lineAt(line + above)
	to := dialect.LineEnd(c.file, from)
	for ; column > 1 && from < to; column-- {
		_, size := utf8.DecodeRune(c.file[from:])
		from += size
	}
	c.add(Refused, from, to, "%s", message)
}

// lineAt returns the offset at which a line begins, that of the last line for one that is not there.
func (c *checker) lineAt(line int) int {
	offset := 0
	for ; line > 1; line-- {
		end := dialect.LineEnd(c.file, offset)
		if end == len(c.file) {
			break
		}
		offset = end + 1
	}
	return offset
}

func (c *checker) frontMatter(f treefile.FrontMatter) {
	read := frontmatter.Read(f, &entity.Entry{Kind: entity.KindPage, Type: entity.PageDocument})
	if read.Refused != nil {
		from := max(bytes.Index(c.file, []byte("\nif:"))+1, 0)
		c.add(Refused, from, dialect.LineEnd(c.file, from), "%s", read.Refused.Error())
	}
	for _, problem := range read.Problems {
		c.add(Refused, 0, dialect.LineEnd(c.file, 0), "The front matter cannot be used: %s.", problem)
	}
}

// node looks at one node, and what its source says is looked for behind that of those before it.
func (c *checker) node(n *doc.Node) bool {
	switch data := n.Data.(type) {
	case *doc.RawData:
		from, to := c.find(data.Source)
		switch {
		case data.Syntax == "tag":
			c.add(Unknown, from, to, "%s", aboutTag(data.Source))
		case n.Type == doc.Raw:
			c.add(Kept, from, to, "This HTML is not part of the dialect: it stays as it is, and readers see it "+
				"without scripts and styles.")
		}
	case *doc.ExpressionData:
		if _, err := expr.Parse(data.Expression); err != nil {
			from, to := c.find(data.Expression)
			severity := Unknown
			if n.Type == doc.If {
				severity = Refused
			}
			c.add(severity, from, to, "The expression cannot be read: %s", messageOf(err))
		}
	}
	return true
}

func messageOf(err error) string {
	if refusal, ok := errors.AsType[*errs.Error](err); ok {
		return refusal.Message
	}
	return err.Error()
}

// find returns where a text stands in the rest of the block that is looked at, or its first line: inside lists and
// quotes lines begin with more. Without either it is the line at which the rest of the block begins.
func (c *checker) find(text string) (from, to int) {
	first, _, _ := strings.Cut(text, "\n")
	for _, wanted := range []string{text, first} {
		if i := bytes.Index(c.file[c.at:c.end], []byte(wanted)); i >= 0 && wanted != "" {
			from = c.at + i
			c.at = from + len(wanted)
			return from, c.at
		}
	}
	return c.at, min(dialect.LineEnd(c.file, c.at), c.end)
}

// aboutTag says what is wrong with a tag that was kept as it is.
func aboutTag(source string) string {
	name, _, _ := dialect.CutTag([]byte(strings.TrimSpace(source)))
	begun, isEnd := strings.CutPrefix(name, "end")
	switch {
	case isEnd && dialect.TagNamed(begun) != nil:
		return fmt.Sprintf("Nothing that {%% %s %%} could end has begun here.", name)
	case dialect.TagNamed(name) == nil:
		return fmt.Sprintf("{%% %s %%} is not a tag of the dialect: it stays in the file, and readers do not see it.",
			name)
	case dialect.TagNamed(name).Parent != "":
		return fmt.Sprintf("{%% %s %%} stands inside {%% %s %%} and ends with {%% end%s %%}.", name,
			dialect.TagNamed(name).Parent, name)
	}
	return fmt.Sprintf("{%% %s %%} cannot be read: {%% end%s %%} may be missing.", name, name)
}
