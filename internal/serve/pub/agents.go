package pub

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

// maxFullText bounds llms-full.txt, in bytes: a reader that wants more takes pages one by one.
const maxFullText = 16 << 20

// serveMarkdown sends a page as Markdown: what it says to this audience, with links that work from where it is.
func (s *scope) serveMarkdown(w http.ResponseWriter, r *http.Request, node *store.TreeNode) error {
	header := w.Header()
	header.Set("Link", "<"+s.pageAddress(node)+`>; rel="canonical"`)
	if !s.edition.Indexable(node) {
		header.Set("X-Robots-Tag", "noindex")
	}
	return s.serveList(w, r, "markdown "+node.Entry.ID, "text/markdown; charset=utf-8",
		func(ctx context.Context, out *bytes.Buffer) error {
			text, err := s.markdown(ctx, node)
			out.Write(text)
			return err
		})
}

// markdown is a page's Markdown with its front matter and title. Conditions, expressions and reusable contents are
// resolved as on the page itself.
func (s *scope) markdown(ctx context.Context, node *store.TreeNode) ([]byte, error) {
	body, err := s.markdownBody(ctx, node)
	if err != nil {
		return nil, err
	}
	page := markdown.Page{Title: edition.Title(node.Entry), Body: body}
	if description := strings.TrimSpace(node.Entry.Description); description != "" {
		page.FrontMatter.Description = description
	}
	return markdown.WritePage(page), nil
}

func (s *scope) markdownBody(ctx context.Context, node *store.TreeNode) ([]byte, error) {
	options := s.options(ctx, node)
	document, err := s.load(ctx, node, options)
	if err != nil {
		return nil, err
	}
	original, err := s.edition.View.Body(ctx, node.Entry)
	if err != nil {
		return nil, err
	}
	described := spellOut(document)
	resolver := s.resolver(node)
	resolver.ctx, resolver.markdown = ctx, true
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

// serveIndexForAgents sends llms.txt: the pages with their descriptions, as links to their Markdown.
func (s *scope) serveIndexForAgents(w http.ResponseWriter, r *http.Request) error {
	if s.site.Site.AgentsContext == site.AgentsExcluded {
		return s.missing(w, r, "")
	}
	return s.serveList(w, r, "llms", "text/plain; charset=utf-8", func(ctx context.Context, out *bytes.Buffer) error {
		s.agentsHead(out)
		parts, err := s.parts(ctx)
		if err != nil {
			return err
		}
		for i, part := range parts {
			if i > 0 {
				fmt.Fprintf(out, "\n# %s\n", oneLine(part.partTitle()))
			}
			part.listForAgents(out)
		}
		return nil
	})
}

// listForAgents writes the pages of one part of a site.
func (s *scope) listForAgents(out *bytes.Buffer) {
	group := (*store.TreeNode)(nil)
	first := true
	for node := range s.edition.ForMachines {
		if top := topGroup(node); first || top != group {
			heading := "Pages"
			if top != nil {
				heading = edition.PlainTitle(edition.Label(top.Entry))
			}
			fmt.Fprintf(out, "\n## %s\n\n", oneLine(heading))
			group, first = top, false
		}
		fmt.Fprintf(out, "- [%s](%s%s)", markdownText(edition.PlainTitle(edition.Title(node.Entry))), s.address,
			s.markdownPath(node))
		if description := oneLine(node.Entry.Description); description != "" {
			out.WriteString(": " + description)
		}
		out.WriteByte('\n')
	}
}

func (s *scope) agentsHead(out *bytes.Buffer) {
	fmt.Fprintf(out, "# %s\n", oneLine(s.title()))
	if landing := s.edition.Landing; landing != nil {
		if description := oneLine(landing.Entry.Description); description != "" {
			fmt.Fprintf(out, "\n> %s\n", description)
		}
	}
}

// topGroup is the group at the top level that a page is in, nil for none.
func topGroup(node *store.TreeNode) *store.TreeNode {
	for node.Parent != nil {
		node = node.Parent
	}
	if node.Entry.Type == entity.PageGroup {
		return node
	}
	return nil
}

// serveAllForAgents sends llms-full.txt: the text of all pages, one after the other.
func (s *scope) serveAllForAgents(w http.ResponseWriter, r *http.Request) error {
	if s.site.Site.AgentsContext == site.AgentsExcluded {
		return s.missing(w, r, "")
	}
	return s.serveList(w, r, "llms-full", "text/plain; charset=utf-8",
		func(ctx context.Context, out *bytes.Buffer) error {
			s.agentsHead(out)
			parts, err := s.parts(ctx)
			if err != nil {
				return err
			}
			for _, part := range parts {
				for node := range part.edition.ForMachines {
					body, err := part.markdownBody(ctx, node)
					if errs.Is(err, errs.TooLarge) || errs.Is(err, errs.Invalid) {
						// One page that cannot be shown takes no other with it.
						body, err = []byte("This page is too large to be shown here."), nil
					}
					if err != nil {
						return err
					}
					if out.Len()+len(body) > maxFullText {
						fmt.Fprintf(out, "\n---\n\nThe rest is left out here. All pages: %sllms.txt\n", s.address)
						return nil
					}
					fmt.Fprintf(out, "\n---\n\n# %s\n\nSource: %s\n\n",
						oneLine(edition.PlainTitle(edition.Title(node.Entry))),
						part.pageAddress(node))
					out.Write(bytes.TrimSpace(body))
					out.WriteByte('\n')
				}
			}
			return nil
		})
}

// oneLine is text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// markdownText escapes text for the text of a Markdown link.
func markdownText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(oneLine(text))
}

var _ render.Resolver = (*resolver)(nil)
