package comment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// reach is how many characters on either side of a quote are kept to find it again.
const reach = 64

// Limits of a comment on a range of text.
const (
	// MaxQuote is the longest text that a comment can quote, in characters.
	MaxQuote = 1000
	// MaxSuggestion is the longest text that a suggestion can put in its place, in characters.
	MaxSuggestion = 2000
)

// quote is what an anchor keeps of a range of text: its words, and those around it in its block. White space is one
// space each.
type quote struct {
	Words  string `json:"words"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// suggestion is what an anchor keeps of a text that is to stand in the place of its quote.
type suggestion struct {
	Text    string `json:"text"`
	Applied bool   `json:"applied,omitempty"`
}

// isPassage reports whether a block is one that ranges of text are in: one that holds text, or code as a whole.
func isPassage(node *doc.Node) bool {
	return node.Object == doc.ObjectBlock && node.Type != doc.CodeLine &&
		(doc.HoldsText(node.Type) || node.Type == doc.Code)
}

// letter is a character of a passage.
type letter struct {
	r rune
	// text is the text node that the character is in, leaf the number of its leaf and at its place there in bytes; nil
	// for what stands for an inline without text of its own, and for what is between two lines of code.
	text     *doc.Node
	leaf, at int
}

// letters returns the characters of a passage: those of its texts, and what inlines stand for. What is said of a word
// elsewhere, such as an annotation, is no part of it.
func letters(node *doc.Node) []letter {
	var all []letter
	var visit func(nodes []*doc.Node)
	visit = func(nodes []*doc.Node) {
		for i, child := range nodes {
			switch {
			case child.Object == doc.ObjectText:
				for number, leaf := range child.Leaves {
					for at, r := range leaf.Text {
						all = append(all, letter{r, child, number, at})
					}
				}
			case child.Object == doc.ObjectInline && doc.IsVoid(child.Type):
				for _, r := range child.PlainText() {
					all = append(all, letter{r: r})
				}
			default:
				if i > 0 && child.Object == doc.ObjectBlock {
					all = append(all, letter{r: '\n'})
				}
				visit(child.Nodes)
			}
		}
	}
	visit(node.Nodes)
	return all
}

// passage is the text of a passage with one space for all white space that is together, none at its edges. from says
// for each byte which letter it is of.
func passage(all []letter) (text string, from []int) {
	var b strings.Builder
	space := -1
	for i, l := range all {
		if unicode.IsSpace(l.r) {
			if space < 0 {
				space = i
			}
			continue
		}
		if space >= 0 && b.Len() > 0 {
			b.WriteByte(' ')
			from = append(from, space)
		}
		space = -1
		b.WriteRune(l.r)
		for len(from) < b.Len() {
			from = append(from, i)
		}
	}
	return b.String(), from
}

// quoteAt is the quote of a part of a passage's text.
func quoteAt(text string, at, length int) quote {
	before, after := text[:at], text[at+length:]
	for start, n := len(before), 0; ; n++ {
		if n == reach || start == 0 {
			before = before[start:]
			break
		}
		_, size := utf8.DecodeLastRuneInString(before[:start])
		start -= size
	}
	for end, n := 0, 0; ; n++ {
		if n == reach || end == len(after) {
			after = after[:end]
			break
		}
		_, size := utf8.DecodeRuneInString(after[end:])
		end += size
	}
	return quote{Words: text[at : at+length], Before: before, After: after}
}

// occurrence is a place of a quote: the number of the block in its outline, and where in that block's text.
type occurrence struct {
	block, at int
	// before and after are how many bytes on either side are those of the quote, whole whether both are as they were.
	before, after int
	whole         bool
}

func (f occurrence) likeness() int { return f.before + f.after }

// maxPlaces bounds how many places of one quote are looked at in a page.
const maxPlaces = 1000

// places returns the places of a quote in an outline, those first whose surroundings are most like it.
func (q quote) places(blocks []block) []occurrence {
	var all []occurrence
	for i, b := range blocks {
		for from := 0; from <= len(b.words)-len(q.Words) && len(all) < maxPlaces; {
			at := strings.Index(b.words[from:], q.Words)
			if at < 0 {
				break
			}
			at += from
			_, size := utf8.DecodeRuneInString(b.words[at:])
			from = at + size
			before, after := b.words[:at], b.words[at+len(q.Words):]
			place := occurrence{block: i, at: at, before: alike(before, q.Before, true),
				after: alike(after, q.After, false)}
			place.whole = place.before == len(q.Before) && place.after == len(q.After) &&
				edge(q.Before, before) && edge(q.After, after)
			all = append(all, place)
		}
	}
	return all
}

// edge reports whether a context that was all there was on its side of a quote is so still.
func edge(context, now string) bool {
	return utf8.RuneCountInString(context) == reach || len(context) == len(now)
}

// alike counts the bytes that a text and a context have in common, from the end of both or from the beginning.
func alike(text, context string, fromEnd bool) int {
	n := 0
	for n < len(text) && n < len(context) {
		same := text[n] == context[n]
		if fromEnd {
			same = text[len(text)-1-n] == context[len(context)-1-n]
		}
		if !same {
			break
		}
		n++
	}
	return n
}

// closest returns the place that is most like a quote; false when there is none.
func closest(all []occurrence, near func(occurrence) bool) (best occurrence, ok bool) {
	for _, place := range all {
		if near != nil && !near(place) {
			continue
		}
		if !ok || place.whole && !best.whole || place.whole == best.whole && place.likeness() > best.likeness() {
			best, ok = place, true
		}
	}
	return best, ok
}

// sure is how many bytes of the surroundings have to be there for a quote to be the one that was meant wherever it is,
// beside how many of one side in the block that it was in.
const (
	sure   = 24
	beside = 5
)

// sure reports whether a place is that of the quote wherever its block is now.
func (f occurrence) sure() bool { return f.whole || f.likeness() >= sure }

// sureAt reports whether a place is that of the quote when its block is the one that it was in: words that stand there
// by chance do not count.
func (f occurrence) sureAt(q quote) bool {
	return utf8.RuneCountInString(q.Words) >= sure || q.Before != "" && f.before >= min(beside, len(q.Before)) ||
		q.After != "" && f.after >= min(beside, len(q.After))
}

// gap returns between which places of a page's present outline the block of an anchor is when it has changed: those of
// the nearest that have not. Without an alignment it is none.
func (a anchor) gap(then []block, along alignment, end int) (first, last int) {
	if along == nil {
		return end, end
	}
	first, last = -1, end
	passed := false
	for i, b := range then {
		switch {
		case b.key == a.Key && b.record == "":
			passed = true
		case along[i] < 0:
		case !passed:
			first = along[i]
		default:
			return first, along[i]
		}
	}
	return first, last
}

// rangeIn returns the anchor of a range of text in a page.
func rangeIn(page *entity.Entry, document *doc.Document, in NewComment) (anchor, error) {
	wanted := quote{Words: squeezed(in.Range.Quote), Before: squeezedStart(in.Range.Before),
		After: squeezedEnd(in.Range.After)}
	switch {
	case wanted.Words == "":
		return anchor{}, errs.Invalidf("body.range.quote", "is empty; quote the words that the comment is about")
	case utf8.RuneCountInString(wanted.Words) > MaxQuote:
		return anchor{}, errs.Invalidf("body.range.quote", "is longer than %d characters; quote less", MaxQuote)
	}
	nodes := document.Nodes
	if in.Node != "" {
		within := enclosingBlock(document, in.Node)
		if within == nil {
			return anchor{}, noNode(in.Node, page)
		}
		nodes = []*doc.Node{within}
	}
	var passages []*doc.Node
	var blocks []block
	(&doc.Document{Nodes: nodes}).Walk(func(node *doc.Node) bool {
		if isPassage(node) {
			text, _ := passage(letters(node))
			passages, blocks = append(passages, node), append(blocks, block{words: text})
		}
		return true
	})
	place, ok := closest(wanted.places(blocks), nil)
	if !ok {
		return anchor{}, errs.NotFoundf("The text %q is not in one block there. Quote words of the page as it is.",
			clip(wanted.Words))
	}
	node := passages[place.block]
	made := anchor{Key: keyNumber(node.Key), Type: node.Type, Body: page.Body, Text: hashed(identity(node)),
		Preview: preview(words(node)),
		Quote:   new(quoteAt(blocks[place.block].words, place.at, len(wanted.Words)))}
	if in.Suggestion == nil {
		return made, nil
	}
	made.Suggestion = &suggestion{Text: *in.Suggestion}
	return made, checkSuggestion(node, place.at, wanted.Words, *in.Suggestion)
}

// squeezed puts one space for all white space that is together, and none at the edges. squeezedStart and squeezedEnd
// keep one at the end and at the start.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func squeezedStart(text string) string {
	return strings.TrimSuffix(squeezed(text+"|"), "|")
}

func squeezedEnd(text string) string {
	return strings.TrimPrefix(squeezed("|"+text), "|")
}
