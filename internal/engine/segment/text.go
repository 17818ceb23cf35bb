package segment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/doc"
)

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func escape(text string) string { return escaper.Replace(text) }

// RunKind says what a part of a text is.
type RunKind int

// Kinds of runs.
const (
	RunText RunKind = iota
	RunOpen
	RunClose
	RunSingle
)

// Run is a stretch of characters, or one placeholder.
type Run struct {
	Kind RunKind
	// Text is the characters themselves, Code the number of a placeholder.
	Text string
	Code int
}

// Join writes runs as a text.
func Join(runs []Run) string {
	var b strings.Builder
	for _, r := range runs {
		if r.Kind == RunText {
			b.WriteString(escape(r.Text))
		} else {
			b.WriteString(r.mark())
		}
	}
	return b.String()
}

// Split cuts a text into runs. What looks like no placeholder is text.
func Split(text string) []Run {
	var runs []Run
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			runs = append(runs, Run{Text: plain.String()})
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
func placeholder(text string) (Run, int, bool) {
	end := strings.IndexByte(text[:min(len(text), 16)], '>')
	if end < 0 {
		return Run{}, 0, false
	}
	inner, kind := text[1:end], RunOpen
	switch {
	case strings.HasPrefix(inner, "/"):
		inner, kind = inner[1:], RunClose
	case strings.HasSuffix(inner, "/"):
		inner, kind = inner[:len(inner)-1], RunSingle
	}
	number, err := strconv.Atoi(inner)
	if err != nil || number < 1 || strconv.Itoa(number) != inner {
		return Run{}, 0, false
	}
	return Run{Kind: kind, Code: number}, end + 1, true
}

// Check says what keeps a text from being a translation of the content: a placeholder that is missing, comes twice, is
// unknown or is not closed, or a control character. Nil means that it is one.
func (c Content) Check(translation string) error {
	if at := strings.IndexFunc(translation, func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\n\r\t", r)
	}); at >= 0 {
		return fmt.Errorf("it has the control character %U", []rune(translation[at:])[0])
	}
	seen := make([]int, len(c.Codes))
	var open []int
	for _, r := range Split(translation) {
		if r.Kind == RunText {
			continue
		}
		if r.Code > len(c.Codes) {
			return fmt.Errorf("there is a placeholder %s, and the source has only %d", r.mark(), len(c.Codes))
		}
		pair := c.Codes[r.Code-1].Pair
		switch {
		case r.Kind == RunSingle && pair:
			return fmt.Errorf("the placeholder %d stands around text: write <%d>…</%d>, not <%d/>", r.Code, r.Code,
				r.Code, r.Code)
		case r.Kind != RunSingle && !pair:
			return fmt.Errorf("the placeholder %d stands for itself: write <%d/>, not %s", r.Code, r.Code, r.mark())
		case r.Kind == RunClose:
			if len(open) == 0 || open[len(open)-1] != r.Code {
				return fmt.Errorf("the placeholder %s closes what was not opened last", r.mark())
			}
			open = open[:len(open)-1]
			continue
		case r.Kind == RunOpen:
			open = append(open, r.Code)
		}
		if seen[r.Code-1]++; seen[r.Code-1] > 1 {
			return fmt.Errorf("the placeholder %s comes twice", r.mark())
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the placeholder <%d> is not closed", open[len(open)-1])
	}
	if missing := slices.Index(seen, 0); missing >= 0 {
		single := Run{Kind: RunSingle, Code: missing + 1}
		if c.Codes[missing].Pair {
			single.Kind = RunOpen
		}
		return fmt.Errorf("the placeholder %s is missing", single.mark())
	}
	return nil
}

func (r Run) mark() string {
	switch r.Kind {
	case RunOpen:
		return fmt.Sprintf("<%d>", r.Code)
	case RunClose:
		return fmt.Sprintf("</%d>", r.Code)
	case RunSingle:
		return fmt.Sprintf("<%d/>", r.Code)
	}
	return r.Text
}

// Translated returns the content with another text and the same placeholders. The text should have passed Check.
func (c Content) Translated(text string) Content { return Content{Text: text, Codes: c.Codes} }

// builder puts a content together as inlines.
type builder struct {
	codes       []Code
	attachments []*doc.Node
	annotations int
}

// nodes returns the inlines of a content. Annotations take what they say from attachments, one after the other; one
// that finds nothing is left out, its words stay.
func (c Content) nodes(attached []*doc.Node) []*doc.Node {
	b := &builder{codes: c.Codes, attachments: attached}
	nodes, _ := b.list(Split(c.Text), 0, nil)
	return nodes
}

// list builds runs until the code that stands around them is closed, and returns what is left.
func (b *builder) list(runs []Run, until int, marks []doc.Mark) (nodes []*doc.Node, rest []Run) {
	for len(runs) > 0 {
		r := runs[0]
		runs = runs[1:]
		switch r.Kind {
		case RunText:
			nodes = doc.AppendText(nodes, r.Text, marks)
		case RunClose:
			if r.Code == until {
				return nodes, runs
			}
		case RunSingle:
			if r.Code <= len(b.codes) && b.codes[r.Code-1].Node != nil {
				nodes = appendAll(nodes, restored(b.codes[r.Code-1], nil, nil))
			}
		case RunOpen:
			if r.Code > len(b.codes) {
				continue
			}
			var inside []*doc.Node
			code := b.codes[r.Code-1]
			inside, runs = b.list(runs, r.Code, joined(marks, code.Marks))
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
	for _, r := range Split(target.Text) {
		if r.Kind == RunText {
			b.WriteString(escape(r.Text))
			continue
		}
		if r.Code <= len(numbers) {
			r.Code = numbers[r.Code-1]
		}
		b.WriteString(r.mark())
	}
	return b.String()
}
