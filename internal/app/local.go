package app

import (
	"context"
	"encoding/json"
	"io"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/engine/treefile"
)

// Show writes what a page's Markdown becomes: "document" (JSON), "html", "text" or "markdown". It needs no server;
// expressions see the page's own variables.
func Show(ctx context.Context, source []byte, as string, out io.Writer) error {
	page, err := treefile.ParsePage(source)
	if err != nil {
		return err
	}
	document, err := markdown.Parse(page.Body)
	if err != nil {
		return err
	}
	switch as {
	case "document":
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(document)
	case "text":
		_, err = io.WriteString(out, render.Text(document)+"\n")
		return err
	case "markdown":
		page.Body = markdown.Write(document)
		_, err = out.Write(treefile.WritePage(page))
		return err
	case "html":
		return render.HTML(ctx, out, document, render.Options{
			Context: map[string]any{"page": map[string]any{"vars": page.FrontMatter.Variables}},
		})
	}
	return errs.Invalidf("--to", "must be document, html, text or markdown")
}

// Evaluate returns the value of an expression over variables, as encoding/json writes it: undefined is nil.
func Evaluate(ctx context.Context, source string, variables map[string]any) (any, error) {
	program, err := expr.Parse(source)
	if err != nil {
		return nil, err
	}
	value, err := program.Eval(ctx, variables, expr.Limits{})
	if err != nil {
		return nil, err
	}
	return expr.Plain(value), nil
}
