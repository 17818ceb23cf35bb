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
	"github.com/rectodocs/recto/internal/engine/render"
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
			out = append(out, spelled(n.Nodes)...)
		}
		return out
	}
	spelled := walk(document.Nodes)
	if found {
		document.Nodes = slices.Clip(spelled)
	}
	return found
}

// spelled is the description of an API for Markdown: nothing is folded there, and of samples of a request in several
// languages the first is enough.
func spelled(nodes []*doc.Node) []*doc.Node {
	var out []*doc.Node
	for _, n := range nodes {
		switch {
		case n.Object == doc.ObjectFragment && n.Fragment == doc.FragmentExample:
			out = append(out, examples(n.Nodes)...)
			continue
		case n.Object == doc.ObjectFragment:
			out = append(out, spelled(n.Nodes)...)
			continue
		case n.Type == doc.Expandable:
			if title := n.FragmentNamed(doc.FragmentExpandableTitle); title != nil {
				for _, paragraph := range title.Nodes {
					out = append(out, doc.NewBlock(doc.Heading3, nil, paragraph.Nodes...))
				}
			}
			if body := n.FragmentNamed(doc.FragmentExpandableBody); body != nil {
				out = append(out, spelled(body.Nodes)...)
			}
			continue
		case n.Type == doc.ListUnordered || n.Type == doc.ListItem:
			copied := *n
			copied.Nodes = spelled(n.Nodes)
			n = &copied
		}
		out = append(out, n)
	}
	return out
}

// examples is the examples of an operation: the first sample of a request, and each example of a body under its name.
func examples(nodes []*doc.Node) []*doc.Node {
	var out []*doc.Node
	samples := true
	for _, n := range nodes {
		if n.Type != doc.Tabs {
			out = append(out, n)
			continue
		}
		for i, tab := range n.Nodes {
			if samples && i > 0 && isSample(n) {
				break
			}
			if data, ok := tab.Data.(*doc.TabsItemData); ok && len(n.Nodes) > 1 {
				out = append(out, doc.NewParagraph(doc.NewText(data.Title, doc.Mark{Type: doc.Bold})))
			}
			out = append(out, tab.Nodes...)
		}
		samples = false
	}
	return out
}

// isSample reports whether tabs are a request in several languages.
func isSample(tabs *doc.Node) bool {
	first := tabs.Nodes[0]
	if len(first.Nodes) == 0 {
		return false
	}
	data, ok := first.Nodes[0].Data.(*doc.CodeData)
	return ok && data.Syntax == "bash"
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
	callMentions(document, resolver)
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

// callMentions has mentions stand by what they lead to for the reader. What an author was told that it is called may be
// the title of a page that is not for the reader, or somebody's name.
func callMentions(document *doc.Document, resolver render.Resolver) {
	document.Walk(func(n *doc.Node) bool {
		if data, ok := n.Data.(*doc.ContentRefData); ok && n.Type == doc.Mention {
			target := resolver.Resolve(data.Ref)
			switch {
			case target.Broken:
				data.Title = render.NotAvailable
			case target.Title != "":
				data.Title = target.Title
			}
		}
		return true
	})
}
