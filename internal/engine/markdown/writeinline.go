package markdown

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// inlineStyle is how the inlines of one block are written.
type inlineStyle struct {
	html bool // all as HTML
	safe bool // every character that could mean something as a reference, breaks as elements
	tags bool // marks, links and emoji as elements
	line bool // on one line: headings and cells
	mask bool // after an empty element, so that raw HTML at the start does not make a block
	head bool // in a heading, where "#" at the end means nothing
	cell bool // inside a cell of a pipe table
}

// part is a piece of a line: markup, a text that is still to be escaped, or the start or end of a mark.
type part struct {
	text  string
	leaf  bool // text holds characters, not markup
	link  bool // it stands between the brackets of a link
	mark  *openMark
	start bool
}

// openMark is one run of a mark.
type openMark struct {
	mark       doc.Mark
	start, end string // what is written for it
}

// run is a text or inline with the marks on it; anyMarks says that marks make no difference to it.
type run struct {
	leaf     *doc.Leaf
	node     *doc.Node
	marks    []doc.Mark
	anyMarks bool
}

// inlineWriter writes the texts and inlines of one block.
type inlineWriter struct {
	writer *writer
	style  inlineStyle
	parts  []part
	links  int // how many links are around
}

// inline writes texts and inlines in a style.
func (w *writer) inline(nodes []*doc.Node, style inlineStyle) string {
	i := &inlineWriter{writer: w, style: style}
	if style.mask {
		i.write("<b></b>")
	}
	i.nodes(nodes, nil)
	i.escapeParts()
	i.chooseMarks()
	var b strings.Builder
	for _, p := range i.parts {
		switch {
		case p.mark == nil:
			b.WriteString(p.text)
		case p.start:
			b.WriteString(p.mark.start)
		default:
			b.WriteString(p.mark.end)
		}
	}
	return b.String()
}

// runsOf flattens texts and inlines; base are the marks that are open around them.
func runsOf(nodes []*doc.Node, base []doc.Mark) []run {
	var runs []run
	for _, n := range nodes {
		if n.Object == doc.ObjectText {
			for i := range n.Leaves {
				runs = append(runs, run{leaf: &n.Leaves[i], marks: without(n.Leaves[i].Marks, base)})
			}
			continue
		}
		r := run{node: n}
		if n.Type == doc.Link || n.Type == doc.Annotation {
			r.marks, r.anyMarks = commonMarks(n.Nodes)
			r.marks = without(r.marks, base)
		} else {
			r.anyMarks = true
		}
		runs = append(runs, r)
	}
	return runs
}

// without returns marks that are not among others.
func without(marks, others []doc.Mark) []doc.Mark {
	if len(others) == 0 {
		return marks
	}
	var rest []doc.Mark
	for _, m := range marks {
		if !slices.Contains(others, m) {
			rest = append(rest, m)
		}
	}
	return rest
}

// commonMarks returns the marks that all texts below nodes have; none says that there are no texts.
func commonMarks(nodes []*doc.Node) (marks []doc.Mark, none bool) {
	none = true
	var visit func(nodes []*doc.Node)
	visit = func(nodes []*doc.Node) {
		for _, n := range nodes {
			for _, leaf := range n.Leaves {
				if none {
					marks, none = slices.Clone(leaf.Marks), false
					continue
				}
				marks = slices.DeleteFunc(marks, func(m doc.Mark) bool { return !slices.Contains(leaf.Marks, m) })
			}
			visit(n.Nodes)
		}
	}
	visit(nodes)
	// Code cannot be around a link: what it holds is literal.
	marks = slices.DeleteFunc(marks, func(m doc.Mark) bool { return m.Type == doc.CodeMark })
	return marks, none
}

// nodes adds the parts of texts and inlines; base are the marks that are open around them.
func (i *inlineWriter) nodes(nodes []*doc.Node, base []doc.Mark) {
	runs := runsOf(nodes, base)
	var open []*openMark
	closeTo := func(depth int) {
		for len(open) > depth {
			i.parts = append(i.parts, part{mark: open[len(open)-1]})
			open = open[:len(open)-1]
		}
	}
	for at, r := range runs {
		keep := 0
		for keep < len(open) && (slices.Contains(r.marks, open[keep].mark) || r.anyMarks &&
			stays(runs[at:], open[keep].mark)) {
			keep++
		}
		closeTo(keep)
		for _, m := range i.markOrder(runs[at:], r.marks) {
			if slices.ContainsFunc(open, func(o *openMark) bool { return o.mark == m }) || r.leaf != nil &&
				m.Type == doc.CodeMark {
				continue
			}
			o := &openMark{mark: m}
			open = append(open, o)
			i.parts = append(i.parts, part{mark: o, start: true})
		}
		if r.leaf != nil {
			i.leaf(r.leaf)
			continue
		}
		marks := slices.Clone(base)
		for _, o := range open {
			marks = append(marks, o.mark)
		}
		i.node(r.node, marks, previousText(runs, at))
	}
	closeTo(0)
}

// stays reports whether a mark that is open goes on behind nodes that marks make no difference to.
func stays(runs []run, m doc.Mark) bool {
	for _, r := range runs {
		if !r.anyMarks {
			return slices.Contains(r.marks, m)
		}
	}
	return false
}

// markOrder returns marks in the order in which they open: the one that lasts longest first, and among equals the
// dialect's order from the outside in.
func (i *inlineWriter) markOrder(runs []run, marks []doc.Mark) []doc.Mark {
	if len(marks) < 2 {
		return marks
	}
	length := func(m doc.Mark) int {
		n := 0
		for n < len(runs) && (runs[n].anyMarks || slices.Contains(runs[n].marks, m)) {
			n++
		}
		return n
	}
	ordered := slices.Clone(marks)
	slices.SortStableFunc(ordered, func(a, b doc.Mark) int {
		if d := length(b) - length(a); d != 0 {
			return d
		}
		return markRank(a.Type) - markRank(b.Type)
	})
	return ordered
}

func markRank(t doc.MarkType) int {
	switch t {
	case doc.Color:
		return 0
	case doc.Strikethrough:
		return 1
	case doc.Italic:
		return 2
	case doc.Bold:
		return 3
	case doc.Superscript, doc.Subscript:
		return 4
	case doc.Keyboard:
		return 5
	}
	return 6
}

// previousText returns the leaf right before a run, or nil.
func previousText(runs []run, at int) *doc.Leaf {
	if at > 0 {
		return runs[at-1].leaf
	}
	return nil
}

// write adds markup.
func (i *inlineWriter) write(text string) { i.parts = append(i.parts, part{text: text}) }

// words adds characters that are escaped later, when what stands around them is known.
func (i *inlineWriter) words(text string) {
	if text != "" {
		i.parts = append(i.parts, part{text: text, leaf: true, link: i.links > 0})
	}
}

// before returns the last character so far, a line feed at the start, and an asterisk after a mark.
func (i *inlineWriter) before() rune { return i.charBefore(len(i.parts)) }

// leaf writes a text.
func (i *inlineWriter) leaf(leaf *doc.Leaf) {
	code := slices.ContainsFunc(leaf.Marks, func(m doc.Mark) bool { return m.Type == doc.CodeMark })
	switch {
	case code && !i.style.html && !i.style.tags && isCodeSpan(leaf.Text) && i.before() != '`':
		i.write(codeSpan(leaf.Text, i.style.cell))
	case code:
		i.write("<code>")
		i.words(leaf.Text)
		i.write("</code>")
	default:
		i.words(leaf.Text)
	}
}

// isCodeSpan reports whether a text can stand between backticks.
func isCodeSpan(text string) bool {
	return !strings.Contains(text, "\n") && strings.TrimSpace(text) != ""
}

// codeSpan writes a text between enough backticks.
func codeSpan(text string, cell bool) string {
	backticks := 1
	for containsRun(text, backticks) {
		backticks++
	}
	fence := strings.Repeat("`", backticks)
	first, last := text[0], text[len(text)-1]
	if first == '`' || last == '`' || first == ' ' && last == ' ' {
		text = " " + text + " "
	}
	if cell {
		text = strings.ReplaceAll(text, "|", `\|`)
	}
	return fence + text + fence
}

// containsRun reports whether a text has a run of exactly n backticks.
func containsRun(text string, n int) bool {
	run := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] == '`' {
			run++
			continue
		}
		if run == n {
			return true
		}
		run = 0
	}
	return false
}

// chooseMarks decides how every mark is written: as Markdown where that reads back, as an element otherwise.
func (i *inlineWriter) chooseMarks() {
	starts := map[*openMark]int{}
	for at, p := range i.parts {
		switch {
		case p.mark == nil:
		case p.start:
			starts[p.mark] = at
		default:
			i.choose(p.mark, starts[p.mark], at)
		}
	}
}

func (i *inlineWriter) choose(o *openMark, start, end int) {
	o.start, o.end = i.markElement(o.mark)
	if i.style.html || i.style.tags {
		return
	}
	var delimiters []string
	switch o.mark.Type {
	case doc.Bold:
		delimiters = []string{"**"}
	case doc.Italic:
		delimiters = []string{"_", "*"}
	case doc.Strikethrough:
		delimiters = []string{"~~"}
	}
	for _, d := range delimiters {
		if d == "*" && (i.isMark(start-1) || i.isMark(start+1) || i.isMark(end-1) || i.isMark(end+1)) {
			continue // next to other delimiters it would make a longer run
		}
		if d == "~~" && (i.charBefore(start) == '~' || i.charAfter(start) == '~') {
			continue
		}
		if canOpen(i.charBefore(start), i.charAfter(start), d[0]) && canClose(i.charBefore(end), i.charAfter(end),
			d[0]) {
			o.start, o.end = d, d
			return
		}
	}
}

func (i *inlineWriter) isMark(at int) bool {
	return at >= 0 && at < len(i.parts) && i.parts[at].mark != nil
}

// charBefore and charAfter return the characters around a part; another mark counts as punctuation.
func (i *inlineWriter) charBefore(at int) rune {
	for at--; at >= 0; at-- {
		if i.parts[at].mark != nil {
			return '*'
		}
		if i.parts[at].text != "" {
			r, _ := utf8.DecodeLastRuneInString(i.parts[at].text)
			return r
		}
	}
	return '\n'
}

func (i *inlineWriter) charAfter(at int) rune {
	for at++; at < len(i.parts); at++ {
		if i.parts[at].mark != nil {
			return '*'
		}
		if i.parts[at].text != "" {
			r, _ := utf8.DecodeRuneInString(i.parts[at].text)
			return r
		}
	}
	return '\n'
}

// canOpen and canClose are CommonMark's rules for delimiter runs.
func canOpen(before, after rune, delimiter byte) bool {
	left, right := flanking(before, after)
	if delimiter == '_' {
		return left && (!right || util.IsPunctRune(before))
	}
	return left
}

func canClose(before, after rune, delimiter byte) bool {
	left, right := flanking(before, after)
	if delimiter == '_' {
		return right && (!left || util.IsPunctRune(after))
	}
	return right
}

func flanking(before, after rune) (left, right bool) {
	spaceBefore, spaceAfter := util.IsSpaceRune(before), util.IsSpaceRune(after)
	punctBefore, punctAfter := util.IsPunctRune(before), util.IsPunctRune(after)
	left = !spaceAfter && (!punctAfter || spaceBefore || punctBefore)
	right = !spaceBefore && (!punctBefore || spaceAfter || punctAfter)
	return left, right
}

// markElement returns the tags of a mark as HTML. An element that also stands alone in the block would pair with it, so
// another one of the same meaning is taken.
func (i *inlineWriter) markElement(m doc.Mark) (start, end string) {
	var names []string
	switch m.Type {
	case doc.Bold:
		names = []string{"strong", "b"}
	case doc.Italic:
		names = []string{"em", "i"}
	case doc.Strikethrough:
		names = []string{"del", "s", "strike"}
	case doc.CodeMark:
		names = []string{"code"}
	case doc.Keyboard:
		names = []string{"kbd"}
	case doc.Superscript:
		names = []string{"sup"}
	case doc.Subscript:
		names = []string{"sub"}
	}
	for _, name := range names {
		if !i.hasMarkup("<"+name+">") && !i.hasMarkup("</"+name+">") || name == names[len(names)-1] {
			return "<" + name + ">", "</" + name + ">"
		}
	}
	style := ""
	if m.Text != "default" || m.Background == "default" {
		style = "color:" + m.Text + ";"
	}
	if m.Background != "default" {
		style += "background-color:" + m.Background + ";"
	}
	return `<mark style="` + style + `">`, "</mark>"
}

// hasMarkup reports whether a part is exactly some markup.
func (i *inlineWriter) hasMarkup(markup string) bool {
	return slices.ContainsFunc(i.parts, func(p part) bool { return p.mark == nil && p.text == markup })
}
