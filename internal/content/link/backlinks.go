package link

import (
	"cmp"
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Backlink is a source that leads to a target.
type Backlink struct {
	// Space is that of the source, View the revision that it was found in.
	Space  id.Space
	View   *store.View
	Source string
	Role   Role
	// Relation says whether the source needs the target or only leads there.
	Relation render.Relation
	// Key is the key of the first node that holds the link, "" for what is not in a body.
	Key string
	// Anchor is the anchor of the target that the first link names.
	Anchor string
}

// Backlinks lists the pages and reusable contents that lead to an entity of a revision, each once: first those of the
// revision, then those of what is live in the other spaces, which are for the caller to choose; space by space, in the
// order of the ids. Links that name the space are among them. It costs a look into the index of each of the spaces,
// which is made for those that nobody has asked about.
func (s *Service) Backlinks(ctx context.Context, scope Scope, target string, others []id.Space,
	page paging.Request) (items paging.Page[Backlink], err error) {
	if len(page.After) != 0 && len(page.After) != 2 {
		return paging.Page[Backlink]{}, foreignCursor()
	}
	own := scope.View.Revision().Space
	heads, err := s.deps.Content.Heads(ctx, others)
	if err != nil {
		return paging.Page[Backlink]{}, err
	}
	views := []*store.View{scope.View}
	for _, space := range slices.Sorted(slices.Values(others)) {
		head := heads[space]
		if head == "" || space == own {
			continue
		}
		view, err := s.deps.Content.View(ctx, head)
		if errs.Is(err, errs.NotFound) {
			continue // it has been purged meanwhile
		}
		if err != nil {
			return paging.Page[Backlink]{}, err
		}
		views = append(views, view)
	}
	for _, view := range views {
		found, err := s.backlinksIn(ctx, Scope{Organization: scope.Organization, View: view}, own, target)
		if err != nil {
			return paging.Page[Backlink]{}, err
		}
		items.Count += len(found)
		items.Items = append(items.Items, found...)
	}
	if len(page.After) > 0 {
		after := Backlink{Space: id.Space(page.After[0]), Source: page.After[1]}
		items.Items = slices.DeleteFunc(items.Items, func(b Backlink) bool { return b.compare(after, own) <= 0 })
	}
	items.Cut(page.Size(), func(b Backlink) []string { return []string{string(b.Space), b.Source} })
	return items, nil
}

// compare orders backlinks: those of the target's own space first.
func (b Backlink) compare(other Backlink, own id.Space) int {
	if b.Space != other.Space {
		switch own {
		case b.Space:
			return -1
		case other.Space:
			return 1
		}
	}
	return cmp.Or(cmp.Compare(b.Space, other.Space), cmp.Compare(b.Source, other.Source))
}

// backlinksIn returns what of a revision leads to an entity of a space, in the order of the ids.
func (s *Service) backlinksIn(ctx context.Context, scope Scope, space id.Space, target string) ([]Backlink, error) {
	found, err := s.index(ctx, scope.View)
	if err != nil {
		return nil, err
	}
	j := s.judge(scope)
	own := scope.View.Revision().Space
	looked := []string{lookedOther(space, target)}
	var all []dependent
	var links []Link
	// What a specification says of another space's pages is not looked for: it would cost a question for each space.
	if own == space {
		looked = append(looked, lookedEntity(target))
		made, err := j.made(ctx, scope.View)
		if err != nil {
			return nil, err
		}
		if page := made.page(target); page != nil {
			if all, err = j.madeDependents(ctx, found, page); err != nil {
				return nil, err
			}
		}
		if links, err = j.allMadeLinks(ctx); err != nil {
			return nil, err
		}
		links = slices.DeleteFunc(links, func(link Link) bool { return !link.leadsTo(own, space, target) })
	}
	for _, each := range looked {
		if own != space && found.counts.Elsewhere == 0 {
			break
		}
		dependents, err := s.dependents(ctx, found.root, shortHash(each))
		if err != nil {
			return nil, err
		}
		all = append(all, dependents...)
	}
	for _, each := range all {
		link, err := s.get(ctx, found.root, each)
		if err != nil {
			return nil, err
		}
		links = append(links, link.link(each.source, each.name))
	}
	// The first link of each source stands for all of them.
	slices.SortFunc(links, func(a, b Link) int { return cmp.Or(cmp.Compare(a.Source, b.Source), a.order-b.order) })
	links = slices.CompactFunc(links, func(a, b Link) bool { return a.Source == b.Source })
	backlinks := make([]Backlink, 0, len(links))
	for _, link := range links {
		made := Backlink{Space: own, View: scope.View, Source: link.Source, Role: link.Role, Relation: link.Relation,
			Anchor: link.Target.Anchor}
		if len(link.Keys) > 0 {
			made.Key = link.Keys[0]
		}
		backlinks = append(backlinks, made)
	}
	return backlinks, nil
}
