package treefile

import (
	"maps"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
	"github.com/rectodocs/recto/internal/engine/markdown/reader"
)

// Summary is the table of contents of a space: SUMMARY.md.
type Summary struct {
	// Title is the first heading, "" when there is none.
	Title string
	Items []*SummaryItem
}

// SummaryKind says what an entry of a table of contents is.
type SummaryKind int

// Kinds of entries.
const (
	SummaryLink     SummaryKind = iota // a page, or a link to an address
	SummaryGroup                       // a titled group of the top level
	SummaryComputed                    // a page that is computed, described by YAML
)

// SummaryItem is one entry. Groups stand at the top level only; a divider in the file ends a group, so that what
// follows is top level again (see Divided).
type SummaryItem struct {
	Kind  SummaryKind
	Title string
	// Slug is the explicit slug of a group, "" for the one that its title gives.
	Slug string
	// Target is the destination of a link as written: a file, a file with an anchor, or an absolute URL.
	Target string
	// LinkTitle is the short title for navigation.
	LinkTitle string
	// Computed is the YAML of a computed page as JSON values.
	Computed map[string]any
	// Divided says that a "***" line stands before the entry. Only an entry of the top level can have one.
	Divided bool
	// Line is the 1-based line in the file, 0 for entries that were not read.
	Line  int
	Items []*SummaryItem
}

// Limits of a table of contents.
const (
	// MaxSummary is the largest SUMMARY.md in bytes.
	MaxSummary = 4 << 20
	// MaxSummaryItems is the largest number of entries.
	MaxSummaryItems = 100_000
	// MaxSummaryDepth is the deepest nesting of entries.
	MaxSummaryDepth = 50
)

// ParseSummary reads a table of contents. Lines that are no part of one (texts, comments) are passed over. A file that
// is too large or nested too deeply is refused with errs.TooLarge, a computed page whose YAML is broken with
// errs.Invalid; both name the line.
func ParseSummary(file []byte) (*Summary, error) {
	if len(file) > MaxSummary {
		return nil, errs.New(errs.TooLarge, "SUMMARY.md has %d bytes; it may have at most %d", len(file), MaxSummary)
	}
	text := strings.TrimPrefix(strings.ReplaceAll(string(file), "\r\n", "\n"), byteOrderMark)
	if err := dialect.CheckUTF8([]byte(text)); err != nil {
		return nil, err
	}
	r := summaryReader{summary: &Summary{}, lines: strings.Split(text, "\n")}
	for r.at < len(r.lines) {
		if err := r.line(); err != nil {
			return nil, err
		}
	}
	return r.summary, nil
}

// summaryReader reads a table of contents line by line.
type summaryReader struct {
	summary *Summary
	lines   []string
	at      int
	count   int
	group   *SummaryItem // the group that top-level entries go into
	divided bool
	stack   []summaryLevel
}

// summaryLevel is an entry that others may stand below, with the column of its text.
type summaryLevel struct {
	indent, content int
	item            *SummaryItem
}

// line reads the line at the current position, and those that belong to it.
func (r *summaryReader) line() error {
	line := r.lines[r.at]
	r.at++
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(trimmed, "<!--"):
		for !strings.Contains(line, "-->") && r.at < len(r.lines) {
			line = r.lines[r.at]
			r.at++
		}
	case trimmed == "##" || strings.HasPrefix(trimmed, "## "):
		r.addGroup(trimmed)
	case strings.HasPrefix(trimmed, "# ") && r.summary.Title == "" && r.count == 0:
		r.summary.Title = inlineText(strings.TrimPrefix(trimmed, "# "))
	case isDivider(trimmed):
		r.group, r.stack, r.divided = nil, nil, r.count > 0
	case isBullet(trimmed):
		return r.addItem(line)
	}
	return nil
}

func isDivider(line string) bool {
	line = strings.ReplaceAll(line, " ", "")
	return len(line) >= 3 && (strings.Trim(line, "*") == "" || strings.Trim(line, "-") == "" ||
		strings.Trim(line, "_") == "")
}

func isBullet(line string) bool {
	return len(line) > 1 && strings.IndexByte("*-+", line[0]) >= 0 && (line[1] == ' ' || line[1] == '\t')
}

// addGroup reads "## Title", with the slug that an empty anchor element gives.
func (r *summaryReader) addGroup(line string) {
	item := &SummaryItem{Kind: SummaryGroup, Line: r.at, Divided: r.divided}
	if p, err := reader.Read([]byte(line)); err == nil && len(p.Document.Nodes) == 1 {
		heading := p.Document.Nodes[0]
		item.Title = dialect.SingleSpaced(heading.PlainText())
		if data, ok := heading.Data.(*doc.HeadingData); ok {
			item.Slug = data.ID
		}
	}
	if item.Title == "" && item.Slug == "" {
		// A group without a name ends the one before.
		r.group, r.stack, r.divided = nil, nil, r.count > 0
		return
	}
	r.summary.Items = append(r.summary.Items, item)
	r.group, r.stack, r.divided = item, nil, false
	r.count++
}

// addItem reads "* [Title](target "link title")", or a bullet before a block of YAML.
func (r *summaryReader) addItem(line string) error {
	expanded := strings.ReplaceAll(line, "\t", "    ")
	rest := strings.TrimLeft(expanded, " ")
	indent := len(expanded) - len(rest)
	content := strings.TrimLeft(rest[1:], " ")
	item := &SummaryItem{Line: r.at}
	fence := strings.TrimLeft(content, "`")
	switch ticks := len(content) - len(fence); {
	case ticks >= 3 && strings.EqualFold(strings.TrimSpace(fence), "yaml"):
		if err := r.readComputed(item, strings.Repeat("`", ticks)); err != nil {
			return err
		}
	case !readSummaryLink(item, content):
		return nil
	}
	for len(r.stack) > 0 && indent < r.stack[len(r.stack)-1].content {
		r.stack = r.stack[:len(r.stack)-1]
	}
	r.count++
	if r.count > MaxSummaryItems || len(r.stack) >= MaxSummaryDepth {
		return errs.New(errs.TooLarge, "line %d: the table of contents has more than %d entries or %d levels",
			item.Line,
			MaxSummaryItems, MaxSummaryDepth)
	}
	switch {
	case len(r.stack) > 0:
		parent := r.stack[len(r.stack)-1].item
		parent.Items = append(parent.Items, item)
	case r.group != nil:
		r.group.Items = append(r.group.Items, item)
	default:
		item.Divided = r.divided
		r.summary.Items = append(r.summary.Items, item)
	}
	r.divided = false
	r.stack = append(r.stack, summaryLevel{indent, indent + 2, item})
	return nil
}

// readSummaryLink reads the link of an entry.
func readSummaryLink(item *SummaryItem, content string) bool {
	p, err := reader.Read([]byte(content))
	if err != nil || len(p.Document.Nodes) != 1 || p.Document.Nodes[0].Type != doc.Paragraph {
		return false
	}
	for _, n := range p.Document.Nodes[0].Nodes {
		if n.Type != doc.Link {
			continue
		}
		data := n.Data.(*doc.ContentRefData)
		item.Title, item.Target, item.LinkTitle = dialect.SingleSpaced(n.PlainText()), data.Ref.URL, data.Title
		return true
	}
	return false
}

// readComputed reads the YAML of a computed page up to the closing fence.
func (r *summaryReader) readComputed(item *SummaryItem, fence string) error {
	start := r.at
	var block []string
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		r.at++
		if strings.TrimSpace(line) == fence {
			break
		}
		block = append(block, line)
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(outdent(block)), &root); err != nil {
		return errs.Wrap(err, errs.Invalid, "line %d: the YAML of a computed page is not valid (%s)", start,
			yamlReason(err))
	}
	values := nodeReader{}
	if len(root.Content) > 0 {
		item.Computed, _ = values.value(root.Content[0], 0).(map[string]any)
	}
	if item.Computed == nil || values.refused {
		return errs.New(errs.Invalid, "line %d: a computed page needs YAML with the keys type, props and dependencies",
			start)
	}
	item.Kind = SummaryComputed
	item.Title, _ = item.Computed["title"].(string)
	return nil
}

// outdent removes the indentation that all lines share.
func outdent(lines []string) string {
	common := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if indent := len(line) - len(strings.TrimLeft(line, " ")); common < 0 || indent < common {
			common = indent
		}
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line[min(max(common, 0), len(line)):])
		b.WriteByte('\n')
	}
	return b.String()
}

// inlineText returns the words of a line of Markdown.
func inlineText(line string) string {
	p, err := reader.Read([]byte(line))
	if err != nil || len(p.Document.Nodes) != 1 {
		return dialect.SingleSpaced(line)
	}
	return dialect.SingleSpaced(p.Document.Nodes[0].PlainText())
}

// WriteSummary writes a table of contents in the conventions of the dialect.
func WriteSummary(s *Summary) []byte {
	title := s.Title
	if title == "" {
		title = "Table of contents"
	}
	var b strings.Builder
	b.WriteString("# " + summaryText(title) + "\n")
	inGroup, open := false, false
	for _, item := range s.Items {
		switch {
		case item.Kind == SummaryGroup:
			if item.Divided {
				b.WriteString("\n***\n")
			}
			b.WriteString("\n## " + summaryText(item.Title))
			if item.Slug != "" {
				b.WriteString(" " + dialect.AnchorElement(item.Slug))
			}
			b.WriteString("\n\n")
			writeSummaryItems(&b, item.Items, 0)
			inGroup = true
		default:
			switch {
			case inGroup || item.Divided:
				b.WriteString("\n***\n\n")
			case !open:
				b.WriteString("\n")
			}
			writeSummaryItems(&b, []*SummaryItem{item}, 0)
			inGroup = false
		}
		open = true
	}
	return []byte(b.String())
}

func writeSummaryItems(b *strings.Builder, items []*SummaryItem, depth int) {
	indent := strings.Repeat("  ", depth)
	for _, item := range items {
		switch item.Kind {
		case SummaryComputed:
			source := dumpYAML(yamlNode(computedValue(item)))
			block := "```yaml\n" + strings.TrimRight(string(source), "\n") + "\n```"
			b.WriteString(dialect.PrefixLines(block, indent+"* ", indent+"  ") + "\n")
		default:
			title := ""
			if item.LinkTitle != "" {
				title = ` "` + dialect.EscapeTitle(item.LinkTitle) + `"`
			}
			b.WriteString(indent + "* [" + summaryText(item.Title) + "](" + dialect.LinkDestination(item.Target) +
				title +
				")\n")
		}
		writeSummaryItems(b, item.Items, depth+1)
	}
}

// computedValue returns the YAML of a computed page, with its title.
func computedValue(item *SummaryItem) map[string]any {
	value := maps.Clone(item.Computed)
	if value == nil {
		value = map[string]any{}
	}
	if item.Title != "" {
		value["title"] = item.Title
	}
	return value
}

// summaryText escapes a title for the words of a link or a heading.
func summaryText(title string) string {
	paragraph := doc.NewParagraph(doc.NewText(dialect.SingleSpaced(title)))
	link := doc.NewInline(doc.Link, &doc.ContentRefData{Ref: doc.URL("x")}, paragraph.Nodes...)
	text := strings.TrimSuffix(string(markdown.Write(&doc.Document{Nodes: []*doc.Node{doc.NewParagraph(link)}})),
		"](x)\n")
	return strings.TrimPrefix(text, "[")
}
