// Package page owns a page as its reader gets it: what stands in its body for this reader, with conditions decided,
// values printed and reusable contents in their places. Sites, PDFs, the search and the API all read pages here, so a
// page says the same to the same reader wherever they meet it (ADR 50):
//
//   - A reader of whom nothing is known has no claims, and none below "unsigned".
//   - An include names a reusable content by its id, or by its path from the file that holds the include. The id and
//     the path are those of the space that the body is of. Another space is read when the reader may see it.
//   - An include of what is not there, cannot be read or is on the way already stays as it is, and shows nothing.
//   - A body that cannot be read as Markdown is shown as text, or not at all when it may hold conditions: those could
//     not be read either.
//   - A page that is too large once its reusable contents are in place is shown without them and without its
//     conditional blocks.
//   - A page that stands for a computed one is made of its description alone, and knows nothing of the reader.
//
// Parse and Evaluate refuse what Document shows in another form. They are for callers whose documents are written
// back.
//
// The package makes documents, not forms of them: who calls it says how links, drawings and words come out. It does not
// check rights. A Reader names the other spaces that they may see, and whether they see a page is decided before.
package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Revision is a revision as pages are read from it. It is safe for use by many goroutines.
type Revision struct {
	view    *store.View
	ofSpace map[string]any // what expressions see of the space

	mu sync.Mutex
	// includes are the ids of the reusable contents by their paths; nil before the first is asked for.
	includes map[string]string
}

// Open prepares a revision for reading pages from it.
func Open(ctx context.Context, view *store.View) (*Revision, error) {
	variables, err := view.Variables(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the variables: %w", err)
	}
	return &Revision{view: view, ofSpace: scoped(variables)}, nil
}

// Reader is who reads, and what they may see beside the revision.
type Reader struct {
	// Visitor is what expressions know of the reader, as Visitor makes it of claims. Nil means that nothing is known.
	Visitor map[string]any
	// Space returns the revision of another space that the reader may see, nil for none. Nil means that they see no
	// other space.
	Space func(ctx context.Context, space id.Space) (*Revision, error)
	// Included is told of every include of the page and of what it includes, in this space or another: the id of the
	// reusable content, "" when it is not known, and whether the include is written as a path. Nil tells nobody.
	Included func(id string, path bool)
}

// Visitor returns what expressions know of a reader with some claims; those that nobody signed are below "unsigned".
func Visitor(claims map[string]any) map[string]any { return map[string]any{"claims": claims} }

// nobody is a reader of whom nothing is known. It is shared, and does not change.
var nobody = Visitor(map[string]any{"unsigned": map[string]any{}})

// Variables returns what expressions on a page see: {"visitor": {"claims": …}, "space": {"vars": …}, "page":
// {"vars": …}}. visitor is as in Reader.
func (r *Revision) Variables(e *entity.Entry, visitor map[string]any) map[string]any {
	if visitor == nil {
		visitor = nobody
	}
	return map[string]any{"visitor": visitor, "space": r.ofSpace, "page": scoped(e.Variables)}
}

// scoped returns what expressions see of a space or a page with some variables.
func scoped(variables map[string]any) map[string]any {
	if variables == nil {
		return without
	}
	return map[string]any{"vars": variables}
}

// without is scoped for no variables, as most pages are. It is shared, and does not change.
var without = map[string]any{"vars": map[string]any{}}

// Holds reports whether a page's own condition holds for a visitor. One that cannot be read does not.
func (r *Revision) Holds(ctx context.Context, e *entity.Entry, visitor map[string]any) bool {
	if strings.TrimSpace(e.Condition) == "" {
		return true
	}
	program, err := expr.Parse(e.Condition)
	return err == nil && render.Outcome(ctx, program, true, r.Variables(e, visitor)) == render.Holds
}

// Absent returns the pages of a revision that are not there for a visitor, by their ids: those whose own condition or
// that of a page above does not hold.
func (r *Revision) Absent(ctx context.Context, visitor map[string]any) (map[string]bool, error) {
	tree, err := r.view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	absent := map[string]bool{}
	for _, node := range tree.Ordered { // parents come before what is below them
		if node.Parent != nil && absent[node.Parent.Entry.ID] || !r.Holds(ctx, node.Entry, visitor) {
			absent[node.Entry.ID] = true
		}
	}
	return absent, nil
}

// Parse reads the body of a page or reusable content and returns it with its Markdown. It refuses a body that cannot be
// read, with errs.Invalid or errs.TooLarge.
func (r *Revision) Parse(ctx context.Context, e *entity.Entry) (*doc.Document, []byte, error) {
	body, err := r.view.Body(ctx, e)
	if err != nil {
		return nil, nil, fmt.Errorf("read the body of %s: %w", e.ID, err)
	}
	document, err := markdown.Parse(body)
	if err != nil {
		return nil, body, fmt.Errorf("parse the body of %s: %w", e.ID, err)
	}
	return document, body, nil
}

// unreadable reports whether an error of Parse says that the body is no Markdown of the dialect.
func unreadable(err error) bool {
	refusal, ok := errors.AsType[*errs.Error](err)
	return ok && (refusal.Kind == errs.Invalid || refusal.Kind == errs.TooLarge)
}

// Reading is a page of a revision for one reader.
type Reading struct {
	revision *Revision
	page     *entity.Entry
	reader   Reader
}

// Read begins to read a page, which the revision holds.
func (r *Revision) Read(page *entity.Entry, reader Reader) *Reading { return &Reading{r, page, reader} }

// Options returns options with the variables and the reusable contents of the page. The rest stays as it is given.
func (r *Reading) Options(options render.Options) render.Options {
	options.Context = r.revision.Variables(r.page, r.reader.Visitor)
	options.Reusable = r.reusable
	return options
}

// Document returns the page as its reader gets it. options are those of Options.
func (r *Reading) Document(ctx context.Context, options render.Options) (*doc.Document, error) {
	document, body, err := r.revision.Parse(ctx, r.page)
	if unreadable(err) {
		return asText(body), nil
	}
	if err != nil {
		return nil, err
	}
	evaluated, err := r.Evaluate(ctx, document, options)
	if errs.Is(err, errs.TooLarge) {
		return unconditional(document), nil
	}
	return evaluated, err
}

// Evaluate resolves what depends on the reader in the parsed body of the page, which it changes. options are those of
// Options. It refuses what is too large once its reusable contents are in place, with errs.TooLarge.
func (r *Reading) Evaluate(ctx context.Context, document *doc.Document, options render.Options) (*doc.Document, error) {
	if err := r.locate(ctx, document, r.revision, r.page); err != nil {
		return nil, err
	}
	return render.Evaluate(ctx, document, options)
}

// asText is a body that cannot be read.
func asText(body []byte) *doc.Document {
	if bytes.Contains(body, []byte("{%")) {
		return &doc.Document{}
	}
	return &doc.Document{Nodes: []*doc.Node{doc.NewCode(&doc.CodeData{}, strings.Split(string(body), "\n")...)}}
}

// unconditional is a document without the blocks at its top that hold conditions.
func unconditional(page *doc.Document) *doc.Document {
	left := &doc.Document{}
	for _, node := range page.Nodes {
		conditional := false
		for inner := range (&doc.Document{Nodes: []*doc.Node{node}}).All() {
			conditional = conditional || inner.Type == doc.If
		}
		if !conditional {
			left.Nodes = append(left.Nodes, node)
		}
	}
	return left
}

// Computed returns the document of a page that stands for a computed one. describe returns what describes the API
// blocks of it, and may be nil. The result shares nodes with the document.
func Computed(ctx context.Context, document *doc.Document, describe Describe) (*doc.Document, error) {
	return render.Evaluate(ctx, document, render.Options{OpenAPI: describe})
}

// Describe returns the blocks that describe what an API block names, as render.Options has it. Package spec makes them;
// it comes later than this one, so whoever reads pages hands the function over.
type Describe = func(ctx context.Context, block doc.Type, data *doc.OpenAPIData) ([]*doc.Node, error)
