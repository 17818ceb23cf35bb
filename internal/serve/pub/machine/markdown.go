package machine

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/treefile"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// spellOut puts what describes an API in place of the blocks that name it, for forms of a page that hold nothing but
// text. It reports whether there was any, and changes the document, whose nodes are not shared.
func spellOut(document *doc.Document) bool {
	found := false
	var walk func(nodes []*doc.Node) []*doc.Node
	walk = func(nodes []*doc.Node) []*doc.Node {
		out := make([]*doc.Node, 0, len(nodes))
		for _, n := range nodes {
			data, ok := n.Data.(*doc.OpenAPIData)
			if !ok || len(n.Nodes) == 0 {
				if len(n.Nodes) > 0 && !doc.HoldsText(n.Type) {
					copied := *n
					copied.Nodes = walk(n.Nodes)
					n = &copied
				}
				out = append(out, n)
				continue
			}
			found = true
			if data.IsInline() && data.Title != "" {
				out = append(out, doc.NewParagraph(doc.NewText(data.Title, doc.Mark{Type: doc.Bold})))
			}
			if title := strings.TrimSpace(strings.ToUpper(data.Method) + " " + data.Target()); title != "" {
				out = append(out, doc.NewParagraph(doc.NewText(title, doc.Mark{Type: doc.CodeMark})))
			}
			out = append(out, n.Nodes...)
		}
		return out
	}
	spelled := walk(document.Nodes)
	if found {
		document.Nodes = slices.Clip(spelled)
	}
	return found
}

// ServeMarkdown sends a page as Markdown: what it says to this audience, with links that work from where it is.
func ServeMarkdown(w http.ResponseWriter, r *http.Request, s *scope.Scope, node *store.TreeNode) error {
	header := w.Header()
	header.Set("Link", "<"+s.PageAddress(node)+`>; rel="canonical"`)
	if !s.Edition.Indexable(node) {
		header.Set("X-Robots-Tag", "noindex")
	}
	return serveList(w, r, s, "markdown "+node.Entry.ID, "text/markdown; charset=utf-8",
		func(ctx context.Context, out *bytes.Buffer) error {
			text, err := markdownOf(ctx, s, node)
			out.Write(text)
			return err
		})
}

// markdownOf is a page's Markdown with its front matter and title. Conditions, expressions and reusable contents are
// resolved as on the page itself.
func markdownOf(ctx context.Context, s *scope.Scope, node *store.TreeNode) ([]byte, error) {
	body, err := markdownBody(ctx, s, node)
	if err != nil {
		return nil, err
	}
	page := treefile.Page{Title: edition.Title(node.Entry), Body: body}
	if description := strings.TrimSpace(node.Entry.Description); description != "" {
		page.FrontMatter.Description = description
	}
	return treefile.WritePage(page), nil
}

func markdownBody(ctx context.Context, s *scope.Scope, node *store.TreeNode) ([]byte, error) {
	options := s.Options(ctx, node)
	document, err := s.Load(ctx, node, options)
	if err != nil {
		return nil, err
	}
	original, err := s.Edition.View.Body(ctx, node.Entry)
	if err != nil {
		return nil, err
	}
	s.StartBlocks(ctx, document)
	described := s.SpellBlocks(ctx, document)
	described = spellOut(document) || described
	resolver := s.Resolver(node)
	resolver.Ctx, resolver.Markdown = ctx, true
	document.MapRefs(func(ref doc.Ref) doc.Ref {
		target := resolver.Resolve(ref)
		switch {
		case target.Broken:
			return doc.URL("#") // what it names may be something that is not for the reader
		case target.URL != "":
			return doc.URL(target.URL)
		}
		return ref
	})
	if described {
		return markdown.Write(document), nil
	}
	return markdown.Rewrite(original, document), nil
}
