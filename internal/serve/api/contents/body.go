package contents

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/engine/treefile"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// documentOf reads the body of a page or reusable content as a document, evaluated and dereferenced as params say, and
// as the Markdown that is stored. A body that cannot be read is refused: what is read here is written back.
func documentOf(ctx context.Context, view *store.View, e *entity.Entry,
	params PageFormat) (document *doc.Document, original []byte, err error) {
	pages, err := page.Open(ctx, view)
	if err != nil {
		return nil, nil, err
	}
	document, original, err = pages.Parse(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	reading := pages.Read(e, page.Reader{})
	switch {
	case params.Evaluated != "false":
		document, err = reading.Evaluate(ctx, document,
			reading.Options(render.Options{KeepVisitor: params.Evaluated == "deterministic-only"}))
	case params.Dereferenced != "false":
		document, err = reading.Evaluate(ctx, document, reading.Options(render.Options{OnlyReusable: true}))
	}
	if err != nil {
		return nil, nil, err
	}
	// Stored bodies name pages and files in the stable form; the document JSON has a kind for each.
	document.ReadDestinations()
	return document, original, nil
}

// addBody adds the page's body in the wanted form.
func (h *Handlers) addBody(ctx context.Context, view *store.View, e *entity.Entry, page *wire.Page,
	params PageFormat) error {
	if params.Format == "html" {
		return h.addHTML(ctx, view, e, page)
	}
	if params.Format == "markdown" && params.asStored() {
		body, err := view.Body(ctx, e)
		if err != nil {
			return fmt.Errorf("read the body of %s: %w", e.ID, err)
		}
		return addMarkdown(ctx, view, e, page, body, params)
	}
	document, original, err := documentOf(ctx, view, e, params)
	if err != nil {
		return err
	}
	if params.Format == "document" {
		document.Complete()
		page.Document, err = json.Marshal(document)
		return err
	}
	return addMarkdown(ctx, view, e, page, markdown.Rewrite(original, document), params)
}

// addMarkdown adds a body to the page as a file of its own, with front matter and title, and with the links as params
// say: references to pages and files as they are stored, or as paths like those of an export.
func addMarkdown(ctx context.Context, view *store.View, e *entity.Entry, page *wire.Page, body []byte,
	params PageFormat) error {
	if params.Refs == "relative" {
		var err error
		if body, err = edit.RelativeLinks(ctx, view, e, body); err != nil {
			return fmt.Errorf("write the links of %s: %w", e.ID, err)
		}
	}
	page.Markdown = new(string(treefile.WritePage(treefile.Page{FrontMatter: frontmatter.Write(e), Title: e.Title,
		Body: body})))
	return nil
}
