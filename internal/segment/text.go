package segment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/doc"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escape(text string) string { return escaper.Replace(text) }

// RunKind says what a part of a text is.
type runKind int

const (
	runText runKind = iota
	runOpen
	runClose
	runSingle
)

// run is a stretch of characters, or one placeholder.
type run struct {
	kind runKind
	text string // unescaped
	code int
}

// split cuts a text into runs. What looks like no placeholder is text.
func split(text string) []run {
	var runs []run
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			runs = append(runs, run{text: plain.String()})
			plain.Reset()
		}
	}
	for text != "" {
		at := strings.IndexAny(text, "<&")
		if at < 0 {
			plain.WriteString(text)
			break
		}
		plain.WriteString(text[:at])
		text = text[at:]
		if text[0] == '&' {
			character, length := entity(text)
			plain.WriteString(character)
			text = text[length:]
			continue
		}
		r, length, ok := placeholder(text)
		if !ok {
			plain.WriteByte('<')
			text = text[1:]
			continue
		}
		flush()
		runs = append(runs, r)
		text = text[length:]
	}
	flush()
	return runs
}

func entity(text string) (character string, length int) {
	for _, e := range [][2]string{{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}} {
		if strings.HasPrefix(text, e[0]) {
			return e[1], len(e[0])
		}
	}
	return "&", 1
}

// placeholder reads one at the beginning of a text.
func placeholder(text string) (run, int, bool) {
	end := strings.IndexByte(text[:min(len(text), 16)], '>')
	if end < 0 {
		return run{}, 0, false
	}
	inner, kind := text[1:end], runOpen
	switch {
	case strings.HasPrefix(inner, "/"):
		inner, kind = inner[1:], runClose
	case strings.HasSuffix(inner, "/"):
		inner, kind = inner[:len(inner)-1], runSingle
	}
	number, err := strconv.Atoi(inner)
	if err != nil || number < 1 || strconv.Itoa(number) != inner {
		return run{}, 0, false
	}
	return run{kind: kind, code: number}, end + 1, true
}

// Check says what keeps a text from being a translation of the content: a placeholder that is missing, comes twice, is
// unknown or is not closed. Nil means that it is one.
func (c Content) Check(translation string) error {
	seen := make([]int, len(c.Codes))
	var open []int
	for _, r := range split(translation) {
		if r.kind == runText {
			continue
		}
		if r.code > len(c.Codes) {
			return fmt.Errorf("there is a placeholder %s, and the source has only %d", r.mark(), len(c.Codes))
		}
		pair := c.Codes[r.code-1].Pair
		switch {
		case r.kind == runSingle && pair:
			return fmt.Errorf("the placeholder %d stands around text: write <%d>…</%d>, not <%d/>", r.code, r.code, r.code, r.code)
		case r.kind != runSingle && !pair:
			return fmt.Errorf("the placeholder %d stands for itself: write <%d/>, not %s", r.code, r.code, r.mark())
		case r.kind == runClose:
			if len(open) == 0 || open[len(open)-1] != r.code {
				return fmt.Errorf("the placeholder %s closes what was not opened last", r.mark())
			}
			open = open[:len(open)-1]
			continue
		case r.kind == runOpen:
			open = append(open, r.code)
		}
		if seen[r.code-1]++; seen[r.code-1] > 1 {
			return fmt.Errorf("the placeholder %s comes twice", r.mark())
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the placeholder <%d> is not closed", open[len(open)-1])
	}
	if missing := slices.Index(seen, 0); missing >= 0 {
		single := run{kind: runSingle, code: missing + 1}
		if c.Codes[missing].Pair {
			single.kind = runOpen
		}
		return fmt.Errorf("the placeholder %s is missing", single.mark())
	}
	return nil
}

func (r run) mark() string {
	switch r.kind {
	case runOpen:
		return fmt.Sprintf("<%d>", r.code)
	case runClose:
		return fmt.Sprintf("</%d>", r.code)
	case runSingle:
		return fmt.Sprintf("<%d/>", r.code)
	}
	return r.text
}

// Translated returns the content with another text and the same placeholders. The text should have passed Check.
func (c Content) Translated(text string) Content { return Content{Text: text, Codes: c.Codes} }

// builder puts a content together as inlines.
type builder struct {
	codes       []Code
	attachments []*doc.Node
	annotations int
}

// nodes returns the inlines of a content. Annotations take what they say from attachments, one after the other; one that
// finds nothing is left out, its words stay.
func (c Content) nodes(attached []*doc.Node) []*doc.Node {
	b := &builder{codes: c.Codes, attachments: attached}
	nodes, _ := b.list(split(c.Text), 0, nil)
	return nodes
}

// list builds runs until the code that stands around them is closed, and returns what is left.
func (b *builder) list(runs []run, until int, marks []doc.Mark) (nodes []*doc.Node, rest []run) {
	for len(runs) > 0 {
		r := runs[0]
		runs = runs[1:]
		switch r.kind {
		case runText:
			nodes = doc.AppendText(nodes, r.text, marks)
		case runClose:
			if r.code == until {
				return nodes, runs
			}
		case runSingle:
			if r.code <= len(b.codes) && b.codes[r.code-1].Node != nil {
				nodes = appendAll(nodes, restored(b.codes[r.code-1], nil, nil))
			}
		case runOpen:
			if r.code > len(b.codes) {
				continue
			}
			var inside []*doc.Node
			code := b.codes[r.code-1]
			inside, runs = b.list(runs, r.code, joined(marks, code.Marks))
			nodes = appendAll(nodes, b.around(code, inside))
		}
	}
	return nodes, nil
}

func (b *builder) around(code Code, inside []*doc.Node) []*doc.Node {
	if code.Node == nil || code.Node.Type != doc.Annotation {
		return restored(code, inside, nil)
	}
	if b.annotations >= len(b.attachments) {
		return inside
	}
	b.annotations++
	return restored(code, inside, b.attachments[b.annotations-1].Fragments)
}

// restored returns what a code stands for, around what is inside it.
func restored(code Code, inside, fragments []*doc.Node) []*doc.Node {
	if code.Node == nil {
		if len(inside) == 1 && inside[0].Object == doc.ObjectText {
			return []*doc.Node{withMarks(inside[0], code.Marks)}
		}
		return inside
	}
	n := code.Node.Clone()
	switch data := n.Data.(type) {
	case *doc.InlineImageData:
		data.Alt = words(inside)
		return []*doc.Node{n}
	case *doc.ButtonData:
		data.Label = words(inside)
		return []*doc.Node{n}
	}
	n.Nodes, n.Fragments = inside, fragments
	if code.Pair && len(n.Nodes) == 0 {
		n.Nodes = []*doc.Node{doc.NewText("")}
	}
	return []*doc.Node{n}
}

// words is the text of inlines, where marks have no place.
func words(nodes []*doc.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.PlainText())
	}
	return b.String()
}

func withMarks(n *doc.Node, marks []doc.Mark) *doc.Node {
	c := n.Clone()
	for i := range c.Leaves {
		c.Leaves[i].Marks = joined(marks, c.Leaves[i].Marks)
	}
	return c
}

// joined returns marks with more of them, each type once.
func joined(marks, more []doc.Mark) []doc.Mark {
	all := slices.Clone(marks)
	for _, mark := range more {
		if !slices.ContainsFunc(all, func(m doc.Mark) bool { return m.Type == mark.Type }) {
			all = append(all, mark)
		}
	}
	return all
}

// appendAll appends nodes, joining texts as the parser does.
func appendAll(nodes, more []*doc.Node) []*doc.Node {
	for _, n := range more {
		if n.Object != doc.ObjectText {
			nodes = append(nodes, n)
			continue
		}
		for _, leaf := range n.Leaves {
			nodes = doc.AppendText(nodes, leaf.Text, leaf.Marks)
		}
	}
	return nodes
}

// Express writes a target with the numbers of its source's placeholders. What the source has no placeholder for gets
// numbers beyond those of the source.
func Express(source, target Content) string {
	numbers := make([]int, len(target.Codes))
	used := make([]bool, len(source.Codes))
	next := len(source.Codes)
	for k, code := range target.Codes {
		key := Content{Codes: []Code{code}}.Hash()
		for i, other := range source.Codes {
			if !used[i] && (Content{Codes: []Code{other}}).Hash() == key {
				numbers[k], used[i] = i+1, true
				break
			}
		}
		if numbers[k] == 0 {
			next++
			numbers[k] = next
		}
	}
	var b strings.Builder
	for _, r := range split(target.Text) {
		if r.kind == runText {
			b.WriteString(escape(r.text))
			continue
		}
		if r.code <= len(numbers) {
			r.code = numbers[r.code-1]
		}
		b.WriteString(r.mark())
	}
	return b.String()
}
