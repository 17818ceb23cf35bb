package contents

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// PageRedirects are the addresses that lead to a page.
type PageRedirects struct {
	Items []PageRedirect `json:"items" doc:"By path, a thousand at most."`
}

// PageRedirect is an address that leads to a page.
type PageRedirect struct {
	Object string `json:"object" enum:"page-redirect"`
	ID     string `json:"id"`
	Path   string `json:"path" doc:"In the space, without a slash in front."`
	Anchor string `json:"anchor,omitempty" doc:"The part of the page that it leads to."`
	// LeftAt is when the page had the address last.
	LeftAt string `json:"leftAt,omitempty" format:"date-time" doc:"When the page left the address; absent for one that was made by hand or came with an import."`
}

type listPageRedirectsInput struct {
	Space id.Space `path:"spaceId"`
	Page  string   `path:"pageId"`
}

// listPageRedirects lists the addresses that lead to a page of the main content.
func (h *Handlers) listPageRedirects(ctx context.Context,
	in *listPageRedirectsInput) (*operation.Body[PageRedirects], error) {
	allowed, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	return h.pageRedirects(ctx, allowed.Head, in.Page)
}

type listChangeRequestPageRedirectsInput struct {
	wire.ChangeRequestPath
	Page string `path:"pageId"`
}

// listChangeRequestPageRedirects lists the addresses that lead to a page of a change request.
func (h *Handlers) listChangeRequestPageRedirects(ctx context.Context,
	in *listChangeRequestPageRedirectsInput) (*operation.Body[PageRedirects], error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return h.pageRedirects(ctx, found.Head, in.Page)
}

// maxRedirects is how many redirects to a page are looked at: each costs a look-up of its path.
const maxRedirects = 1000

// pageRedirects lists the addresses that lead to a page of a revision.
func (h *Handlers) pageRedirects(ctx context.Context, revision id.Revision,
	pageID string) (*operation.Body[PageRedirects], error) {
	view, err := h.Content.View(ctx, revision)
	if err != nil {
		return nil, err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, err
	}
	if tree.ByID[pageID] == nil {
		return nil, errs.NotFoundf("There is no page %.80q here. List the pages to see their ids.", pageID)
	}
	redirects, err := view.Redirects(ctx)
	if err != nil {
		return nil, err
	}
	to := map[string][]*entity.Entry{}
	for _, e := range redirects {
		if e.Target != nil && e.Target.Space == "" && (e.Target.Kind == doc.RefPage || e.Target.Kind == doc.RefAnchor) {
			to[e.Target.Page] = append(to[e.Target.Page], e)
		}
	}
	list := PageRedirects{Items: []PageRedirect{}}
	for _, e := range to[pageID][:min(len(to[pageID]), maxRedirects)] {
		path := addressOf(tree, to, e, map[string]bool{})
		if path == "" {
			continue
		}
		// A page that lives at the address wins, and so may what another page has left there.
		leads, err := view.ByPath(ctx, path)
		if err != nil && !errs.Is(err, errs.NotFound) {
			return nil, err
		}
		if err != nil || leads.Entry == nil || leads.Entry.ID != pageID || !leads.Redirected {
			continue
		}
		item := PageRedirect{Object: "page-redirect", ID: e.ID, Path: path, Anchor: e.Target.Anchor}
		if e.CreatedAt != 0 {
			item.LeftAt = wire.MicroTimestamp(e.CreatedAt)
		}
		list.Items = append(list.Items, item)
	}
	slices.SortFunc(list.Items, func(a, b PageRedirect) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.ID, b.ID))
	})
	return &operation.Body[PageRedirects]{Body: list}, nil
}

// addressOf returns the address of a redirect; "" for one below a page that is gone and was never elsewhere. to are
// the redirects by the page that they lead to, seen the pages that are gone and were looked at.
func addressOf(tree *store.Tree, to map[string][]*entity.Entry, e *entity.Entry, seen map[string]bool) string {
	if e.Parent == "" {
		return e.Path
	}
	if parent := tree.ByID[e.Parent]; parent != nil {
		return parent.Path + "/" + e.Path
	}
	if seen[e.Parent] {
		return ""
	}
	seen[e.Parent] = true
	// Old addresses go on through the place that a page had before it was deleted.
	for _, former := range to[e.Parent] {
		if above := addressOf(tree, to, former, seen); above != "" {
			return above + "/" + e.Path
		}
	}
	return ""
}
