package contents

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/engine/compare"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// PageComparison is what differs in one page between two versions of a space.
type PageComparison struct {
	Object string      `json:"object" enum:"page-comparison"`
	Base   id.Revision `json:"base" doc:"The revision that the page is compared with."`
	Head   id.Revision `json:"head" doc:"The revision that has the changes."`
	Change string      `json:"change" enum:"same,added,deleted,changed" doc:"What became of the page as a whole."`
	// Before and After are the page on each side; one on which it is not is absent.
	Before *ChangedPage `json:"before,omitempty"`
	After  *ChangedPage `json:"after,omitempty"`
	// Changes are those of the page itself.
	Changes []SemanticChange `json:"changes" doc:"What was changed of the page itself: its place and its attributes, as in the list of changes."`
	// Blocks are the body.
	Blocks []ComparedBlock `json:"blocks" doc:"The body, block by block, with what is the same. Whoever leaves out what is added and moved-here has the body of base, whoever leaves out what is deleted and moved-away that of head."`
	// Markdown is the body as text.
	Markdown []ComparedLines `json:"markdown" doc:"The body as lines of Markdown, with links as relative paths."`
	Partial  bool            `json:"partial,omitempty" doc:"The page is too large or too different for every comparison. All that is said is true, but more may be given as deleted and added than need be, and blocks are empty when a body cannot be read."`
}

// ComparedBlock is a block, or a fragment of one, in both versions.
type ComparedBlock struct {
	Change string `json:"change" enum:"same,added,deleted,changed,moved-away,moved-here"`
	// Before and After are document JSON.
	Before any `json:"before,omitempty" doc:"The block in base, as document JSON: of one that is changed without what is in it, and absent of one that is the same, added, or moved here unchanged."`
	After  any `json:"after,omitempty" doc:"The block in head, as document JSON: of one that is changed, here or as it moved, without what is in it."`
	Move   int `json:"move,omitempty" doc:"The same number stands at both places of a block that has moved."`
	// Attributes are those that differ.
	Attributes map[string]ChangedAttribute `json:"attributes,omitempty" doc:"Of a changed block: the attributes that differ, by name; type is that of the block."`
	Runs       []ComparedRun               `json:"runs,omitempty" doc:"Of a changed block with text: its text, word by word."`
	Blocks     []ComparedBlock             `json:"blocks,omitempty" doc:"Of a changed block that holds blocks: those, and the lines of code."`
	Table      *ComparedTable              `json:"table,omitempty"`
	Fragments  []ComparedBlock             `json:"fragments,omitempty" doc:"Of a changed block: its fragments, such as a caption."`
}

// ComparedRun is a stretch of text.
type ComparedRun struct {
	Change string `json:"change" enum:"same,added,deleted"`
	Nodes  []any  `json:"nodes" doc:"Texts and inlines as document JSON."`
}

// ComparedTable is a changed table.
type ComparedTable struct {
	Columns []ComparedColumn `json:"columns"`
	Rows    []ComparedRow    `json:"rows"`
}

// ComparedColumn is a column of a table in both versions.
type ComparedColumn struct {
	Change     string                      `json:"change" enum:"same,added,deleted,changed"`
	Before     any                         `json:"before,omitempty" doc:"Its definition in base."`
	After      any                         `json:"after,omitempty" doc:"Its definition in head."`
	Attributes map[string]ChangedAttribute `json:"attributes,omitempty"`
}

// ComparedRow is a row of a table in both versions.
type ComparedRow struct {
	Change string         `json:"change" enum:"same,added,deleted,changed"`
	Cells  []ComparedCell `json:"cells" doc:"One for each column."`
}

// ComparedCell is a cell of a table in both versions.
type ComparedCell struct {
	Change string         `json:"change" enum:"same,added,deleted,changed"`
	Before any            `json:"before,omitempty" doc:"The value in base, of a cell that has no text."`
	After  any            `json:"after,omitempty" doc:"The value in head, of a cell that has no text."`
	Text   *ComparedBlock `json:"text,omitempty" doc:"Of a cell with text: a fragment."`
}

// ComparedLines are lines of Markdown that are the same, deleted or added.
type ComparedLines struct {
	Change string   `json:"change" enum:"same,added,deleted"`
	Lines  []string `json:"lines"`
}

type comparePageInput struct {
	RevisionParams
	Page string `path:"pageId"`
	Base string `query:"base" default:"main" maxLength:"100" doc:"What to compare with: main, the id of a revision, or the id or number of a change request."`
	Head string `query:"head" default:"main" maxLength:"100" doc:"What has the changes: main, the id of a revision, or the id or number of a change request."`
}

// comparePage answers what differs in a page between two versions of a space.
func (h *Handlers) comparePage(ctx context.Context, in *comparePageInput) (*operation.Encoded, error) {
	base, err := h.head(ctx, in.Space, versionNamed(in.Base))
	if err != nil {
		return nil, err
	}
	head, err := h.head(ctx, in.Space, versionNamed(in.Head))
	if err != nil {
		return nil, err
	}
	return h.pageBetween(ctx, in.RevisionParams, base, head, in.Page)
}

// versionNamed reads the name of a version in a query.
func versionNamed(name string) version {
	switch {
	case name == "main":
		return version{}
	case strings.HasPrefix(name, "revision_"):
		return version{revision: id.Revision(name)}
	}
	return version{changeRequest: id.ChangeRequest(name)}
}

type changeRequestPageChangesInput struct {
	RevisionParams
	AtChangeRequest
	Page string `path:"pageId"`
}

// getChangeRequestPageChanges answers what a change request changes in a page, and what a merged one has changed.
func (h *Handlers) getChangeRequestPageChanges(ctx context.Context,
	in *changeRequestPageChangesInput) (*operation.Encoded, error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	from, to, err := h.spanned(ctx, found)
	if err != nil {
		return nil, err
	}
	return h.pageBetween(ctx, in.RevisionParams, from, to, in.Page)
}

// pageBetween compares a page in two revisions that the caller may read.
func (h *Handlers) pageBetween(ctx context.Context, params RevisionParams, from, to id.Revision,
	pageID string) (*operation.Encoded, error) {
	variant := fmt.Sprintf("comparison/%s/%s", from, pageID)
	return h.encode(ctx, to, params, variant, func(ctx context.Context, newer *store.View) (any, error) {
		older, err := h.Content.View(ctx, from)
		if err != nil {
			return nil, err
		}
		return h.comparison(ctx, older, newer, pageID)
	})
}

func (h *Handlers) comparison(ctx context.Context, older, newer *store.View, pageID string) (*PageComparison, error) {
	answer := &PageComparison{Object: "page-comparison", Base: older.Revision().ID, Head: newer.Revision().ID}
	before, err := sideOf(ctx, older, pageID)
	if err != nil {
		return nil, err
	}
	after, err := sideOf(ctx, newer, pageID)
	if err != nil {
		return nil, err
	}
	answer.Before, answer.After = before.page, after.page
	answer.Changes, answer.Blocks = []SemanticChange{}, []ComparedBlock{}
	switch {
	case before.page == nil && after.page == nil:
		return nil, errs.NotFoundf("There is no page %q on either side. List the pages of a revision to see their ids.",
			pageID)
	case before.page == nil:
		answer.Change = string(compare.Added)
	case after.page == nil:
		answer.Change = string(compare.Deleted)
	default:
		named, err := changes.Page(ctx, older, newer, pageID)
		if err != nil {
			return nil, err
		}
		for _, change := range named {
			answer.Changes = append(answer.Changes, h.wireChange(older.Revision(), newer.Revision(), change))
		}
		answer.Change = string(compare.Same)
		if len(named) > 0 {
			answer.Change = string(compare.Changed)
		}
	}
	answer.Markdown = wireLines(before.markdown, after.markdown)
	if before.unreadable || after.unreadable {
		answer.Partial = true
		return answer, nil
	}
	body := compare.Documents(before.document, after.document)
	answer.Partial = body.Partial
	answer.Blocks = wireBlocks(body.Blocks)
	return answer, nil
}

// pageSide is a page in one of two versions, empty where it is not.
type pageSide struct {
	page *ChangedPage
	bodySide
}

// bodySide is a body in one of two versions.
type bodySide struct {
	document *doc.Document
	markdown []byte
	// unreadable says that the body cannot be read as a document.
	unreadable bool
}

// sideOf reads a page of a version; one that is not there, or computed, is not there.
func sideOf(ctx context.Context, view *store.View, pageID string) (pageSide, error) {
	entry, err := wire.PageEntry(ctx, view, pageID)
	if errs.Is(err, errs.NotFound) {
		return pageSide{}, nil
	}
	if err != nil {
		return pageSide{}, err
	}
	path, err := view.Path(ctx, pageID)
	if err != nil {
		return pageSide{}, fmt.Errorf("find the path of %s: %w", pageID, err)
	}
	side := pageSide{page: changedPage(entry, path)}
	if entry.Type != entity.PageDocument {
		return side, nil
	}
	side.bodySide, err = bodyOf(ctx, view, entry)
	return side, err
}

// bodyOf reads a body of a version.
func bodyOf(ctx context.Context, view *store.View, entry *entity.Entry) (bodySide, error) {
	body, err := view.Body(ctx, entry)
	if err != nil {
		return bodySide{}, fmt.Errorf("read the body of %s: %w", entry.ID, err)
	}
	var side bodySide
	if side.markdown, err = edit.RelativeLinks(ctx, view, entry, body); err != nil {
		return bodySide{}, fmt.Errorf("write the links of %s: %w", entry.ID, err)
	}
	side.document, _, err = documentOf(ctx, view, entry, PageFormat{Evaluated: "false", Dereferenced: "false"})
	if errs.Is(err, errs.TooLarge) || errs.Is(err, errs.Invalid) {
		side.unreadable, err = true, nil
	}
	return side, err
}

// wireLines compares two bodies as lines.
func wireLines(before, after []byte) []ComparedLines {
	lines := []ComparedLines{}
	for _, run := range compare.Lines(before, after) {
		lines = append(lines, ComparedLines{Change: string(run.Change), Lines: run.Lines})
	}
	return lines
}

// withoutContent is a node as it is put beside what it holds.
func withoutContent(n *doc.Node) any {
	if n == nil {
		return nil
	}
	alone := *n
	alone.Nodes, alone.Fragments = nil, nil
	if data, ok := n.Data.(*doc.TableData); ok {
		table := *data
		table.Records, table.Definition, table.CellMerges = map[string]doc.TableRecord{},
			map[string]*doc.TableDefinition{}, nil
		alone.Data = &table
	}
	return &alone
}

func wireBlocks(blocks []compare.Block) []ComparedBlock {
	list := make([]ComparedBlock, len(blocks))
	for i, b := range blocks {
		list[i] = wireBlock(b)
	}
	return list
}

func wireBlock(b compare.Block) ComparedBlock {
	w := ComparedBlock{Change: string(b.Change), Move: b.Move}
	switch {
	case b.Detailed():
		w.Before, w.After = withoutContent(b.Before), withoutContent(b.After)
		w.Attributes = wireAttributes(b.Attributes)
		w.Runs, w.Table = wireRuns(b.Runs), wireTable(b.Table)
		w.Blocks, w.Fragments = wireBlocks(b.Blocks), wireBlocks(b.Parts)
	case b.After != nil:
		w.After = b.After
	default:
		w.Before = b.Before
	}
	return w
}

func wireAttributes(attributes []compare.Attribute) map[string]ChangedAttribute {
	byName := make(map[string]ChangedAttribute, len(attributes))
	for _, a := range attributes {
		byName[a.Name] = ChangedAttribute{Before: a.Before, After: a.After}
	}
	return byName
}

func wireRuns(runs []compare.Run) []ComparedRun {
	list := make([]ComparedRun, len(runs))
	for i, run := range runs {
		list[i] = ComparedRun{Change: string(run.Change), Nodes: make([]any, len(run.Nodes))}
		for j, n := range run.Nodes {
			list[i].Nodes[j] = n
		}
	}
	return list
}

func wireTable(t *compare.Table) *ComparedTable {
	if t == nil {
		return nil
	}
	w := &ComparedTable{Columns: make([]ComparedColumn, len(t.Columns)), Rows: make([]ComparedRow, len(t.Rows))}
	for i, column := range t.Columns {
		w.Columns[i] = ComparedColumn{Change: string(column.Change), Attributes: wireAttributes(column.Attributes)}
		if column.Before != nil {
			w.Columns[i].Before = column.Before
		}
		if column.After != nil {
			w.Columns[i].After = column.After
		}
	}
	for i, row := range t.Rows {
		w.Rows[i] = ComparedRow{Change: string(row.Change), Cells: make([]ComparedCell, len(row.Cells))}
		for j, cell := range row.Cells {
			w.Rows[i].Cells[j] = ComparedCell{Change: string(cell.Change), Before: cell.Before, After: cell.After}
			if cell.Text != nil {
				w.Rows[i].Cells[j].Text = new(wireBlock(*cell.Text))
			}
		}
	}
	return w
}
