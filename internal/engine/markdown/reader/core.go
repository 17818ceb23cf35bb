// Package reader owns the way from Markdown to the document tree: the blocks and inlines that goldmark reads, those of
// the dialect that are read beside them, and HTML that stands for richer blocks.
//
// Promises:
//   - What the dialect does not know stays as doc.Raw and doc.RawInline.
//   - Each top-level part knows which bytes of the body it was read from.
//   - Any input is read within bounded time and memory or refused with an errs.Error that names line and column.
//
// Keys, anchors and the normal form are not its business: package markdown adds them.
package reader

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Body is the outcome of one parse.
type Body struct {
	Document *doc.Document
	// pieces are the top-level blocks and definitions in source order, with spans of the original bytes.
	Pieces []Piece
	// composed are the blocks whose content was put together from several parts, operations of an API, the outermost
	// ones: normalising gives it the form that reading it back gives.
	Composed []*doc.Node
}

// state is what the parsers of one parse share.
type state struct {
	source *source
	guard  *guard
	// missing remembers failed look-aheads, so that each stretch of text is searched once for each thing.
	missing map[string]span
	// footnotes are the definitions by normalised label; the first of a label wins.
	footnotes map[string]*footnoteNode
	// backticks are the last runs of each length in the block whose inlines are read.
	backticksOf ast.Node
	backticks   map[int]int
	// emojiEnd is where the last emoji ends: a colon may follow that starts the next one.
	emojiEnd int
}

type span struct{ start, end int }

// stateKey finds the state in goldmark's context.
var stateKey = parser.NewContextKey()

func stateOf(pc parser.Context) *state { return pc.Get(stateKey).(*state) }

// core returns the goldmark parser of the dialect. It holds no state of a parse and is safe for concurrent use.
var core = sync.OnceValue(func() parser.Parser {
	block := func(p parser.BlockParser, priority int) util.PrioritizedValue {
		return util.Prioritized(guardedBlock{p}, priority)
	}
	return parser.NewParser(
		parser.WithBlockParsers(
			block(tagParser{}, 50),
			block(mathParser{}, 60),
			block(footnoteParser{}, 70),
			block(parser.NewSetextHeadingParser(), 100),
			block(parser.NewThematicBreakParser(), 200),
			block(parser.NewListParser(), 300),
			block(parser.NewListItemParser(), 400),
			block(captionParser{parser.NewParagraphParser()}, 490),
			block(parser.NewCodeBlockParser(), 500),
			block(parser.NewATXHeadingParser(), 600),
			block(parser.NewFencedCodeBlockParser(), 700),
			block(parser.NewBlockquoteParser(), 800),
			block(detailsParser{}, 890),
			block(htmlParser{}, 900),
			block(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(guardInline{}, -1),
			util.Prioritized(taskBoxParser{extension.NewTaskCheckBoxParser()}, 0),
			util.Prioritized(codeSpanParser{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(inlineMathParser{}, 110),
			util.Prioritized(emojiParser{}, 120),
			util.Prioritized(footnoteRefParser{}, 130),
			util.Prioritized(expressionParser{}, 140),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(newBareAddressParser(), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(definitionTransformer{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tableTransformer{extension.NewTableParagraphTransformer()}, 200),
		),
	)
})

// Read reads a body into nodes without keys and anchors.
//
// A body that is too large, too deep or too costly is refused with errs.TooLarge, one that is not UTF-8 with
// errs.Invalid; both name the line and column.
func Read(body []byte) (p *Body, err error) {
	source, err := newSource(body)
	if err != nil {
		return nil, err
	}
	defer func() {
		if reason := recover(); reason != nil {
			refused, ok := reason.(refusal)
			if !ok {
				panic(reason)
			}
			p, err = nil, refused.err
		}
	}()
	s := &state{
		source:    source,
		guard:     newGuard(source.text),
		missing:   map[string]span{},
		footnotes: map[string]*footnoteNode{},
	}
	root := s.tree(source.text)
	return newConverter(s).document(root), nil
}

// tree runs goldmark.
func (s *state) tree(source []byte) ast.Node {
	pc := parser.NewContext()
	pc.Set(stateKey, s)
	return core().Parse(text.NewReader(source), parser.WithContext(pc))
}

// search looks for something from an offset on, unless a search for it is known to fail there. find returns where it
// is, or -1 and where it gave up.
func (s *state) search(what string, offset int, find func(offset int) (at, gaveUp int)) int {
	if failed, ok := s.missing[what]; ok && failed.start <= offset && offset < failed.end {
		return -1
	}
	at, gaveUp := find(offset)
	if at < 0 {
		s.missing[what] = span{offset, gaveUp}
	}
	return at
}
