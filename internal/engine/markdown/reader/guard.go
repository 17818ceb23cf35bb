package reader

import (
	"bytes"
	"fmt"
	"time"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/markdown/dialect"
)

// refusal leaves goldmark, which cannot be interrupted, by a panic that parse recovers. No other panic is caught.
type refusal struct{ err error }

// guard counts what a parse costs while it runs and refuses the body when it costs too much. goldmark calls back for
// every block it tries to open, every line and every character that may start an inline; the guard sits in front of
// each of them.
type guard struct {
	text    []byte
	memory  int
	steps   int
	ticks   int
	started time.Time
	now     func() time.Time

	container  ast.Node // the block whose inlines are read
	delimiters int      // "*", "_" and "~" seen in it
	brackets   int      // "[" and "]" seen in it
}

func newGuard(text []byte) *guard {
	return &guard{text: text, now: time.Now, started: time.Now()}
}

// refuse stops the parse with an error that names the place of an offset.
func (g *guard) refuse(offset int, format string, args ...any) {
	line, column := dialect.LineAndColumn(g.text, offset)
	message := fmt.Sprintf(format, args...)
	panic(refusal{&errs.Error{
		Kind:    errs.TooLarge,
		Message: fmt.Sprintf("line %d, column %d: %s", line, column, message),
		Details: []errs.Detail{{Path: fmt.Sprintf("line %d, column %d", line, column), Message: message}},
	}})
}

// allocate books estimated bytes for what stands at an offset.
func (g *guard) allocate(offset, bytes int) {
	g.memory += bytes
	if g.memory > memoryBudget {
		g.refuse(offset,
			"the page has too many blocks, lines and inline elements up to here; split it into several pages")
	}
	g.tick(offset)
}

// step books work for what stands at an offset.
func (g *guard) step(offset, steps int) {
	g.steps += steps
	if g.steps > stepBudget {
		g.refuse(offset,
			"the text up to here has too many unfinished brackets, emphasis marks or tags; close or escape them")
	}
	g.tick(offset)
}

func (g *guard) tick(offset int) {
	g.ticks++
	if g.ticks%1024 == 0 && g.now().Sub(g.started) > maxDuration {
		g.refuse(offset, "the page takes too long to read; split it into several pages")
	}
}

// deeper refuses a document that nests more levels than package doc accepts.
func (g *guard) deeper(offset, depth, limit int) {
	if depth > limit {
		g.refuse(offset, "blocks are nested deeper than %d levels; flatten the page", limit)
	}
}

// guardedBlock puts the guard in front of a block parser.
type guardedBlock struct {
	parser.BlockParser
}

func (p guardedBlock) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	g := stateOf(pc).guard
	_, segment := reader.Position()
	if len(pc.OpenedBlocks()) > maxOpenBlocks {
		g.refuse(segment.Start, "blocks are nested deeper than %d levels; flatten the page", maxOpenBlocks)
	}
	node, state := p.BlockParser.Open(parent, reader, pc)
	if node != nil {
		g.allocate(segment.Start, blockCost)
		// A container reads the rest of its line again for what is inside it.
		g.step(segment.Start, (segment.Stop-segment.Start)/16)
	}
	return node, state
}

func (p guardedBlock) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	g := stateOf(pc).guard
	_, segment := reader.Position()
	state := p.BlockParser.Continue(node, reader, pc)
	if state&parser.Continue != 0 {
		if state&parser.HasChildren == 0 {
			g.allocate(segment.Start, lineCost)
		} else {
			g.allocate(segment.Start, containerCost)
		}
	}
	return state
}

// guardInline is asked before every other inline parser; it parses nothing.
type guardInline struct{}

func (guardInline) Trigger() []byte { return []byte("!$&*:<[]_`~") }

func (guardInline) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	g := stateOf(pc).guard
	if parent != g.container {
		g.container, g.delimiters, g.brackets = parent, 0, 0
	}
	line, segment := block.PeekLine()
	if len(line) == 0 {
		return nil
	}
	switch line[0] {
	case '*', '_', '~':
		g.delimiters++
		g.allocate(segment.Start, inlineCost)
		// A run is read to its end once for each of its characters when it is no delimiter.
		g.step(segment.Start, g.delimiters+2*runLength(line))
	case '[', ']', '!':
		g.brackets++
		g.allocate(segment.Start, inlineCost)
		g.step(segment.Start, g.brackets*4+g.delimiters+4*destinationLength(line))
	case '`':
		g.allocate(segment.Start, codeSpanCost)
	case '<':
		g.allocate(segment.Start, inlineCost)
		g.step(segment.Start, 8+g.remaining(parent, segment)/16)
	default:
		g.allocate(segment.Start, inlineCost)
	}
	return nil
}

// runLength returns how often the first character of a line is repeated.
func runLength(line []byte) int {
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	return n
}

// destinationLength returns how many bytes the search for a link's destination may read behind a "]".
func destinationLength(line []byte) int {
	if len(line) < 3 || line[0] != ']' || line[1] != '(' {
		return 0
	}
	end := " )\t\n"
	if line[2] == '<' {
		end = ">"
	}
	if at := bytes.IndexAny(line[2:], end); at >= 0 {
		return at
	}
	return len(line)
}

// remaining returns how many bytes of the block are still to be read.
func (g *guard) remaining(parent ast.Node, segment text.Segment) int {
	lines := parent.Lines()
	if lines == nil || lines.Len() == 0 {
		return segment.Len()
	}
	return max(lines.At(lines.Len()-1).Stop-segment.Start, 0)
}
