// Package compare owns what differs between two versions of a document, in a form that people can be shown: which
// blocks were added, deleted, moved and changed, and inside those that were changed which words, attributes, lines of
// code and cells of tables.
//
// # Matching
//
// Blocks of one parent are matched as package merge matches those of a body: equal ones are aligned first. Between
// them, blocks that have much in common are taken for one that was changed, in their order. What is left over on both
// sides of the document, and is equal or nearly so, has moved; it stands at both places. Keys, derived anchors and
// source spans do not count, see doc.Equal.
//
// # Promises
//
// A comparison has both documents in full: whoever takes what is not added has the older one, and whoever takes what
// is not deleted the newer one. Exchanging the documents exchanges added and deleted, before and after, and nothing
// else, but for the numbers of moves. Equal documents have no change.
//
// Cost is bounded for any input: sequences are compared thoroughly within the budget of package hunk and by unique
// anchors past it, at most maxPairs pairs of blocks are weighed, each in constant time. Past these bounds the
// comparison is still true, but may name more as added and deleted than need be: it is Partial then.
package compare

import (
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/hunk"
)

// Change says what became of a part of a document.
type Change string

// Changes. A block that has moved is MovedAway where it was and MovedHere where it is.
const (
	Same      Change = "same"
	Added     Change = "added"
	Deleted   Change = "deleted"
	Changed   Change = "changed"
	MovedAway Change = "moved-away"
	MovedHere Change = "moved-here"
)

// Block is a block, or a fragment of one, in both versions.
type Block struct {
	Change Change
	// Before and After are the block in each version, whole, nil where it is not. They are shared with the documents.
	Before, After *doc.Node
	// Move numbers the two places of a block that has moved, from 1; 0 for others.
	Move int
	// Attributes are those that differ, by name. A block that has become one of another type has the attribute "type".
	Attributes []Attribute
	// Of a block that is Changed, or that was changed as it moved, exactly one of the following says what is in it, as
	// far as anything is: its text, the blocks in it, or its columns and rows; and Parts its fragments.
	Runs   []Run
	Blocks []Block
	Table  *Table
	Parts  []Block
}

// Detailed reports whether what is in the block is said by Runs, Blocks, Table and Parts.
func (b *Block) Detailed() bool {
	return b.Change == Changed || b.Change == MovedHere && (b.Runs != nil || b.Blocks != nil || b.Table != nil ||
		b.Parts != nil || b.Attributes != nil)
}

// Attribute is an attribute that differs. Before and After are values as encoding/json decodes them, nil for none.
type Attribute struct {
	Name          string
	Before, After any
}

// Run is a stretch of text and inlines that is the same, added or deleted. An inline of which only a part of the text
// was changed is in several runs.
type Run struct {
	Change Change
	Nodes  []*doc.Node
}

// Table is what differs in a table, cell by cell.
type Table struct {
	Columns []Column
	Rows    []Row
}

// Column is a column in both versions, by its definition.
type Column struct {
	Change        Change
	Before, After *doc.TableDefinition
	Attributes    []Attribute
}

// Row is a row in both versions: the ids of its records, and a cell for each column of the table.
type Row struct {
	Change        Change
	Before, After string
	Cells         []Cell
}

// Cell is a cell in both versions. One with text has Text, a fragment; another one its values.
type Cell struct {
	Change        Change
	Before, After any
	Text          *Block
}

// Comparison is what differs between two documents.
type Comparison struct {
	Blocks []Block
	// Partial says that a bound was met, see the package's promises.
	Partial bool
}

// Documents compares two versions of a document. A document that is nil has no blocks.
func Documents(before, after *doc.Document) Comparison {
	older, newer := blocksOf(before), blocksOf(after)
	c := &comparer{sums: map[*doc.Node]string{}, sketches: map[*doc.Node]sketch{}, budget: hunk.NewBudget(),
		pairs: maxPairs}
	// The search prefers one side where both would do. Always beginning with the same document makes it symmetric.
	c.turned = c.joined(older) > c.joined(newer)
	if c.turned {
		older, newer = newer, older
	}
	blocks := c.lists(older, newer)
	if c.turned {
		mirror(blocks)
	}
	c.moves(blocks)
	return Comparison{blocks, c.partial}
}

func blocksOf(document *doc.Document) []*doc.Node {
	if document == nil {
		return nil
	}
	return document.Nodes
}

// maxPairs is how many pairs of blocks are weighed in one comparison.
const maxPairs = 500_000

// comparer compares two documents.
type comparer struct {
	sums     map[*doc.Node]string
	sketches map[*doc.Node]sketch
	budget   *hunk.Budget
	pairs    int
	partial  bool
	// turned says that the newer document is compared with the older one, and the outcome is to be mirrored.
	turned bool
}

// between compares two sequences within the budget.
func (c *comparer) between(before, after []string) []hunk.Change {
	thorough := c.budget.Pay(len(before) + len(after))
	c.partial = c.partial || !thorough
	return hunk.Between(before, after, thorough)
}
