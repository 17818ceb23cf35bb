package comment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// maxPreview is the greatest length of a preview, in characters.
const maxPreview = 256

// outlineCache bounds the memory of outlines, in bytes.
const outlineCache = 8 << 20

// anchor is what is kept of the block that a comment is about. The zero anchor is none.
type anchor struct {
	// Key and Type are those of the block at posting; Key is a number, see keyNumber.
	Key  int64    `json:"key,omitempty"`
	Type doc.Type `json:"type,omitempty"`
	// Text is the hash of the block's text at posting, Preview its beginning.
	Text    string `json:"text,omitempty"`
	Preview string `json:"preview,omitempty"`
	// Body is the page's body at posting by its hash: while it is the current one, nothing needs to be compared.
	Body string `json:"body,omitempty"`
	// Record and Definition name a cell when the comment is about one.
	Record     string `json:"record,omitempty"`
	Definition string `json:"definition,omitempty"`
	// Quote is the range of the block's text that the comment is about, nil for the block. Suggestion is what could
	// stand there instead, nil for none.
	Quote      *quote      `json:"quote,omitempty"`
	Suggestion *suggestion `json:"suggestion,omitempty"`
}

func (a anchor) none() bool { return a == anchor{} }

func (a anchor) onCell() bool { return a.Record != "" }

// block is a place in a page that a comment can be about: a block of its document, or a cell of a table.
type block struct {
	key                int64
	kind               doc.Type
	text               string
	record, definition string
	// words is the text of a passage, see passage; "" for other places.
	words string
}

// weighOutline estimates the memory of an outline in bytes.
func weighOutline(_ string, blocks []block) uint32 {
	weight := 64 + 144*len(blocks)
	for _, b := range blocks {
		weight += len(b.words)
	}
	return uint32(weight)
}

// keyNumber and keyText turn the key of a node into its place in the document and back; see doc.AssignKeys.
func keyNumber(key string) int64 {
	number, err := strconv.ParseInt(strings.TrimPrefix(key, "n"), 36, 64)
	if err != nil {
		return 0
	}
	return number
}

func keyText(number int64) string { return "n" + strconv.FormatInt(number, 36) }

// outline lists the places of a page.
func (s *Service) outline(ctx context.Context, view *store.View, page located) ([]block, error) {
	if page.entry.Body == "" {
		return nil, nil
	}
	return s.outlines.Load(ctx, page.entry.Body, func(ctx context.Context) ([]block, error) {
		document, err := documentOf(ctx, view, page)
		if err != nil {
			return nil, err
		}
		return blocksOf(document), nil
	})
}

func documentOf(ctx context.Context, view *store.View, page located) (*doc.Document, error) {
	if page.document != nil {
		return page.document, nil
	}
	body, err := view.Body(ctx, page.entry)
	if err != nil {
		return nil, fmt.Errorf("read the body of %s: %w", page.entry.ID, err)
	}
	document, err := markdown.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("parse the body of %s: %w", page.entry.ID, err)
	}
	return document, nil
}

func blocksOf(document *doc.Document) []block {
	var blocks []block
	for node := range document.All() {
		if node.Object != doc.ObjectBlock {
			continue
		}
		key := keyNumber(node.Key)
		at := block{key: key, kind: node.Type, text: hashed(identity(node))}
		if isPassage(node) {
			at.words, _ = passage(letters(node))
		}
		blocks = append(blocks, at)
		if table, ok := node.Data.(*doc.TableData); ok {
			for cell := range cellsOf(table) {
				blocks = append(blocks, block{
					key: key, kind: node.Type, text: hashed(cellText(node, table, cell)), record: cell.Record,
					definition: cell.Definition,
				})
			}
		}
	}
	return blocks
}

// cellsOf yields the cells of a table, always in the same order.
func cellsOf(table *doc.TableData) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		// By number: r10 is behind r9, so that a row in front moves the others all alike.
		byNumber := func(one, other string) int {
			return cmp.Or(cmp.Compare(len(one), len(other)), cmp.Compare(one, other))
		}
		definitions := slices.SortedFunc(maps.Keys(table.Definition), byNumber)
		for _, record := range slices.SortedFunc(maps.Keys(table.Records), byNumber) {
			for _, definition := range definitions {
				if !yield(Cell{Record: record, Definition: definition}) {
					return
				}
			}
		}
	}
}

// sole returns the one place with an anchor's text and type, false when there are none or several.
func (a anchor) sole(blocks []block) (found block, ok bool) {
	for _, b := range blocks {
		if b.token() != a.token() {
			continue
		}
		if ok {
			return block{}, false
		}
		found, ok = b, true
	}
	return found, ok
}

func (a anchor) token() token { return token{a.Type, a.Text, a.onCell()} }

// locate returns the place that an anchor's place in the outline of its posting is in a later one, false when it is
// not there.
func (a anchor) locate(then, now []block, along alignment) (block, bool) {
	for i, b := range then {
		if b.key == a.Key && b.record == a.Record && b.definition == a.Definition && b.token() == a.token() &&
			along[i] >= 0 {
			return now[along[i]], true
		}
	}
	return block{}, false
}

// nearest returns a place with an anchor's text where its own cannot be told: one of its type, in its cell, that is
// nearest to the old place. It is false when the text is gone.
func (a anchor) nearest(blocks []block) (block, bool) {
	var best block
	bestRank, found := [4]int64{}, false
	for _, b := range blocks {
		if b.text != a.Text || (b.record != "") != a.onCell() {
			continue
		}
		distance := b.key - a.Key
		// What moved down is no farther than what moved up; of two at one distance the earlier counts.
		side := int64(1)
		if distance < 0 {
			distance, side = -distance, 0
		}
		rank := [4]int64{unlike(b.kind != a.Type), unlike(b.record != a.Record || b.definition != a.Definition),
			distance, side}
		if !found || slices.Compare(rank[:], bestRank[:]) < 0 {
			best, bestRank, found = b, rank, true
		}
	}
	return best, found
}

func unlike(differs bool) int64 {
	if differs {
		return 1
	}
	return 0
}

// anchorTo returns the anchor of a node, named by its key or its anchor, or of a cell of that node, in a page.
func anchorTo(page *entity.Entry, document *doc.Document, name string, cell *Cell) (anchor, error) {
	node := enclosingBlock(document, name)
	if node == nil {
		return anchor{}, noNode(name, page)
	}
	made := anchor{Key: keyNumber(node.Key), Type: node.Type, Body: page.Body}
	text := identity(node)
	shown := words(node)
	if cell != nil {
		table, ok := node.Data.(*doc.TableData)
		if !ok {
			return anchor{}, errs.Invalidf("body.tableCell", "is for comments on a table; the node %q is none",
				clip(name))
		}
		_, hasRecord := table.Records[cell.Record]
		_, hasDefinition := table.Definition[cell.Definition]
		if !hasRecord || !hasDefinition {
			return anchor{}, errs.NotFoundf(
				"There is no cell with the record %q and the definition %q in the table %q.", clip(cell.Record),
				clip(cell.Definition), clip(name))
		}
		made.Record, made.Definition = cell.Record, cell.Definition
		text = cellText(node, table, *cell)
		shown = text
	}
	made.Text, made.Preview = hashed(text), preview(shown)
	return made, nil
}

func noNode(name string, page *entity.Entry) error {
	return errs.NotFoundf(
		"There is no node %q in the page %q. Read the page with format=document: the key of every node is there.",
		clip(name), page.Title)
}

// enclosingBlock finds the node with a key, or else with an anchor, and returns the block that it is or lies in.
func enclosingBlock(document *doc.Document, name string) *doc.Node {
	var byKey, byAnchor *doc.Node
	var visit func(nodes []*doc.Node, within *doc.Node)
	visit = func(nodes []*doc.Node, within *doc.Node) {
		for _, node := range nodes {
			around := within
			if node.Object == doc.ObjectBlock {
				around = node
			}
			if node.Key == name {
				byKey = around
			}
			if node.ID == name && byAnchor == nil {
				byAnchor = around
			}
			visit(node.Nodes, around)
			visit(node.Fragments, around)
		}
	}
	if name != "" {
		visit(document.Nodes, nil)
	}
	if byKey != nil {
		return byKey
	}
	return byAnchor
}

// identity returns what decides whether a block is still the same: its words, and for a block without words its
// Markdown. In front stands which of the two it is.
func identity(node *doc.Node) string {
	text := words(node)
	if node.Type != doc.Code && node.Type != doc.CodeLine {
		text = strings.Join(strings.Fields(text), " ")
	}
	if strings.TrimSpace(text) != "" {
		return "words " + text
	}
	return "markdown " + string(markdown.Write(&doc.Document{Nodes: []*doc.Node{node}}))
}

// words returns the text of a node with everything below it, fragments too, each block on lines of its own.
func words(node *doc.Node) string {
	var text strings.Builder
	node.Walk(func(n *doc.Node) bool {
		if doc.IsColumnTitle(n) {
			return false // its words are the title's
		}
		switch n.Object {
		case doc.ObjectBlock, doc.ObjectFragment:
			if text.Len() > 0 {
				text.WriteByte('\n')
			}
			switch data := n.Data.(type) {
			case *doc.FormulaData:
				text.WriteString(data.Formula)
			case *doc.TableData:
				text.WriteString(titles(data))
			}
		case doc.ObjectInline:
			if doc.IsVoid(n.Type) {
				text.WriteString(n.PlainText())
			}
		case doc.ObjectText:
			text.WriteString(n.PlainText())
		}
		return true
	})
	return text.String()
}

// titles returns the titles of a table's columns.
func titles(table *doc.TableData) string {
	var list []string
	for _, column := range table.View.Columns {
		if definition := table.Definition[column]; definition != nil {
			list = append(list, definition.Title)
		}
	}
	return strings.Join(list, " ")
}

// cellText returns the text of a cell; what is no text is given as JSON.
func cellText(node *doc.Node, table *doc.TableData, cell Cell) string {
	value := table.Records[cell.Record].Values[cell.Definition]
	if name, ok := value.(string); ok {
		if fragment := node.FragmentNamed(name); fragment != nil {
			return strings.Join(strings.Fields(words(fragment)), " ")
		}
		return name
	}
	if value == nil {
		return ""
	}
	// A value that was decoded from JSON or parsed from Markdown always has a JSON text.
	encoded, _ := json.Marshal(value)
	return string(encoded)
}

// preview returns the beginning of a text on one line.
func preview(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= maxPreview {
		return string(runes)
	}
	return string(runes[:maxPreview-1]) + "…"
}

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// clip shortens what a message repeats of an input.
func clip(s string) string {
	runes := []rune(s)
	if len(runes) <= 64 {
		return s
	}
	return string(runes[:64]) + "…"
}
