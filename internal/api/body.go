package api

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/rectodocs/recto/internal/content"
	"github.com/rectodocs/recto/internal/doc"
	"github.com/rectodocs/recto/internal/edit"
	"github.com/rectodocs/recto/internal/entity"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/importer"
	"github.com/rectodocs/recto/internal/importer/links"
	"github.com/rectodocs/recto/internal/markdown"
	"github.com/rectodocs/recto/internal/render"
)

// documentOf reads the body of a page or reusable content as a document, evaluated and dereferenced as params say, and as
// the Markdown that is stored.
func (a *API) documentOf(ctx context.Context, view *content.View, e *entity.Entry, params PageFormat) (document *doc.Document, original []byte, err error) {
	original, err = view.Body(ctx, e)
	if err != nil {
		return nil, nil, fmt.Errorf("read the body of %s: %w", e.ID, err)
	}
	document, err = markdown.Parse(original)
	if err != nil {
		return nil, nil, fmt.Errorf("parse the body of %s: %w", e.ID, err)
	}
	// Stored bodies name pages and files in the stable form; the document JSON has a kind for each.
	document.MapRefs(stableReference)
	switch {
	case params.Evaluated != "false":
		document, err = a.evaluate(ctx, view, e, document, params.Evaluated == "deterministic-only")
	case params.Dereferenced != "false":
		document, err = render.Evaluate(ctx, document, render.Options{
			OnlyReusable: true,
			Reusable:     func(ctx context.Context, ref doc.Ref) (*doc.Document, error) { return reusable(ctx, view, ref) },
		})
	}
	return document, original, err
}

// addBody adds the page's body in the wanted form.
func (a *API) addBody(ctx context.Context, view *content.View, e *entity.Entry, page *Page, params PageFormat) error {
	document, original, err := a.documentOf(ctx, view, e, params)
	if err != nil {
		return err
	}
	if params.Format == "document" {
		page.Document, err = json.Marshal(document)
		return err
	}
	text, err := markdownOf(ctx, view, e, original, document, params.Refs == "relative")
	if err != nil {
		return err
	}
	page.Markdown = new(string(text))
	return nil
}

func stableReference(ref doc.Ref) doc.Ref {
	if ref.Kind != doc.RefURL {
		return ref
	}
	return doc.ParseDestination(ref.URL)
}

// evaluate puts values for expressions, as the variables of the space and the page give them.
func (a *API) evaluate(ctx context.Context, view *content.View, e *entity.Entry, document *doc.Document, keepVisitor bool) (*doc.Document, error) {
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
func reusable(ctx context.Context, view *content.View, ref doc.Ref) (*doc.Document, error) {
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
	document.MapRefs(stableReference)
	return document, nil
}

// markdownOf writes a page as a file of its own, with front matter and title. relative turns references to pages and
// files into paths as an export has them.
func markdownOf(ctx context.Context, view *content.View, e *entity.Entry, original []byte, document *doc.Document, relative bool) ([]byte, error) {
	document.MapRefs(func(ref doc.Ref) doc.Ref { return doc.URL(ref.Destination()) })
	body := markdown.Rewrite(original, document)
	if relative {
		from, err := filePath(ctx, view, e)
		if err != nil {
			return nil, err
		}
		// Destinations are replaced in the text, so that whoever sends the text back changes nothing.
		var failure error
		body = links.Rewrite(body, func(use links.Use) (string, bool) {
			to, err := destination(ctx, view, from, doc.ParseDestination(use.Destination))
			if err != nil {
				failure = err
			}
			return to, to != ""
		})
		if failure != nil {
			return nil, failure
		}
	}
	return markdown.WritePage(markdown.Page{FrontMatter: importer.FrontMatter(e), Title: e.Title, Body: body}), nil
}

// filePath is where an export puts a page.
func filePath(ctx context.Context, view *content.View, e *entity.Entry) (string, error) {
	file, err := edit.FilePath(ctx, view, e)
	if err != nil {
		return "", fmt.Errorf("find the path of %s: %w", e.ID, err)
	}
	return file, nil
}

// destination is the relative path from a file to what a reference names; "" when it names nothing in the space.
func destination(ctx context.Context, view *content.View, from string, ref doc.Ref) (string, error) {
	if ref.Space != "" && ref.Space != view.Revision().Space {
		return "", nil
	}
	target := ref.Page
	if ref.Kind == doc.RefFile {
		target = ref.File
	}
	if target == "" {
		return "", nil
	}
	entry, err := view.Entry(ctx, target)
	if errs.Is(err, errs.NotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", target, err)
	}
	to := entry.Path
	switch {
	case entry.Kind == entity.KindPage:
		if to, err = filePath(ctx, view, entry); err != nil {
			return "", err
		}
	case to == "":
		to = ".gitbook/assets/" + entry.Name
	}
	written := relativePath(from, to)
	if ref.Anchor != "" {
		written += "#" + ref.Anchor
	}
	return written, nil
}

// relativePath is the path from the folder of one file to another file.
func relativePath(from, to string) string {
	folder := strings.Split(path.Dir(from), "/")
	if folder[0] == "." {
		folder = nil
	}
	parts := strings.Split(to, "/")
	common := 0
	for common < len(folder) && common < len(parts)-1 && folder[common] == parts[common] {
		common++
	}
	return strings.Repeat("../", len(folder)-common) + strings.Join(parts[common:], "/")
}
