package render

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// codeView changes how a code block shows.
type codeView struct {
	// collapse is a number of lines to show at first, "" for what the block says.
	collapse string
	// diagram is the language of a drawing that a script makes of the code.
	diagram string
}

// Lines of a code block past maxLines are printed without markup of their own: a line's tags are longer than a line.
const (
	maxLines         = 20_000
	defaultCollapsed = 10
)

// codeLine is one line made ready: its text, what it is marked as, and the notes on it.
type codeLine struct {
	text                        string
	highlighted, added, removed bool
	notes                       []codeNote
}

// codeNote is an annotated stretch of a line.
type codeNote struct {
	start, end int
	node       *doc.Node
}

// code appends a code block:
//
//	<figure class="block-code"><figcaption class="code-title">…</figcaption><pre class="chroma"><code>
//	<span class="line">…</span>…</code></pre></figure>
//
// The text of the code element is the source, so that a script can copy it.
func (p *page) code(n *doc.Node, view codeView) {
	data := dataOf[doc.CodeData](n)
	// Some tools write attributes behind the language: "rust,ignore".
	written, _, _ := strings.Cut(data.Syntax, ",")
	language := safeName(strings.TrimSpace(written))
	if diagram := oneOf("", language, "mermaid"); diagram != "" {
		view.diagram = diagram
	}
	lines := codeLines(n)
	numbered := isSet(data.LineNumbers)
	wrap := data.Overflow == "wrap"
	p.open("figure", "class", classes("block-code", when(view.diagram != "", "block-diagram"), when(wrap, "code-wrap"),
		when(numbered, "code-numbered"), when(isSet(data.FullWidth), "is-full")),
		"data-language", language, "data-diagram", view.diagram, "data-code", bare)
	if data.Title != "" {
		p.raw(`<figcaption class="code-title">`)
		p.text(data.Title)
		p.raw(`</figcaption>`)
	}
	// A region that scrolls has to be in reach of the keyboard.
	p.open("pre", "class", "chroma", "tabindex", when(!wrap, "0"))
	p.open("code", "class", oneOfLanguage(language))
	shown := collapsedLines(data, view, len(lines))
	p.codeLines(lines, language, numbered, shown)
	p.raw("</code></pre>")
	if shown < len(lines) {
		p.raw(`<label class="code-expand"><input type="checkbox" class="code-toggle"><span class="code-more">`)
		p.text(label(p.labels.ShowLines, strconv.Itoa(len(lines))))
		p.raw(`</span><span class="code-less">`)
		p.text(p.labels.ShowLess)
		p.raw(`</span></label>`)
	}
	p.raw("</figure>\n")
}

func oneOfLanguage(language string) string {
	if language == "" {
		return ""
	}
	return "language-" + language
}

// collapsedLines is how many lines show before the block is expanded; all of them when it is not expandable.
func collapsedLines(data *doc.CodeData, view codeView, lines int) int {
	shown := lines
	if count, err := strconv.Atoi(view.collapse); err == nil {
		shown = count
	} else if isSet(data.Expandable) {
		shown = defaultCollapsed
		if data.CollapsedLineCount != nil && *data.CollapsedLineCount > 0 {
			shown = *data.CollapsedLineCount
		}
	}
	if shown >= lines || lines > maxLines {
		return lines
	}
	return shown
}

func (p *page) codeLines(lines []codeLine, language string, numbered bool, shown int) {
	if len(lines) > maxLines {
		for _, line := range lines {
			p.text(line.text + "\n")
		}
		return
	}
	tokens := p.highlight(lines, language)
	for i, line := range lines {
		number := ""
		if numbered {
			number = strconv.Itoa(i + 1)
		}
		p.open("span", "class", classes("line", when(line.highlighted, "is-highlighted"), when(line.added, "is-added"),
			when(line.removed, "is-removed"), when(i >= shown, "is-rest")), "data-line", number)
		if tokens == nil {
			p.codeTokens(line, []token{{text: line.text}})
		} else {
			p.codeTokens(line, tokens[i])
		}
		p.raw("\n</span>")
		if p.failure != nil {
			return
		}
	}
}

// codeTokens appends the tokens of a line, with its notes around what they are on.
func (p *page) codeTokens(line codeLine, tokens []token) {
	at := 0
	notes := line.notes
	for _, t := range tokens {
		for t.text != "" {
			// A token is cut where a note begins or ends.
			end := at + len(t.text)
			if len(notes) > 0 {
				if at == notes[0].start {
					p.raw(`<span class="annotation">`)
				}
				if at < notes[0].start {
					end = min(end, notes[0].start)
				} else {
					end = min(end, notes[0].end)
				}
			}
			p.codeToken(t.class, t.text[:end-at])
			t.text = t.text[end-at:]
			at = end
			for len(notes) > 0 && at >= notes[0].end {
				p.noteReference(notes[0].node)
				p.raw("</span>")
				notes = notes[1:]
			}
		}
	}
}

func (p *page) codeToken(class, text string) {
	if class == "" || text == "" {
		p.text(text)
		return
	}
	p.raw(`<span class="`, class, `">`)
	p.text(text)
	p.raw(`</span>`)
}

// codeLines reads the lines of a code block. A line break inside a line makes two.
func codeLines(n *doc.Node) []codeLine {
	lines := make([]codeLine, 0, len(n.Nodes))
	for _, child := range n.Nodes {
		lines = append(lines, readLine(child)...)
	}
	return lines
}

func readLine(n *doc.Node) []codeLine {
	line := codeLine{highlighted: dataOf[doc.CodeLineData](n).Highlighted}
	var text strings.Builder
	nodes := n.Nodes
	if n.Object != doc.ObjectBlock {
		nodes = []*doc.Node{n}
	}
	for _, child := range nodes {
		start := text.Len()
		switch child.Type {
		case doc.Expression:
			text.WriteString("{{" + dataOf[doc.ExpressionData](child).Expression + "}}")
		default:
			text.WriteString(child.PlainText())
		}
		if child.Type == doc.Annotation && text.Len() > start {
			line.notes = append(line.notes, codeNote{start: start, end: text.Len(), node: child})
		}
	}
	line.text = text.String()
	if strings.Contains(line.text, "\n") && len(line.notes) == 0 {
		var lines []codeLine
		for part := range strings.SplitSeq(line.text, "\n") {
			lines = append(lines, codeLine{text: part, highlighted: line.highlighted})
		}
		return lines
	}
	line.text = strings.ReplaceAll(line.text, "\n", " ")
	line.marker()
	return []codeLine{line}
}

// diffMarker is a comment at the end of a line that says that it was added or removed.
var diffMarker = regexp.MustCompile(`\s*(?://|#|--|;|%|/\*|<!--)\s*\[!code (\+\+|--)\]\s*(?:\*/|-->)?\s*$`)

// marker takes a diff marker off the line.
func (l *codeLine) marker() {
	if !strings.Contains(l.text, "[!code ") {
		return
	}
	found := diffMarker.FindStringSubmatchIndex(l.text)
	if found == nil || len(l.notes) > 0 && l.notes[len(l.notes)-1].end > found[0] {
		return
	}
	l.added = l.text[found[2]:found[3]] == "++"
	l.removed = !l.added
	l.text = l.text[:found[0]]
}
