package searches

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/search"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// visitSearch finds pages of a site that a visitor gets and that the site's own search would find. Pages whose text
// depends on the visitor are left out.
func (h *Handlers) visitSearch(ctx context.Context,
	in *searchSiteInput) (*operation.Body[FoundSpaces], error) {
	visit := operation.Visit(ctx)
	if in.Site != visit.Served.Site.ID || in.Organization != visit.Served.Organization {
		return nil, errs.NotFoundf("This token is for another site.")
	}
	scope, err := in.scope()
	if err != nil {
		return nil, err
	}
	if !field.Storable(in.Body.Query) {
		return nil, errs.Invalidf("query", "must be text in UTF-8 without NUL")
	}
	placed := make([]site.SiteSpace, len(visit.Served.Spaces))
	for i, each := range visit.Served.Spaces {
		placed[i] = site.SiteSpace{ID: each.ID, Section: each.Section, Default: each.Default, Title: each.Title,
			Space: space.Space{ID: each.Space, Title: each.Title, Language: each.Language}}
	}
	chosen, err := scope.choose(placed)
	if err != nil {
		return nil, err
	}
	query := search.Query{Text: in.Body.Query, Published: true, Without: map[id.Space][]string{},
		Synonyms: visit.Served.Customization.Synonyms}
	titles, trees := map[id.Space]string{}, map[id.Space]*store.Tree{}
	for _, each := range chosen {
		shown, ok := visit.Space(each.Space.ID)
		if _, known := titles[each.Space.ID]; known || !ok || shown.Head == "" {
			continue
		}
		titles[each.Space.ID] = each.Title
		query.Spaces = append(query.Spaces, each.Space.ID)
		view, err := h.Content.View(ctx, shown.Head)
		if err != nil {
			return nil, err
		}
		expansion, err := h.ComputedPages.Expand(ctx, view)
		if err != nil {
			return nil, err
		}
		trees[each.Space.ID] = expansion.Tree
		pages, err := page.Open(ctx, view)
		if err != nil {
			return nil, err
		}
		absent, err := pages.Absent(ctx, page.Visitor(visit.Claims))
		if err != nil {
			return nil, err
		}
		for pageID := range maps.Clone(absent) {
			withBelow(absent, expansion.Places[pageID])
		}
		query.Without[each.Space.ID] = slices.Sorted(maps.Keys(absent))
	}
	name := strings.Join(append([]string{"visit-search", visit.Audience, in.Body.Query}, id.Texts(query.Spaces)...),
		"\x00")
	// What a visitor does not get has no title here either.
	may := func(space id.Space, node *store.TreeNode) bool {
		tree := trees[space]
		return !node.Flags().Unfound() && tree != nil && tree.ByID[node.Entry.ID] != nil &&
			!slices.Contains(query.Without[space], node.Entry.ID)
	}
	result, notes, err := h.find(ctx, name, in.PageParams, query, may)
	if err != nil {
		return nil, err
	}
	items := result.Items[:0:0]
	for _, hit := range result.Items {
		// The index may be of another revision for a moment.
		if tree := trees[hit.Space]; tree == nil || tree.ByID[hit.ID] == nil {
			result.Count--
			continue
		}
		items = append(items, hit)
	}
	return h.grouped(name, paging.WithItems(result, items), notes, titles), nil
}

// withBelow adds pages that are made, with all below them, to those that are absent with the computed page.
func withBelow(absent map[string]bool, nodes []*store.TreeNode) {
	for _, node := range nodes {
		absent[node.Entry.ID] = true
		withBelow(absent, node.Children)
	}
}
