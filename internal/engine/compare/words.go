package compare

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// token is a word, a space or a sign of a text, or a whole inline.
type token struct {
	key string
	// text and marks are those of a token that is not a whole inline.
	text  string
	marks []doc.Mark
	// inline is the inline that the token is, or is in.
	inline *doc.Node
	length int
}

// divides reports whether a character stands between words.
func divides(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// alone reports whether a character is a word by itself, as in scripts without spaces.
func alone(r rune) bool {
	if r < 0x0e00 { // the first of them is Thai
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}

// split cuts a text into words, runs of spaces, and single signs.
func split(text string, yield func(string)) {
	kind := func(r rune) int {
		switch {
		case alone(r):
			return 0
		case unicode.IsSpace(r):
			return 1
		case !divides(r):
			return 2
		}
		return 0
	}
	start, last := 0, -1
	for i, r := range text {
		this := kind(r)
		// A combining mark belongs to what is before it.
		if last >= 0 && (this == 0 || this != last) && !(unicode.IsMark(r) && last != 1) {
			yield(text[start:i])
			start = i
		}
		last = this
	}
	if start < len(text) {
		yield(text[start:])
	}
}

// tokens cuts text and inlines into tokens. Inlines that hold nothing but text, links above all, are cut too.
func (c *comparer) tokens(nodes []*doc.Node) []token {
	var list []token
	texts := func(n, inline *doc.Node, prefix string) {
		for _, leaf := range n.Leaves {
			prefix := prefix + marks(leaf) + "\x01"
			split(leaf.Text, func(text string) {
				list = append(list, token{prefix + text, text, leaf.Marks, inline, len(text)})
			})
		}
	}
	for _, n := range nodes {
		switch {
		case n.Object == doc.ObjectText:
			texts(n, nil, "")
		case n.Object == doc.ObjectInline && !doc.IsVoid(n.Type) && len(n.Fragments) == 0 && onlyTexts(n):
			for _, child := range n.Nodes {
				texts(child, n, string(n.Type)+source(n)+"\x02")
			}
		default:
			list = append(list, token{"\x03" + c.sum(n), "", nil, n, len(n.PlainText())})
		}
	}
	return list
}

// onlyTexts reports whether an inline holds text alone, and some of it.
func onlyTexts(n *doc.Node) bool {
	some := false
	for _, child := range n.Nodes {
		if child.Object != doc.ObjectText {
			return false
		}
		for _, leaf := range child.Leaves {
			some = some || leaf.Text != ""
		}
	}
	return some
}

// stretch is a run before it is written: the tokens of each side, those of both when they are the same.
type stretch struct {
	same          bool
	before, after []token
}

// words compares text and inlines word by word.
func (c *comparer) words(before, after []*doc.Node) []Run {
	older, newer := c.tokens(before), c.tokens(after)
	keys := func(list []token) []string {
		keys := make([]string, len(list))
		for i, each := range list {
			keys[i] = each.key
		}
		return keys
	}
	var stretches []stretch
	at, atAfter := 0, 0
	for _, h := range c.between(keys(older), keys(newer)) {
		if h.Before.Start > at {
			stretches = append(stretches, stretch{true, older[at:h.Before.Start], newer[atAfter:h.After.Start]})
		}
		stretches = append(stretches, stretch{false, older[h.Before.Start:h.Before.End],
			newer[h.After.Start:h.After.End]})
		at, atAfter = h.Before.End, h.After.End
	}
	if at < len(older) {
		stretches = append(stretches, stretch{true, older[at:], newer[atAfter:]})
	}
	var runs []Run
	for _, s := range readable(stretches) {
		if s.same {
			runs = append(runs, Run{Same, written(s.after, s.before)})
			continue
		}
		if len(s.before) > 0 {
			runs = append(runs, Run{Deleted, written(s.before, nil)})
		}
		if len(s.after) > 0 {
			runs = append(runs, Run{Added, written(s.after, nil)})
		}
	}
	return runs
}

// readable joins changes between which nothing but a space or a sign is the same: three words in a row that were
// replaced are one replacement. When next to nothing is the same, all is one.
func readable(stretches []stretch) []stretch {
	var joined []stretch
	for i, s := range stretches {
		last := len(joined) - 1
		between := s.same && i > 0 && i+1 < len(stretches) && slight(s.after)
		if last >= 0 && !joined[last].same && (between || !s.same) {
			joined[last].before = append(joined[last].before, s.before...)
			joined[last].after = append(joined[last].after, s.after...)
			continue
		}
		// What is joined to a stretch must not be written over the tokens behind it.
		joined = append(joined, stretch{s.same, slices.Clip(s.before), slices.Clip(s.after)})
	}
	same, all := 0, 0
	for _, s := range joined {
		older, newer := lengthOf(s.before), lengthOf(s.after)
		if s.same {
			same += older
		}
		all += max(older, newer)
	}
	if len(joined) < 4 || same*5 >= all {
		return joined
	}
	var whole stretch
	for _, s := range joined {
		whole.before, whole.after = append(whole.before, s.before...), append(whole.after, s.after...)
	}
	return []stretch{whole}
}

// slight reports whether tokens are nothing but one space or sign.
func slight(tokens []token) bool {
	return len(tokens) == 1 && tokens[0].inline == nil && strings.IndexFunc(tokens[0].text, divides) == 0
}

func lengthOf(tokens []token) int {
	sum := 0
	for _, each := range tokens {
		sum += each.length
	}
	return sum
}

// written puts tokens together into text nodes and inlines. Tokens of one inline stay one; those of beside, the same
// tokens on the other side, must be of one there, too.
func written(tokens, beside []token) []*doc.Node {
	var nodes []*doc.Node
	for start := 0; start < len(tokens); {
		end := start + 1
		for end < len(tokens) && together(tokens, end) && (beside == nil || together(beside, end)) {
			end++
		}
		nodes = append(nodes, node(tokens[start:end]))
		start = end
	}
	return nodes
}

// together reports whether a token belongs to the same node as the one before it.
func together(tokens []token, at int) bool {
	return tokens[at-1].inline == tokens[at].inline && !tokens[at].whole() && !tokens[at-1].whole()
}

// whole reports whether the token is an inline and no part of its text.
func (t token) whole() bool { return t.inline != nil && t.text == "" }

// node makes a text node or an inline of tokens that belong together.
func node(tokens []token) *doc.Node {
	if tokens[0].whole() {
		return tokens[0].inline
	}
	n := &doc.Node{Object: doc.ObjectText}
	for start := 0; start < len(tokens); {
		end := start
		var text strings.Builder
		for end < len(tokens) && slices.Equal(tokens[start].marks, tokens[end].marks) {
			text.WriteString(tokens[end].text)
			end++
		}
		n.Leaves = append(n.Leaves, doc.Leaf{Text: text.String(), Marks: tokens[start].marks})
		start = end
	}
	if tokens[0].inline == nil {
		return n
	}
	inline := *tokens[0].inline
	inline.Nodes, inline.Key = []*doc.Node{n}, ""
	return &inline
}
