package contents

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/frontmatter"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// documentOf reads the body of a page or reusable content as a document, evaluated and dereferenced as params say, and
// as the Markdown that is stored.
func (h *Handlers) documentOf(ctx context.Context, view *store.View, e *entity.Entry,
	params PageFormat) (document *doc.Document, original []byte, err error) {
	original, err = view.Body(ctx, e)
	if err != nil {
		return nil, nil, fmt.Errorf("read the body of %s: %w", e.ID, err)
	}
	document, err = markdown.Parse(original)
	if err != nil {
		return nil, nil, fmt.Errorf("parse the body of %s: %w", e.ID, err)
	}
	// Stored bodies name pages and files in the stable form; the document JSON has a kind for each.
	document.ReadDestinations()
	switch {
	case params.Evaluated != "false":
		document, err = h.evaluate(ctx, view, e, document, params.Evaluated == "deterministic-only")
	case params.Dereferenced != "false":
		document, err = render.Evaluate(ctx, document, render.Options{
			OnlyReusable: true,
			Reusable: func(ctx context.Context, ref doc.Ref) (*doc.Document, error) {
				return reusable(ctx, view, ref)
			},
		})
	}
	return document, original, err
}

// addBody adds the page's body in the wanted form.
func (h *Handlers) addBody(ctx context.Context, view *store.View, e *entity.Entry, page *wire.Page,
	params PageFormat) error {
	if params.Format == "markdown" && params.asStored() {
		body, err := view.Body(ctx, e)
		if err != nil {
			return fmt.Errorf("read the body of %s: %w", e.ID, err)
		}
		return addMarkdown(ctx, view, e, page, body, params)
	}
	document, original, err := h.documentOf(ctx, view, e, params)
	if err != nil {
		return err
	}
	if params.Format == "document" {
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
	page.Markdown = new(string(markdown.WritePage(markdown.Page{FrontMatter: frontmatter.Write(e), Title: e.Title,
		Body: body})))
	return nil
}

// evaluate puts values for expressions, as the variables of the space and the page give them.
func (h *Handlers) evaluate(ctx context.Context, view *store.View, e *entity.Entry, document *doc.Document,
	keepVisitor bool) (*doc.Document, error) {
	variables, err := view.Variables(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the variables: %w", err)
	}
	return render.Evaluate(ctx, document, render.Options{
		KeepVisitor: keepVisitor,
		Context: map[string]any{
			"space": map[string]any{"vars": orEmpty(variables)},
			"page":  map[string]any{"vars": orEmpty(e.Variables)},
		},
		Reusable: func(ctx context.Context, ref doc.Ref) (*doc.Document, error) { return reusable(ctx, view, ref) },
	})
}

func orEmpty(variables map[string]any) map[string]any {
	if variables == nil {
		return map[string]any{}
	}
	return variables
}

// reusable loads a reusable content of the same space; nil when there is none.
func reusable(ctx context.Context, view *store.View, ref doc.Ref) (*doc.Document, error) {
	if ref.Space != "" && ref.Space != view.Revision().Space {
		return nil, nil
	}
	entry, err := view.Entry(ctx, ref.ReusableContent)
	if errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindReusable) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read reusable content: %w", err)
	}
	body, err := view.Body(ctx, entry)
	if err != nil {
		return nil, fmt.Errorf("read the body of %s: %w", entry.ID, err)
	}
	document, err := markdown.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("parse the body of %s: %w", entry.ID, err)
	}
	document.ReadDestinations()
	return document, nil
}
