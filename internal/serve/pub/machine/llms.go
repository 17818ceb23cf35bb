package machine

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// maxFullText bounds llms-full.txt, in bytes: a reader that wants more takes pages one by one.
const maxFullText = 16 << 20

// ServeLLMs sends llms.txt: the pages with their descriptions, as links to their Markdown.
func ServeLLMs(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	return serveList(w, r, s, "llms", "text/plain; charset=utf-8", func(ctx context.Context, out *bytes.Buffer) error {
		agentsHead(s, out)
		parts, err := s.Parts(ctx)
		if err != nil {
			return err
		}
		for i, part := range parts {
			if i > 0 {
				fmt.Fprintf(out, "\n# %s\n", oneLine(part.PartTitle()))
			}
			listForAgents(part, out)
		}
		return nil
	})
}

// listForAgents writes the pages of one part of a site.
func listForAgents(s *scope.Scope, out *bytes.Buffer) {
	group := (*store.TreeNode)(nil)
	first := true
	for node := range s.Edition.ForMachines {
		if top := topGroup(node); first || top != group {
			heading := "Pages"
			if top != nil {
				heading = edition.PlainTitle(edition.Label(top.Entry))
			}
			fmt.Fprintf(out, "\n## %s\n\n", oneLine(heading))
			group, first = top, false
		}
		fmt.Fprintf(out, "- [%s](%s%s)", markdownText(edition.PlainTitle(edition.Title(node.Entry))), s.Address,
			s.MarkdownPath(node))
		if description := oneLine(node.Entry.Description); description != "" {
			out.WriteString(": " + description)
		}
		out.WriteByte('\n')
	}
}

func agentsHead(s *scope.Scope, out *bytes.Buffer) {
	fmt.Fprintf(out, "# %s\n", oneLine(s.Title()))
	if landing := s.Edition.Landing; landing != nil {
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

// ServeLLMsFull sends llms-full.txt: the text of all pages, one after the other.
func ServeLLMsFull(w http.ResponseWriter, r *http.Request, s *scope.Scope) error {
	return serveList(w, r, s, "llms-full", "text/plain; charset=utf-8",
		func(ctx context.Context, out *bytes.Buffer) error {
			agentsHead(s, out)
			parts, err := s.Parts(ctx)
			if err != nil {
				return err
			}
			for _, part := range parts {
				for node := range part.Edition.ForMachines {
					body, err := markdownBody(ctx, part, node)
					if errs.Is(err, errs.TooLarge) || errs.Is(err, errs.Invalid) {
						// One page that cannot be shown takes no other with it.
						body, err = []byte("This page is too large to be shown here."), nil
					}
					if err != nil {
						return err
					}
					if out.Len()+len(body) > maxFullText {
						fmt.Fprintf(out, "\n---\n\nThe rest is left out here. All pages: %sllms.txt\n", s.Address)
						return nil
					}
					fmt.Fprintf(out, "\n---\n\n# %s\n\nSource: %s\n\n",
						oneLine(edition.PlainTitle(edition.Title(node.Entry))),
						part.PageAddress(node))
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

var _ render.Resolver = (*scope.Resolver)(nil)
